"""A campaign's results from its score table."""

from __future__ import annotations

import pytest

import assay
from assay.analyses.campaign import campaign as module
from assay.analyses.campaign.campaign import describe_method, evaluate_campaign
from assay.analyses.campaign.result import CampaignResults
from assay.analyses.comparison.compare import compare
from assay.analyses.comparison.run_intervals import run_intervals
from assay.analyses.reliability.sentences import required_difference

GOLD = {f"q{n:02d}": "yes" for n in range(12)}
RUNS = {f"r{right}": {q: "yes" if n < right else "no" for n, q in enumerate(GOLD)} for right in (9, 6, 3)}


@pytest.fixture(scope="module")
def scores() -> assay.Scores:
    return assay.evaluate(GOLD, RUNS, ["accuracy", "c@1", "questions_with_correct"])


def results(scores: assay.Scores, **options) -> CampaignResults:
    return evaluate_campaign(scores, scores.measures, **{"trials": 0, **options})


def test_values_intervals_tiers_and_pairs_are_those_of_the_analyses(scores):
    campaign = results(scores)
    main, compared = campaign.measures[0], compare(scores, "accuracy")
    assert [*main.values] == [scores.value(run, "accuracy").value for run in scores.runs]
    by_run = {run.run: run for run in compared.runs}
    assert [main.ends(i) for i in range(3)] == [(by_run[r].interval.low, by_run[r].interval.high) for r in scores.runs]
    assert [*main.tiers] == [str(by_run[run].tier) for run in scores.runs]
    assert [(pair.a, pair.b, pair.difference, pair.p) for pair in main.pairs] == [
        (scores.runs.index(pair.a), scores.runs.index(pair.b), pair.difference, pair.decided_by)
        for pair in compared.pairs
    ]
    assert campaign.order == [0, 1, 2]
    assert campaign.agreement["accuracy", "c@1"] == 1.0


def test_further_measures_have_intervals_on_the_pages_of_runs_or_everywhere(scores):
    table = assay.evaluate({"t1": {"d": 1}, "t2": {"d": 1}}, {"r": {"t1": {"d": 1.0}, "t2": {"e": 1.0}}}, ["AP", "RR"])
    ends = run_intervals(table, table.measure("RR"))["r"]
    page, everywhere = (results(table, intervals=asked).measures[1] for asked in (False, True))
    assert (page.ends(0), page.page_ends(0)) == ((None, None), (ends.low, ends.high))
    assert everywhere.ends(0) == everywhere.page_ends(0) == (ends.low, ends.high)


def test_a_count_has_a_total_and_orders_no_runs(scores):
    correct = results(scores).measures[2]
    assert not correct.orders_runs
    assert [*correct.totals] == [12, 12, 12]
    assert not correct.page_intervals


def test_one_run_alone_has_an_interval_and_neither_comparison_nor_study(scores):
    campaign = results(scores.with_runs([scores.run("r6")]), trials=50)
    assert campaign.comparison is campaign.reliability is None
    assert campaign.measures[0].ends(0) != (None, None)
    assert campaign.interval_rule.startswith("95% interval by ")


def test_the_page_of_one_run_skips_the_analyses_of_the_campaign(scores):
    campaign = results(scores, run="r6", trials=50)
    assert campaign.reliability is campaign.items is campaign.suite is None
    assert campaign.comparison is not None
    assert campaign.without_analyses().comparison is None


def test_the_required_difference_is_that_of_the_study_of_the_first_measure(scores):
    campaign = results(scores, trials=50)
    sentence = required_difference(campaign.reliability, "accuracy", among=12)
    assert sentence
    assert campaign.required_difference == sentence
    assert results(scores, trials=0).required_difference == ""


def test_what_cannot_be_studied_is_said(monkeypatch, scores):
    def refuse(*_, **__):
        raise assay.InputError("too few")

    monkeypatch.setattr(module, "reliability", refuse)
    assert results(scores, trials=20).warnings == ["no pages on reliability: too few"]


def test_groups_have_tiers_of_their_own(scores):
    traits = {"r9": {"language": "en"}, "r6": {"language": "en"}, "r3": {"language": "fr"}}
    campaign = results(scores.described(lambda run: traits[run]), group_by="language")
    assert [(group.label, [*group.positions]) for group in campaign.groups] == [("en", [0, 1]), ("fr", [2])]
    assert {*campaign.groups[0].tiers} == {0, 1}
    assert all(campaign.notes)
    assert campaign.groups[1].why
    with pytest.raises(assay.UsageError):
        results(scores, group_by="colour")


def test_baselines_apart_are_unranked_and_a_warning_where_there_are_none(scores):
    table = scores.described(lambda run: {"baseline": True} if run == "r9" else {})
    campaign = results(table, baselines_apart=True)
    assert campaign.unranked == {0}
    assert campaign.order == [1, 2, 0]
    assert campaign.places(campaign.measures[0]) == [None, "1", "2"]
    assert results(scores, baselines_apart=True).warnings[0].startswith("all runs are ranked")


def test_the_method_names_topics_policy_level_depth_and_version():
    scores = assay.evaluate({"q": {"d": 2}}, {"r": {"q": {"d": 1.0}}}, ["AP"], level=2, depth=10, missing="skip")
    text = describe_method(scores)
    assert text.startswith(
        "1 topic; topics a run leaves out are left out; relevant from grade 2; the first 10 documents"
    )
    assert assay.__version__ in text
