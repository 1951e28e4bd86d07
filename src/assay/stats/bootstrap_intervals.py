"""Intervals and p-values by resampling topics with replacement.

    shift         estimate ± how far the middle 95% of the resamples lie from it; the test it agrees with is the shift test
    studentised   resamples of (estimate - value)/standard error, Efron and Tibshirani, An Introduction to the Bootstrap
                  (1993), §12.5. The standard error of a ratio of sums such as c@1 is that of its linearisation
    percentile    the middle 95% of the resampled differences

Ends are order statistics of the resamples, the ⌊α(B + 1)⌋-th from the end: the p of a difference is at most α exactly where
its interval at level 1 - α leaves 0 out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import UsageError
from assay.resampling.arithmetic import Floats, Integers, slack
from assay.resampling.resamplers import AT_ONCE, Resampler, apart, local, slices

KINDS = ("shift", "studentised", "percentile")
CLOSE = 1e-9
SAMPLED = 16
"""Step between the resamples that estimate where the largest begin."""


@dataclass(frozen=True)
class Interval:
    """An interval, and how it was made."""

    low: float
    high: float
    confidence: float
    method: str
    standard_error: float | None = None
    """Of the number the interval is about, where it has one."""


class Bootstrap:
    """Resampled differences a[i] - b[i] between runs (the runs a[i] themselves without b).

    >>> from assay.resampling.resamplers import MeanResampler
    >>> rng = np.random.default_rng(1)
    >>> resampler = MeanResampler(np.column_stack([rng.normal(1.0, 0.1, 40), rng.normal(0.0, 0.1, 40)]))
    >>> low, high = Bootstrap(resampler, [0], [1], kind="studentised", resamples=999).ends(np.array([0.05]))
    >>> bool(0.9 < low[0] < 1.0 < high[0] < 1.1)
    True
    """

    def __init__(
        self, resampler: Resampler, a: Any, b: Any = None, *, kind: str = "shift", resamples: int = 10_000, seed: int = 0,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        if kind == "studentised" and not resampler.can("errors"):
            raise UsageError(
                "`interval='studentised'`: a measure of a whole run has no standard error to studentise by; "
                "use `interval='percentile'`, or leave it out"
            )
        self.resampler: Resampler = resampler
        self.kind: str = kind
        self.a: Integers = np.asarray(a, dtype=np.int64)
        self.b: Integers | None = None if b is None else np.asarray(b, dtype=np.int64)
        self.resamples: int = resamples
        self.seed: int = seed
        self.threads: int | None = threads
        self.values: Floats = resampler.values()
        self.estimates: Floats = apart(self.values, self.a, self.b)
        self._room = slack(self.values, resampler.scale)
        self._gaps: NDArray[np.bool_] | None = None
        """Per resample, whether some run is undefined on it, where `p` resamples the runs in parts."""

    @cached_property
    def _draws(self) -> Floats:
        """Runs × resamples."""
        return np.ascontiguousarray(self.resampler.bootstrap(self.resamples, self.seed, self.threads).T)

    @cached_property
    def undefined(self) -> int:
        """Resamples on which the measure of some run was undefined; they are left out."""
        if self._gaps is not None:
            return int(self._gaps.sum())
        taking_part = self.a if self.b is None else np.concatenate([self.a, self.b])
        return int((~np.isfinite(self._draws[np.unique(taking_part)])).any(axis=0).sum())

    @property
    def _in_parts(self) -> bool:
        """Whether pairs are resampled in parts: about as many as runs, and too many for the draws of all runs to be held."""
        return self.resampler.can("part") and AT_ONCE // self.resamples < len(self.a) <= 2 * self.resampler.runs

    def _parts(self) -> Iterator[tuple[slice, Bootstrap]]:
        """Yield slices of pairs, each with the bootstrap of its runs alone: 10,000 runs need no more memory than 200."""
        for here in slices(len(self.a), self.resamples):
            runs, a, b = local(self.a[here], None if self.b is None else self.b[here])
            part = Bootstrap(
                self.resampler.of_runs(runs), a, b, kind=self.kind, resamples=self.resamples, seed=self.seed, threads=self.threads
            )  # fmt: skip
            part._room = self._room
            yield here, part

    def _pivots(self) -> Iterator[tuple[int, Tails]]:
        """Yield pair by pair what in the resamples lies about 0 as the difference about its estimate."""
        for part in slices(len(self.a), self.resamples * self.resampler.held):
            yield from self._pivots_of(np.arange(part.start, part.stop))

    def _pivots_of(self, which: Integers) -> Iterator[tuple[int, Tails]]:
        here, other = self.a[which], None if self.b is None else self.b[which]
        if self.kind == "studentised":
            errors = self.resampler.errors(here, other)
            stars = self.resampler.studentised(here, other, self._draws, self._room, self.seed, self.threads)
        else:
            errors = np.ones(len(here))
            stars = apart(self._draws, here, other) - self.estimates[which, None]
        plain: list[bool] = np.isfinite(stars).all(axis=1).tolist()  # type: ignore[assignment]
        for i, row in enumerate(stars):
            down, up = (row, row) if plain[i] else _either_way(row[~np.isnan(row)])
            yield int(which[i]), Tails(float(errors[i]), len(up), down, up)

    def p(self) -> Floats:
        """Two-sided p of every difference; NaN where no resample differs from the estimate and the estimate is not 0."""
        levels = np.full(len(self.a), np.nan)
        if self._in_parts:
            self._gaps = np.zeros(self.resamples, dtype=bool)
            for here, part in self._parts():
                levels[here] = part.p()
                self._gaps |= ~np.isfinite(part._draws).all(axis=0)
            return levels

        for i, pivots in self._pivots():
            levels[i] = self._level(float(self.estimates[i]), pivots)
        return levels

    def _level(self, seen: float, pivots: Tails) -> float:
        down, up = pivots.down, pivots.up
        if not np.isfinite(seen) or not pivots.count:
            return np.nan
        if not pivots.error or max(float(up.max()), -float(down.min())) <= self._room:
            return 1.0 if abs(seen) <= self._room else np.nan
        if self.kind == "shift":
            return (1 + np.count_nonzero(np.abs(up) >= abs(seen) - self._room)) / (pivots.count + 1)
        nothing = -seen if self.kind == "percentile" else seen / pivots.error
        beyond = min(np.count_nonzero(down <= nothing), np.count_nonzero(up >= nothing))
        return min(1.0, 2 * (1 + beyond) / (pivots.count + 1))

    def ends(self, levels: Floats) -> tuple[Floats, Floats]:
        """The interval of each at its own level; NaN where there is none."""
        ends = np.full((2, len(self.a)), np.nan)
        if self._in_parts:
            for here, part in self._parts():
                ends[:, here] = part.ends(levels[here])
            return ends[0], ends[1]
        for i, pivots in self._pivots():
            ends[:, i] = self._end(float(self.estimates[i]), pivots, float(levels[i]))
        return ends[0], ends[1]

    def _end(self, seen: float, pivots: Tails, level: float) -> tuple[float, float]:
        if not np.isfinite(seen) or pivots.count < 2:
            return np.nan, np.nan
        if self.kind == "shift":
            far = _largest(np.abs(pivots.up), _place(level, pivots.count)) + self._room
            return seen - far, seen + far
        place = _place(level / 2, pivots.count)
        lowest, highest = -_largest(-pivots.down, place), _largest(pivots.up, place)
        if self.kind == "percentile":
            return seen + lowest, seen + highest
        if not np.isfinite([lowest, highest]).all():
            return np.nan, np.nan
        return seen - highest * pivots.error, seen - lowest * pivots.error


@dataclass(frozen=True)
class Tails:
    """The pivots of a pair, for the lower and for the upper tail."""

    error: float
    """The standard error that pivots are multiplied by."""
    count: int
    """The number of pivots."""
    down: Floats
    up: Floats


def _either_way(pivots: Floats) -> tuple[Floats, Floats]:
    """Return pivots for the lower and the upper tail: a resample without any spread counts as infinitely far on both sides."""
    endless = np.isinf(pivots)
    return np.where(endless, -np.inf, pivots), np.where(endless, np.inf, pivots)


def _place(level: float, count: int) -> int:
    """Return ⌊level (B + 1)⌋ for B values, at most B."""
    return min(floor(level * (count + 1) + CLOSE), count)


def _largest(values: Floats, place: int) -> float:
    """Return the `place`-th largest value; infinite where place is 0, as no p is then as small as the level.

    >>> _largest(np.arange(999.0), 25), _largest(np.arange(9.0), 0)
    (974.0, inf)
    """
    return float("inf") if place < 1 else float(_top(values, place).min())


def _top(values: Floats, place: int) -> Floats:
    """Return the `place` largest values, in any order."""
    if place * SAMPLED < len(values):
        # A sample of the values gives a bound that few values exceed; only these are partitioned.
        some = values[::SAMPLED]
        rank = len(some) - min(2 * place // SAMPLED + SAMPLED, len(some))
        few = values[values >= np.partition(some, rank)[rank]]
        values = few if len(few) >= place else values
    return np.partition(values, len(values) - place)[len(values) - place :].copy()
