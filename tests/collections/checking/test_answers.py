"""Answers in every format: each line that cannot be read is told, in the words of the reader that an evaluation uses."""

from __future__ import annotations

import json

import pytest
from reader_examples import EXAMPLES

from assay.collections.checking import answers
from assay.collections.checking.check import check_file
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.findings import KINDS, File
from assay.collections.checking.rules import read_rules
from assay.formats.recognition import readers
from assay.io.sources import Source


def checked(data: object, rules: dict | None = None, **wanted: object) -> File:
    return check_file(Source("a", data=data), Expectations(read_rules(rules), **wanted))


def told(file: File) -> list[tuple]:
    return [(f.level, f.kind, f.count, f.lines) for f in file.findings]


BROKEN = b"""{"id": "q1", "answer": "Paris", "confidence": 0.9}
{"answer": "Rome", "confidence": 0.9}

{"id": "q2", "answer": "Rome", "confidence": 70}
{"id": "q3", "answer": "Rome", "confidence": 90}
{"id": "q1", "answer": "Oslo"}
{"id": "q4"
{"id": "q5", "confidence": 0.9}
"""


def test_every_line_of_answers() -> None:
    file = checked(BROKEN)
    assert told(file) == [
        ("error", "id", 1, [2]),
        ("error", "confidence", 2, [4, 5]),
        ("error", "duplicate", 1, [6]),
        ("error", "fields", 1, [7]),
        ("error", "reader", 1, [8]),
    ]
    assert (file.format, file.lines) == ("answers", 7)
    found = file.findings[1]
    assert (found.found, found.expected) == ("confidence 70.0", "a number from 0 to 1")
    assert found.mend == "divide percentages by 100"


def test_a_question_whose_line_cannot_be_read_is_not_missing() -> None:
    kinds = [finding.kind for finding in checked(BROKEN, topics=["q1", "q2", "q3", "q5"]).findings]
    assert "missing-topic" not in kinds
    assert "unknown-topic" not in kinds
    assert checked(b"1 0.5\n2 8.1\n3 0.2\n", {"numbered_from": 1}).count("error") == 1


def test_a_file_in_order_of_every_format_of_runs_and_logs() -> None:
    """The examples of the readers' own tests have nothing that is wrong."""
    names = {reader.name for reader in readers() if reader.role in ("run", "log") and reader.name in EXAMPLES}
    assert len(names) >= 15
    for name in sorted(names):
        file = checked(EXAMPLES[name].encode(), {"format": "sets"} if name == "sets" else None)
        assert [finding.as_dict() for finding in file.findings if finding.level == "error"] == [], name


def test_tables_are_read_below_their_header() -> None:
    data = b"id,outcome,confidence\nq1,correct,0.5\nq2,maybe,0.5\nq3,correct\nq4,correct,7\nq1,correct,0.1\n"
    assert told(checked(data)) == [
        ("error", "reader", 1, [3]),
        ("error", "fields", 1, [4]),
        ("error", "confidence", 1, [5]),
        ("error", "duplicate", 1, [6]),
    ]
    assert told(checked(b"name,outcome\na,correct\nb,correct\n")) == [("error", "id", 1, [1])]


def test_pan() -> None:
    assert told(checked(b"p1 0.5\np2 Y\np3 0.2 0.3\np1 0.4\n")) == [
        ("error", "fields", 1, [3]),
        ("error", "duplicate", 1, [4]),
    ]
    file = checked(b'{"id": "p1", "value": [0.5]}\n{"id": "p2", "value": 0.1}\n')
    assert [(finding.kind, finding.found[:18]) for finding in file.findings] == [("remark", "1 values are lists")]


def test_what_cannot_be_taken_apart_says_its_first_fault() -> None:
    assert told(checked(b'{"q1": "a", "q2"')) == [("error", "fields", 1, [1])]
    assert told(checked(b'[{"id": "q1", "answer": "x"}, {"id": "q2"'))[0][:2] == ("error", "fields")


def test_a_fault_between_lines_that_are_each_in_order() -> None:
    data = b'{"id": "1", "run": "a", "answer": "x"}\n{"id": "2", "answer": "x"}\n'
    assert told(checked(data)) == [("error", "reader", 1, [2])]


