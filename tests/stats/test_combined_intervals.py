"""Zou and Donner's intervals: Newcombe's published one, symmetric cases by hand, and independence of tasks."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.combined_intervals import difference_interval, mean_interval


def wilson(share: float, n: int, z: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion."""
    middle, spread = share + z * z / (2 * n), z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


def test_newcombes_tenth_method_of_two_proportions() -> None:
    """56/70 against 48/80 (Newcombe, Statistics in Medicine 1998, method 10): .0524 to .3339."""
    a, b = 56 / 70, 48 / 80
    low, high = difference_interval(a, wilson(a, 70, 1.959964), b, wilson(b, 80, 1.959964))
    assert (float(low), float(high)) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_full_correlation_leaves_the_difference_of_equal_reaches() -> None:
    low, high = difference_interval(0.7, (0.6, 0.8), 0.5, (0.4, 0.6), correlation=1.0)
    assert (float(low), float(high)) == pytest.approx((0.2, 0.2))


def test_the_mean_of_tasks_by_hand() -> None:
    """Reaches of .2 and 0 above, .1 and .3 below: over two tasks √.04/2 and √.1/2."""
    low, high = mean_interval(np.array([0.5, 0.9]), np.array([0.4, 0.6]), np.array([0.7, 0.9]))
    assert (low, high) == pytest.approx((0.7 - np.sqrt(0.1) / 2, 0.7 + 0.1))
