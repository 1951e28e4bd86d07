"""Measures of a ranking where some documents are worth more than others.

A document's gain is its grade, unless gains are given: `nDCG(gains=1:1,2:3)`. Grades below 0 (pooled but unjudged) gain nothing.
"""

from __future__ import annotations

from itertools import accumulate
from math import inf, log2

from assay.errors import UsageError
from assay.measures.declare import measure
from assay.measures.parameters import blend, integer, one_of, positive, share
from assay.measures.parameters import gains as gain_table
from assay.measures.ranked import TREC_EVAL
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Gains = Mapping[int, float] | None

JARVELIN = "K. Järvelin and J. Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques, ACM TOIS 20(4), 2002"
DCG = {"cut": positive, "gains": gain_table, "dcg": one_of("log2", "exp-log2")}
MOFFAT = (
    "A. Moffat and J. Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, ACM TOIS 27(1), 2008"
)
NO_GAIN = "where no document of the gold has a gain above 0"


def scale(text: str) -> int:
    """the highest grade of the scale, from 1 to 1000"""
    value = positive(text)
    if value > 1000:
        raise ValueError("expected a whole number from 1 to 1000")
    return value


def _exponential(gains: Gains, view: RankedView) -> Gains:
    """With dcg=exp-log2 the gain of a grade is 2^grade - 1."""
    table = {g: float(g) for g in view.judgments.grades if g >= 0} | dict(gains or {})
    for grade, gain in table.items():
        if gain > 1000:
            raise UsageError(
                f"dcg=exp-log2: 2^{gain:g} for grade {grade} is beyond any number; give gains for the grades"
            )
    return {grade: 2.0**gain - 1.0 for grade, gain in table.items()}


def discounted(worth: Iterable[tuple[int, float]], cut: int | None) -> float:
    """Σ gain/log2(rank + 1) over the first `cut` ranks."""
    total, last = 0.0, cut or inf
    for rank, gain in worth:
        if rank > last:
            break
        total += gain / log2(rank + 1)
    return total


def _of_ideal(make: Callable[[list[float]], list[Any]], view: RankedView, gains: Gains) -> list[Any]:
    """What follows from the ideal gains alone, made once for all runs."""
    key = (make, None if gains is None else tuple(sorted(gains.items())))
    known = view.judgments.memo
    if key not in known:
        known[key] = make(view.ideal(gains))
    return known[key]


def _discounted_sums(ideal: list[float]) -> list[float]:
    """The DCG of the best possible ranking after 0, 1, 2 … ranks."""
    return list(accumulate((gain / log2(rank + 1) for rank, gain in enumerate(ideal, 1)), initial=0.0))


def _ideal(view: RankedView, gains: Gains, cut: int | None) -> float:
    best = _of_ideal(_discounted_sums, view, gains)
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
    best = _of_ideal(_discounted_sums, view, gains)
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
    """The ranks after which the ideal gain changes, the last one being a change to 0."""
    return [rank for rank in range(1, len(ideal) + 1) if rank == len(ideal) or ideal[rank] != ideal[rank - 1]]


@measure("Rndcg", parameters={"gains": gain_table}, undefined=NO_GAIN, cite=TREC_EVAL)
def ndcg_at_gain_changes(view: RankedView, gains: Gains = None) -> float | None:
    """nDCG averaged over the ranks after which the ideal gain changes, and the end of a list that goes on after them.

    The last change, to a gain of 0, is one rank long; only a list that goes on beyond it has an end of its own.

    >>> view = RankedView.of([1, 2, 0, 0])  # ideal 2, 1: the gain changes after ranks 1 and 2, the list ends at 4
    >>> at1, at2 = 1 / 2, (1 + 2 / log2(3)) / (2 + 1 / log2(3))
    >>> ndcg_at_gain_changes(view) == (at1 + at2 + at2) / 3
    True
    """
    changes = _of_ideal(_changes, view, gains)
    if not changes or not view.num_rel():
        return None
    if view.num_ret > changes[-1] + 1:
        changes = [*changes, view.num_ret]
    worth = list(view.gained(gains))
    total = 0.0
    for rank in changes:
        total += discounted(worth, rank) / _ideal(view, gains, rank)
    return total / len(changes)


def _costs(ideal: list[float]) -> list[float]:
    """What the first 0, 1, 2 … ranks cost: each its ideal gain, and at least 1."""
    return list(accumulate((max(1.0, gain) for gain in ideal), initial=0.0))


@measure("G", parameters={"gains": gain_table}, undefined=NO_GAIN, high=None, cite=TREC_EVAL)
def normalised_gain(view: RankedView, gains: Gains = None) -> float | None:
    """A cross of AP and nDCG: each gain is discounted by what was lost above it.

    G = Σ gain(r)/log2(2 + cost(r) - gained(r)) / Σ ideal gain, with cost(r) the sum over ranks up to r of max(1, ideal gain) and
    gained(r) the gain up to and including r.

    >>> normalised_gain(RankedView.of([0, 0, 1]))  # 1/log2(2 + 3 - 1)
    0.5
    """
    costs = _of_ideal(_costs, view, gains)
    relevant = len(costs) - 1
    if not relevant:
        return None
    total = gained = 0.0
    for rank, gain in view.gained(gains):
        cost = costs[rank] if rank <= relevant else costs[-1] + (rank - relevant)
        gained += gain
        total += gain / log2(2 + cost - gained)
    return total / sum(view.ideal(gains))


