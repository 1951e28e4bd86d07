"""Pilots: what a judge and people said, from tables, lists and runs."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.planning.label_pilots import of_lists, of_table, of_topics
from assay.errors import FormatError, InputError, UsageError

TABLE = b"id,run,judge,human\nq1,a,1,1\nq2,a,0,1\nq3,a,1,\nq1,b,0,0\nq2,b,1,1\nq3,b,1,0\n"


def test_a_table_of_two_runs_has_their_difference() -> None:
    a, b, both = of_table(TABLE)
    assert (a.name, b.name, both.name, both.pair) == ("a", "b", "a - b", ("a", "b"))
    assert (a.human.tolist(), a.judge.tolist(), a.questions) == ([1, 1], [1, 0], 3)
    # q3 is labelled for b alone; q1 and q2: 1 - 0 and 1 - 1 by people, 1 - 0 and 0 - 1 by the judge.
    assert (both.human.tolist(), both.judge.tolist(), both.questions) == ([1, 0], [1, -1], 3)
    assert a.binary
    assert not both.binary


@pytest.mark.parametrize(
    "table",
    [
        b"judge,human\n1,1\n0,0\n1,\n",
        b"verdict\tlabel\ncorrect\tright\nwrong\tincorrect\n1.0\t\n",
        b'{"judge": 1, "human": true}\n{"judge": false, "human": 0}\n{"judge": 1, "human": null}\n',
    ],
)
def test_tables_in_other_words(table) -> None:
    (found,) = of_table(table)
    assert (found.name, found.human.tolist(), found.judge.tolist(), found.questions) == ("mean", [1, 0], [1, 0], 3)


@pytest.mark.parametrize(
    ("table", "line", "told"),
    [
        (b"id,judge\nq1,1\n", 2, "no column 'human' among id, judge"),
        (b"run,judge,human\na,1,1\n", 2, "a column for the run and none for the question"),
        (b"id,judge,human\nq1,1,1\nq1,0,1\n", 3, "question 'q1' is already on line 2"),
        (b"id,judge,human\nq1,1,1\nq2,,1\n", 3, "question 'q2': the judge has no verdict"),
        (b"id,judge,human\nq1,1,7\n", 2, "expected a score from 0 to 1"),
        (b"id,judge,human\nq1,1,perhaps\n", 2, "outcome 'perhaps' is not known"),
        (b"id,judge,human\nq1,1\n", 2, "expected 3 cells"),
        (b'{"id": 1, "human": 1}\n', 1, "no column 'judge' among id, human"),
        (b"id,judge,human\n", None, "holds no verdicts"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_line(table, line, told) -> None:
    with pytest.raises(FormatError, match=told) as caught:
        of_table(table)
    assert caught.value.line == line


def test_unanswered_questions_need_no_label() -> None:
    """Red before: an unanswered question was planned as one that the judge calls wrong."""
    (found,) = of_table(b"id,judge,human\nq1,1,1\nq2,unanswered,\nq3,0,0\nq4,1,\n")
    assert (found.human.tolist(), found.judge.tolist(), found.questions) == ([1, 0], [1, 0], 3)


def test_several_people_are_their_mean() -> None:
    (found,) = of_table(b"id,judge,human,annotator\nq1,1,1,ann\nq1,1,0,bob\nq2,0,0,ann\n")
    assert (found.human.tolist(), found.judge.tolist(), found.questions) == ([0.5, 0], [1, 0], 2)


def test_lists() -> None:
    (found,) = of_lists([0.5, 0.25, 1], [1, None, 0])
    assert (found.human.tolist(), found.judge.tolist(), found.questions, found.binary) == ([1, 0], [0.5, 1], 3, False)
    with pytest.raises(InputError, match="for each of 2 questions, found 1"):
        of_lists([1, 0], [1])
    with pytest.raises(InputError, match="from 0 to 1"):
        of_lists([1, 5], [1, None])


HUMAN = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 1}}
MACHINE = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}, "3": {"a": 0, "b": 1}, "4": {"a": 0, "b": 0}}
RUNS = {
    "one": {topic: {"a": 2.0, "b": 1.0} for topic in "1234"},
    "two": {topic: {"a": 1.0, "b": 2.0} for topic in "1234"},
}


def test_topics_under_two_gold_standards() -> None:
    """Run one has a before b: AP 1, 1/2 by people on topics 1 and 2, and 1, 1 by the judge; topic 4 has nothing relevant."""
    one, _, both = of_topics(MACHINE, HUMAN, RUNS, "AP")
    assert (one.human.tolist(), one.judge.tolist(), one.questions, one.noun) == ([1, 0.5], [1, 1], 3, "topic")
    assert both.human.tolist() == [0.5, -0.5]
    np.testing.assert_array_equal(both.judge, [0.5, 0.5])


def test_topics_that_nobody_shares_and_measures_that_are_no_means() -> None:
    with pytest.raises(InputError, match="people judged no topic that the judge did: people 9, the judge 1"):
        of_topics(MACHINE, {"9": {"a": 1}}, {run: {**of, "9": {"a": 1.0}} for run, of in RUNS.items()}, "AP")
    with pytest.raises(UsageError, match="is no mean over topics"):
        of_topics(MACHINE, HUMAN, RUNS, "NumRet")
