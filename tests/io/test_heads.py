"""What a source begins with: its shape, and the names of its fields."""

from __future__ import annotations

import pytest

from assay.io.heads import head_of_bytes, head_of_object


@pytest.mark.parametrize(
    ("data", "shape", "words", "columns"),
    [
        (b"", "text", [], ()),
        (b"\xef\xbb\xbf\r\n 301 0 d1 1\n", "text", [b"301", b"0", b"d1", b"1"], ()),
        (b"# one, two\n#three\n\n301 0", "text", [b"301", b"0"], ()),
        (b"#only", "text", [], ()),
        (b"run,id,outcome\na,b,c", "table", [b"run,id,outcome"], ("run", "id", "outcome")),
        (b"a\tb, c\n", "table", [b"a", b"b,", b"c"], ("a", "b, c")),
        (b"a,7\n", "text", [b"a,7"], ()),
        (b"a,,b\n", "text", [b"a,,b"], ()),
        (b" \n{}", "json", [], ()),
        (b"[1] 0 d1 1", "text", [b"[1]", b"0", b"d1", b"1"], ()),
        (b"PAR1\x15", "parquet", [], ()),
    ],
)
def test_bytes(data, shape, words, columns) -> None:
    head = head_of_bytes(data)
    assert (head.shape, head.words, head.columns) == (shape, words, columns)


def test_fields_of_the_first_object() -> None:
    assert head_of_bytes(b'{"id": 1, "x": {"same": 2}}\n{"label": 1}').has("id")
    assert not head_of_bytes(b'{"id": 1, "x": {"same": 2}}\n{"label": 1}').has("same", "label")
    assert head_of_bytes(b'{\n "id": 1,\n').has("id"), "not whole on its line: whatever it speaks of"
    assert not head_of_bytes(b'"id" is here').has("id")
    assert head_of_bytes(b'{"a": ' + b"[" * 60_000).record == {}


def test_objects() -> None:
    pandas = pytest.importorskip("pandas")
    assert head_of_object({"a": 1}).values == (1,)
    assert head_of_object(pandas.DataFrame({"a": [1], 2: [3]})).columns == ("a", "2")
    assert head_of_object(7).shape == "object"


def test_the_first_object_of_an_array_is_its_record() -> None:
    head = head_of_bytes(b'[\n  {"id": "q1", "answer": "outcome"},\n  {"gold": 1}\n]')
    assert (head.shape, head.record) == ("array", {"id": "q1", "answer": "outcome"})
    assert head.has("answer")
    assert not head.has("outcome", "gold")
    cut = head_of_bytes(b'[{"id": "q1", "answer": "x')
    assert (cut.record, cut.has("answer"), cut.has("gold")) == ({}, True, False)


def test_the_first_name_of_a_header_may_be_missing() -> None:
    assert head_of_bytes(b",id,gold\n0,q1,A\n").columns == ("", "id", "gold")
    assert head_of_bytes(b"id,,gold\n").shape == head_of_bytes(b",,\n").shape == "text"