@measure(
    "RBP", aliases=("rbp", "rbp{p}"),
    parameters={"p": share, "cut": positive, "rel": integer, "gains": gain_table},
    cite=MOFFAT,
)  # fmt: skip
def rank_biased_precision(
    view: RankedView, p: float = 0.9, cut: int | None = None, rel: int | None = None, gains: Gains = None
) -> float:
    """What a reader gains who goes on to the next document with probability p: (1 - p) Σ gain(r)·p^(r-1).

    With `rel` a document gains 1 from that grade on. Otherwise gains are grades; where one lies outside [0, 1] they are
    rescaled by (gain - lowest)/(highest - lowest) over the topic's levels.

    >>> rank_biased_precision(RankedView.of([1, 0, 1]), p=0.5)  # .5·(1 + .25)
    0.625
    """
    if rel is not None:
        worth = dict.fromkeys(view.relevant(rel), 1.0)
    else:
        table = {grade: float(grade) for grade in {0, *view.judgments.grades} if grade >= 0} | dict(gains or {})
        low, high = min(table.values()), max(table.values())
        if low == high:
            table = dict.fromkeys(table, 1.0 if high > 0 else 0.0)
        elif low < 0 or high > 1:
            table = {grade: (gain - low) / (high - low) for grade, gain in table.items()}
        worth = {rank: table[grade] for rank, grade in view.judged() if table[grade] != 0}
    total, weight, at = 0.0, 1.0, 1
    for rank, gain in worth.items():
        if cut is not None and rank > cut:
            break
        for _ in range(rank - at):
            weight *= p
        at = rank
        total += gain * weight
    return (1.0 - p) * total


@measure("RBPResid", aliases=("rbp_resid",), parameters={"p": share}, higher_is_better=False, cite=MOFFAT)
def rbp_residual(view: RankedView, p: float = 0.9) -> float:
    """How much RBP could still grow if every unjudged document were relevant; 0 where nothing retrieved is unjudged.

    p^retrieved + (1 - p) Σ p^(r-1) over the unjudged documents retrieved.

    >>> rbp_residual(RankedView.of([1, None]), p=0.5)  # .25 + .5·.5
    0.5
    """
    judged = {rank for rank, _ in view.judged()}
    if len(judged) == view.num_ret:
        return 0.0
    total, weight = 0.0, 1.0
    for rank in range(1, view.num_ret + 1):
        if rank not in judged:
            total += weight
        weight *= p
    return weight + (1.0 - p) * total


@measure(
    "ERR", parameters={"cut": positive, "max": scale},
    cite="O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, Expected Reciprocal Rank for Graded Relevance, CIKM 2009",
)  # fmt: skip
def expected_reciprocal_rank(view: RankedView, cut: int | None = None, max: int = 4) -> float:
    """The expected reciprocal rank at which a reader is satisfied, grade g satisfying with probability (2^g - 1)/2^max.

    ERR = Σ_r (1/r)·s(r)·Π_{i<r} (1 - s(i)). `max` is the highest grade of the scale (4 in the TREC Web track).

    >>> expected_reciprocal_rank(RankedView.of([1, 1]), max=1)  # 1/2 + (1/2)·(1/2)·(1/2)
    0.625
    """
    total, looking = 0.0, 1.0
    for rank, grade in view.gained():
        if cut is not None and rank > cut:
            break
        if grade > max:
            raise UsageError(f"ERR: a document has grade {grade}, above max={max}; write ERR(max={int(grade)})")
        satisfied = (2.0**grade - 1.0) / 2.0**max
        total += looking * satisfied / rank
        looking *= 1.0 - satisfied
    return total


@measure(
    "Q", aliases=("Q-measure", "QMeasure"), parameters={"cut": positive, "gains": gain_table, "beta": blend}, undefined=NO_GAIN,
    cite="T. Sakai, On the Reliability of Information Retrieval Metrics Based on Graded Relevance, IP&M 43(2), 2007",
)  # fmt: skip
def q_measure(view: RankedView, cut: int | None = None, gains: Gains = None, beta: float = 1.0) -> float | None:
    """Q-measure: average precision with gains, blended so that late documents still tell rankings apart.

    Q = (1/R) Σ_r isrel(r)·cbg(r)/(β·cig(r) + r), where cbg sums β·gain + 1 over the relevant documents up to r, cig sums the ideal
    gains up to r, and R counts the documents with a gain above 0. Q@k looks at k ranks and divides by min(k, R). β is 1 unless
    given; with 0 this is AP.

    >>> q_measure(RankedView.of([2, 1])), q_measure(RankedView.of([0, 2], unretrieved=[1]))  # second: (3/(3 + 2))/2
    (1.0, 0.3)
    """
    ideal = view.ideal(gains)
    if not ideal:
        return None
    cumulated = [0.0]
    for gain in ideal:
        cumulated.append(cumulated[-1] + gain)
    total = gained = 0.0
    found = 0
    for rank, gain in view.gained(gains):
        if cut is not None and rank > cut:
            break
        if gain > 0:
            # Gains are added as the ideal ones are, and the bonuses apart, so that an ideal output is worth exactly 1.
            gained += gain
            found += 1
            total += (beta * gained + found) / (beta * cumulated[min(rank, len(ideal))] + rank)
    return total / (len(ideal) if cut is None else min(cut, len(ideal)))
