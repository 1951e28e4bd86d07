"""The tables beside the leaderboard, for programs and for people."""

from __future__ import annotations

import pytest

import assay
from assay.reports import beside


@pytest.fixture
def scores():
    """x is right on three questions of four, y on one; questions alternate between two types."""
    gold = "".join(f'{{"id": "q{i}", "type": "{"ab"[i % 2]}", "answers": ["x"]}}\n' for i in range(4)).encode()
    runs = {"x": "xxxn", "y": "nxnn"}
    given = {run: {f"q{i}": answer for i, answer in enumerate(text)} for run, text in runs.items()}
    return assay.evaluate(gold, given, ["accuracy", "questions"], task="outcomes")


def test_a_row_per_value_of_a_field_and_one_for_all(scores) -> None:
    header, rows = beside.by_field(scores, "type")
    assert header == ["run", "type", "questions", "accuracy"]
    assert rows[:3] == [["x", "a", 2, 1.0], ["x", "b", 2, 0.5], ["x", "total", 4, 0.75]]


def test_a_program_gets_a_name_for_each_column(scores) -> None:
    assert beside.rankings(scores, machine=True) == (
        ["run", "accuracy", "accuracy_rank"],
        [["x", 0.75, "1"], ["y", 0.25, "2"]],
    )
    assert beside.rankings(scores, machine=False)[0] == ["run", "accuracy", "rank"]
