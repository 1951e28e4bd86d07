"""Σd and Σd² of pairs: the Gram matrix against plain integers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assay.resampling import pair_moments as module
from assay.resampling.pair_moments import pair_moments


@pytest.mark.parametrize("largest", [1, 1000, 10**12, 2**50])
@pytest.mark.parametrize("noise", [None, 1])
def test_the_gram_matrix_has_the_squares_of_plain_integers(monkeypatch, largest, noise):
    """Also where runs differ by a billionth of their values, whose squares cancel."""
    monkeypatch.setattr(module, "GRAM_CELLS", 0)
    rng = np.random.default_rng(largest % 97)
    values = rng.integers(-largest // 2, largest // 2 + 1, (300, 12))
    if noise:
        values = values[:, :1] + rng.integers(0, noise + 1, (300, 12))
    a, b = np.array(list(combinations(range(12), 2))).T
    sums, squares = pair_moments(values, a, b)
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        differences = [p - q for p, q in zip(values[:, x].tolist(), values[:, y].tolist(), strict=True)]
        assert sums[i] == pytest.approx(sum(differences), rel=1e-15)
        assert squares[i] == pytest.approx(sum(d * d for d in differences), rel=4e-16 * 3)
