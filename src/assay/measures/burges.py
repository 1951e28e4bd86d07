"""Discounted gain in which a grade g is worth 2^g - 1, under the names ranx has for it; `nDCG(dcg=exp-log2)` is the same."""

from __future__ import annotations

from assay.measures.declare import measure
from assay.measures.graded import NO_GAIN, dcg, normalised_dcg
from assay.measures.parameters import positive
from assay.measures.views.ranked import RankedView

BURGES = "C. Burges et al., Learning to Rank Using Gradient Descent, ICML 2005"
CUT = {"cut": positive}


@measure("ndcg_burges", parameters=CUT, undefined=NO_GAIN, cite=BURGES)
def ndcg_burges(view: RankedView, cut: int | None = None) -> float | None:
    """nDCG with the gain 2^grade - 1, which makes much of the best documents: nDCG(dcg=exp-log2).

    >>> round(ndcg_burges(RankedView.of([1, 2])), 4)  # (1 + 3/log2 3)/(3 + 1/log2 3)
    0.7967
    """
    return normalised_dcg(view, cut, dcg="exp-log2")


@measure("dcg_burges", parameters=CUT, high=None, cite=BURGES)
def dcg_burges(view: RankedView, cut: int | None = None) -> float:
    """DCG with the gain 2^grade - 1: DCG(dcg=exp-log2).

    >>> dcg_burges(RankedView.of([2, 0, 1]))  # 3/1 + 1/2
    3.5
    """
    return dcg(view, cut, dcg="exp-log2")
