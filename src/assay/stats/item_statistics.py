"""Item statistics: difficulty, discrimination, and a test of negative discrimination for each item of a test.

Discrimination is the corrected item-total correlation (Lord and Novick, Statistical Theories of Mental Test Scores, 1968, §15):
Pearson's r between the values of an item and each run's mean over its *other* items, for right and wrong the point-biserial.
Below 0, good runs do badly on the item, because its gold is wrong or by chance. The test is a one-sided rank test, whose p is
bounded by the number of permutations; a t test could give less if one run is far from the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lgamma
from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats
from assay.stats.multiple_comparisons import benjamini_hochberg

MAX_EXACT_RUNS = 150
"""Up to so many runs the distribution of the rank sum is exact; beyond, normal."""
ROUNDING = 12
"""Decimals to which two runs' means are compared."""


@dataclass(frozen=True)
class Statistics:
    """An entry per item; NaN where it is undefined."""

    runs: Any
    """The number of runs with a value."""
    mean: Floats
    total: Floats
    """The correlation with the mean over all items, including this one."""
    rest: Floats
    """The same with the mean over the other items: the discrimination."""
    p: Floats
    """The one-sided p-value of a negative discrimination."""
    adjusted: Floats
    """The same after Benjamini and Hochberg, over all tested items."""


def statistics(values: Floats) -> Statistics:
    """Return the statistics of items × runs; NaN is a missing value.

    Four runs on three items. Without the first item all runs are equal, so it has no correlation; the third is right only for
    the run with nothing else, one permutation in four.

    >>> by_item = statistics(np.array([[1.0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]]))
    >>> by_item.mean.tolist(), by_item.rest.round(4).tolist(), by_item.p.tolist()
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
    p = _p_values(np.where(np.isfinite(others), values, np.nan), others)
    p[~np.isfinite(rest)] = np.nan
    adjusted, tested = np.full(len(p), np.nan), np.isfinite(p)
    adjusted[tested] = benjamini_hochberg(p[tested])[0]
    return Statistics(runs, means, correlations(values, totals), rest, p, adjusted)


def correlations(x: Floats, y: Floats) -> Floats:
    """Return Pearson's r of each row of x with that of y, over common values; NaN where either is constant.

    >>> correlations(np.array([[1.0, 2, 3, np.nan], [1, 1, 1, 1]]), np.array([[2.0, 4, 6, 0], [1, 2, 3, 4]])).tolist()
    [1.0, nan]
    """
    both = np.isfinite(x) & np.isfinite(y)
    n = np.maximum(both.sum(axis=1, keepdims=True), 1)
    a, b = (np.where(both, values, 0.0) for values in (x, y))
    a, b = (np.where(both, values - values.sum(axis=1, keepdims=True) / n, 0.0) for values in (a, b))
    squares = (a * a).sum(axis=1) * (b * b).sum(axis=1)
    # Constant rows leave only rounding.
    flat = squares <= 1e-24
    return np.where(flat, np.nan, np.clip((a * b).sum(axis=1) / np.sqrt(np.where(flat, 1.0, squares)), -1.0, 1.0))


def _p_values(values: Floats, others: Floats) -> Floats:
    """Return the one-sided p of each item: by the rank sum of the right runs, or by rank correlation of graded values."""
    present = np.isfinite(values)
    runs = present.sum(axis=1)
    ranks = midranks(np.where(present, others, np.inf))
    binary = (np.isin(values, (0.0, 1.0)) | ~present).all(axis=1)
    p = np.full(len(values), np.nan)
    right = np.where(present, values, 0.0)
    for n, k in {(int(n), int(k)) for n, k in zip(runs[binary], right.sum(axis=1)[binary], strict=True)}:
        if 0 < k < n:
            here = binary & (runs == n) & (right.sum(axis=1) == k)
            p[here] = _below(n, k, (ranks[here] * right[here]).sum(axis=1))
    graded = ~binary & (runs > 2)
    if graded.any():
        p[graded] = _graded(values[graded], np.where(present, ranks, np.nan)[graded], runs[graded])
    return p


def _graded(values: Floats, ranks: Floats, runs: Any) -> Floats:
    """Return p by Student's t of Spearman's rank correlation, at least 1/n! of the orders of n runs."""
    from scipy.special import stdtr

    value_ranks = np.where(np.isfinite(values), midranks(np.where(np.isfinite(values), values, np.inf)), np.nan)
    r = correlations(value_ranks, ranks)
    with np.errstate(divide="ignore"):
        t = r * np.sqrt((runs - 2) / np.maximum(1 - r * r, 0.0))
    least = np.exp([-lgamma(n + 1) for n in runs.tolist()])
    return np.maximum(stdtr(runs - 2.0, t), least)


def midranks(values: Floats) -> Floats:
    """Return the rank of each value in its row, from 1 for the smallest; ties share their mean rank.

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
    """Return the probability that the ranks of k random runs of n add up to at most each of some sums.

    Half ranks of ties are rounded up, which is conservative.

    >>> _below(4, 2, np.array([3.0, 4.0])).round(6).tolist()  # of 6 pairs, 1+2 alone is 3, and 1+3 is 4
    [0.166667, 0.333333]
    """
    if n <= MAX_EXACT_RUNS:
        return rank_sums(n)[k][np.ceil(sums - 1e-9).astype(np.int64)]
    from scipy.special import ndtr

    return ndtr((sums + 0.5 - k * (n + 1) / 2) / np.sqrt(k * (n - k) * (n + 1) / 12))


@lru_cache(maxsize=256)
def rank_sums(n: int) -> Floats:
    """P(the ranks of k of n things add up to at most s), by k and s (Wilcoxon, Biometrics Bulletin 1, 1945)."""
    ways = np.zeros((n + 1, n * (n + 1) // 2 + 1))
    ways[0, 0] = 1.0
    for rank in range(1, n + 1):
        # A copy, because source and target overlap.
        ways[1 : rank + 1, rank:] += ways[:rank, : ways.shape[1] - rank].copy()
    return np.cumsum(ways, axis=1) / ways.sum(axis=1, keepdims=True)
