"""Intervals of ranks from significant pairs, against a count by hand over all pairs."""

from __future__ import annotations

import numpy as np

from assay.stats.rank_intervals import places, rank_intervals


def test_a_run_that_beats_nobody_and_is_beaten_by_none_may_be_anywhere():
    low, high = rank_intervals([], [], 3)
    assert (low.tolist(), high.tolist()) == ([1, 1, 1], [3, 3, 3])


def test_random_boards_by_counting():
    rng = np.random.default_rng(1)
    for _ in range(50):
        runs = int(rng.integers(2, 9))
        better = np.triu(rng.random((runs, runs)) < 0.4, 1)
        low, high = rank_intervals(*np.nonzero(better), runs)
        for run in range(runs):
            assert low[run] == 1 + sum(better[other, run] for other in range(runs))
            assert high[run] == runs - sum(better[run, other] for other in range(runs))


def test_equal_values_share_the_better_place():
    assert places([3.0, 1.0, 3.0, 2.0, 1.0]) == [1, 4, 1, 3, 4]
