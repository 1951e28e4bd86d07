"""Confidence intervals by resampling topics.

    studentised   the default up to 2,000 topics: resamples of (estimate - value)/standard error, Efron and Tibshirani,
                  An Introduction to the Bootstrap (1993), §12.5. On real TREC data at 50 topics the simpler intervals
                  are too short (docs/comparing.md has the coverage of each).
    percentile    the middle 95% of the resampled differences; the default above 2,000 topics and for measures of whole runs
    bca           percentile, corrected for bias and skewness (§14.3)
    t             estimate ± t · standard error; what stands in where resamples without any spread leave the studentised
                  interval without an end; from two topics, 12.7 standard errors either way, it says nothing and is
                  left out

The standard error of a ratio of sums such as c@1 is that of its linearisation (the delta method).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.resampling.arithmetic import Floats, slack
from assay.resampling.samples import AT_ONCE, Sample

METHODS = ("auto", "studentised", "bca", "percentile")
MANY_UNITS = 2000
"""Beyond this the studentised interval costs more than it gains over the percentile one."""
FEWEST_UNITS = 3
"""With fewer units that differ there is no interval worth the name."""


@dataclass(frozen=True)
class Interval:
    """An interval, and how it was made."""

    low: float
    high: float
    confidence: float
    method: str


@dataclass(frozen=True)
class Resampled:
    """What the bootstrap says of each pair (or each run)."""

    estimates: Floats
    intervals: list[Interval | None]
    shift_p: Floats
    """Two-sided p of the shift bootstrap: how often a resample differs from the estimate by at least the estimate."""
    errors: Floats
    """Standard errors: by formula, or for measures of whole runs the spread of the resamples."""
    undefined: int
    """Resamples on which the measure of some run was undefined; they are left out."""


def bootstrap(
    sample: Sample, a: Any, b: Any = None, *, method: str = "auto", confidence: float = 0.95, resamples: int = 10_000,
    seed: int = 0, threads: int | None = None, draws: Floats | None = None,
) -> Resampled:  # fmt: skip
    """Intervals of the differences a[i] - b[i] between runs (of the runs a[i] themselves without b).

    `draws`, where they are at hand, are sample.bootstrap(resamples, seed).

    >>> from assay.resampling.samples import Mean
    >>> rng = np.random.default_rng(1)
    >>> sample = Mean(np.column_stack([rng.normal(1.0, 0.1, 40), rng.normal(0.0, 0.1, 40)]))
    >>> [interval] = bootstrap(sample, [0], [1], resamples=999).intervals
    >>> 0.9 < interval.low < 1.0 < interval.high < 1.1
    True
    """
    if method not in METHODS:
        raise UsageError(f"`interval={method!r}`: expected one of {', '.join(METHODS)}")
    if not 0 < confidence < 1:
        raise UsageError(f"`confidence={confidence}`: expected a number between 0 and 1, such as 0.95")
    a = np.asarray(a, dtype=np.int64)
    b = None if b is None else np.asarray(b, dtype=np.int64)
    method = _chosen(method, sample)
    values = sample.values()
    estimates = _differences(values, a, b)
    draws = sample.bootstrap(resamples, seed, threads) if draws is None else draws
    jackknife = sample.jackknife() if method == "bca" else None
    room = slack(values)
    intervals: list[Interval | None] = []
    shift_p, errors = np.empty(len(a)), np.empty(len(a))
    undefined = np.zeros(resamples, dtype=bool)
    width = max(1, AT_ONCE // (resamples * sample.held))
    for start in range(0, len(a), width):
        here, other = a[start : start + width], None if b is None else b[start : start + width]
        resampled = _differences(draws, here, other)
        good = np.isfinite(resampled)
        undefined |= ~good.all(axis=1)
        spread = sample.errors(here, other) if sample.can("errors") else None
        spreads = sample.bootstrap_errors(here, other, resamples, seed, threads) if method == "studentised" else None
        left_out = None if jackknife is None else _differences(jackknife, here, other)
        for i in range(len(here)):
            at, keep = start + i, good[:, i]
            theta, stars = float(estimates[at]), resampled[keep, i]
            errors[at] = spread[i] if spread is not None else (stars.std(ddof=1) if len(stars) > 1 else np.nan)
            far = np.abs(stars - theta) >= abs(theta) - room
            shift_p[at] = (1 + np.count_nonzero(far)) / (len(stars) + 1)
            within = None if spreads is None else spreads[keep, i]
            without = None if left_out is None else left_out[:, i]
            error = float(errors[at])
            intervals.append(_interval(method, theta, stars, confidence, sample.units, error, within, without))
    return Resampled(estimates, intervals, shift_p, errors, int(undefined.sum()))


def _differences(table: Floats, a: Any, b: Any) -> Floats:
    return table[..., a] if b is None else table[..., a] - table[..., b]


def _chosen(method: str, sample: Sample) -> str:
    if method == "studentised" and not sample.can("errors"):
        raise UsageError(
            "`interval='studentised'`: a measure of a whole run has no standard error to studentise by; "
            "use `interval='bca'` or `interval='percentile'`"
        )
    if method != "auto":
        return method
    return "studentised" if sample.can("errors") and sample.units <= MANY_UNITS else "percentile"


def _interval(
    method: str, theta: float, stars: Floats, confidence: float, units: int, error: float, errors: Floats | None,
    jackknife: Floats | None,
) -> Interval | None:  # fmt: skip
    if not np.isfinite(theta) or len(stars) < 2:
        return None
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    if errors is not None:
        if error == 0:
            return Interval(theta, theta, confidence, method)
        ends = _studentised(theta, stars, tails, error, errors)
        if ends is None:
            if units < FEWEST_UNITS:
                return None
            from scipy.special import stdtrit

            method, ends = "t", theta + error * np.asarray(stdtrit(units - 1, tails))
    elif jackknife is not None:
        ends = np.quantile(stars, bca_levels(theta, stars, jackknife, tails))
    else:
        ends = np.quantile(stars, tails)
    return Interval(float(ends[0]), float(ends[1]), confidence, method)


def _studentised(theta: float, stars: Floats, tails: Floats, error: float, errors: Floats) -> Floats | None:
    """None where resamples without spread take an end of the interval to infinity."""
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = (stars - theta) / errors
    pivots[np.isnan(pivots)] = 0.0
    for end in (-np.inf, np.inf):
        if np.count_nonzero(pivots == end) / len(pivots) >= tails[0] / 2:
            return None
    low, high = np.quantile(pivots[np.isfinite(pivots)], tails)
    return np.array([theta - high * error, theta - low * error])


def bca_levels(theta: float, stars: Floats, jackknife: Floats, tails: Floats) -> Floats:
    """The percentiles BCa reads instead of `tails`: Φ(z0 + (z0 + z)/(1 - a(z0 + z))).

    Without bias or skewness they are the tails themselves:

    >>> stars = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    >>> bca_levels(0.0, stars, stars, np.array([0.025, 0.975])).round(3).tolist()
    [0.025, 0.975]
    """
    from scipy.special import ndtr, ndtri

    same = np.abs(stars - theta) <= slack(stars)
    below = (np.count_nonzero(~same & (stars < theta)) + 0.5 * np.count_nonzero(same)) / len(stars)
    known = jackknife[np.isfinite(jackknife)]
    influence = known.mean() - known
    squares = float((influence**2).sum())
    if squares == 0 or below in (0.0, 1.0):
        return tails
    acceleration = float((influence**3).sum()) / (6 * squares**1.5)
    bias = ndtri(below)
    shifted = bias + ndtri(tails)
    return np.asarray(ndtr(bias + shifted / (1 - acceleration * shifted)))
