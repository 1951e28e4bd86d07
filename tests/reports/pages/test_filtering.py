"""The page of a filtering run."""

from __future__ import annotations


def test_table_5_of_the_source(text):
    """Run b: R1 has one of two and one wrong, R2 all: T10SU (101/104 + 1)/2, F (1.25/2.5 + 1)/2."""
    lines = text("filtering", "--run", "b")
    for line in (
        "Run ID b",
        "Subtask adaptive",
        "Number of topics 2",
        "Total retrieved 3",
        "Relevant retrieved 2",
        "Macro average recall 0.750",
        "Macro average precision 0.750",
        "Mean T10SU 0.986",
        "Mean F-Beta 0.750",
        "Zero returns 0",
    ):
        assert line in lines
    # Utility by period, worked out in tests/figures: 1, (-1 + 2)/2, 0, 0.
    assert "up to 10 1.000 1.000 1 1 1" in lines
    assert any(line.startswith("10 to 15 0.500") for line in lines)


def test_a_batch_run_has_no_time_graph(text):
    assert "Over time" not in text("filtering", "--run", "c")


def test_each_topic_has_its_value_and_the_median_of_the_subtask(text):
    """On R1 run a has both relevant documents, a utility of 4, and run b one of them and a wrong one, 1: the median of the two
    adaptive runs is 2.5; that of all three, with 0 of run c, is 1. Run b was optimised for nothing: its F is 1.25/2.5, and the
    median of it and 1 is 3/4."""
    lines = text("filtering", "--run", "a")
    assert "R1 4.0000 2.5000 +1.5000 1.0000" in lines
    lines = text("filtering", "--run", "b")
    assert any(line.startswith("R1 0.5000 0.7500 -0.2500 ") for line in lines)


def test_the_best_and_worst_topics_are_those_of_the_graph(text):
    """Run a was optimised for T10U, of which the adaptive runs have 4 and 1 on R1, 0 and 2 on R2. Run b has two graphs: its F is
    .5 against 1 on R1 and 1 against 0 on R2."""
    standing = {run: _standing(text("filtering", "--run", run)) for run in "ab"}
    assert [line for line in standing["a"] if "R1 4 2.5 +1.5" in line]
    assert [line for line in standing["a"] if "R2 0 1 -1" in line]
    assert [line for line in standing["b"] if "R2 1.0000 0.5000 +0.5000" in line]
    assert [line for line in standing["b"] if "R1 0.5000 0.7500 -0.2500" in line]
    assert [line for line in standing["b"] if "R1 1 2.5 -1.5" in line]
    assert not any("against the median: none" in line for lines in standing.values() for line in lines)


def _standing(lines):
    return lines[: lines.index("Evaluation report")]
