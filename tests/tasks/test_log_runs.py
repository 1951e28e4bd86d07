"""From logs to runs: one run per model, one suite of questions."""

from __future__ import annotations

import pytest
from sampled_tables import log_rows

from assay.errors import InputError
from assay.tasks.log_runs import gathered, questions


def test_one_log_of_each_model_stays_as_it_is():
    logs = [log_rows("a", {"q1": "C"}, "x"), log_rows("b", {"q1": "I"}, "x")]
    assert gathered(logs, merge=False) == logs
    assert [q.id for q in questions(logs, logs, {})] == ["q1"]
    assert questions(logs, logs, {})[0].fields == {"task": "x"}


def test_tasks_are_joined_into_a_suite():
    x = log_rows("a", {"q1": "CI", "q2": ["E"]}, "x")
    y = log_rows("a", {"q1": ["P"], "q3": [{"value": "N", "kind": "declined", "usage": {"tokens": 3}}]}, "y")
    [run] = gathered([x, y], merge=False)
    assert run.ids == ["x/q1", "x/q1", "x/q2", "y/q1", "y/q3"]
    assert run.samples == [1, 2, 1, 1, 1]
    assert run.scores == [None, None, None, 0.5, 0.0]
    assert (run.problems, run.kinds) == ({2: "API error"}, {4: "declined"})
    assert run.usage == {"tokens": [None] * 4 + [3]}
    assert run.file == "a.log"
    named = questions([run], [x, y], {("y", "q3"): {"subject": "law"}})
    assert [(q.id, q.fields) for q in named] == [
        ("x/q1", {"task": "x"}), ("x/q2", {"task": "x"}), ("y/q1", {"task": "y"}),
        ("y/q3", {"task": "y", "subject": "law"}),
    ]  # fmt: skip


def test_two_logs_of_a_model_and_task_are_kept_apart():
    one, two = log_rows("a", {"q1": "C"}), log_rows("a", {"q1": "I"})
    assert [run.name for run in gathered([one, two], merge=False)] == ["a#1", "a#2"]
    one.variant, two.variant = "temperature 0", "temperature 1"
    assert [run.name for run in gathered([one, two], merge=False)] == ["a (temperature 0)", "a (temperature 1)"]
    two.variant = one.variant
    assert [run.name for run in gathered([one, two], merge=False)] == ["a#1", "a#2"]


def test_shards_are_merged_where_they_share_no_question():
    one, two, other = log_rows("a", {"q1": "CC"}), log_rows("a", {"q2": "I"}), log_rows("b", {"q1": "C"})
    two.file = "a2.log"
    merged, alone = gathered([one, two, other], merge=True)
    assert (merged.ids, merged.samples, merged.file) == (["q1", "q1", "q2"], [1, 2, 1], "a.log and 1 more")
    assert alone is other
    assert not any("same questions: 1" in said and "0 in common" in said for said in merged.warnings)
    [only] = gathered([one, two], merge=True)
    assert only.warnings == []
    two.ids[0] = "q1"
    with pytest.raises(
        InputError, match=r"a2\.log: question 'q1' of a stands in a\.log too; `merge=True` joins logs that"
    ):
        gathered([one, two], merge=True)


def test_a_model_may_have_more_logs_of_one_task_than_of_another():
    logs = [log_rows("a", {"q1": "C"}, "x"), log_rows("a", {"q1": "I"}, "x"), log_rows("a", {"q1": "C"}, "y")]
    first, second = gathered(logs, merge=False)
    assert (first.name, first.ids) == ("a#1", ["x/q1", "y/q1"])
    assert (second.name, second.ids) == ("a#2", ["x/q1"])
