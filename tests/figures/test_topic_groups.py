"""Topics by the values of fields."""

from __future__ import annotations

import assay
from assay.figures import by_field, many_values, matrices
from assay.figures.topic_groups import absent, groups, tasks


def graded(rows: list[str], header: str = "run,id,outcome,task,subject") -> assay.Scores:
    return assay.evaluate(None, "\n".join([header, *rows, ""]).encode(), ["accuracy"])


SUITE = ["x,1,correct,a,s2", "x,2,incorrect,b,s10", "x,3,correct,b,", "y,1,correct,a,s2"]


def test_values_in_their_natural_order_and_none_last():
    found = groups(graded(SUITE), "subject")
    assert [(group.label, group.topics) for group in found] == [("s2", ("1",)), ("s10", ("2",)), ("none", ("3",))]
    crossed = groups(graded(SUITE), ["task", "subject"])
    assert [group.label for group in crossed] == ["a × s2", "b × s10", "b × none"]


def test_numbers_of_thousands_of_digits_are_in_order_too():
    long = "9" * 5000
    found = groups(graded([f"x,1,correct,a,{long}", "x,2,correct,a,10", "x,3,correct,a,9"]), "subject")
    assert [group.label for group in found] == ["9", "10", long]


def test_a_suite_has_several_tasks():
    scores = graded(SUITE)
    assert scores.is_suite
    assert [task.label for task in tasks(scores)] == ["a", "b"]
    assert absent(scores, "y") == {"2", "3"}
    assert absent(scores, "x") == set()
    assert not graded(SUITE[:1]).is_suite
    assert not assay.scores([[1.0]]).is_suite


def test_a_run_without_a_task_has_no_number_there():
    """Red before: y counted as wrong on all of b, which it never saw."""
    found = {(row[0], row[1]): row[2:] for row in by_field(graded(SUITE), "task").rows()[1]}
    assert found["x", "b"] == [2, 0.5]
    assert found["y", "b"] == [0, None]
    listing = by_field(graded(SUITE), ["task", "subject"]).to_dict()
    assert (listing["field"], listing["fields"]) == ("task × subject", ["task", "subject"])
    assert listing["rows"][0]["values"] == {"task": "a", "subject": "s2"}


def test_intervals_stand_beside_their_numbers():
    scores = graded([f"x,{i},{'correct' if i % 2 else 'incorrect'},a,s{i % 3}" for i in range(12)])
    listing = by_field(scores, "subject", {"accuracy": assay.intervals_by(scores, "subject", "accuracy")})
    header, rows = listing.rows()
    assert header[3:] == ["accuracy", "accuracy_low", "accuracy_high"]
    assert all(low < value < high for _, _, _, value, low, high in rows)
    assert listing.titles[3:] == ["accuracy", "95%"]
    assert repr(listing).count("[0.") == 4
    assert listing.to_dict()["rows"][0]["intervals"]["accuracy"]["method"] == "mid-p"


def test_a_matrix_of_57_subjects():
    """Two questions a subject: x has all, y the first."""
    rows = [
        f"{run},{i},{'correct' if run == 'x' or i % 2 else 'incorrect'},a,s{i // 2}" for run in "xy" for i in range(114)
    ]
    scores = graded(rows)
    assert many_values(scores, "subject")
    header, cells = matrices(scores, "subject").rows()
    assert header == ["measure", "subject", "questions", "x", "y"]
    assert len(cells) == 57
    assert cells[10] == ["accuracy", "s10", 2, 1.0, 0.5]
    figures = assay.figures.figures_of(scores)
    assert "subject" not in figures.by
    assert len(figures.matrices["subject"].rows) == 57


def test_a_name_of_each_question_is_no_grouping():
    rows = [f"x,{i},correct,a,s{i}" for i in range(60)]
    assert "subject" not in assay.figures.figures_of(graded(rows)).matrices
