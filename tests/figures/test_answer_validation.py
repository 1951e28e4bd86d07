"""Answer validation: decisions on candidates, AVE's baselines and ROC curves, by hand."""

from __future__ import annotations

import pytest

import assay
from assay.figures import validation as listing
from assay.figures.answer_validation import validation

# 10 questions. a accepts 3 right and 1 wrong candidate, rejects 2 right and 3 wrong ones, and has none for q10.
ROWS = [
    "q1,correct,,.9", "q2,correct,,.8", "q3,incorrect,,.8", "q4,correct,,.6", "q5,unanswered,correct,.5",
    "q6,unanswered,incorrect,.4", "q7,unanswered,correct,.3", "q8,unanswered,incorrect,.2", "q9,unanswered,incorrect,.1",
    "q10,unanswered,,",
]  # fmt: skip


def scored(**runs: list[str]) -> assay.Scores:
    lines = [f"{run},{row}" for run, rows in runs.items() for row in rows]
    table = "run,id,outcome,candidate,confidence\n" + "\n".join(lines) + "\n"
    return assay.evaluate(None, table.encode(), ["validation_F", "AUROC"])


def test_decisions_and_baselines() -> None:
    found = validation(scored(a=ROWS))
    assert found is not None
    (a,), (every, half) = found.runs, found.baselines
    assert (a.questions, a.candidates, a.right, a.accepted) == (10, 9, 5, 4)
    assert (a.precision, a.recall, a.false_positive_rate) == (3 / 4, 3 / 5, 1 / 4)
    assert (a.F, a.estimated_performance) == (pytest.approx(2 / 3), pytest.approx(0.39))
    # Accepting all: precision 5/9, recall 1, F 2·5/(9 + 5), and nothing is rejected: 5/10.
    assert (every.precision, every.recall, every.false_positive_rate) == (5 / 9, 1, 1)
    assert (every.F, every.estimated_performance) == (pytest.approx(10 / 14), 0.5)
    # Half of them: precision 5/9, recall 1/2, F = 2·(5/9)·(1/2)/(5/9 + 1/2) = 10/19; (2.5 + 2 · .25)/10.
    assert (half.precision, half.recall, half.false_positive_rate) == (5 / 9, 0.5, 0.5)
    assert (half.F, half.estimated_performance) == (pytest.approx(10 / 19), pytest.approx(0.3))
    assert (every.run, half.accepted) == (None, 4.5)


def test_roc_curve_takes_equal_confidences_together() -> None:
    """Right: .9, .8, .6, .5, .3; wrong: .8, .4, .2, .1."""
    curve = validation(scored(a=ROWS)).curves["a"]
    points = [(round(point.false_positive_rate * 4, 9), round(point.recall * 5, 9)) for point in curve]
    assert points == [(0, 1), (1, 2), (1, 3), (1, 4), (2, 4), (2, 5), (3, 5), (4, 5)]
    silent = [row if not row.startswith("q8") else "q8,unanswered,incorrect," for row in ROWS]
    assert validation(scored(a=silent)).curves == {}, "a candidate without a confidence"


def test_runs_with_candidates_of_their_own_have_baselines_of_their_own() -> None:
    other = [*ROWS[:9], "q10,unanswered,correct,.1"]
    found = validation(scored(a=ROWS, b=other))
    assert [(one.name, one.run, one.right) for one in found.baselines] == [
        ("accept all", "a", 5), ("accept half", "a", 5), ("accept all", "b", 6), ("accept half", "b", 6),
    ]  # fmt: skip
    assert [row[0] for row in listing(scored(a=ROWS, b=other)).rows()[1]] == [
        "a", "accept all (a)", "accept half (a)", "b", "accept all (b)", "accept half (b)",
    ]  # fmt: skip
    assert [row[0] for row in listing(scored(a=ROWS, b=ROWS)).rows()[1]] == ["a", "b", "accept all", "accept half"]


def test_nothing_to_validate() -> None:
    assert validation(scored(a=["q1,correct,,.5", "q2,unanswered,,"])) is None
    assert listing(scored(a=["q1,correct,,.5", "q2,unanswered,,"])) is None
