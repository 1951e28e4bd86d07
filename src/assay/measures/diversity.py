"""Measures of diversity and novelty: does a ranking cover all subtopics of an ambiguous topic?

A topic has subtopics (intents, aspects) with weights w, equal unless weights are given. A document relevant to a subtopic gains w,
or (1-α)ⁿ·w where n documents above it are relevant to it too. The gain of a document is the sum over its subtopics,

    gain = Σ w·(1-α)ⁿ    with Σ w = 1 over the subtopics that any document is relevant to,

and the measures differ in the discount by rank and in the normalisation: by the maximum for any collection (α-DCG, ERR-IA, NRBP),
or by the ideal ranking of the judged documents (α-nDCG, nERR-IA, nNRBP). The numbers are
those of NIST's ndeval; docs/diversity.md lists where they are not. A document is relevant to a subtopic or not: grades count
only for whether they reach the level.

NTCIR's D-measures use the grades. A document's global gain is Σ w·gain(grade) over its subtopics, whatever is above it, and D-nDCG is
nDCG with global gains; D♯-nDCG adds the subtopics covered.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from math import e, log2

from assay.measures.define import measure
from assay.measures.ndcg import discounted
from assay.measures.parameters import gains as gain_table
from assay.measures.parameters import integer, positive, share
from assay.measures.views.subtopics import SubtopicView, added

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

CLARKE_2008 = (
    "C. Clarke et al., Novelty and Diversity in Information Retrieval Evaluation, SIGIR 2008; as ndeval 4.5 (NIST)"
)
CLARKE_2009 = "C. Clarke, M. Kolla and O. Vechtomova, An Effectiveness Measure for Ambiguous and Underspecified Queries, ICTIR 2009"
CHAPELLE = (
    "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, Expected Reciprocal Rank for Graded Relevance, CIKM 2009; "
    "as ndeval 4.5 (NIST)"
)
AGRAWAL = (
    "R. Agrawal, S. Gollapudi, A. Halverson and S. Ieong, Diversifying Search Results, WSDM 2009; as ndeval 4.5 (NIST)"
)
ZHAI = "C. Zhai, W. Cohen and J. Lafferty, Beyond Independent Relevance, SIGIR 2003; as ndeval 4.5 (NIST)"
SAKAI_SONG = (
    "T. Sakai and R. Song, Evaluating Diversified Search Results Using Per-intent Graded Relevance, SIGIR 2011; "
    "as NTCIREVAL computes it"
)
NO_RELEVANT = "where no document is relevant to a subtopic that counts"
CUT = {"alpha": share, "rel": integer, "cut": positive}
BEST = e / (e - 1)
"""The upper bound of the best ranking where the greedy one is 1 (G. Nemhauser, L. Wolsey and M. Fisher, An Analysis of
Approximations for Maximizing Submodular Set Functions, 1978)."""
RANK_BIASED = {"alpha": share, "beta": share, "rel": integer}


@lru_cache(maxsize=1000)
def _by_logarithm(rank: int) -> float:
    return 1.0 / log2(rank + 1)


def _by_rank(rank: int) -> float:
    return 1.0 / rank


def _gains(view: SubtopicView, alpha: float, rel: int | None) -> list[tuple[int, float]]:
    """Rank of every relevant document, and what it adds."""
    gains = view.memo.get(("gains", alpha, rel))
    if gains is None:
        gains = view.memo["gains", alpha, rel] = []
        worth = list(view.relevance(rel).weights)
        stays = 1.0 - alpha
        for rank, covered in view.covering(rel):
            gains.append((rank, added(worth, covered)))
            for place in covered:
                worth[place] *= stays
    return gains


def _discounted(gains: Iterable[tuple[int, float]], discount: Callable[[int], float], cut: int) -> float:
    total = 0.0
    for rank, gain in gains:
        if rank > cut:
            break
        total += gain * discount(rank)
    return total


@lru_cache(maxsize=256)
def _most(discount: Callable[[int], float], alpha: float, cut: int) -> float:
    """Return the value of a ranking whose documents are all relevant to all subtopics, with total weight 1."""
    gains = takewhile(
        bool, ((1.0 - alpha) ** (rank - 1) for rank in range(1, cut + 1))
    )  # the gains soon underflow to 0
    return _discounted(enumerate(gains, 1), discount, cut)


def _against_all(
    view: SubtopicView, discount: Callable[[int], float], alpha: float, rel: int | None, cut: int
) -> float | None:
    total = view.relevance(rel).total
    if not total:
        return None
    return _discounted(_gains(view, alpha, rel), discount, cut) / (total * _most(discount, alpha, cut))


def _against_ideal(
    view: SubtopicView, discount: Callable[[int], float], alpha: float, rel: int | None, cut: int
) -> float | None:
    relevance = view.relevance(rel)
    if not relevance.total:
        return None
    key = discount, alpha, cut
    ideal = relevance.memo.get(key)
    if ideal is None:
        ideal = relevance.memo[key] = _discounted(enumerate(relevance.ideal(alpha, cut), 1), discount, cut)
    return _discounted(_gains(view, alpha, rel), discount, cut) / ideal


@measure(
    "alpha_nDCG", task="diversity", aliases=("alpha-nDCG", "α-nDCG", "α_nDCG"), parameters=CUT, high=BEST,
    undefined=NO_RELEVANT, cite=CLARKE_2008,
)  # fmt: skip
def alpha_ndcg(view: SubtopicView, cut: int, alpha: float = 0.5, rel: int | None = None) -> float | None:
    """The gains of the first `cut` documents, over log₂(1 + rank), divided by those of the ideal ranking.

    The ideal ranking takes at each rank the judged document with the highest gain. This greedy choice may not be
    optimal, so that values up to e/(e-1) are possible. Below, the run gains 1 and ½ for subtopic 1, and 1 for subtopic 2 at rank 3:

    >>> view = SubtopicView.of([{1}, {1}, {2}])
    >>> round(alpha_ndcg(view, cut=3), 4)    # (1 + .5/1.585 + 1/2) / (1 + 1/1.585 + .5/2)
    0.9652
    """
    return _against_ideal(view, _by_logarithm, alpha, rel, cut)


@measure(
    "alpha_DCG", task="diversity", aliases=("alpha-DCG", "α-DCG", "α_DCG"), parameters=CUT, undefined=NO_RELEVANT,
    cite=CLARKE_2008,
)  # fmt: skip
def alpha_dcg(view: SubtopicView, cut: int, alpha: float = 0.5, rel: int | None = None) -> float | None:
    """The gains of the first `cut` documents, over log₂(1 + rank), divided by the maximum for any collection.

    The maximum is that of documents relevant to all subtopics.

    >>> view = SubtopicView.of([{1}, {1}, {2}])
    >>> round(alpha_dcg(view, cut=3), 4)    # (1 + .5/1.585 + 1/2)/2 / (1 + .5/1.585 + .25/2)
    0.6302
    """
    return _against_all(view, _by_logarithm, alpha, rel, cut)


@measure(
    "ERR_IA", task="diversity", aliases=("ERR-IA",), parameters=CUT, undefined=NO_RELEVANT, cite=CHAPELLE,
)  # fmt: skip
def err_ia(view: SubtopicView, cut: int, alpha: float = 0.5, rel: int | None = None) -> float | None:
    """Intent-aware expected reciprocal rank: the gains of the first `cut` documents, each over its rank.

    They are divided by those of documents relevant to all subtopics; α is the probability that a reader stops at a relevant document.

    >>> err_ia(SubtopicView.of([{1}, {1}, {2}]), cut=2)    # (1 + .5/2)/2 / (1 + .5/2)
    0.5
    """
    return _against_all(view, _by_rank, alpha, rel, cut)


@measure(
    "nERR_IA", task="diversity", aliases=("nERR-IA",), parameters=CUT, high=BEST, undefined=NO_RELEVANT, cite=CHAPELLE,
)  # fmt: skip
def nerr_ia(view: SubtopicView, cut: int, alpha: float = 0.5, rel: int | None = None) -> float | None:
    """The gains of the first `cut` documents, each over its rank, divided by those of the ideal ranking.

    Values above 1 are possible, as in alpha_nDCG.

    >>> round(nerr_ia(SubtopicView.of([{1}, {1}, {2}]), cut=2), 4)    # (1 + .5/2) / (1 + 1/2)
    0.8333
    """
    return _against_ideal(view, _by_rank, alpha, rel, cut)


def _rank_biased(gains: Iterable[tuple[int, float]], beta: float) -> float:
    return sum(gain * beta ** (rank - 1) for rank, gain in gains)


@measure("NRBP", task="diversity", parameters=RANK_BIASED, undefined=NO_RELEVANT, cite=CLARKE_2009)
def nrbp(view: SubtopicView, alpha: float = 0.5, beta: float = 0.5, rel: int | None = None) -> float | None:
    """Novelty- and rank-biased precision: (1 - (1-α)·β) Σ gain·β^(rank-1), over the whole ranking.

    β is the probability that a reader continues. The factor divides by the value of infinitely many documents that are
    relevant to all subtopics.

    >>> nrbp(SubtopicView.of([{1}, None, {2}]))    # .75 · (1 + 1/4)/2
    0.46875
    """
    total = view.relevance(rel).total
    if not total:
        return None
    return _rank_biased(_gains(view, alpha, rel), beta) * (1.0 - (1.0 - alpha) * beta) / total


@measure("nNRBP", task="diversity", parameters=RANK_BIASED, high=BEST, undefined=NO_RELEVANT, cite=CLARKE_2009)
def nnrbp(view: SubtopicView, alpha: float = 0.5, beta: float = 0.5, rel: int | None = None) -> float | None:
    """NRBP over that of the ideal ranking of the judged documents; it may be above 1, as alpha_nDCG.

    >>> round(nnrbp(SubtopicView.of([{1}, None, {2}])), 4)    # (1 + 1/4) / (1 + 1/2)
    0.8333
    """
    relevance = view.relevance(rel)
    if not relevance.total:
        return None
    key = alpha, beta
    ideal = relevance.memo.get(key)
    if ideal is None:
        ideal = relevance.memo[key] = _rank_biased(enumerate(relevance.ideal(alpha, None), 1), beta)
    return _rank_biased(_gains(view, alpha, rel), beta) / ideal


@measure(
    "AP_IA", task="diversity", aliases=("AP-IA", "MAP-IA", "MAP_IA"), parameters={"rel": integer}, undefined=NO_RELEVANT,
    cite=AGRAWAL,
)  # fmt: skip
def ap_ia(view: SubtopicView, rel: int | None = None) -> float | None:
    """Intent-aware average precision: Σ w·AP, the average precision of each subtopic by itself.

    >>> ap_ia(SubtopicView.of([{1}, {2}, {1}], unretrieved=[{2}]))    # ((1/1 + 2/3)/2 + (1/2)/2)/2
    0.5416666666666666
    """
    relevance = view.relevance(rel)
    if not relevance.total:
        return None
    hits = [0] * len(relevance.counts)
    precisions = [0.0] * len(relevance.counts)
    for rank, covered in view.covering(rel):
        for place in covered:
            hits[place] += 1
            precisions[place] += hits[place] / rank
    each = zip(relevance.weights, precisions, relevance.counts, strict=True)
    return sum(weight * summed / count for weight, summed, count in each) / relevance.total


@measure(
    "P_IA", task="diversity", aliases=("P-IA",), parameters={"rel": integer, "cut": positive}, undefined=NO_RELEVANT,
    cite=AGRAWAL,
)  # fmt: skip
def p_ia(view: SubtopicView, cut: int, rel: int | None = None) -> float | None:
    """Intent-aware precision: Σ w·P, the precision of each subtopic by itself; a shorter list is filled up.

    >>> p_ia(SubtopicView.of([{1}, {1, 2}, None]), cut=4)    # (2/4 + 1/4)/2
    0.375
    """
    relevance = view.relevance(rel)
    if not relevance.total:
        return None
    return sum(gain for rank, gain in _gains(view, 0.0, rel) if rank <= cut) / (cut * relevance.total)


@measure(
    "StRecall", task="diversity", aliases=("strec", "SRecall", "S-recall", "I-rec"),
    parameters={"rel": integer, "cut": positive},
    undefined="where no document is relevant to any subtopic", cite=ZHAI,
)  # fmt: skip
def subtopic_recall(view: SubtopicView, cut: int, rel: int | None = None) -> float | None:
    """Subtopic recall: of the subtopics with a relevant document, the share that the first `cut` documents cover.

    Weights are ignored.

    >>> subtopic_recall(SubtopicView.of([{1}, {1}, {2}], unretrieved=[{3}]), cut=3)    # 2/3
    0.6666666666666666
    """
    subtopics = len(view.relevance(rel).counts)
    if not subtopics:
        return None
    covered = {place for rank, places in view.covering(rel) if rank <= cut for place in places}
    return len(covered) / subtopics


@measure(
    "D-nDCG", task="diversity", aliases=("D_nDCG", "DnDCG"), parameters={"cut": positive, "gains": gain_table},
    undefined="where no document gains anything for a subtopic that counts", cite=SAKAI_SONG,
)  # fmt: skip
def d_ndcg(view: SubtopicView, cut: int | None = None, gains: Mapping[int, float] | None = None) -> float | None:
    """nDCG with global gains: Σ GG(r)/log₂(r + 1) over that of the documents in the order of their global gains.

    The global gain of a document is GG = Σ Pr(i|q)·gain_i over the intents (subtopics) i of the topic: its gain for each, which is its
    grade unless `gains` is given, weighted with the intent's probability (`--intent-weights`; equal if left out). A document
    adds the same whatever stands above it. Below, with weights ¾ and ¼, the run gains ¼·3 and then ¾·2; the ideal ranking has them
    the other way round:

    >>> view = SubtopicView.of([{2: 3}, {1: 2}], weights={1: 0.75, 2: 0.25})
    >>> round(d_ndcg(view), 4)    # (.75 + 1.5/1.585) / (1.5 + .75/1.585)
    0.8597
    """
    _, best = view.subtopics.global_gains(gains)
    ideal = discounted(enumerate(best, 1), cut)
    return discounted(view.global_gains(gains), cut) / ideal if ideal else None


@measure(
    "D#-nDCG", task="diversity", aliases=("D♯-nDCG", "D#nDCG", "Dsharp-nDCG", "Dsharp_nDCG"),
    parameters={"cut": positive, "gains": gain_table, "gamma": share, "rel": integer},
    undefined="where D-nDCG or the subtopics covered (`I-rec`) are undefined", cite=SAKAI_SONG,
)  # fmt: skip
def d_sharp_ndcg(
    view: SubtopicView, cut: int, gains: Mapping[int, float] | None = None, gamma: float = 0.5, rel: int | None = None,
) -> float | None:  # fmt: skip
    """D-nDCG and the subtopics covered together: γ·I-rec + (1 - γ)·D-nDCG, both of the first `cut` documents.

    I-rec is `StRecall`: the share of the subtopics with a relevant document that the first `cut` documents cover, unweighted.

    >>> view = SubtopicView.of([{2: 3}, {1: 2}], weights={1: 0.75, 2: 0.25})
    >>> d_sharp_ndcg(view, cut=1)    # (1/2 + .75/1.5)/2
    0.5
    """
    discounted_gain, covered = d_ndcg(view, cut, gains), subtopic_recall(view, cut, rel)
    if discounted_gain is None or covered is None:
        return None
    return gamma * covered + (1.0 - gamma) * discounted_gain
