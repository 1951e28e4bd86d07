"""The report as an object: how it is printed, written and shown."""

from __future__ import annotations

import pytest

import assay
from assay.analyses.comparison.run_intervals import run_intervals
from assay.reports.model import Board, Table
from assay.reports.report import Report, report
from assay.reports.results import form_of

QRELS = {f"t{t}": {"d1": 1, "d2": 0} for t in range(6)}
RUNS = {
    "good": {topic: {"d1": 2.0, "d2": 1.0} for topic in QRELS},
    "bad": {topic: {"d1": 1.0, "d2": 2.0} for topic in QRELS},
}


@pytest.fixture(scope="module")
def made() -> Report:
    return assay.report(QRELS, RUNS, ["RR", "AP"], trials=20)


def test_it_prints_as_its_text(made):
    assert repr(made) == made.to_text().rstrip("\n")
    assert max(map(len, made.to_text(70).splitlines())) <= 70


def test_a_notebook_shows_it_in_a_frame_of_its_own(made):
    shown = made._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.count("<") == 2
    assert 'sandbox="allow-scripts"' in shown


@pytest.mark.parametrize("ending", ["html", "pdf", "txt"])
def test_the_ending_decides_how_it_is_written(made, tmp_path, ending):
    if ending == "pdf":
        pytest.importorskip("typst", reason="typst is not installed")
    path = tmp_path / f"r.{ending}"
    made.save(path)
    start = {"html": b"<!doctype html>", "pdf": b"%PDF", "txt": b" "}[ending]
    assert path.read_bytes().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_an_unknown_ending_says_which_there_are(made, tmp_path):
    with pytest.raises(assay.UsageError, match=r"r\.docx: expected a name that ends in \.html, \.pdf or \.txt"):
        made.save(tmp_path / "r.docx")
    assert form_of("A.HTM") == "html"


def test_a_folder_that_is_not_there_is_named_and_nothing_is_left(made, tmp_path):
    with pytest.raises(assay.InputError, match="cannot be written"):
        made.save(tmp_path / "absent" / "r.txt")


def test_progress_hears_every_page(made):
    pytest.importorskip("typst", reason="typst is not installed")
    heard = []
    made.to_pdf(lambda done, total: heard.append((done, total)))
    assert heard == [(1, 2), (2, 2)]


@pytest.fixture(scope="module")
def built() -> Report:
    return report(QRELS, RUNS, ["RR", "AP"], trials=20)


def test_the_first_measure_asked_for_ranks_the_runs(built):
    (board,) = built.document.sections[0].blocks
    assert isinstance(board, Board)
    assert board.measure == "RR"
    measures = next(block for block in built.document.sections[1].blocks if isinstance(block, Table))
    assert [column.label for column in measures.columns] == ["Run", "AP"]


def test_a_table_or_gold_and_runs_give_the_same_report(built):
    scores = assay.evaluate(QRELS, RUNS, ["RR", "AP"])
    assert report(scores, measures=["RR", "AP"], trials=20).to_text() == built.to_text()


def test_a_table_of_a_few_measures_has_all_its_figures(built):
    """What the pages need beside the measures asked for is computed from the runs the table was made from."""
    assert "At 1000 docs" in built.to_text()


def test_unknown_runs_and_trials_are_refused():
    with pytest.raises(assay.UsageError, match="nobody"):
        report(QRELS, RUNS, run="nobody")
    with pytest.raises(assay.UsageError, match="`trials=-1`: expected 1 or more"):
        report(QRELS, RUNS, trials=-1)


def test_a_runs_page_has_an_interval_for_every_measure_of_the_leaderboard(scores):
    """Those of `assay.evaluate(intervals)`; the leaderboard keeps to that of the measure that ranks the runs."""
    built = report(scores, trials=0)
    (standing,) = built.document.pages[0].standing
    rows = standing.blocks[0].blocks[0].rows
    for row, measure in zip(rows, scores.measures, strict=True):
        end = run_intervals(scores, measure)[scores.runs[0]]
        assert row[0].text == measure.name
        assert row[1].range_text == f"[{end.low:.3f}, {end.high:.3f}]"
    board, measures = (section.blocks[-1] for section in built.document.sections[:2])
    assert board.rows[0].low is not None
    assert [cell.range_text for cell in measures.rows[0] if cell.kind in ("interval", "number")] == [""]


def test_a_difference_says_of_how_many_topics_it_is_where_a_run_lacks_some():
    """Without it, the difference of two runs would not be that of the values beside it."""
    short = {"good": RUNS["good"], "bad": {topic: RUNS["bad"][topic] for topic in ("t0", "t1", "t2", "t3")}}
    built = report(QRELS, short, ["AP"], trials=0, missing="skip")
    assert built.document.grid.measures[0].pairs_caption.startswith(
        "Difference on the 4 of 6 topics on which every run has a value, and p by "
    )


def test_the_report_begins_with_the_finding_and_how_far_to_trust_it(built):
    """Six topics, good first on each: 2 of 64 swaps of signs are as extreme, p = .03125."""
    document = built.document
    assert document.finding == "good beats bad by .50 RR on 6 topics."
    assert document.trust == ()
    assert document.finding_parts == [
        ("good", True),
        (" beats ", False),
        ("bad", True),
        (" by .50 RR on 6 topics.", False),
    ]
    assert document.rules[0].startswith("95% intervals of the runs by ")
    text = built.to_text()
    assert text.index(document.finding) < text.index("Leaderboard")
    assert text.count(" ".join(document.rules)[:40]) == 1


def test_the_two_best_runs_are_one_click_away(built):
    page = built.to_html()
    assert (
        page.index('class="finding"') < page.index('<nav class="next"') < page.index('<section id="measures-section"')
    )
    assert '<a href="#compare/good/bad">good against bad</a> <span>better on 6 topics, worse on 0</span>' in page
    assert "Open next" not in report(QRELS, RUNS, ["RR"], run="good", trials=0).to_html()


def test_the_report_of_one_run_has_no_finding_about_the_others(built):
    own = report(QRELS, RUNS, ["RR", "AP"], run="good", trials=0).document
    assert (own.finding, own.trust, own.rules) == ("", (), ())
    assert "leaderboard-section" not in [section.id for section in own.sections]


def test_the_header_counts_the_topics_that_decide():
    """Of 6 topics bad has 4, and only these are compared where missing ones are skipped."""
    short = {"good": RUNS["good"], "bad": {topic: RUNS["bad"][topic] for topic in ("t0", "t1", "t2", "t3")}}
    document = report(QRELS, short, ["AP"], trials=0, missing="skip").document
    assert document.meta[0] == ("Topics", "4 of 6")
    assert document.trust[-1] == "2 of 6 topics failed or are missing for some run and are excluded for all."
