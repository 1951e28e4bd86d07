"""The resampling kernels: the compiled core and its twin agree, threads do not matter, and the draws are fair."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from assay.native import library, resample
from assay.resampling.arithmetic import added_reals, to_integers

KERNELS = [resample.shuffled_sums, resample.bootstrap_sums, resample.half_sums]
SHAPES = [
    (1, 1),
    (1, 2),
    (2, 3),
    (7, 13),
    (5, 129),
    (3, 700),
    (65, 5),
    (64, 4),
    (4095, 2),
    (4096, 2),
    (2, 5000),
    (20_001, 2),
]
"""Odd and even rows, one word and several, dice of 16 and of 32 bits and the border between them."""

needs_core = pytest.mark.skipif(library.LIBRARY is None, reason="no compiled core to compare the twin with")


def table(shape, seed=1):
    return np.random.default_rng(seed).integers(-(10**6), 10**6, shape)


@needs_core
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_twin_gives_the_same_sums(kernel, shape, monkeypatch):
    values = table(shape)
    options = {"trials": 5 if values.size > 9000 else 40, "seed": 3, "purpose": "twins", "first": 7}
    core = kernel(values, **options)
    monkeypatch.setattr(library, "LIBRARY", None)
    assert np.array_equal(core, kernel(values, **options))


@needs_core
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("threads", [2, 3, 64, 1000])
def test_threads_do_not_change_the_answer(kernel, threads):
    values = table((9, 11))
    one = kernel(values, trials=101, seed=5, purpose="threads", threads=1)
    assert np.array_equal(one, kernel(values, trials=101, seed=5, purpose="threads", threads=threads))


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_trial_does_not_depend_on_those_before_it(kernel):
    values = table((9, 11))
    whole = kernel(values, trials=20, seed=5, purpose="first")
    assert np.array_equal(whole[13:], kernel(values, trials=7, seed=5, purpose="first", first=13))


@pytest.mark.parametrize("kernel", KERNELS)
def test_seed_and_purpose_matter(kernel):
    values = table((9, 11))
    one = kernel(values, trials=20, seed=5, purpose="a")
    assert not np.array_equal(one, kernel(values, trials=20, seed=6, purpose="a"))
    assert not np.array_equal(one, kernel(values, trials=20, seed=5, purpose="b"))


def chi_square(observed, expected):
    return float(((observed - expected) ** 2 / expected).sum())


def test_every_order_is_equally_likely():
    """One row of 1, 10, 100, 1000: the sums are the shuffled row itself. 23 degrees of freedom, 99.99% quantile 58."""
    row = [1, 10, 100, 1000]
    rows = resample.shuffled_sums(np.array([row]), trials=48_000, seed=1, purpose="orders")
    orders = {order: i for i, order in enumerate(permutations(row))}
    observed = np.bincount([orders[tuple(r)] for r in rows.tolist()], minlength=24)
    assert chi_square(observed, np.full(24, 2000.0)) < 58


def test_rows_are_shuffled_independently():
    """The chance that two rows of 3 are shuffled alike is 1 in 6."""
    sums = resample.shuffled_sums(np.array([[1, 2, 3], [10, 20, 30]]), trials=60_000, seed=2, purpose="rows")
    alike = np.count_nonzero((sums % 10 == sums // 10).all(axis=1))
    assert abs(alike - 10_000) < 4 * np.sqrt(60_000 * 5 / 36)


def test_bootstrap_draws_every_row_equally_often():
    counts = resample.bootstrap_sums(np.eye(7, dtype=np.int64), trials=30_000, seed=3, purpose="draws")
    assert (counts.sum(axis=1) == 7).all()
    # Each of 7 rows is drawn 30,000 times in expectation; 6 degrees of freedom, 99.99% quantile 28.
    assert chi_square(counts.sum(axis=0), np.full(7, 30_000.0)) < 28
    # A row is left out with probability (6/7)^7 = .3399.
    assert abs((counts == 0).mean() - (6 / 7) ** 7) < 0.005


def test_half_takes_each_row_half_the_time_and_independently():
    taken = resample.half_sums(np.eye(70, dtype=np.int64), trials=20_000, seed=4, purpose="halves")
    assert set(np.unique(taken)) == {0, 1}
    assert abs(taken.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / np.sqrt(20_000)
    correlation = np.corrcoef(taken.T) - np.eye(70)
    assert abs(correlation).max() < 5 / np.sqrt(20_000)


def test_row_draws_are_those_behind_the_sums():
    values = table((33, 2))
    sums = resample.bootstrap_sums(values, trials=4, seed=9, purpose="rows")
    halves = resample.half_sums(values, trials=4, seed=9, purpose="rows")
    for trial in range(4):
        rows = resample.bootstrap_rows(33, trial=trial, seed=9, purpose="rows")
        assert np.array_equal(values[rows].sum(axis=0), sums[trial])
        mask = resample.half_rows(33, trial=trial, seed=9, purpose="rows")
        assert np.array_equal(values[mask].sum(axis=0), halves[trial])


def test_nothing_to_sum():
    assert (
        resample.bootstrap_sums(np.zeros((0, 3), dtype=np.int64), trials=2, seed=0, purpose="x").tolist()
        == [[0] * 3] * 2
    )
    assert resample.shuffled_sums(np.zeros((3, 0), dtype=np.int64), trials=2, seed=0, purpose="x").shape == (2, 0)


def test_scores_are_scaled_so_that_their_sum_fits():
    small, scale = to_integers(np.full((50, 2), 0.123456789012), 50)
    assert scale == 10**12
    assert small[0, 0] == 123456789012
    big, scale = to_integers(np.full((1000, 1), 1e6 + 0.5), 1000)
    assert abs(int(big.sum()) / scale - 1000 * (1e6 + 0.5)) < 1e-6
    counts, scale = to_integers(np.full((1000, 1), 7.0), 1000)
    assert (scale, int(counts.sum())) == (1, 7000)


@pytest.mark.parametrize(
    "columns",
    [
        np.random.default_rng(1).integers(0, 3, (40, 9)).astype(float),
        np.random.default_rng(2).integers(-3, 3, (40, 9)).astype(float),
        np.random.default_rng(3).normal(0, 1, (40, 9)) ** 2,
        np.random.default_rng(4).normal(0, 1, (40, 9)) * 10.0 ** np.arange(-9, 9, 2),
        np.zeros((40, 2)),
    ],
    ids=["packed counts", "negative counts", "squares", "many magnitudes", "zeros"],
)
def test_column_sums_keep_their_precision(columns):
    """Against plain floating-point sums of the same draws."""
    options = {"trials": 30, "seed": 11, "purpose": "columns"}
    expected = np.array(
        [columns[resample.bootstrap_rows(40, trial=t, seed=11, purpose="columns")].sum(axis=0) for t in range(30)]
    )
    np.testing.assert_allclose(
        added_reals(resample.bootstrap_sums, columns, **options), expected, rtol=1e-12, atol=1e-20
    )