def test_every_member_of_an_array() -> None:
    data = b"""[
      {"id": "q1", "answer": "x", "confidence": 70},
      {"answer": "x"}, {"id": "q2", "answer": "x"},
      {"id": "q1",
       "answer": "x"},
      {"id": "q3", "answer": "x", "confidence": 80}, 7]"""
    assert told(checked(data)) == [
        ("error", "confidence", 2, [2, 6]),
        ("error", "id", 1, [3]),
        ("error", "duplicate", 1, [4]),
        ("error", "fields", 1, [6]),
    ]


def test_every_prediction_of_squad() -> None:
    data = b'{"q1": "a",\n "q2": 7,\n "q1": "c",\n "q3": null,\n "q4": ""}'
    file = checked(data, topics=["q1", "q2", "q3", "q4", "q5"])
    assert told(file) == [
        ("error", "reader", 2, [2, 4]),
        ("error", "duplicate", 1, [3]),
        ("warning", "missing-topic", 1, []),
    ]
    assert file.format == "squad-predictions"


def test_every_probability_of_no_answer() -> None:
    data = b'{"q1": 0.1,\n "q2": 7,\n "q3": 0.2,\n "q1": 0.3,\n "q4": "0.5",\n "q5": -1}'
    file = checked(data)
    assert file.format == "squad-na-prob"
    assert told(file) == [
        ("error", "confidence", 1, [2]),
        ("error", "duplicate", 1, [4]),
        ("error", "confidence", 1, [6]),
    ]
    assert told(checked(b'{"q1": 0.1, "q2": 0.9}')) == []


def test_tables_whose_columns_are_named() -> None:
    data = b"llm,question,said,right\nm,q1,a,correct\nm,q2,b,maybe\nm,q1,c,correct\nm,q4,d,perhaps\n"
    assert told(checked(data))[0][:2] == ("error", "id")
    columns = {"run": "llm", "id": "question", "answer": "said", "outcome": "right"}
    assert told(checked(data, columns=columns)) == [
        ("error", "reader", 2, [3, 5]),
        ("error", "duplicate", 1, [4]),
    ]


def test_a_cell_of_several_lines_is_no_fault() -> None:
    data = b'id,answer,confidence\nq1,"one\ntwo",0.5\nq2,x,7\nq3,"three\nfour",9\n'
    assert told(checked(data)) == [("error", "confidence", 2, [4, 6])]


def test_tables_with_broken_quotes() -> None:
    data = b'id,answer,confidence\nq1,x,7\nq2,"y" z,0.5\nq3,x,9\n'
    assert told(checked(data)) == [("error", "confidence", 2, [2, 4]), ("error", "fields", 1, [3])]


def test_every_row_of_a_data_frame_and_of_parquet(tmp_path) -> None:
    table = pytest.importorskip("pyarrow").table(
        {"id": ["1", "2", "1", "4"], "outcome": ["no", "correct", "correct", "?"]}
    )
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "a.parquet")
    found = [("error", "reader", 2, [2, 5])]
    assert told(checked((tmp_path / "a.parquet").read_bytes())) == [*found, ("error", "duplicate", 1, [4])]
    assert told(checked(table)) == [*found, ("error", "duplicate", 1, [4])]


def test_every_report_of_argue() -> None:
    lines = EXAMPLES["argue-scores"].splitlines()
    second = [line.replace("r\t1\t", "r\t2\t") for line in lines[1:]]
    third = [line.replace("r\t1\t", "r\t3\t") for line in lines[1:-1]]
    second[0] = second[0].replace("2.0", "many")
    data = "\n".join([*lines, *second, "r\t9", *third[1:]])
    found = told(checked(data.encode()))
    assert [(kind, count, at) for _, kind, count, at in found][:2] == [
        ("reader", 1, [len(lines) + 1]),
        ("fields", 1, [len(lines) + len(second) + 1]),
    ]
    assert len(found) == 3


def test_argue_averages_are_ignored_beside_a_faulty_report() -> None:
    """An average over `all` reports need not have every metric, and never hides or adds an error."""
    header, *rows = EXAMPLES["argue-scores"].splitlines()
    faulty = [rows[0].replace("2.0", "many"), *rows[1:]]
    averages = [row.replace("r\t1\t", "r\tall\t") for row in rows[:2]]
    assert told(checked("\n".join([header, *faulty, *averages]).encode())) == [("error", "reader", 1, [2])]


