"""Consistency bars against the binomial distribution they are drawn from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from assay.figures.consistency_bars import consistency_bars
from assay.measures.calibration import bin_of


def test_of_one_bin_by_the_binomial_quantiles() -> None:
    """With all answers in one bin there is no other chance than the binomial's."""
    for stated, n in ((0.7, 400), (0.2, 50)):
        [(low, high)] = consistency_bars(np.full(n, stated), np.zeros(n, dtype=int), 1, seed=3)
        near = max(0.25 * np.sqrt(stated * (1 - stated) / n), 1.01 / n)
        assert low == pytest.approx(binom.ppf(0.05, n, stated) / n, abs=near)
        assert high == pytest.approx(binom.ppf(0.95, n, stated) / n, abs=near)


def test_of_several_bins_by_a_mixture() -> None:
    """A quarter of 400 answers at 0.15, all others at 0.85: N of them are drawn, N binomial itself."""
    stated = np.array([0.15] * 100 + [0.85] * 300)
    place = bin_of(stated, 10, "right")
    bars = consistency_bars(stated, place, 10, seed=1)
    assert [b for b, bar in enumerate(bars) if bar] == [1, 8]
    for b, share, count in ((1, 0.15, 100), (8, 0.85, 300)):
        sizes = np.arange(1, 401)
        weight = binom.pmf(sizes, 400, count / 400)
        for end, level in zip(bars[b], (0.05, 0.95), strict=True):
            # So much of the mixture lies at or below an end, but for steps of 1/N and the chance of a thousand resamples.
            below = float((weight * binom.cdf(np.floor(end * sizes + 1e-9), sizes, share)).sum())
            assert below == pytest.approx(level, abs=0.03)


def test_certainty_has_no_room_for_chance() -> None:
    assert consistency_bars(np.ones(20), np.zeros(20, dtype=int), 2, seed=0) == [(1.0, 1.0), None]


def test_the_same_seed_draws_the_same() -> None:
    stated = np.linspace(0, 1, 501)
    place = bin_of(stated, 5, "right")
    first, again, other = (consistency_bars(stated, place, 5, seed=seed) for seed in (7, 7, 8))
    assert first == again != other


def test_a_calibrated_system_lies_within_nine_times_of_ten() -> None:
    random = np.random.default_rng(5)
    inside = total = 0
    for trial in range(40):
        stated = random.random(500)
        right = random.random(500) < stated
        place = bin_of(stated, 10, "right")
        for b, (low, high) in enumerate(consistency_bars(stated, place, 10, seed=trial)):
            share = right[place == b].mean()
            inside += low <= share <= high
            total += 1
    assert 0.86 < inside / total < 0.96
