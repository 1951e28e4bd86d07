"""The report on a terminal, and its charts in letters."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.reports import model
from assay.reports.charts import vega_lite
from assay.reports.charts.reliability import stability_curves, swap_curves
from assay.reports.model import BlockRow, Board, BoardRow, Document, Section, Span, Table, TableColumn
from assay.reports.terminal_charts import (
    PLOT_HEIGHT,
    PLOT_WIDTH,
    Bars,
    Differences,
    Intervals,
    Plot,
    Shades,
)
from assay.reports.terminal_width import DEFAULT_WIDTH, cells_wide
from assay.reports.text import sections_text, to_text

# A table of the appendix of TREC 2001, the lines around its heading inside the table.
RECALL = Table(
    "t", "Recall Level Precision Averages", (TableColumn("Recall"), TableColumn("Precision", numeric=True)),
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
    row = BlockRow((RECALL, RECALL))
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
    for row, line in enumerate(reversed(lines[1 : PLOT_HEIGHT + 1])):
        for column, mark in enumerate(line.partition("|")[2]):
            if mark != " ":
                found.setdefault(mark, []).append((column, row))
    return found


def test_points_stand_where_their_values_put_them():
    found = cells(Plot({"up": [(0, 0), (0.5, 0.5), (1, 1)], "down": [(0, 1), (1, 0)]}, "x", "y").lines())
    assert found["A"] == [(0, 0), (32, 6), (63, 13)]
    assert sorted(found["B"]) == [(0, 13), (63, 0)]


def test_points_of_two_curves_in_one_place_are_a_star():
    found = cells(Plot({"one": [(0, 0), (1, 1)], "two": [(0, 0), (1, 0.5)]}, "x", "y").lines())
    assert found["*"] == [(0, 0)]


def test_the_reference_line_is_drawn_and_named():
    lines = Plot({"one": [(0, 0), (1, 1)]}, "x", "y", line=0.5).lines()
    assert any(line.endswith("-" * PLOT_WIDTH) for line in lines[1 : PLOT_HEIGHT + 1])
    assert lines[-1].strip() == "A one   - 0.5"


def test_a_logarithmic_axis_says_so_and_has_a_floor_for_zero():
    lines = Plot({"one": [(0, 1), (1, 0.01), (2, 0)]}, "x", "rate", log=True).lines()
    assert lines[0] == "rate (logarithmic)"
    assert cells(lines)["A"] == [(63, 0), (32, 6), (0, 13)]
    assert lines[PLOT_HEIGHT].startswith("0.0001 |")


@pytest.mark.parametrize("points", [[(3.0, 3.0)], [(0.0, 2.0), (1.0, 2.0)]])
def test_a_single_point_or_a_level_line_is_drawn(points):
    assert len(cells(Plot({"one": points}, "x", "y").lines())["A"]) == len(points)


def test_no_points_draw_nothing():
    assert Plot({}, "x", "y").lines() == []


def test_bars_are_as_long_as_their_numbers():
    lines = Bars((("1", "run", 40), ("1", "median", 20), ("none", "run", 0)), "questions").lines()
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
    assert list(chart.drawing.curves) == list(curves)[: vega_lite.MAX_TERMINAL_CURVES]


def test_a_name_in_a_legend_cannot_command_the_terminal():
    chart = stability_curves("s", {"\x1b[2J": [(0.01, 0.1, 0.1)]}, "c", "alt")
    assert "\x1b" not in sections_text([Section("s", "", (chart,))])


def test_no_line_is_wider_than_the_page(make_report):
    """Long names, many measures, many topics: what does not fit beside each other stands below."""
    names = ("a-very-long-name-of-a-run-that-goes-on-and-on-and-on-for-more-than-sixty-letters", "中文" * 20, "x")
    for width in (60, 100):
        shown = to_text(make_report(12, 70, names=names), width)
        assert max(map(cells_wide, shown.splitlines())) <= width


def test_a_table_that_is_too_wide_goes_on_below_with_its_names():
    columns = (TableColumn("Run"), *model.numbers(*(f"measure number {i}" for i in range(9))))
    rows = tuple((model.text(run), *(model.number(i / 10) for i in range(9))) for run in ("one", "two"))
    shown = to_text(Document("D", sections=(Section("s", "S", (Table("t", "T", columns, rows),)),)), 60)
    assert max(map(cells_wide, shown.splitlines())) <= 60
    assert sum(line.startswith("one ") for line in shown.splitlines()) == 3
    assert all(f"measure number {i}" in shown and f"{i / 10:.4f}" in shown for i in range(9))


CELLS = st.text("ab 中", max_size=70).map(model.text) | st.floats(-1e9, 1e9).map(model.number)


@given(
    st.lists(st.tuples(st.text("xy z", max_size=40), st.booleans()), min_size=1, max_size=14),
    st.lists(st.lists(CELLS, min_size=14, max_size=14), min_size=1, max_size=40),
    st.integers(60, 132),
)
def test_no_table_is_wider_than_the_page_and_none_loses_a_value(heads, rows, width):
    columns = tuple(TableColumn(label, numeric=numeric) for label, numeric in heads)
    cells = tuple(tuple(row[: len(columns)]) for row in rows)
    shown = to_text(Document("D", sections=(Section("s", "S", (Table("t", "T", columns, cells),)),)), width)
    assert max(map(cells_wide, shown.splitlines())) <= width
    letters = Counter("".join(shown.split()))
    for mark in ".ab中":
        assert letters[mark] >= sum(cell.text.count(mark) for row in cells for cell in row)


def test_a_table_goes_on_below_with_the_columns_that_name_its_rows_and_no_other():
    """A second column of numbers names nothing: below its heading, the ties of another measure would be read as its own."""
    columns = model.numbers("fuzziness", *(f"{name} {what}" for name in "ABCDE" for what in ("minority", "ties")))
    rows = tuple((model.number(0.01), *(model.percent(place / 100) for place in range(10))) for _ in range(2))
    shown = to_text(Document("D", sections=(Section("s", "S", (Table("t", "T", columns, rows),)),)), 60)
    heads = [re.split("  +", line.strip()) for line in shown.splitlines() if line.lstrip().startswith("fuzziness")]
    assert [name for head in heads for name in head[1:]] == [column.label for column in columns[1:]]


def board_text(*rows, width=100, measure="AP", endings=(), interval="95% interval", ranked=True, digits=3):
    board = Board("leaderboard", measure, "higher is better", rows, (0.0, 0.5, 1.0), digits, interval, ranked, endings)
    text = to_text(Document("D", sections=(Section("s", "S", (board,)),)), width)
    return [line for line in text.splitlines()[5:] if line and set(line) != {"-"}]


def test_the_board_is_a_table_with_its_drawing():
    """On a scale from 0 to 1 over 26 characters, 25 steps: .25 is at 6, .375 at 9, .5 at 12 and 1 at 25."""
    lines = board_text(
        BoardRow("a-run", "run-1", 0.5, 0.25, 1.0, "1–2", "1", True, beside="us"),
        BoardRow("b", "run-2", 0.375, 0.0, 0.5, "1–2", "1", True, perhaps=True),
        BoardRow("c", None, 0.25, 0.0, 0.5, "3", "2", False),
    )
    assert [line.rstrip() for line in lines] == [
        "tier  rank  run           AP  95% interval  0           .5           1",
        "   1   1–2  a-run (us)  .500      .25–1.00        ──────●─────────────",
        "       1–2  b           .375       .00–.50  ─────────●───",
        "   2     3  c           .250       .00–.50  ──────○──────",
    ]


def test_the_board_says_how_answers_ended_and_leaves_out_the_drawing_for_it():
    rows = (
        BoardRow("a", None, 0.5, 0.25, 1.0, "1", "", True, counts=(20, 5, 15), failed=1),
        BoardRow("b", None, None, None, None, "", "", True),
    )
    lines = board_text(*rows, width=64, endings=("right", "declined", "wrong"))
    assert lines[0].split() == ["rank", "run", "AP", "95%", "interval", "right", "declined", "wrong", "failed"]
    assert lines[1].split() == ["1", "a", ".500", ".25–1.00", "20", "5", "15", "1"]
    assert lines[2].split() == ["b", "n/a", "0"]


@pytest.mark.parametrize("measure", ["tier", "rank", "run", "95% interval", "right", "failed"])
def test_a_measure_called_like_a_column_of_the_board_loses_no_column(measure):
    row = BoardRow("a", None, 0.75, 0.25, 1.0, "5", "6", True, counts=(3,), failed=2)
    lines = board_text(row, measure=measure, endings=("right",))
    assert lines[0].split() == f"tier rank run {measure} 95% interval right failed".split()
    assert lines[1].split() == ["6", "5", "a", ".750", ".25–1.00", "3", "2"]


def test_a_board_of_counts_without_intervals_or_without_runs():
    counts = board_text(BoardRow("a", None, 1532, None, None, "1", "", True), digits=0, interval="", ranked=False)
    assert [line.split() for line in counts] == [["place", "run", "AP"], ["1", "a", "1532"]]
    assert [line.split() for line in board_text(interval="")] == [["rank", "run", "AP"]]


@pytest.mark.parametrize("width", [40, 60, 100])
def test_no_line_of_a_board_is_wider_than_the_page(width):
    rows = [
        BoardRow(name, None, 0.5, 0.25, 1.0, "1–2", "1", True, counts=(2000, 5, 15), failed=1, beside=name)
        for name in ("a-very-long-name-of-a-run-that-goes-on-and-on", "中文" * 20, "x")
    ]
    lines = board_text(*rows, width=width, endings=("right", "declined", "wrong"))
    assert max(map(cells_wide, lines)) <= width
    assert "".join(lines).count("2,000") == 3


def test_a_hostile_name_on_the_board_cannot_command_the_terminal():
    lines = board_text(BoardRow("\x1b[2J\n", None, 0.5, None, None, "1", "", True, beside="\u202e"), interval="")
    assert all(line.isprintable() for line in lines)


def test_the_text_begins_with_the_finding_the_trust_line_and_the_method():
    report = Document(
        "D", meta=(("Topics", "24"),), sections=(Section("s", "S", (RECALL,)),), foot="assay 1.", finding="a leads (AP .5).",
        trust=("Leads of .1 count.", "One more."), rules=("95% intervals.",),
    )  # fmt: skip
    lines = [line for line in to_text(report, 60).splitlines() if line]
    assert lines[2:6] == ["a leads (AP .5).", "Leads of .1 count. One more.", "Topics: 24", "95% intervals. assay 1."]
    assert "\n\n\n" not in to_text(report, 60)


def test_a_long_narrow_table_is_set_in_columns():
    rows = tuple((model.text(f"q{place}"), model.number(place / 100)) for place in range(40))
    table = Table("t", "T", (TableColumn("Question"), TableColumn("F", numeric=True)), rows)
    lines = to_text(Document("D", sections=(Section("s", "S", (table,)),)), 60).splitlines()
    # 16 columns and a gap of 4 fit three times into 60; 40 rows are 14, 14 and 12.
    assert sum(line.split()[::2] == ["Question"] * 3 for line in lines) == 1
    assert next(line for line in lines if line.startswith("q0 ")).split() == [
        "q0",
        "0.0000",
        "q14",
        "0.1400",
        "q28",
        "0.2800",
    ]
    assert next(line for line in lines if line.startswith("q13 ")).split() == ["q13", "0.1300", "q27", "0.2700"]
    # A command's own output is read by other programs too: a row a line.
    assert sections_text([Section("s", "", (table,))]).count("\nq") == 40


def test_long_words_in_a_table_are_folded():
    why = "the instrument failed because of something that takes many words to tell " * 3
    rows = ((model.text("q1"), model.text(why.strip())), (model.text("q2"), model.text("short")))
    shown = to_text(
        Document("D", sections=(Section("s", "S", (Table("t", "T", (TableColumn("Q"), TableColumn("Why")), rows),)),)),
        60,
    )
    assert max(map(cells_wide, shown.splitlines())) <= 60
    assert " ".join(shown.split()).count("many words to tell") == 3


def test_an_interval_is_as_long_as_its_ends_are_apart():
    """On a scale from 0 to 1 in 64 columns, 0.25 is the column 16 and 0.75 the column 47."""
    lines = Intervals((("a", 0.5, 0.25, 0.75), ("b", 0.0, 0.0, 1.0)), "AP").lines()
    bar = lines[1][len("a  0.5000  ") :]
    assert (bar.index("━"), len(bar), bar.index("●")) == (16, 48, 32)
    assert lines[-1].split() == ["0", "1"]


def test_shades_grow_with_the_number():
    lines = Shades(("a", "b"), ((1.0, 0.0), (0.25, None)), "t").lines()
    assert "█ 1.00   0.00" in lines[2]
    assert "░ 0.25    n/a" in lines[3]


def test_differences_stand_above_and_below_zero():
    lines = Differences((("1", 1.0), ("2", -1.0), ("3", 0.0)), "AP").lines()
    body = [line.partition("|")[2] for line in lines[1:6]]
    below = [line.partition("|")[2] for line in lines[7:12]]
    assert [line[:4] for line in body] == ["███"] * 5
    assert [line.strip() for line in below] == ["███"] * 5
    assert all(line.startswith("    ") for line in below)
    assert lines[-1].strip() == "1 to 3"


def test_more_differences_than_columns_are_thinned_and_it_is_said():
    lines = Differences(tuple((str(i), float(i)) for i in range(200)), "AP").lines()
    assert max(map(len, lines)) <= DEFAULT_WIDTH
    assert lines[-1].strip() == "0 to 199, every 3. of them"


def test_every_chart_of_a_campaign_is_drawn(make_report):
    shown = to_text(make_report(4, 6))
    assert "[" not in re.sub(r"\[[-\d., ]+\]|\[Recall and precision on each topic[^]]*\]", "", shown)
