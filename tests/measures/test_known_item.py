"""Known-item measures by hand."""

from __future__ import annotations

from assay.measures.known_item import first_rank, found_count, not_found
from assay.measures.registry import find
from assay.measures.views.ranked import RankedView


def test_the_rank_of_the_first_of_several_right_items():
    view = RankedView.of([0, None, 1, 1], unretrieved=[1])
    assert first_rank(view) == 3
    assert find("RR", "known-item")(view) == 1 / 3
    assert (found_count(view, 1), found_count(view, 3), found_count(view, 10)) == (0, 1, 1)
    assert find("Success@3", "known-item")(view) == 1.0


def test_rank_100_is_found_and_101_is_not():
    assert not_found(RankedView.of([0] * 99 + [1]), 100) == 0
    assert not_found(RankedView.of([0] * 100 + [1]), 100) == 1
    assert not_found(RankedView.of([], unretrieved=[1]), 100) == 1


def test_the_lowest_grade_that_is_right():
    view = RankedView.of([1, 2])
    assert (first_rank(view), first_rank(view, rel=2)) == (1, 2)
