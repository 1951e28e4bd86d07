"""Hall's transformed t: by hand, its inverse, and its level on skewed values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import assay
from assay.stats.skewness import corrected_t, is_skewed, uncorrected_t


def test_by_hand() -> None:
    """The series of Hall (1992): t + γt²/(3√n) + γ²t³/(27n) + γ/(6√n); here -4 + 16/3 - 64·9/(27·36) + 3/36."""
    assert float(corrected_t(-4.0, 3.0, 36)) == pytest.approx(-4 + 3 * 16 / 18 - 9 * 64 / (27 * 36) + 3 / 36)


def test_it_grows_with_t_and_has_an_inverse() -> None:
    t = np.linspace(-12, 12, 201)
    for skewness in (-6.0, -1.5, 0.8, 5.0):
        transformed = corrected_t(t, skewness, 40)
        assert (np.diff(transformed) >= 0).all()
        assert uncorrected_t(transformed, skewness, 40) == pytest.approx(t, abs=1e-6)


def test_cochrans_rule() -> None:
    assert is_skewed(np.array([-1.5, -1.4, 1.41, 1.42]), 50).tolist() == [True, False, False, True]


def skewed_pair(gains: int, n: int):
    """`gains` topics gain .5, the others lose a ninth of that: equal means where one topic in ten gains."""
    change = np.where(np.arange(n) < gains, 0.5, -0.5 / 9)
    values = np.stack([0.3 + change, np.full(n, 0.3)], axis=1)
    return assay.compare(assay.scores(values, runs=["new", "old"]), pairs=[("new", "old")]).pairs[0]


def test_two_rare_gains_of_fifty_decide_nothing() -> None:
    """Red before: p = .02 by the flips. γ = 4.695 and t = -2.143 give T = -1.177, whose p with 49 degrees of freedom is .245."""
    pair = skewed_pair(2, 50)
    change = np.array([0.5] * 2 + [-0.5 / 9] * 48)
    t, skewness = stats.ttest_1samp(change, 0).statistic, stats.skew(change)
    p = 2 * stats.t.sf(abs(float(corrected_t(t, skewness, 50))), 49)
    assert round(p, 3) == 0.245
    # Flips come in steps: their share that reaches as much is a little larger.
    assert p <= pair.decided_by < 0.3
    assert not pair.significant
    assert pair.interval.low < pair.difference < 0 < pair.interval.high


def test_gains_as_usual_are_left_to_the_flips() -> None:
    """Normal differences: the interval is that of the flips, on average as long as Student's."""
    change = np.random.default_rng(4).normal(0.02, 0.05, 50)
    values = np.stack([0.3 + change, np.full(50, 0.3)], axis=1)
    pair = assay.compare(assay.scores(values, runs=["new", "old"]), pairs=[("new", "old")]).pairs[0]
    low, high = stats.ttest_1samp(change, 0).confidence_interval()
    assert (pair.interval.low, pair.interval.high) == pytest.approx((low, high), abs=1e-3)
