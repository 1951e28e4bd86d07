"""Topics of a campaign: spread, hardest ones, and gains against the median."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.analyses.campaign.topics import (
    TopicSpread,
    against_all,
    extreme_topics,
    hardest_topics,
    rare_outcomes,
    topic_spread,
    topics_finding,
)

A, B, C = (0.5, 0.75, None), (0.25, 0.75, None), (0.75, None, None)
AP = MeasureResults("AP", (0.5, 0.5, 0.75), (A, B, C))
CAMPAIGN = CampaignResults(("a", "b", "c"), ("t10", "t9", "t1"), [AP], "By hand.")


def test_the_spread_of_a_topic_counts_equal_best_runs_and_is_none_where_no_run_has_a_value():
    assert topic_spread(CAMPAIGN, AP, 0) == TopicSpread(0.75, 0.25, 0.5, ("c",))
    assert topic_spread(CAMPAIGN, AP, 1) == TopicSpread(0.75, 0.75, 0.0, ("a", "b"))
    assert topic_spread(CAMPAIGN, AP, 2) == TopicSpread(None, None, None, ())
    lower = MeasureResults("Rank", AP.values, AP.topics, higher_is_better=False)
    assert topic_spread(CAMPAIGN, lower, 0) == TopicSpread(0.25, 0.75, 0.5, ("b",))


def test_the_hardest_topics_have_the_worst_medians_and_equals_keep_the_order():
    assert hardest_topics(AP, [2, 1, 0], 5) == [0, 1]
    equal = MeasureResults("AP", (0.5,), ((0.5, 0.5, 0.25),))
    assert hardest_topics(equal, [1, 0, 2], 2) == [2, 1]


def test_gains_and_losses_leave_out_what_equals_the_median():
    graph = against_all(CAMPAIGN, 1)
    assert graph is not None
    best, worst = extreme_topics(CAMPAIGN.topics, graph, True, 5)
    assert best == []
    assert [(gain.topic, gain.value, gain.median, gain.difference) for gain in worst] == [("t10", 0.25, 0.5, -0.25)]
    best, worst = extreme_topics(CAMPAIGN.topics, graph, False, 5)
    assert [gain.topic for gain in best] == ["t10"]
    alone = CampaignResults(("a",), CAMPAIGN.topics, [AP], "By hand.")
    assert against_all(alone, 0) is None


def test_the_runs_that_are_best_alone_are_counted():
    """On t10 and t9 a is best alone (.9 and .8), on t1 b; medians of a, b, c: .5, .4, .3, so a gains most on t10 and t9 (+.40)."""
    values = ((0.9, 0.8, 0.2), (0.5, 0.4, 0.6), (0.1, 0.2, 0.3))
    main = MeasureResults("AP", (0.63, 0.5, 0.2), values)
    campaign = CampaignResults(("a", "b", "c"), ("t10", "t9", "t1"), [main], "By hand.")
    assert topics_finding(campaign) == (
        "a alone is the best run on 2 of 3 topics, b on 1. a gains most on topic t9 (+.40 against the median)."
    )
    tied = MeasureResults("AP", (0.5, 0.5), ((0.5, 0.5), (0.5, 0.5)))
    assert (
        topics_finding(CampaignResults(("a", "b"), ("1", "2"), [tied], "")) == "No run alone is the best on any topic."
    )
    assert topics_finding(CampaignResults(("a",), ("1",), [MeasureResults("AP", (0.5,), ((0.5,),))], "")) == ""
    counts = MeasureResults("NumRel", (3, 5), ((3,), (5,)))
    assert topics_finding(CampaignResults(("a", "b"), ("1",), [counts], "")) == ""


def test_rare_outcomes_are_right_where_few_are_and_not_right_where_most_are():
    endings = {
        "a": ["right", "right", "wrong", "declined", "wrong", "failed"],
        "b": ["wrong", "right", "right", "right", "wrong", "right"],
        "c": ["wrong", "right", "right", "right", "right", "right"],
    }
    held = CampaignResults(
        [*endings], ["q1", "q2", "q3", "q10", "q5", "q6"], [MeasureResults("c@1", (0.5, 0.4, 0.3))], "", endings=endings
    )
    best, worst = rare_outcomes(held, 0)
    assert best == [(0, 1, 3)]
    assert worst == [(2, 2, 3), (3, 2, 3)]  # q3 before q10
    assert rare_outcomes(held, 2)[0] == [(4, 1, 3)]
