"""Measures of CLEF 2004's pilot task: several answers per question, with confidence.

A view is one question:

    view.answers    (evaluation, confidence) of every answer given, in order: +1 right, 0 a repeated right one, -1 wrong
    view.known      how many distinct right answers are known
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from assay.measures.define import measure, sums


class AnsweredQuestion(Protocol):
    answers: Sequence[tuple[int, float | None]]
    known: int


TASK = "outcomes"
HERRERA = "Herrera, Peñas and Verdejo, Question Answering Pilot Task at CLEF 2004"
COUNT: dict[str, Any] = {"task": TASK, "average": "sum", "high": None, "cite": HERRERA + ", table 2"}


@measure("K", task=TASK, low=-1.0, undefined="where an answer has no confidence", cite=HERRERA + ", formula (1)")
def k(view: AnsweredQuestion) -> float | None:
    """K = mean over questions of Σ_r confidence(r) · eval(r) / max(R, answered): +1 right, 0 repeated, -1 wrong.

    R is the number of distinct right answers known (1 for a question whose right answer is NIL), `answered` the number
    of answers given, repeats included. The first answer of a class is the one that counts. An unanswered question
    adds 0.

    Three answers, the second repeating the first, of 2 known: (0.8 + 0 - 0.5) / 3 = 0.1.

    >>> from types import SimpleNamespace as Question
    >>> round(k(Question(answers=[(1, 0.8), (0, 0.9), (-1, 0.5)], known=2, nil=False)), 9)
    0.1
    """
    total = 0.0
    for evaluation, confidence in view.answers:
        if confidence is None:
            return None
        total += confidence * evaluation
    return total / max(view.known, 1, len(view.answers))


@sums("known_answers", higher_is_better=None, of=("known_answers",), **COUNT)
def known_answers(n: int, known_answers: int) -> tuple[int, int]:
    """The distinct right answers known, over all questions.

    >>> known_answers(18, 26)
    (26, 1)
    """
    return known_answers, 1


@sums("answers_given", higher_is_better=None, of=("answers_given",), **COUNT)
def answers_given(n: int, answers_given: int) -> tuple[int, int]:
    """The answers given, repeats and NIL included.

    >>> answers_given(18, 42)
    (42, 1)
    """
    return answers_given, 1


@sums("questions_with_correct", of=("with_correct",), share=True, **COUNT)
def questions_with_correct(n: int, with_correct: int) -> tuple[int, int]:
    """The questions with at least one right answer among those given.

    >>> questions_with_correct(18, 4)
    (4, 1)
    """
    return with_correct, 1


@sums("correct_answers", of=("right_answers",), **COUNT)
def correct_answers(n: int, right_answers: int) -> tuple[int, int]:
    """The right answers given, repeats not counted.

    >>> correct_answers(18, 5)
    (5, 1)
    """
    return right_answers, 1


@sums(
    "answer_recall", task=TASK, of=("right_answers", "known_answers", "nil_correct"),
    undefined="where no answer is known", cite=HERRERA + ", table 2",
)  # fmt: skip
def answer_recall(n: int, right_answers: int, known_answers: int, nil_correct: int) -> tuple[int, int]:
    """Right answers given / right answers known; a NIL question has no known answer and stays out of both.

    Factoid questions of table 2: 5 right answers of 26 known, 19.23%.

    >>> top, bottom = answer_recall(18, 5, 26, 0)
    >>> round(100 * top / bottom, 2)
    19.23
    """
    return right_answers - nil_correct, known_answers


@sums(
    "answer_precision", task=TASK, of=("right_answers", "answers_given"), undefined="where no answer is given",
    cite=HERRERA + ", table 2",
)  # fmt: skip
def answer_precision(n: int, right_answers: int, answers_given: int) -> tuple[int, int]:
    """Right answers given / answers given, repeats and NIL counting as given.

    Factoid questions of table 2: 5 right answers of 42 given, 11.9%.

    >>> top, bottom = answer_precision(18, 5, 42)
    >>> round(100 * top / bottom, 1)
    11.9
    """
    return right_answers, answers_given
