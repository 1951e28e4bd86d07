"""Measures estimated from judgments of a sample of the pool (task `sampled`).

A document drawn with probability p represents 1/p documents. statAP needs the probabilities alone; the measures of sample_eval
need the strata, within which all documents have the same probability.
"""

from __future__ import annotations

from math import floor, log2
from typing import NamedTuple

from assay.measures.define import measure
from assay.measures.parameters import integer, positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Written = tuple[int, str | None, float | None]

ASLAM = "J. Aslam and V. Pavlu, A Practical Sampling Strategy for Efficient Retrieval Evaluation, 2007 (statAP_MQ_eval)"
YILMAZ = (
    "E. Yilmaz, E. Kanoulas and J. Aslam, A Simple and Efficient Sampling Method for Estimating AP and NDCG, SIGIR 2008 "
    "(NIST's sample_eval)"
)
NO_RELEVANT = "where no relevant document was drawn"
NO_STRATA = "where no relevant document was drawn, or the gold has no strata"
RELEVANT_SEEN, DOCUMENTS_SEEN = 0.00001, 0.00003
"""Smoothing of sample_eval, which gives a stratum without drawn documents a precision."""
MAX_DEPTH = 1000
"""The depth of the measures of sample_eval."""


class PooledDocument(NamedTuple):
    """A document of a sampled pool; its grade is negative where it was not drawn."""

    grade: int
    stratum: str | None
    probability: float | None


class RetrievedDocument(NamedTuple):
    """A pooled document in a ranking."""

    rank: int
    document: PooledDocument


class SampledView:
    """A topic's sampled pool, and the ranks of its documents in a run.

    >>> view = SampledView.of([(1, "1", 1.0), None, (-1, "2", None), (1, "2", 0.5)], unretrieved=[(0, "1", 1.0)])
    >>> [document.rank for document in view.retrieved], len(view.pool), view.num_ret
    ([1, 3, 4], 4, 4)
    """

    def __init__(
        self, pool: Sequence[PooledDocument], retrieved: Sequence[RetrievedDocument], num_ret: int, level: int = 1
    ) -> None:
        self.pool = pool
        self.retrieved = retrieved
        """In the order of the ranking."""
        self.num_ret = num_ret
        self.level = level

    @classmethod
    def of(cls, ranking: Sequence[Written | None], unretrieved: Iterable[Written] = (), level: int = 1) -> SampledView:
        """Make a view by hand: grade, stratum and probability at each rank (None: not pooled), and of what was not retrieved."""
        ranks = [(rank, PooledDocument(*fields)) for rank, fields in enumerate(ranking, 1) if fields is not None]
        pool = [document for _, document in ranks] + [PooledDocument(*fields) for fields in unretrieved]
        return cls(pool, [RetrievedDocument(*place) for place in ranks], len(ranking), level)

    def relevant(self, document: PooledDocument, rel: int | None) -> bool:
        """Return whether a document was drawn and is relevant."""
        return document.grade >= max(self.level if rel is None else rel, 0)


def weight(document: PooledDocument) -> float:
    """Return the number of documents that a drawn one represents."""
    return 1.0 / document.probability if document.probability else 0.0


@measure("statAP", task="sampled", parameters={"rel": integer}, high=None, undefined=NO_RELEVANT, cite=ASLAM)
def stat_ap(view: SampledView, rel: int | None = None) -> float | None:
    """Average precision, each drawn document representing 1/p documents.

    R = Σ 1/p over the relevant documents drawn; statAP = (1/R) Σ (1 + Σ 1/p of the relevant above)/rank · 1/p.
    An estimate: it may lie above 1.

    >>> round(stat_ap(SampledView.of([(1, None, 1.0), None, (1, None, 0.5)])), 4)  # R = 1 + 2; (1/1 · 1 + (1 + 1)/3 · 2)/3
    0.7778
    """
    total = sum(weight(document) for document in view.pool if view.relevant(document, rel))
    if not total:
        return None
    above = estimate = 0.0
    for rank, document in view.retrieved:
        if view.relevant(document, rel):
            estimate += (1.0 + above) / rank * weight(document)
            above += weight(document)
    return estimate / total


