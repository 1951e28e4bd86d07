"""Measures of a ranking where a document is relevant or not: AP, P, R, RR, Rprec, Bpref and their relatives."""

from __future__ import annotations

from bisect import bisect_right
from math import log, log2

from assay.measures.define import measure
from assay.measures.parameters import integer, number, positive
from assay.measures.views.ranked import RankedView

BUCKLEY_VOORHEES = (
    "C. Buckley and E. Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information "
    "Retrieval, MIT Press 2005"
)
VOORHEES_COVID = "E. Voorhees et al., TREC-COVID: Constructing a Pandemic Information Retrieval Test Collection, SIGIR Forum 54(1), 2020"
TREC_EVAL = "trec_eval 10.0, its own documentation"
NO_RELEVANT = "where the gold has no relevant document"
REL = {"rel": integer}
CUT = {"cut": positive, "rel": integer}


def hits_at(view: RankedView, rel: int | None, cut: int | None) -> int:
    """Return the number of relevant documents in the first `cut` ranks."""
    ranks = view.relevant(rel)
    return len(ranks) if cut is None else bisect_right(ranks, cut)


@measure(
    "AP", aliases=("map", "MAP", "map_cut_{cut}", "map_at_{cut}"), parameters={"rel": integer, "cut": positive}, undefined=NO_RELEVANT,
    cite=BUCKLEY_VOORHEES, kernel="AP",
)  # fmt: skip
def average_precision(view: RankedView, rel: int | None = None, cut: int | None = None) -> float | None:
    """Average precision: the precision at each relevant document, summed and divided by R.

    AP = (1/R) Σ P(rank of i-th relevant document); one that is not retrieved adds 0.

    >>> round(average_precision(RankedView.of([1, 1, 0, 1, 0, 0, 1])), 4)  # (1/1 + 2/2 + 3/4 + 4/7) / 4
    0.8304
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    total = 0.0
    for i, rank in enumerate(view.relevant(rel), 1):
        if cut is not None and rank > cut:
            break
        total += i / rank
    return total / relevant


@measure(
    "AP_cap", aliases=("cosine_map@{cut}",), parameters=CUT, undefined=NO_RELEVANT,
    cite="T. Sakai, NTCIREVAL, its AP@k; N. Reimers and I. Gurevych, Sentence-BERT, EMNLP 2019, its program's map@k",
)  # fmt: skip
def capped_average_precision(view: RankedView, cut: int, rel: int | None = None) -> float | None:
    """Average precision of the first `cut` ranks, divided by min(cut, R): 1 where the first ranks hold nothing but relevant documents.

    `AP@k` divides by R, so that it stays below 1 where more than k documents are relevant. It is the map@k of sentence-transformers,
    whose names begin with any similarity: `dot_map@100`.

    >>> capped_average_precision(RankedView.of([1, 0, 1], unretrieved=[1, 1]), cut=3)  # (1/1 + 2/3)/min(3, 4)
    0.5555555555555555
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    precisions = (i / rank for i, rank in enumerate(view.relevant(rel), 1) if rank <= cut)
    return sum(precisions) / min(cut, relevant)


@measure(
    "GMAP", aliases=("gm_map",), parameters=REL, average="geometric", undefined=NO_RELEVANT,
    cite="S. Robertson, On GMAP: and other transformations, CIKM 2006",
)  # fmt: skip
def geometric_average_precision(view: RankedView, rel: int | None = None) -> float | None:
    """AP per topic, averaged over topics by the geometric mean, values below 1e-5 counting as 1e-5.

    >>> geometric_average_precision(RankedView.of([0, 1]))
    0.5
    """
    return average_precision(view, rel)


@measure(
    "RR", aliases=("recip_rank", "MRR", "mrr", "mrr_at_{cut}", "cosine_mrr@{cut}"), parameters={"rel": integer, "cut": positive},
    cite="E. Voorhees, The TREC-8 Question Answering Track Report, TREC 1999", kernel="RR",
)  # fmt: skip
def reciprocal_rank(view: RankedView, rel: int | None = None, cut: int | None = None) -> float:
    """One over the rank of the first relevant document; 0 where none is retrieved.

    >>> reciprocal_rank(RankedView.of([0, None, 1]))  # 1/3
    0.3333333333333333
    """
    ranks = view.relevant(rel)
    return 1.0 / ranks[0] if ranks and (cut is None or ranks[0] <= cut) else 0.0


