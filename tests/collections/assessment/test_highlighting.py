"""Words of a topic in a document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.collections.assessment.highlighting import pieces, stem, stems


@given(st.text(), st.text())
def test_pieces_are_the_text_and_every_second_is_marked(text, topic) -> None:
    found = pieces(text, stems(topic))
    assert "".join(found) == text
    assert len(found) % 2 == 1
    assert all(found[1::2])
    assert pieces(text, frozenset()) == [text]


@pytest.mark.parametrize(
    ("topic", "word"),
    [
        ("restoring marshes", "RESTORED"), ("restoring marshes", "restoration"), ("marshes", "marsh"), ("policy", "policies"),
        ("stopping", "stopped"), ("café", "Cafe"), ("noise", "noises"), ("Öl", "ÖL"), ("COVID-19", "covid"), ("run", "running"),
    ],
)  # fmt: skip
def test_other_forms_of_a_word_are_marked(topic, word) -> None:
    assert pieces(f"the {word}.", stems(topic)) == ["the ", word, "."]


def test_words_that_say_nothing_and_parts_of_words_are_not() -> None:
    assert pieces("What is the art of martial law?", stems("What is the art of?")) == [
        "What is the ",
        "art",
        " of martial law?",
    ]
    assert stem("gas") != stem("gate")


def test_neighbours_without_a_blank_are_one_mark() -> None:
    assert pieces("中文字", stems("中文")) == ["", "中文", "字"]
