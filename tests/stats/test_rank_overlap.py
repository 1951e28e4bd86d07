"""Rankings of documents against each other, by hand and by what the definition says of endless lists."""

from __future__ import annotations

from itertools import combinations
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.stats.rank_correlation import kendall_tau_b, tau_ap
from assay.stats.rank_overlap import all_overlaps, p_mrr

LISTS = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)
ENDLESS = 600


def infinite(first, second, p):
    """Rank-biased overlap as it is defined, of lists as long as matter: (1-p) Σ p^(d-1) X(d)/d."""
    total, seen_first, seen_second, shared = 0.0, set(), set(), 0
    for depth, (one, two) in enumerate(zip(first, second, strict=True), 1):
        shared += one in seen_second
        seen_first.add(one)
        shared += two in seen_first
        seen_second.add(two)
        total += p ** (depth - 1) * shared / depth
    return (1 - p) * total


def rbo_of(first, second, p=0.9) -> tuple[float, float, float]:
    """Rank-biased overlap of two rankings, and its bounds."""
    pairs = all_overlaps([first, second], p)
    return float(pairs.rbo[0]), float(pairs.low[0]), float(pairs.high[0])


@given(LISTS, LISTS, st.sampled_from([0.5, 0.8, 0.9]))
def test_the_ends_are_those_of_the_worst_and_the_best_continuation(first, second, p):
    value, low, high = rbo_of(first, second, p)
    if not first and not second:
        assert np.isnan([value, low, high]).all()
        return
    if not first or not second:
        assert (value, low, high) == (0.0, 0.0, 1.0)
        return
    apart = infinite(
        first + [f"x{i}" for i in range(ENDLESS - len(first))],
        second + [f"y{i}" for i in range(ENDLESS - len(second))],
        p,
    )
    one = first + [d for d in second if d not in first]
    two = second + [d for d in first if d not in second]
    together = infinite(
        one + [f"z{i}" for i in range(ENDLESS - len(one))], two + [f"z{i}" for i in range(ENDLESS - len(two))], p
    )
    assert low == pytest.approx(apart, abs=1e-9)
    assert high == pytest.approx(together, abs=1e-9)
    assert low - 1e-12 <= value <= high + 1e-12


def test_the_same_ranking_and_none_in_common():
    assert rbo_of("abc", "abc")[0] == pytest.approx(1.0)
    assert rbo_of("abc", "xyz")[0] == 0.0


def test_by_hand_where_one_is_longer():
    # S = a, L = b a: X(1) = 0, X(2) = 1; (1-p)/p (p²/2 + 0) + (1/2 + 0) p² with p = 1/2
    assert rbo_of(["a"], ["b", "a"], 0.5)[0] == pytest.approx(1 / 8 + 1 / 8)


@pytest.mark.parametrize("p", [0, 1, -0.5, float("nan")])
def test_a_persistence_that_is_none(p):
    with pytest.raises(UsageError, match="between 0 and 1"):
        rbo_of("a", "a", p)


@given(st.lists(LISTS, max_size=4))
def test_the_taus_are_those_of_the_documents_that_both_have(rankings):
    """Each pair by itself, its shared documents as scores, by the correlations that rank runs."""
    found = all_overlaps(rankings)
    for pair, (first, second) in enumerate(combinations(rankings, 2)):
        shared = [document for document in first if document in second]
        x, y = ([-ranking.index(document) for document in shared] for ranking in (first, second))
        expected = [kendall_tau_b(x, y), tau_ap(x, y)] if len(shared) > 1 else [nan, nan]
        assert [found.tau_b[pair], found.tau_ap[pair]] == pytest.approx(expected, nan_ok=True)
        assert found.shared[pair] == len(shared)


@pytest.mark.parametrize(
    ("before", "after", "documents", "expected"),
    [
        ("ab", "ab", "a", 0.0),
        ("ab", "ba", "b", 1 / 2 - 1),  # from rank 2 to 1
        ("abc", "bca", "a", 1 - 1 / 3),
        ("abc", "bc", "a", 1 - 1 / 3),  # gone: below the last of two
        ("abc", "bca", "ab", ((1 - 1 / 3) + (1 / 2 - 1)) / 2),
    ],
)
def test_p_mrr_by_hand(before, after, documents, expected):
    assert p_mrr(before, after, documents) == pytest.approx(expected)


def test_p_mrr_of_nothing():
    assert p_mrr("ab", "ba", []) is None
