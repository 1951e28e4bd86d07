"""Several samples as one: means, errors and resamples by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assay.resampling.resamplers import MeanResampler
from assay.resampling.stratified import StratifiedResampler

A, B = np.array([[0.0], [1.0], [1.0], [0.0]]), np.array([[1.0], [1.0], [0.0], [1.0], [1.0]])
HERE = np.zeros(1, dtype=np.int64)


def test_the_error_of_a_mean_of_means():
    """Variances 1/3 of 4 and 1/5 of 5: √(1/12 + 1/25)/2."""
    both = StratifiedResampler({"a": MeanResampler(A), "b": MeanResampler(B)})
    assert both.values() == pytest.approx([(0.5 + 0.8) / 2])
    assert both.errors(HERE, None) == pytest.approx([np.sqrt(1 / 12 + 1 / 25) / 2])
    assert (both.units, both.topics) == (9, 9)


def test_each_stratum_keeps_its_size_in_every_resample():
    """Pooled resamples of strata of 0 and of 1 would vary; within strata nothing does."""
    both = StratifiedResampler({"a": MeanResampler(np.zeros((3, 1))), "b": MeanResampler(np.ones((7, 1)))})
    assert (both.bootstrap(200, seed=1) == 0.5).all()


def test_draws_follow_from_the_name_and_not_from_the_order():
    one, other = (
        StratifiedResampler({"a": MeanResampler(A), "b": MeanResampler(B)}),
        StratifiedResampler({"b": MeanResampler(B), "a": MeanResampler(A)}),
    )
    assert one.bootstrap(50, seed=3).tolist() == other.bootstrap(50, seed=3).tolist()
    assert one.bootstrap_errors(HERE, None, 50, 3, 1).tolist() == other.bootstrap_errors(HERE, None, 50, 3, 2).tolist()
    assert one.bootstrap(50, seed=3).tolist() != one.bootstrap(50, seed=4).tolist()


def test_strata_are_drawn_apart():
    """Two strata of the same numbers: drawn alike, the mean would vary as one of them does, and not half as much."""
    values = np.random.default_rng(1).random((40, 1))
    drawn = StratifiedResampler({"a": MeanResampler(values), "b": MeanResampler(values)}).bootstrap(4000, seed=1)
    assert drawn.var() == pytest.approx(values.var() / 40 / 2, rel=0.15)
