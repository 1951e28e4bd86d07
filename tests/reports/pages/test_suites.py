"""The pages of suites, fields with many values, and comparisons group by group."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import assay
from assay.reports.pages import suites


def graded(tasks: int, subjects: int, runs: str = "xy") -> assay.Scores:
    """Four questions a task, x right on all, the others on the first two."""
    lines = ["run,id,outcome,task,subject"]
    for run in runs:
        for i in range(4 * tasks):
            right = run == "x" or i % 4 < 2
            lines.append(f"{run},{i:04},{'correct' if right else 'incorrect'},t{i // 4:02},s{i % subjects}")
    return assay.evaluate(None, ("\n".join(lines) + "\n").encode(), ["c@1", "accuracy"])


def test_few_tasks_stand_beside_each_other_and_many_below():
    few = repr(assay.suite(graded(3, 2), intervals=False)).splitlines()
    assert few[1].split() == ["run", "t00", "t01", "t02", "macro", "mean"]
    assert few[3].split() == ["x", *["1.0000"] * 4]
    many = repr(assay.suite(graded(12, 2), intervals=False)).splitlines()
    assert many[1].split() == ["task", "questions", "x", "y"]
    assert many[3].split() == ["macro", "mean", "48", "1.0000", "0.5000"]
    assert many[15].split() == ["t11", "4", "1.0000", "0.5000"]
    edge = assay.suite(graded(9, 2), intervals=False)
    assert repr(edge).splitlines()[1].split() == ["run", *(f"t0{i}" for i in range(9)), "macro", "mean"]
    assert "on 9 tasks (questions: t00 4, t01 4" in " ".join(repr(edge).split())
    assert repr(assay.suite(graded(10, 2), intervals=False)).splitlines()[1].split() == ["task", "questions", "x", "y"]


def test_the_report_of_a_suite():
    made = assay.report(graded(3, 25), trials=0)
    titles = [section.title for section in made.document.sections]
    assert titles[:3] == ["Leaderboard", "Task by task", "Measures"]
    assert made.document.grid_position == 3, "the heat map follows the measures"
    assert titles.count("By subject") == 1, "25 values are a matrix"
    table = made.document.sections[1].blocks[0]
    assert [cell.text for cell in table.rows[1]] == ["y", ".500", ".500", ".500", ".500"]
    assert table.rows[0][0].link == "run-1"
    assert table.rows[0][-1].low is not None, "the macro mean has its interval"
    html = made.to_html()
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_more_runs_than_fit_are_split():
    made = assay.report(graded(10, 2, "xabcdefghi"), trials=0)
    tables = [block for block in made.document.sections[1].blocks if hasattr(block, "columns")]
    assert [len(table.columns) for table in tables] == [2 + 9, 2 + 1]
    assert "10 runs on 10 tasks" in tables[-1].caption


def test_no_suite_no_section():
    scores = graded(1, 2)
    assert assay.report(scores, trials=0).document.sections[0].title == "Leaderboard"


def test_each_group_below_its_name():
    said = repr(assay.compare_by(graded(2, 2), "task"))
    assert [line for line in said.splitlines() if line.endswith(": 4 questions")] == [
        "t00: 4 questions",
        "t01: 4 questions",
    ]
    assert "<table" in assay.compare_by(graded(2, 2), "task")._repr_html_()


def test_groups_of_runs_begin_with_a_note_and_groups_of_topics_do_not():
    traits = {"x": {"size": "large"}, "y": {"size": "large"}, "z": {"size": "small"}}
    scores = graded(2, 2, "xyz").described(lambda run: traits[run])
    of_runs = suites.compared_sections(assay.compare_by(scores, group_by="size"))
    assert [section.title for section in of_runs] == ["", "large: 2 runs", "small: 1 run"]
    of_topics = suites.compared_sections(assay.compare_by(scores, "task"))
    assert [section.title for section in of_topics] == ["t00: 4 questions", "t01: 4 questions"]


@pytest.mark.parametrize(
    ("higher", "values", "best"),
    [
        (True, {"a": 0.2, "b": 0.7}, {"b"}),
        (False, {"a": 0.2, "b": 0.7}, {"a"}),
        (None, {"a": 0.2, "b": 0.7}, set()),
        (True, {"a": 0.2, "b": None}, set()),
        (True, {"a": 0.7, "b": 0.7}, set()),
        (True, {"a": None, "b": None}, set()),
        (True, {"a": 0.2}, set()),
    ],
)
def test_the_best_of_a_row_is_marked_where_there_is_one(higher, values, best):
    matrix, row = SimpleNamespace(higher_is_better=higher), SimpleNamespace(runs=values)
    assert {run for run in values if suites._best(matrix, row, run)} == best


def test_values_of_a_field_that_are_left_out_are_counted(monkeypatch):
    rows = [SimpleNamespace(value=value, questions=3, runs={"a": 0.5}) for value in ("law", "maths")]
    matrix = SimpleNamespace(measure="accuracy", rows=rows, higher_is_better=True)
    campaign = SimpleNamespace(unit="question", method="By hand.")
    for most, notes in ((1, ["1 more values of field are not shown here"]), (2, [])):
        monkeypatch.setattr(suites, "MAX_MATRIX_ROWS", most)
        blocks = suites._matrix("m", "field", matrix, campaign, ["a"]).blocks
        assert [block.body.partition(";")[0] for block in blocks[1:]] == notes
