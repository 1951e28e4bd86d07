"""The forms in which texts are compared; numbers and marks in test_exact."""

from __future__ import annotations

import pytest

from assay.judging.normalising import squad_normalise, squad_overlap


@pytest.mark.parametrize(
    ("gold", "predicted", "exact", "overlap"),
    [
        ("the Normans", "Normans", True, 1.0),
        ("Normans", "the norman kings", False, 0.0),
        ("in the 10th and 11th centuries", "10th and 11th centuries", False, 2 * 4 / (4 + 5)),
        ("Denmark, Iceland and Norway", "Denmark Iceland Norway", False, 2 * 3 / 7),
        ("a", "the", True, 1.0),  # both normalise to nothing
        ("a b", "", False, 0.0),
        ("x x y", "x", False, 2 * 1 / 4),
    ],
)
def test_squad_scores_by_hand(gold, predicted, exact, overlap) -> None:
    assert (squad_normalise(gold) == squad_normalise(predicted)) == exact
    assert squad_overlap(gold, predicted) == pytest.approx(overlap)
