"""What decides between runs, by hand: levels shared among pairs, edges of tiers, ties of a size."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from assay.stats.comparing import compare
from assay.stats.decisions import Decisions, range_of, tiers


@pytest.fixture
def three(table):
    """Two runs .1 above a baseline on average, by .05 on five topics and .15 on five: a standard error of .05/3."""
    base = [0.05 * i for i in range(10)]
    steps = [0.05, 0.15] * 5
    return table(
        {
            "base": base,
            "a": [x + step for x, step in zip(base, steps, strict=True)],
            "b": [x + step for x, step in zip(base, reversed(steps), strict=True)],
        }
    )


@pytest.mark.parametrize(("correct", "quantile"), [("none", 2.262157), ("holm", 2.685011), ("bh", 2.685011)])
def test_what_would_have_been_significant_shares_alpha_among_the_pairs(three, correct, quantile) -> None:
    """t(.975, 9) where nothing is corrected, t(1 - .025/2, 9) under Holm and Benjamini-Hochberg over 2 pairs; t(.8, 9) = .883404."""
    error = 0.05 / 3
    for pair in compare(three, baseline="base", correct=correct).pairs:
        assert pair.critical == pytest.approx(quantile * error, abs=1e-6)
        assert pair.detectable == pytest.approx((quantile + 0.883404) * error, abs=1e-6)


@pytest.mark.parametrize(("p", "found"), [(0.05, [["a", "b"]]), (0.0499, [["a"], ["b"]])])
def test_a_p_value_equal_to_alpha_separates_nobody(p, found) -> None:
    made = SimpleNamespace(
        columns=SimpleNamespace(runs=["a", "b"]), a=np.array([0]), b=np.array([1]), every=True,
        deciding=np.array([p]), choices=SimpleNamespace(alpha=0.05),
    )  # fmt: skip
    assert Decisions.tiers(made, [0, 1]) == found  # type: ignore[arg-type]


def test_a_difference_of_exactly_the_size_of_a_tie_is_none(table) -> None:
    """.07 · 100 is 7.000000000000001 in floating point; .07 is not below it, .06 is."""
    assert 0.07 * 100 > 7
    low = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    gains = [0.07, -0.07, 0.06, -0.06, 0.0, 0.08]
    scores = table({"b": low, "a": [round(x + gain, 2) for x, gain in zip(low, gains, strict=True)]})
    [pair] = compare(scores, tie=0.07).pairs
    assert (pair.won, pair.tied, pair.lost) == (2, 3, 1)


def test_a_run_joins_the_best_tier_whose_best_run_it_is_not_below() -> None:
    apart = {("c", "a"), ("d", "a"), ("d", "c")}
    assert tiers(["a", "b", "c", "d"], lambda run, anchor: (run, anchor) in apart) == [["a", "b"], ["c"], ["d"]]
    assert tiers([], lambda run, anchor: True) == []


def test_a_range_holds_only_where_the_values_are_in_it(table) -> None:
    measure = table({"a": [0.1]}).measures[0]
    assert range_of(measure, np.array([0.0, 1.0])) == (0, 1)
    assert range_of(measure, np.array([0.0, 1.0 + 1e-13])) == (0, 1)
    assert range_of(measure, np.array([20.0, 40.0])) == (None, None)
    assert range_of(measure, np.array([-0.5, 0.4])) == (None, None)
