"""Measures of known-item search: the rank of the one page sought (TREC 2001 homepage finding)."""

from __future__ import annotations

from assay.measures.define import measure
from assay.measures.ranked import CUT, REL, reciprocal_rank, success
from assay.measures.views.ranked import RankedView

TREC_2001 = (
    "D. Hawking and N. Craswell, Overview of the TREC-2001 Web Track, TREC 2001; "
    "Common Evaluation Measures, appendix of the TREC 2001 proceedings"
)

measure("RR", task="known-item", aliases=("MRR", "recip_rank"), parameters=CUT, cite=TREC_2001)(reciprocal_rank)
measure("Success", task="known-item", aliases=("success_{cut}",), parameters=CUT, cite=TREC_2001)(success)


@measure(
    "Rank", task="known-item", parameters=REL, higher_is_better=False, low=1.0, high=None,
    undefined="where no right item is retrieved", cite=TREC_2001,
)  # fmt: skip
def first_rank(view: RankedView, rel: int | None = None) -> int | None:
    """The rank of the first right item.

    >>> first_rank(RankedView.of([0, None, 1, 1])), first_rank(RankedView.of([0], unretrieved=[1]))
    (3, None)
    """
    ranks = view.relevant(rel)
    return ranks[0] if ranks else None


@measure("Found", task="known-item", parameters=CUT, average="sum", high=None, cite=TREC_2001)
def found_count(view: RankedView, cut: int, rel: int | None = None) -> int:
    """The number of topics with a right item in the first `cut` ranks. 102 of 145 topics is 70.3%, 128 is 88.3%.

    >>> found_count(RankedView.of([0, 1]), cut=1), found_count(RankedView.of([0, 1]), cut=10)
    (0, 1)
    """
    return int(success(view, cut, rel))


@measure(
    "NotFound", task="known-item", parameters=CUT, average="sum", higher_is_better=False, high=None, cite=TREC_2001
)
def not_found(view: RankedView, cut: int, rel: int | None = None) -> int:
    """The number of topics without a right item in the first `cut` ranks. 7 of 145 topics is 4.8%.

    >>> not_found(RankedView.of([0] * 100 + [1]), cut=100)
    1
    """
    return 1 - found_count(view, cut, rel)
