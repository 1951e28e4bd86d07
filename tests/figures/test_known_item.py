"""Known items: the figures of the appendix of TREC 2001, curves and medians by hand."""

from __future__ import annotations

import pytest

from assay.figures import module_of
from assay.tasks import get


def test_table_6(put, scored):
    """145 topics: 102 at rank 1, 128 in the top 10, 7 not in the top 100."""
    ranks = [1] * 102 + [10] * 26 + [11] * 10 + [101] * 3 + [0] * 4
    gold = put("q", "".join(f"{t} 0 home 1\n" for t in range(145)))
    lines = [f"{t} Q0 d{i} 0 {-i} tnout10epCAU\n" if i != rank else f"{t} Q0 home 0 {-i} tnout10epCAU\n"
             for t, rank in enumerate(ranks) for i in range(1, max(rank, 1) + 1)]  # fmt: skip
    scores = scored("known-item", gold, put("r", "".join(lines)))
    (run,) = module_of(get("known-item")).figures(scores).runs
    counts = (run.found_at_1, run.found_in_10, run.not_found_in_100)
    assert [(one.count, round(one.percent, 1)) for one in counts] == [(102, 70.3), (128, 88.3), (7, 4.8)]
    assert run.topics == 145
    assert run.mean_reciprocal_rank == pytest.approx((102 + 26 / 10 + 10 / 11 + 3 / 101) / 145)
    assert (run.cumulative[0], run.cumulative[8], run.cumulative[9]) == (
        100 * 102 / 145,
        100 * 102 / 145,
        100 * 128 / 145,
    )
    assert run.cumulative[99] == 100 * 138 / 145
    assert len(run.cumulative) == 100


def test_a_curve_includes_its_last_rank():
    assert module_of(get("known-item")).cumulative([2, 100], upto=100)[98:] == [50.0, 100.0]


def test_the_median_curve(put, scored):
    gold = put("q", "1 0 a 1\n2 0 a 1\n")
    runs = [
        put("r1", "1 Q0 a 1 9 r1\n2 Q0 a 1 9 r1\n"),
        put("r2", "1 Q0 b 1 9 r2\n1 Q0 a 2 8 r2\n2 Q0 b 1 9 r2\n"),
        put("r3", "1 Q0 b 1 9 r3\n1 Q0 c 2 8 r3\n1 Q0 a 3 7 r3\n2 Q0 b 1 9 r3\n"),
    ]
    figures = module_of(get("known-item")).figures(scored("known-item", gold, *runs))
    assert figures.median_ranks == (2, None)
    assert figures.median_cumulative[:3] == (0.0, 50.0, 50.0)


def test_a_curve_leaves_out_what_the_mean_leaves_out(put, scored):
    gold = put("q", "1 0 a 1\n2 0 a 1\n")
    run = put("r1", "1 Q0 a 1 9 r1\n")
    for missing, found in {"zero": 50.0, "skip": 100.0}.items():
        (figures,) = module_of(get("known-item")).figures(scored("known-item", gold, run, missing=missing)).runs
        assert (figures.cumulative[0], figures.found_at_1.percent) == (found, found)


def test_a_topic_left_out_for_all_runs_is_not_the_median_runs_either(put, scored):
    gold = put("q", "1 0 a 1\n2 0 a 1\n")
    runs = [put("r1", "1 Q0 a 1 9 r1\n2 Q0 a 1 9 r1\n"), put("r2", "1 Q0 a 1 9 r2\n")]
    figures = module_of(get("known-item")).figures(scored("known-item", gold, *runs, missing="common"))
    assert figures.runs[0].cumulative[0] == 100.0
    assert figures.median_cumulative[0] == 100.0
