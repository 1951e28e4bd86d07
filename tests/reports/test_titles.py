"""Titles of topics stand beside their ids, teams beside runs."""

from __future__ import annotations

import json
import re

import pytest

import assay
from assay.reports.model import Board
from assay.reports.reading_order import printed

GOLD = {f"q{number}": {"d1": 1} for number in range(1, 13)}
RUNS = {
    "good": {topic: {"d1": 2.0, "d2": 1.0} for topic in GOLD},
    "poor": {topic: {"d1": 1.0, "d2": 2.0} for topic in GOLD},
}
TITLES = {"q1": "Capitals of Africa\nWhich country has which?", "q2": "<b>Rivers</b> & lakes"}
TEAMS = {"good": {"team": "Harbour Lab"}, "poor": {"team": "Old Library", "baseline": "yes"}}


@pytest.fixture(scope="module")
def report():
    scores = assay.evaluate(GOLD, RUNS, ["AP", "RR"]).described(lambda run: TEAMS[run])
    return assay.report(scores, trials=0, topics=TITLES)


def test_links_have_labels_without_the_mark_of_a_baseline(report) -> None:
    assert report.document.titles == {"q1": "Capitals of Africa", "q2": "<b>Rivers</b> & lakes"}
    labels = report.document.labels
    assert labels["topic/q1"] == "Capitals of Africa"
    [board] = [block for section in report.document.sections for block in section.blocks if isinstance(block, Board)]
    assert {row.run: labels[row.link] for row in board.rows} == {"good": "Harbour Lab", "poor": "Old Library"}


def test_tables_of_the_page_show_them_and_export_the_id_alone(report) -> None:
    page = report.to_html()
    cell = re.search(r'<th scope=row[^>]*data-text="q1"[^>]*>(.*?)</th>', page)
    assert cell is not None
    assert re.sub(r"<[^>]+>", "", cell[1]) == "q1 Capitals of Africa"
    assert "<b>Rivers</b>" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    held = json.loads(re.search(r'id="report-data">(.*?)</script>', page, re.DOTALL)[1])
    assert held["titles"][:3] == ["Capitals of Africa", "<b>Rivers</b> & lakes", ""]
    assert held["teams"] == ["Harbour Lab", "Old Library"]


def test_paper_and_text_have_them_behind_the_ids(report) -> None:
    assert re.search(r"^q1 Capitals of Africa +0\.7500 ", report.to_text(), re.MULTILINE)  # the median of 1 and 1/2
    without = assay.report(GOLD, RUNS, ["AP"], trials=0).document
    assert printed(without).titles == {}
    assert "Capitals" not in assay.report(GOLD, RUNS, ["AP"], trials=0).to_text()
