"""The Brier score in three parts: reliability - resolution + uncertainty (Murphy 1973).

Answers of equal confidence form a group, unless `bins` gives a number of equally wide bins. Either way the three add up to the
Brier score exactly: differences of confidence within a bin belong to the (generalised) resolution (Stephenson, Coelho and
Jolliffe 2008).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.measures.calibration import bin_of
from assay.measures.confidence import STATED
from assay.measures.define import whole
from assay.measures.engines.vectors import answers_with_confidence, plain, sums_by_place, total
from assay.measures.parameters import positive

if TYPE_CHECKING:
    from assay.measures.engines.vectors import Vector

Column = Sequence[float | None]
MURPHY = "Murphy, A new vector partition of the probability score, Journal of Applied Meteorology 1973"
STEPHENSON = "Stephenson, Coelho and Jolliffe, Two extra components in the Brier score decomposition, Weather and Forecasting 2008"
PARTS: dict[str, Any] = {"parameters": {"bins": positive}, **STATED}


class Groups(NamedTuple):
    """Answers by confidence: the group of each, and of every group its size, right ones and sum of confidences."""

    place: Vector
    size: list[float]
    right: list[float]
    confidence_sums: list[float]


def _groups(hits: Vector, stated: Vector, bins: int | None) -> Groups:
    if bins is None:
        levels = sorted({*plain(stated)})
        place, count = _level_of(stated, levels), len(levels)
    else:
        place, count = bin_of(stated, bins, "right"), bins
    columns = ([1.0] * len(hits), hits, stated)
    return Groups(place, *(plain(sums_by_place(place, column, count)) for column in columns))


def _level_of(stated: Vector, levels: list[float]) -> Vector:
    if isinstance(stated, list):
        return [bisect_left(levels, cell) for cell in plain(stated)]
    import numpy as np

    return np.searchsorted(levels, stated)


@whole("Brier_reliability", aliases=("REL",), higher_is_better=False, **PARTS, cite=MURPHY)
def brier_reliability(correct: Column, answered: Column, confidence: Column, bins: int | None = None) -> float | None:
    """REL = (1/m) Σ_k m_k · (mean confidence of k - precision of k)², over groups k of equal confidence, or `bins`.

    The part of the Brier score due to miscalibration; 0 for perfect calibration.

    Two answers at 0.8, both right, and two at 0.5, one right: 2 · 0.2² / 4.

    >>> round(brier_reliability([1, 1, 1, 0], [1] * 4, [0.8, 0.8, 0.5, 0.5]), 9)
    0.02
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    _, sizes, hits, stated = _groups(*answers, bins)
    cells = zip(sizes, hits, stated, strict=True)
    return sum(size * ((right - confidence_sum) / size) ** 2 for size, right, confidence_sum in cells if size) / len(
        answers[0]
    )


@whole("Brier_resolution", aliases=("RES",), low=-1.0, **PARTS, cite=MURPHY + "; with bins " + STEPHENSON)
def brier_resolution(correct: Column, answered: Column, confidence: Column, bins: int | None = None) -> float | None:
    """RES = (1/m) Σ_k m_k · (precision of k - precision of all)², over groups k of equal confidence, or `bins`.

    How well confidence separates right from wrong, independent of calibration. Over bins the covariance within them is
    added and the variance subtracted, (1/m) Σ 2(c - c̄_k)(p - p̄_k) - (p - p̄_k)², without which the parts would not add up.

    Two answers at 0.8, both right, and two at 0.5, one right: precision 0.75, so (2 · 0.25² + 2 · 0.25²) / 4.

    >>> round(brier_resolution([1, 1, 1, 0], [1] * 4, [0.8, 0.8, 0.5, 0.5]), 9)
    0.0625
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    truth, confidences = answers
    place, sizes, hits, stated = _groups(truth, confidences, bins)
    share = total(truth) / len(truth)
    between = sum(size * (right / size - share) ** 2 for size, right in zip(sizes, hits, strict=True) if size)
    if bins is None:
        return between / len(truth)
    precision, mean = ([a / b if b else 0.0 for a, b in zip(sums, sizes, strict=True)] for sums in (hits, stated))
    within = 0.0
    for at, right, stated_here in zip(plain(place), plain(truth), plain(confidences), strict=True):
        apart = stated_here - mean[at]
        within += 2 * (right - precision[at]) * apart - apart * apart
    return (between + within) / len(truth)


@whole("Brier_uncertainty", aliases=("UNC",), high=0.25, higher_is_better=None, **STATED, cite=MURPHY)
def brier_uncertainty(correct: Column, answered: Column, confidence: Column) -> float | None:
    """UNC = p · (1 - p), p the precision of all answers: the Brier score of always stating p.

    Brier = REL - RES + UNC. Two answers at 0.8, both right, and two at 0.5, one right: 0.75 · 0.25 = 0.1875, and
    0.02 - 0.0625 + 0.1875 = 0.145 = (0.04 + 0.04 + 0.25 + 0.25) / 4.

    >>> brier_uncertainty([1, 1, 1, 0], [1] * 4, [0.8, 0.8, 0.5, 0.5])
    0.1875
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    share = total(answers[0]) / len(answers[0])
    return share * (1 - share)
