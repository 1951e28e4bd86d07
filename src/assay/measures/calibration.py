"""Measures of calibration: are 70% of the answers with a confidence of 70% right?

The columns are those of `assay.measures.confidence`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import erf, exp, log, pi, sqrt

from assay.measures.confidence import STATED
from assay.measures.define import whole
from assay.measures.engines.vectors import Vector, answers_with_confidence, each, plain, sums_by_place, total
from assay.measures.parameters import number, one_of, positive, require

Column = Sequence[float | None]


@whole("mean_confidence", higher_is_better=None, **STATED, cite="the mean of the stated confidences")
def mean_confidence(correct: Column, answered: Column, confidence: Column) -> float | None:
    """The mean confidence of the answers given.

    >>> mean_confidence([1, 0, 0], [1, 1, 0], [1.0, 0.5, None])
    0.75
    """
    answers = answers_with_confidence(correct, answered, confidence)
    return None if answers is None else total(answers[1]) / len(answers[1])


@whole(
    "overconfidence", low=-1.0, higher_is_better=None, **STATED,
    cite="Lichtenstein, Fischhoff and Phillips, Calibration of probabilities: the state of the art to 1980",
)  # fmt: skip
def overconfidence(correct: Column, answered: Column, confidence: Column) -> float | None:
    """Mean confidence minus precision over the answers given; below 0 is underconfidence.

    >>> overconfidence([1, 0, 0], [1, 1, 0], [1.0, 0.5, None])
    0.25
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    right, stated = map(total, answers)
    return stated / len(answers[1]) - right / len(answers[0])


@whole(
    "Brier", higher_is_better=False, **STATED,
    cite="Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 1950",
)  # fmt: skip
def brier(correct: Column, answered: Column, confidence: Column) -> float | None:
    """(1/m) Σ (confidence - correct)² over the m answers given.

    ((1 - 0.5)² + (0 - 0.5)²) / 2:

    >>> brier([1, 0], [1, 1], [0.5, 0.5])
    0.25
    """
    answers = answers_with_confidence(correct, answered, confidence)
    return None if answers is None else squared_error(*answers)


def squared_error(truth: Vector, stated: Vector) -> float:
    """Return the mean of (stated - truth)²."""
    return total(each(lambda right, p: (p - right) * (p - right), truth, stated)) / len(truth)


def small(text: str) -> float:
    """a probability above 0 and below 0.5"""
    return require(number(text), lambda value: 0 < value < 0.5, "a number above 0 and below 0.5")


@whole(
    "log_score", parameters={"floor": small}, low=None, high=0.0, **STATED,
    cite="Good, Rational decisions, Journal of the Royal Statistical Society B 1952",
)  # fmt: skip
def log_score(correct: Column, answered: Column, confidence: Column, floor: float = 2.0**-52) -> float | None:
    """(1/m) Σ ln(confidence if correct, else 1 - confidence) over the m answers given.

    Probabilities are clipped to [floor, 1 - floor], since a wrong certainty would cost infinitely much.

    ln(0.5) for a coin:

    >>> round(log_score([1, 0], [1, 1], [0.5, 0.5]), 4)
    -0.6931
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    logs: list[float] = []
    for right, p in zip(*map(plain, answers), strict=True):
        kept = min(max(p, floor), 1 - floor)
        logs.append(log(kept if right else 1 - kept))
    return total(logs) / len(logs)


def bin_of(confidence: Vector, bins: int, closed: str) -> Vector:
    """Return the number of each confidence's bin, among equally wide ones whose edges are numpy.linspace(0, 1, bins + 1).

    Right-closed bins are (low, high], 0 in the first; left-closed ones [low, high), 1 in the last. Edges and
    confidences are compared as doubles: the one place where assay's bins follow doubles rather than decimals, because
    published calibration errors do. The fourth edge of ten is the double 0.30000000000000004, and 0.3 lies below it:

    >>> bin_of([0.0, 0.1, 0.3, 1.0], 10, "right")
    [0, 0, 2, 9]
    >>> bin_of([0.0, 0.1, 0.3, 1.0], 10, "left")
    [0, 1, 2, 9]
    """
    inner = [i * (1 / bins) for i in range(1, bins)]
    if isinstance(confidence, list):
        place = bisect_left if closed == "right" else bisect_right
        return [place(inner, stated) for stated in plain(confidence)]
    import numpy as np

    return np.searchsorted(inner, confidence, side="left" if closed == "right" else "right")


@whole(
    "ECE", parameters={"bins": positive, "closed": one_of("right", "left")}, higher_is_better=False, **STATED,
    cite="Naeini, Cooper and Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI 2015",
    kernel="ECE",
)  # fmt: skip
def expected_calibration_error(
    correct: Column, answered: Column, confidence: Column, bins: int = 10, closed: str = "right"
) -> float | None:
    """ECE = Σ_b (|b|/m) · |precision of b - mean confidence of b|, over equally wide bins of confidence.

    Ten right-closed bins unless `bins` and `closed` say otherwise; 0 is in the first.

    Two answers at 0.95 of which one is right, two at 0.55 of which one is right: (0.45 + 0.05) / 2.

    >>> round(expected_calibration_error([1, 0, 1, 0], [1] * 4, [0.95, 0.95, 0.55, 0.55]), 9)
    0.25
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    hits, stated = answers
    place = bin_of(stated, bins, closed)
    right, confidence_sums = sums_by_place(place, hits, bins), sums_by_place(place, stated, bins)
    return total(each(lambda a, b: abs(a - b), right, confidence_sums)) / len(hits)


