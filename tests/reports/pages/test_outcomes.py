"""The pages of answers and outcomes."""

from __future__ import annotations

import re

import pytest

import assay
from assay.figures.outcomes import RiskPoint
from assay.reports.model import BlockRow, Chart, Table
from assay.reports.pages.outcomes import thinned


def test_outcomes_by_type(text):
    lines = text("outcomes", "--run", "sure")
    assert any("Correct 6 (75.0%)" in line for line in lines)
    assert "By type" in lines
    assert any(line.startswith("all 8 6 (75.0%) 2 (25.0%) 0 (0.0%) 0.7500") for line in lines)


def test_a_campaign_of_outcomes_has_a_table_by_type_of_every_run(text):
    """q0, q2 … are of type a: sure answers q6 wrong, shy declines it; three questions of four right each."""
    lines = text("outcomes")
    assert lines.count("By type") == 1 + 3
    assert any(line.startswith("sure a 4 3 (75.0%) 1 (25.0%) 0 (0.0%) 0.7500") for line in lines)
    assert any(line.startswith("shy a 4 3 (75.0%) 0 (0.0%) 1 (25.0%) 0.7500") for line in lines)
    assert any(line.startswith("shy all 8 5 (62.5%) 0 (0.0%) 3 (37.5%)") for line in lines)


def test_outcomes_are_drawn_as_bars(text):
    lines = text("outcomes")
    assert any(re.match(r"shy correct 5 #+", line) for line in lines)
    assert any(re.match(r"unanswered 3 #+", line) for line in lines)


def test_the_table_of_clef_2004_is_a_page(text):
    """Recall, precision and K of every run by type, where the gold says which answers there are."""
    lines = text("outcomes")
    heads = [line for line in lines if "known_answers" in line]
    assert any("answer_recall answer_precision K" in line for line in lines)
    assert heads
    assert any(line == "Recall, precision and K by type" for line in lines)


def test_who_declines_where_one_should():
    """a declines one of two that it should and one of three that it should not; b answers everything."""
    rows = ["q1,correct,0", "q2,correct,0", "q3,unanswered,0", "q4,unanswered,1", "q5,incorrect,1"]
    more = ["q1,correct,0", "q2,incorrect,0", "q3,correct,0", "q4,incorrect,1", "q5,incorrect,1"]
    lines = [f"{run},{row}" for run, own in (("a", rows), ("b", more)) for row in own]
    table = ("run,id,outcome,should_decline\n" + "\n".join(lines) + "\n").encode()
    page = [" ".join(line.split()) for line in repr(assay.report(None, table, trials=0)).splitlines()]
    assert "Declining" in page
    ends = r" \[0\.\d+, [01]\.\d+\]"
    # Missed refusals, over-refusals and F1, which of a is 2 · 1 / (2 + 2).
    a, b = r"a 1 \(50\.0%\) 0\.5000{} 0\.3333{} 0\.5000{}$", r"b 0 \(0\.0%\) 1\.0000{} 0\.0000{} 0\.0000{}$"
    for row in (a, b):
        assert any(re.match(row.format(ends, ends, ends), line) for line in page), row
    assert any(line.startswith("Over-refusals 1 (33.3%)") for line in page)
    silent = b"run,id,outcome\na,q1,correct\na,q2,unanswered\n"
    assert "Declining" not in repr(assay.report(None, silent, trials=0))


def test_a_thinned_curve_has_a_point_in_each_step_of_coverage():
    """Four points from .1 to 1 are one in each of (.1, .4] and (.4, .7] between the ends; no point lies in the first."""
    points = [(0.1, 0.9), (0.5, 0.6), (0.6, 0.5), (0.7, 0.4), (1.0, 0.2)]
    curve = [RiskPoint(1 - coverage, coverage, risk) for coverage, risk in points]
    assert thinned(curve, 4) == [(0.1, 0.9), (0.5, 0.6), (1.0, 0.2)]


def test_validation_has_the_baselines_of_ave_and_a_roc_curve():
    """a accepts one right and one wrong candidate of 4, two of them right; b accepts one right one and rejects the rest."""
    a = ["q1,correct,,.9", "q2,incorrect,,.8", "q3,unanswered,correct,.3", "q4,unanswered,incorrect,.1"]
    b = ["q1,correct,,", "q2,unanswered,incorrect,", "q3,unanswered,correct,", "q4,unanswered,incorrect,"]
    lines = [f"{run},{row}" for run, rows in (("a", a), ("b", b)) for row in rows]
    table = ("run,id,outcome,candidate,confidence\n" + "\n".join(lines) + "\n").encode()
    report = assay.report(None, table, trials=0)
    page = [" ".join(line.split()) for line in repr(report).splitlines()]
    assert "Validation of candidates" in page
    assert "a 4 2 2 0.5000 0.5000 0.5000 0.5000 0.3125" in page, "(1 + 1 · 1/4)/4"
    assert "b 4 2 1 1.0000 0.5000 0.6667 0.0000 0.3750" in page
    assert "accept all 4 2 4 0.5000 1.0000 0.6667 1.0000 0.5000" in page
    assert "accept half 4 2 2 0.5000 0.5000 0.5000 0.5000 0.3125" in page
    section = next(s for s in report.document.sections if s.id == "validation-section")
    assert [row[0].tag for row in section.blocks[0].rows] == ["", "", "baseline", "baseline"]
    data = section.blocks[1].spec["datasets"]
    assert [(row["run"], row["false"], row["true"]) for row in data["points"]] == [("a", 0.5, 0.5), ("b", 0.0, 0.5)]
    assert [(row["false"], row["true"]) for row in data["front"]] == [(0, 0), (0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)]


def test_every_run_with_confidences_has_its_curves():
    """The risk at every coverage, and the reliability of what was stated."""
    rows = [f"{run},q{n},{'correct' if n % 3 else 'incorrect'},0.{n + 1}" for run in "ab" for n in range(8)]
    report = assay.report(None, ("run,id,outcome,confidence\n" + "\n".join(rows) + "\n").encode(), trials=0)
    for page in report.document.pages:
        rowed = [item for section in page.sections for block in section.blocks for item in getattr(block, "blocks", ())]
        assert sum(isinstance(item, Chart) for item in rowed) >= 2, page.run


def test_each_rate_of_declining_has_its_own_interval():
    """Of 12 questions that should be declined a answers 1, of 12 that should not it declines 11: intervals far apart."""
    rows = [f"a,q{n:02},{'incorrect' if n == 0 else 'unanswered'},1" for n in range(12)]
    rows += [f"a,r{n:02},{'correct' if n == 0 else 'unanswered'},0" for n in range(12)]
    table = ("run,id,outcome,should_decline\n" + "\n".join(rows) + "\n").encode()
    lines = [" ".join(line.split()) for line in repr(assay.report(None, table, trials=0)).splitlines()]
    line = next(line for line in lines if re.match(r"a 11 \(91\.7%\)", line))
    rates = [tuple(map(float, ends)) for ends in re.findall(r"(\d\.\d+) \[(\d\.\d+), (\d\.\d+)\]", line)]
    assert [value for value, _, _ in rates] == pytest.approx([1 / 12, 11 / 12, 22 / 34], abs=1e-4)
    assert all(low <= value <= high for value, low, high in rates)


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
    found = tables(three.document.sections)["all-wrong"]
    assert shown(found) == [["q003", "3", "3"], ["q004", "3", "3"]]
    assert found.rows[0][0].link == "topic/q003"
    assert found.caption.startswith("The 2 questions that no run got right and at least two answered")
    assert "check their gold" in found.caption


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
    found = tables(long.document.sections)["all-wrong"]
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
