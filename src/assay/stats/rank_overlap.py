"""Similarity of two rankings of documents, of any length and content: rank-biased overlap, Kendall's taus, p-MRR."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np

from assay.core.overlaps import Floats, count_shared
from assay.settings import BETWEEN, checked

Documents = Sequence[str]
"""Ids from the first rank on, each once."""


class Overlaps(NamedTuple):
    """The overlap of each pair of rankings, in the order (0, 1), (0, 2), …; NaN where a number is undefined.

    rbo       rank-biased overlap, extrapolated, with its bounds `low` and `high`
    tau_b     Kendall's tau-b over the documents of both
    tau_ap    tau-AP over the same, with the second ranking as reference
    shared    the number of documents in both
    """

    rbo: Floats
    low: Floats
    high: Floats
    tau_b: Floats
    tau_ap: Floats
    shared: Floats


def all_overlaps(rankings: Sequence[Documents], p: float = 0.9) -> Overlaps:
    """Compare every pair of several rankings of the same topic.

    Rank-biased overlap is extrapolated (Webber, Moffat and Zobel, TOIS 2010, eq. 32), with its bounds (their eq. 11, and the
    residual of eq. 30). It is undefined where both rankings are empty, and the taus where fewer than two documents are shared.

    rankings   documents from the first rank on, each once
    p          the persistence of rank-biased overlap

    >>> pairs = all_overlaps([["a", "b", "c"], ["a", "c", "b"], ["x"]], p=0.5)
    >>> pairs.tau_b.round(4).tolist(), pairs.shared.tolist()
    ([0.3333, nan, nan], [3.0, 0.0, 0.0])
    """
    p = checked("p", p, BETWEEN)
    lengths = np.array([len(ranking) for ranking in rankings], np.int64)
    depths = np.arange(1, 2 * lengths.max(initial=0) + 1)
    terms = np.concatenate([[0.0], p**depths / depths])
    counts = count_shared(rankings, terms)
    first, second = np.triu_indices(len(rankings), 1)
    short, long = np.minimum(lengths[first], lengths[second]), np.maximum(lengths[first], lengths[second])
    some = np.maximum(short, 1)
    # Sums over depths from 1 on: of p^d/d, and of p^d.
    sums, powers = np.cumsum(terms), np.cumsum(np.concatenate([[0.0], p**depths]))
    last, at_short, weight = counts.documents, counts.at_shorter, (1 - p) / p
    below = at_short * ((powers[long] - powers[short]) / some - (sums[long] - sums[short]))
    value = weight * (counts.weighed + below) + ((last - at_short) / np.maximum(long, 1) + at_short / some) * p**long
    low = weight * (counts.weighed - last * (sums[long] + log(1 - p)))
    full = long + short - last  # the depth by which all documents of both would be in both
    tail = short * (sums[full] - sums[short]) + long * (sums[full] - sums[long]) - last * (log(1 - p) + sums[full])
    high = low + p**short + p**long - p**full - weight * tail
    value, low, high = (np.where(short > 0, of, empty) for of, empty in ((value, 0.0), (low, 0.0), (high, 1.0)))
    with np.errstate(invalid="ignore"):
        every = last * (last - 1) // 2
        tau_b = (2 * counts.ordered - every) / np.where(every > 0, every, np.nan)
        tau_ap = 2 / np.where(last > 1, last - 1, np.nan) * counts.precision - 1
    value, low, high = (np.where(long > 0, of, np.nan) for of in (value, low, high))
    return Overlaps(value, low, high, tau_b, tau_ap, last.astype(np.float64))


def p_mrr(original: Documents, changed: Documents, documents: Sequence[str]) -> float | None:
    """Return p-MRR: how far a ranking follows an instruction that makes documents non-relevant (FollowIR, Weller et al. 2024).

    The mean over these documents of 1 - R/R' if a document moved down from rank R to R', and R'/R - 1 if it moved up, from -1
    to 1. A document that is not retrieved has the rank below the last.

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
