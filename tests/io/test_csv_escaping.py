"""Formula escaping of CSV cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.io.csv_escaping import csv_of, guarded, unguarded


@given(st.text())
def test_unguarded_undoes_guarded(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["=1", "+x", "-x", "@x", "\t=1", "\r=1", "'=1", "''=1", "-", "-1-1", "+1e", "\uff1d1"])
def test_formulas_are_guarded(text: str) -> None:
    assert guarded(text) == "'" + text


@pytest.mark.parametrize("text", ["-5", "+5.25", "-.5", "-1e-05", "5", "bm25", "", "'", "'tis", "a=b", " =1"])
def test_numbers_and_names_are_not_guarded(text: str) -> None:
    assert guarded(text) == text


def test_a_line_end_in_a_cell_is_a_line_feed() -> None:
    assert csv_of([["a\r\nb", "c\rd", 1]]) == b'"a\nb","c\nd",1\n'