@measure(
    "P", aliases=("Precision", "P_{cut}", "precision_at_{cut}", "precision@{cut}", "cosine_precision@{cut}"),
    parameters=CUT, cite=BUCKLEY_VOORHEES, kernel="P",
)  # fmt: skip
def precision(view: RankedView, cut: int, rel: int | None = None) -> float:
    """The share of the first `cut` ranks that are relevant; ranks that a shorter list lacks are not.

    >>> precision(RankedView.of([1, 0, 1]), cut=5)  # 2/5
    0.4
    """
    return hits_at(view, rel, cut) / cut


@measure(
    "R",
    aliases=("Recall", "recall", "recall_at_{cut}", "recall_{cut}", "cosine_recall@{cut}"),
    parameters=CUT,
    undefined=NO_RELEVANT,
    cite=BUCKLEY_VOORHEES,
    kernel="R",
)
def recall(view: RankedView, cut: int, rel: int | None = None) -> float | None:
    """The share of all relevant documents in the first `cut` ranks.

    >>> recall(RankedView.of([1, 0, 1], unretrieved=[1, 1]), cut=2)  # 1/4
    0.25
    """
    relevant = view.num_rel(rel)
    return hits_at(view, rel, cut) / relevant if relevant else None


@measure(
    "RelP",
    aliases=("relative_P_{cut}", "R_cap", "R_cap_at_{cut}"),
    parameters=CUT,
    undefined=NO_RELEVANT,
    cite=TREC_EVAL,
    kernel="RelP",
)
def relative_precision(view: RankedView, cut: int, rel: int | None = None) -> float | None:
    """Precision relative to the best possible: relevant in the first `cut` over min(cut, R).

    >>> relative_precision(RankedView.of([1, 0, 0], unretrieved=[1]), cut=3)  # 1/min(3, 2)
    0.5
    """
    relevant = view.num_rel(rel)
    return hits_at(view, rel, cut) / min(cut, relevant) if relevant else None


@measure(
    "Success",
    aliases=(
        "HitRate", "hit_rate", "Hit", "success_{cut}", "hit_rate_at_{cut}", "accuracy_at_{cut}", "accuracy@{cut}",
        "cosine_accuracy@{cut}",
    ),
    parameters=CUT,
    cite=TREC_EVAL,
    kernel="Success",
)  # fmt: skip
def success(view: RankedView, cut: int, rel: int | None = None) -> float:
    """1 where a relevant document is in the first `cut` ranks, else 0.

    >>> success(RankedView.of([0, 1]), cut=1), success(RankedView.of([0, 1]), cut=2)
    (0.0, 1.0)
    """
    ranks = view.relevant(rel)
    return 1.0 if ranks and ranks[0] <= cut else 0.0


@measure(
    "Rprec", aliases=("R-prec", "r-precision", "RPrec"), parameters=REL, undefined=NO_RELEVANT, cite=BUCKLEY_VOORHEES, kernel="Rprec",
)  # fmt: skip
def r_precision(view: RankedView, rel: int | None = None) -> float | None:
    """Precision after R documents, where precision equals recall.

    Mean of two topics with 17 of the first 50 (R = 50) and 7 of the first 10 (R = 10): (17/50 + 7/10)/2 = .52.

    >>> r_precision(RankedView.of([1, 0, 1, 1], unretrieved=[1]))  # 3 of the first 4
    0.75
    """
    relevant = view.num_rel(rel)
    return hits_at(view, rel, relevant) / relevant if relevant else None


@measure(
    "RprecMult", aliases=("Rprec_mult_{multiple}",), at="multiple", parameters={"multiple": number, "rel": integer},
    undefined=NO_RELEVANT, cite=TREC_EVAL,
)  # fmt: skip
def r_precision_at_multiple(view: RankedView, multiple: float, rel: int | None = None) -> float | None:
    """Precision after `multiple`·R documents, the cutoff being trec_eval's ⌊multiple·R + .9⌋.

    >>> r_precision_at_multiple(RankedView.of([1, 0, 1, 0], unretrieved=[1]), 2.0)  # 2 of the first 6
    0.3333333333333333
    """
    relevant = view.num_rel(rel)
    cut = int(multiple * relevant + 0.9)
    return hits_at(view, rel, cut) / cut if relevant and cut > 0 else None


