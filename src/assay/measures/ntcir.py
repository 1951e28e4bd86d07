"""Graded measures of NTCIR, as NTCIREVAL computes them.

A document's gain is its grade unless gains are given, and one with a gain above 0 is relevant. The *blended ratio* at a rank
joins precision and cumulated gain: BR(r) = (count(r) + β·cg(r))/(r + β·cig(r)), with count relevant documents up to r, cg the
sum of their gains and cig that of the best possible ranking. β = 0 is precision. A measure of the family NCU (normalised
cumulative utility) is the mean utility of readers who stop at a relevant document: Σ_r Pr(stop at r)·utility(r). Readers of
nERR and iRBU stop when a document satisfies them.
"""

from __future__ import annotations

from itertools import accumulate
from math import log

from assay.errors import UsageError
from assay.measures.define import measure
from assay.measures.graded import scale
from assay.measures.ndcg import JARVELIN, NO_GAIN
from assay.measures.parameters import blend, log_base, positive, share
from assay.measures.parameters import gains as gain_table
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    Gains = Mapping[int, float] | None

SAKAI_2007 = "T. Sakai, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document, IPSJ TOD 48 (TOD35), 2007"
SAKAI_ROBERTSON = (
    "T. Sakai and S. Robertson, Modelling A User Population for Designing Information Retrieval Metrics, EVIA 2008"
)

BLENDED: dict[str, Any] = {"parameters": {"gains": gain_table, "beta": blend}, "undefined": NO_GAIN, "cite": SAKAI_2007}


def relevant_gains(view: RankedView, gains: Gains) -> list[tuple[int, int, float]]:
    """Return (rank, grade, gain) of the relevant documents retrieved."""
    if gains is None:
        return [(rank, int(grade), float(grade)) for rank, grade in view.gained()]
    worth = ((rank, grade, gains.get(grade, float(grade))) for rank, grade in view.judged())
    return [(rank, grade, gain) for rank, grade, gain in worth if gain > 0]


def _blended(view: RankedView, gains: Gains, beta: float) -> list[tuple[int, int, float]]:
    """Return (rank, grade, blended ratio) at each relevant document retrieved."""
    best = list(accumulate(view.ideal(gains), initial=0.0))
    blended: list[tuple[int, int, float]] = []
    gained = 0.0
    for count, (rank, grade, gain) in enumerate(relevant_gains(view, gains), 1):
        gained += gain
        ideal = best[min(rank, len(best) - 1)]
        blended.append((rank, grade, (count + beta * gained) / (rank + beta * ideal)))
    return blended


@measure("O-measure", aliases=("O", "OMeasure"), **BLENDED)
def o_measure(view: RankedView, gains: Gains = None, beta: float = 1.0) -> float | None:
    """The blended ratio at the first relevant document, whatever its grade; 0 where none is found.

    It is reciprocal rank with grades: O = (1 + β·gain)/(r + β·cig(r)) at the rank r of the first relevant document.

    >>> o_measure(RankedView.of([0, 1], unretrieved=[3]))  # (1 + 1)/(2 + (3 + 1))
    0.3333333333333333
    """
    if not view.ideal(gains):
        return None
    blended = _blended(view, gains, beta)
    return blended[0][2] if blended else 0.0


@measure("P-measure", aliases=("PMeasure",), **BLENDED)
def p_measure(view: RankedView, gains: Gains = None, beta: float = 1.0) -> float | None:
    """The blended ratio at the preferred rank, that of the first document of the highest grade retrieved.

    It is 0 where no relevant document is retrieved.

    >>> p_measure(RankedView.of([1, 0, 3]))  # (2 + (1 + 3))/(3 + (3 + 1))
    0.8571428571428571
    """
    if not view.ideal(gains):
        return None
    blended = _blended(view, gains, beta)
    return blended[_preferred(blended)][2] if blended else 0.0


@measure("P-plus", aliases=("P+", "Pplus", "PPlusMeasure"), **BLENDED)
def p_plus(view: RankedView, gains: Gains = None, beta: float = 1.0) -> float | None:
    """The mean blended ratio over the relevant documents down to the preferred rank; 0 where none is found.

    The preferred rank is that of the first document of the highest grade retrieved.

    >>> p_plus(RankedView.of([1, 0, 3, 1]))  # the mean of (1 + 1)/(1 + 3) and (2 + 4)/(3 + (3 + 1 + 1))
    0.625
    """
    if not view.ideal(gains):
        return None
    blended = _blended(view, gains, beta)
    if not blended:
        return 0.0
    ratios = [ratio for _, _, ratio in blended[: _preferred(blended) + 1]]
    return sum(ratios) / len(ratios)


def _preferred(blended: list[tuple[int, int, float]]) -> int:
    grades = [grade for _, grade, _ in blended]
    return grades.index(max(grades))


