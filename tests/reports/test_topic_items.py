"""The items of a report with texts from files: what is found, what is not, and what is said of it."""

from __future__ import annotations

import gzip

import pytest

import assay
from assay.errors import InputError
from assay.reports.topic_items import ReportItems

QRELS = {topic: {"a": 1} for topic in ("1", "2")}
RUN = {topic: {"a": 3.0, "b": 2.0} for topic in QRELS}


def table():
    return assay.evaluate(QRELS, {"r": RUN})


def gathered(scores, topics, docs, warnings):
    return ReportItems(scores, topics, docs, warnings).of(scores.topics, scores.runs)


def test_texts_from_files_of_any_kind(tmp_path) -> None:
    (tmp_path / "topics.tsv").write_text("1\tAnts?\n2\tBees?\n")
    (tmp_path / "docs.jsonl.gz").write_bytes(
        gzip.compress(b'{"id": "a", "text": "Ants"}\n{"id": "b", "text": "Bees"}\n')
    )
    warnings: list[str] = []
    one, two = gathered(table(), str(tmp_path / "topics.tsv"), tmp_path / "docs.jsonl.gz", warnings)
    assert (one.text, two.text) == ("Ants?", "Bees?")
    assert [entry.detail for entry in one.entries[0]] == ["Ants", "Bees"]
    assert warnings == []


def test_texts_from_dicts() -> None:
    warnings: list[str] = []
    one, two = gathered(table(), {1: "Ants?"}, {"a": "Ants"}, warnings)
    assert (one.text, two.text, one.entries[0][0].detail) == ("Ants?", None, "Ants")
    assert warnings == [
        "the texts: has no text for 1 topics, such as '2'",
        "the texts: has no text for 1 documents that are shown",
    ]


def test_texts_of_something_else_are_an_error() -> None:
    with pytest.raises(
        InputError, match="has no topic of these runs: its ids are like '9', those of the runs like '1'"
    ):
        gathered(table(), {"9": "Wasps?"}, None, [])
    with pytest.raises(InputError, match="has none of the 2 documents that are shown"):
        gathered(table(), None, {"z": "Wasps"}, [])


def test_documents_of_runs_that_return_none() -> None:
    warnings: list[str] = []
    gathered(assay.evaluate({"q1": "Paris"}, {"r": {"q1": "Paris"}}), None, {"a": "Ants"}, warnings)
    assert warnings == ["the texts: is ignored: these runs returned no documents"]


def test_a_report_has_them() -> None:
    report = assay.report(table(), topics={"1": "Ants?", "2": "Bees?"}, trials=0)
    assert [one.text for one in report.document.items.of(["2", "1"], ["r"])] == ["Bees?", "Ants?"]
