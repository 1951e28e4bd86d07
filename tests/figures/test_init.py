"""Every task has its figures, and they name measures there are; two tables that any scores have."""

from __future__ import annotations

import pytest

import assay
from assay.figures import FIGURES, by_field, rankings, task_figures
from assay.scoring.evaluate import chosen
from assay.tasks import TASKS, get


@pytest.mark.parametrize("task", [name for name in TASKS if name in FIGURES])
def test_every_task_has_its_figures(task: str):
    declared = task_figures(get(task))
    assert callable(declared.figures)
    assert isinstance(declared.measures, tuple)
    assert isinstance(declared.columns, tuple)
    known = {measure.name for measure in chosen(declared.measures, get(task))} if declared.measures else set()
    assert known == set(declared.measures)


@pytest.fixture
def scores():
    """x is right on three questions of four, y on one; questions alternate between two types."""
    gold = "".join(f'{{"id": "q{i}", "type": "{"ab"[i % 2]}", "answers": ["x"]}}\n' for i in range(4)).encode()
    runs = {"x": "xxxn", "y": "nxnn"}
    given = {run: {f"q{i}": answer for i, answer in enumerate(text)} for run, text in runs.items()}
    return assay.evaluate(gold, given, ["accuracy", "questions"], task="outcomes")


def test_a_row_per_value_of_a_field_and_one_for_all(scores) -> None:
    listing = by_field(scores, "type")
    header, rows = listing.rows()
    assert header == ["run", "type", "questions", "accuracy"]
    assert rows[:3] == [["x", "a", 2, 1.0], ["x", "b", 2, 0.5], ["x", "total", 4, 0.75]]
    assert listing.to_dict()["field"] == "type"
    assert repr(listing).splitlines()[3].split() == ["x", "total", "4", "0.7500"]
    with pytest.raises(assay.UsageError, match="the gold has no field 'colour'; it has type"):
        by_field(scores, "colour")


def test_a_program_gets_a_name_for_each_column(scores) -> None:
    listing = rankings(scores)
    assert listing.rows() == (["run", "accuracy", "accuracy_rank"], [["x", 0.75, "1"], ["y", 0.25, "2"]])
    assert repr(listing).splitlines()[0].split() == ["run", "accuracy", "rank"]
    assert "<table" in listing._repr_html_()
    assert listing.to_dict() == {"accuracy": {"x": "1", "y": "2"}}
