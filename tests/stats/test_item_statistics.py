"""Difficulty, discrimination and chance of items, by hand and by brute force."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.item_statistics import correlations, midranks, rank_sums, statistics

HAND = np.array([[1.0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]])


def test_by_hand() -> None:
    """Item 3: Σxy - n·x̄·ȳ = -1.25, squares .75 and 2.75; item 2: -.25, .75 and .75."""
    found = statistics(HAND)
    assert found.rest[1:] == pytest.approx([-1 / 3, -1.25 / np.sqrt(0.75 * 2.75)])
    assert np.isnan(found.rest[0])
    assert found.p[1:].tolist() == [0.5, 0.25]
    assert found.adjusted[1:].tolist() == [0.5, 0.5]  # two are tested: .25 · 2 and .5
    # With all three items the runs have 2, 2, 1 and 1: item 1 goes with them exactly; item 2 by 5 - 4.5 over √(.75 · 1).
    assert found.total == pytest.approx([1.0, 0.5 / np.sqrt(0.75), -0.5 / np.sqrt(0.75)])


def test_the_item_itself_is_not_among_the_others() -> None:
    """Noise: with itself among the items an item correlates by 1/√items with the total; without it, not at all on average."""
    noise = np.random.default_rng(3).integers(0, 2, (16, 4000)).astype(float)
    found = statistics(noise)
    assert found.total.mean() == pytest.approx(0.25, abs=0.02)
    assert abs(found.rest).max() < 0.06


def test_missing_cells_are_left_out_and_not_wrong() -> None:
    """Without its last run item 2 is constant; a run that lacks an item has its mean over the others it has."""
    holes = HAND.copy()
    holes[1, 3] = np.nan
    found = statistics(holes)
    assert found.mean[1] == 1.0
    assert found.runs.tolist() == [4, 3, 4]
    assert np.isnan(found.rest[1])
    # Others of item 3: 1, 1, 1/2 and, of the last run, item 1 alone: 0.
    assert found.rest[2] == pytest.approx(np.corrcoef([0, 0, 0, 1], [1, 1, 0.5, 0])[0, 1])


def test_what_all_runs_agree_on_is_undefined() -> None:
    found = statistics(np.array([[1.0, 1, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0]]))
    assert np.isnan(found.rest[:2]).all()
    assert np.isnan(found.p[:2]).all()
    assert np.isnan(found.adjusted[:2]).all()


@given(st.integers(2, 8), st.integers(1, 7))
def test_rank_sums_against_every_way(n: int, k: int) -> None:
    k = min(k, n)
    sums = [sum(chosen) for chosen in combinations(range(1, n + 1), k)]
    for s in range(n * (n + 1) // 2 + 1):
        assert rank_sums(n)[k, s] == pytest.approx(sum(one <= s for one in sums) / comb(n, k))


def test_one_run_far_from_all_others_makes_nothing_suspicious() -> None:
    """Of 30 runs the one that is right is far worse than the rest: r is nearly -1, and chance does it once in 30."""
    values = np.zeros((40, 30))
    values[1:, 1:] = 1.0
    values[0, 0] = 1.0
    values[1:20, 5:] = 0.0
    found = statistics(values)
    assert found.rest[0] < -0.4
    assert found.p[0] == pytest.approx(1 / 30)


def test_many_runs_are_normal_where_few_are_counted() -> None:
    from assay.stats import item_statistics

    sums = np.array([600.0, 700.0, 800.0])
    counted = item_statistics._below(60, 25, sums)
    limit, item_statistics.MAX_EXACT_RUNS = item_statistics.MAX_EXACT_RUNS, 10
    try:
        assert item_statistics._below(60, 25, sums) == pytest.approx(counted, abs=0.002)
    finally:
        item_statistics.MAX_EXACT_RUNS = limit


def test_chance_alone_gives_uniform_p() -> None:
    values = (np.random.default_rng(0).random((2000, 40)) < 0.5).astype(float)
    p = statistics(values).p
    assert np.mean(p <= 0.05) == pytest.approx(0.05, abs=0.015)
    assert np.nanmin(statistics(values).adjusted) > 0.05


def test_graded_items_are_tested_by_rank_correlation() -> None:
    from scipy.stats import spearmanr

    values = np.random.default_rng(5).random((6, 12))
    found = statistics(values)
    others = (values.sum(axis=0) - values[2]) / 5
    assert found.p[2] == pytest.approx(spearmanr(values[2], others, alternative="less").pvalue)
    against = np.stack([np.arange(8.0), np.arange(8.0) / 10, -np.arange(8.0)])
    assert statistics(against).p[2] == pytest.approx(1 / 40320)  # 8! orders, and no p is below one of them


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=1, max_size=8))
def test_midranks_are_scipys(row: list[float]) -> None:
    from scipy.stats import rankdata

    assert midranks(np.array([row])).tolist() == [rankdata(row).tolist()]


def test_a_correlation_of_rounding_is_none() -> None:
    flat = np.full((1, 5), 0.1 + 0.2)
    assert np.isnan(correlations(flat, np.arange(5.0)[None, :]))[0]
