"""Rank correlations: against scipy, against every way of breaking ties, and by hand."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from assay.errors import InputError, UsageError
from assay.stats.rank_correlation import agreement, kendall_tau_b, rbo, tau_ap

rankings = st.integers(2, 5).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3), min_size=n, max_size=n), st.lists(st.integers(0, 3), min_size=n, max_size=n)
    )
)


@pytest.mark.peer
@given(rankings)
def test_tau_b_against_scipy(pair):
    x, y = pair
    expected = scipy_stats.kendalltau(x, y).statistic
    found = kendall_tau_b(x, y)
    assert found is None if np.isnan(expected) else found == pytest.approx(expected)


def orders(scores):
    """Every strict ranking of the items that breaks the ties of their scores."""
    items = range(len(scores))
    return [order for order in permutations(items) if all(scores[a] >= scores[b] for a, b in pairwise(order))]


def plain_tau_ap(order, reference):
    place = {item: i for i, item in enumerate(reference)}
    n = len(order)
    total = sum(sum(place[order[j]] < place[order[i]] for j in range(i)) / i for i in range(1, n))
    return 2 / (n - 1) * total - 1


def plain_rbo(one, two, p):
    n = len(one)
    overlap = [len(set(one[:d]) & set(two[:d])) / d for d in range(1, n + 1)]
    return (1 - p) * sum(p ** (d - 1) * overlap[d - 1] for d in range(1, n + 1)) + p**n * overlap[-1]


@settings(max_examples=50)
@given(rankings)
def test_tau_ap_is_the_mean_over_every_way_to_break_ties(pair):
    x, y = pair
    every = [plain_tau_ap(one, two) for one in orders(x) for two in orders(y)]
    assert tau_ap(x, y) == pytest.approx(np.mean(every))


@settings(max_examples=50)
@given(rankings)
def test_rbo_is_the_mean_over_every_way_to_break_ties(pair):
    x, y = pair
    every = [plain_rbo(one, two, 0.8) for one in orders(x) for two in orders(y)]
    assert rbo(x, y, p=0.8) == pytest.approx(np.mean(every))


def test_by_hand():
    """b and c exchanged among a > b > c > d: 5 of 6 pairs agree; C(2) = 1, C(3) = 1, C(4) = 3."""
    x, y = [4, 2, 3, 1], [4, 3, 2, 1]
    assert kendall_tau_b(x, y) == pytest.approx((5 - 1) / 6)
    assert tau_ap(x, y) == pytest.approx(2 / 3 * (1 + 1 / 2 + 3 / 3) - 1)
    assert rbo(x, y, p=0.5) == pytest.approx(0.5 * (1 + 0.5 * 0.5 + 0.25 * 1 + 0.125 * 1) + 0.0625)


def test_errors_at_the_top_cost_more():
    truth = [5, 4, 3, 2, 1]
    top, bottom = [4, 5, 3, 2, 1], [5, 4, 3, 1, 2]
    assert kendall_tau_b(top, truth) == kendall_tau_b(bottom, truth)
    assert tau_ap(top, truth) < tau_ap(bottom, truth)
    assert rbo(top, truth) < rbo(bottom, truth)


@pytest.mark.parametrize("function", [kendall_tau_b, tau_ap])
def test_extremes(function):
    assert function([3, 2, 1], [30, 20, 10]) == pytest.approx(1)
    assert function([3, 2, 1], [1, 2, 3]) == pytest.approx(-1)


def test_all_ties_have_no_tau_b():
    assert kendall_tau_b([1, 1, 1], [3, 2, 1]) is None
    assert agreement({"a": 1, "b": 1}, {"a": 1, "b": 2})["tau_b"] is None


@pytest.mark.parametrize(
    ("x", "y", "says"),
    [([1, 2], [1, 2, 3], "2 and 3"), ([1], [1], "at least 2"), ([1, float("nan")], [1, 2], "without a score")],
)
def test_what_cannot_be_ranked(x, y, says):
    with pytest.raises(InputError, match=says):
        kendall_tau_b(x, y)


def test_persistence_must_be_a_share():
    with pytest.raises(UsageError):
        rbo([1, 2], [1, 2], p=1.0)


def test_agreement_uses_only_runs_with_a_value_in_both_rankings():
    """a and c are shared, in opposite orders: tau-b and tau-AP are -1; RBO is 0.1 × (0/1 + 0.9 × 2/2) + 0.81 × 2/2."""
    first = {"a": 2.0, "b": 5.0, "c": 1.0, "d": 9.0, "e": None}
    second = {"a": 1.0, "c": 2.0, "d": None, "e": 3.0}
    expected = {"runs": 2, "tau_b": -1.0, "tau_ap": -1.0, "rbo": pytest.approx(0.9)}
    assert agreement(first, second) == agreement(second, first) == expected
    assert agreement({"a": 1.0, "b": 2.0}, {"a": 1.0, "c": 2.0}) is None
