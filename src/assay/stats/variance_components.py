"""Variance components of a topic × run matrix, and intervals of generalizability coefficients.

Components and coefficients: Brennan, Generalizability Theory (2001); in retrieval Bodoff and Li, SIGIR 2007, and Urbano,
Marrero and Martín, SIGIR 2013.

Intervals: a coefficient is a function of F = 1 + n·σ²run/noise, with n topics. Under the normal model F over its
expectation is F-distributed (Feldt, Psychometrika 30, 1965; Brennan §6), for many topics χ²/ν with ν = runs - 1. Topics
differ in their spread of the runs, so ν is chosen to match the variance of log F (Satterthwaite, Biometrics Bulletin 2, 1946):
over topics by the jackknife (Arvesen, Annals of Mathematical Statistics 40, 1969), over runs by the normal model.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log, sqrt
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.measures.engines.bisection import smallest_number
from assay.resampling.arithmetic import Floats

ROUNDING = 1e-26
LEAST = 0.05
"""The lower bound of Eρ² in logarithms."""
Ends = tuple[float, float]


@dataclass(frozen=True)
class Ratio:
    """The ratio of σ²run to the noise variance, with its degrees of freedom."""

    estimate: float
    """Below 0 if the runs differ less than expected from noise."""
    topics: int
    freedom: float
    """ν, the degrees of freedom of the χ² distribution of 1 + n·ratio."""

    def interval(self, confidence: float) -> Ends:
        """Return the ends, at least 0: ((1 + n·estimate)·ν/χ²(ν) - 1)/n.

        An F of 10 on 9 topics with 4 degrees of freedom, whose χ² quantiles are .4844 and 11.143:

        >>> [round(end, 3) for end in Ratio(1.0, 9, 4.0).interval(0.95)]
        [0.288, 9.064]
        """
        from scipy.special import chdtri

        tail = (1 - confidence) / 2
        seen = 1 + self.topics * self.estimate
        # chdtri inverts the upper tail.
        low, high = ((seen * self.freedom / float(chdtri(self.freedom, p)) - 1) / self.topics for p in (tail, 1 - tail))
        # χ² is skewed: an interval of low confidence may exclude its mean, and so the estimate.
        return max(0.0, min(low, self.estimate)), max(0.0, high, self.estimate)


@dataclass(frozen=True)
class Components:
    """The variance of a topic × run matrix by source: runs, topics, and their interaction."""

    runs: int
    topics: int
    run: float
    topic: float
    interaction: float
    """Interaction and error, which one score per cell cannot separate."""
    within: float
    """The pooled variance within a run over topics, the residual of a one-way ANOVA."""
    ratios: tuple[Ratio, Ratio] | None
    """σ²run over σ²interaction, and over σ²topic + σ²interaction; None below 3 topics, or without interaction of several topics."""

    @property
    def shares(self) -> dict[str, float] | None:
        """Each component's share of the total; None if nothing varies."""
        parts = {"run": self.run, "topic": self.topic, "interaction": self.interaction}
        total = self.run + self.topic + self.interaction
        return {name: part / total for name, part in parts.items()} if total else None

    @property
    def of_differences(self) -> float:
        """The variance over topics of the difference of two runs: twice the interaction."""
        return 2 * self.interaction

    def relative(self, topics: int) -> float | None:
        """Return Eρ², the reliability of the order of the runs with `topics` topics: σ²run/(σ²run + σ²interaction/n)."""
        bottom = self.run + self.interaction / topics
        return self.run / bottom if bottom > 0 else None

    def absolute(self, topics: int) -> float | None:
        """Return Φ, the reliability of the runs' values: σ²run/(σ²run + (σ²topic + σ²interaction)/n)."""
        bottom = self.run + (self.topic + self.interaction) / topics
        return self.run / bottom if bottom > 0 else None

    def topics_for(self, coefficient: float, *, absolute: bool = False) -> int | None:
        """Return the fewest topics whose Eρ² (or Φ) reaches `coefficient`; None if runs do not vary."""
        noise = self.interaction + (self.topic if absolute else 0.0)
        return None if self.run == 0 else fewest(coefficient, self.run / noise if noise else inf)

    def interval(self, topics: int, confidence: float, *, absolute: bool = False) -> Ends | None:
        """Return the interval of Eρ² (or Φ) with `topics` topics, over topics and runs of the same kind."""
        if self.ratios is None:
            return None
        low, high = (topics * end / (1 + topics * end) for end in self.ratios[absolute].interval(confidence))
        return low, high

    def topics_interval(
        self, coefficient: float, confidence: float, *, absolute: bool = False
    ) -> tuple[int | None, int | None] | None:
        """Return the interval of the fewest topics; an end is None if no number of topics is enough."""
        if self.ratios is None:
            return None
        low, high = self.ratios[absolute].interval(confidence)
        return fewest(coefficient, high) if high else None, fewest(coefficient, low) if low else None


