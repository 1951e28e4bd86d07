"""nDCG and its relatives: cumulated gain, discounted by the logarithm of the rank.

A document's gain is its grade, unless gains are given: `nDCG(gains=1:1,2:3)`. Grades below 0 (pooled but unjudged) gain nothing.
"""

from __future__ import annotations

from itertools import accumulate
from math import inf, log2

from assay.errors import UsageError
from assay.measures.define import measure
from assay.measures.parameters import gains as gain_table
from assay.measures.parameters import one_of, positive
from assay.measures.ranked import CUT, NO_RELEVANT, TREC_EVAL
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Gains = Mapping[int, float] | None

JARVELIN = "K. Järvelin and J. Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques, ACM TOIS 20(4), 2002"
BURGES = "C. Burges et al., Learning to Rank Using Gradient Descent, ICML 2005"
DCG = {"cut": positive, "gains": gain_table, "dcg": one_of("log2", "exp-log2")}
NO_GAIN = "where no document of the gold has a gain above 0"


def _exponential(gains: Gains, view: RankedView) -> Gains:
    """With dcg=exp-log2 the gain of a grade is 2^grade - 1."""
    table = {g: float(g) for g in view.judgments.grades if g >= 0} | dict(gains or {})
    for grade, gain in table.items():
        if gain > 1000:
            raise UsageError(f"dcg=exp-log2: 2^{gain:g} for grade {grade} overflows. Fix: give gains for the grades.")
    return {grade: 2.0**gain - 1.0 for grade, gain in table.items()}


def discounted(worth: Iterable[tuple[int, float]], cut: int | None) -> float:
    """Return Σ gain/log2(rank + 1) over the first `cut` ranks."""
    total, last = 0.0, cut or inf
    for rank, gain in worth:
        if rank > last:
            break
        total += gain / log2(rank + 1)
    return total


def once_per_ideal(make: Callable[[list[float]], list[Any]], view: RankedView, gains: Gains) -> list[Any]:
    """Return make(ideal gains), cached for all runs."""
    key = (make, None if gains is None else tuple(sorted(gains.items())))
    known = view.judgments.memo
    if key not in known:
        known[key] = make(view.ideal(gains))
    return known[key]


def _discounted_sums(ideal: list[float]) -> list[float]:
    """Return the DCG of the best possible ranking after 0, 1, 2 … ranks."""
    return list(accumulate((gain / log2(rank + 1) for rank, gain in enumerate(ideal, 1)), initial=0.0))


def _ideal(view: RankedView, gains: Gains, cut: int | None) -> float:
    best = once_per_ideal(_discounted_sums, view, gains)
    return best[-1] if cut is None or cut >= len(best) else best[cut]


@measure(
    "nDCG",
    aliases=("ndcg", "NDCG", "MSnDCG", "ndcg_cut_{cut}", "ndcg_at_{cut}"),
    parameters=DCG,
    undefined=NO_GAIN,
    cite=JARVELIN,
    kernel="nDCG",
)
def normalised_dcg(view: RankedView, cut: int | None = None, gains: Gains = None, dcg: str = "log2") -> float | None:
    """Discounted cumulative gain over that of the best possible ranking, both cut off at the same rank.

    nDCG = Σ gain(r)/log2(r + 1) / Σ ideal gain(r)/log2(r + 1). `dcg=exp-log2` makes the gain 2^grade - 1.

    >>> round(normalised_dcg(RankedView.of([0, 2], unretrieved=[1])), 4)  # (2/log2 3)/(2/1 + 1/log2 3)
    0.4796
    """
    table = gains if dcg == "log2" else _exponential(gains, view)
    ideal = _ideal(view, table, cut)
    return discounted(view.gained(table), cut) / ideal if ideal > 0 else None


