"""Measures of declining by hand, and their identities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.measures.registry import find


def value(name: str, **counts: int):
    measure = find(name, "outcomes")
    top, bottom = measure(20, *(counts.get(column, 0) for column in measure.of))
    return top / bottom if bottom else None


HAND = {"should_decline": 5, "should_answer": 15, "declined_rightly": 3, "declined_wrongly": 1}


def test_by_hand() -> None:
    assert value("over_refusal", **HAND) == pytest.approx(1 / 15)
    assert value("missed_refusals", **HAND) == pytest.approx(2 / 5)
    assert value("decline_precision", **HAND) == pytest.approx(3 / 4)
    assert value("decline_recall", **HAND) == pytest.approx(3 / 5)
    assert value("decline_F1", **HAND) == pytest.approx(2 * 0.75 * 0.6 / 1.35)


def test_undefined_where_nobody_can_tell() -> None:
    every = ("over_refusal", "missed_refusals", "decline_precision", "decline_recall", "decline_F1")
    assert [value(name) for name in every] == [None] * 5
    # All should be answered, and two are declined.
    answer = {"should_answer": 20, "declined_wrongly": 2}
    assert [value(name, **answer) for name in every] == [0.1, None, 0, None, None]
    # Two should be declined, and nothing is.
    assert [value(name, should_decline=2, should_answer=18) for name in every] == [0, 1, None, 0, 0]


@given(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_f1_is_the_harmonic_mean(rightly, missed, wrongly, answered) -> None:
    counts = {
        "should_decline": rightly + missed, "should_answer": wrongly + answered, "declined_rightly": rightly,
        "declined_wrongly": wrongly,
    }  # fmt: skip
    precision, recall = value("decline_precision", **counts), value("decline_recall", **counts)
    assert value("decline_F1", **counts) == pytest.approx(2 * precision * recall / (precision + recall))
    assert value("missed_refusals", **counts) == pytest.approx(1 - recall)


def test_arrays_of_counts_go_through_whole() -> None:
    top, bottom = find("decline_F1", "outcomes")(20, np.array([1, 0]), np.array([2, 2]), np.array([2, 0]))
    assert (top.tolist(), bottom.tolist()) == ([2, 0], [5, 0])
