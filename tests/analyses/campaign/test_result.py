"""The order of the runs, medians, pairs as columns, and types of runs."""

from __future__ import annotations

from array import array

from assay.analyses.campaign.result import CampaignResults, MeasureResults, RunPair, RunPairs, is_baseline

NAN = float("nan")


def test_pairs_as_columns_read_as_pairs_with_none_for_nan():
    pairs = RunPairs(array("q", [0, 0]), array("q", [1, 2]), *(array("d", [x, NAN]) for x in (0.5, 0.25, 0.75, 0.01)))
    assert len(pairs) == 2
    assert pairs[0] == RunPair(0, 1, 0.5, 0.25, 0.75, 0.01)
    assert (pairs[1].a, pairs[1].b, pairs[1].low, pairs[1].high, pairs[1].p) == (0, 2, None, None, None)
    assert pairs[:1] == [pairs[0]]
    assert pairs.column("p") == [0.01, None]


def test_runs_are_ordered_best_first_equals_by_name_and_undefined_last():
    values = (0.5, None, 0.75, 0.5)
    campaign = CampaignResults(("b10", "x", "top", "b9"), (), [MeasureResults("AP", values)], "By hand.")
    assert campaign.order == [2, 3, 0, 1]
    assert campaign.order_index == [2, 3, 0, 1]
    assert campaign.places(campaign.measures[0]) == ["2..3", None, "1", "2..3"]
    assert campaign.places_among(campaign.measures[0], [0, 1]) == ["1", None]
    lower = CampaignResults(campaign.runs, (), [MeasureResults("Rank", values, higher_is_better=False)], "By hand.")
    assert lower.order == [3, 0, 2, 1]


def test_medians_digits_and_domain_of_a_measure():
    measure = MeasureResults("AP", (0.5, 0.25, None), ((1, 0), (0, 0), (None, 3)), ((0.4, 0.6), None, None))
    assert measure.median == 0.375
    assert measure.median_of([1, 2]) == 0.25
    assert measure.topic_medians == (0.5, 0)
    assert (measure.topic_digits, measure.run_digits) == (0, 3)
    assert measure.domain == (0.25, 0.6)
    assert measure.ends(0) == measure.page_ends(0) == (0.4, 0.6)
    assert measure.ends(1) == (None, None)


def test_corresponding_runs_are_those_of_the_same_type_where_others_differ():
    traits = {"a": {"type": "manual"}, "b": {"type": "automatic"}, "c": {"type": "manual"}}
    campaign = CampaignResults(("a", "b", "c"), (), [MeasureResults("AP", (1, 1, 1))], "By hand.", traits)
    assert campaign.corresponding(0) == ("manual", [0, 2])
    assert campaign.corresponding(1) is None


def test_a_baseline_is_flagged_or_has_a_type_of_that_name():
    assert is_baseline({"baseline": "yes"})
    assert is_baseline({"type": "Baseline"})
    assert not is_baseline({"baseline": "no", "type": "manual"})
