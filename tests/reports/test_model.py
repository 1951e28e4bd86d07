"""A report as plain data."""

from __future__ import annotations

import math

import pytest

from assay.analyses.campaign.result import RunPair
from assay.reports import model

LOW, MIDDLE, HIGH = (0.1, 0.2), (0.4, 0.5), (0.7, None)


def grid() -> model.Grid:
    values = model.MeasureValues(
        "AP", (0.15, 0.45, 0.7), (LOW, MIDDLE, HIGH), pairs=(RunPair(0, 1, -0.3),), medians=(0.4, 0.35)
    )
    table = model.Table("topics", "Topics", (), ())
    return model.Grid(("t1", "t2"), ("low", "middle", "high"), (2, 1, 0), (values,), {}, table)


def test_a_grid_of_some_runs_keeps_their_order_and_everybodys_medians() -> None:
    some = grid().of(["high", "low"])
    assert (some.runs, some.order) == (("high", "low"), (0, 1))
    (values,) = some.measures
    assert (values.runs, values.topics, values.medians) == ((0.7, 0.15), (HIGH, LOW), (0.4, 0.35))
    assert values.pairs == ()


def test_a_page_is_found_by_the_name_of_its_run() -> None:
    assert model.RunPage("p1", "a/b", ()).address == "run/a%2Fb"


def test_a_page_writes_its_cells_through_the_model() -> None:
    assert model.number is model.number


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (model.number(0.2329), "0.2329"),
        (model.number(0.12345), "0.1235"),
        (model.number(1.0, 2), "1.00"),
        (model.number(None), "n/a"),
        (model.number(math.nan), "n/a"),
        (model.number(-0.25, signed=True), "-0.2500"),
        (model.number(0.25, signed=True), "+0.2500"),
        (model.number(-1e-9, signed=True), "0.0000"),
        (model.number(-1e-9), "0.0000"),
        (model.number(0.0, signed=True), "0.0000"),
        (model.count(50000), "50000"),
        (model.count(None), "n/a"),
        (model.percent(0.309), "30.9%"),
        (model.percent(None), "n/a"),
        # as the appendix of TREC 2001 prints them
        (model.share(152, 492), "152 (30.9%)"),
        (model.share(7, 145), "7 (4.8%)"),
        (model.share(0, 0), "0 (n/a)"),
        (model.text("<b>"), "<b>"),
    ],
)
def test_a_cell_shows(cell, shown):
    assert cell.text == shown


def test_of_two_equally_wide_blocks_none_is_the_wider_one():
    weights = [(1.0, 1.0), (1.0, 1.4), (1.4, 1.0), (1.4, 1.0, 1.0)]
    assert [model.BlockRow((), pair).style for pair in weights] == ["row of-0"] * 2 + [
        "row of-0 wide-first",
        "row of-0",
    ]


def test_an_interval_has_ends_only_when_both_are_known():
    assert model.interval(0.2, 0.1, 0.3, 2).range_text == "[0.10, 0.30]"
    assert model.interval(0.2, None, None).range_text == ""
    assert model.interval(None, 0.1, 0.3).text == "n/a"
