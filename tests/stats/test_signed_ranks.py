"""Many pairs at once are as each alone, ranked by scipy; small ones as counted by hand."""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats import signed_ranks
from assay.stats.signed_ranks import signed_rank_test


def alone(column: np.ndarray) -> float:
    """The normal approximation from scipy's ranks, for columns with ties or zeros."""
    kept = column[column != 0]
    n = len(kept)
    if not n:
        return 1.0
    ranks = stats.rankdata(np.abs(kept))
    sizes = np.unique(np.abs(kept), return_counts=True)[1]
    variance = n * (n + 1) * (2 * n + 1) / 24 - (sizes**3 - sizes).sum() / 48
    off = max(abs(ranks[kept > 0].sum() - n * (n + 1) / 4) - 0.5, 0.0)
    return min(1.0, erfc(off / sqrt(variance) / sqrt(2)))


@given(st.lists(st.lists(st.integers(-4, 4), min_size=12, max_size=12), min_size=1, max_size=6))
def test_ties_and_zeros(rows: list[list[int]]) -> None:
    differences = np.array(rows).T
    tied = [len(set(map(abs, row))) < 12 for row in rows]
    assert all(tied)  # of twelve differences between -4 and 4, some are alike
    assert signed_rank_test(differences).tolist() == pytest.approx(
        [alone(column) for column in differences.T], rel=1e-12
    )


@given(st.lists(st.permutations(range(1, 12)), min_size=1, max_size=5), st.integers(0, 2**11 - 1))
def test_exact_where_none_are_alike(rows: list[list[int]], signs: int) -> None:
    differences = np.array([[v if signs >> i & 1 else -v for i, v in enumerate(row)] for row in rows]).T
    expected = [stats.wilcoxon(column, method="exact").pvalue for column in differences.T]
    np.testing.assert_allclose(signed_rank_test(differences), expected, rtol=1e-12)


def test_the_least_p_and_no_differences_at_all() -> None:
    one_way = np.array([[1, 0, 0], [2, 0, 3], [3, 0, 0], [4, 0, 0], [5, 0, 0]])
    found = signed_rank_test(one_way)
    assert found[:2].tolist() == [2 / 2**5, 1.0]
    # One difference: its rank is 1, expected 1/2, half of which the continuity correction takes.
    assert found[2] == 1.0


def test_no_pairs_and_no_topics() -> None:
    assert signed_rank_test(np.empty((5, 0))).tolist() == []
    assert signed_rank_test(np.empty((0, 2))).tolist() == [1.0, 1.0]


def test_blocks_change_nothing(monkeypatch) -> None:
    differences = np.random.default_rng(1).integers(-9, 9, (30, 50)) / 8
    whole = signed_rank_test(differences).tolist()
    monkeypatch.setattr(signed_ranks, "CELLS", 100)
    assert signed_rank_test(differences).tolist() == whole
    assert [signed_rank_test(differences[:, [i]])[0] for i in range(50)] == whole
