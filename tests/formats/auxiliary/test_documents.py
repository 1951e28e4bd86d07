"""Texts of documents: only those wanted, only their beginnings, nothing behind the last of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError
from assay.formats.auxiliary.documents import SNIPPET, read_documents, snippet
from assay.io.sources import Source

JSON_LINES = (
    '{"docno": "d1", "title": "Paris", "contents": "The capital\\n of France"}\n'
    '{"_id": 2, "body": "Oslo"}\n{"doc_id": "d3", "title": "Rome"}\n'
)
TSV = "d1\tThe capital\nd2\tOslo\n"


def source(content: str | bytes) -> Source:
    return Source("docs", data=content if isinstance(content, bytes) else content.encode())


def test_names_of_fields_and_titles() -> None:
    assert read_documents(source(JSON_LINES)) == {"d1": "Paris · The capital of France", "2": "Oslo", "d3": "Rome"}


def test_only_what_is_wanted() -> None:
    assert read_documents(source(TSV), {"d2", "d9"}) == {"d2": "Oslo"}
    assert read_documents(source("never\tread"), ()) == {}


def test_nothing_is_read_behind_the_last_that_is_wanted() -> None:
    assert read_documents(source(TSV + "broken"), ["d2"]) == {"d2": "Oslo"}
    with pytest.raises(FormatError, match="broken"):
        read_documents(source(TSV + "broken"), ["d2", "d3"])


def test_a_long_document_is_kept_as_its_beginning() -> None:
    found = read_documents(source("d1\t" + "word " * 100_000))["d1"]
    assert len(found) <= SNIPPET
    assert found.endswith("word …")
    assert snippet(" " * 10_000 + "late") == " …"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no documents"),
        ("d1 text", "expected a JSON object a line"),
        ("d1\tx\nd1\ty", "stands already on line 1"),
        ('{"id": "d1"}', "document 'd1' has no text"),
        ('{"id": "d1", "text": 3}', "text is 3; expected a text"),
        ('{"id": 1.5, "text": "x"}', "id 1.5: expected an id"),
        ("PK\x03\x04", "is no text"),
    ],
)
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(FormatError, match=message):
        read_documents(source(content))


@given(
    which=st.sampled_from([JSON_LINES, TSV]),
    at=st.integers(0, 140),
    put=st.sampled_from([b"", b"\xff", b"\0", b"\t", b"{}", b"null", b"[" * 3000, b'"', b"9" * 5000, b"NaN"]),
    cut=st.integers(0, 9),
)
def test_damaged_files_are_read_or_refused(which, at, put, cut) -> None:
    damaged = which.encode()[:at] + put + which.encode()[at + cut :]
    try:
        found = read_documents(source(damaged))
    except AssayError:
        return
    assert all(isinstance(text, str) for text in found.values())
