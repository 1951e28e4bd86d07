"""Intervals of differences that do not rest on the topics' own spread: for outcomes, partial credit and ratios of outcomes.

Sign flips know only the differences that were seen. Where a run lost one question of a hundred, flips call everything from one to
none plausible, and where it lost none they say nothing. These intervals know what could have happened:

    right or wrong             Tango's score interval (`stats.paired_proportions`), in place of the flips'
    partial credit, samples    Tango's, of the gains and losses; the printed interval holds this one and the flips'
    c@1, precision             from the runs' own intervals (`stats.combined_intervals`), with the correlation of the runs' influences;
                               again the printed interval holds both

    macro means of suites      from the pair's intervals on the tasks (`suite_intervals.py`); again both
    other means, if skewed     Hall's transformed t (`stats.skewness`), where Cochran's rule finds too few topics; again both

Other means, such as AP, are left to the flips: they differ on nearly every topic, and their spread over topics is seen. Flips suppose
that differences are as likely to lie above their mean as below it. If one topic in ten gains .5, a sample may hold too few such topics,
and flips take the other topics' losses for certain: of 50 topics, 10% of equal runs were told apart.
In clusters of topics, wins, losses and n are divided by the design effect (`stats.proportions.worth`).

Each gives an interval at any normal quantile, and z, the quantile at which the interval reaches 0: a p-value that agrees is 2Φ(-z).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.columns import Columns
from assay.resampling.integer_scaling import to_integers
from assay.resampling.pair_moments import GRAM_CELLS, pair_moments
from assay.resampling.resamplers import slices
from assay.stats.skewness import COCHRAN, corrected_t, is_skewed, uncorrected_t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.comparison.suite_intervals import CombinedTasks

MAX_Z = 8.0
"""The normal quantile up to which a score interval is computed: its p is 1e-15."""
MIN_SKEWED_UNITS = 25
"""Over fewer units a skewness says little: 11 topics that gain .5 and one that gains nothing would have p = .02, not .001."""
Z_GRID = np.linspace(0.0, 4.0, 65)
"""Normal quantiles at which the runs' own intervals are computed; beyond 4 their simulated tails are too thin."""


@dataclass(frozen=True)
class PairedScores:
    """Tango's interval of each pair: gains, losses and n are counts of topics, or what they are worth."""

    gains: Floats
    losses: Floats
    n: Floats
    scale: float
    """What one whole difference is in the measure."""
    replaces_flips: bool

    @cached_property
    def z(self) -> Floats:
        from assay.stats.paired_proportions import score_statistic

        return np.abs(score_statistic(self.gains, self.losses, self.n, 0.0))

    def ends(self, z: Floats) -> tuple[Floats, Floats]:
        from assay.stats.paired_proportions import tango_interval

        low, high = tango_interval(self.gains, self.losses, self.n, z)
        return self.scale * low, self.scale * high


@dataclass(frozen=True)
class CombinedRuns:
    """Each pair's interval from those of its two runs; reaches are interpolated between the quantiles of `Z_GRID`."""

    values: Floats
    below: Floats
    """Runs × quantiles: how far each run's interval reaches below its value."""
    above: Floats
    a: Integers
    b: Integers
    correlation: Floats
    replaces_flips: bool = False

    @cached_property
    def z(self) -> Floats:
        low, high = np.zeros(len(self.a)), np.full(len(self.a), Z_GRID[-1])
        for _ in range(40):
            middle = (low + high) / 2
            first, last = self.ends(middle)
            excludes = (first > 0) | (last < 0)
            low, high = np.where(excludes, middle, low), np.where(excludes, high, middle)
        return low

    def ends(self, z: Floats) -> tuple[Floats, Floats]:
        from assay.stats.combined_intervals import difference_interval

        first, second = self._ends(self.a, z), self._ends(self.b, z)
        return difference_interval(self.values[self.a], first, self.values[self.b], second, self.correlation)

    def _ends(self, runs: Integers, z: Floats) -> tuple[Floats, Floats]:
        place = np.clip(z, 0.0, Z_GRID[-1]) / Z_GRID[1]
        left = np.minimum(place.astype(np.int64), len(Z_GRID) - 2)
        part = place - left
        below, above = (
            reach[runs, left] * (1 - part) + reach[runs, left + 1] * part for reach in (self.below, self.above)
        )
        return self.values[runs] - below, self.values[runs] + above


