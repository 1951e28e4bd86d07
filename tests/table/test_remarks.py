"""Remarks of several runs are one line, which says how many runs there are and between which numbers their counts lie."""

from __future__ import annotations

import assay
from assay.table.notes import Notes
from assay.table.remarks import Remark, as_remark, join_remarks


def test_up_to_three_runs_are_named_and_more_are_counted() -> None:
    for names, subject in (
        ("a", "a: 3 topics are ignored"),
        ("abc", "a, b, c: 3 topics are ignored"),
        ("abcd", "4 runs (a, b, c and 1 more): 3 topics are ignored"),
        ("abcdefgh", "8 runs: 3 topics are ignored"),
    ):
        assert join_remarks([Remark(name, "{topic} {is} ignored", 3) for name in names], 8) == [subject]


def test_other_things_than_runs_are_counted_by_their_noun() -> None:
    lines = join_remarks([as_remark(f"m{i}: odd", f"m{i}") for i in range(5)], noun="measure")
    assert lines == ["5 measures (m0, m1, m2 and 2 more): odd"]


def test_counts_of_several_runs_are_a_range_and_one_is_singular() -> None:
    text = "{sample} declined, {} refused"
    assert join_remarks([Remark("a", text, 1, 5)]) == ["a: 1 sample declined, 5 refused"]
    assert join_remarks([Remark("a", text, 1, 5), Remark("b", text, 4, 5)]) == [
        "a, b: 1 to 4 samples declined, 5 refused"
    ]


def test_the_details_of_a_line_are_those_of_its_first_run() -> None:
    text = "{question} failed ({detail})"
    same = [Remark("a", text, 1, detail="503"), Remark("b", text, 2, detail="503")]
    assert join_remarks(same) == ["a, b: 1 to 2 questions failed (503)"]
    assert join_remarks([*same, Remark("c", text, 1, detail="429")]) == ["a, b, c: 1 to 2 questions failed (503 …)"]


def test_a_number_that_is_no_count_keeps_lines_apart() -> None:
    lines = [
        as_remark(f"{run}: 2 questions are left out (q{run} … 0.{number})", run) for run, number in (("a", 1), ("b", 2))
    ]
    assert join_remarks(lines) == ["a: 2 questions are left out (qa … 0.1)", "b: 2 questions are left out (qb … 0.2)"]
    assert join_remarks([as_remark("x: 3 odd", "a"), as_remark("x: 3 odd", "b")]) == ["x: 3 odd"], (
        "said of neither a nor b"
    )


def test_a_table_says_each_thing_once() -> None:
    """Topic 3 is without judgments; b lacks topic 2."""
    gold = {"1": {"d": 1}, "2": {"d": 1}}
    both = {"1": {"d": 1.0}, "2": {"d": 1.0}, "3": {"d": 1.0}}
    runs = {name: dict(both) for name in "abcd"}
    del runs["b"]["2"]
    assert assay.evaluate(gold, runs, ["AP"]).remarks() == [
        "4 runs: 1 topic without judgments is ignored",
        "b: 1 of 2 topics missing, counted as 0 (`missing=`)",
    ]


def test_details_are_in_the_json_and_no_remark() -> None:
    notes = Notes(details=["1 value is a list of one number"])
    assert notes.remarks("a", "topic") == []
    assert notes.as_dict() == {"details": ["1 value is a list of one number"]}


def test_a_kind_from_a_file_is_no_place_of_a_count() -> None:
    assert list(map(str, Notes(kinds={"{is}": 2}).remarks("a", "question"))) == ["a: 2 questions {is}"]
