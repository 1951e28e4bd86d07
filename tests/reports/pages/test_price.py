"""Who leads at which price, in words."""

from __future__ import annotations

import json

import assay
from assay.reports.pages.price import pricing_sections

WORDS = {"r": "correct", "w": "incorrect", "u": "unanswered"}


def found(**runs: str):
    rows = [{"run": run, "id": str(i), "outcome": WORDS[x]} for run, ended in runs.items() for i, x in enumerate(ended)]
    return assay.price(None, "\n".join(map(json.dumps, rows)).encode(), resamples=50)


def test_the_page_begins_with_the_finding_and_lists_costs():
    """By hand: 6 right and 4 wrong against 5 and 1 of 10: t = 1/4, a cost of 1/3; then 5 = x, t = 5/6."""
    result = found(bold="rrrrrrwwww", shy="rrrrrwuuuu")
    note, _, leads = pricing_sections(result)[0].blocks
    assert note.body == result.finding
    assert [[cell.text for cell in row[:4]] for row in leads.rows] == [
        ["0.000", "0.250", "0 to .33", "bold"],
        ["0.250", "0.833", ".33 to 5.0", "shy"],
        ["0.833", "1.000", "5.0 or more", "declining every question"],
    ]


def test_the_report_and_the_command_draw_the_same(text):
    """The report's section is the first that the command prints."""
    lines = text("outcomes")
    assert "The price of a wrong answer" in lines
    assert any(line.startswith("From t To t A wrong answer costs Leads Significant for t") for line in lines)
    first, *_ = pricing_sections(found(bold="rrrrrrwwww", shy="rrrrrwuuuu"))
    assert first.title == "The price of a wrong answer"


def test_crossings_have_a_table_where_there_are_some():
    tables = [block.title for section in pricing_sections(found(a="rrw", b="rru")) for block in section.blocks[-1:]]
    assert tables == ["Who leads at which price", "Every run"]
    _, second = pricing_sections(found(bold="rrrrrrwwww", shy="rrrrrwuuuu"))
    assert [row[1].text for row in second.blocks[1].rows] == ["bold"]
