"""Comparisons and intervals within the values of a field."""

from __future__ import annotations

import pytest
from graded_tasks import BOTH, graded

import assay
from assay.analyses.comparison.by_group import compare_by


def test_each_group_is_compared_as_it_would_be_alone():
    scores = graded(BOTH)
    found = assay.compare_by(scores, "task", "accuracy")
    a, b = found.groups
    assert (a.label, a.topics, b.label, b.topics) == ("a", 8, "b", 4)
    alone = assay.compare(scores.restricted(t for t in scores.topics if t.startswith("a")), "accuracy")
    assert a.comparison.to_dict() == alone.to_dict()
    # 7 of 8 questions differ, all one way: of 2⁷ flips 2 are as far out.
    assert a.comparison.pairs[0].p["randomisation"] == pytest.approx(2 / 128)
    assert b.comparison.pairs[0].difference == 0
    assert "each task on its own" in found.notes[0]


def test_a_run_without_results_is_left_out_and_named():
    found = assay.compare_by(graded(BOTH + ";z a en +++-----"), "task")
    b = found.groups[1].comparison
    assert [run.run for run in b.runs] == ["x", "y"]
    assert b.notes == ["z has no results for it and is left out"]
    against = assay.compare_by(graded(BOTH + ";z a en +++-----"), "task", baseline="z")
    assert (against.groups[1].comparison, against.groups[1].why) == (None, "z has no results for it")
    named = assay.compare_by(graded(BOTH + ";z a en +++-----"), "task", pairs=[("x", "z"), ("x", "y")])
    assert [(pair.a, pair.b) for pair in named.groups[1].comparison.pairs] == [("x", "y")]


def test_too_few_questions_are_a_reason_and_no_crash():
    found = assay.compare_by(graded(BOTH + ";x c en +;y c en -"), "task")
    assert found.groups[2].comparison is None
    assert "share one question" in found.groups[2].why
    assert found.notes[1].startswith("c is not compared: ")
    assert found.to_dict()["groups"][2]["comparison"] is None
    assert "Not compared" in repr(found)
    with pytest.raises(assay.InputError, match="no task can be compared on its own"):
        assay.compare_by(graded("x a en +;y a en -;x b en +;y b en -"), "task")


def test_crossed_fields():
    found = assay.compare_by(graded(BOTH + ";x a de ++;y a de --"), ["task", "lang"])
    assert [group.label for group in found.groups] == ["a × de", "a × en", "b × de"]
    header, rows = found.rows()
    assert header[:4] == ["task", "lang", "measure", "a"]
    assert rows[1][:5] == ["a", "en", "accuracy", "y", "x"]
    for wrong, problem in (
        (["task", "task"], "each field may be given once"),
        ("colour", "no field 'colour'"),
        ([], "expected a field"),
    ):
        with pytest.raises(assay.UsageError, match=problem):
            assay.compare_by(graded(BOTH), wrong)


def test_intervals_are_those_of_the_group_alone():
    scores = graded(BOTH)
    found = assay.intervals_by(scores, "task", "accuracy")
    assert set(found) == {("a",), ("b",), ()}
    # 8 of 8: .05^(1/8) to 1.
    assert (found["a",]["x"].low, found["a",]["x"].high) == pytest.approx((0.05 ** (1 / 8), 1.0))
    assert found[()] == assay.run_intervals(scores, "accuracy")


def test_a_group_of_one_question_or_none_has_no_interval():
    scores = graded(BOTH + ";x c en +;y c en -;z a en +++-----")
    found = assay.intervals_by(scores, "task", "accuracy")
    assert (found["c",]["x"], found["b",]["z"]) == (None, None)
    assert found["a",]["z"] is not None


def test_five_groups_that_cannot_be_compared_are_named_and_the_rest_counted():
    """Seven tasks of one question each, which is too few to compare, beside one of four."""
    rows = [(f"t{n}", 1) for n in range(7)] + [("whole", 4)]
    lines = [
        f"{run},{task}-{n},{'correct' if run == 'x' or n else 'incorrect'},{task}"
        for run in "xy"
        for task, count in rows
        for n in range(count)
    ]
    scores = assay.evaluate(None, ("run,id,outcome,task\n" + "\n".join(lines) + "\n").encode(), ["accuracy"])
    notes = " ".join(compare_by(scores, "task", "accuracy").notes)
    assert all(f"t{n}" in notes for n in range(5))
    assert "t5" not in notes
    assert "2 more of 8 groups are not compared" in notes
