"""Who leads at which price, in words."""

from __future__ import annotations

import json

import assay
from assay.reports.pages.price import price_sentence, pricing_sections

WORDS = {"r": "correct", "w": "incorrect", "u": "unanswered"}


def found(**runs: str):
    rows = [{"run": run, "id": str(i), "outcome": WORDS[x]} for run, ended in runs.items() for i, x in enumerate(ended)]
    return assay.price(None, "\n".join(map(json.dumps, rows)).encode(), resamples=50)


def test_the_price_of_a_wrong_answer_says_where_the_leader_changes():
    """By hand: 6 right and 4 wrong against 5 and 1 of 10: t = 1/4; then 5 = x, t = 5/6."""
    assert price_sentence(found(bold="rrrrrrwwww", shy="rrrrrwuuuu")) == (
        "Where a wrong answer costs nothing bold leads; from t = 0.250 on, shy leads; from t = 0.833 on, declining every "
        "question is better than any run."
    )
    assert price_sentence(found(a="rrrrr", b="rrrrr")) == "Whatever a wrong answer costs, a and b lead."


def test_the_report_and_the_command_draw_the_same(text):
    """The report's section is the first that the command prints."""
    lines = text("outcomes")
    assert "The price of a wrong answer" in lines
    assert any(line.startswith("From t To t Leads Significant for t") for line in lines)
    first, *_ = pricing_sections(found(bold="rrrrrrwwww", shy="rrrrrwuuuu"))
    assert first.title == "The price of a wrong answer"


def test_crossings_have_a_table_where_there_are_some():
    tables = [block.title for section in pricing_sections(found(a="rrw", b="rru")) for block in section.blocks[-1:]]
    assert tables == ["Who leads at which price", "Every run"]
    _, second = pricing_sections(found(bold="rrrrrrwwww", shy="rrrrrwuuuu"))
    assert [row[1].text for row in second.blocks[1].rows] == ["bold"]
