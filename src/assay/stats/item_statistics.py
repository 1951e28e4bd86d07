"""Item statistics: difficulty, discrimination, and a test of negative discrimination for each item of a test.

Discrimination is the corrected item-total correlation (Lord and Novick, Statistical Theories of Mental Test Scores, 1968, §15):
Pearson's r between the values of an item and each run's mean over its *other* items, which for right and wrong is the
point-biserial. Below 0, runs that are good otherwise do badly on the item: a mistaken gold does that, and so does chance. The
chance is a one-sided test by ranks, whose p cannot be smaller than the number of ways to deal out the answers allows, as that of
a t test could where one run is far from all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lgamma
from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats
from assay.stats.multiple_comparisons import benjamini_hochberg

MOST_EXACT = 150
"""Runs up to which the distribution of the rank sum is counted out; beyond, it is normal for all that matters."""
ROUNDING = 12
"""Decimals from which on two runs' means are the same but for rounding."""


@dataclass(frozen=True)
class Statistics:
    """An entry per item; NaN where it is undefined."""

    runs: Any
    """How many runs have a value on it."""
    mean: Floats
    total: Floats
    """The correlation with the mean over all items, this one among them."""
    rest: Floats
    """The same with the mean over the other items: the discrimination."""
    p: Floats
    """How probable so negative a relation is where there is none."""
    adjusted: Floats
    """The same after Benjamini and Hochberg, over all items that have one."""


def statistics(values: Floats) -> Statistics:
    """The statistics of items × runs; NaN stands for no value.

    Four runs on three items. Beside the first all runs are equal, so that there is no correlation; the third is right exactly for the
    run that has nothing else, as one deal in four has it.

    >>> found = statistics(np.array([[1.0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]]))
    >>> found.mean.tolist(), found.rest.round(4).tolist(), found.p.tolist()
    ([0.5, 0.75, 0.25], [nan, -0.3333, -0.8704], [nan, 0.5, 0.25])
    """
    present = np.isfinite(values)
    filled = np.where(present, values, 0.0)
    runs = present.sum(axis=1)
    means = filled.sum(axis=1) / np.maximum(runs, 1)
    sums, counts = filled.sum(axis=0), present.sum(axis=0)
    totals = np.where(present, (sums / np.maximum(counts, 1))[None, :], np.nan)
    others = np.where(present & (counts > 1)[None, :], (sums - filled) / np.maximum(counts - 1, 1), np.nan)
    others = others.round(ROUNDING)
    rest = correlations(values, others)
    p = _chance(np.where(np.isfinite(others), values, np.nan), others)
    p[~np.isfinite(rest)] = np.nan
    adjusted, tested = np.full(len(p), np.nan), np.isfinite(p)
    adjusted[tested] = benjamini_hochberg(p[tested])[0]
    return Statistics(runs, means, correlations(values, totals), rest, p, adjusted)


def correlations(x: Floats, y: Floats) -> Floats:
    """Pearson's r of each row of x with the same row of y, where both have a value; NaN where either does not vary.

    >>> correlations(np.array([[1.0, 2, 3, np.nan], [1, 1, 1, 1]]), np.array([[2.0, 4, 6, 0], [1, 2, 3, 4]])).tolist()
    [1.0, nan]
    """
    both = np.isfinite(x) & np.isfinite(y)
    n = np.maximum(both.sum(axis=1, keepdims=True), 1)
    a, b = (np.where(both, one, 0.0) for one in (x, y))
    a, b = (np.where(both, one - one.sum(axis=1, keepdims=True) / n, 0.0) for one in (a, b))
    squares = (a * a).sum(axis=1) * (b * b).sum(axis=1)
    # What does not vary leaves rounding behind, of which no correlation is made.
    flat = squares <= 1e-24
    return np.where(flat, np.nan, np.clip((a * b).sum(axis=1) / np.sqrt(np.where(flat, 1.0, squares)), -1.0, 1.0))


def _chance(values: Floats, others: Floats) -> Floats:
    """The one-sided p of each item: by the rank sum of those who are right, or by rank correlation of graded values."""
    present = np.isfinite(values)
    runs = present.sum(axis=1)
    ranks = midranks(np.where(present, others, np.inf))
    binary = (np.isin(values, (0.0, 1.0)) | ~present).all(axis=1)
    found = np.full(len(values), np.nan)
    right = np.where(present, values, 0.0)
    for n, k in {(int(n), int(k)) for n, k in zip(runs[binary], right.sum(axis=1)[binary], strict=True)}:
        if 0 < k < n:
            here = binary & (runs == n) & (right.sum(axis=1) == k)
            found[here] = _below(n, k, (ranks[here] * right[here]).sum(axis=1))
    graded = ~binary & (runs > 2)
    if graded.any():
        found[graded] = _graded(values[graded], np.where(present, ranks, np.nan)[graded], runs[graded])
    return found


def _graded(values: Floats, ranks: Floats, runs: Any) -> Floats:
    """Spearman's rank correlation, Student's t of it, and no p below that of one order of the runs in all."""
    from scipy.special import stdtr

    own = np.where(np.isfinite(values), midranks(np.where(np.isfinite(values), values, np.inf)), np.nan)
    r = correlations(own, ranks)
    with np.errstate(divide="ignore"):
        t = r * np.sqrt((runs - 2) / np.maximum(1 - r * r, 0.0))
    least = np.exp([-lgamma(n + 1) for n in runs.tolist()])
    return np.maximum(stdtr(runs - 2.0, t), least)


def midranks(values: Floats) -> Floats:
    """The place of each value in its row from the smallest, 1, up; equals share the mean of their places.

    >>> midranks(np.array([[0.2, 0.5, 0.2, 0.1]])).tolist()
    [[2.5, 4.0, 2.5, 1.0]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    n = values.shape[1]
    new = np.ones(values.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(new, np.arange(n), 0), axis=1)
    ends = np.ones(values.shape, dtype=bool)
    ends[:, :-1] = new[:, 1:]
    last = np.minimum.accumulate(np.where(ends, np.arange(n), n)[:, ::-1], axis=1)[:, ::-1]
    places = np.empty(values.shape)
    np.put_along_axis(places, order, (first + last) / 2 + 1, axis=1)
    return places


def _below(n: int, k: int, sums: Floats) -> Floats:
    """The chance that k of n runs, drawn blindly, have ranks that add up to no more than each of some sums.

    Half ranks, of runs that are equal, are rounded up: that makes the chance larger, and nothing suspicious by rounding.

    >>> _below(4, 2, np.array([3.0, 4.0])).round(6).tolist()  # of 6 pairs, 1+2 alone is 3, and 1+3 is 4
    [0.166667, 0.333333]
    """
    if n <= MOST_EXACT:
        return rank_sums(n)[k][np.ceil(sums - 1e-9).astype(np.int64)]
    from scipy.special import ndtr

    return ndtr((sums + 0.5 - k * (n + 1) / 2) / np.sqrt(k * (n - k) * (n + 1) / 12))


@lru_cache(maxsize=256)
def rank_sums(n: int) -> Floats:
    """P(the ranks of k of n things add up to at most s), by k and s (Wilcoxon, Biometrics Bulletin 1, 1945)."""
    ways = np.zeros((n + 1, n * (n + 1) // 2 + 1))
    ways[0, 0] = 1.0
    for rank in range(1, n + 1):
        # What is added is of the ranks before: a copy, since places overlap.
        ways[1 : rank + 1, rank:] += ways[:rank, : ways.shape[1] - rank].copy()
    return np.cumsum(ways, axis=1) / ways.sum(axis=1, keepdims=True)
