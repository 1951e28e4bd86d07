"""Which runs and pairs a comparison is about."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.analyses.comparison.selection import best_first, pair_positions, runs_compared
from assay.errors import UsageError

TABLE = assay.scores([[0.1, 0.3, 0.2]] * 3, runs=["low", "high", "mid"], higher_is_better=True)


def test_runs_are_in_the_order_of_the_table_each_once() -> None:
    assert runs_compared(TABLE, ["mid", "low", "mid"], None, None) == ["low", "mid"]
    assert runs_compared(TABLE, ["mid"], "low", None) == ["low", "mid"]
    assert runs_compared(TABLE, None, None, [("mid", "high")]) == ["high", "mid"]


@pytest.mark.parametrize(
    ("baseline", "pairs", "message"),
    [
        ("low", [("low", "mid")], "give a baseline or the pairs to compare, not both"),
        (None, [("low", "low")], "low:low compares a run with itself"),
        (None, [("low", "mid"), ("mid", "low")], "pair mid:low is given twice"),
        (None, ["low"], "expected two names of runs in each"),
    ],
)
def test_pairs_that_make_no_comparison(baseline, pairs, message) -> None:
    with pytest.raises(UsageError, match=message):
        runs_compared(TABLE, None, baseline, pairs)


def test_pairs_start_from_the_best_run_and_two_runs_from_the_second() -> None:
    names, order = ["low", "high", "mid"], best_first(np.array([0.1, 0.3, 0.2]), TABLE.measures[0])
    assert order == [1, 2, 0]
    a, b, every = pair_positions(names, order, None, None)
    assert (a.tolist(), b.tolist(), every) == ([1, 1, 2], [2, 0, 0], True)
    a, b, every = pair_positions(names, order, "mid", None)
    assert (a.tolist(), b.tolist(), every) == ([1, 0], [2, 2], False)
    assert [side.tolist() for side in pair_positions(names[:2], [1, 0], None, None)[:2]] == [[1], [0]]


def test_runs_without_a_value_are_last() -> None:
    assert best_first(np.array([np.nan, 0.1, 0.5]), TABLE.measures[0]) == [2, 1, 0]
