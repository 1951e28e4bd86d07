"""Cells print as the reports of TREC printed them."""

from __future__ import annotations

import math

import pytest

from assay.reports import cells


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (cells.number(0.2329), "0.2329"),
        (cells.number(0.12345), "0.1235"),
        (cells.number(1.0, 2), "1.00"),
        (cells.number(None), "n/a"),
        (cells.number(math.nan), "n/a"),
        (cells.number(-0.25, signed=True), "-0.2500"),
        (cells.number(0.25, signed=True), "+0.2500"),
        (cells.number(-1e-9, signed=True), "0.0000"),
        (cells.number(-1e-9), "0.0000"),
        (cells.number(0.0, signed=True), "0.0000"),
        (cells.count(50000), "50000"),
        (cells.count(None), "n/a"),
        (cells.percent(0.309), "30.9%"),
        (cells.percent(None), "n/a"),
        # as the appendix of TREC 2001 prints them
        (cells.share(152, 492), "152 (30.9%)"),
        (cells.share(7, 145), "7 (4.8%)"),
        (cells.share(0, 0), "0 (n/a)"),
        (cells.text("<b>"), "<b>"),
    ],
)
def test_a_cell_shows(cell, shown):
    assert cell.text == shown


def test_an_interval_has_ends_only_when_both_are_known():
    assert cells.interval(0.2, 0.1, 0.3, 2).range_text == "[0.10, 0.30]"
    assert cells.interval(0.2, None, None).range_text == ""
    assert cells.interval(None, 0.1, 0.3).text == "n/a"
