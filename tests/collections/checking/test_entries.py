"""Answers in whatever a reader makes: whose they are, to which question, on which line."""

from __future__ import annotations

import pytest
from reader_examples import EXAMPLES

from assay.collections.checking.entries import FirstChoices, reader_of
from assay.errors import AssayError, InputError
from assay.io.sources import Source


def entries(name: str, data: bytes) -> list[tuple[str, str, int | None]]:
    found = reader_of(name, {}, None)(Source("file", data=data))
    return [(entry.run, entry.id, entry.line) for entry in found]


def test_both_sides_of_a_battle() -> None:
    assert entries("battles", EXAMPLES["battles"].encode()) == [("x", "q1", 1), ("y", "q1", 1)]


def test_documents_of_sets_and_entries_of_one_object() -> None:
    assert entries("sets", b"R1 d1\nR2 d9\n") == [("file", "R1", 1), ("file", "R2", 2)]
    assert entries("squad-na-prob", b'{"a": 0.5,\n "b": 1}') == [("file", "a", 1), ("file", "b", 2)]
    assert entries("labels", b"a TRUE\n\nb\tnot so\n") == [("file", "a", 1), ("file", "b", 3)]


@pytest.mark.parametrize("name", ["labels", "battles"])
def test_nothing_is_no_answer(name) -> None:
    with pytest.raises(AssayError, match="holds no"):
        entries(name, b"\n")


def test_runs_and_topics_of_nugget_and_citation_files() -> None:
    for name in ("nugget-assignments", "citation-support"):
        assert entries(name, EXAMPLES[name].encode()) == [("r", "1", 1)]
    assert entries("nugget-run", EXAMPLES["nugget-run"].encode()) == [("", "1", 1)]


def test_the_first_is_taken_and_remarked_on() -> None:
    reading, source = FirstChoices(), Source("a.eval", data=b"")
    assert reading.choose("scorer", ["only"], source) == "only"
    assert reading.choose("scorer", ["one", "two"], source, default="two") == "two"
    assert reading.remarks == []
    assert reading.choose("scorer", ["one", "two"], source) == "one"
    assert reading.remarks == ["a.eval: has 2 scorers, one, two; choose one with `scorer=NAME`"]


def test_none_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="has no scorer"):
        FirstChoices().choose("scorer", [], Source("a.eval", data=b""))
