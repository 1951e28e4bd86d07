"""Numbers as sentences have them."""

from __future__ import annotations

import pytest

from assay.analyses.brief_numbers import brief


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.5742, 3, ".574"),
        (-0.042, 3, "−.042"),
        (0.0, 2, ".00"),
        (-0.004, 2, ".00"),  # what rounds to zero has no sign
        (0.9996, 3, "1.000"),
        (-12.5, 1, "−12.5"),
        (0.4, 0, "0"),
        (1532.2, 0, "1532"),
    ],
)
def test_a_number_has_a_true_minus_and_no_leading_zero(value, digits, shown):
    assert brief(value, digits) == shown
