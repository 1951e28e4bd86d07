"""Topics of a campaign: spread, hardest ones, and gains against the median."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.analyses.campaign.topics import TopicSpread, against_all, extreme_topics, hardest_topics, topic_spread

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
