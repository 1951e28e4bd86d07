"""Interpolated precision at levels of recall."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from operator import truediv

from assay.measures.define import measure
from assay.measures.parameters import integer, number, one_of
from assay.measures.ranked import BUCKLEY_VOORHEES, NO_RELEVANT
from assay.measures.views.ranked import RankedView


@lru_cache(1 << 14)
def recall_cutoff(level: float, relevant: int, rule: str) -> int:
    """Return the number of relevant documents at a recall level.

    `ceil` is exact: the smallest whole number not below level·R, reading the level as the decimal it is written as.
    trec_eval 10.0 takes C's `lround` of the product, trec_eval 9 truncates it after adding .9.

    >>> [recall_cutoff(0.6, 4, rule) for rule in ("ceil", "lround", "trunc")]  # .6 of 4 documents is 2.4 of them
    [3, 2, 3]
    """
    if rule == "lround":
        product = level * relevant
        return int(product) + (product - int(product) >= 0.5)
    if rule == "trunc":
        return int(level * relevant + 0.9)
    whole, _, decimals = repr(level).partition(".")
    if "e" in decimals or "e" in whole:
        from fractions import Fraction

        exact = Fraction(repr(level)) * relevant
        return -(-exact.numerator // exact.denominator)
    return -(-int(whole + decimals) * relevant // 10 ** len(decimals))


def interpolated_precisions(view: RankedView, rel: int | None = None) -> list[float]:
    """Return the interpolated precision at 0, 1, 2 … relevant documents found.

    At i documents it is the highest precision at any point from there on to the end of the list.

    >>> interpolated_precisions(RankedView.of([1, 0, 1]))
    [1.0, 1.0, 0.6666666666666666]
    """
    known = view.memo.get(("interpolated", rel))
    if known is not None:
        return known
    ranks = view.relevant(rel)
    precisions = [*accumulate(map(truediv, range(len(ranks), 0, -1), reversed(ranks)), max)]
    precisions.append(precisions[-1] if precisions else 0.0)
    precisions.reverse()
    view.memo["interpolated", rel] = precisions
    return precisions


@measure(
    "IPrec", aliases=("iprec_at_recall_{recall}",), at="recall",
    parameters={"recall": number, "rel": integer, "cut": one_of("ceil", "lround", "trunc")},
    undefined=NO_RELEVANT, cite=BUCKLEY_VOORHEES, kernel="IPrec",
)  # fmt: skip
def interpolated_precision(view: RankedView, recall: float, rel: int | None = None, cut: str = "ceil") -> float | None:
    """Interpolated precision at a recall level: the highest precision at any actual recall of at least that level.

    Four relevant documents at ranks 1, 2, 4 and 15: 1 up to recall .5, .75 at .6 and .7, 4/15 from .8.

    >>> view = RankedView.of([1, 1, 0, 1] + [0] * 10 + [1])
    >>> [interpolated_precision(view, r) for r in (0.0, 0.5, 0.6, 0.7)]
    [1.0, 1.0, 0.75, 0.75]
    >>> round(interpolated_precision(view, 0.8), 2)
    0.27
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    precisions = interpolated_precisions(view, rel)
    needed = max(recall_cutoff(recall, relevant, cut), 0)
    return precisions[needed] if needed < len(precisions) else 0.0


ELEVEN = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _levels(text: str) -> tuple[float, ...]:
    """recall levels joined by /, as in .25/.5/.75"""
    return tuple(number(piece) for piece in text.split("/"))


@measure(
    "IPrecAvg", aliases=("11pt_avg",),
    parameters={"levels": _levels, "rel": integer, "cut": one_of("ceil", "lround", "trunc")},
    undefined=NO_RELEVANT, cite=BUCKLEY_VOORHEES,
)  # fmt: skip
def interpolated_average(
    view: RankedView, levels: tuple[float, ...] = ELEVEN, rel: int | None = None, cut: str = "ceil"
) -> float | None:
    """The mean of the interpolated precision at the eleven standard recall levels, or at other levels.

    >>> interpolated_average(RankedView.of([1, 0, 0, 1]), levels=(0.5, 1.0))  # (1 + 2/4)/2
    0.75
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    precisions = interpolated_precisions(view, rel)
    total = 0.0
    for level in reversed(levels):  # trec_eval adds from the highest level down
        needed = max(recall_cutoff(level, relevant, cut), 0)
        total += precisions[needed] if needed < len(precisions) else 0.0
    return total / len(levels)
