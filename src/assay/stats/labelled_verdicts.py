"""Verdicts of a judge on all questions of a run and of people on some: the input of corrections.

An unanswered question needs no judge. The unknown is p, the mean verdict over the questions *answered*. A measure is p times a
factor that depends on u, the share of unanswered questions:

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

from assay.resampling.arithmetic import Floats, Integers
from assay.stats import proportions

Flags = NDArray[np.bool_]
ODD_LEVEL = 0.001
"""The level of the test whether labels were drawn at random."""


class Form(NamedTuple):
    """The factor by which a measure differs from p, as a function of u, and its derivative."""

    factor: Callable[[float], float]
    slope: Callable[[float], float]


FORMS = {
    "precision": Form(lambda u: 1.0, lambda u: 0.0),
    "accuracy": Form(lambda u: 1 - u, lambda u: -1.0),
    "c@1": Form(lambda u: 1 - u * u, lambda u: -2 * u),
}


@dataclass(frozen=True)
class Labelled:
    """One run's questions. All arrays have an entry for every question of the compared runs."""

    judge: Floats
    """Usually from 0 to 1; NaN if the question is not answered, or not asked."""
    human: Floats
    """The same; NaN without a label."""
    unanswered: Flags
    clusters: Integers | None = None
    """The number of each question's cluster, counted from 0; None where questions are independent."""

    @cached_property
    def answered(self) -> Flags:
        """Questions with a verdict of the judge."""
        return ~np.isnan(self.judge)

    @cached_property
    def labelled(self) -> Flags:
        """Answered questions with a person's verdict too."""
        return ~np.isnan(self.human) & self.answered

    @cached_property
    def others(self) -> Flags:
        """Answered questions without a person's verdict."""
        return np.isnan(self.human) & self.answered

    @property
    def asked(self) -> int:
        """The number of questions answered or left unanswered."""
        return int(self.answered.sum() + self.unanswered.sum())

    @property
    def share(self) -> float:
        """u, the share of the questions that is left unanswered."""
        return float(self.unanswered.sum()) / self.asked

    @cached_property
    def binary(self) -> bool:
        """Whether every verdict is 0 or 1."""
        return all(
            bool(((verdicts == 0) | (verdicts == 1)).all())
            for verdicts in (self.judge[self.answered], self.human[self.labelled])
        )

    def count_units(self, where: Flags) -> int:
        """Return how many questions, or clusters of them, are among some."""
        return int(where.sum()) if self.clusters is None else len(np.unique(self.clusters[where]))

    def by_unit(self, pulls: Floats) -> Floats:
        """Return pulls of questions as pulls of clusters; unchanged where questions are independent."""
        return pulls if self.clusters is None else np.asarray(np.bincount(self.clusters, pulls), np.float64)

    def centred(self, values: Floats, where: Flags) -> Floats:
        """Return what each of some questions adds to the error of their mean.

        Squared, after adding up by cluster, they add up to the variance of the mean: s²/n of independent questions.
        """
        units = self.count_units(where)
        pulls = np.zeros(len(self.judge))
        pulls[where] = (values - values.mean()) / len(values) * np.sqrt(units / max(units - 1, 1))
        return pulls

    def worth(self, pulls: Floats, rare: float, confidence: float = 0.95) -> float:
        """Return how many independent labels one label is worth in an estimate with these pulls; 1 without clusters.

        `rare` is how many labels there are of the rarer verdict (see `proportions.worth`).
        """
        if self.clusters is None:
            return 1.0
        labels, units = int(self.labelled.sum()), self.count_units(self.labelled)
        by_cluster = float((self.by_unit(pulls) ** 2).sum()) if units > 1 else np.inf
        by_label = float((pulls**2).sum()) * (units - 1) / units * labels / max(labels - 1, 1)
        return proportions.worth(labels, units, by_cluster, by_label, confidence, rare)

    @cached_property
    def label_worth(self) -> float:
        """The number of independent labels that one label is worth for the mean of people's labels."""
        labels = self.human[self.labelled]
        if self.clusters is None or not len(labels):
            return 1.0
        top = int((labels == labels.max()).sum())
        return self.worth(self.centred(labels, self.labelled), min(top, len(labels) - top))

    @classmethod
    def of(
        cls, judge: Sequence[float | None] | Floats, human: Sequence[float | None] | Floats, unanswered: Any = None,
        clusters: Sequence[Any] | None = None,
    ) -> Labelled:  # fmt: skip
        """Make one from lists, in which None is a missing verdict."""
        verdicts, labels = (np.array(row, np.float64) for row in (judge, human))  # numpy makes None a NaN
        gone = np.zeros(len(verdicts), bool) if unanswered is None else np.asarray(unanswered, bool)
        return cls(np.where(gone, np.nan, verdicts), labels, gone, number_clusters(clusters))


def number_clusters(clusters: Sequence[Any] | None) -> Integers | None:
    """Number the clusters of questions from 0; a question without a cluster (None) is one of its own.

    >>> number_clusters(["a", "b", None, "a", None]).tolist()
    [0, 1, 2, 0, 3]
    """
    if clusters is None:
        return None
    numbers: dict[Any, int] = {}
    names = [(place,) if name is None else name for place, name in enumerate(clusters)]
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


class Agreement(NamedTuple):
    """Agreement of a judge and people on verdicts of 0 and 1; None is undefined."""

    sensitivity: float | None
    """The share of people's right verdicts that the judge shares."""
    specificity: float | None
    """The share of people's wrong verdicts that the judge shares."""
    kappa: float | None
    """Cohen's."""


def agreement_of(judge: Floats, human: Floats) -> Agreement:
    """Return the agreement of verdicts of 0 and 1 on the same questions.

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


def drawn_oddly(run: Labelled) -> tuple[float, float] | None:
    """Return the judge's means over labelled and over other questions if they differ beyond chance, else None.

    A z-test of two means at a low level (Student's over clusters), because chosen labels often depend on the judge's
    verdict.
    """
    from scipy.special import ndtr, stdtr

    here, elsewhere = run.judge[run.labelled], run.judge[run.others]
    if min(len(here), len(elsewhere)) < 2:
        return None
    difference = abs(here.mean() - elsewhere.mean())
    if run.clusters is None:
        variance = run.judge[run.answered].var(ddof=1) * (1 / len(here) + 1 / len(elsewhere))
    else:
        pulls = run.centred(here, run.labelled) - run.centred(elsewhere, run.others)
        variance = (run.by_unit(pulls) ** 2).sum()
    if variance == 0:
        return None
    t = -difference / np.sqrt(variance)
    p = 2 * (ndtr(t) if run.clusters is None else stdtr(max(run.count_units(run.labelled) - 1, 1), t))
    return None if p >= ODD_LEVEL else (float(here.mean()), float(elsewhere.mean()))
