"""The extrapolated required difference, against simulation, by hand, and on real collections."""

from __future__ import annotations

import importlib
from fractions import Fraction
from math import exp, hypot, log
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom
from small_samples import averages, swap_of

from assay.resampling.subsets import count
from assay.stats.extrapolation import Curve, extrapolate, fit
from assay.stats.stability import swap
from assay.stats.topic_set_size import keep_best
from assay.stats.variance_components import jackknife_margin

pytestmark = pytest.mark.slow

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
TRUE, NOISE = 0.06, 0.4
"""Standard deviations over the pairs of their true difference, and over topics of what one topic shows: k = 44.4."""


def simulated(size, seed=0, pairs=1_000_000):
    """The swap rates of pairs whose true difference and noise are normal, the two sets drawn out one by one."""
    rng = np.random.default_rng([seed, size])
    true = rng.normal(0, TRUE, pairs)
    first, second = (true + rng.normal(0, NOISE / np.sqrt(size), pairs) for _ in range(2))
    bins = np.minimum(20, (100 * abs(first)).astype(int))
    compared = np.bincount(bins, minlength=21)
    swapped = np.bincount(bins[first * second < 0], minlength=21)
    return swap_of((0, 0), *zip(compared.tolist(), swapped.tolist(), strict=True))


def test_the_curve_of_normal_differences_is_found_and_continued():
    measured = [(size, simulated(size)) for size in (40, 60, 80, 100)]
    curve = fit(measured)
    assert curve.half == pytest.approx((NOISE / TRUE) ** 2, rel=0.1)
    assert curve.steepness == pytest.approx(1 / NOISE, rel=0.05)
    for size in (150, 200, 400):
        later = simulated(size, seed=1)
        assert extrapolate(measured, size).required_difference == later.required_difference
        rates = [(k, b.rate) for k, b in enumerate(later.bins[:20]) if b.comparisons > 20_000]
        assert [extrapolate(measured, size).fitted(k, size) for k, _ in rates] == pytest.approx(
            [rate for _, rate in rates], abs=0.005
        )


def test_from_a_fifth_on_the_open_bin_decides():
    """On 50 topics the rate allowed is crossed at .217, but all differences of .20 and more together are within it; on 45
    they are not."""
    measured = [(size, simulated(size)) for size in (20, 30, 40)]
    for size, expected in ((45, None), (50, 0.2), (60, 0.19)):
        assert simulated(size, seed=1).required_difference == expected
        assert extrapolate(measured, size).required_difference == expected


def test_the_ends_of_the_interval_are_edges_around_it():
    measured = [(size, simulated(size)) for size in (40, 60, 80, 100)]
    curve = fit(measured)
    at = curve.crossing(200, Fraction(1, 20))
    found = extrapolate(measured, 200, log(1.5))
    low, high = found.interval
    # What the curve misses is added, as standard errors are; 1.96 of the one over 1.645, the quantile of 5%.
    factor = exp(hypot(log(1.5), 1.95996 * curve.scatter / 1.64485))
    assert 1.5 < factor < 1.51
    assert low <= at / factor < low + 0.01
    assert high - 0.01 < at * factor <= high
    assert found.required_difference == pytest.approx(at, abs=0.005)
    assert extrapolate(measured, 200, log(100)).interval == (0.0, None)
    assert extrapolate(measured, 200).interval is None


def test_runs_that_always_swap_have_no_required_difference():
    measured = [(size, swap_of((0, 0), (800, 500), (800, 600))) for size in (10, 20, 30)]
    assert extrapolate(measured, 60, 0.1).required_difference is None


def test_an_extrapolation_leaves_zero_differences_out():
    """1/2, 1/4 and 1/8 of what is not zero."""
    measured = [(size, swap_of((1000, 0), (800, 800 // 2 ** (size // 10)))) for size in (10, 20, 30)]
    assert extrapolate(measured, 40).points[0] == [(10, 1 / 2), (20, 1 / 4), (30, 1 / 8)]


def test_an_extrapolation_reaches_four_times_the_largest_size_and_no_further():
    measured = [(size, swap_of((0, 0), (800, 80))) for size in (10, 20, 30)]
    assert extrapolate(measured, 120).size == 120
    assert extrapolate(measured, 121) is None
    assert extrapolate(measured[:2], 30) is None


def test_without_three_sizes_that_saw_swaps_there_is_nothing_to_continue():
    never = swap_of((0, 0), (800, 0))
    measured = [(10, never), (20, never), (30, swap_of((0, 0), (800, 80)))]
    assert extrapolate(measured, 60) is None


def test_the_scatter_is_that_of_the_rates_around_the_curve():
    """One bin whose rates' quantiles are 1.6, 1.8 and 1.6: no growth, so the curve of largest k stays below the middle."""
    from scipy.stats import norm

    rates = norm.sf([1.6, 1.8, 1.6])
    measured = [
        (size, swap_of((0, 0), (10**9, round(10**9 * rate)))) for size, rate in zip((10, 20, 30), rates, strict=True)
    ]
    curve = fit(measured)
    away = [z - curve.steepness * 0.005 * curve.growth(size) for size, z in ((10, 1.6), (20, 1.8), (30, 1.6))]
    assert min(map(abs, away)) < curve.scatter < max(map(abs, away))


def test_what_is_seen_regresses_to_the_mean():
    """k = 9 and n = 9: h = 1/2, so that g = 3 · .5/√1.5."""
    assert Curve(1.0, 9.0).growth(9) == pytest.approx(1.5 / 1.5**0.5)


def test_the_interval_contains_what_other_topics_measure():
    """Normal scores of 12 runs: what 4000 topics measure on sets of 40 is within the interval from 40 topics."""
    rng = np.random.default_rng(6)
    within, cases = 0, 0
    for _ in range(3):
        run = rng.normal(0, 0.06, 12)

        def drawn(topics, run=run):
            return run + rng.normal(0.5, 0.15, (topics, 1)) + rng.normal(0, 0.15, (topics, 12))

        truth = swap(count(averages(drawn(4000).T), 40, 2000)["M"]).required_difference_stays
        for _ in range(8):
            resampler = drawn(40)
            measured = [(size, swap(count(averages(resampler.T), size, 400)["M"])) for size in (4, 8, 12, 16, 20)]
            low, high = extrapolate(measured, 40, jackknife_margin(resampler, 40, 0.95)).interval
            within += low <= truth and (high is None or truth <= high)
            cases += 1
    assert within >= binom.ppf(0.001, cases, 0.95)


def test_on_real_collections_errors_fall_on_both_sides_and_intervals_hold(shared_data, monkeypatch):
    """The benchmark with fewer repetitions. The cases of one collection share the value they are held to and err together,
    so no more is asked of the balance than a quarter of the errors on either side."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    benchmark = importlib.import_module("extrapolation")
    folder = shared_data("trec_matrices").parent
    found = benchmark.Tally()
    for path in benchmark.COLLECTIONS.values():
        matrix = benchmark.topics(folder / path)
        for drop in benchmark.DROPPED:
            kept = matrix[:, keep_best(matrix, drop)]
            for size in benchmark.sizes_of(kept):
                found.merge(benchmark.check(kept, size, repetitions=2, trials=300, seed=size)["other"])
    assert len(found.errors) == 2 * 3 * 9
    assert min(found.below, found.above) >= (found.below + found.above) / 4
    assert found.within >= binom.ppf(0.01, len(found.errors), 0.95)
