"""Intervals of counted outcomes: exact coverage of a proportion, and the corners."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from assay.stats import proportions


def accuracy(shares):
    return shares[:, 0]


def c_at_1(shares):
    return shares[:, 0] * (1 + shares[:, 2])


def uf(shares):
    return shares[:, 0] - shares[:, 1]


@pytest.mark.parametrize("n", [20, 50, 200, 1000])
def test_exact_coverage_of_a_proportion(n):
    """Σ P(k) over the k whose interval holds p: never below .90, and .94 to .97 on average over neighbouring p."""
    counts = np.arange(n + 1)
    low, high = np.array([proportions.interval([k, n - k], accuracy) for k in counts]).T
    shares = np.concatenate([np.arange(0.5, 0.99, 0.002), np.arange(0.99, 0.9995, 0.0005)])
    covered = np.array([scipy_stats.binom.pmf(counts, n, p)[(low <= p) & (p <= high)].sum() for p in shares])
    assert covered.min() >= 0.90
    for p in np.arange(0.55, 1 - 5 / n, 0.02):
        assert 0.935 <= covered[np.abs(shares - p) <= 0.03].mean() <= 0.97


def test_the_ends_of_two_ways_are_those_of_mid_p():
    low, high = proportions.interval([30, 20], accuracy)
    for end, tail in ((low, 0.025), (high, 0.975)):
        assert scipy_stats.binom.sf(30, 50, end) + scipy_stats.binom.pmf(30, 50, end) / 2 == pytest.approx(tail)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 60), min_size=3, max_size=3).filter(any), st.sampled_from([c_at_1, uf]))
def test_an_interval_holds_its_estimate_and_has_a_width(counts, formula):
    low, high = proportions.interval(counts, formula)
    estimate = float(formula(np.array([counts]) / sum(counts))[0])
    assert low <= estimate <= high
    assert low < high


@pytest.mark.slow
@pytest.mark.parametrize("formula", [c_at_1, uf])
@pytest.mark.parametrize("shares", [(0.9, 0.05, 0.05), (0.97, 0.03, 0.0), (0.45, 0.005, 0.545)])
def test_coverage_of_three_ways(formula, shares):
    """400 samples of 50: binomial noise of a coverage of .95 leaves 3 standard errors at .917."""
    truth = float(formula(np.array([shares]))[0])
    drawn, times = np.unique(np.random.default_rng(4).multinomial(50, shares, 400), axis=0, return_counts=True)
    ends = [proportions.interval(counts, formula) for counts in drawn]
    hits = sum(int(t) for (low, high), t in zip(ends, times, strict=True) if low - 1e-12 <= truth <= high + 1e-12)
    assert hits / 400 >= 0.917


def test_wider_confidence_is_wider():
    narrow, wide = (proportions.interval([30, 10, 5], c_at_1, level) for level in (0.8, 0.99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_what_clusters_are_worth():
    """Varying twice as much by cluster as by question, 20 clusters: half the questions, times (1.96/2.093)²."""
    assert proportions.worth(400, 20, 2.0, 1.0) == pytest.approx(0.5 * (1.959964 / 2.093024) ** 2, rel=1e-5)
    assert proportions.worth(400, 20, 0.5, 1.0) == proportions.worth(400, 20, 1.0, 1.0)
    # Five questions that did not end the usual way show no design effect; √20 is taken.
    assert proportions.worth(400, 20, 1.0, 1.0, rare=5) == pytest.approx((1.959964 / 2.093024) ** 2 / 20**0.5, rel=1e-5)
    # Nothing varies: a cluster is worth one question.
    assert proportions.worth(400, 20, 0.0, 0.0) == pytest.approx((1.959964 / 2.093024) ** 2 / 20, rel=1e-5)


def test_the_variance_of_a_formula_is_the_delta_methods():
    """c@1 with 30, 10 and 10 of 50: slopes 1 + u/n, 0 and c/n on shares, Σpg² - (Σpg)² over n."""
    p, g = np.array([0.6, 0.2, 0.2]), np.array([1.2, 0.0, 0.6])
    expected = ((p * g**2).sum() - (p * g).sum() ** 2) / 50
    assert proportions.spread(np.array([30, 10, 10]), c_at_1) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2544, 0.3658), (15, 148, 0.0601, 0.1581), (0, 20, 0.0, 0.1391), (1, 29, 0.0017, 0.1585)],
)
def test_the_mid_p_interval_of_newcombes_table(successes, n, low, high) -> None:
    """Newcombe, Statistics in Medicine 1998, table I, method 6."""
    ends = proportions.mid_p(successes, n - successes, np.array([0.025, 0.975]))
    assert ends == pytest.approx([low, high], abs=5e-5)


@pytest.mark.parametrize("successes", [0, 0.3, 1, 2.5, 9, 10])
def test_a_mid_p_end_is_where_the_tail_is_as_asked(successes) -> None:
    from scipy.special import betainc

    tails = np.array([1e-4, 0.025, 0.4, 0.6, 0.975])
    for tail, share in zip(tails.tolist(), proportions.mid_p(successes, 10 - successes, tails).tolist(), strict=True):
        if 0 < share < 1:
            reached = betainc(successes, 11 - successes, share) if successes else 1.0
            exceeded = betainc(successes + 1, 10 - successes, share) if successes < 10 else 0.0
            assert (reached + exceeded) / 2 == pytest.approx(tail, rel=1e-6)
        else:
            assert (share == 0) == (successes == 0)


@pytest.mark.parametrize("n", [2, 6, 10, 20, 50, 83, 200])
def test_a_proportion_is_covered_wherever_the_truth_lies(n) -> None:
    """By enumeration: .945 or more on average over the true shares, nowhere below .91."""
    from scipy.stats import binom

    shares, counts = np.arange(0.0025, 0.9976, 0.0025), np.arange(n + 1)
    ends = np.array([proportions.mid_p(k, n - k, np.array([0.025, 0.975])) for k in counts])
    held = (ends[:, 0] <= shares[:, None] + 1e-12) & (shares[:, None] - 1e-12 <= ends[:, 1])
    covered = (binom.pmf(counts, n, shares[:, None]) * held).sum(axis=1)
    assert covered.mean() >= 0.945
    assert covered.min() >= 0.91
