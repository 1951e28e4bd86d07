"""Errors of calibration against their definitions: bins counted by hand, and the smoothed gap by a sum over reflections."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.measures.calibration_errors import mass_bin_of
from assay.measures.registry import find

LEVELS = [0.0, 0.25, 0.5, 0.75, 1.0]
answer = st.tuples(st.integers(0, 1), st.sampled_from(LEVELS))
free = st.tuples(st.integers(0, 1), st.floats(0, 1))
many = st.lists(st.one_of(answer, free), min_size=1, max_size=40)
HAND = [(0, 0.15), (1, 0.15), (1, 0.85), (1, 0.95), (0, 0.95), (1, 0.95)]
"""Gaps: 0.5 - 0.15 of two answers, 1 - 0.85 of one, 2/3 - 0.95 of three."""


def test_by_hand(whole) -> None:
    assert whole("MCE", HAND) == pytest.approx(0.35)
    assert whole("RMSCE", HAND) ** 2 == pytest.approx((2 * 0.35**2 + 0.15**2 + 3 * (2 / 3 - 0.95) ** 2) / 6)
    debiased = 2 * (0.35**2 - 0.25) + 3 * ((2 / 3 - 0.95) ** 2 - (2 / 9) / 2)
    assert debiased < 0
    assert whole("RMSCEd", HAND) == 0
    assert whole("RMSCEd", [(0, 0.95)] * 3 + [(1, 0.95)]) ** 2 == pytest.approx(0.7**2 - 0.25 * 0.75 / 3)
    # Dealt in twos: (0.15, 0.15), (0.85, 0.95), (0.95, 0.95). The last edge is 0.95 itself, and nobody lies above it.
    assert whole("adaptive_ECE(bins=3)", HAND) == pytest.approx((abs(1 - 0.3) + abs(3 - 3.7)) / 6)
    assert whole("MCE(bins=3,binning=mass)", HAND) == pytest.approx(0.35)


@given(many, st.integers(1, 12))
def test_equal_confidences_stay_together_and_bins_are_in_order(answers, bins) -> None:
    confidence = [p for _, p in answers]
    place = mass_bin_of(confidence, bins)
    assert place == mass_bin_of(np.array(confidence), bins).tolist()
    assert max(place) < bins
    ranked = sorted(zip(confidence, place, strict=True))
    for (low, first), (high, second) in itertools.pairwise(ranked):
        assert first <= second
        assert low != high or first == second


def test_bins_of_distinct_confidences_hold_as_many() -> None:
    place = mass_bin_of([0.9 + i / 1000 for i in range(11)], 3)
    assert [place.count(b) for b in range(3)] == [4, 4, 3]


@given(many, st.integers(1, 12))
def test_the_mean_the_root_of_the_mean_square_and_the_largest(whole, answers, bins) -> None:
    for binning in ("width", "mass"):
        inside = f"(bins={bins},binning={binning})"
        mean = whole(f"ECE(bins={bins})" if binning == "width" else f"adaptive_ECE(bins={bins})", answers)
        root, most = whole(f"RMSCE{inside}", answers), whole(f"MCE{inside}", answers)
        assert mean <= root + 1e-12
        assert root <= most + 1e-12
        assert 0 <= whole(f"RMSCEd{inside}", answers) <= root + 1e-12


def reflected(answers, sigma: float, points: int = 4001) -> float:
    """The definition as it is written: the Gaussian at every mirror image of every answer, integrated over [0, 1]."""
    t = np.linspace(0, 1, points)
    curve = np.zeros(points)
    for correct, p in answers:
        for image in range(-6, 7):
            for at in (2 * image + p, 2 * image - p):
                gauss = np.exp(-((t - at) ** 2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
                curve += gauss * (correct - p) / len(answers)
    return float(np.trapezoid(np.abs(curve), t))


@settings(max_examples=25)
@given(st.lists(st.one_of(answer, free), min_size=1, max_size=8), st.sampled_from([0.03, 0.1, 0.4]))
def test_smoothed_gaps_by_their_definition(whole, answers, sigma) -> None:
    assert whole(f"smECE(sigma={sigma})", answers) == pytest.approx(reflected(answers, sigma), abs=2e-4)


@settings(max_examples=50)
@given(many)
def test_the_width_is_the_error(whole, answers) -> None:
    error = whole("smECE", answers)
    assert 0 <= error <= 1
    if error > 1e-6:
        assert whole(f"smECE(sigma={error:.17g})", answers) == pytest.approx(error, abs=1e-6)
    # Wider smoothing cancels more.
    assert whole("smECE(sigma=0.2)", answers) <= whole("smECE(sigma=0.05)", answers) + 1e-9


def test_smooth_where_nothing_is_off(whole) -> None:
    assert whole("smECE", [(1, 1.0), (0, 0.0)]) == 0
    assert whole("smECE", [(0, 1.0)] * 3) == pytest.approx(1)
    # A nudge over the edge of a bin moves ECE by far, and smooth ECE hardly: two gaps of 1/4 so near each other smear
    # to 2 · 0.25 · 1e-6 · φ(0)/σ, which is σ at 4.5e-4.
    before, after = ([(1, 0.5), (0, 0.5 + move)] for move in (0.0, 1e-6))
    assert whole("ECE", after) - whole("ECE", before) == pytest.approx(0.5, abs=1e-5)
    assert whole("smECE", after) == pytest.approx(4.47e-4, abs=5e-6)
    assert whole("smECE", before) == 0


def test_undefined_and_refused(whole) -> None:
    for name in ("adaptive_ECE", "MCE", "RMSCE", "RMSCEd", "smECE"):
        assert whole(name, [], unanswered=2) is None
        assert whole(name, [(1, None)]) is None
        assert whole(name, HAND, unanswered=4) == whole(name, HAND)
    for name in ("smECE(sigma=0)", "smECE(sigma=1.5)", "MCE(binning=height)", "RMSCE(bins=0)"):
        with pytest.raises(UsageError):
            find(name, "outcomes")
