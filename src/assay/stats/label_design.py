"""Sample size design for human labels beside a judge: interval width by number of labels, and labels by width.

People label n random questions of Q, and the judge all Q. With the variance σ²_y of people's verdicts, σ²_f of the judge's, their
correlation ρ and the unlabelled share s = (Q - n)/Q, the variances of the estimates are

    human-only     σ²_y / n
    PPI++          σ²_y / n · (1 - ρ² s)                              with the best λ = s · cov/σ²_f
    Rogan-Gladen   σ²_y / n · (s/ρ² + 1 - 2s)

With all questions labelled (s = 0) all three are the same, the lower limit with any judge. PPI++ is that of `assay.correct`
(Angelopoulos, Duchi and Zrnic, 2023), with λ from 0 to 1. Rogan and Gladen (1978) is for verdicts of right and wrong, with the
judge's rate over all questions and its sensitivity and specificity from the labels (delta method); with many questions it needs
1/ρ² times the labels of PPI++, which can be more than people alone need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, sqrt
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.measures.engines.bisection import smallest_count, smallest_numbers
from assay.resampling.arithmetic import Floats
from assay.settings import ABOVE_ZERO, Kind, checked

MIN_LABELS = 2
"""Fewer labels have no variance."""
MAX_LABELS = 10**12
"""The search for a number of labels stops here."""
ROOM = 1 + 1e-12
"""Tolerance for the last bit of a width."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Variances of people's and the judge's verdicts, and their covariance; numbers, or arrays of them."""

    human: Any
    judge: Any
    together: Any
    """Their covariance."""

    @property
    def correlation(self) -> float | None:
        """ρ; None if either never varies."""
        both = self.human * self.judge
        return None if not both > 0 else min(1.0, max(-1.0, float(self.together / sqrt(both))))


def of_verdicts(rate: float, sensitivity: float, specificity: float) -> Spread:
    """Return the spread of binary verdicts, from the share that people call right and the judge's sensitivity and specificity.

    The judge's rate is .5 · .9 + .5 · .2 = .55, its variance .55 · .45, and the covariance .25 · (.9 + .8 - 1):

    >>> spread = of_verdicts(0.5, 0.9, 0.8)
    >>> spread.human, round(spread.judge, 4), round(spread.together, 4)
    (0.25, 0.2475, 0.175)
    """
    judged = rate * sensitivity + (1 - rate) * (1 - specificity)
    of_people = rate * (1 - rate)
    return Spread(of_people, judged * (1 - judged), of_people * (sensitivity + specificity - 1))


def of_correlation(variance: float, correlation: float) -> Spread:
    """Return the spread for a known correlation, if the judge's scores vary like people's."""
    return Spread(variance, variance, correlation * variance)


def of_stated(
    *, sensitivity: float | None, specificity: float | None, rate: float | None, correlation: float | None, kappa: float | None,
    variance: float | None, variance_of_differences: float | None,
) -> tuple[Spread, tuple[float, float] | None]:  # fmt: skip
    """Return the spread from stated numbers, and the sensitivity and specificity if they are among them."""
    for name, value, low in (
        ("sensitivity", sensitivity, 0), ("specificity", specificity, 0), ("rate", rate, 0), ("correlation", correlation, -1),
        ("kappa", kappa, -1),
    ):  # fmt: skip
        if value is not None:
            checked(name, value, Kind(float, f"a number from {low} to 1", low=low, high=1))
    for name, value in (("variance", variance), ("variance_of_differences", variance_of_differences)):
        if value is not None:
            checked(name, value, ABOVE_ZERO)
    if rate is not None and not 0 < rate < 1:
        raise UsageError(f"`rate={rate}`: verdicts do not vary, so any number of labels is enough")
    shares = sensitivity is not None or specificity is not None
    if shares + (correlation is not None) + (kappa is not None) != 1:
        raise UsageError(
            "a plan of labels needs a pilot with verdicts of the judge and of people, or their agreement: "
            "`sensitivity=0.9` and `specificity=0.8`, or `kappa=0.7`, each with `rate=0.6`, or `correlation=0.7`"
        )
    if correlation is not None:
        variances = [rate and rate * (1 - rate), variance, variance_of_differences]
        known = [number for number in variances if number is not None]
        if len(known) != 1:
            raise UsageError("`correlation` needs exactly one of `rate`, `variance` and `variance_of_differences`")
        return of_correlation(known[0], correlation), None
    if variance is not None or variance_of_differences is not None or rate is None:
        raise UsageError(
            "`sensitivity`, `specificity` and `kappa` are for binary verdicts: expected `rate` with them, and no variance"
        )
    if kappa is not None:
        # If judge and people have the same rate, 1 - chance is twice the variance, so kappa is the correlation.
        return of_correlation(rate * (1 - rate), kappa), None
    if sensitivity is None or specificity is None:
        raise UsageError("`sensitivity=` and `specificity=` go together; give both")
    return of_verdicts(rate, sensitivity, specificity), (sensitivity, specificity)


