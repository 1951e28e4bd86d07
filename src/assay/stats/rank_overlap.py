"""How alike two rankings of documents are, which need not hold the same documents nor be of one length."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np

from assay.core.overlaps import Floats, count_shared
from assay.settings import BETWEEN, checked

Documents = Sequence[str]
"""Ids from the first rank on, each once."""


class Overlap(NamedTuple):
    """Rank-biased overlap: extrapolated, and the least and the most it can be whatever stands below."""

    value: float
    low: float
    high: float


class Overlaps(NamedTuple):
    """The overlap of each pair of rankings, in the order (0, 1), (0, 2), …; NaN where a number is undefined.

    rbo       rank-biased overlap, extrapolated; `low` and `high` are the least and the most it can be
    tau_b     Kendall's tau-b over the documents that both have
    tau_ap    tau-AP over the same, the second ranking being the reference
    shared    how many documents both have
    """

    rbo: Floats
    low: Floats
    high: Floats
    tau_b: Floats
    tau_ap: Floats
    shared: Floats


def all_overlaps(rankings: Sequence[Documents], p: float = 0.9) -> Overlaps:
    """Compare each two of several rankings of the same topic.

    Rank-biased overlap is extrapolated (Webber, Moffat and Zobel, TOIS 2010, eq. 32), with its bounds (their eq. 11, and the
    residual of eq. 30). It is undefined where both rankings are empty, and the taus where fewer than two documents are shared.

    rankings   documents from the first rank on, each once
    p          the persistence of rank-biased overlap

    >>> found = all_overlaps([["a", "b", "c"], ["a", "c", "b"], ["x"]], p=0.5)
    >>> found.tau_b.round(4).tolist(), found.shared.tolist()
    ([0.3333, nan, nan], [3.0, 0.0, 0.0])
    """
    p = checked("p", p, BETWEEN)
    lengths = np.array([len(ranking) for ranking in rankings], np.int64)
    depths = np.arange(1, 2 * lengths.max(initial=0) + 1)
    terms = np.concatenate([[0.0], p**depths / depths])
    found = count_shared(rankings, terms)
    first, second = np.triu_indices(len(rankings), 1)
    short, long = np.minimum(lengths[first], lengths[second]), np.maximum(lengths[first], lengths[second])
    some = np.maximum(short, 1)
    # Sums over depths from 1 on: of p^d/d, and of p^d.
    sums, powers = np.cumsum(terms), np.cumsum(np.concatenate([[0.0], p**depths]))
    last, at_short, weight = found.documents, found.at_shorter, (1 - p) / p
    below = at_short * ((powers[long] - powers[short]) / some - (sums[long] - sums[short]))
    value = weight * (found.weighed + below) + ((last - at_short) / np.maximum(long, 1) + at_short / some) * p**long
    low = weight * (found.weighed - last * (sums[long] + log(1 - p)))
    full = long + short - last  # the depth by which all documents of both would be in both
    tail = short * (sums[full] - sums[short]) + long * (sums[full] - sums[long]) - last * (log(1 - p) + sums[full])
    high = low + p**short + p**long - p**full - weight * tail
    value, low, high = (np.where(short > 0, of, empty) for of, empty in ((value, 0.0), (low, 0.0), (high, 1.0)))
    with np.errstate(invalid="ignore"):
        every = last * (last - 1) // 2
        tau_b = (2 * found.ordered - every) / np.where(every > 0, every, np.nan)
        tau_ap = 2 / np.where(last > 1, last - 1, np.nan) * found.precision - 1
    value, low, high = (np.where(long > 0, of, np.nan) for of in (value, low, high))
    return Overlaps(value, low, high, tau_b, tau_ap, last.astype(np.float64))


def rank_biased_overlap(first: Documents, second: Documents, p: float = 0.9) -> Overlap | None:
    """Return the rank-biased overlap of two rankings, as `all_overlaps` computes it; None where both are empty.

    p   the persistence of a reader who goes on to the next rank

    >>> rank_biased_overlap(["a", "b"], ["a", "b"]).value
    1.0
    >>> round(rank_biased_overlap(["a", "b"], ["b", "a"], p=0.5).value, 6)  # X(1) = 0, X(2) = 2: 1 · (0.25 · 1) + 0.25
    0.5
    """
    found = all_overlaps([first, second], p)
    return Overlap(*(float(of[0]) for of in found[:3])) if first or second else None


def p_mrr(original: Documents, changed: Documents, documents: Sequence[str]) -> float | None:
    """How far a ranking follows an instruction that makes some documents non-relevant: p-MRR (Weller et al., FollowIR, 2024).

    Of each such document, with ranks R before and R' after: R'⁻¹/R⁻¹ turned into 1 - R/R' where it moved down, and R'/R - 1 where
    it moved up; their mean. 1: all moved down without end; 0: nothing moved; -1: up. One that is not there stands below the last.

    documents   those that the instruction makes non-relevant

    >>> p_mrr(["a", "b"], ["b", "a"], ["a"])  # from rank 1 to 2: 1 - 1/2
    0.5
    """
    if not documents:
        return None
    before = {document: rank for rank, document in enumerate(original, 1)}
    after = {document: rank for rank, document in enumerate(changed, 1)}
    total = 0.0
    for document in documents:
        old = before.get(document, len(original) + 1)
        new = after.get(document, len(changed) + 1)
        total += new / old - 1 if old >= new else 1 - old / new
    return total / len(documents)
