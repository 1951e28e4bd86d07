"""People's verdicts on some questions."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.formats.answers.outcome_words import Words
from assay.formats.auxiliary.human_labels import (
    Label,
    grades_of_answers,
    has_both,
    is_verdict_table,
    read_both,
    read_labels,
)
from assay.formats.auxiliary.judges import GradeRecord
from assay.io.sources import Source, source_of


def source(text: str, name: str = "labels.csv") -> Source:
    return Source(name, data=text.encode())


def test_a_table_and_its_words() -> None:
    found = read_labels(
        source("run,id,human,annotator\na,q1,correct,ann\na,q2,,ann\nb,q1,0.5,bob\na,q3,wrong,\n"), Words()
    )
    assert found == [Label(2, "a", "q1", "ann", 1.0), Label(4, "b", "q1", "bob", 0.5), Label(5, "a", "q3", "", 0.0)]


def test_which_of_several_answers_a_label_is_of() -> None:
    found = read_labels(source("id,sample,human\nq1,2,1\nq1,,0\n"), Words())
    assert [(label.sample, label.verdict) for label in found] == [(2, 1.0), (None, 0.0)]
    for cell in ("0", "-1", "two", "1.5"):
        with pytest.raises(AssayError, match=f"labels.csv:2: expected the number of a sample from 1, found '{cell}'"):
            read_labels(source(f"id,sample,human\nq1,{cell},1\n"), Words())


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
        ("id,human\nq1,1,x\n", "labels.csv:2: expected 2 cells as in the header, found 3"),
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
    with pytest.raises(AssayError, match=r"judge.csv:3: question 'q2': the judge has no verdict"):
        read_both(source("id,judge,human\nq1,1,1\nq2,,1\n", "judge.csv"), Words())


def test_a_line_without_id_is_a_question_where_there_is_one_run() -> None:
    judged, labels = read_both(source("judge,human\n1,1\n1,\n", "judge.csv"), Words())
    assert [one.question for one in judged] == ["line 2", "line 3"]
    assert [one.question for one in labels] == ["line 2"]
    with pytest.raises(AssayError, match=r"judge.csv:2: found a column for the run and none for the question"):
        read_both(source("run,judge,human\na,1,1\n", "judge.csv"), Words())


def test_several_people_on_one_question_share_the_judges_verdict() -> None:
    judged, labels = read_both(source("id,judge,human,annotator\nq1,1,1,ann\nq1,1,0,bob\n", "judge.csv"), Words())
    assert [(one.question, one.verdict) for one in judged] == [("q1", 1.0)]
    assert [(one.person, one.verdict) for one in labels] == [("ann", 1.0), ("bob", 0.0)]
    with pytest.raises(AssayError, match=r"judge.csv:3: question 'q1' is already on line 2"):
        read_both(source("id,judge,human,annotator\nq1,1,1,ann\nq1,0,0,bob\n", "judge.csv"), Words())


ROWS = {"id": ["q1", "q2", "q3"], "human": [1.0, None, 0.0]}


def test_verdicts_are_grades_of_answers() -> None:
    text = "id,run,judge,human,annotator\nq1,a,correct,1,ann\nq1,a,TRUE,0,bob\nq1,b,0.5,,\nq2,b,error,wrong,\n"
    assert grades_of_answers(source(text, "t.csv")) == [
        GradeRecord(2, "judge", "q1", "a", "1"), GradeRecord(2, "ann", "q1", "a", "1"), GradeRecord(3, "bob", "q1", "a", "0"),
        GradeRecord(4, "judge", "q1", "b", "0.5"), GradeRecord(5, "human", "q2", "b", "0"),
    ]  # fmt: skip


def test_unanswered_is_a_grade_in_words() -> None:
    found = grades_of_answers(source('{"id": 1, "judge": "N", "human": 1}\n{"id": 2, "judge": 0, "human": null}\n'))
    assert [(record.judge, record.topic, record.document, record.grade) for record in found] == [
        ("judge", "1", "labels", "unanswered"), ("human", "1", "labels", "correct"), ("judge", "2", "labels", "incorrect"),
    ]  # fmt: skip


def test_questions_of_a_cluster_are_one_topic() -> None:
    found = grades_of_answers(source("id,run,judge,human,cluster\nq1,a,4,5,doc1\nq2,a,1,1,\n"))
    assert [(record.topic, record.document) for record in found] == [("doc1", "a/q1")] * 2 + [("q2", "a/q2")] * 2


def test_a_scale_keeps_the_words() -> None:
    text = "id,judge,human\nq1,Good,bad\n"
    assert [record.grade for record in grades_of_answers(source(text), as_written=True)] == ["Good", "bad"]
    with pytest.raises(AssayError, match=r"labels.csv:2: expected a verdict .*, found 'Good'; `scale=` declares"):
        grades_of_answers(source(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,judge,human\nq1,1,0\nq1,1,0\n", "labels.csv:3: question 'q1': judge judged the answer on line 2 already"),
        ("id,judge,human,annotator\nq1,1,0,ann\nq1,0,0,bob\n", "labels.csv:3: question 'q1': judge judged"),
        ("id,judge,human,annotator\nq1,1,0,ann\nq1,1,1,ann\n", "labels.csv:3: question 'q1': ann judged"),
        ("id,judge,human\n,1,0\n", "labels.csv:2: expected a question"),
        ("id,judge,human\nq1,,\n", "holds no verdicts"),
        ("id,judge,human\nq1,nan,0\nq2,1e99,0\n", "labels.csv:3: expected a verdict"),
    ],
)
def test_damaged_verdicts(text, message) -> None:
    with pytest.raises(AssayError, match=message):
        grades_of_answers(source(text))


def test_judgments_of_documents_are_no_verdicts_on_answers() -> None:
    assert is_verdict_table(source('[{"judge": 1, "human": 0}]'))
    assert not is_verdict_table(source("topic,document,judge,label\nq,d,ann,1\n"))
    assert not is_verdict_table(source('{"q1": {"human": 1, "judge": 1}}'))
    assert not is_verdict_table(source_of({"q1": {"d1": 1}}))
    assert not is_verdict_table(source("q1 0 d1 1\n"))


def test_frames_parquet_and_packed_files_are_labels(tmp_path) -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table(ROWS), tmp_path / "labels.parquet")
    (tmp_path / "labels.csv.gz").write_bytes(gzip.compress(b"id,human\nq1,1\nq2,\nq3,0\n"))
    given = [
        Source("<frame>", data=pandas.DataFrame(ROWS)),
        source_of(str(tmp_path / "labels.parquet")),
        source_of(str(tmp_path / "labels.csv.gz")),
    ]
    for one in given:
        assert [(label.question, label.verdict) for label in read_labels(one)] == [("q1", 1.0), ("q3", 0.0)]


WORDS = [
    "id",
    "human",
    "judge",
    "run",
    "annotator",
    "q1",
    "1",
    "0",
    "0.5",
    "nan",
    "-1",
    "2",
    "",
    '"',
    "\x00",
    "é",
    "1e400",
    "none",
]


def outcome(reads, given: Source) -> tuple[Any, str]:
    """What is read, or what is said of it."""
    try:
        return reads(given), ""
    except AssayError as problem:
        return [], str(problem)


@given(
    rows=st.lists(st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=5), max_size=6),
    comma=st.sampled_from([",", "\t", ";"]),
    headed=st.booleans(),
    raw=st.none() | st.binary(max_size=60),
)
def test_whatever_a_file_holds_is_read_or_refused_in_words(rows, comma, headed, raw) -> None:
    """Never a traceback, and no verdict but None and what lies from 0 to 1."""
    lines = [comma.join(row) for row in rows]
    text = "\n".join(([comma.join(["id", "judge", "human"])] if headed else []) + lines)
    for data in (text.encode("utf-8", "replace"), raw or b"", b'{"id": 1, "human": ' + (raw or b"1") + b"}\n"):
        for reads in (read_labels, lambda one: read_both(one, Words())[1], has_both):
            found, told = outcome(reads, Source("labels.csv", data=data))
            assert told.startswith("labels.csv") or not told
            assert found in (True, False) or all(one.verdict is None or 0 <= one.verdict <= 1 for one in found)
