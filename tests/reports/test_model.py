"""A report as plain data."""

from __future__ import annotations

import math

import pytest

from assay.analyses.campaign.result import RunPair
from assay.analyses.marked_text import MarkedText, mark
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


# The board


def board(*rows, ticks=(), digits=3) -> model.Board:
    return model.Board("b", "AP", "", rows, ticks, digits, "95% interval", ranked=True)


def row(value, low=None, high=None) -> model.BoardRow:
    return model.BoardRow("a", None, value, low, high, "1", "", True)


@pytest.mark.parametrize(
    ("value", "low", "high", "digits", "texts"),
    [
        (0.5744, 0.501, 0.6478, 3, (".574", ".50–.65")),
        (1.0, 0.95, 1.0, 2, ("1.00", ".9–1.0")),
        (-0.15, -0.25, 0.05, 3, ("−.150", "−.25 to .05")),
        (0.02, -0.0004, 0.04, 3, (".020", ".00 to .04")),
        (1532, 1500.2, 1600.4, 0, ("1532", "1500–1600")),
        (1532, None, None, 0, ("1532", "")),
        (0.5, 0.1, None, 1, (".5", "")),
        (None, None, None, 3, ("n/a", "")),
        (0.0, 0.0, 0.0, 3, (".000", ".00–.00")),
    ],
)
def test_values_of_a_board_have_one_digit_more_than_their_intervals(value, low, high, digits, texts):
    one = row(value, low, high)
    shown = board(one, digits=digits)
    assert (shown.value_text(one), shown.interval_text(one)) == texts


def test_the_scale_of_a_board_spans_ticks_values_and_intervals():
    assert board(row(0.5, 0.25, 0.75), row(None), ticks=(0.0, 0.2)).domain == (0.0, 0.75)
    assert board(row(-0.5), row(0.25), ticks=(-0.4, 0.0)).domain == (-0.5, 0.25)
    assert board(row(0.5)).domain == (0.5, 0.5)
    assert board(row(None)).domain == (0.0, 1.0)
    assert board().domain == (0.0, 1.0)


# The finding


def test_the_finding_has_parts_even_as_an_ordinary_string():
    found = model.Document("D", finding=MarkedText.of(f"{mark('2')} beats b by .2."))
    assert found.finding_parts == [("2", True), (" beats b by .2.", False)]
    assert model.Document("D", finding="a leads.").finding_parts == [("a leads.", False)]
    assert model.Document("D").finding_parts == []


def test_the_heat_map_follows_the_measures():
    sections = tuple(
        model.Section(name, name, ())
        for name in ("leaderboard-section", "suite-section", "measures-section", "curves-section")
    )
    assert model.Document("D", sections=sections).grid_position == 3
    assert model.Document("D", sections=sections[3:]).grid_position == 0