def fewest(coefficient: float, ratio: float) -> int:
    """Return the fewest topics for a coefficient c if σ²run is `ratio` times the noise: c/(1 - c)/ratio.

    >>> fewest(0.9, 1.5)
    6
    """
    return max(1, ceil(coefficient / (1 - coefficient) / ratio - 1e-9))


def variance_components(matrix: Floats) -> Components:
    """Return the components of matrix[topic, run] by the mean squares of a two-way ANOVA, at least 0.

    Four topics, two runs, one of which is always 1 better: the runs' variance is half the squared difference.

    >>> variance_components(np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])).run
    0.5
    """
    topics, runs = matrix.shape
    if runs < 2 or topics < 2:
        raise InputError(f"variance components need at least 2 runs and 2 topics, found {runs} and {topics}")
    within = float(((matrix - matrix.mean(axis=0)) ** 2).sum()) / (runs * (topics - 1))
    run, topic, left = (float(part) for part in _split(*_squares(matrix), topics, runs))
    # Scores have 12 decimals; squares far below that are rounding.
    rounding = ROUNDING * float((matrix**2).max())
    left, within = (0.0 if square <= rounding else square for square in (left, within))
    ratios = None
    if left and topics > 2:
        of_run, of_topic, of_rest = _split(*_squares_without(matrix), topics - 1, runs)
        noise = left + max(0.0, topic), of_rest + np.maximum(0.0, of_topic)
        if (of_rest > rounding).all():  # else one topic makes the whole interaction
            ratios = (
                _ratio(run / left, of_run / of_rest, topics, runs),
                _ratio(run / noise[0], of_run / noise[1], topics, runs),
            )
    return Components(
        runs=runs, topics=topics, run=max(0.0, run), topic=max(0.0, topic), interaction=left, within=within, ratios=ratios
    )  # fmt: skip


def jackknife_margin(matrix: Floats, size: int, confidence: float) -> float | None:
    """Return half the width of the interval of log(required difference) at `size` topics, by the jackknife over topics.

    It is over topics of the same kind, for these runs. A required difference is proportional to
    √(σ²interaction/size · (1 + h))/h with h = Eρ² at that size (see `extrapolation`). None below 3 topics, or without
    interaction.
    """
    from scipy.special import stdtrit

    topics, runs = matrix.shape
    components = variance_components(matrix) if topics > 2 else None
    if components is None or components.interaction == 0:
        return None
    run, _, left = _split(*_squares_without(matrix), topics - 1, runs)
    h = np.maximum(LEAST, 1 - 1 / np.maximum(1.0, 1 + size * run / left))
    logs = np.log(left * (1 + h)) / 2 - np.log(h)
    return float(stdtrit(topics - 1, (1 + confidence) / 2)) * sqrt(_jackknife_variance(logs))


