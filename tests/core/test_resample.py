"""The resampling kernels: fair draws, the same on any number of threads, exact beyond 63 bits."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from assay.core import binding, resample
from assay.core import resample as kernels
from assay.core import resample_reference as twin
from assay.errors import UsageError
from assay.random import purpose_key, stream

SEED = 7


def draw(trial, topics, size, sets):
    """The subsets of one trial: `sets` lists of `size` topics."""
    sample = stream(SEED, "reliability", trial).sample(range(topics), size * sets)
    return [sample[i * size : (i + 1) * size] for i in range(sets)]


def test_the_drawing_is_the_streams_sample():
    for trial, flags in enumerate(kernels.subsets(purpose_key(SEED, "reliability"), 0, 30, 81, 33, 2)):
        first, second = draw(trial, 81, 33, 2)
        assert np.flatnonzero(flags[0]).tolist() == sorted(first)
        assert np.flatnonzero(flags[1]).tolist() == sorted(second)


def test_a_number_that_is_thrown_away_moves_those_that_follow():
    """Draw 1,568 of this trial is biased, as one in four million is, and made again."""
    drawn = kernels.Blocked(np.eye(4000, dtype=np.int64)).drawn(
        purpose_key(SEED, "reliability"), 598, 1, [1568, 1569, 1570, 4000]
    )
    sample = stream(SEED, "reliability", 598).sample(range(4000), 1570)
    for count, flags in zip((1568, 1569, 1570), drawn[:, :, 0], strict=False):
        assert np.flatnonzero(flags).tolist() == sorted(sample[:count])


def test_beyond_63_bits_python_integers_take_over():
    rng = np.random.default_rng(4)
    top = rng.integers(0, 2**60, size=(2, 4, 11))
    outcomes, edges = kernels.pairs(top, 2**60)
    exact = [[[int(v) for v in row] for row in one] for one in top]
    wins = [sum(exact[0][0][t] > exact[0][1][t] and 100 * (exact[0][0][t] - exact[0][1][t]) >= 5 * exact[0][0][t]
                for t in range(11))]  # fmt: skip
    assert outcomes[0, 4] == wins[0]
    assert edges[0, 0] == 6 * 11
    ratio = kernels.pairs(top, np.full_like(top, 2**60))
    assert (ratio[0] == outcomes).all()
    assert (ratio[1] == edges).all()


KERNELS = [resample.shuffled_sums, resample.bootstrap_sums, resample.half_sums]


needs_core = pytest.mark.skipif(binding.LIBRARY is None, reason="no compiled core to compare the twin with")


def table(shape, seed=1):
    return np.random.default_rng(seed).integers(-(10**6), 10**6, shape)


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
    for trial in range(4):
        rows = resample.bootstrap_rows(33, trial=trial, seed=9, purpose="rows")
        assert np.array_equal(values[rows].sum(axis=0), sums[trial])


def test_nothing_to_sum():
    assert (
        resample.bootstrap_sums(np.zeros((0, 3), dtype=np.int64), trials=2, seed=0, purpose="x").tolist()
        == [[0] * 3] * 2
    )
    assert resample.shuffled_sums(np.zeros((3, 0), dtype=np.int64), trials=2, seed=0, purpose="x").shape == (2, 0)


@pytest.mark.parametrize(
    ("choice", "number"),
    [("threads", 1 << 31), ("threads", (1 << 32) + 1), ("resamples", 1 << 63), ("seed", (1 << 64) + 1)],
)
def test_numbers_beyond_what_the_core_counts_in_are_refused(choice, number) -> None:
    table = np.array([[1], [10]])
    name = "trials" if choice == "resamples" else choice
    for sums in (resample.shuffled_sums, resample.bootstrap_sums, resample.half_sums):
        with pytest.raises(UsageError, match=f"`{choice}={number}`: expected a whole number"):
            sums(table, **{"trials": 1, "seed": 1, "purpose": "test", name: number})


@pytest.mark.parametrize("flips", [1, 255, 600])
def test_flips_of_pairs_are_counted_as_numpy_counts_them(flips):
    rng = np.random.default_rng(flips)
    sums = rng.integers(-9, 9, size=(7, flips)).astype(np.float64)
    a, b = np.triu_indices(7, 1)
    scales, bounds = rng.random(len(a)), rng.random(len(a)) * 40
    r = (sums[a] - sums[b]) ** 2 * scales[:, None]
    expected = [(r >= bounds[:, None]).sum(axis=1).tolist(), r.max(axis=0).tolist()]
    for threads in (1, 3, 50):
        both, alone = (resample.flipped(sums, a, b, scales, some, threads) for some in (bounds, None))
        assert [found.tolist() for found in both] == expected
        assert [found.tolist() for found in alone] == [[], expected[1]]
    for some, counted in ((bounds, expected[0]), (None, [])):
        assert [found.tolist() for found in twin.flipped(sums, a, b, scales, some)] == [counted, expected[1]]


def test_flips_of_no_pairs(monkeypatch):
    none = np.zeros(0, dtype=np.int64)
    for core in (binding.LIBRARY, None):
        monkeypatch.setattr(binding, "LIBRARY", core)
        found = resample.flipped(np.ones((2, 3)), none, none, np.zeros(0), np.zeros(0))
        assert [one.tolist() for one in found] == [[], [0.0, 0.0, 0.0]]


@needs_core
@pytest.mark.parametrize("unit", [300, 70_001])
def test_two_subsets_are_compared_as_the_twin_compares_them(unit) -> None:
    top = np.random.default_rng(3).integers(0, unit, (2, 4, 30))
    expected = twin.pairs(top, unit)
    for counts, same in zip(kernels.pairs(top, unit), expected, strict=True):
        assert (counts == same).all()