def human_variance(labels: Any, of: Spread) -> Any:
    """Return the variance of the mean of n labels."""
    return of.human / labels


def judge_variance(labels: Any, questions: float, of: Spread) -> Any:
    """Return the variance of PPI++ with n labels of Q questions and the best λ in [0, 1]:

        (σ²_y - 2λ cov + λ² σ²_f / s) / n,  s = (Q - n)/Q

    Half of 200 questions are labelled, ρ is .8: λ = .5 · .2/.25 = .4, and (.25 - .16 + .08)/100 = .25/100 · (1 - .64 · .5):

    >>> round(judge_variance(100, 200, Spread(0.25, 0.25, 0.2)), 6)
    0.0017
    """
    others = np.where(questions == inf, 1.0, (questions - labels) / questions)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.nan_to_num(np.clip(others * of.together / of.judge, 0.0, 1.0))
        reduction = np.where(weight > 0, weight**2 * of.judge / others - 2 * weight * of.together, 0.0)
    variance = np.maximum((of.human + reduction) / labels, 0.0)  # rounding can leave a perfect judge just below 0
    return variance if np.ndim(variance) else float(variance)


def gladen_variance(labels: float, questions: float, of: Spread) -> float:
    """Return the variance of the Rogan-Gladen correction with n labels of Q questions; infinite for an uninformative judge.

        σ²_y/Q + e/J² · (1/n - 1/Q),  J = cov/σ²_y = sensitivity + specificity - 1,  e = σ²_f - J² σ²_y

    e is the variance of the judge given people's verdict. With sensitivity .9, specificity .8 and half right, J = .7 and
    e = .2475 - .7² · .25 = .125: .25/200 + .125/.49 · (1/100 - 1/200).

    >>> round(gladen_variance(100, 200, of_verdicts(0.5, 0.9, 0.8)), 6)
    0.002526
    """
    known = of.together / of.human
    if known <= 0:
        return inf
    error = max(of.judge - known**2 * of.human, 0.0)
    return of.human / questions + error / known**2 * (1 / labels - 1 / questions)


def labels_alone(width: float, of: Spread, z: float) -> int:
    """Return the labels that people alone need for an interval of a total width: σ²_y (2z/width)².

    A poll to within ±3 points:

    >>> labels_alone(0.06, Spread(0.25, 0.0, 0.0), 1.96)
    1068
    """
    try:
        return max(MIN_LABELS, ceil(of.human * (2 * z / width) ** 2 / ROOM))
    except OverflowError:
        raise UsageError(f"`width={width}`: too narrow, the number of labels it needs overflows") from None


def labels_beside_judge(width: float, questions: float, of: Spread, z: float) -> int | None:
    """Return the fewest labels with which PPI++ reaches a width; None if labelling every question does not.

    With λ inside its range, n = (1 - ρ²) m / (1 - ρ² m/Q), where m is what people alone need. Here m = 400, ρ² = .64 and
    Q = 1,000: .36 · 400 / (1 - .256) = 193.5:

    >>> labels_beside_judge(0.098, 1000, Spread(0.25, 0.25, 0.2), 1.96)
    194
    """
    enough = _reaches(width, z, lambda labels: judge_variance(labels, questions, of))
    return _fewest(enough, min(questions, labels_alone(width, of, z)))


def labels_for_gladen(width: float, questions: float, of: Spread, z: float) -> int | None:
    """Return the fewest labels with which Rogan-Gladen reaches a width; None if labelling every question does not.

    As above, m = 400 and Q = 1,000: n = 1/(1/1000 + (1/400 - 1/1000) · .64/.36) = 272.7.

    >>> labels_for_gladen(0.098, 1000, Spread(0.25, 0.25, 0.2), 1.96)
    273
    """
    return _fewest(_reaches(width, z, lambda labels: gladen_variance(labels, questions, of)), questions)


def _reaches(width: float, z: float, variance: Callable[[float], float]) -> Callable[[int], bool]:
    return lambda labels: 2 * z * sqrt(variance(labels)) <= width * ROOM


def _fewest(enough: Callable[[int], bool], most: float) -> int | None:
    """Return the smallest number from 2 to `most` that is enough; `enough` is monotone."""
    low, high = MIN_LABELS - 1, MIN_LABELS
    while high < most and high <= MAX_LABELS and not enough(high):
        low, high = high, int(min(high * 2, most))
    if not enough(high):
        return None
    return smallest_count(enough, low, high)


def many_beside_judge(width: float, questions: float, of: Spread, z: float) -> Floats:
    """Return `labels_beside_judge` of many spreads, not rounded up; infinite if no number is enough."""
    alone = np.maximum(MIN_LABELS, of.human * (2 * z / width) ** 2)

    def enough(labels: Floats) -> Any:
        return 2 * z * np.sqrt(judge_variance(labels, questions, of)) <= width * ROOM

    high = smallest_numbers(enough, np.full_like(alone, float(MIN_LABELS)), np.minimum(alone, questions), 40)
    return np.where(alone > questions, inf, high)
