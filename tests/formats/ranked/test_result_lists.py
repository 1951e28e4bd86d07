"""Lists of results: their order is the ranking, and scores may neither contradict it nor tie."""

from __future__ import annotations

from itertools import pairwise
from math import inf, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.formats.ranked.result_lists import scores_in_order


def test_scores_are_kept_where_they_fall() -> None:
    assert scores_in_order([("b", 3.5), ("a", 1.0)], ValueError) == {"b": 3.5, "a": 1.0}


def test_ties_keep_the_order_of_the_list_by_the_smallest_step() -> None:
    below = nextafter(2.0, -inf)
    assert scores_in_order([("a", 2.0), ("b", 2.0), ("c", 2.0)], ValueError) == {
        "a": 2.0,
        "b": below,
        "c": nextafter(below, -inf),
    }


@given(st.lists(st.sampled_from([0.0, -1.0, 1.0, 1e300, 5e-324]), max_size=12))
def test_scores_always_fall_strictly(scores) -> None:
    results = [(f"d{n}", score) for n, score in enumerate(sorted(scores, reverse=True))]
    ordered = list(scores_in_order(results, ValueError).values())
    assert all(a > b for a, b in pairwise(ordered))


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([("a", 1.0), ("b", 2.0)], "document b has a higher score .2.0. than a .1.0. above it"),
        ([("a", 1.0), ("b", None)], "document b has no score; expected a score for each document, or for none"),
        ([("a", 1.0), ("a", 0.5)], "document a appears twice"),
        ([("a", float("nan")), ("b", 1.0)], "higher score"),
    ],
)
def test_what_no_order_follows_from(results, message) -> None:
    with pytest.raises(ValueError, match=message):
        scores_in_order(results, ValueError)
