"""The statistics of pairs of runs that were scored on different units: tests, a correction over all pairs, intervals.

Sign flips are joint: under each flip every pair's difference on a unit keeps or changes its sign together. As pairs share different numbers
of units, each |t| becomes the normal score of its tail under Student's distribution, with the pair's own degrees of freedom, before the
largest over all pairs is taken. Where every run has every unit, p-values equal those of `PairStatistics`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.score_intervals import MIN_SKEWED_UNITS, PairedScores, SkewedMeans
from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.sign_flips import CLOSE, SMALL_UNITS, SignFlips

RESAMPLES = 10_000
MAX_NORMAL_SCORE = 37.0
"""The normal score of the smallest tail that floating point has."""
GRID = np.linspace(0.0, 6.0, 8193)
"""Square roots of -log(1 - r) at which normal scores are computed; between them they are interpolated."""


@dataclass(frozen=True)
class IncompletePairs:
    """Pairs of runs that share enough units, and their tests.

    values     units × runs, NaN where there is none
    a, b       the positions of the runs of each pair
    bounds     the range of the values where these are outcomes, answers right or wrong or in part; else None
    """

    values: Floats
    a: Integers
    b: Integers
    options: ComparisonOptions
    bounds: tuple[float, float] | None = None

    @cached_property
    def differences(self) -> Floats:
        """Units × pairs; NaN where either run has no value."""
        return self.values[:, self.a] - self.values[:, self.b]

    @cached_property
    def shared(self) -> Integers:
        """How many units the runs of each pair share."""
        return np.isfinite(self.differences).sum(axis=0)

    @cached_property
    def means(self) -> Floats:
        return np.nansum(self.differences, axis=0) / self.shared

    @cached_property
    def _spread(self) -> Floats:
        """Σ(d - mean)² of each pair."""
        return np.nansum((self.differences - self.means) ** 2, axis=0)

    @property
    def _equal(self) -> Any:
        """Per pair: whether all its differences are equal, but for rounding."""
        return self._spread <= 1e-12 * self.means**2 * self.shared

    @cached_property
    def errors(self) -> Floats:
        """The standard error of each mean difference."""
        return np.sqrt(self._spread / (self.shared * (self.shared - 1)))

    @cached_property
    def flips(self) -> SignFlips:
        """Sign flips of the differences as they are."""
        return self._flips_of(self.differences)

    @cached_property
    def _centred(self) -> SignFlips:
        """Sign flips of the differences less each pair's mean, with the same constant."""
        centred = self.differences - self.means
        centred[:, self._equal] = 0.0  # not what rounding leaves of it
        flips = self._flips_of(centred)
        flips.constant = self.flips.constant
        return flips

    def _flips_of(self, differences: Floats) -> SignFlips:
        """Return the flips of columns of differences, and of a column of zeros to compare each with."""
        columns = np.hstack([np.nan_to_num(differences), np.zeros((len(differences), 1))])
        options = self.options
        flips = SignFlips(columns, resamples=options.resamples or RESAMPLES, seed=options.seed, threads=options.threads)
        flips.steady(*self._columns)
        return flips

    @property
    def _columns(self) -> tuple[Integers, Integers]:
        """The columns of each pair's flips: its differences, and the zeros."""
        count = len(self.a)
        return np.arange(count), np.full(count, count)

    def _factors(self, flips: SignFlips) -> Floats:
        """What turns each pair's r over all units into that over the units it shares."""
        return flips.shares(*self._columns) * len(self.values) / self.shared

    @cached_property
    def observed(self) -> Floats:
        """The normal score of each pair's |t|."""
        r = self.flips.seen(*self._columns) * self._factors(self.flips)
        scores = np.empty_like(r)
        for shared, pairs in _groups(self.shared):
            scores[pairs] = _normal_scores(r[pairs], shared)
        return scores

    @cached_property
    def _flipped(self) -> tuple[Floats, tuple[Floats, Floats]]:
        """Each pair's own p, and the largest normal score under each flip: of the values as they are, and centred.

        Normal scores grow with r. Of pairs that share equally many units only the largest r under each flip is turned into one:
        of 100 runs over 100 questions, 1,000 flips, .45 s where turning every r takes 2.5 s.
        """
        bounds = np.empty(len(self.a))
        for shared, pairs in _groups(self.shared):
            bounds[pairs] = _r_of_scores(self.observed[pairs] - CLOSE, shared)
        reached, largest = np.zeros(len(self.a)), []
        for flips in (self.flips, self._centred):
            factors = self._factors(flips)
            highest: dict[int, Floats] = {}
            for here, r in flips.flipped(*self._columns):
                r *= factors[here, None]
                if flips is self.flips:
                    reached[here] = (r >= bounds[here, None]).sum(axis=1)
                for shared, pairs in _groups(self.shared[here]):
                    high = highest.setdefault(shared, np.zeros(flips.count))
                    np.maximum(high, r[pairs].max(axis=0), out=high)
            scores = [_normal_scores(high, shared) for shared, high in highest.items()]
            largest.append(np.maximum.reduce(scores))
        return self.flips.share(reached), (largest[0], largest[1])

    @cached_property
    def scores(self) -> PairedScores | SkewedMeans | None:
        """Intervals that also cover what was not seen, as `score_intervals` has them for runs without gaps."""
        return self._skewed_means() if self.bounds is None else self._paired_scores(*self.bounds)

    def _paired_scores(self, low: float, high: float) -> PairedScores:
        """Return Tango's interval of each pair, over the units both runs have."""
        from assay.stats.paired_proportions import effective_counts

        gains, losses, n = effective_counts(np.nan_to_num(self.differences) / (high - low))
        known = self.values[np.isfinite(self.values)]
        binary = bool(np.isin(known, (low, high)).all())
        return PairedScores(gains, losses, n * (self.shared / len(self.values)), high - low, binary)

    def _skewed_means(self) -> SkewedMeans | None:
        """Return Hall's interval of each pair; a pair with few units is taken for symmetric, as its skewness is unknown."""
        deviations, spread = self.differences - self.means, self._spread
        cubes = np.nansum(deviations**3, axis=0)
        seen = (self.shared >= MIN_SKEWED_UNITS) & (
            spread > self.shared * (1e-12 * np.nanmax(np.abs(self.values))) ** 2
        )
        skewness = np.divide(np.sqrt(self.shared) * cubes, spread**1.5, out=np.zeros(len(self.a)), where=seen)
        return SkewedMeans(self.means, self.errors, skewness, self.shared) if seen.any() else None

    @cached_property
    def _own_p(self) -> Floats:
        """The p-value of each pair by its own flips and, where it has one, its score interval."""
        from scipy.special import ndtr

        p = self._flipped[0]
        return p if self.scores is None else np.maximum(p, 2 * ndtr(-self.scores.z))

    @property
    def p(self) -> Floats:
        """The p-value of each pair by itself."""
        return self._own_p

    @cached_property
    def adjusted(self) -> Floats:
        """The p-value of each pair over all pairs, the larger of two null distributions (`multiple_comparisons.adjust_flips`)."""
        by_distribution = []
        for flips, largest in zip((self.flips, self._centred), self._maxima, strict=True):
            reached = len(largest) - np.searchsorted(np.sort(largest), self.observed - CLOSE, side="left")
            by_distribution.append(flips.share(reached))
        return np.maximum(self.p, np.maximum.reduce(by_distribution))

    @property
    def _maxima(self) -> tuple[Floats, ...]:
        """Over few units flips of the values are exact, and centred ones cost power."""
        maxima = self._flipped[1]
        return maxima[:1] * 2 if len(self.values) < SMALL_UNITS else maxima

    @cached_property
    def significant(self) -> Any:
        return self.adjusted <= self.options.alpha

    @cached_property
    def critical(self) -> float:
        """The normal score that a pair's must exceed to be significant."""
        distributions = zip((self.flips, self._centred), self._maxima, strict=True)
        return max(flips.exceeded(largest, self.options.alpha) for flips, largest in distributions)

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """The interval of each difference, adjusted as p is: it leaves out 0 exactly where the pair is significant."""
        low, high = self._flipped_ends()
        if self.scores is not None:
            first, last = self.scores.ends(self._score_quantiles())
            replaced = self.scores.replaces_flips
            low, high = (first, last) if replaced else (np.fmin(first, low), np.fmax(last, high))
        low, high = np.minimum(low, self.means), np.maximum(high, self.means)
        low = np.where(self.significant, low, np.minimum(low, 0.0))
        high = np.where(self.significant, high, np.maximum(high, 0.0))
        # Rounding apart, a significant pair leaves out 0.
        inside = self.significant & (low <= 0) & (high >= 0)
        edge = np.abs(self.means) * CLOSE
        return np.where(inside & (self.means > 0), edge, low), np.where(inside & (self.means < 0), -edge, high)

    def _flipped_ends(self) -> tuple[Floats, Floats]:
        """Return the intervals that go with the flips."""
        from scipy.special import ndtr, stdtrit

        shared = self.shared
        t = -np.asarray(stdtrit(shared - 1, ndtr(-self.critical)))
        half = t * np.sqrt((self._spread + self.flips.constant) / (shared * (shared - 1)))
        # Equal differences have no spread: one more unit without any difference would give them this much.
        half = np.maximum(half, np.where(self._equal, np.abs(self.means) / (shared + 1), 0.0))
        # Runs that never differed may yet: the rule of three bounds on how many units.
        span = (
            float(np.ptp(self.values[np.isfinite(self.values)])) if self.bounds is None else float(np.ptp(self.bounds))
        )
        never = span * (1 - (self.options.alpha / 2) ** (1 / shared))
        half = np.where(half == 0, never, half)
        return self.means - half, self.means + half

    def _score_quantiles(self) -> Floats:
        """Return the normal quantile of each score interval; Bonferroni's for a pair that no flip could make significant."""
        from scipy.special import ndtri

        alpha = self.options.alpha
        quantiles = np.full(len(self.a), max(float(ndtri(1 - alpha / 2)), self.critical))
        differing = (np.abs(np.nan_to_num(self.differences)) > 0).sum(axis=0)
        unreachable = 2.0 ** (1.0 - differing) > alpha
        if isinstance(self.scores, PairedScores) and self.scores.replaces_flips:
            unreachable |= np.sqrt(self.scores.gains + self.scores.losses) <= quantiles
        return np.where(unreachable, np.maximum(quantiles, ndtri(1 - alpha / (2 * len(self.a)))), quantiles)


def _groups(shared: Integers) -> Iterator[tuple[int, Integers]]:
    """Pairs by how many units they share."""
    for count in np.unique(shared).tolist():
        yield count, np.flatnonzero(shared == count)


def _normal_scores(r: Floats, shared: int) -> Floats:
    """The normal scores of r over so many units."""
    with np.errstate(divide="ignore"):
        root = np.sqrt(-np.log1p(-np.clip(r, 0.0, 1.0)))
    return np.interp(root, GRID, _scores_on_grid(shared))


def _r_of_scores(scores: Floats, shared: int) -> Floats:
    """The r over so many units that have these normal scores."""
    return -np.expm1(-(np.interp(scores, _scores_on_grid(shared), GRID) ** 2))


@lru_cache(maxsize=256)
def _scores_on_grid(shared: int) -> Floats:
    """Return the normal scores of the r whose √(-log(1 - r)) are `GRID`, over so many units."""
    from scipy.special import ndtri, stdtr

    t = np.sqrt((shared - 1) * np.expm1(GRID**2))
    tail = stdtr(shared - 1, -t)
    return np.minimum(-ndtri(np.maximum(tail, 1e-300)), MAX_NORMAL_SCORE)
