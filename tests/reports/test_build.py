"""From scores to a report: what it is made from."""

from __future__ import annotations

import pytest

import assay
from assay.analyses.comparison.run_intervals import run_intervals
from assay.reports.build import report
from assay.reports.model import Table
from assay.reports.report import Report

QRELS = {f"t{t}": {"d1": 1, "d2": 0} for t in range(6)}
RUNS = {
    "good": {topic: {"d1": 2.0, "d2": 1.0} for topic in QRELS},
    "bad": {topic: {"d1": 1.0, "d2": 2.0} for topic in QRELS},
}


@pytest.fixture(scope="module")
def made() -> Report:
    return report(QRELS, RUNS, ["RR", "AP"], trials=20)


def test_the_first_measure_asked_for_ranks_the_runs(made):
    leaderboard = made.document.sections[0].blocks
    table = next(block for block in leaderboard if getattr(block, "leaderboard", False))
    assert [column.label for column in table.columns][2:5] == ["RR", "Tier", "AP"]


def test_a_table_or_gold_and_runs_give_the_same_report(made):
    scores = assay.evaluate(QRELS, RUNS, ["RR", "AP"])
    assert report(scores, measures=["RR", "AP"], trials=20).to_text() == made.to_text()


def test_a_table_of_a_few_measures_has_all_its_figures(made):
    """What the pages need beside the measures asked for is computed from the runs the table was made from."""
    assert "At 1000 docs" in made.to_text()


def test_unknown_runs_and_trials_are_refused():
    with pytest.raises(assay.UsageError, match="nobody"):
        report(QRELS, RUNS, run="nobody")
    with pytest.raises(assay.UsageError, match="`trials=-1`: expected 1 or more"):
        report(QRELS, RUNS, trials=-1)


def test_a_runs_page_has_an_interval_for_every_measure_of_the_leaderboard(scores):
    """Those of `assay.evaluate(intervals)`; the leaderboard keeps to that of the measure that ranks the runs."""
    made = report(scores, trials=0)
    (standing,) = made.document.pages[0].standing
    rows = standing.blocks[0].blocks[0].rows
    for row, measure in zip(rows, scores.measures, strict=True):
        end = run_intervals(scores, measure)[scores.runs[0]]
        assert row[0].text == measure.name
        assert row[1].range_text == f"[{end.low:.4f}, {end.high:.4f}]"
    board = made.document.sections[0].blocks
    table = next(block for block in board if isinstance(block, Table))
    assert [cell.range_text != "" for cell in table.rows[0] if cell.kind in ("interval", "number")] == [True, False]


def test_a_difference_says_of_how_many_topics_it_is_where_a_run_lacks_some():
    """Without it, the difference of two runs would not be that of the values beside it."""
    short = {"good": RUNS["good"], "bad": {topic: RUNS["bad"][topic] for topic in ("t0", "t1", "t2", "t3")}}
    made = report(QRELS, short, ["AP"], trials=0, missing="skip")
    assert made.document.grid.measures[0].pairs_caption.startswith(
        "Difference on the 4 of 6 topics on which every run has a value, and p by "
    )
