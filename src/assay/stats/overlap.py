"""How alike two rankings of documents are, which need not hold the same documents nor be of one length."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import log
from numbers import Real
from typing import NamedTuple

from assay.errors import UsageError

Documents = Sequence[str]
"""Ids from the first rank on, each once."""


class Overlap(NamedTuple):
    """Rank-biased overlap: extrapolated, and the least and the most it can be whatever stands below."""

    value: float
    low: float
    high: float


def overlaps(first: Documents, second: Documents) -> list[int]:
    """At every depth down to the longer one's end, how many documents both have in their first so many.

    >>> overlaps(["a", "b"], ["b", "c", "a"])
    [0, 1, 2]
    """
    place = {document: rank for rank, document in enumerate(first)}
    meets = [0] * max(len(first), len(second))
    for rank, document in enumerate(second):
        if document in place:
            meets[max(rank, place[document])] += 1
    return list(accumulate(meets))


def rank_biased_overlap(first: Documents, second: Documents, p: float = 0.9) -> Overlap | None:
    """Rank-biased overlap of two rankings, extrapolated from what there is of them (Webber, Moffat and Zobel, TOIS 2010, eq. 32),
    with the least and the most it can be (their eq. 11, and the residual of eq. 30). None where both are empty.

    p   the persistence of a reader who goes on to the next rank

    >>> rank_biased_overlap(["a", "b"], ["a", "b"]).value
    1.0
    >>> round(rank_biased_overlap(["a", "b"], ["b", "a"], p=0.5).value, 6)  # X(1) = 0, X(2) = 2: 1 · (0.25 · 1) + 0.25
    0.5
    """
    if not (isinstance(p, Real) and 0 < p < 1):
        raise UsageError(f"`p={p!r}`: expected a number between 0 and 1")
    p = float(p)
    short, long = sorted((len(first), len(second)))
    if not long:
        return None
    if not short:
        return Overlap(0.0, 0.0, 1.0)
    shared = overlaps(first, second)
    last, at_short = shared[-1], shared[short - 1]
    weight = (1 - p) / p
    seen = sum(count / depth * p**depth for depth, count in enumerate(shared, 1))
    below = sum(at_short * (depth - short) / (short * depth) * p**depth for depth in range(short + 1, long + 1))
    value = weight * (seen + below) + ((last - at_short) / long + at_short / short) * p**long
    return Overlap(value, *_ends(shared, short, long, p))


def _ends(shared: Sequence[int], short: int, long: int, p: float) -> tuple[float, float]:
    last, weight = shared[-1], (1 - p) / p
    low = weight * (sum((count - last) * p**depth / depth for depth, count in enumerate(shared, 1)) - last * log(1 - p))
    full = long + short - last
    """The depth by which all documents of both would be in both."""
    tail = short * _terms(p, short, full) + long * _terms(p, long, full) + last * (-log(1 - p) - _terms(p, 0, full))
    return low, low + p**short + p**long - p**full - weight * tail


def _terms(p: float, after: int, to: int) -> float:
    return sum(p**depth / depth for depth in range(after + 1, to + 1))


def shared_order(first: Documents, second: Documents) -> tuple[list[int], list[int]]:
    """The documents that both have, as scores by which each ranks them: what a correlation of rankings takes.

    >>> shared_order(["a", "b", "c"], ["c", "a"])
    ([-1, -3], [-2, -1])
    """
    places = {document: -rank for rank, document in enumerate(second, 1)}
    both = [(-rank, places[document]) for rank, document in enumerate(first, 1) if document in places]
    return [x for x, _ in both], [y for _, y in both]


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
