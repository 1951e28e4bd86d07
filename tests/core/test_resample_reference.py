"""The resampling kernels and their twin are one arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core import binding, resample
from assay.core import resample as kernels
from assay.core import resample_reference as twin


def test_subsets_are_disjoint_and_as_large_as_asked():
    for topics, size, sets in [(5, 2, 2), (64, 32, 2), (65, 64, 1), (200, 70, 2), (500, 250, 2)]:
        chosen = kernels.subsets(12345678901234567890, 17, 40, topics, size, sets)
        assert (chosen.sum(axis=2) == size).all()
        assert chosen.sum(axis=1).max() == 1


def test_the_twin_adds_the_same():
    rng = np.random.default_rng(2)
    for topics, columns, marks in [(1, 1, [1]), (130, 9, [1, 50, 100]), (700, 130, [300, 600, 700]), (20, 64, [20])]:
        tables = [
            (rng.random((topics, columns)) < 0.4).astype(np.int64),
            rng.integers(-(10**12), 10**12, size=(topics, columns)),
            rng.integers(-(2**52), 2**52, size=(topics, columns)),
        ]
        for values in tables:
            sums = kernels.Blocked(values).drawn(99, 5, 37, marks)
            assert (sums == twin.drawn(values, 99, 5, 37, marks)).all()
    chosen = kernels.subsets(99, 5, 37, 700, 300, 1)[:, 0]
    assert (kernels.Blocked(tables[0][:, :1]).drawn(99, 5, 37, [20]) == tables[0][:, :1].sum()).all()
    everything = kernels.Blocked(np.ones((700, 130), np.int64)).drawn(99, 5, 37, [1, 15, 699])
    assert [sorted(set(sums.ravel().tolist())) for sums in everything] == [[1], [15], [699]]
    ones = (rng.random((700, 3)) < 0.4).astype(np.int64)
    assert (kernels.Blocked(ones).drawn(99, 5, 37, [300])[0] == (chosen @ ones).T).all()


@pytest.mark.parametrize("trials", [1, 2, 37, 300])
def test_the_twin_compares_the_same(trials):
    rng = np.random.default_rng(2)
    shape = (2, 9, trials)
    for top, bottom in [
        (rng.integers(-50, 50, size=shape), 50),
        (rng.integers(0, 2500, size=shape), 2500),
        (rng.integers(0, 62_500, size=shape), 62_500),
        (rng.integers(0, 4, size=shape), 3),
        (rng.integers(0, 60_000, size=shape), 187**2),
        (rng.integers(0, 3, size=(1, 9, trials)), 5),
        (rng.integers(0, 10**12, size=shape), 50 * 10**12),
        (rng.integers(0, 40, size=shape), rng.integers(1, 50, size=shape)),
    ]:
        for pairwise in (True, False):
            found = kernels.pairs(top, bottom, kernels.tally(9, pairwise))
            expected = twin.pairs(top, bottom, pairwise)
            assert all((one == other).all() for one, other in zip(found, expected, strict=True))
            assert len(found[0]) == 36 * pairwise


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


needs_core = pytest.mark.skipif(binding.LIBRARY is None, reason="no compiled core to compare the twin with")


def table(shape, seed=1):
    return np.random.default_rng(seed).integers(-(10**6), 10**6, shape)


@needs_core
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_twin_gives_the_same_sums(kernel, monkeypatch):
    for shape in SHAPES:
        values = table(shape)
        options = {"trials": 5 if values.size > 9000 else 40, "seed": 3, "purpose": "twins", "first": 7}
        core = kernel(values, **options)
        with monkeypatch.context() as patch:
            patch.setattr(binding, "LIBRARY", None)
            assert np.array_equal(core, kernel(values, **options)), shape


def test_wide_dice_are_rolled_again_where_they_are_biased():
    """Of 3 * 2^30 sides a quarter of the words is rejected, at once and with the low half of a new word."""
    side, count = 3 << 30, 4096
    rolled = twin.picks(twin.starts(5, 0, 1), [side] * count)[0]
    stream, word, expected = twin.starts(5, 0, 1), 0, []
    for i in range(count):
        word = word >> 32 if i % 2 else int(twin.following(stream, slice(None))[0])
        bits = word & 0xFFFFFFFF
        while bits * side % (1 << 32) < (1 << 32) % side:
            bits = int(twin.following(stream, slice(None))[0]) & 0xFFFFFFFF
        expected.append(bits * side >> 32)
    assert rolled.tolist() == expected
