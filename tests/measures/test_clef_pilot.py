"""CLEF 2004's measures of several answers, by hand."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from assay.measures.registry import find


def k(answers, known: int, nil: bool = False):
    return find("K", "outcomes")(SimpleNamespace(answers=answers, known=known, nil=nil))


@pytest.mark.parametrize(
    ("answers", "known", "expected"),
    [
        ([(1, 0.8)], 1, 0.8),
        ([(-1, 0.8)], 1, -0.8),
        ([(1, 0.8)], 4, 0.2),  # one of four known answers
        ([(1, 0.8), (1, 0.6)], 2, 0.7),  # both right
        ([(1, 0.8), (0, 0.6)], 2, 0.4),  # the second repeats the first: 0, and it counts as answered
        ([(1, 0.8), (0, 0.6), (0, 0.9)], 1, 0.8 / 3),  # repeats enlarge the denominator beyond R
        ([(1, 0.9), (-1, 0.3), (-1, 0.0)], 2, (0.9 - 0.3) / 3),
        ([], 3, 0.0),  # unanswered adds 0
        ([], 0, 0.0),  # whether or not there was an answer
        ([(1, 0.5)], 0, 0.5),  # a right NIL: +1 over max(R, 1)
        ([(1, 0.5), (-1, 0.5)], 0, 0.0),  # NIL and a wrong answer beside it
        ([(1, 0.5), (-1, None)], 1, None),
    ],
)
def test_k_by_hand(answers, known, expected) -> None:
    found = k(answers, known)
    assert found is None if expected is None else found == pytest.approx(expected)


def test_counts_of_answers_by_hand() -> None:
    """3 questions with 2, 1 and 0 known answers (the last is NIL); 5 given, of which one each is right, NIL included."""
    sums = {"known_answers": 3, "answers_given": 5, "with_correct": 3, "right_answers": 3, "nil_correct": 1}
    expected = {
        "known_answers": (3, 1),
        "answers_given": (5, 1),
        "questions_with_correct": (3, 1),
        "correct_answers": (3, 1),
        "answer_recall": (2, 3),
        "answer_precision": (3, 5),
    }
    for name, fraction in expected.items():
        measure = find(name, "outcomes")
        assert measure(3, *(sums[column] for column in measure.of)) == fraction, name
