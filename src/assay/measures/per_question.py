"""Measures with a value per question: several answers (CLEF 2004 pilot task) and reading comprehension (SQuAD).

A view is one question:

    view.answers                 (evaluation, confidence) of every answer given, in order: +1 right, 0 a repeated right
                                 one, -1 wrong
    view.known                   how many distinct right answers are known
    view.exact, view.overlap     SQuAD's exact match and token F1; None in other tasks
    view.nil                     whether the right answer is that there is none
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from assay.measures.define import measure, sums


class AnsweredQuestion(Protocol):
    answers: Sequence[tuple[int, float | None]]
    known: int
    exact: int | None
    overlap: float | None
    nil: bool


TASK = "outcomes"
HERRERA = "Herrera, Peñas and Verdejo, Question Answering Pilot Task at CLEF 2004"
COUNT: dict[str, Any] = {"task": TASK, "average": "sum", "high": None, "cite": HERRERA + ", table 2"}
RAJPURKAR = "Rajpurkar, Jia and Liang, Know What You Don't Know: Unanswerable Questions for SQuAD, ACL 2018"
ONLY_SQUAD = "where the gold is not SQuAD's"
HAS_ANSWER: dict[str, Any] = {"undefined": ONLY_SQUAD + ", or the question has no answer", "cite": RAJPURKAR}


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


@measure("EM", task=TASK, aliases=("exact",), undefined=ONLY_SQUAD, cite=RAJPURKAR)
def exact_match(view: AnsweredQuestion) -> float | None:
    """1 where the prediction equals a gold answer after SQuAD's normalisation, or rightly is empty; else 0.

    >>> from types import SimpleNamespace as Question
    >>> exact_match(Question(exact=1))
    1
    """
    return view.exact


@measure("TokenF1", task=TASK, undefined=ONLY_SQUAD, cite=RAJPURKAR)
def token_f1(view: AnsweredQuestion) -> float | None:
    """SQuAD's F1: the best overlap in words with a gold answer.

    >>> from types import SimpleNamespace as Question
    >>> token_f1(Question(overlap=0.8))
    0.8
    """
    return view.overlap


@measure("HasAns_EM", task=TASK, aliases=("HasAns_exact",), **HAS_ANSWER)
def has_answer_exact(view: AnsweredQuestion) -> float | None:
    """EM over the questions that have an answer.

    >>> from types import SimpleNamespace as Question
    >>> has_answer_exact(Question(exact=1, nil=False)), has_answer_exact(Question(exact=1, nil=True))
    (1, None)
    """
    return None if view.nil else view.exact


@measure("HasAns_F1", task=TASK, aliases=("HasAns_f1",), **HAS_ANSWER)
def has_answer_f1(view: AnsweredQuestion) -> float | None:
    """Token F1 over the questions that have an answer.

    >>> from types import SimpleNamespace as Question
    >>> has_answer_f1(Question(overlap=0.8, nil=False))
    0.8
    """
    return None if view.nil else view.overlap


@measure(
    "NoAns_EM", task=TASK, aliases=("NoAns_exact", "NoAns_F1", "NoAns_f1"),
    undefined=ONLY_SQUAD + ", or the question has an answer", cite=RAJPURKAR,
)  # fmt: skip
def no_answer_exact(view: AnsweredQuestion) -> float | None:
    """EM over the questions that have no answer: the share rightly left empty (token F1 is the same there).

    >>> from types import SimpleNamespace as Question
    >>> no_answer_exact(Question(exact=1, nil=True)), no_answer_exact(Question(exact=1, nil=False))
    (1, None)
    """
    return view.exact if view.nil else None