@dataclass(frozen=True)
class SkewedMeans:
    """Hall's interval of each pair whose differences are skewed; a pair that is not has the estimate alone, and no effect."""

    differences: Floats
    errors: Floats
    skewness: Floats
    units: Integers
    """Of each pair."""
    replaces_flips: bool = False

    @cached_property
    def _skewed(self) -> NDArray[np.bool_]:
        return is_skewed(self.skewness, self.units)

    @cached_property
    def z(self) -> Floats:
        from scipy.special import ndtri, stdtr

        at, quantiles = self._skewed, np.full(len(self.differences), np.inf)
        units = self.units[at]
        t = corrected_t(self.differences[at] / self.errors[at], self.skewness[at], units)
        quantiles[at] = -ndtri(stdtr(units - 1, -np.abs(t)))
        return quantiles

    def ends(self, z: Floats) -> tuple[Floats, Floats]:
        from scipy.special import ndtr, stdtrit

        at, low, high = self._skewed, self.differences.copy(), self.differences.copy()
        units = self.units[at]
        reach = -stdtrit(units - 1, ndtr(-np.broadcast_to(z, at.shape)[at]))
        low[at] -= self.errors[at] * uncorrected_t(reach, self.skewness[at], units)
        high[at] -= self.errors[at] * uncorrected_t(-reach, self.skewness[at], units)
        return low, high


if TYPE_CHECKING:
    ScoreIntervals = PairedScores | CombinedRuns | CombinedTasks | SkewedMeans
    """`ends(z)` has the interval of each pair at its own normal quantile; `z` the quantile at which it reaches 0; `replaces_flips`
    says whether the interval is printed alone, not joined with the flips'."""


def score_intervals(columns: Columns, a: Integers, b: Integers, confidence: float) -> ScoreIntervals | None:
    """Return the score intervals of pairs of runs; None for measures that have none, which are left to the flips."""
    if columns.average:
        return _combined_tasks(columns, a, b, confidence)
    measure, ways = columns.measure, columns.ways
    if measure.average not in ("mean", None, "") or not np.isfinite(columns.resampler.values()).all():
        return None
    adds_up = measure.level == "topic" or measure.declaration.mean
    if not adds_up:
        return _combined_runs(columns, a, b, confidence) if ways is not None else None
    low, high = measure.declaration.low, measure.declaration.high
    paired = None if low is None or high is None else _paired_scores(columns, a, b, low, high, confidence)
    return _skewed_means(columns, a, b) if paired is None else paired


def _paired_scores(
    columns: Columns, a: Integers, b: Integers, low: float, high: float, confidence: float
) -> ScoreIntervals | None:
    alone = columns if columns.clusters is None else replace(columns, cluster=None, clusters=None)
    topics = (alone.resampler.linear - low) / (high - low)
    if not np.isfinite(topics).all() or (topics < -1e-9).any() or (topics > 1 + 1e-9).any():
        return None
    # Decided on the values themselves: differences of 1e-12 are no ties.
    binary = columns.ways is not None and len(columns.ways) == 2
    n = np.full(len(a), float(len(topics)))
    if binary:
        rounded = np.round(topics)
        right = rounded.T @ rounded
        totals = rounded.sum(axis=0)
        gains, losses = totals[a] - right[a, b], totals[b] - right[a, b]
    elif columns.scores.task.name != "outcomes" and columns.measure.level == "topic":
        return None  # values of a ranking, or of a table that does not say what they are
    else:
        from assay.stats.paired_proportions import effective_counts

        gains, losses = np.empty(len(a)), np.empty(len(a))
        for here in slices(len(a), len(topics)):
            gains[here], losses[here], n[here] = effective_counts(topics[:, a[here]] - topics[:, b[here]])
    if columns.clusters is not None:
        share = _worth(columns, alone, a, b, gains + losses, confidence)
        gains, losses, n = gains * share, losses * share, n * share
    return PairedScores(gains, losses, n, high - low, binary and columns.clusters is None)


def _skewed_means(columns: Columns, a: Integers, b: Integers) -> SkewedMeans | None:
    """Return Hall's intervals; None where there are too few topics to see their skewness, or no pair is skewed."""
    linear = columns.resampler.linear
    units = len(linear)
    if units < MIN_SKEWED_UNITS or not np.isfinite(linear).all():
        return None
    means, squares, cubes = _central_moments(linear, a, b)
    # A spread that is rounding alone has no skewness.
    spread = squares > units * (1e-12 * np.abs(linear).max()) ** 2
    skewness = np.divide(np.sqrt(units) * cubes, squares**1.5, out=np.zeros(len(a)), where=spread)
    if not is_skewed(skewness, units).any():
        return None
    errors = np.sqrt(squares / (units * (units - 1)))
    return SkewedMeans(means, errors, skewness, np.full(len(a), units))


