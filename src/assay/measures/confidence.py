"""Measures of confidence: are right answers stated with more confidence than wrong ones?

Each needs all questions of a run at once. The columns, one cell per question:

    correct      1 where the question is answered correctly, else 0
    answered     1 where the run gave an answer, else 0
    confidence   from 0 to 1, or None where the run states none

These measures are undefined where an answer has no confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from assay.measures.define import ANSWERS, RARER_CLASS, whole
from assay.measures.engines.vectors import (
    Answered,
    answers_with_confidence,
    counting,
    each,
    expected_hits,
    extent,
    has_gaps,
    of_answers,
    plain,
    tie_groups,
    total,
    vector,
)
from assay.measures.parameters import one_of

if TYPE_CHECKING:
    from assay.measures.engines.vectors import Vector

Column = Sequence[float | None]

TASK = "outcomes"
COLUMNS = ("correct", "answered", "confidence")
STATED: dict[str, Any] = {
    "task": TASK, "of": COLUMNS, "undefined": "where nothing is answered or an answer has no confidence", "counts": ANSWERS,
}  # fmt: skip
HERRERA = "Herrera, Peñas and Verdejo, Question Answering Pilot Task at CLEF 2004"


def shares_right(hits: Vector, stated: Vector) -> Vector:
    """Return C(i)/i for every rank i, its expectation over the orders of tied answers."""
    tops, bottoms = expected_hits(*tie_groups(hits, stated))
    ranks = counting(1, len(tops), tops)
    return each(lambda top, bottom, rank: top / (bottom * rank), tops, bottoms, ranks)


def _shares_right_by_position(hits: Vector, stated: Vector, position: Sequence[Any]) -> list[float]:
    """Return C(i)/i for every rank i, with tied answers in the order of their positions."""
    ranked = sorted(zip(plain(stated), position, plain(hits), strict=True), key=lambda answer: (-answer[0], answer[1]))
    shares: list[float] = []
    right = 0
    for rank, (_, _, hit) in enumerate(ranked, 1):
        right += hit
        shares.append(right / rank)
    return shares


@whole(
    "CWS", task=TASK, parameters={"ties": one_of("expected", "file")}, of=(*COLUMNS, "position"),
    undefined="where no confidence exceeds 0 or an answer has no confidence",
    cite="Voorhees, Overview of the TREC 2002 Question Answering Track; formula (9) of Peñas and Rodrigo, ACL 2011",
    kernel="CWS",
)  # fmt: skip
def confidence_weighted_score(
    correct: Column, answered: Column, confidence: Column, position: Column, ties: str = "expected"
) -> float | None:
    """CWS = (1/n) Σ_i C(i)/i, with C(i) the right answers among the i most confident ones.

    Unanswered questions rank last and are not correct. Tied answers
    contribute the expectation over their orders; with `ties=file` they keep the order of the run's file.

    Right at ranks 1 and 3 of 3: (1/1 + 1/2 + 2/3) / 3 = 13/18.

    >>> round(confidence_weighted_score([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1], [0, 1, 2]) * 18, 9)
    13.0

    Equal confidences give the accuracy:

    >>> round(confidence_weighted_score([1, 0, 1], [1, 1, 1], [0.5, 0.5, 0.5], [0, 1, 2]) * 3, 9)
    2.0
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None or not extent(answers[1])[1] > 0:
        return None
    hits, stated = answers
    if ties == "file":
        kept = [place for place, chosen in zip(position, answered, strict=True) if chosen]
        shares = _shares_right_by_position(hits, stated, kept)
    else:
        shares = shares_right(hits, stated)
    right = total(hits)
    after = each(lambda rank: right / rank, counting(len(hits) + 1, len(correct), hits))
    return (total(shares) + total(after)) / len(correct)


