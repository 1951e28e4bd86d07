"""Each task's pages, from files to text and HTML: the sample tables of TREC 2001 line by line, and hand-made campaigns."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from assay.cli import main
from assay.figures import FIGURES
from assay.reports import pages, pdf
from assay.reports.report import Report
from assay.reports.terminal_width import cells_wide

TASKS = list(FIGURES)


def test_every_task_has_pages():
    assert set(TASKS) == set(pages.MODULES)


@pytest.mark.parametrize("task", TASKS)
def test_every_run_has_its_page_in_the_text_report(text, task):
    lines = text(task)
    places = next(line for line in lines if "Runs: " in line)
    assert lines.count("Evaluation report") == int(places.rpartition("Runs: ")[2])
    assert any(line.startswith("assay ") or line.endswith("assay") or " assay " in line for line in lines)
    assert not any("None" in line or "nan" in line.lower().split() for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_the_html_of_every_task_in_a_browser(tmp_path, visit, task, campaign):
    out = tmp_path / "out.html"
    assert main([*campaign(task, tmp_path), "--trials", "50", "-o", str(out)]) == 0
    page = visit(out.as_uri())
    runs = page.evaluate("JSON.parse(document.getElementById('report-data').textContent).pages")
    for address, view in (("campaign", "campaign"), (runs[0][0], "run-1")):
        page.goto(f"{out.as_uri()}#{address}")
        page.wait_for_selector(f"#{view}:not([hidden])")
        page.wait_for_function(
            """view => [...document.querySelectorAll(`#${view} .chart`)].every(chart => chart.dataset.state === "drawn")""",
            arg=view,
        )
        assert page.locator(f"#{view} table").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("task", ["qa", "list", "context", "nuggets"])
def test_questions_are_not_called_topics(text, task):
    lines = " ".join(text(task))
    assert "a question a run leaves out counts 0" in lines
    assert "a topic" not in lines
    assert "of the topics" not in lines


def blocks_of(pages):
    for section in [*pages.sections, *(section for page in pages.pages for section in page.sections)]:
        for block in section.blocks:
            yield from getattr(block, "blocks", (block,))


@pytest.mark.parametrize("task", TASKS)
def test_every_table_and_chart_says_what_is_seen(tmp_path, monkeypatch, task, campaign):
    """A caption of settings alone would leave the reader of a paper in the dark."""
    made = []
    monkeypatch.setattr(Report, "to_text", lambda report, width: made.append(report.document) or "")
    assert main([*campaign(task, tmp_path), "--trials", "50"]) == 0
    shown = [block for block in blocks_of(made[0]) if hasattr(block, "caption")]
    assert len(shown) > 4
    for block in shown:
        seen, _, rest = block.caption.partition(". ")
        assert seen, block.id
        assert not re.match(r"\d+ (topic|question)", seen), block.id
        assert re.search(r"\d+ (topic|question)s?\b", rest or seen), block.id


def tables_of(document):
    """Every table a screen shows, but the values and lists that it looks up when they are asked for."""
    told = [section for page in document.pages for section in (*page.standing, *page.sections)]
    blocks = [block for section in [*document.sections, *told] for block in section.blocks]
    parts = [part for block in blocks for part in getattr(block, "blocks", (block,))]
    # Of one run the best, the worst and the median on a topic are the same, and not printed.
    topics = [document.grid.table] if document.grid and len(document.grid.runs) > 1 else []
    return [part for part in parts if hasattr(part, "rows")] + topics


@pytest.mark.parametrize("task", [task for task in TASKS if task != "ranked"])
def test_the_book_of_every_task_prints_every_number_that_the_page_shows(tmp_path, monkeypatch, task, campaign):
    """Of ranked runs a book has a sheet each: tests/reports/test_pdf.py."""
    pytest.importorskip("typst", reason="typst is not installed")
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed: apt-get install poppler-utils")
    made = []
    drawn = pdf.drawn_pages
    monkeypatch.setattr(pdf, "drawn_pages", lambda document, *rest: made.append(document) or drawn(document, *rest))
    out = tmp_path / "out.pdf"
    assert main([*campaign(task, tmp_path), "--trials", "50", "-o", str(out)]) == 0
    text = subprocess.run(["pdftotext", "-layout", str(out), "-"], capture_output=True, text=True, check=True).stdout
    said = set(text.replace("‹U+1F600›", "😀").split())
    tables = tables_of(made[0])
    assert len(tables) > 4
    for table in tables:
        numbers = [cell.text for row in table.rows if isinstance(row, tuple) for cell in row if cell.kind == "number"]
        assert [number for number in numbers if number not in said] == [], table.id
    for page in text.split("\f")[1:-1]:
        assert len(page.split()) > 20, page


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("width", [60, 100])
def test_no_line_of_the_text_of_every_task_is_wider_than_the_terminal(
    tmp_path, capsys, monkeypatch, task, width, campaign
):
    monkeypatch.setenv("COLUMNS", str(width))
    assert main([*campaign(task, tmp_path), "--trials", "50"]) == 0
    assert max(map(cells_wide, capsys.readouterr().out.splitlines())) <= width
