"""The questions worth reading first, on the campaign's pages and on those of the runs."""

from __future__ import annotations

import pytest

import assay
from assay.reports.model import BlockRow, Table


def answers(ends, sure=0.9):
    """Answers by a digit a question: 1 right, 0 wrong, - none."""
    said = {"1": ("yes", sure), "0": ("no", sure), "-": None}
    return {f"q{number:03d}": said[end] for number, end in enumerate(ends, 1)}


def made(**runs):
    gold = dict.fromkeys(next(iter(runs.values())), "yes")
    return assay.report(gold, runs, trials=0)


def tables(sections):
    """The tables of some sections by their ids, those side by side too."""
    blocks = [block for section in sections for block in section.blocks]
    parts = [part for block in blocks for part in (block.blocks if isinstance(block, BlockRow) else (block,))]
    return {part.id: part for part in parts if isinstance(part, Table)}


def shown(table):
    return [[cell.text for cell in row] for row in table.rows]


@pytest.fixture
def three():
    return made(a=answers("1100-"), b=answers("10000", 0.75), c=answers("00001"))


def test_what_everybody_got_wrong_is_a_page_of_the_campaign(three):
    found = tables(three.document.sections)["everybody-wrong"]
    assert shown(found) == [["q003", "3", "3"], ["q004", "3", "3"]]
    assert found.rows[0][0].link == "topic/q003"
    assert found.caption.startswith("The 2 questions that no run got right and at least two answered")
    assert "gold is often mistaken" in found.caption


def test_a_runs_page_has_what_it_was_sure_of_and_what_it_alone_knew(three):
    pages = {page.run: tables(page.sections) for page in three.document.pages}
    sure, alone = pages["a"]["run-1-sure"], pages["a"]["run-1-alone"]
    assert sure.title == "Confidently wrong: 2 questions of confidence 0.8 or more"
    assert shown(sure) == [["q003", "0.9000"], ["q004", "0.9000"]]
    assert alone.title == "Right only here: 1 question"
    assert (shown(alone), alone.rows[0][0].link) == ([["q002"]], "topic/q002")
    assert not {"run-2-sure", "run-2-alone"} & {*pages["b"]}
    assert len(shown(pages["c"]["run-3-sure"])) == 4


def test_long_lists_are_cut_and_say_how_many_there_are():
    long = made(a=answers("0" * 60 + "1" * 60), b=answers("0" * 120))
    found = tables(long.document.sections)["everybody-wrong"]
    assert len(found.rows) == 50
    assert "The first 50 of 60." in found.caption
    page = tables(long.document.pages[0].sections)
    assert len(page["run-1-sure"].rows) == len(page["run-1-alone"].rows) == 50
    assert page["run-1-alone"].title == "Right only here: 60 questions"


def test_they_are_written_in_text_and_on_screen_and_never_among_averages(three):
    text = " ".join(three.to_text().split())
    assert "Questions worth reading first" in text
    assert "Confidently wrong: 2" in text
    assert "Right only here: 1" in text
    assert 'href="#topic/q003"' in three.to_html()
    runs = {"a": answers("0" * 12), "b": answers("0" * 11 + "1")}
    safe = assay.report(dict.fromkeys(runs["a"], "yes"), runs, trials=0, aggregate=True)
    assert "worth reading" not in safe.to_text()
    written = safe.to_html()
    assert "q003" not in written
    assert all(not getattr(block, "outcomes", ()) for section in safe.document.sections for block in section.blocks)


def test_without_questions_that_have_a_page_there_are_no_links():
    runs = {"a": answers("0" * 1001), "b": answers("0" * 1001)}
    written = assay.report(dict.fromkeys(runs["a"], "yes"), runs, ["c@1"], trials=0).to_html()
    assert ">q001<" in written
    assert "#topic/" not in written


def test_partial_credit_leaves_the_lists_out(tmp_path):
    for run in "ab":
        (tmp_path / f"{run}.jsonl").write_text('{"id": "q1", "score": 0.5}\n{"id": "q2", "score": 0}\n', "utf-8")
    graded = assay.report(assay.evaluate(None, tmp_path), trials=0)
    assert "reading-section" not in {section.id for section in graded.document.sections}
    (compared,) = (b for s in graded.document.sections for b in s.blocks if hasattr(b, "outcomes"))
    assert [compared.endings[int(digit)] for digit in compared.outcomes[0]] == ["partly right", "wrong"]
