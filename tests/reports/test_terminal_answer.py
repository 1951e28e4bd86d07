"""What a command prints: finding, table, method, and the pages once."""

from __future__ import annotations

from assay.reports.model import Note, Section, Table, TableColumn, cells
from assay.reports.terminal_answer import answer
from assay.reports.text import sections_text

TABLE = Table("t", "", (TableColumn("run"),), (cells("a"),), "What a column is.")
OTHER = Table("other", "", (TableColumn("topic"),), (cells("1"),))
PAGES = [
    Section("first", "First", (Note("a leads. By .1."), TABLE, Note("By hand."))),
    Section("second", "Second", (OTHER,)),
    Section("third", "Third", (Note("a leads."),)),
]


def test_brief():
    shown = answer("a leads.", [TABLE], ["By hand.", ""], PAGES, "topics", verbose=False)
    assert sections_text(shown) == "a leads.\n\nrun\n---\na\n\nBy hand.\nMore: -v (topics)\n"


def test_verbose_prints_nothing_twice():
    shown = answer("a leads.", [TABLE], ["By hand."], PAGES, "topics", verbose=True)
    assert sections_text(shown) == (
        "a leads.\n\nrun\n---\na\n\nWhat a column is.\n\nBy hand.\n\nFirst\n\nBy .1.\n\nSecond\n\ntopic\n-----\n1\n"
    )
