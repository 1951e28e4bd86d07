"""Option letters."""

from __future__ import annotations

import pytest

from assay.formats.questions import GoldAnswer, GoldQuestion
from assay.judging.letters import letter_of


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("(b)", "B"),
        ("b.", "B"),
        ("**C**", "C"),
        ("D) because it is", "D"),
        ("E: both", "E"),
        ("The answer is (F).", "F"),
        ("I think so. Answer: G", "G"),
        ("the ANSWER IS h", "H"),
        ("the answer is c, I think", "C"),
        ("Answers: I", "I"),
        ("The correct answer is option J", "J"),
        ("The answer is a guess", None),
        ("unanswerable B", None),
        ("Paris", None),
        ("A man a plan", None),
        ("The answer isn't known", None),
        ("", None),
        ("42", None),
    ],
)
def test_the_letter_of_an_answer(text, letter) -> None:
    assert letter_of(text) == letter


def test_letters(verdict) -> None:
    assert verdict("letter", question("B"), "(b) Rome") == "correct"
    assert verdict("letter", question("B"), "C") == "incorrect"
    assert verdict("letter", question("B"), "no idea") == "incorrect"