def _stops(view: RankedView, gains: Gains, stops: Gains, beta: float) -> float | None:
    """NCU of readers who stop at a relevant document with a probability in proportion to its stop value."""
    if not view.ideal(gains):
        return None
    table = stops if stops is not None else gains
    values = _stop_values(view, gains, table)
    if values <= 0:
        return None
    blended = _blended(view, gains, beta)
    return sum(gain_of(grade, table) * ratio for _, grade, ratio in blended) / values


def gain_of(grade: int, table: Gains) -> float:
    """Return the gain of a grade by a table; the grade itself where it is not in the table."""
    return float(grade) if table is None else table.get(grade, float(grade))


def _stop_values(view: RankedView, gains: Gains, table: Gains) -> float:
    """Return the stop values of all relevant documents of the gold together."""
    relevant = (grade for grade in view.judgments.grades if grade >= 0 and gain_of(grade, gains) > 0)
    return sum(gain_of(grade, table) for grade in relevant)


def _patience(view: RankedView, gains: Gains, gamma: float, beta: float) -> float | None:
    """NCU of readers who stop at the i-th relevant document in proportion to γ^(i-1)."""
    relevant = len(view.ideal(gains))
    if not relevant:
        return None
    weights = [gamma**i for i in range(relevant)]
    blended = _blended(view, gains, beta)
    return sum(weight * ratio for weight, (_, _, ratio) in zip(weights, blended, strict=False)) / sum(weights)


def stop_values(text: str) -> dict[int, float]:
    """stop value per grade, written as gains are; the gains where not given"""
    table = gain_table(text)
    if min(table.values()) < 0:
        raise ValueError("expected no stop value below 0")
    return table


@measure(
    "NCUguP", aliases=("NCUgu,P",), parameters={"gains": gain_table, "stops": stop_values}, undefined=NO_GAIN,
    cite=SAKAI_ROBERTSON,
)  # fmt: skip
def ncu_graded_precision(view: RankedView, gains: Gains = None, stops: Gains = None) -> float | None:
    """Precision where readers stop, more of them at the better documents: NCU, graded-uniform, with precision as utility.

    Σ stop(grade)·P(rank) over the relevant documents retrieved, divided by the stop values of all relevant ones. Stop values
    are the gains unless `stops` says otherwise; stop values all equal give AP.

    >>> ncu_graded_precision(RankedView.of([1, 0, 3]))  # (1·(1/1) + 3·(2/3))/(1 + 3)
    0.75
    """
    return _stops(view, gains, stops, 0.0)


@measure(
    "NCUguBR", aliases=("NCUgu,BR",), parameters={"gains": gain_table, "stops": stop_values, "beta": blend},
    undefined=NO_GAIN, cite=SAKAI_ROBERTSON,
)  # fmt: skip
def ncu_graded_blended(
    view: RankedView, gains: Gains = None, stops: Gains = None, beta: float = 1.0
) -> float | None:  # fmt: skip
    """The blended ratio where readers stop, more at the better documents: NCU, graded-uniform, blended ratio.

    Stop values all equal give Q-measure. Deep in a list, where the ratio rises from one relevant document to the next, moving the
    better of two up may lower it: more readers then stop before the second.

    >>> ncu_graded_blended(RankedView.of([1, 0, 3]))  # (1·(1 + 1)/(1 + 3) + 3·(2 + 4)/(3 + 4))/(1 + 3)
    0.7678571428571428
    """
    return _stops(view, gains, stops, beta)


@measure(
    "NCUrbP", aliases=("NCUrb,P",), parameters={"gains": gain_table, "gamma": share}, undefined=NO_GAIN,
    cite=SAKAI_ROBERTSON,
)  # fmt: skip
def ncu_biased_precision(view: RankedView, gains: Gains = None, gamma: float = 0.95) -> float | None:
    """Precision where readers stop, fewer at each relevant document than at the one before: NCU, rank-biased, precision.

    Σ_i γ^(i-1)·P(rank of the i-th relevant document retrieved)/Σ_{i ≤ R} γ^(i-1). γ = 1 gives AP.

    >>> ncu_biased_precision(RankedView.of([1, 0, 3]), gamma=0.5)  # (1·(1/1) + .5·(2/3))/(1 + .5)
    0.8888888888888888
    """
    return _patience(view, gains, gamma, 0.0)


@measure(
    "NCUrbBR", aliases=("NCUrb,BR",), parameters={"gains": gain_table, "gamma": share, "beta": blend}, undefined=NO_GAIN,
    cite=SAKAI_ROBERTSON,
)  # fmt: skip
def ncu_biased_blended(
    view: RankedView, gains: Gains = None, gamma: float = 0.95, beta: float = 1.0
) -> float | None:  # fmt: skip
    """The blended ratio where readers stop, fewer at each relevant document than at the one before: NCU, rank-biased.

    γ = 1 gives Q-measure.

    >>> ncu_biased_blended(RankedView.of([1, 0, 3]), gamma=0.5)  # (1·(2/4) + .5·(6/7))/(1 + .5)
    0.6190476190476191
    """
    return _patience(view, gains, gamma, beta)


