"""Sample size design for human labels beside a judge: interval width by number of labels, and labels by width.

Of Q questions n are labelled by people, at random, and all Q are judged. With σ²_y the variance of what people say of a question, σ²_f of
what the judge says, ρ the correlation of the two and s = (Q - n)/Q the share that nobody labels, the estimates vary by

    human-only     σ²_y / n
    PPI++          σ²_y / n · (1 - ρ² s)                              with the best λ = s · cov/σ²_f
    Rogan-Gladen   σ²_y / n · (s/ρ² + 1 - 2s)

Where every question is labelled, s = 0, all three are the same: no judge makes an interval narrower than that. PPI++ is that of
`assay.correct` (Angelopoulos, Duchi and Zrnic, 2023), whose λ stays from 0 to 1. The correction of Rogan and Gladen (1978) is of
verdicts that are right or wrong, with the judge's rate over all questions and its sensitivity and specificity from the labels (delta
method); it takes 1/ρ² times the labels of PPI++ where questions are many, and can take more than people alone would.
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

FEWEST = 2
"""Labels below which nobody can tell how far they vary."""
BEYOND = 10**12
"""Labels that nobody will ever make."""
ROOM = 1 + 1e-12
"""A width that differs from the wanted one in the last bit is the wanted one."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far questions vary: in what people say, in what the judge says, and in both together; numbers, or arrays of them."""

    human: Any
    judge: Any
    together: Any
    """Their covariance."""

    @property
    def correlation(self) -> float | None:
        """ρ; None where either says the same of every question."""
        both = self.human * self.judge
        return None if not both > 0 else min(1.0, max(-1.0, float(self.together / sqrt(both))))


def of_verdicts(rate: float, sensitivity: float, specificity: float) -> Spread:
    """The spread of verdicts that are right or wrong, from the share that people call right and the judge's sensitivity and specificity.

    The judge's rate is .5 · .9 + .5 · .2 = .55, its variance .55 · .45, and the covariance .25 · (.9 + .8 - 1):

    >>> made = of_verdicts(0.5, 0.9, 0.8)
    >>> made.human, round(made.judge, 4), round(made.together, 4)
    (0.25, 0.2475, 0.175)
    """
    judged = rate * sensitivity + (1 - rate) * (1 - specificity)
    of_people = rate * (1 - rate)
    return Spread(of_people, judged * (1 - judged), of_people * (sensitivity + specificity - 1))


def of_correlation(variance: float, correlation: float) -> Spread:
    """The spread where the correlation is known and the judge's scores vary as people's do."""
    return Spread(variance, variance, correlation * variance)


def of_stated(
    *, sensitivity: float | None, specificity: float | None, rate: float | None, correlation: float | None, kappa: float | None,
    variance: float | None, variance_of_differences: float | None,
) -> tuple[Spread, tuple[float, float] | None]:  # fmt: skip
    """The spread that stated numbers make, and the sensitivity and specificity where they are among them."""
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
        raise UsageError(f"`rate={rate}`: nothing varies, so any number of labels would do; nothing to plan")
    shares = sensitivity is not None or specificity is not None
    if shares + (correlation is not None) + (kappa is not None) != 1:
        raise UsageError(
            "a plan of labels needs a pilot with a judge's verdicts and some of people's, or how far they agree: "
            "`sensitivity=0.9` and `specificity=0.8`, or `kappa=0.7`, each with `rate=0.6`, or `correlation=0.7`"
        )
    if correlation is not None:
        of = [one for one in (rate and rate * (1 - rate), variance, variance_of_differences) if one is not None]
        if len(of) != 1:
            raise UsageError(
                "`correlation` needs one of `rate`, `variance` and `variance_of_differences`: how far people's scores vary"
            )
        return of_correlation(of[0], correlation), None
    if variance is not None or variance_of_differences is not None or rate is None:
        raise UsageError(
            "`sensitivity`, `specificity` and `kappa` are of verdicts that are right or wrong: expected `rate` with them, and no variance"
        )
    if kappa is not None:
        # Where judge and people call as many right, 1 - chance is twice the variance, and kappa is the correlation.
        return of_correlation(rate * (1 - rate), kappa), None
    if sensitivity is None or specificity is None:
        raise UsageError("`sensitivity=` and `specificity=` go together; give both")
    return of_verdicts(rate, sensitivity, specificity), (sensitivity, specificity)


def human_variance(labels: Any, of: Spread) -> Any:
    """Var of the mean of n labels."""
    return of.human / labels


