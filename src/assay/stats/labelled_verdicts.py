"""Verdicts of a judge on all questions of a run and of people on some: the data of every correction.

A question left unanswered needs no judge: what everybody wants to know is p, the mean verdict over the questions *answered*.
A measure is then p times what the share u of unanswered questions makes of it:

    precision   p               of the answers given
    accuracy    p · (1 - u)     an unanswered question counts 0; a mean of scores from 0 to 1 is the same
    c@1         p · (1 - u²)    (nac + nac/n · nu)/n = p(1 - u)(1 + u), since nac = p(1 - u)n
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.resampling.arithmetic import Floats

Flags = NDArray[np.bool_]


class Form(NamedTuple):
    """What the share of unanswered questions makes of p: a factor, and the factor's derivative."""

    factor: Callable[[float], float]
    slope: Callable[[float], float]


FORMS = {
    "precision": Form(lambda u: 1.0, lambda u: 0.0),
    "accuracy": Form(lambda u: 1 - u, lambda u: -1.0),
    "c@1": Form(lambda u: 1 - u * u, lambda u: -2 * u),
}


@dataclass(frozen=True)
class Labelled:
    """One run's questions. All arrays are of one length, a place for every question of any run that is compared with it."""

    judge: Floats
    """From 0 to 1 as a rule; NaN where the question is not answered, or not asked."""
    human: Floats
    """The same, NaN where nobody looked."""
    unanswered: Flags

    @cached_property
    def answered(self) -> Flags:
        """Questions with a verdict of the judge."""
        return ~np.isnan(self.judge)

    @cached_property
    def labelled(self) -> Flags:
        """Those with a person's verdict too."""
        return ~np.isnan(self.human) & self.answered

    @cached_property
    def others(self) -> Flags:
        """Those without one."""
        return np.isnan(self.human) & self.answered

    @property
    def asked(self) -> int:
        """Questions that enter: answered or left unanswered."""
        return int(self.answered.sum() + self.unanswered.sum())

    @property
    def share(self) -> float:
        """u, the share of the questions that is left unanswered."""
        return float(self.unanswered.sum()) / self.asked

    @cached_property
    def binary(self) -> bool:
        """Whether every verdict of anybody is 0 or 1."""
        return all(
            bool(((said == 0) | (said == 1)).all()) for said in (self.judge[self.answered], self.human[self.labelled])
        )

    @classmethod
    def of(
        cls, judge: Sequence[float | None] | Floats, human: Sequence[float | None] | Floats, unanswered: Any = None
    ) -> Labelled:
        """From lists, None standing for what is not there."""
        said, labels = (np.array(row, np.float64) for row in (judge, human))  # numpy makes None a NaN
        gone = np.zeros(len(said), bool) if unanswered is None else np.asarray(unanswered, bool)
        return cls(np.where(gone, np.nan, said), labels, gone)


class Agreement(NamedTuple):
    """How a judge and people agree on verdicts of 0 and 1; None where there is nothing to be a share of."""

    sensitivity: float | None
    """Of what people call right, the share the judge does too."""
    specificity: float | None
    """Of what people call wrong."""
    kappa: float | None
    """Cohen's."""


def agreement_of(judge: Floats, human: Floats) -> Agreement:
    """Of verdicts on the same questions, all 0 or 1.

    >>> agreement_of(np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))
    Agreement(sensitivity=1.0, specificity=0.6666666666666667, kappa=0.5)
    """
    right, wrong = human == 1, human == 0
    chance = judge.mean() * human.mean() + (1 - judge.mean()) * (1 - human.mean())
    return Agreement(
        float(judge[right].mean()) if right.any() else None,
        float(1 - judge[wrong].mean()) if wrong.any() else None,
        float(((judge == human).mean() - chance) / (1 - chance)) if chance < 1 else None,
    )


def drawn_oddly(run: Labelled, level: float = 0.001) -> tuple[float, float] | None:
    """The judge's mean where somebody labelled and where nobody did, if they differ more than chance would have it; else None.

    A z-test of two means at the level of .001: labels that were chosen, and not drawn, are often chosen by what the judge said.
    """
    from scipy.special import ndtr

    here, elsewhere = run.judge[run.labelled], run.judge[run.others]
    if min(len(here), len(elsewhere)) < 2:
        return None
    pooled = run.judge[run.answered].var(ddof=1) * (1 / len(here) + 1 / len(elsewhere))
    apart = abs(here.mean() - elsewhere.mean())
    if pooled == 0 or 2 * ndtr(-apart / np.sqrt(pooled)) >= level:
        return None
    return float(here.mean()), float(elsewhere.mean())
