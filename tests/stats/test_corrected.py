"""A judge's score corrected by people's labels."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from assay.errors import InputError
from assay.stats.corrected import corrected


def test_the_figures_of_truescore(shared_data) -> None:
    """What truescore 0.7.4 prints for the same file."""
    with open(shared_data("harness_logs", "judge_with_human_labels", "judge.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    judge = [float(row["judge"]) for row in rows]
    found = corrected(judge, [float(row["human"]) if row["human"] else None for row in rows])
    assert round(found.judge, 4) == 0.7450
    assert [round(number, 4) for number in (found.value, *found.interval)] == [0.6902, 0.6154, 0.7650]
    assert found.sensitivity == pytest.approx(0.9615, abs=5e-5)
    assert found.specificity == pytest.approx(0.7857, abs=5e-5)
    assert found.kappa == pytest.approx(0.7727, abs=5e-5)
    assert (found.questions, found.labelled) == (400, 80)


def test_a_judge_that_does_not_vary_is_not_listened_to() -> None:
    found = corrected([1.0] * 6, [1, 0, 0, None, None, None])
    assert (found.weight, found.value) == (0.0, pytest.approx(1 / 3))


def test_a_perfect_judge_brings_the_mean_of_all() -> None:
    judge = [1, 0, 1, 1, 0, 1, 1, 1]
    found = corrected(judge * 100, [*judge, *[None] * 792])
    assert found.kappa == 1
    assert found.value == pytest.approx(0.75, abs=0.01)


def test_intervals_hold_what_they_are_about() -> None:
    """A judge that is right nine times in ten, a hundred times over: about 95 intervals hold the mean of all labels."""
    chance, held = np.random.default_rng(5), 0
    for _ in range(100):
        truth = (chance.random(400) < 0.6).astype(float)
        judge = np.where(chance.random(400) < 0.9, truth, 1 - truth)
        found = corrected(judge.tolist(), [*truth[:80].tolist(), *[None] * 320])
        held += found.interval[0] <= 0.6 <= found.interval[1]
    assert 88 <= held <= 100


@pytest.mark.parametrize(
    ("judge", "human", "message"),
    [
        ([1, 0, 1], [1, None], "expected a label, or None, for each of 3 questions, found 2"),
        ([1, 0, 1, 0], [1, None, None, None], "1 questions are labelled and 3 are not"),
        ([1, 0, 1, 0], [1, 0, 1, 0], "4 questions are labelled and 0 are not"),
        ([1, 0, 85, 0], [1, 0, None, None], "expected scores from 0 to 1"),
    ],
)
def test_what_cannot_be_corrected(judge, human, message) -> None:
    with pytest.raises(InputError, match=message):
        corrected(judge, human)


def test_partial_credit_has_no_sensitivity() -> None:
    found = corrected([0.5, 0.2, 0.9, 0.4, 0.6, 0.7], [0.5, 0.25, 1.0, None, None, None])
    assert (found.sensitivity, found.specificity, found.kappa) == (None, None, None)
    assert 0 <= found.interval[0] <= found.value <= found.interval[1] <= 1