def judge_variance(labels: Any, questions: float, of: Spread) -> Any:
    """Var of PPI++ with n labels of Q questions, the best λ being clipped to [0, 1] as `assay.correct` clips it:

        (σ²_y - 2λ cov + λ² σ²_f / s) / n,  s = (Q - n)/Q

    Half of 200 questions are labelled, ρ is .8: λ = .5 · .2/.25 = .4, and (.25 - .16 + .08)/100 = .25/100 · (1 - .64 · .5):

    >>> round(judge_variance(100, 200, Spread(0.25, 0.25, 0.2)), 6)
    0.0017
    """
    others = np.where(questions == inf, 1.0, (questions - labels) / questions)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.nan_to_num(np.clip(others * of.together / of.judge, 0.0, 1.0))
        heard = np.where(weight > 0, weight**2 * of.judge / others - 2 * weight * of.together, 0.0)
    found = (of.human + heard) / labels
    found = np.maximum(found, 0.0)  # rounding can leave a perfect judge just below 0
    return found if np.ndim(found) else float(found)


def gladen_variance(labels: float, questions: float, of: Spread) -> float:
    """Var of the Rogan-Gladen correction with n labels of Q questions; infinite of a judge that knows nothing.

        σ²_y/Q + e/J² · (1/n - 1/Q),  J = cov/σ²_y = sensitivity + specificity - 1,  e = σ²_f - J² σ²_y

    e is how far the judge varies among what people say the same of. Sensitivity .9, specificity .8, half right: J = .7, and of the judge's
    .2475 are .7² · .25 = .1225 what people say and .125 its own errors: .25/200 + .125/.49 · (1/100 - 1/200).

    >>> round(gladen_variance(100, 200, of_verdicts(0.5, 0.9, 0.8)), 6)
    0.002526
    """
    known = of.together / of.human
    if known <= 0:
        return inf
    own = max(of.judge - known**2 * of.human, 0.0)
    return of.human / questions + own / known**2 * (1 / labels - 1 / questions)


def labels_alone(width: float, of: Spread, z: float) -> int:
    """The labels that people alone need for an interval of that width, end to end: σ²_y (2z/width)².

    An opinion poll to within three points either way:

    >>> labels_alone(0.06, Spread(0.25, 0.0, 0.0), 1.96)
    1068
    """
    try:
        return max(FEWEST, ceil(of.human * (2 * z / width) ** 2 / ROOM))
    except OverflowError:
        raise UsageError(f"`width={width}`: too narrow, the number of labels it needs overflows") from None


def labels_beside_judge(width: float, questions: float, of: Spread, z: float) -> int | None:
    """The fewest labels with which PPI++ reaches a width; None where labelling every question would not.

    Where λ is inside its range, n = (1 - ρ²) m / (1 - ρ² m/Q), with the m that people alone need. Here m is 400, and with a ρ² of .64
    and 1,000 questions .36 · 400 / (1 - .256) = 193.5:

    >>> labels_beside_judge(0.098, 1000, Spread(0.25, 0.25, 0.2), 1.96)
    194
    """
    enough = _reaches(width, z, lambda labels: judge_variance(labels, questions, of))
    return _fewest(enough, min(questions, labels_alone(width, of, z)))


def labels_for_gladen(width: float, questions: float, of: Spread, z: float) -> int | None:
    """The fewest labels with which the Rogan-Gladen correction reaches a width; None where labelling every question would not.

    As above m is 400, of 1,000 questions: n = 1/(1/1000 + (1/400 - 1/1000) · .64/.36) = 272.7.

    >>> labels_for_gladen(0.098, 1000, Spread(0.25, 0.25, 0.2), 1.96)
    273
    """
    return _fewest(_reaches(width, z, lambda labels: gladen_variance(labels, questions, of)), questions)


def _reaches(width: float, z: float, variance: Callable[[float], float]) -> Callable[[int], bool]:
    return lambda labels: 2 * z * sqrt(variance(labels)) <= width * ROOM


def _fewest(enough: Callable[[int], bool], most: float) -> int | None:
    """The smallest number from 2 to `most` that is enough, where enough stays enough."""
    low, high = FEWEST - 1, FEWEST
    while high < most and high <= BEYOND and not enough(high):
        low, high = high, int(min(high * 2, most))
    if not enough(high):
        return None
    return smallest_count(enough, low, high)


def many_beside_judge(width: float, questions: float, of: Spread, z: float) -> Floats:
    """`labels_beside_judge` of many spreads at once, not rounded up; infinite where nothing would do."""
    alone = np.maximum(FEWEST, of.human * (2 * z / width) ** 2)

    def enough(labels: Floats) -> Any:
        return 2 * z * np.sqrt(judge_variance(labels, questions, of)) <= width * ROOM

    high = smallest_numbers(enough, np.full_like(alone, float(FEWEST)), np.minimum(alone, questions), 40)
    return np.where(alone > questions, inf, high)
