"""Half sums of many values as matrix products: the very sums of the kernel."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core import resample
from assay.resampling.sign_flips import SignFlips


@pytest.mark.parametrize("largest", [2, 50, 10**12, 2**50])
@pytest.mark.parametrize("low", [0, -7])
def test_products_are_the_sums_of_the_kernel(monkeypatch, largest, low):
    table = np.random.default_rng(largest % 89).integers(low, largest, (130, 9))
    options = {"trials": 300, "seed": 4, "purpose": "test"}
    sums = resample.half_sums(table, **options)
    monkeypatch.setattr(resample, "LARGE", 0)
    assert (resample.half_sums(table, **options) == sums).all()
    assert (resample.half_sums(table, **{**options, "trials": 7}, first=100) == sums[100:107]).all()


def test_flips_of_large_tables_are_those_of_small_ones(monkeypatch):
    values = np.random.default_rng(5).random((40, 6)).round(3)
    a, b = np.triu_indices(6, 1)
    small = SignFlips(values, resamples=200, seed=1).maxima(a, b)
    monkeypatch.setattr(resample, "LARGE", 0)
    assert (SignFlips(values, resamples=200, seed=1).maxima(a, b) == small).all()


def test_centred_flips_of_large_tables_are_those_of_small_ones(monkeypatch):
    values = np.random.default_rng(6).random((40, 6)).round(3) + np.arange(6) / 10
    a, b = np.triu_indices(6, 1)
    small = SignFlips(values, resamples=200, seed=1).centred.maxima(a, b)
    monkeypatch.setattr(resample, "LARGE", 0)
    large = SignFlips(values, resamples=200, seed=1).centred
    assert type(large) is not SignFlips
    assert large.maxima(a, b) == pytest.approx(small, rel=1e-9)
