"""Resampled lines of runs over the cost of an error: simultaneous bands, and the costs at which one run leads.

A run's mean is right - x · wrong, over the cost x of an error, so differences of runs and their resamples are lines too. The
largest standardised deviation over all costs (`steepest`) and the range in which a line exceeds a number of its standard errors
(`shown`) have closed forms. Standard errors are those of the resamples.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.figures.price_curves import Counted
from assay.resampling.arithmetic import Floats

SAME = 1e-12
"""Resampled means that differ by less are tied."""

Span = tuple[float, float]


class Resampled:
    """The line of every run, and last of declining everything, in every resample.

    `right` and `wrong` are resamples × runs, shares of the questions. `declining` is, if some questions should be declined, the
    share of them in each resample (a column), and in the data.
    """

    def __init__(
        self, counts: Sequence[Counted], right: Floats, wrong: Floats, confidence: float,
        declining: tuple[Floats, float] | None = None,
    ) -> None:  # fmt: skip
        nothing = np.zeros((len(right), 1))
        drawn, worth = declining or (nothing, 0.0)
        self.names: list[str] = [name for name, *_ in counts]
        # The last column is the zero line, so that a run's own line is a difference like any other.
        self.right: Floats = np.hstack([right, drawn, nothing])
        self.wrong: Floats = np.hstack([wrong, nothing, nothing])
        shares = [(right / (n := right + wrong + declined), wrong / n) for _, right, wrong, declined in counts]
        self.line: NDArray[Any] = np.array([*shares, (worth, 0.0), (0.0, 0.0)])
        runs = len(counts)
        zero = np.array([runs + 1])
        self.bands: list[tuple[tuple[Floats, Floats, Floats], float]] = [
            (self._spread(run, zero), _quantile(self._largest(run, zero), confidence)) for run in range(runs)
        ]
        """Each run's spread, and the half-width of its band in standard errors."""
        widest = [self._largest(run, np.arange(run + 1, runs + 1)) for run in range(runs)]
        self.reach: float = _quantile(np.max(widest, axis=0), confidence)
        """The half-width of all differences, of any two runs at any price, in standard errors."""
        self.too_few: bool = not isfinite(self.reach)
        """Whether the confidence is higher than this many resamples can show."""

    def _differences(self, a: int, b: Any) -> tuple[Floats, Floats]:
        """Return how much more a run has right, and wrong, than others: resamples × others each."""
        return self.right[:, [a]] - self.right[:, b], self.wrong[:, [a]] - self.wrong[:, b]

    def _largest(self, a: int, b: Any) -> Floats:
        """Return per resample the largest deviation of these differences in standard errors, over all costs and others."""
        parts = zip(self._differences(a, b), (self.line[a] - self.line[b]).T, strict=True)
        right, wrong = (drawn - observed for drawn, observed in parts)
        return steepest(right, wrong, *self._spread(a, b)).max(axis=1, initial=0.0)

    def _spread(self, a: int, b: Any) -> tuple[Floats, Floats, Floats]:
        """Return the variances of these differences, and the covariance."""
        r, w = (drawn - drawn.mean(axis=0) for drawn in self._differences(a, b))
        return tuple((x * y).mean(axis=0) for x, y in ((r, r), (w, w), (r, w)))  # type: ignore[return-value]

    def band(self, run: int, x: float) -> Span | None:
        """Return the ends of a run's band at a cost; None if nothing varies, or there are too few resamples."""
        if self.too_few:
            return None
        spread, reach = self.bands[run]
        middle = float(self.line[run, 0] - x * self.line[run, 1])
        half = reach * _error(x, *(float(part[0]) for part in spread))
        return None if half <= SAME else (middle - half, min(middle + half, 1.0))

    def first(self, x: float) -> Floats:
        """Return the share of resamples in which each run, and last declining everything, has the highest mean at a cost."""
        means = (self.right - x * self.wrong)[:, :-1]
        best = means >= means.max(axis=1, keepdims=True) - SAME
        return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)

    def ahead(self, a: int, b: int) -> Span | None:
        """Return the range of costs at which one run is significantly ahead of another."""
        of_right, of_wrong, both = (float(part[0]) for part in self._spread(a, np.array([b])))
        right, wrong = (self.line[a] - self.line[b]).tolist()
        return shown(right, wrong, of_right, of_wrong, both, self.reach)


def steepest(right: Floats, wrong: Floats, of_right: Floats, of_wrong: Floats, both: Floats) -> Floats:
    """Return the largest |right - x · wrong| / its standard error over all costs x ≥ 0.

    It is the Mahalanobis length of (right, wrong) if that is attained at a positive cost, and otherwise the value at an end,
    where errors cost nothing or everything.

    >>> unit = np.ones(1)
    >>> steepest(3 * unit, -4 * unit, unit, unit, 0 * unit).round(6), steepest(3 * unit, 4 * unit, unit, unit, 0 * unit).round(6)
    (array([5.]), array([4.]))
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.maximum(np.where(of_right > 0, np.abs(right) / np.sqrt(of_right), 0),
                          np.where(of_wrong > 0, np.abs(wrong) / np.sqrt(of_wrong), 0))  # fmt: skip
        rest = of_right * of_wrong - both * both
        # The direction of the cost at which the length is attained, (1, -x) up to a factor.
        along, across = of_wrong * right - both * wrong, of_right * wrong - both * right
        inside = (along * across < 0) & (rest > 1e-9 * of_right * of_wrong)
        length = np.sqrt(np.maximum((right * along + wrong * across) / rest, 0))
    return np.where(inside, np.maximum(length, ends), ends)


def shown(right: float, wrong: float, of_right: float, of_wrong: float, both: float, reach: float) -> Span | None:
    """Return the range of costs x ≥ 0 at which right - x · wrong exceeds `reach` standard errors; None if empty.

    It is one range, because the standard error of a line is convex: 0.3 - 0.1x with an error of 0.1 is above twice that up to
    x = 1.

    >>> low, high = shown(0.3, 0.1, 0.01, 0.0, 0.0, 2.0)
    >>> low, round(high, 12)
    (0.0, 1.0)
    """
    square = reach * reach
    a, b, c = wrong**2 - square * of_wrong, 2 * (square * both - right * wrong), right**2 - square * of_right
    inner = b * b - 4 * a * c
    if abs(a) > SAME * max(1.0, abs(b)):
        roots = [(-b - sqrt(inner)) / (2 * a), (-b + sqrt(inner)) / (2 * a)] if inner >= 0 else []
    else:
        roots = [-c / b] if b else []
    ends = [0.0, *sorted(root for root in roots if root > 0), inf]
    spans: list[Span] = []
    for low, high in pairwise(ends):
        x = (low + high) / 2 if isfinite(high) else 2 * low + 1
        if right - x * wrong > reach * _error(x, of_right, of_wrong, both):
            spans.append((low, high))
    return (spans[0][0], spans[-1][1]) if spans else None


def _error(x: float, of_right: float, of_wrong: float, both: float) -> float:
    """Return the standard error of right - x · wrong."""
    return sqrt(max(of_right - 2 * x * both + x * x * of_wrong, 0.0))


def _quantile(largest: Floats, confidence: float) -> float:
    """Return the ⌊α(B+1)⌋-th largest of B maxima, or infinity if that is none."""
    place = int((1 - confidence) * (len(largest) + 1) + 1e-9)
    return float(np.sort(largest)[-place]) if place else inf
