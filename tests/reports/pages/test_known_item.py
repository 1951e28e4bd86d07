"""The page of a known-item run."""

from __future__ import annotations


def test_table_6_of_the_source(text):
    lines = text("known-item", "--run", "tnout10epCAU")
    assert "Num topics 145" in lines
    # (102 + 26/10 + 10/11 + 3/101)/145
    assert "Mean reciprocal rank 0.728" in lines
    assert "Num found at rank 1 102 (70.3%)" in lines
    assert "Num found in top 10 128 (88.3%)" in lines
    assert "Num not found in top 100 7 (4.8%)" in lines