@measure(
    "binary_nDCG", aliases=("cosine_ndcg@{cut}",), parameters=CUT, undefined=NO_RELEVANT,
    cite=JARVELIN + "; with gains of 0 and 1 as in the program of N. Reimers and I. Gurevych, Sentence-BERT, EMNLP 2019",
)  # fmt: skip
def binary_ndcg(view: RankedView, cut: int | None = None, rel: int | None = None) -> float | None:
    """nDCG with a gain of 1 for every relevant document, whatever its grade: `nDCG` where grades are 0 and 1.

    It is the ndcg@k of sentence-transformers, whose names begin with any similarity: `dot_ndcg@10`.

    >>> round(binary_ndcg(RankedView.of([0, 2], unretrieved=[1])), 4)  # (1/log2 3)/(1/1 + 1/log2 3)
    0.3869
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    ideal = discounted(((rank, 1.0) for rank in range(1, relevant + 1)), cut)
    return discounted(((rank, 1.0) for rank in view.relevant(rel)), cut) / ideal


@measure("DCG", aliases=("dcg",), parameters=DCG, high=None, cite=JARVELIN)
def dcg(view: RankedView, cut: int | None = None, gains: Gains = None, dcg: str = "log2") -> float:
    """Discounted cumulative gain, Σ gain(r)/log2(r + 1).

    >>> dcg(RankedView.of([2, 0, 1]))  # 2/1 + 1/2
    2.5
    """
    return discounted(view.gained(gains if dcg == "log2" else _exponential(gains, view)), cut)


@measure("IDCG", aliases=("ideal_dcg",), parameters=DCG, higher_is_better=None, high=None, cite=JARVELIN)
def ideal_dcg(view: RankedView, cut: int | None = None, gains: Gains = None, dcg: str = "log2") -> float:
    """The discounted cumulative gain of the best possible ranking.

    >>> ideal_dcg(RankedView.of([0], unretrieved=[1, 2])) == 2 + 1 / log2(3)
    True
    """
    return _ideal(view, gains if dcg == "log2" else _exponential(gains, view), cut)


@measure("nDCGrel", aliases=("ndcg_rel",), parameters={"gains": gain_table}, undefined=NO_GAIN, cite=TREC_EVAL)
def ndcg_at_relevant(view: RankedView, gains: Gains = None) -> float | None:
    """nDCG averaged over the relevant documents: at each one's rank, or at the end for those not retrieved.

    >>> ndcg_at_relevant(RankedView.of([1, 0], unretrieved=[1])) == (1 + 1 / (1 + 1 / log2(3))) / 2
    True
    """
    best = once_per_ideal(_discounted_sums, view, gains)
    relevant = len(best) - 1
    if not relevant:
        return None
    actual = total = 0.0
    retrieved = 0
    for rank, gain in view.gained(gains):
        actual += gain / log2(rank + 1)
        if gain > 0:
            total += actual / best[rank if rank < relevant else relevant]
            retrieved += 1
    total += (relevant - retrieved) * actual / best[-1]
    return total / relevant


def _changes(ideal: list[float]) -> list[int]:
    """Return the ranks after which the ideal gain changes, the last one being a change to 0."""
    return [rank for rank in range(1, len(ideal) + 1) if rank == len(ideal) or ideal[rank] != ideal[rank - 1]]


@measure("Rndcg", parameters={"gains": gain_table}, undefined=NO_GAIN, cite=TREC_EVAL)
def ndcg_at_gain_changes(view: RankedView, gains: Gains = None) -> float | None:
    """nDCG averaged over the ranks after which the ideal gain changes, and at the end of a longer list.

    The last change, to a gain of 0, is one rank long; only a list that is longer adds its end.

    >>> view = RankedView.of([1, 2, 0, 0])  # ideal 2, 1: the gain changes after ranks 1 and 2, the list ends at 4
    >>> at1, at2 = 1 / 2, (1 + 2 / log2(3)) / (2 + 1 / log2(3))
    >>> ndcg_at_gain_changes(view) == (at1 + at2 + at2) / 3
    True
    """
    changes = once_per_ideal(_changes, view, gains)
    if not changes or not view.num_rel():
        return None
    if view.num_ret > changes[-1] + 1:
        changes = [*changes, view.num_ret]
    worth = list(view.gained(gains))
    total = 0.0
    for rank in changes:
        total += discounted(worth, rank) / _ideal(view, gains, rank)
    return total / len(changes)


@measure("ndcg_burges", parameters={"cut": positive}, undefined=NO_GAIN, cite=BURGES)
def ndcg_burges(view: RankedView, cut: int | None = None) -> float | None:
    """nDCG with the gain 2^grade - 1, which emphasises high grades: nDCG(dcg=exp-log2).

    >>> round(ndcg_burges(RankedView.of([1, 2])), 4)  # (1 + 3/log2 3)/(3 + 1/log2 3)
    0.7967
    """
    return normalised_dcg(view, cut, dcg="exp-log2")


@measure("dcg_burges", parameters={"cut": positive}, high=None, cite=BURGES)
def dcg_burges(view: RankedView, cut: int | None = None) -> float:
    """DCG with the gain 2^grade - 1: DCG(dcg=exp-log2).

    >>> dcg_burges(RankedView.of([2, 0, 1]))  # 3/1 + 1/2
    3.5
    """
    return dcg(view, cut, dcg="exp-log2")
