"""Scores as integers: exact sums, and a scale that leaves room for them."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.native import resample
from assay.resampling.arithmetic import added_reals, to_integers
from assay.resampling.samples import Mean
from assay.resampling.subsets import Subsets, count
from assay.studies.stability import stability


def averages(matrix, name="M"):
    """One measure that is a mean over topics; matrix[run][topic]."""
    return Subsets([f"r{i}" for i in range(len(matrix))], {name: Mean(np.array(matrix, float).T)})


def test_scores_too_large_to_add_up_are_refused():
    with pytest.raises(InputError, match=r"scores as large as 1e\+17"):
        to_integers(np.array([[1e17, 1.5], [0.5, 2.0]]), 2)
    # Large, but not too large: fewer digits are kept, and the sum of all topics still fits.
    integers, scale = to_integers(np.array([[123456 + 2**-0.5] * 50, [0.25] * 50]), 50)
    assert scale == 10**9
    assert 200 * int(integers.sum(axis=1).max()) < 2**63


def test_scaling_keeps_counts_and_precision_at_k_exact():
    """1/30 + 1/30 + 1/30 must equal 3/30 + 0 + 0: at 10¹² it would not."""
    tenth = averages([[1 / 30] * 3, [3 / 30, 0, 0]])
    assert tenth.samples["M"].parts[0].tolist() == [[1, 1, 1], [3, 0, 0]]
    [counts] = count(tenth, 3, 5, swap=False).values()
    assert all(point.ties == 1 for point in stability(counts))


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
