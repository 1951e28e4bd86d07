"""The resampling kernels and their twin are one arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from assay.native import library, resample
from assay.native import resample as kernels
from assay.native import resample_twin as twin


def test_the_twin_draws_the_same_subsets():
    for topics, size, sets in [(5, 2, 2), (64, 32, 2), (65, 64, 1), (200, 70, 2), (500, 250, 2)]:
        native = kernels.subsets(12345678901234567890, 17, 40, topics, size, sets)
        assert (native == twin.subsets(12345678901234567890, 17, 40, topics, size, sets)).all()
        flags = twin.unpack(native, topics)
        assert (flags.sum(axis=2) == size).all()
        assert flags.sum(axis=1).max() == 1


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_the_twin_adds_and_compares_the_same(limit):
    rng = np.random.default_rng(2)
    masks = kernels.subsets(99, 0, 37, 130, 50, 2)
    bits = twin.pack(rng.random((9, 130)) < 0.4)
    assert (kernels.add_bits(bits, masks, limit) == twin.add_bits(bits, masks)).all()
    values = rng.integers(-(10**12), 10**12, size=(130, 9))
    sums = kernels.add_values(values, masks, limit)
    assert (sums == twin.add_values(values, masks)).all()
    large = rng.integers(-(2**55), 2**55, size=(130, 9))
    assert (kernels.add_values(large, masks, limit) == twin.add_values(large, masks)).all()
    for top, bottom in [
        (rng.integers(-50, 50, size=(2, 9, 37)), 50),
        (rng.integers(0, 3, size=(1, 9, 37)), 5),
        (sums, 50 * 10**12),
        (rng.integers(0, 40, size=(2, 9, 37)), rng.integers(1, 50, size=(2, 9, 37))),
    ]:
        expected = twin.pairs(top, bottom)
        for found, wanted in zip(kernels.pairs(top, bottom, limit=limit), expected, strict=True):
            assert (found == wanted).all()


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
