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
