"""How far an interval is narrowed by so many human labels beside a judge's verdicts, and how many labels a wanted width takes.

Of Q questions n are labelled by people, at random, and all Q are judged. With σ²_y the variance of what people say of a question, σ²_f of
what the judge says, ρ the correlation of the two and s = (Q - n)/Q the share that nobody labels, the estimates vary by

    human-only     σ²_y / n
    PPI++          σ²_y / n · (1 - ρ² s)                              with the best λ = s · cov/σ²_f
    Rogan-Gladen   (σ²_f / (Q - n) + σ²_f (1 - ρ²) / n) / J²          J = sensitivity + specificity - 1

PPI++ is that of `assay.corrected` (Angelopoulos, Duchi and Zrnic, 2023), whose λ stays from 0 to 1; the correction of Rogan and Gladen
(1978) is of verdicts that are right or wrong, its J learnt from the labels and the judge's rate from the other questions (delta method).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, sqrt
from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats

FEWEST = 2
"""Labels below which nobody can tell how far they vary."""
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


def human_variance(labels: Any, of: Spread) -> Any:
    """Var of the mean of n labels."""
    return of.human / labels


def judge_variance(labels: Any, questions: float, of: Spread) -> Any:
    """Var of PPI++ with n labels of Q questions, the best λ being clipped to [0, 1] as `assay.corrected` clips it:

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
    return found if np.ndim(found) else float(found)


def gladen_variance(labels: float, questions: float, of: Spread) -> float:
    """Var of the Rogan-Gladen correction with n labels of Q questions; infinite of a judge that knows nothing.

    Sensitivity .9, specificity .8, half right: J = .7, and of the judge's .2475 the .7² · .25 = .1225 are what people say and .125 its own
    errors: (.2475/100 + .125/100) / .49.

    >>> round(gladen_variance(100, 200, of_verdicts(0.5, 0.9, 0.8)), 6)
    0.007602
    """
    known = of.together / of.human
    if known <= 0 or labels >= questions:
        return inf
    own = max(of.judge - known**2 * of.human, 0.0)
    return (of.judge / (questions - labels) + own / labels) / known**2


def labels_alone(width: float, of: Spread, z: float) -> int:
    """The labels that people alone need for an interval of that width, end to end: σ²_y (2z/width)².

    An opinion poll to within three points either way:

    >>> labels_alone(0.06, Spread(0.25, 0.0, 0.0), 1.96)
    1068
    """
    return max(FEWEST, ceil(of.human * (2 * z / width) ** 2 / ROOM))


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
    """The fewest labels with which the Rogan-Gladen correction reaches a width; None where no number does.

    The judge's rate is learnt where nobody labelled, so that ever more labels make it worse again; the search ends at the best.
    """
    enough = _reaches(width, z, lambda labels: gladen_variance(labels, questions, of))
    known = of.together / of.human
    own = max(of.judge - known**2 * of.human, 0.0)
    # A/(Q - n) + B/n is least where n/(Q - n) = √(B/A).
    best = inf if questions == inf else questions * sqrt(own) / (sqrt(own) + sqrt(of.judge)) if of.judge > 0 else 0.0
    if known <= 0:
        return None
    sides = (best,) if best == inf else (max(FEWEST, int(best)), max(FEWEST, ceil(best)))
    return next((found for side in sides if (found := _fewest(enough, side)) is not None), None)


def _reaches(width: float, z: float, variance: Callable[[float], float]) -> Callable[[int], bool]:
    return lambda labels: 2 * z * sqrt(variance(labels)) <= width * ROOM


def _fewest(enough: Callable[[int], bool], most: float) -> int | None:
    """The smallest number from 2 to `most` that is enough, where enough stays enough."""
    low, high = FEWEST - 1, FEWEST
    while high < most and not enough(high):
        if high > 10**12:
            return None
        low, high = high, min(high * 2, most)
    if not enough(int(high)):
        return None
    high = int(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def many_beside_judge(width: float, questions: float, of: Spread, z: float) -> Floats:
    """`labels_beside_judge` of many spreads at once, not rounded up; infinite where nothing would do."""
    alone = np.maximum(FEWEST, of.human * (2 * z / width) ** 2)
    low, high = np.full_like(alone, float(FEWEST)), np.minimum(alone, questions)
    for _ in range(60):
        middle = (low + high) / 2
        enough = 2 * z * np.sqrt(judge_variance(middle, questions, of)) <= width * ROOM
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(alone > questions, inf, high)
