"""Measures of calibration against their definitions: counting by hand, numpy's edges and logarithms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import foldnorm

from assay.errors import UsageError
from assay.measures.calibration import bin_of
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
