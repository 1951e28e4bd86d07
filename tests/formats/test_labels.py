"""People's verdicts on some questions."""

from __future__ import annotations

import pytest

from assay.errors import AssayError
from assay.formats.labels import Label, has_both, read_both, read_labels
from assay.formats.outcome_words import Words
from assay.formats.sources import Source


def source(text: str, name: str = "labels.csv") -> Source:
    return Source(name, data=text.encode())


def test_a_table_and_its_words() -> None:
    found = read_labels(
        source("run,id,human,annotator\na,q1,correct,ann\na,q2,,ann\nb,q1,0.5,bob\na,q3,wrong,\n"), Words()
    )
    assert found == [Label(2, "a", "q1", "ann", 1.0), Label(4, "b", "q1", "bob", 0.5), Label(5, "a", "q3", "", 0.0)]


def test_json_lines() -> None:
    found = read_labels(source('{"id": "q1", "human": true}\n{"id": "q2", "human": 0}\n', "labels.jsonl"), Words())
    assert [(one.question, one.verdict) for one in found] == [("q1", 1.0), ("q2", 0.0)]


def test_a_table_of_both() -> None:
    both = source("id,judge,human\nq1,1,0\nq2,unanswered,\n", "judge.csv")
    assert has_both(both)
    judged, labels = read_both(both, Words())
    assert [one.verdict for one in judged] == [1.0, None]
    assert [(one.question, one.verdict) for one in labels] == [("q1", 0.0)]
    assert not has_both(source("id,human\nq1,1\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,human\nq1,1\nq2,maybe\n", "labels.csv:3: outcome 'maybe' is not known; expected correct"),
        ("id,human\nq1,2\n", "labels.csv:2: outcome '2' is not known; expected a score from 0 to 1"),
        ("id,human\nq1,1,x\n", "labels.csv:2: expected 2 cells, as the header has, found 3"),
        ("id,human\n,1\n", "labels.csv:2: expected a question, one of id, question_id"),
        ("id,said\nq1,1\n", "labels.csv:2: no column for people's verdict among id, said"),
        ("id,human\nq1,error\n", "labels.csv:2: expected a verdict, found 'error'"),
        ("id,human\nq1,\n", "labels.csv: holds no labels"),
    ],
)
def test_what_is_no_label(text, message) -> None:
    with pytest.raises(AssayError) as problem:
        read_labels(source(text), Words())
    assert message in str(problem.value)


def test_a_judge_must_have_said_something() -> None:
    with pytest.raises(AssayError, match=r"judge.csv:3: expected the judge's verdict in a column judge or machine"):
        read_both(source("id,judge,human\nq1,1,1\nq2,,1\n", "judge.csv"), Words())
