"""The forms in which texts are compared; numbers and marks in test_exact."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.matching.normalisation import normalise, squad_normalise, squad_overlap


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


MARKS = re.compile(r"(?<=\d)[./:](?=\d)|(?<!\w)\.(?=\d)|(?<![^\s(])[-\u2212](?=\.?\d)")
KEPT = {".": "\ue000", "/": "\ue001", ":": "\ue002", "-": "\ue003", "\u2212": "\ue003"}


def by_the_book(text: str) -> str:
    """Step by step as `NORMALISED` says it, and slowly."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = MARKS.sub(lambda mark: KEPT[mark.group()], folded)
    bare = "".join(c for c in kept if ord(c) >= 0x3000 or not unicodedata.category(c).startswith("P"))
    for own, letter in (("\ue000", "."), ("\ue001", "/"), ("\ue002", ":"), ("\ue003", "-")):
        bare = bare.replace(own, letter)
    return " ".join((bare if bare.strip() else folded).split())


@given(st.text("0123456789.-/:()\u2212 \t\naAIé½²\u0663\ue000ßſK_,'\"", max_size=14) | st.text())
def test_every_text_is_normalised_as_it_is_said(text) -> None:
    assert normalise(text) == by_the_book(text)