KUMAR = "Kumar, Liang and Ma, Verified Uncertainty Calibration, NeurIPS 2019, as normal_debiased_ce of their library"


@whole(
    "ECEd",
    parameters={"bins": positive, "closed": one_of("right", "left")},
    higher_is_better=False,
    **STATED,
    cite=KUMAR,
)
def debiased_calibration_error(
    correct: Column, answered: Column, confidence: Column, bins: int = 10, closed: str = "right"
) -> float | None:
    """ECE without its bias by chance: Σ_b (|b|/m) · (2|g| - E|N(g, σ²)|), not below 0.

    The bins are those of ECE, and g is the gap of a bin between its precision p and its mean confidence. With few answers
    gaps arise by chance, so that ECE of a calibrated system is above 0. With σ² = p(1 - p)/|b| as the variance of p, the mean
    of |N(g, σ²)| is σ√(2/π)·exp(-g²/2σ²) + g·erf(g/σ√2), and its excess over |g| is subtracted.

    Four answers at 0.6 of which three are right: g = 0.15, σ² = 0.75 · 0.25 / 4, and E|N| = 0.216506 · 0.797885 · 0.786628 +
    0.15 · 0.511578 = 0.212624.

    >>> round(debiased_calibration_error([1, 1, 1, 0], [1] * 4, [0.6] * 4), 6)
    0.087376

    Two answers at 0.5 of which one is right have no gap:

    >>> debiased_calibration_error([1, 0], [1, 1], [0.5, 0.5])
    0.0
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    hits, stated = answers
    place = bin_of(stated, bins, closed)
    sizes = sums_by_place(place, [1.0] * len(hits), bins)
    parts = (sizes, sums_by_place(place, hits, bins), sums_by_place(place, stated, bins))
    return max(0.0, sum(_debiased(*cell) for cell in zip(*map(plain, parts), strict=True)) / len(hits))


def _debiased(size: float, right: float, confidence_sum: float) -> float:
    """Return the contribution of a bin times its number of answers."""
    if not size:
        return 0.0
    share, gap = right / size, abs(right - confidence_sum) / size
    return size * (2 * gap - folded_mean(gap, sqrt(share * (1 - share) / size)))


def folded_mean(mean: float, deviation: float) -> float:
    """Return the mean of |N(mean, deviation²)|.

    >>> round(folded_mean(0.0, 1.0), 6), folded_mean(-2.0, 0.0)
    (0.797885, 2.0)
    """
    if not deviation:
        return abs(mean)
    ratio = mean / deviation
    return deviation * sqrt(2 / pi) * exp(-ratio * ratio / 2) + mean * erf(ratio / sqrt(2))
