"""The page of a question-answering run."""

from __future__ import annotations


def test_table_4_of_the_source(text):
    lines = text("qa")
    assert "Num questions 492" in lines
    assert "Num answers not found (strict) 152 (30.9%)" in lines
    assert "Num answers not found (lenient) 147 (29.9%)" in lines
    assert "Percentage of answers system confident about 75%" in lines
    assert "Percentage of confident answers that were correct 92%" in lines
