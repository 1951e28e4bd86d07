"""The smallest number that satisfies a condition."""

from __future__ import annotations

import math

import numpy as np

from assay.measures.engines.bisection import smallest_count, smallest_number, smallest_numbers


def test_roots_of_a_square() -> None:
    assert math.isclose(smallest_number(lambda x: x * x >= 2, 0.0, 4.0, 60), math.sqrt(2), rel_tol=1e-15)
    assert smallest_number(lambda x: True, 1.0, 2.0, 3) == 1.125  # (2 - 1) / 2³ above the lower end
    assert smallest_number(lambda x: False, 1.0, 2.0, 60) == 2.0
    np.testing.assert_allclose(
        smallest_numbers(lambda x: x * x >= [2.0, 9.0], np.zeros(2), np.full(2, 4.0), 60), [math.sqrt(2), 3.0]
    )


def test_the_smallest_count_is_found_between_both_ends() -> None:
    for wanted in range(3, 18):
        assert smallest_count(lambda n, wanted=wanted: n >= wanted, 2, 17) == wanted
    assert smallest_count(lambda n: np.bool_(n >= 5), 4, 5) == 5
