"""Measures of a ranking by grades other than nDCG: RBP, ERR, Q-measure, G and compatibility.

A document's gain is its grade, unless gains are given: `nDCG(gains=1:1,2:3)`. Grades below 0 (pooled but unjudged) gain nothing.
"""

from __future__ import annotations

from itertools import accumulate
from math import log2

from assay.errors import UsageError
from assay.measures.define import measure
from assay.measures.ndcg import NO_GAIN, once_per_ideal
from assay.measures.parameters import blend, integer, positive, share
from assay.measures.parameters import gains as gain_table
from assay.measures.ranked import NO_RELEVANT, TREC_EVAL
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Gains = Mapping[int, float] | None

MOFFAT = (
    "A. Moffat and J. Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, ACM TOIS 27(1), 2008"
)


def scale(text: str) -> int:
    """the highest grade of the scale, from 1 to 1000"""
    value = positive(text)
    if value > 1000:
        raise ValueError("expected a whole number from 1 to 1000")
    return value


def _costs(ideal: list[float]) -> list[float]:
    """Return the cumulated cost after 0, 1, 2 … ranks: the ideal gain of each, at least 1."""
    return list(accumulate((max(1.0, gain) for gain in ideal), initial=0.0))


@measure("G", parameters={"gains": gain_table}, undefined=NO_GAIN, high=None, cite=TREC_EVAL)
def normalised_gain(view: RankedView, gains: Gains = None) -> float | None:
    """A cross of AP and nDCG: each gain is discounted by what was lost above it.

    G = Σ gain(r)/log2(2 + cost(r) - gained(r)) / Σ ideal gain, with cost(r) the sum over ranks up to r of max(1, ideal gain) and
    gained(r) the gain up to and including r.

    >>> normalised_gain(RankedView.of([0, 0, 1]))  # 1/log2(2 + 3 - 1)
    0.5
    """
    costs = once_per_ideal(_costs, view, gains)
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
    """Rank-biased precision, the gain of a reader who continues with probability p: (1 - p) Σ gain(r)·p^(r-1).

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
    """The possible growth of RBP if every unjudged document were relevant; 0 where nothing retrieved is unjudged.

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
    """Q-measure: average precision with gains, blended so that late documents still count.

    Q = (1/R) Σ_r isrel(r)·cbg(r)/(β·cig(r) + r), where cbg sums β·gain + 1 over the relevant documents up to r, cig sums the ideal
    gains up to r, and R counts the documents with a gain above 0. Q@k looks at k ranks and divides by min(k, R). β is 1 unless
    given; with 0 this is AP.

    >>> q_measure(RankedView.of([2, 1])), q_measure(RankedView.of([0, 2], unretrieved=[1]))  # second: (3/(3 + 2))/2
    (1.0, 0.3)
    """
    ideal = view.ideal(gains)
    if not ideal:
        return None
    cumulated = list(accumulate(ideal, initial=0.0))
    total = gained = 0.0
    hits = 0
    for rank, gain in view.gained(gains):
        if cut is not None and rank > cut:
            break
        if gain > 0:
            # Gains are added as the ideal ones are, and the bonuses apart, so that an ideal output is worth exactly 1.
            gained += gain
            hits += 1
            total += (beta * gained + hits) / (beta * cumulated[min(rank, len(ideal))] + rank)
    return total / (len(ideal) if cut is None else min(cut, len(ideal)))


CLARKE = "C. Clarke, A. Vtyurina and M. Smucker, Assessing Top-k Preferences, ACM TOIS 39(3), 2021"


def yes_or_no(text: str) -> bool:
    """True or False"""
    if text not in ("True", "False"):
        raise ValueError("expected True or False")
    return text == "True"


def _overlap(shared_from: Sequence[int], p: float, depth: int) -> float:
    """Rank-biased overlap of two lists to a depth, given the depth from which each document is in both.

    Σ p^(d-1)·|shared at d|/d over Σ p^(d-1).

    >>> _overlap([1, 3], 0.5, 3)  # (1 + .5·(1/2) + .25·(2/3))/1.75
    0.8095238095238095
    """
    score = weights = 0.0
    weight, shared, at = 1.0, 0, 0
    joining = sorted(shared_from)
    for d in range(1, depth + 1):
        while at < len(joining) and joining[at] == d:
            at += 1
            shared += 1
        score += weight * shared / d
        weights += weight
        weight *= p
    return score / weights


@measure("Compat", parameters={"p": share, "normalize": yes_or_no}, undefined=NO_RELEVANT, cite=CLARKE)
def compatibility(view: RankedView, p: float = 0.95, normalize: bool = True) -> float | None:
    """Rank-biased overlap with the ideal ranking, over the most that so short an ideal allows (`normalize=True`).

    The ideal ranking has every document of a grade above 0, highest first; within a grade those of the run in the run's order,
    then those it lacks: of all ideal rankings the one that is closest. Both are compared to the depth of the longer.

    >>> round(compatibility(RankedView.of([0, 1]), p=0.5), 9)  # shared 0 of 1, 1 of 2; the ideal has 1 of 1, 1 of 2: .25/1.25
    0.2
    """
    grades = view.judgments.grades[: view.judgments.at_least(1)]
    if not grades:
        return None
    depth = max(view.num_ret, len(grades))
    place = {grade: at for at, grade in reversed(list(enumerate(grades, 1)))}
    shared_from: list[int] = []
    for rank, gain in view.gained():
        grade = int(gain)
        shared_from.append(max(rank, place[grade]))
        place[grade] += 1
    score = _overlap(shared_from, p, depth)
    return score / _overlap(range(1, len(grades) + 1), p, depth) if normalize else score
