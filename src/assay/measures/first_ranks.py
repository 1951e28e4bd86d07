"""Measures of the first ranks as in ranx and ir_measures: hits, their F1, and pairs in the right order."""

from __future__ import annotations

from assay.measures.define import measure
from assay.measures.ranked import CUT, NO_RELEVANT, hits_at
from assay.measures.views.ranked import RankedView

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
    "PairAccuracy", parameters=CUT, cite=IR_MEASURES,
    undefined="where the first ranks hold no relevant document, or nothing else",
)  # fmt: skip
def pair_accuracy(view: RankedView, cut: int | None = None, rel: int | None = None) -> float | None:
    """Of the pairs of a relevant and another document in the first `cut` ranks, the share with the relevant one further up.

    Documents not retrieved form no pairs; unjudged documents count as non-relevant.

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
