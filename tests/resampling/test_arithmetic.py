"""Sums of integers and what is made of them."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core import resample
from assay.errors import InputError
from assay.resampling.arithmetic import added_reals, quotients, slack
from assay.resampling.integer_scaling import times


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


def test_denominators_of_any_size():
    assert times(np.array([10]), 10**18).tolist() == [10**19]
    assert times(np.array([9]), 10**18).dtype == np.int64
    top, bottom = quotients(lambda n, x: (float(x) * 1e300, 1e-300 * (x != 3)), 4, [np.array([0, 3])], 4, [4])
    assert bottom.tolist() == [10**12, 0], "what is infinite, and what is divided by 0, is undefined"
    assert top.tolist() == [0, 0]


def test_columns_whose_squares_are_infinite_are_refused():
    with pytest.raises(InputError, match="too large"):
        added_reals(resample.bootstrap_sums, np.array([[np.inf], [1.0]]), trials=2, seed=1, purpose="columns")


def test_slack_follows_the_scale():
    assert slack(np.array([3.0, np.nan])) == 3e-12
    assert slack(np.array([0.5]), 10**14) == 1e-14
