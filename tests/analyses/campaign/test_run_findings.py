"""The first sentence of each run's page, of comparisons whose every pair is set by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from assay.analyses.campaign.finding import with_finding
from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.analyses.comparison.result import Comparison, PairResult, RankResult, Ranks, RunResult
from assay.stats.bootstrap_intervals import Interval
from assay.stats.rank_intervals import rank_intervals


def campaign(values, apart, topics=(), *, p=None, average="", baselines=(), **fields) -> CampaignResults:
    """Runs by AP; `apart` has the pairs that differ significantly, the better run first, `p` p-values of others."""
    runs = sorted(values, key=lambda run: -(values[run] or 0))
    pairs = [
        PairResult(
            a=a, b=b, difference=values[a] - values[b], interval=Interval(-1, 1, 0.95, "t"),
            decided_by=(p or {}).get(a + b, 0.001 if a + b in apart else 0.4), exact=a + b not in (p or {}),
            significant=a + b in apart, better=a if a + b in apart else None, sentence="",
        )
        for a, b in combinations(runs, 2)
    ]  # fmt: skip
    winners, losers = ([runs.index(pair[end]) for pair in apart] for end in (0, 1))
    low, high = rank_intervals(np.array(winners, dtype=int), np.array(losers, dtype=int), len(runs))
    compared = Comparison(
        measure="AP", noun="topic", higher_is_better=True, topics=40, units=40, left_out=0, extent="40 topics",
        runs=[
            RunResult(run=run, value=values[run], interval=Interval(values[run] - 0.07, values[run] + 0.07, 0.95, "t"),
                      tier=1, not_different=0, missing=0, undefined=0)
            for run in runs
        ],
        pairs=pairs, tiers=[runs], significant={}, settings={"confidence": 0.95, "resamples": 10_000}, notes=[], average=average,
        ranks=Ranks([RankResult(run, i + 1, int(low[i]), int(high[i])) for i, run in enumerate(runs)]),
    )  # fmt: skip
    measure = MeasureResults("AP", [values[run] for run in values], topics)
    kinds = {run: {"baseline": "yes"} for run in baselines}
    return with_finding(
        CampaignResults(
            [*values], [f"t{i}" for i in range(len(topics[0]) if topics else 40)], [measure], "", kinds,
            comparison=compared, baselines_apart=bool(baselines), **fields,
        )
    )  # fmt: skip


def findings(results: CampaignResults) -> dict[str, str]:
    return {run: finding.text for run, finding in zip(results.runs, results.run_findings, strict=True)}


FOUR = {"a": 0.574, "b": 0.532, "c": 0.435, "d": 0.126}


def test_a_sole_leader_beats_the_others_and_the_others_are_below_it():
    assert findings(campaign(FOUR, ["ab", "ac", "ad", "bd", "cd"])) == {
        "a": "a is 1st of 4 (AP .574) and beats the other three.",
        "b": "b is 2nd of 4 (AP .532, ranks 2–3 plausible) and is significantly below the leader a.",
        "c": "c is 3rd of 4 (AP .435, ranks 2–3 plausible) and is significantly below the leader a.",
        "d": "d is 4th of 4 (AP .126) and is significantly below the leader a.",
    }


def test_a_tie_at_the_top_is_named_on_both_pages():
    texts = findings(campaign(FOUR, ["ac", "ad", "bd", "cd"]))
    assert texts["a"] == "a is 1st of 4 (AP .574, ranks 1–2 plausible) and cannot be told apart from b."
    assert texts["b"] == "b is 2nd of 4 (AP .532, ranks 1–3 plausible) and cannot be told apart from the leader a."


def test_without_names_no_other_run_is_named():
    bare = [finding.without_names().text for finding in campaign(FOUR, ["ac", "ad"]).run_findings]
    assert (
        bare[0] == "a is 1st of 4 (AP .574, ranks 1–2 plausible) and cannot be told apart from one of the other three."
    )
    assert bare[1] == "b is 2nd of 4 (AP .532, ranks 1–4 plausible) and cannot be told apart from the leader."


def test_where_nothing_differs_the_leader_cannot_be_told_from_any():
    texts = findings(campaign(FOUR, []))
    assert texts["a"].endswith("and cannot be told apart from any of the other three.")
    assert findings(campaign({"a": 0.5, "b": 0.4}, []))["a"].endswith("and cannot be told apart from b.")
    assert findings(campaign({"a": 0.5, "b": 0.4}, ["ab"]))["a"].endswith("and beats the other run.")


def test_more_than_three_are_counted_and_borderline_ones_called_so():
    many = {name: 0.6 - i / 100 for i, name in enumerate("abcdefg")}
    below = ["af", "ag"]
    assert "apart from four of the other six" in findings(campaign(many, below))["a"]
    texts = findings(campaign(many, below, p={"ae": 0.0505, "af": 0.0495}))
    assert "apart from three to five of the other six" in texts["a"]
    assert texts["e"].endswith("cannot be told apart from the leader a (borderline).")
    assert texts["f"].endswith("is significantly below the leader a (borderline).")
    few = findings(campaign(FOUR, ["ac", "ad"], p={"ab": 0.051}))
    assert "cannot be told apart from perhaps b" in few["a"]


def test_equal_values_share_places():
    texts = findings(campaign({"a": 0.5, "b": 0.5, "c": 0.1}, ["ac", "bc"]))
    assert texts["b"].startswith("b shares places 1 to 2 of 3 (AP .500, ranks 1–2 plausible)")


def test_a_baseline_apart_has_no_place_and_counts_for_none():
    texts = findings(campaign(FOUR, ["ad", "bd", "cd"], baselines="b"))
    assert texts["b"].startswith("b is a baseline without a place (AP .532) and cannot be told apart")
    assert texts["c"].startswith("c is 2nd of 3 (AP .435)")


def test_best_topics_alone_shared_and_none():
    # a is alone best on t0 and t1 and shares t2 with b; on t3 all are equal; c and d are above no median.
    topics = [[0.9, 0.9, 0.5, 0.0], [0.8, 0.3, 0.5, 0.0], [0.1, 0.1, 0.1, 0.0], [0.1, 0.2, 0.4, 0.0]]
    texts = findings(campaign(FOUR, ["ad"], topics))
    assert texts["a"].endswith(", and is best on 2 of 4 topics and level with the best on 1.")
    assert texts["b"].endswith(", and is level with the best on 1 of 4 topics.")
    assert texts["c"].endswith(", and is above the median on none of 4 topics.")
    assert texts["d"].endswith(", and is above the median on none of 4 topics.")
    [first, *_] = campaign(FOUR, ["ad"], topics).run_findings
    assert "best on" not in first.without_topics().text


def test_less_is_better_where_the_measure_says_so():
    lower = campaign(FOUR, [], [[0.1, 0.3], [0.2, 0.2], [0.3, 0.4], [0.4, 0.5]])
    measure = replace(lower.measures[0], higher_is_better=False)
    texts = findings(with_finding(replace(lower, measures=[measure])))
    assert texts["a"].endswith("best on 1 of 2 topics.")
    assert texts["b"].endswith("best on 1 of 2 topics.")


def test_answers_have_a_count_of_right_questions_without_failed_ones():
    endings = {run: ["right", "right", "declined", "wrong", "failed", "left out"] for run in FOUR}
    texts = findings(campaign(FOUR, ["ab", "ac", "ad"], endings=endings, unit="question"))
    assert texts["a"].endswith(", beats the other three, and is right on 2 of 4 questions.")


def test_a_suite_names_its_average():
    texts = findings(campaign(FOUR, ["ab"], average="macro mean over 2 tasks"))
    assert texts["a"].startswith("a is 1st of 4 (AP .574, macro mean over 2 tasks, ranks 1–3 plausible)")


def alone(values, topics=40, **fields) -> CampaignResults:
    measure = MeasureResults("AP", [*values.values()], **fields)
    return with_finding(CampaignResults([*values], [f"t{i}" for i in range(topics)], [measure], ""))


def test_one_run_has_its_interval_and_no_place():
    one = alone({"a": 0.41}, intervals=[(0.36, 0.46)])
    assert findings(one) == {"a": "a reaches AP .410 (95% interval .36 to .46) on 40 topics."}
    assert findings(one)["a"] == one.finding


def test_a_run_without_a_value_and_runs_that_were_not_tested():
    texts = findings(alone({"a": 0.41, "b": None}, topics=1))
    assert texts["a"] == "a is 1st of 1 (AP .410) and was not tested against the others."
    assert texts["b"] == "b has no AP on this topic."


@pytest.mark.parametrize(("values", "median"), [((250, 217, 200), "217"), ((250, 217), "233.5")])
def test_a_count_ranks_nobody(values, median):
    runs = dict(zip("abc", values, strict=False))
    texts = findings(alone(runs, orders_runs=False))
    assert texts["a"] == f"a has AP 250; the median of {len(runs)} runs is {median}."
