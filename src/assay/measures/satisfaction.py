"""Measures of readers who stop when a document satisfies them, as NTCIREVAL computes them.

A document satisfies with probability gain/(highest gain + 1). Without gains these are 2^grade - 1 on a scale up to `max`, which is
ERR's own; NTCIREVAL's `-g 1:2:3` is `gains=1:1,2:2,3:3`.
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.measures.define import measure
from assay.measures.graded import scale
from assay.measures.ndcg import NO_GAIN
from assay.measures.ntcir import gain_of, relevant_gains
from assay.measures.parameters import gains as gain_table
from assay.measures.parameters import positive, share
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Gains = Mapping[int, float] | None

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
