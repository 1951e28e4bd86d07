"""The report in the order of reading: nothing of the page is lost, and nothing is said twice."""

from __future__ import annotations

from dataclasses import replace

from assay.reports.model import BlockRow, Chart, Document, Note, Panels, RunPage, Section, Table, TableColumn, text
from assay.reports.reading_order import printed
from assay.reports.text import to_text

HOW = "50 topics; made by hand."


def table(title, caption=HOW):
    return Table(f"t-{title}", title, (TableColumn("What"),), ((text("x"),),), caption)


def page(name, *sections):
    return RunPage(
        f"id-{name}", name, sections, (("Place", "1 of 2"),), (Section("w", "Place among the runs", (table("W"),)),)
    )


def blocks(report):
    return [block for section in report.sections for block in section.blocks]


def test_runs_stand_by_name_whatever_their_case():
    names = ["Zeta", "apl10", "apl9", "Beta"]
    report = Document("D", pages=tuple(page(name) for name in names))
    assert [one.run for one in printed(report).pages] == ["apl9", "apl10", "Beta", "Zeta"]


def test_a_run_begins_with_where_it_stands():
    (one,) = printed(Document("D", pages=(page("a", Section("s", "Evaluation report", ())),))).pages
    assert [section.title for section in one.sections] == ["Place among the runs", "Evaluation report"]


def test_what_every_caption_ends_with_is_said_once():
    chart = Chart("c", "C", {}, f"A curve. {HOW}", "")
    panels = Panels("p", "P", "Topic", (), (), f"Plots. {HOW}")
    inside = (table("A", f"Values. {HOW}"), BlockRow((table("B"), chart)), Note(f"Told. {HOW}"), panels)
    report = Document("D", sections=(Section("s", "S", inside),), foot=HOW)
    first, row, note, plots = blocks(printed(report))
    assert [first.caption, *(part.caption for part in row.blocks), note.body, plots.caption] == [
        "Values.", "", "A curve.", "Told.", "Plots.",
    ]  # fmt: skip
    assert to_text(report).count(HOW) == 1


def test_a_heading_is_said_once():
    report = Document("D", sections=(Section("s", "Leaderboard", (Note("Before."), table("Leaderboard"), table("B"))),))
    assert [block.title for block in blocks(printed(report))[1:]] == ["", "B"]
    assert to_text(report).count("Leaderboard") == 1


def test_a_participants_report_is_called_by_the_run_once_and_ends_with_the_notes():
    own = page("bm25", Section("s", "Evaluation report", ()))
    report = Document("bm25", "trec", (("Runs", "2"),), (Section("n", "Notes", (Note("judged by hand."),)),), (own,))
    made = printed(report)
    assert made.pages == ()
    assert [section.title for section in made.sections] == ["Place among the runs", "Evaluation report", "Notes"]
    assert made.meta == (("Place", "1 of 2"), ("Runs", "2"))
    assert to_text(report).count("bm25") == 1


def test_topics_are_told_before_two_runs_are_compared(make_report):
    report = make_report(3, 4)
    made = printed(report)
    titles = [section.title for section in made.sections]
    assert titles[:3] == ["Leaderboard", "Measures", "Topic by topic"]
    assert titles.index("Topic by topic") < titles.index("Compare two runs")
    *_, told = next(section.blocks for section in made.sections if section.title == "Topic by topic")
    assert told.rows == report.grid.table.rows


def test_a_sheet_of_a_book_leaves_the_plots_of_every_topic_to_the_participants_report(make_report):
    report = make_report(3, 4)
    assert [section.title for section in printed(report).pages[0].sections] == [
        "Place among the runs", "Evaluation report", "Topic by topic",
    ]  # fmt: skip
    assert [section.title for section in printed(report, sheets=True).pages[0].sections] == ["Evaluation report"]
    alone = replace(report, pages=report.pages[:1])
    assert len(printed(alone, sheets=True).pages[0].sections) == 3
