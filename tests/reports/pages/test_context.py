"""The page of a run on series of questions."""

from __future__ import annotations


def test_the_ranks_of_a_series(text):
    lines = text("context", "--run", "r")
    assert "2 2 not found 1 1" in lines
    assert "10 1 1" in lines


def test_series_are_in_natural_order(text):
    lines = text("context", "--run", "r")
    assert lines.index("2 2 not found 1 1") < lines.index("10 1 1")
