"""The finding, the trust line and the board of campaigns made by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest

import assay
from assay.analyses.campaign.finding import with_finding
from assay.analyses.campaign.result import BoardRun, CampaignResults, MeasureResults
from assay.analyses.comparison.result import Comparison, PairResult, RankResult, Ranks, RunResult
from assay.stats.bootstrap_intervals import Interval

TOPICS = tuple(f"t{i}" for i in range(24))


def campaign(values, name="AP", *, topics=TOPICS, comparison=None, said=None, apart=False, unit="topic", **measure):
    """A campaign of runs a, b, c, … by one measure."""
    runs = tuple("abcdefgh"[: len(values)])
    main = MeasureResults(name, values, **measure)
    return with_finding(
        CampaignResults(
            runs, topics, [main], "By hand.", said or {}, comparison=comparison, baselines_apart=apart, unit=unit
        )
    )


def compared(values, apart=(), *, left_out=0, half=0.07, ranks=True, perhaps=(), **fields) -> Comparison:
    """A comparison of runs a, b, c, …; `apart` has the pairs that differ, as "ab", `perhaps` those that nearly do or do not."""
    names = sorted("abcdefgh"[: len(values)], key=lambda run: -values["abcdefgh".index(run)])
    value = dict(zip("abcdefgh", values, strict=False))
    pairs = [
        PairResult(
            a=a, b=b, difference=value[a] - value[b], decided_by=0.05 if a + b in perhaps else 0.001 if a + b in apart else 0.4,
            exact=a + b not in perhaps, significant=a + b in apart, better=a, sentence=f"{a} and {b} say.",
        )
        for a, b in combinations(names, 2)
    ]  # fmt: skip
    runs = [
        RunResult(
            run=run, value=value[run], interval=Interval(value[run] - half, value[run] + half, 0.95, "t"),
            tier=1 if names[0] + run not in apart else 2, not_different=0, missing=0, undefined=0,
        )
        for run in names
    ]  # fmt: skip
    between = Ranks([RankResult(run, i + 1, 1, len(names)) for i, run in enumerate(names)]) if ranks else None
    return Comparison(
        measure="AP", noun="topic", higher_is_better=True, topics=24 - left_out, units=24 - left_out, left_out=left_out,
        extent="24 topics", runs=runs, pairs=pairs, tiers=[names], significant={},
        settings={"confidence": 0.95, "resamples": 10_000}, notes=[], ranks=between, **fields,
    )  # fmt: skip


# One run


def test_one_run_reaches_its_value():
    """A standard error of .035 has two digits in three decimals; the ends of the interval need one less."""
    made = campaign((0.412,), intervals=((0.342, 0.482),))
    assert made.finding == "a reaches AP .412 (95% interval .34 to .48) on 24 topics."
    assert made.trust == []
    assert made.board is not None
    assert made.board.runs == [BoardRun(0, 0.412, (0.342, 0.482), "1", "", True)]
    assert (made.board.digits, made.board.ranked, made.board.topics) == (3, False, 24)


def test_one_run_on_one_topic_has_no_interval_and_needs_no_warning():
    made = campaign((0.5,), topics=("t1",), unit="question")
    assert (made.finding, made.trust) == ("a reaches AP .500 on 1 question.", [])


def test_one_run_of_several_has_a_value():
    made = campaign((None, 0.25, None))
    assert made.finding == "b reaches AP .250 on 24 topics."
    assert [(run.position, run.value) for run in made.board.runs] == [(1, 0.25), (0, None), (2, None)]


@pytest.mark.parametrize("values", [(None,), (None, None)])
def test_no_run_has_a_value(values):
    made = campaign(values)
    assert made.finding == "No run has AP on 24 topics."
    assert [run.value for run in made.board.runs] == [*values]


def test_no_run_at_all():
    made = campaign(())
    assert made.finding == "No run has AP on 24 topics."
    assert made.board.runs == []


# Several runs without a comparison


def test_the_best_of_several_was_not_tested():
    made = campaign((0.25, 0.5, 0.125), topics=("t1",))
    assert made.finding == "b has the highest AP (.500) of 3 runs on 1 topic; they were not tested."
    assert made.trust == ["One topic cannot tell runs apart."]
    assert [(run.position, run.rank, run.tier, run.leads) for run in made.board.runs] == [
        (1, "1", "", True), (0, "2", "", True), (2, "3", "", True),
    ]  # fmt: skip


def test_lower_may_be_better():
    made = campaign((0.25, 0.5), "WER", higher_is_better=False)
    assert made.finding == "a has the lowest WER (.250) of 2 runs on 24 topics; they were not tested."
    assert made.trust == [], "24 topics would be enough"


def test_runs_that_share_the_best_value_are_counted():
    assert (
        campaign((0.5, 0.5, 0.25)).finding
        == "2 runs have the highest AP (.500) of 3 runs on 24 topics; they were not tested."
    )
    assert campaign((0.5, 0.5, 0.5)).finding == "All 3 runs have the same AP (.500) on 24 topics."
    assert [run.rank for run in campaign((0.5, 0.5, 0.25)).board.runs] == ["1..2", "1..2", "3"]


def test_counts_have_no_decimals():
    made = campaign((3, 12), "NumRel", orders_runs=False)
    assert made.finding == "NumRel of 2 runs on 24 topics; it has no better or worse."
    assert made.board.digits == 0
    assert campaign((12,), "NumRel").finding == "a reaches NumRel 12 on 24 topics."


def test_negative_values_have_a_true_minus():
    made = campaign((-0.25, -0.5), "UF")
    assert made.finding == "a has the highest UF (−.250) of 2 runs on 24 topics; they were not tested."


BASELINE = {"a": {"baseline": "yes"}}


def test_a_baseline_ranked_apart_is_not_the_best_run():
    """a, the baseline, has the best value, and stands last without a place."""
    made = campaign((0.9, 0.5, 0.25), said=BASELINE, apart=True)
    assert made.finding == "b has the highest AP (.500) of 2 runs on 24 topics; they were not tested."
    assert [(run.position, run.rank) for run in made.board.runs] == [(1, "1"), (2, "2"), (0, "")]
    ranked = campaign((0.9, 0.5, 0.25), said=BASELINE)
    assert ranked.finding.startswith("a has the highest AP (.900) of 3 runs")
    alone = campaign((0.9, None, None), said=BASELINE, apart=True)
    assert alone.finding == "a reaches AP .900 on 24 topics."


# With a comparison


def test_the_board_has_the_values_ranks_and_tiers_of_the_comparison():
    """b leads; a, .09 behind, cannot be told from it, c can."""
    values = (0.41, 0.5, 0.2)
    made = campaign(values, comparison=compared(values, ("bc", "ac")))
    assert made.finding == "b leads by .09 (AP .500). a cannot be told apart from it; both beat c. 3 of 3 may be first."
    assert made.trust == [
        "Leads of .21 AP or more are significant here, leads of .09 or less are not.",
        "The top two differ by .09 (p = .40): 24 topics do not decide between them.",
    ]
    assert [(run.position, run.value, run.rank, run.tier, run.leads) for run in made.board.runs] == [
        (1, 0.5, "1–3", "1", True), (0, 0.41, "1–3", "1", True), (2, 0.2, "1–3", "2", False),
    ]  # fmt: skip
    assert made.board.runs[0].ends == pytest.approx((0.43, 0.57))
    assert (made.board.ranked, made.board.digits, made.board.topics, made.board.confidence) == (True, 3, 24, 0.95)


def test_the_board_marks_what_another_seed_could_decide():
    values = (0.5, 0.41, 0.2)
    for apart in (["ac"], ["ab", "ac"]):
        made = campaign(values, comparison=compared(values, apart, perhaps=["ab"]))
        assert [(run.position, run.leads, run.perhaps) for run in made.board.runs] == [
            (0, True, False), (1, "ab" not in apart, True), (2, False, False),
        ]  # fmt: skip


def test_the_values_of_the_board_are_those_on_the_topics_that_decide():
    """On the 20 topics that all have, a has .6, not the .41 of its own topics."""
    made = campaign((0.41, 0.5), comparison=compared((0.6, 0.5), ("ab",), left_out=4))
    assert [(run.position, run.value) for run in made.board.runs] == [(0, 0.6), (1, 0.5)]
    assert made.board.topics == 20
    assert made.trust == ["4 of 24 topics failed or are missing for some run and are excluded for all."]


def test_one_pair_says_what_its_own_test_says():
    values = (0.6, 0.5)
    result = compared(values)
    for sentence, trust in (
        ("a and b cannot be told apart: they differ by .1; 7 topics allow no p below .02.", ["7 topics allow no p below .02."]),
        ("a and b cannot be told apart.", []),
        ("a and b cannot be told apart: they differ by .1; over these a difference of .2 would count; x.",
         ["Over these a difference of .2 would count; x."]),
    ):  # fmt: skip
        result.pairs[0] = PairResult(a="a", b="b", difference=0.1, decided_by=0.4, exact=True, sentence=sentence)
        assert campaign(values, comparison=result).trust == trust
    result.pairs[0] = PairResult(
        a="a", b="b", difference=0.1, decided_by=0.01, significant=True, better="a", sentence="a; b."
    )
    assert campaign(values, comparison=result).trust == []


def test_names_with_a_semicolon_say_nothing_on_trust():
    scores = assay.scores([[0.1, 0.2], [0.3, 0.3], [0.5, 0.4]], runs=["x; y", "z; <b>"])
    made = assay.report(scores, trials=0).document
    assert made.finding.startswith("x; y and z; <b> cannot be told apart on 3 topics") or made.finding.startswith(
        "z; <b> and x; y cannot be told apart on 3 topics"
    )
    assert made.trust == ("The topics on which they differ allow no p below .50, whichever run wins them.",)


def test_baselines_apart_follow_without_rank_and_tier():
    values = (0.5, 0.41, 0.2)
    result = compared(values, ("ac", "bc"))
    made = campaign(values, comparison=result, said={"b": {"type": "baseline"}}, apart=True)
    assert [(run.position, run.rank, run.tier) for run in made.board.runs] == [
        (0, "1", "1"),
        (2, "2", "2"),
        (1, "", ""),
    ]
    assert not made.board.ranked, "intervals of ranks count the baselines"


def test_a_baseline_listed_apart_that_beats_all_is_in_no_tier_and_leads_nothing():
    """b, the baseline, beats a and c; of the others a beats c."""
    values = (0.41, 0.5, 0.2)
    result = compared(values, ("ba", "bc", "ac"))
    made = campaign(values, comparison=result, said={"b": {"type": "baseline"}}, apart=True, tiers=["2", "1", "3"])
    assert made.finding == "a leads by .21 (AP .410) and beats the other run. The baseline b beats a."
    assert [(run.position, run.rank, run.tier, run.leads) for run in made.board.runs] == [
        (0, "1", "1", True), (2, "2", "2", False), (1, "", "", True),
    ]  # fmt: skip
    assert made.measures[0].tiers == ["1", "", "2"]
    assert [finding.text for finding in made.run_findings] == [
        "a is 1st of 2 (AP .410) and beats the other run.",
        "b is a baseline without a place (AP .500) and is significantly better than the leader a.",
        "c is 2nd of 2 (AP .200) and is significantly below the leader a.",
    ]
    assert made.comparison.finding == made.finding, "its JSON says the same"


def test_without_ranks_there_are_places():
    values = (0.5, 0.41, 0.2)
    made = campaign(values, comparison=compared(values, ranks=False))
    assert [run.rank for run in made.board.runs] == ["1", "2", "3"]
    assert not made.board.ranked


def test_equal_values_share_the_lead_in_the_finding_and_on_the_board():
    values = (0.5, 0.5, 0.2)
    made = campaign(values, comparison=compared(values, ("ac", "bc")))
    assert made.finding == "a and b share the lead (AP .500). 3 of 3 may be first."
    assert [run.leads for run in made.board.runs] == [True, True, False]


def test_the_digits_are_those_of_the_finding():
    """A standard error of a quarter of 2 has two digits in two decimals; counts have none whatever their interval."""
    assert campaign((0.5, 0.41), comparison=compared((0.5, 0.41), half=1.0)).board.digits == 2
    assert campaign((5, 4), comparison=compared((5, 4), half=1.0)).board.digits == 0


def test_a_task_that_a_run_lacks_is_named_and_not_counted_among_the_failed():
    """Of 24 topics, 12 are of a task that b lacks, and 2 of the other 12 failed for some run."""
    suite = SimpleNamespace(missing=[("b", "mountains")], tasks={"capitals": 12, "mountains": 12})
    result = replace(compared((0.5, 0.4), left_out=14), topics=10)
    made = with_finding(
        CampaignResults(("a", "b"), TOPICS, [MeasureResults("AP", (0.5, 0.4))], "", comparison=result, suite=suite)
    )
    assert made.trust[-1] == (
        "mountains is excluded for all, as b has no results there. "
        "2 of 12 topics failed or are missing for some run and are excluded for all."
    )
    whole = replace(result, topics=12, left_out=12)
    assert with_finding(replace(made, comparison=whole)).trust[-1].endswith("as b has no results there.")