def variance_intervals(matrix: Floats, confidence: float) -> tuple[Ends | None, Ends | None]:
    """Return intervals of the interaction and of the pooled variance within a run, by the jackknife of their logarithms over topics.

    Student's t with topics - 1 degrees of freedom. None where a variance vanishes without one of the topics, or below 3 topics.
    """
    from scipy.special import stdtrit

    topics, runs = matrix.shape
    if topics < 3:
        return None, None
    _, _, interaction = _split(*_squares(matrix), topics, runs)
    _, _, without = _split(*_squares_without(matrix), topics - 1, runs)
    squares = ((matrix - matrix.mean(axis=0)) ** 2).sum(axis=1)
    within = squares.sum() / (runs * (topics - 1))
    within_without = (squares.sum() - topics / (topics - 1) * squares) / (runs * (topics - 2))
    rounding = ROUNDING * float((matrix**2).max())
    t = float(stdtrit(topics - 1, (1 + confidence) / 2))

    def ends(variance: Any, replicates: Any) -> Ends | None:
        if variance <= rounding or (replicates <= rounding).any():
            return None
        reach = np.exp(t * sqrt(_jackknife_variance(np.log(replicates))))
        return float(variance / reach), float(variance * reach)

    return ends(interaction, without), ends(within, within_without)


def _squares(matrix: Floats) -> tuple[Any, Any, Any]:
    """Return sums of squares of the runs' means, the topics' means, and the residual."""
    middle = matrix.mean()
    by_topic, by_run = matrix.mean(axis=1, keepdims=True), matrix.mean(axis=0, keepdims=True)
    left = ((matrix - by_topic - by_run + middle) ** 2).sum()
    return ((by_run - middle) ** 2).sum(), ((by_topic - middle) ** 2).sum(), left


def _squares_without(matrix: Floats) -> tuple[Any, Any, Any]:
    """Return the same without each topic: omitting x of n subtracts (x - mean)²·n/(n - 1) from a sum of squares."""
    topics = len(matrix)
    by_topic = matrix.mean(axis=1)
    centred = matrix - by_topic[:, None]
    by_run = centred.mean(axis=0)
    grown = topics / (topics - 1)
    away, off = (centred - by_run) ** 2, (by_topic - by_topic.mean()) ** 2
    left = away.sum() - grown * away.sum(axis=1)
    means = (topics * by_run - centred) / (topics - 1)
    return (means**2).sum(axis=1), off.sum() - grown * off, left


def _split(of_runs: Any, of_topics: Any, of_rest: Any, topics: int, runs: int) -> tuple[Any, Any, Any]:
    """Return σ²run, σ²topic and σ²interaction from sums of squares."""
    left = of_rest / ((runs - 1) * (topics - 1))
    return of_runs / (runs - 1) - left / topics, of_topics / (topics - 1) - left / runs, left


def _ratio(estimate: float, without: Any, topics: int, runs: int) -> Ratio:
    """Return a ratio with ν from Var(log F): over topics by the jackknife, over runs h²·Var(log χ²(runs - 1))."""
    from scipy.special import polygamma

    seen = 1 + topics * estimate
    logs = np.log(np.maximum(1 + (topics - 1) * without, LEAST))
    h = 1 - 1 / seen if seen > 1 else 0.0
    return Ratio(estimate, topics, _freedom(_jackknife_variance(logs) + h**2 * float(polygamma(1, (runs - 1) / 2))))


def _jackknife_variance(values: Any) -> float:
    count = len(values)
    return (count - 1) / count * float(((values - values.mean()) ** 2).sum())


def _freedom(variance: float) -> float:
    """Return ν of the χ² whose logarithm has this variance, ψ'(ν/2), from 1 to a million.

    The logarithm of χ² with 2 degrees of freedom has variance π²/6.

    >>> round(_freedom(np.pi**2 / 6), 6)
    2.0
    """
    from scipy.special import polygamma

    def enough(log_freedom: float) -> bool:
        return not polygamma(1, np.exp(log_freedom) / 2) > variance

    return float(np.exp(smallest_number(enough, 0.0, log(1e6), 60)))
