"""The view of documents that are judged for relevance and for understandability."""

from __future__ import annotations

from assay.measures.views.understandability import UnderstandableView


def test_relevant_documents_with_their_second_grade() -> None:
    view = UnderstandableView.of([1, None, 0, 2, -1], understood=[3, 2, 1, None, 3], unretrieved=[1])
    assert view.relevant_understood() == [(1, 3), (4, None)]
    assert view.relevant_understood(rel=2) == [(4, None)]
    assert view.relevant_understood(rel=0) == view.relevant_understood(rel=-1) == [(1, 3), (3, 1), (4, None)]
    assert (view.relevant(), view.num_rel()) == ([1, 4], 3)


def test_the_condensed_list_keeps_both_grades() -> None:
    condensed = UnderstandableView.of([None, 1, -1, 2], understood=[1, 2, 3, 0]).condensed()
    assert condensed.relevant() == [1, 2]
    assert condensed.relevant_understood() == [(1, 2), (2, 0)]


def test_whether_anything_is_judged_for_understandability() -> None:
    assert UnderstandableView.of([1, None], understood=[None, 0]).is_judged
    assert not UnderstandableView.of([1], understood=[None]).is_judged