class StratumCounts:
    """Counts of one stratum of a topic's pool, and of its part above a rank."""

    def __init__(self) -> None:
        self.size = self.drawn = self.relevant = self.above = self.drawn_above = self.relevant_above = 0

    @property
    def inferred(self) -> float:
        """The inferred number of relevant documents."""
        return self.relevant * self.size / self.drawn if self.drawn else 0.0

    @property
    def inferred_above(self) -> float:
        """The inferred number of relevant documents above a rank, smoothed."""
        return self.above * (self.relevant_above + RELEVANT_SEEN) / (self.drawn_above + DOCUMENTS_SEEN)


def strata_of(view: SampledView, rel: int | None) -> dict[str | None, StratumCounts]:
    """Return the counts of a topic's strata, with nothing above rank 1; empty where the gold has no strata."""
    strata: dict[str | None, StratumCounts] = {}
    for document in view.pool:
        if document.stratum is not None:
            stratum = strata.setdefault(document.stratum, StratumCounts())
            stratum.size += 1
            stratum.drawn += document.grade >= 0
            stratum.relevant += view.relevant(document, rel)
    return dict(sorted(strata.items(), key=lambda item: item[0] or ""))


def _count_above(stratum: StratumCounts, view: SampledView, document: PooledDocument, rel: int | None) -> None:
    """Count a document of the stratum as above the next rank."""
    stratum.above += 1
    stratum.drawn_above += document.grade >= 0
    stratum.relevant_above += view.relevant(document, rel)


@measure(
    "xinfAP", aliases=("infAP_strata",), task="sampled", parameters={"rel": integer, "size": positive}, at="size", high=None,
    undefined=NO_STRATA, cite=YILMAZ,
)  # fmt: skip
def extended_inferred_ap(view: SampledView, rel: int | None = None, size: int = MAX_DEPTH) -> float | None:
    """Extended inferred AP: the precision expected at a relevant document, averaged over the strata.

    It is averaged within each stratum, then over the strata by the number of relevant documents each is inferred to hold. At
    rank r with k pooled documents above, the precision is 1/r + (k/r) Σ over strata (share of the k) · (relevant + .00001)/
    (drawn + .00003). Where more than `size` documents are inferred to be relevant, the sum is over `size`, as sample_eval has
    it.

    >>> ranking = [(1, "1", 1.0), None, (1, "1", 1.0)]
    >>> round(extended_inferred_ap(SampledView.of(ranking)), 4)  # all judged, so nearly AP: (1/1 + 2/3)/2
    0.8333
    """
    strata = strata_of(view, rel)
    inferred = sum(stratum.inferred for stratum in strata.values())
    if not inferred:
        return None
    precisions = dict.fromkeys(strata, 0.0)
    for pooled, (rank, document) in enumerate(view.retrieved):
        if rank > size:
            break
        if view.relevant(document, rel):
            above = sum(stratum.inferred_above for stratum in strata.values()) / pooled if pooled else 0.0
            precisions[document.stratum] += 1 / rank + pooled / rank * above
        _count_above(strata[document.stratum], view, document, rel)
    expected = sum(s.inferred / inferred * precisions[name] / s.relevant for name, s in strata.items() if s.relevant)
    return expected * max(inferred / size, 1.0)


@measure(
    "infNDCG", aliases=("xinfNDCG", "inferred_ndcg", "infNDCG_TRECVID"), task="sampled", parameters={"size": positive}, at="size",
    high=None, undefined=NO_STRATA, cite=YILMAZ,
)  # fmt: skip
def inferred_ndcg(view: SampledView, size: int = MAX_DEPTH) -> float | None:
    """Inferred nDCG: the sum over strata of the gain per document drawn times the documents in the ranking.

    It is divided by that of the best ranking of as many documents as each grade is inferred to have. A document's gain is its
    grade, the discount log2(rank + 1).

    This is TRECVID's sample_eval: a grade's inferred number of documents stays a fraction, and the next grade begins at a rank
    between whole ones. The TREC script rounds it: `infNDCG_TREC`.

    >>> ranking = [(2, "1", 1.0), (-1, "2", None), (1, "2", 0.5)]
    >>> view = SampledView.of(ranking)
    >>> round(inferred_ndcg(view), 4)  # (2/log2 2 + (1/log2 4) · 2 of 1)/(2/log2 2 + 1/log2 3 + 1/log2 4)
    0.9582
    """
    return _inferred_ndcg(view, size, _inferred_grades(view))


