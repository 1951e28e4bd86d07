"""Measures of calibration against their definitions: counting by hand, numpy's edges and logarithms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import foldnorm

from assay.errors import UsageError
from assay.measures.calibration import bin_of, mass_bin_of
from assay.measures.registry import find

LEVELS = [0.0, 0.25, 0.5, 0.75, 1.0]
answer = st.tuples(st.integers(0, 1), st.sampled_from(LEVELS))
free = st.tuples(st.integers(0, 1), st.floats(0, 1))
many = st.lists(st.one_of(answer, free), min_size=1, max_size=40)


@given(many, st.integers(1, 12))
def test_ece_by_counting_right_closed_bins(whole, answers, bins) -> None:
    edges = np.linspace(0, 1, bins + 1)
    total = 0.0
    for b in range(bins):
        inside = [(c, p) for c, p in answers if (edges[b] < p or (b == 0 and p == 0)) and p <= edges[b + 1]]
        total += abs(sum(c for c, _ in inside) - sum(p for _, p in inside))
    assert whole(f"ECE(bins={bins})", answers) == pytest.approx(total / len(answers), abs=1e-12)


def test_ece_says_which_side_an_edge_is_on(whole) -> None:
    answers = [(1, 0.5), (0, 0.6)]
    # (0.4, 0.5] and (0.5, 0.6] hold one answer each; [0.5, 0.6) and [0.6, 0.7) too, but one bin of 2 holds both.
    assert whole("ECE(bins=2)", answers) == pytest.approx((0.5 + 0.6) / 2)
    assert whole("ECE(bins=2,closed=left)", answers) == pytest.approx(abs(1 - 1.1) / 2)


@given(many, st.integers(1, 12), st.sampled_from(["right", "left"]))
def test_debiased_ece_against_scipys_folded_normal(whole, answers, bins, closed) -> None:
    place = bin_of([p for _, p in answers], bins, closed)
    total = 0.0
    for b in set(place):
        inside = [one for one, at in zip(answers, place, strict=True) if at == b]
        share, stated = (sum(column) / len(inside) for column in zip(*inside, strict=True))
        gap, deviation = abs(share - stated), (share * (1 - share) / len(inside)) ** 0.5
        by_chance = foldnorm.mean(gap / deviation, scale=deviation) if deviation else gap
        total += len(inside) * (2 * gap - by_chance)
    found = whole(f"ECEd(bins={bins},closed={closed})", answers)
    assert found == pytest.approx(max(0, total / len(answers)), abs=1e-9)
    assert 0 <= found <= whole(f"ECE(bins={bins},closed={closed})", answers) + 1e-12


def test_debiased_ece_says_which_side_an_edge_is_on(whole) -> None:
    # One answer in a bin has no spread, so nothing is taken off; both in one bin have σ² = 0.5 · 0.5 / 2 and no gap but 0.05.
    answers = [(1, 0.5), (0, 0.6)]
    assert whole("ECEd(bins=2)", answers) == pytest.approx((0.5 + 0.6) / 2)
    assert whole("ECEd(bins=2,closed=left)", answers) == 0
    assert whole("ECEd", answers, unanswered=3) == pytest.approx(0.55)
    assert whole("ECEd", [], unanswered=1) is None


@given(many)
def test_scores_are_proper_by_hand(whole, answers) -> None:
    assert whole("Brier", answers) == pytest.approx(sum((p - c) ** 2 for c, p in answers) / len(answers))
    logs = [np.log(max(p if c else 1 - p, 2.0**-52)) for c, p in answers]
    assert whole("log_score", answers) == pytest.approx(np.mean(logs), abs=1e-9)
    assert whole("overconfidence", answers) == pytest.approx(
        sum(p for _, p in answers) / len(answers) - sum(c for c, _ in answers) / len(answers)
    )


@pytest.mark.parametrize("floor", ["0", "0.5", "1"])
def test_a_floor_keeps_the_log_score_finite(floor) -> None:
    with pytest.raises(UsageError, match=r"expected a number above 0 and below 0\.5"):
        find(f"log_score(floor={floor})", "outcomes")


def test_by_hand(whole) -> None:
    answers = [(1, 0.75), (0, 0.25), (0, 0.5)]
    assert whole("mean_confidence", answers, unanswered=1) == 0.5
    assert whole("overconfidence", answers) == 0.5 - 1 / 3
    assert whole("Brier", answers) == (0.0625 + 0.0625 + 0.25) / 3


@given(st.integers(1, 1000), st.floats(0, 1), st.sampled_from(["right", "left"]))
def test_edges_are_those_of_numpy(bins, confidence, closed) -> None:
    inner = np.linspace(0, 1, bins + 1)[1:-1]
    for stated in (confidence, *inner[:3].tolist()):
        place = np.searchsorted(inner, stated, side="left" if closed == "right" else "right")
        assert bin_of([stated], bins, closed) == [place] == bin_of(np.array([stated]), bins, closed).tolist()


HAND = [(0, 0.15), (1, 0.15), (1, 0.85), (1, 0.95), (0, 0.95), (1, 0.95)]
"""Gaps: 0.5 - 0.15 of two answers, 1 - 0.85 of one, 2/3 - 0.95 of three."""


def test_bins_by_hand(whole) -> None:
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


tied_answers = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.floats(0, 1))),
    min_size=1,
    max_size=40,
)


def test_parts_of_the_brier_score_by_hand(whole) -> None:
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


@given(tied_answers, st.sampled_from(["", "(bins=1)", "(bins=4)", "(bins=10)"]))
def test_they_add_up_to_the_brier_score(whole, answers, inside) -> None:
    reliability, resolution = whole(f"REL{inside}", answers), whole(f"RES{inside}", answers)
    assert reliability - resolution + whole("UNC", answers) == pytest.approx(whole("Brier", answers), abs=1e-12)
    assert reliability >= 0
    assert inside or resolution >= 0


def test_undefined_parts_of_the_brier_score(whole) -> None:
    for name in ("REL", "RES", "UNC", "RES(bins=3)"):
        assert whole(name, [], unanswered=2) is None
        assert whole(name, [(1, None)]) is None