@whole(
    "K1", task=TASK, low=-1.0, of=COLUMNS, undefined="where there are no questions or an answer has no confidence",
    cite=HERRERA + ", formula (2)",
)  # fmt: skip
def k1(correct: Column, answered: Column, confidence: Column) -> float | None:
    """K1 = Σ confidence · (+1 if correct, else -1) / number of questions, summed over the answers given.

    With several answers to a question, the final one counts. Confidence 0 counts as no answer.

    (0.9 - 0.5) / 4 with one question unanswered and one answered with confidence 0:

    >>> round(k1([1, 0, 0, 0], [1, 1, 0, 1], [0.9, 0.5, 0.7, 0.0]), 9)
    0.1
    """
    if not len(correct):
        return None
    if not any(answered):
        return 0.0
    answers = answers_with_confidence(correct, answered, confidence)
    return None if answers is None else total(each(lambda hit, p: p * (2 * hit - 1), *answers)) / len(correct)


@whole(
    "Pearson", task=TASK, aliases=("r",), low=-1.0, of=("answer_correct", "answer_confidence"),
    undefined="where confidence or correctness is constant, fewer than 2 answers are given or one has no confidence",
    cite=HERRERA + ", formula (3)",
)  # fmt: skip
def pearson(answer_correct: Sequence[Any], answer_confidence: Sequence[Any]) -> float | None:
    """r = cov(confidence, correctness) / (σ σ), the correlation of confidence and correctness over all answers.

    A cell is one answer's value, a tuple of them where a question has several answers, or () where it has none.

    Confidence 1 for right and 0 for wrong answers:

    >>> pearson([1, 0, (1, 0), ()], [1.0, 0.0, (1.0, 0.0), ()])
    1.0
    """
    hits, stated = vector(_flat(answer_correct)), vector(_flat(answer_confidence))
    if len(hits) < 2 or has_gaps(stated):
        return None
    if any(low == high for low, high in map(extent, (hits, stated))):
        return None
    x, y = _centred(hits), _centred(stated)
    r = _dot(x, y) / sqrt(_dot(x, x) * _dot(y, y))
    return max(-1.0, min(1.0, r))


def _centred(values: Vector) -> Vector:
    """Return distances from the mean, scaled to at most 1, so that squares do not underflow."""
    mean = total(values) / len(values)
    distances = each(lambda value: value - mean, values)
    _, largest = extent(each(abs, distances))
    return each(lambda distance: distance / largest, distances)


def _dot(x: Vector, y: Vector) -> float:
    return total(each(lambda a, b: a * b, x, y))


def _flat(column: Sequence[Any]) -> Sequence[Any]:
    if isinstance(column, Answered):
        return column.flat()
    if not isinstance(column, list) or not any(isinstance(cell, tuple) for cell in column):
        return column
    cells: list[Any] = []
    for cell in column:
        cells.extend(cell if isinstance(cell, tuple) else (cell,))  # pyright: ignore[reportUnknownArgumentType]
    return cells


def area_under_roc(right: Vector, sizes: Vector) -> float | None:
    """Return the share of (positive, negative) pairs in the right order, ties counting half.

    The groups of ties go from high to low.

    Groups of 1 positive, then 1 positive and 1 negative: of 2 pairs one is in order and one is tied.

    >>> area_under_roc([1, 1], [1, 2])
    0.75
    """
    groups = list(zip(plain(right), plain(sizes), strict=True))
    positives = sum(hits for hits, _ in groups)
    below = negatives = sum(size for _, size in groups) - positives
    if not positives or not negatives:
        return None
    twice = 0
    for hits, size in groups:
        below -= size - hits
        twice += hits * (2 * below + size - hits)
    return twice / (2 * positives * negatives)


@whole(
    "AUROC", task=TASK, of=COLUMNS, undefined="where all answers are right, all are wrong, or one has no confidence",
    cite="Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 2006", kernel="AUROC", counts=RARER_CLASS,
)  # fmt: skip
@of_answers
def auroc(hits: Vector, stated: Vector) -> float | None:
    """The chance that a right answer has a higher confidence than a wrong one, ties counting half.

    The wrong answer is below one right answer and tied with the other: (1 + 0.5) / 2.

    >>> auroc([1, 1, 0, 0], [1, 1, 1, 0], [0.9, 0.5, 0.5, None])
    0.75
    """
    return area_under_roc(*tie_groups(hits, stated))