@measure(
    "JKnDCG", parameters={"cut": positive, "gains": gain_table, "logb": log_base}, undefined=NO_GAIN, cite=JARVELIN
)
def original_ndcg(view: RankedView, cut: int | None = None, gains: Gains = None, logb: float = 2.0) -> float | None:
    """nDCG with the discount of 2002, none before rank b: gain(r)/max(1, log_b r). It is what NTCIREVAL calls nDCG.

    What NTCIREVAL calls MSnDCG is `nDCG` here.

    >>> original_ndcg(RankedView.of([0, 1, 0, 2]))  # (1/1 + 2/2)/(2/1 + 1/1)
    0.6666666666666666
    """

    def dcg(worth: Iterable[tuple[int, float]]) -> float:
        kept = ((rank, gain) for rank, gain in worth if cut is None or rank <= cut)
        return sum(gain if rank < logb else gain / log(rank, logb) for rank, gain in kept)

    ideal = dcg(enumerate(view.ideal(gains), 1))
    return dcg((rank, gain) for rank, _, gain in relevant_gains(view, gains)) / ideal if ideal > 0 else None


SAKAI_SONG = (
    "T. Sakai and R. Song, Evaluating Diversified Search Results Using Per-intent Graded Relevance, SIGIR 2011; "
    "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, Expected Reciprocal Rank for Graded Relevance, CIKM 2009"
)
SAKAI_ZENG = (
    "T. Sakai and Z. Zeng, Retrieval Evaluation Measures that Agree with Users' SERP Preferences, ACM TOIS 39(2), 2021"
)
CASCADE = {"cut": positive, "gains": gain_table, "max": scale}


def _satisfied(worth: Iterable[tuple[int, float]], cut: int | None) -> list[tuple[int, float]]:
    """Return (rank, share of readers satisfied there), from the probability that each document satisfies its reader."""
    shares: list[tuple[int, float]] = []
    looking = 1.0
    for rank, chance in worth:
        if cut is not None and rank > cut:
            break
        shares.append((rank, looking * chance))
        looking *= 1.0 - chance
    return shares


def _chance(grade: int, gains: Gains, max: int) -> float:
    """Return the probability that a document satisfies: gain/(highest gain + 1); gains are 2^grade - 1 unless given."""
    if gains is None:
        if grade > max:
            raise UsageError(f"a document has grade {grade}, above max={max}; write max={grade}")
        return (2.0**grade - 1.0) / 2.0**max
    highest = sorted(gains.values())[-1]
    gain = gains.get(grade, float(grade))
    if gain > highest:
        raise UsageError(f"a document has grade {grade}, which has no gain. Fix: give {grade}:GAIN too.")
    return gain / (highest + 1.0)


def _chances(view: RankedView, gains: Gains, max: int) -> list[tuple[int, float]]:
    return [(rank, _chance(grade, gains, max)) for rank, grade, _ in relevant_gains(view, gains)]


@measure("nERR", parameters=CASCADE, undefined=NO_GAIN, cite=SAKAI_SONG)
def normalised_err(view: RankedView, cut: int | None = None, gains: Gains = None, max: int = 4) -> float | None:
    """Expected reciprocal rank over that of the best possible ranking, both cut off at the same rank.

    A document satisfies a reader with probability gain/(highest gain + 1). Without `gains` these are 2^grade - 1 on a scale up to
    `max`, as in ERR; NTCIREVAL's `-g 1:2:3` is `gains=1:1,2:2,3:3`.

    >>> normalised_err(RankedView.of([0, 1]), max=1)  # (1/2)·(1/2) over (1/1)·(1/2)
    0.5
    """
    key = ("ideal ERR", cut, max, None if gains is None else tuple(sorted(gains.items())))
    known = view.judgments.memo
    if key not in known:
        graded = (grade for grade in view.judgments.grades if grade >= 0 and gain_of(grade, gains) > 0)
        ideal = sorted((_chance(grade, gains, max) for grade in graded), reverse=True)
        known[key] = sum(share / rank for rank, share in _satisfied(enumerate(ideal, 1), cut))
    if not known[key]:
        return None
    return sum(share / rank for rank, share in _satisfied(_chances(view, gains, max), cut)) / known[key]


@measure("iRBU", parameters={**CASCADE, "p": share}, cite=SAKAI_ZENG)
def intentwise_rank_biased_utility(
    view: RankedView, cut: int | None = None, gains: Gains = None, max: int = 4, p: float = 0.99
) -> float:  # fmt: skip
    """Rank-biased utility for one intent: readers are satisfied as in ERR, and one satisfied at rank r is worth p^r.

    iRBU = Σ_r p^r·s(r)·Π_{i<r} (1 - s(i)), with s(r) = gain/(highest gain + 1) as in nERR. p is .99 in the paper.

    >>> intentwise_rank_biased_utility(RankedView.of([1, 1]), max=1, p=0.5)  # .5·.5 + .25·(.5·.5)
    0.3125
    """
    return sum(p**rank * share for rank, share in _satisfied(_chances(view, gains, max), cut))