def _central_moments(values: Floats, a: Integers, b: Integers) -> tuple[Floats, Floats, Floats]:
    """Return the mean difference of each pair, and the sums of squares and cubes about it.

    Cubes are 0 where they could not matter: a difference lies within 2R of the mean, R being the largest range of a unit, so that
    γ² ≤ u(2R)²/Σ(d - mean)².
    """
    units = len(values)
    means, squares, cubes = np.empty(len(a)), np.empty(len(a)), np.zeros(len(a))
    possible = np.arange(len(a))
    if len(a) * units >= GRAM_CELLS:
        whole, scale = to_integers(values, units)
        sums, raw = pair_moments(whole, a, b)
        means, squares = sums / units / scale, np.maximum(raw - sums * sums / units, 0.0) / scale**2
        reach = 2 * float(np.ptp(values, axis=1).max())
        possible = np.flatnonzero((squares < COCHRAN * reach**2) | (squares < 1e-6 * raw / scale**2))
    for here in slices(len(possible), units):
        at = possible[here]
        differences = values[:, a[at]] - values[:, b[at]]
        means[at] = differences.mean(axis=0)
        differences -= means[at]
        squares[at] = np.einsum("up,up->p", differences, differences)
        cubes[at] = np.einsum("up,up,up->p", differences, differences, differences)
    return means, squares, cubes


def _worth(
    columns: Columns, alone: Columns, a: Integers, b: Integers, disagreements: Floats, confidence: float
) -> Floats:
    """Return what part of its topics each pair's clustered sample is worth."""
    from assay.stats.proportions import worth

    clusters, topics = columns.resampler.linear, alone.resampler.linear
    shares = np.empty(len(a))
    for i, (first, second) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        by_cluster = float((clusters[:, first] - clusters[:, second]).var(ddof=1)) / len(clusters)
        by_topic = float((topics[:, first] - topics[:, second]).var(ddof=1)) / len(topics)
        shares[i] = worth(len(topics), len(clusters), by_cluster, by_topic, confidence, disagreements[i])
    return shares


def _combined_runs(columns: Columns, a: Integers, b: Integers, confidence: float) -> ScoreIntervals | None:
    from scipy.special import ndtr

    from assay.analyses.comparison.outcome_intervals import outcome_ends

    values, linear = columns.resampler.values(), columns.resampler.linear
    if not np.isfinite(linear).all():
        return None
    ends = outcome_ends(columns, 2 * ndtr(Z_GRID[1:]) - 1, confidence)
    nothing = np.zeros((len(values), 1))
    below = np.concatenate([nothing, values[:, None] - ends[:, :, 0].T], axis=1)
    above = np.concatenate([nothing, ends[:, :, 1].T - values[:, None]], axis=1)
    centred = linear - linear.mean(axis=0)
    deviation = np.sqrt((centred**2).sum(axis=0))
    product = deviation[a] * deviation[b]
    shared = np.einsum("up,up->p", centred[:, a], centred[:, b])
    correlation = np.divide(shared, product, out=np.zeros(len(a)), where=product > 0)
    return CombinedRuns(
        values, np.maximum.accumulate(below, axis=1), np.maximum.accumulate(above, axis=1), a, b, correlation
    )


def _combined_tasks(columns: Columns, a: Integers, b: Integers, confidence: float) -> ScoreIntervals | None:
    """Return the intervals of macro means; None where some task has none, as with all its questions in one cluster."""
    from assay.analyses.comparison.suite_intervals import CombinedTasks
    from assay.resampling.macro_means import MacroColumns

    assert isinstance(columns, MacroColumns), "only macro means have an average of their own"
    tasks: list[PairedScores | CombinedRuns] = []
    for task in columns.by_task:
        interval = None if task.resampler.units == 1 < len(task.places) else score_intervals(task, a, b, confidence)
        if not isinstance(interval, PairedScores | CombinedRuns):
            return None
        tasks.append(interval)
    values = np.array([task.resampler.values() for task in columns.by_task])
    paired = [task for task in tasks if isinstance(task, PairedScores)]
    if len(paired) < len(tasks):
        return CombinedTasks(tasks, values[:, a] - values[:, b], float(Z_GRID[-1]))
    # Counts of all tasks at once: tasks × pairs.
    gains, losses, n = (np.stack([getattr(task, name) for task in paired]) for name in ("gains", "losses", "n"))
    together = PairedScores(gains, losses, n, paired[0].scale, False)
    return CombinedTasks([together], values[:, a] - values[:, b], MAX_Z)