@measure(
    "infNDCG_TREC", task="sampled", parameters={"size": positive}, at="size", high=None, undefined=NO_STRATA,
    cite=f"{YILMAZ}; as changed on 10 October 2011",
)  # fmt: skip
def inferred_ndcg_trec(view: SampledView, size: int = MAX_DEPTH) -> float | None:
    """`infNDCG` with whole numbers in the best ranking, as in NIST's sample_eval of 10 October 2011 for TREC.

    Each grade's inferred number of documents is rounded to the nearest whole number. 1.5 documents of grade 2 and 1.5 of grade
    1 are inferred, so 2 and 2 after rounding:

    >>> ranking = [(2, "1", None), (1, "1", None), (-1, "1", None)]
    >>> view = SampledView.of(ranking)
    >>> round(inferred_ndcg_trec(view), 4)  # 1.5 · (2/log2 2 + 1/log2 3)/(2/log2 2 + 2/log2 3 + 1/log2 4 + 1/log2 5)
    0.9413
    >>> round(inferred_ndcg(view), 4)  # 1.5 · (2/log2 2 + 1/log2 3)/(2/log2 2 + 1/log2 3.5)
    1.5456
    """
    return _inferred_ndcg(view, size, {grade: floor(n + 0.5) for grade, n in _inferred_grades(view).items()})


def _inferred_ndcg(view: SampledView, size: int, grades: Mapping[int, float]) -> float | None:
    """Return the inferred nDCG, given how many documents of each grade the best ranking has."""
    ideal = _ideal(grades, size)
    if not ideal:
        return None
    seen, drawn, gained = dict[str | None, int](), dict[str | None, int](), dict[str | None, float]()
    for rank, document in view.retrieved:
        if rank > size:
            break
        seen[document.stratum] = seen.get(document.stratum, 0) + 1
        if document.grade >= 0:
            drawn[document.stratum] = drawn.get(document.stratum, 0) + 1
            gained[document.stratum] = gained.get(document.stratum, 0.0) + document.grade / log2(rank + 1)
    return sum(seen[stratum] * gained[stratum] / drawn[stratum] for stratum in drawn) / ideal


def _inferred_grades(view: SampledView) -> dict[int, float]:
    """Return how many documents of each grade above 0 the pool is inferred to hold, the highest grade first."""
    strata = strata_of(view, 1)
    number: dict[int, float] = {}
    for document in view.pool:
        if document.grade > 0 and document.stratum is not None:
            stratum = strata[document.stratum]
            number[document.grade] = number.get(document.grade, 0.0) + stratum.size / stratum.drawn
    return dict(sorted(number.items(), reverse=True))


def _ideal(grades: Mapping[int, float], size: int) -> float:
    """Return the discounted gain of the best ranking; of a fraction of a document nothing is gained, but the next ranks move."""
    total = start = 0.0
    for grade, number in grades.items():
        for i in range(1, int(number + 1e-9) + 1):
            total += grade / log2(start + i + 1)
            if start + i >= size:
                break
        start += number
    return total


@measure(
    "iP", aliases=("iP{cut}",), task="sampled", parameters={"cut": positive, "rel": integer}, high=None,
    undefined="where the gold has no strata", cite=YILMAZ,
)  # fmt: skip
def inferred_precision(view: SampledView, cut: int, rel: int | None = None) -> float | None:
    """Inferred relevant documents in the first `cut` ranks, over `cut`.

    >>> round(inferred_precision(SampledView.of([(1, "1", 0.5), (-1, "1", None)]), cut=2), 4)  # 2 of a stratum that is all relevant
    1.0
    """
    strata = strata_of(view, rel)
    if not strata:
        return None
    for rank, document in view.retrieved:
        if rank <= cut:
            _count_above(strata[document.stratum], view, document, rel)
    return sum(stratum.inferred_above for stratum in strata.values()) / cut


@measure(
    "inum_rel",
    task="sampled",
    parameters={"rel": integer},
    average="sum",
    high=None,
    higher_is_better=None,
    cite=YILMAZ,
)
def inferred_relevant(view: SampledView, rel: int | None = None) -> float:
    """The inferred number of relevant documents in the pool: Σ 1/p over those drawn.

    >>> inferred_relevant(SampledView.of([(1, None, 0.25), (0, None, 0.25)]))
    4.0
    """
    return sum(weight(document) for document in view.pool if view.relevant(document, rel))