@measure(
    "Bpref", aliases=("bpref", "BPref"), parameters=REL, undefined=NO_RELEVANT,
    cite="C. Buckley and E. Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004", kernel="Bpref",
)  # fmt: skip
def binary_preference(view: RankedView, rel: int | None = None) -> float | None:
    """How rarely a judged non-relevant document is above a relevant one; unjudged documents are ignored.

    bpref = (1/R) Σ over relevant retrieved of 1 - min(n, R)/min(N, R), where n judged non-relevant documents are above it
    and the gold has N; a relevant document with n = 0 adds 1.

    >>> binary_preference(RankedView.of([1, 0, None, 1], unretrieved=[0]))  # (1 + (1 - 1/2)) / 2
    0.75
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    bound = min(view.num_nonrel(rel), relevant)
    total = 0.0
    for above in view.nonrelevant_above(rel):
        total += 1.0 - min(above, relevant) / bound if above else 1.0
    return total / relevant


@measure("GMBpref", aliases=("gm_bpref",), parameters=REL, average="geometric", undefined=NO_RELEVANT, cite=TREC_EVAL)
def geometric_binary_preference(view: RankedView, rel: int | None = None) -> float | None:
    """Bpref per topic, averaged over topics by the geometric mean, values below 1e-5 counting as 1e-5.

    >>> geometric_binary_preference(RankedView.of([1, 0]))
    1.0
    """
    return binary_preference(view, rel)


@measure(
    "infAP", aliases=("InfAP",), parameters=REL, undefined=NO_RELEVANT,
    cite="E. Yilmaz and J. Aslam, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM 2006",
)  # fmt: skip
def inferred_average_precision(view: RankedView, rel: int | None = None) -> float | None:
    """Average precision estimated from a judged sample of the pool.

    Precision at a relevant document at rank k is expected to be 1/k + ((k-1)/k)·(pooled above/(k-1))·(r + ε)/(r + n + 2ε), with r
    relevant and n non-relevant judged documents above it and ε = 1e-5. A negative grade marks a document that was pooled
    but not judged.

    >>> inferred_average_precision(RankedView.of([1, -1, None, 1]))  # (1 + (1/4 + (3/4)·(2/3)·(1 + ε)/(1 + 2ε)))/2
    0.874997500049999
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    level = view.level if rel is None else rel
    epsilon = 1e-5
    total = 0.0
    right = wrong = unjudged = 0
    for rank, grade in view.pooled():
        if grade < 0:
            unjudged += 1
        elif grade < level:
            wrong += 1
        else:
            before = float(rank - 1)
            if rank == 1:
                total += 1.0
            else:
                share = (right + wrong + unjudged) / before
                precision_above = (right + epsilon) / (right + wrong + 2 * epsilon)
                total += 1.0 / rank + (before / rank) * share * precision_above
            right += 1
    return total / relevant


