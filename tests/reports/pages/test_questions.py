"""The page lists and nuggets share: question by question against the median."""

from __future__ import annotations


def test_list_accuracy_against_the_median(text):
    lines = text("list", "--run", "r1")
    assert "Mean accuracy 0.7500" in lines
    assert any(line.startswith("a 1.0000 0.5000 +0.5000") for line in lines)


def test_nuggets(text):
    assert "1 2 1 3 1.0000 0.5000 +0.5000 1.0000" in "\n".join(text("nuggets", "--run", "r1"))


def test_measures_keep_their_capitals(text):
    assert any("Instance F Median" in line for line in text("list"))
    for name in ("Nugget F", "Pyramid F"):
        assert any(line.startswith("Question") and name in line for line in text("nuggets"))
