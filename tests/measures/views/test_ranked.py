"""What a measure of a ranking sees of one topic."""

from __future__ import annotations

from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([0, 2, None, -1, 1], unretrieved=[3, 0])


def test_relevance_by_grade() -> None:
    assert (VIEW.relevant(), VIEW.relevant(rel=2), VIEW.relevant(rel=0)) == ([2, 5], [2], [1, 2, 5])
    assert (VIEW.num_rel(), VIEW.num_rel(rel=2), VIEW.num_rel(rel=4), VIEW.num_rel(rel=0)) == (3, 2, 0, 5)
    assert (VIEW.num_nonrel(), VIEW.num_nonrel(rel=2)) == (2, 3)
    assert (VIEW.nonrelevant_above(), VIEW.nonrelevant_above(rel=2)) == ([1, 1], [1])


def test_the_level_of_the_view_is_the_default() -> None:
    strict = RankedView.of([0, 2, None, -1, 1], unretrieved=[3, 0], level=2)
    assert (strict.relevant(), strict.num_rel(), strict.relevant(rel=1)) == ([2], 2, [2, 5])


def test_pooled_is_more_than_judged() -> None:
    assert VIEW.pooled() == [(1, 0), (2, 2), (4, -1), (5, 1)]
    assert VIEW.judged() == [(1, 0), (2, 2), (5, 1)]


def test_gains() -> None:
    assert list(VIEW.gained()) == [(2, 2), (5, 1)]
    assert list(VIEW.gained({0: 1.0, 1: 0.0})) == [(1, 1.0), (2, 2.0)]
    assert VIEW.ideal() == [3, 2, 1]
    assert VIEW.ideal({3: 1.0, 1: 5.0}) == [5.0, 2.0, 1.0]


def test_what_does_not_depend_on_the_run_is_computed_once() -> None:
    ideal = VIEW.ideal({3: 1.0, 1: 5.0})
    assert VIEW.ideal({1: 5.0, 3: 1.0}) is ideal
    assert VIEW.ideal({3: 2.0, 1: 5.0}) is not ideal


def test_a_condensed_list_has_the_same_gold_and_no_gaps() -> None:
    view = RankedView.of([None, 2, -1, 0, None, 1], unretrieved=[1, -1], level=2)
    condensed = view.condensed()
    assert condensed.pooled() == [(1, 2), (2, 0), (3, 1)]
    assert (condensed.num_ret, condensed.num_rel(1), condensed.level) == (3, 3, 2)
    assert condensed.relevant(1) == [1, 3]
    assert condensed.nonrelevant_above(1) == [0, 1]
    assert view.condensed() is condensed
