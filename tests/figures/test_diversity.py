"""The figures of diversity by hand."""

from __future__ import annotations

import pytest

from assay.figures.diversity import figures

GOLD = "1 1 a 1\n1 2 a 0\n1 2 b 1\n2 1 a 1\n2 2 b 0\n"


def test_recall_by_rank_and_the_median(put, scored):
    runs = [
        put("both", "1 Q0 a 1 2 both\n1 Q0 b 2 1 both\n2 Q0 a 1 1 both\n"),
        put("none", "1 Q0 x 1 2 none\n2 Q0 x 1 2 none\n2 Q0 y 1 1 none\n"),
        put("late", "1 Q0 x 1 2 late\n1 Q0 b 2 1 late\n"),
    ]
    found = figures(scored("diversity", put("q", GOLD), *runs))
    both, none, late = found.runs
    assert found.subtopics == (2, 1)
    assert both.recall_by_rank[:3] == (0.75, 1.0, 1.0)
    assert len(both.recall_by_rank) == 20
    assert late.recall_by_rank[:2] == (0.0, 0.25)
    assert found.median_by_rank[:2] == (0.0, 0.25)
    assert (both.retrieved, both.relevant, both.relevant_retrieved) == (3, 3, 3)
    assert dict(both.at_cutoffs)["P_IA"] == tuple(pytest.approx((1 / cut + 1 / cut) / 2) for cut in (5, 10, 20))
    assert dict(none.whole) == {"NRBP": 0.0, "nNRBP": 0.0, "AP_IA": 0.0}
    assert late.topic_recall == (0.5, 0.0)
    assert both.against_median.measure == "alpha_nDCG@20"
    assert both.against_median.values == (1.0, 1.0)


def test_what_a_mean_leaves_out_the_curve_leaves_out(put, scored):
    run = put("r", "1 Q0 a 1 2 r\n")
    for missing, first in {"zero": 0.25, "skip": 0.5}.items():
        (found,) = figures(scored("diversity", put("q", GOLD), run, missing=missing)).runs
        assert found.recall_by_rank[0] == first
