"""Brier's three parts: by hand, and their sum."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

many = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.floats(0, 1))),
    min_size=1,
    max_size=40,
)


def test_by_hand(whole) -> None:
    # At 0.9 three of four are right, at 0.4 one of two: precision 4/6.
    answers = [(1, 0.9), (1, 0.9), (1, 0.9), (0, 0.9), (1, 0.4), (0, 0.4)]
    assert whole("Brier_reliability", answers) == pytest.approx((4 * 0.15**2 + 2 * 0.1**2) / 6)
    assert whole("Brier_resolution", answers) == pytest.approx((4 * (1 / 12) ** 2 + 2 * (1 / 6) ** 2) / 6)
    assert whole("Brier_uncertainty", answers) == pytest.approx(2 / 9)


def test_over_bins_by_hand(whole) -> None:
    # Both in one bin: mean confidence 0.9, precision 0.5, no resolution between bins; within, 2(c - 0.5)(p - 0.9) - (p - 0.9)².
    answers = [(1, 0.95), (0, 0.85)]
    assert whole("REL(bins=5)", answers) == pytest.approx(0.16)
    assert whole("RES(bins=5)", answers) == pytest.approx((2 * 0.5 * 0.05 * 2 - 2 * 0.05**2) / 2)
    assert whole("REL", answers) == pytest.approx((0.05**2 + 0.85**2) / 2)
    assert whole("RES", answers) == pytest.approx(0.25)


@given(many, st.sampled_from(["", "(bins=1)", "(bins=4)", "(bins=10)"]))
def test_they_add_up_to_the_brier_score(whole, answers, inside) -> None:
    reliability, resolution = whole(f"REL{inside}", answers), whole(f"RES{inside}", answers)
    assert reliability - resolution + whole("UNC", answers) == pytest.approx(whole("Brier", answers), abs=1e-12)
    assert reliability >= 0
    assert inside or resolution >= 0


def test_undefined(whole) -> None:
    for name in ("REL", "RES", "UNC", "RES(bins=3)"):
        assert whole(name, [], unanswered=2) is None
        assert whole(name, [(1, None)]) is None