def test_every_sample_of_a_log() -> None:
    line = json.loads(EXAMPLES["lm-eval"])
    lines = [{**line, "doc_id": 0}, {**line, "doc_id": "x" * 3, "filtered_resps": 7}, {**line, "doc_id": 2, "doc": 1}]
    file = checked("\n".join(map(json.dumps, lines)).encode())
    assert file.format == "lm-eval"
    assert sorted(line for finding in file.findings for line in finding.lines) == [2, 3]


def test_labels() -> None:
    rules = {"labels": ["TRUE", "FALSE", "HALF-TRUE"]}
    file = checked(b"1\tTRUE\n2\tFALSE\n3\tMAYBE\n2\tTRUE\n4\n", rules)
    assert told(file) == [
        ("error", "label", 1, [3]),
        ("error", "duplicate", 1, [4]),
        ("error", "fields", 1, [5]),
        ("warning", "unused-label", 1, []),
    ]
    assert told(checked(b"1 TRUE\n2 HALF-TRUE\n3 FALSE\n", rules)) == []
    answers = b'{"id": "1", "answer": "TRUE"}\n{"id": "2", "answer": null}\n'
    assert told(checked(answers, {"labels": ["TRUE"]})) == [], "declining is no label"


@pytest.mark.parametrize(
    ("answers", "different", "labels"), [(10, 2, 2), (9, 2, 0), (48, 12, 12), (47, 12, 0), (52, 13, 0), (11, 3, 0)]
)
def test_few_different_answers_are_labels(answers, different, labels) -> None:
    """At least 10 answers, at most 12 different ones, each given 4 times on average."""
    file = checked("".join(f"{i} L{i % different:02}\n" for i in range(answers)).encode(), {"labels": ["L00"]})
    assert file.labels == [f"L{i:02}" for i in range(labels)]


def test_confidences() -> None:
    lines = [{"id": str(i), "answer": "x", "confidence": 0.7} for i in range(10)]
    constant = "\n".join(map(json.dumps, lines)).encode()
    assert told(checked(constant)) == [("warning", "constant-confidence", 1, [])]
    assert told(checked(constant.partition(b"\n")[2])) == [], "nine may agree"
    low = {"confidence": [0.8, 1.0]}
    assert told(checked(constant, low))[0] == ("error", "confidence", 10, [1, 2, 3, 4, 5])


def test_several_runs_and_samples_are_no_repetition() -> None:
    assert told(checked(b'{"id": "1", "run": "a", "answer": "x"}\n{"id": "1", "run": "b", "answer": "x"}\n')) == []
    assert told(checked(b'{"id": "1", "sample": 1, "answer": "x"}\n{"id": "1", "sample": 2, "answer": "x"}\n')) == []


def test_sets() -> None:
    assert told(checked(b"t1 docA\nt1 docB\nt2 docA\n")) == []
    assert told(checked(b"t1 docA\nt1 docB x\nt1 docA\n")) == [("error", "fields", 1, [2])]


@pytest.mark.parametrize("data", [b"\xff\xfe1\x00", b"{", b"[1]", b"PK\x03\x04", b"PAR1", b"a,b\n", b"\x00" * 50])
def test_any_bytes_are_told_and_never_raise(data) -> None:
    file = checked(data)
    assert file.count("error") >= 1
    assert {finding.kind for finding in file.findings} <= set(KINDS)


def test_bytes_that_are_no_utf8_in_any_format_of_lines() -> None:
    file = checked(b"t1 d\xff\nt1 d2\nt\xfe d2\n")
    assert file.format == "sets"
    assert told(file) == [("error", "encoding", 2, [1, 3])]
    assert "0xff" in file.findings[0].found


def test_a_fault_among_many_lines_costs_few_readings(monkeypatch) -> None:
    read: list[int] = []
    monkeypatch.setattr(
        answers, "Source", lambda name, *, data, label: read.append(1) or Source(name, data=data, label=label)
    )
    lines = [b'{"id": "q%d", "answer": "x"}' % number for number in range(5_000)]
    lines[3_000] = b"{broken"
    file = File("a.jsonl")
    file.format = "answers"
    answers.check_answers(Source("a.jsonl", data=b"\n".join(lines)), file, Expectations())
    assert [(finding.kind, finding.lines) for finding in file.findings] == [("fields", [3_001])]
    assert (file.lines, file.topics) == (5_000, 4_999)
    assert len(read) < 60
