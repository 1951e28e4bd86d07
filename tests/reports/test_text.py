"""The report on a terminal."""

from __future__ import annotations

import pytest

from assay.reports import model
from assay.reports.model import Column, Document, Row, Section, Span, Table
from assay.reports.text import cells_wide, to_text

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
