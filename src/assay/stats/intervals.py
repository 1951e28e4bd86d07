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

from assay.errors import UsageError
from assay.resampling.arithmetic import Floats, slack
from assay.resampling.samples import AT_ONCE, Sample

KINDS = ("shift", "studentised", "percentile")
CLOSE = 1e-9


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

    >>> from assay.resampling.samples import Mean
    >>> rng = np.random.default_rng(1)
    >>> sample = Mean(np.column_stack([rng.normal(1.0, 0.1, 40), rng.normal(0.0, 0.1, 40)]))
    >>> low, high = Bootstrap(sample, [0], [1], kind="studentised", resamples=999).ends(np.array([0.05]))
    >>> bool(0.9 < low[0] < 1.0 < high[0] < 1.1)
    True
    """

    def __init__(
        self, sample: Sample, a: Any, b: Any = None, *, kind: str = "shift", resamples: int = 10_000, seed: int = 0,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        if kind == "studentised" and not sample.can("errors"):
            raise UsageError(
                "`interval='studentised'`: a measure of a whole run has no standard error to studentise by; "
                "use `interval='percentile'`, or leave it out"
            )
        self.sample, self.kind = sample, kind
        self.a = np.asarray(a, dtype=np.int64)
        self.b = None if b is None else np.asarray(b, dtype=np.int64)
        self.resamples, self.seed, self.threads = resamples, seed, threads
        self.values = sample.values()
        self.estimates = self.values[self.a] - (0.0 if self.b is None else self.values[self.b])
        self._room = slack(self.values, sample.scale)

    @cached_property
    def _draws(self) -> Floats:
        """Runs × resamples."""
        return np.ascontiguousarray(self.sample.bootstrap(self.resamples, self.seed, self.threads).T)

    @cached_property
    def undefined(self) -> int:
        """Resamples on which the measure of some run was undefined; they are left out."""
        taking_part = self.a if self.b is None else np.concatenate([self.a, self.b])
        return int((~np.isfinite(self._draws[np.unique(taking_part)])).any(axis=0).sum())

    def _pivots(self) -> Iterator[tuple[int, float, Floats]]:
        """Pair by pair: what to multiply by, and what in the resamples lies about 0 as the difference about its estimate."""
        width = max(1, AT_ONCE // (self.resamples * self.sample.held))
        for start in range(0, len(self.a), width):
            here = self.a[start : start + width]
            other = None if self.b is None else self.b[start : start + width]
            stars = self._draws[here] if other is None else self._draws[here] - self._draws[other]
            stars -= self.estimates[start : start + width, None]
            errors = np.ones(len(here))
            if self.kind == "studentised":
                errors = self.sample.errors(here, other)
                within = self.sample.bootstrap_errors(here, other, self.resamples, self.seed, self.threads).T
                with np.errstate(divide="ignore", invalid="ignore"):
                    stars = np.where(np.abs(stars) <= self._room, 0.0, stars / within)
            known = ~np.isnan(stars)
            for i in range(len(here)):
                yield start + i, float(errors[i]), stars[i] if known[i].all() else stars[i][known[i]]

    def p(self) -> Floats:
        """Two-sided p of every difference; NaN where no resample differs from the estimate and the estimate is not 0."""
        found = np.full(len(self.a), np.nan)
        for i, error, pivots in self._pivots():
            seen = float(self.estimates[i])
            if not np.isfinite(seen) or not len(pivots):
                continue
            if not error or float(np.abs(pivots).max()) <= self._room:
                found[i] = 1.0 if abs(seen) <= self._room else np.nan
            elif self.kind == "shift":
                found[i] = (1 + np.count_nonzero(np.abs(pivots) >= abs(seen) - self._room)) / (len(pivots) + 1)
            else:
                nothing = -seen if self.kind == "percentile" else seen / error
                down, up = _either_way(pivots)
                beyond = min(np.count_nonzero(down <= nothing), np.count_nonzero(up >= nothing))
                found[i] = min(1.0, 2 * (1 + beyond) / (len(pivots) + 1))
        return found

    def ends(self, levels: Floats) -> tuple[Floats, Floats]:
        """The interval of each at its own level; NaN where there is none."""
        low, high = np.full(len(self.a), np.nan), np.full(len(self.a), np.nan)
        for i, error, pivots in self._pivots():
            seen = float(self.estimates[i])
            if not np.isfinite(seen) or len(pivots) < 2:
                continue
            if self.kind == "shift":
                far = _largest(np.abs(pivots), float(levels[i])) + self._room
                low[i], high[i] = seen - far, seen + far
                continue
            tail = float(levels[i]) / 2
            down, up = _either_way(pivots)
            lowest, highest = -_largest(-down, tail), _largest(up, tail)
            if self.kind == "percentile":
                low[i], high[i] = seen + lowest, seen + highest
            elif np.isfinite([lowest, highest]).all():
                low[i], high[i] = seen - highest * error, seen - lowest * error
        return low, high


def _either_way(pivots: Floats) -> tuple[Floats, Floats]:
    """Pivots for the lower and the upper tail: a resample without any spread may be as far out on either side."""
    endless = np.isinf(pivots)
    return np.where(endless, -np.inf, pivots), np.where(endless, np.inf, pivots)


def _largest(values: Floats, level: float) -> float:
    """The ⌊level (B + 1)⌋-th largest of B values; infinite where so few cannot tell, as no p is then as small as the level."""
    place = min(floor(level * (len(values) + 1) + CLOSE), len(values))
    return float("inf") if place < 1 else float(np.partition(values, len(values) - place)[len(values) - place])