@measure("binG", parameters=REL, undefined=NO_RELEVANT, cite=TREC_EVAL)
def binary_g(view: RankedView, rel: int | None = None) -> float | None:
    """The mean over relevant documents of 1/log2(2 + documents above it that are not relevant).

    >>> binary_g(RankedView.of([0, 0, 1]))  # 1/log2(4)
    0.5
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    total = 0.0
    for i, rank in enumerate(view.relevant(rel), 1):
        total += 1.0 / log2(2 + rank - i)
    return total / relevant


@measure("yaap", parameters=REL, low=None, high=None, cite=TREC_EVAL)
def yet_another_average_precision(view: RankedView, rel: int | None = None) -> float:
    """AP on an unbounded scale: ln((1 + s)/(1 + R - s)), with s the sum of precisions that AP divides by R.

    >>> yet_another_average_precision(RankedView.of([0, 1]))  # ln((1 + .5)/(1 + 1 - .5))
    0.0
    """
    total = 0.0
    for i, rank in enumerate(view.relevant(rel), 1):
        total += i / rank
    return log((1.0 + total) / (1.0 + view.num_rel(rel) - total))


@measure("Judged", parameters={"cut": positive}, undefined="where nothing is retrieved", cite="ir_measures, Judged@k")
def judged_share(view: RankedView, cut: int | None = None) -> float | None:
    """The share of the first min(cut, retrieved) documents that have a judgment.

    >>> judged_share(RankedView.of([1, None, 0]), cut=10)
    0.6666666666666666
    """
    depth = view.num_ret if cut is None else min(cut, view.num_ret)
    return sum(1 for rank, _ in view.judged() if rank <= depth) / depth if depth else None


@measure("Holes", parameters={"cut": positive}, higher_is_better=None, high=None, cite=VOORHEES_COVID)
def holes(view: RankedView, cut: int | None = None) -> int:
    """The number of documents without a judgment in the first `cut` ranks; without a cut, of all retrieved.

    >>> holes(RankedView.of([1, None, 0, None]), cut=3), holes(RankedView.of([1, None, 0, None]))
    (1, 2)
    """
    depth = view.num_ret if cut is None else min(cut, view.num_ret)
    return depth - sum(1 for rank, _ in view.judged() if rank <= depth)


@measure("Unjudged", aliases=("unj_{cut}",), parameters={"cut": positive}, higher_is_better=None, cite=TREC_EVAL)
def unjudged_share(view: RankedView, cut: int) -> float:
    """Retrieved documents without a judgment in the first `cut` ranks, over `cut`.

    >>> unjudged_share(RankedView.of([1, None, 0]), cut=10)  # 1/10
    0.1
    """
    judged = sum(1 for rank, _ in view.judged() if rank <= cut)
    return (min(cut, view.num_ret) - judged) / cut


def relevance_string(view: RankedView, length: int = 10) -> str:
    """Return the grades of the first documents as text: 0-9, > above 9, . pooled but unjudged, - not pooled.

    >>> relevance_string(RankedView.of([2, None, -1, 12, 0]))
    '2-.>0'
    """
    grades = dict(view.pooled())
    characters: list[str] = []
    for rank in range(1, min(length, view.num_ret) + 1):
        grade = grades.get(rank)
        characters.append("-" if grade is None else "." if grade < 0 else ">" if grade > 9 else str(grade))
    return "".join(characters)


RANX = "E. Bassani, ranx: A Blazing-Fast Python Library for Ranking Evaluation and Comparison, ECIR 2022"
IR_MEASURES = (
    "S. MacAvaney, C. Macdonald and I. Ounis, Streamlining Evaluation with ir-measures, ECIR 2022 (its Accuracy)"
)


@measure("Hits", aliases=("hits",), parameters=CUT, high=None, cite=RANX)
def hits(view: RankedView, cut: int | None = None, rel: int | None = None) -> int:
    """The number of relevant documents in the first `cut` ranks, or in all; averaged over topics, unlike NumRelRet.

    >>> hits(RankedView.of([1, 0, 1, 1]), cut=3)
    2
    """
    return hits_at(view, rel, cut)


@measure(
    "f1", parameters=CUT, undefined=NO_RELEVANT,
    cite="C. J. van Rijsbergen, Information Retrieval, 2nd ed., Butterworths 1979; at a cutoff: " + RANX,
)  # fmt: skip
def f1(view: RankedView, cut: int | None = None, rel: int | None = None) -> float | None:
    """The harmonic mean of P@cut and R@cut, 2·hits/(cut + R); without a cutoff, of the whole list, SetF.

    >>> f1(RankedView.of([1, 0, 1], unretrieved=[1]), cut=5)  # 2·2/(5 + 3)
    0.5
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    return 2.0 * hits_at(view, rel, cut) / ((view.num_ret if cut is None else cut) + relevant)


@measure(
    "PairAccuracy", aliases=("Accuracy",), parameters=CUT, cite=IR_MEASURES,
    undefined="where the first ranks hold no relevant document, or nothing else",
)  # fmt: skip
def pair_accuracy(view: RankedView, cut: int | None = None, rel: int | None = None) -> float | None:
    """Of the pairs of a relevant and another document in the first `cut` ranks, the share with the relevant one above.

    Documents not retrieved form no pairs; unjudged documents count as non-relevant. ir_measures calls it Accuracy; the `Accuracy@k`
    of MTEB, DPR and sentence-transformers is `accuracy@k` here, `Success@k`.

    >>> pair_accuracy(RankedView.of([1, 0, 1, None]))  # of 2·2 pairs one is the wrong way round
    0.75
    """
    length = view.num_ret if cut is None else min(cut, view.num_ret)
    ranks = view.relevant(rel)[: hits_at(view, rel, cut)]
    others = length - len(ranks)
    if not ranks or not others:
        return None
    above = sum(rank - place for place, rank in enumerate(ranks, 1))
    return 1.0 - above / (others * len(ranks))
