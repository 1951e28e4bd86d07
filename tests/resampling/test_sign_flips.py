"""Joint sign flips: by enumeration and by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from assay.resampling.sign_flips import SignFlips, r_of, t_of

A, B = np.array([0]), np.array([1])


@settings(max_examples=60)
@given(st.lists(st.integers(-20, 20), min_size=2, max_size=12))
def test_r_is_a_monotone_form_of_t(d):
    d = np.array(d, dtype=float)
    flips = SignFlips(np.column_stack([d, np.zeros(len(d))]), resamples=100)
    r = float(flips.seen(A, B)[0])
    if d.any() and d.std() > 0:
        t = abs(scipy_stats.ttest_1samp(d, 0).statistic)
        assert float(t_of(r, len(d))) == pytest.approx(t, rel=1e-6, abs=1e-9)
        assert float(r_of(t, len(d))) == pytest.approx(r, rel=1e-6, abs=1e-9)
    else:
        assert r == pytest.approx(1.0 if d.any() else 0.0, abs=1e-12)


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=9), st.sampled_from([0.05, 0.2, 0.5]))
def test_all_flips_of_two_runs(d, level):
    """p is the share of the 2^n flips as extreme as the data; what must be exceeded says the same."""
    flips = SignFlips(np.column_stack([d, np.zeros(len(d))]).astype(float), resamples=100)
    r = flips.seen(A, B)
    expected = np.mean([abs(np.dot(signs, d)) >= abs(sum(d)) for signs in product([1, -1], repeat=len(d))])
    p = flips.p(r, A, B)[0]
    assert p == pytest.approx(expected)
    assert (p <= level) == bool(r[0] > flips.critical(np.array([level]), A, B)[0])
    nonzero = sum(x != 0 for x in d)
    assert flips.least_p(A, B)[0] == min(2.0 ** (1 - nonzero), 1.0)


def test_sampled_flips_carry_the_data_among_them():
    d = np.random.default_rng(1).normal(0.2, 1, (60, 2))
    flips = SignFlips(d, resamples=199, seed=1)
    assert not flips.every
    assert flips.p(flips.seen(A, B), A, B)[0] * 200 == pytest.approx(round(flips.p(flips.seen(A, B), A, B)[0] * 200))
    assert flips.share(0) == 1 / 200


def test_a_flip_turns_every_difference_of_a_topic():
    """One run is twice as far from the topic's mean as another: under every flip their differences keep that ratio."""
    rng = np.random.default_rng(2)
    d = rng.normal(0, 1, 30)
    flips = SignFlips(np.column_stack([d, 0 * d, -d]), resamples=50)
    [(_, stars)] = list(flips.flipped(np.array([0, 0, 1]), np.array([1, 2, 2])))
    assert stars[0] == pytest.approx(stars[1])
    assert stars[0] == pytest.approx(stars[2])


def test_another_measure_only_raises_the_largest():
    rng = np.random.default_rng(3)
    one, two = (SignFlips(rng.normal(0, 1, (20, 3)), resamples=99, sampled=True) for _ in range(2))
    a, b = np.triu_indices(3, 1)
    assert (one.maxima(a, b, [two]) >= one.maxima(a, b)).all()
    assert one.maxima(a, b, [two]) == pytest.approx(np.maximum(one.maxima(a, b), two.maxima(a, b)))


class TestFewUnits:
    """Under 12 units: all flips, and r = u m²/(Σd² + c) with c the median of Σd² over the family."""

    VALUES = np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 1.0], [3.0, 1.0, 0.0]])
    A, B = np.array([0, 0, 1]), np.array([1, 2, 2])

    def test_the_constant_is_the_median_of_the_pairs(self) -> None:
        """d = (1, 2, 2), (1, 1, 3) and (0, -1, 1): Σd² = 9, 11 and 2; shares 9/18, 11/20 and 2/11."""
        flips = SignFlips(self.VALUES, resamples=100)
        assert flips.shares(self.A, self.B).tolist() == [1.0, 1.0, 1.0]
        flips.steady(self.A, self.B)
        assert flips.constant == pytest.approx(9)
        assert flips.shares(self.A, self.B) == pytest.approx([9 / 18, 11 / 20, 2 / 11])

    def test_a_pair_by_itself_has_no_constant(self) -> None:
        flips = SignFlips(self.VALUES, resamples=100)
        flips.steady(self.A[:1], self.B[:1])
        assert flips.constant == 0

    def test_the_largest_r_of_each_flip_by_plain_loops(self) -> None:
        flips = SignFlips(self.VALUES, resamples=5)
        flips.steady(self.A, self.B)
        differences = self.VALUES[:, self.A] - self.VALUES[:, self.B]
        expected = [
            max(3 * float(np.mean(np.array(signs) * d)) ** 2 / (float(d @ d) + 9) for d in differences.T)
            for signs in product((1, -1), repeat=3)
        ]
        assert flips.count == 8
        assert sorted(flips.maxima(self.A, self.B)) == pytest.approx(sorted(expected))

    def test_all_flips_are_made_however_few_resamples_were_asked_for(self) -> None:
        rng = np.random.default_rng(1)
        assert SignFlips(rng.random((11, 5)), resamples=10).count == 2**11
        assert SignFlips(rng.random((12, 5)), resamples=10).count == 10

    def test_measures_tested_together_over_different_topics_take_random_signs(self) -> None:
        assert SignFlips(self.VALUES, resamples=10, sampled=True).count == 10


def test_centred_flips_are_those_of_the_values_less_each_mean() -> None:
    values = np.random.default_rng(2).random((20, 3))
    a, b = np.array([0, 0, 1]), np.array([1, 2, 2])
    centred = SignFlips(values, resamples=500, seed=3).centred
    expected = SignFlips(values - values.mean(axis=0), resamples=500, seed=3, sampled=True)
    assert centred.maxima(a, b) == pytest.approx(expected.maxima(a, b))


def test_a_run_without_spread_is_0_when_centred() -> None:
    """.1 has no exact mean in floating point; what rounding leaves of it is not a value."""
    values = np.column_stack([np.full(14, 0.1), np.full(14, 0.7)])
    assert not SignFlips(values, resamples=100).centred.linear.any()
