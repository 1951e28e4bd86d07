"""Ranked runs: each fault alone, all of them together, and what is no fault."""

from __future__ import annotations

import pytest

from assay.collections.checking import runs
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.findings import File
from assay.collections.checking.rules import read_rules
from assay.collections.checking.runs import check_run
from assay.io.sources import Source

GOOD = b"1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n2 Q0 a 1 9 t\n2 Q0 c 2 8.5 t\n"


def checked(data: object, rules: dict | None = None, **wanted: object) -> File:
    file = File("a.run")
    check_run(Source("a.run", data=data), file, Expectations(read_rules(rules), **wanted))
    return file


def told(file: File) -> list[tuple]:
    return [(f.level, f.kind, f.count, f.lines) for f in file.findings]


def test_a_run_in_order() -> None:
    file = checked(GOOD)
    assert told(file) == []
    assert (file.lines, file.topics, file.deepest, file.tags) == (4, 2, 2, ["t"])


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.removesuffix(b"\n"),
        b"# made by hand\n\n" + GOOD,
        GOOD.replace(b" ", b"\t"),
        GOOD.replace(b"Q0 c", "Q0 é,1".encode()),
        GOOD.replace(b" 9 t", b" +9.0e0 t"),
    ],
)
def test_what_is_no_fault(data) -> None:
    assert told(checked(data)) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"8 t\n", b"8\n", ("error", "fields", 1, [2])),
        (b"8 t\n", b"8 t t\n", ("error", "fields", 1, [2])),
        (b"8 t\n", b"nan t\n", ("error", "score", 1, [2])),
        (b"8 t\n", b"-inf t\n", ("error", "score", 1, [2])),
        (b"8 t\n", b"1e999 t\n", ("error", "score", 1, [2])),
        (b"8 t\n", b"1_0 t\n", ("error", "score", 1, [2])),
        (b"Q0 b", b"Q0 a", ("error", "duplicate", 1, [2])),
        (b"8 t\n", b"8 u\n", ("error", "tags", 1, [2])),
        (b"Q0 b", b"Q0 \xff", ("error", "encoding", 1, [2])),
        (b"Q0 b", b"Q0 \0", ("error", "encoding", 1, [2])),
        (b"b 2 8", b"b x 8", ("warning", "rank", 1, [2])),
        (b"b 2 8", b"b 2 9.5", ("warning", "rank-order", 1, [2])),
        (b"b 2 8", b"b 0 8", ("warning", "rank-order", 1, [1])),
    ],
)
def test_one_fault(old, new, expected) -> None:
    assert told(checked(GOOD.replace(old, new, 1))) == [expected]


@pytest.mark.parametrize("python", [False, True], ids=["core", "python"])
def test_a_topic_that_comes_back_is_no_fault_and_remembers_its_documents(python, monkeypatch) -> None:
    if python:
        monkeypatch.setattr(runs, "survey", lambda *_: None)
    assert told(checked(GOOD + b"1 Q0 c 3 7 t\n")) == []
    assert told(checked(GOOD + b"1 Q0 b 3 7 t\n")) == [("error", "duplicate", 1, [5])]
    file = checked(GOOD + b"1 Q0 c 3 7 t\n", {"depth": 2})
    assert told(file) == [("error", "depth", 1, [1])]
    assert file.deepest == 3


def test_all_faults_together_are_all_told() -> None:
    data = b"1 Q0 a 1 9 t\n1 Q0 a 2 9\n1 Q0 b 3 nan t\n1 Q0 a 4 9.5 u\n\xff Q0 d 1 9 t\n"
    kinds = ["fields", "score", "duplicate", "tags", "encoding", "rank-order"]
    assert [finding.kind for finding in checked(data).findings] == kinds


def test_rules_and_collections() -> None:
    assert told(checked(GOOD, {"depth": 1})) == [("error", "depth", 2, [1, 3])]
    assert told(checked(GOOD, {"tag": "[a-z]{3}"})) == [("error", "tag-pattern", 1, [])]
    assert told(checked(GOOD, {"tag": "[a-z]"})) == []
    assert told(checked(GOOD, topics=["1", "3"])) == [
        ("error", "unknown-topic", 2, [3]),
        ("warning", "missing-topic", 1, []),
    ]
    assert told(checked(GOOD, documents=frozenset("ab"))) == [("warning", "unknown-document", 1, [4])]
    assert told(checked(GOOD, documents=frozenset("abc"))) == []


def test_masses_of_ties() -> None:
    three = b"1 Q0 a 1 9 t\n1 Q0 b 2 9 t\n1 Q0 c 3 8 t\n"
    file = checked(three)
    assert told(file) == [("warning", "ties", 2, [1])]
    assert file.findings[0].found.startswith("2 of 3 documents")
    assert told(checked(three, {"ties": 0.7})) == []
    assert told(checked(three + b"2 Q0 a 1 9 t\n")) == [], "one half is no mass"


@pytest.mark.parametrize("data", [b"", b"\n# nothing\n"])
def test_an_empty_run(data) -> None:
    assert told(checked(data)) == [("error", "empty", 1, [])]


def test_runs_of_dicts_and_json() -> None:
    assert told(checked({"1": {"a": 2.0, "b": 1}})) == []
    found = told(checked(b'{"1": {"a": 1, "b": NaN, "c": "x"}, "2": {}}'))
    assert found == [("error", "score", 2, []), ("warning", "missing-topic", 1, [])]
    assert told(checked({"1": ["a"]}))[0] == ("error", "fields", 1, [])
    assert told(checked({}))[0] == ("error", "empty", 1, [])
    assert told(checked({"1": {"a": 0, "b": 0}}, documents=frozenset("a"))) == [
        ("warning", "ties", 2, []),
        ("warning", "unknown-document", 1, []),
    ]
