"""The report on a terminal, and its charts in letters."""

from __future__ import annotations

import pytest

from assay.reports import model
from assay.reports.charts import marks
from assay.reports.charts.reliability import stability_curves, swap_curves
from assay.reports.model import Bars, Column, Document, Plot, Row, Section, Span, Table
from assay.reports.text import HEIGHT, WIDTH, cells_wide, drawn, drawn_bars, sections_text, to_text

# A table of the appendix of TREC 2001, the lines around its heading inside the table.
RECALL = Table(
    "t", "Recall Level Precision Averages", (Column("Recall"), Column("Precision", numeric=True)),
    (
        (model.text("0.00"), model.number(0.6169)), (model.text("1.00"), model.number(0.0031)),
        Span("Average precision over all relevant docs"), (model.text("non-interpolated"), model.number(0.2329)),
    ),
)  # fmt: skip


def test_the_table_of_the_source():
    shown = to_text(Document("R", sections=(Section("s", "S", (RECALL,)),)), 60)
    assert "0.00                 0.6169" in shown
    assert "non-interpolated     0.2329" in shown
    assert "Average precision over all" in shown


def test_tables_stand_side_by_side_where_they_fit_and_below_each_other_where_not():
    row = Row((RECALL, RECALL))
    wide = to_text(Document("R", sections=(Section("s", "S", (row,)),)), 100)
    narrow = to_text(Document("R", sections=(Section("s", "S", (row,)),)), 40)
    assert any(line.count("0.6169") == 2 for line in wide.splitlines())
    assert not any(line.count("0.6169") == 2 for line in narrow.splitlines())
    assert narrow.count("0.6169") == 2
    assert max(map(cells_wide, narrow.splitlines())) <= 40


@pytest.mark.parametrize("name", ["\x1b[2J\x1b]0;owned\x07", "a\nb\rc", "\u202eevil"])
def test_a_name_cannot_command_the_terminal(make_report, name):
    shown = to_text(make_report(2, 2, names=(name,)))
    assert all(line.isprintable() for line in shown.split("\n"))


def test_columns_line_up_behind_wide_and_combining_characters():
    rows = tuple((model.text(name), model.number(0.5)) for name in ("ab", "中文", "e\u0301", "😀"))
    shown = to_text(Document("R", sections=(Section("s", "S", (Table("t", "T", RECALL.columns, rows),)),)), 60)
    ends = {cells_wide(line) for line in shown.splitlines() if line.endswith("0.5000")}
    assert len(ends) == 1


@pytest.mark.parametrize(("runs", "topics"), [(1, 1), (3, 2), (200, 1)])
def test_every_run_has_its_page(make_report, runs, topics):
    shown = to_text(make_report(runs, topics))
    assert shown.count("II. Recall level precision") == runs


def cells(lines):
    """Where each mark stands: {mark: [(column, row from below)]}."""
    found = {}
    for row, line in enumerate(reversed(lines[1 : HEIGHT + 1])):
        for column, mark in enumerate(line.partition("|")[2]):
            if mark != " ":
                found.setdefault(mark, []).append((column, row))
    return found


def test_points_stand_where_their_values_put_them():
    found = cells(drawn(Plot({"up": [(0, 0), (0.5, 0.5), (1, 1)], "down": [(0, 1), (1, 0)]}, "x", "y")))
    assert found["A"] == [(0, 0), (32, 6), (63, 13)]
    assert sorted(found["B"]) == [(0, 13), (63, 0)]


def test_points_of_two_curves_in_one_place_are_a_star():
    found = cells(drawn(Plot({"one": [(0, 0), (1, 1)], "two": [(0, 0), (1, 0.5)]}, "x", "y")))
    assert found["*"] == [(0, 0)]


def test_the_reference_line_is_drawn_and_named():
    lines = drawn(Plot({"one": [(0, 0), (1, 1)]}, "x", "y", line=0.5))
    assert any(line.endswith("-" * WIDTH) for line in lines[1 : HEIGHT + 1])
    assert lines[-1].strip() == "A one   - 0.5"


def test_a_logarithmic_axis_says_so_and_has_a_floor_for_zero():
    lines = drawn(Plot({"one": [(0, 1), (1, 0.01), (2, 0)]}, "x", "rate", log=True))
    assert lines[0] == "rate (logarithmic)"
    assert cells(lines)["A"] == [(63, 0), (32, 6), (0, 13)]
    assert lines[HEIGHT].startswith("0.0001 |")


@pytest.mark.parametrize("points", [[(3.0, 3.0)], [(0.0, 2.0), (1.0, 2.0)]])
def test_a_single_point_or_a_level_line_is_drawn(points):
    assert len(cells(drawn(Plot({"one": points}, "x", "y")))["A"]) == len(points)


def test_no_points_draw_nothing():
    assert drawn(Plot({}, "x", "y")) == []


def test_bars_are_as_long_as_their_numbers():
    lines = drawn_bars(Bars((("1", "run", 40), ("1", "median", 20), ("none", "run", 0)), "questions"))
    assert [line.count("#") for line in lines] == [0, 40, 20, 0]
    assert lines[2].startswith("   ")


def test_text_and_specification_hold_the_same_points():
    chart = swap_curves("s", {"AP": [(0.0, 0.4, 9), (0.01, None, 0), (0.02, 0.1, 5)]}, "c", "alt")
    rows = chart.spec["datasets"]["curves"]
    assert chart.drawing.curves == {"AP": [(row["from"], row["rate"]) for row in rows]}
    assert chart.drawing.line == chart.spec["datasets"]["lines"][0]["at"]


def test_a_chart_too_full_for_letters_draws_the_first_curves():
    curves = {f"m{i}": [(0.01, i / 100, 0.1)] for i in range(40)}
    chart = stability_curves("s", curves, "c", "alt")
    assert list(chart.drawing.curves) == list(curves)[: marks.MOST_IN_TEXT]


def test_a_name_in_a_legend_cannot_command_the_terminal():
    chart = stability_curves("s", {"\x1b[2J": [(0.01, 0.1, 0.1)]}, "c", "alt")
    assert "\x1b" not in sections_text([Section("s", "", (chart,))])
