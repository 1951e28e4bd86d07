"""Texts of documents: only those wanted, only their beginnings, nothing behind the last of them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError, InputError
from assay.formats.auxiliary.documents import (
    SNIPPET,
    Text,
    find_texts,
    read_documents,
    snippet,
    strip_tags,
    title_and_text,
)
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
        ("d1\tx\nd1\ty", "is already on line 1"),
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


JSONL = (
    b'\xef\xbb\xbf{"_id": "d1", "title": "One", "text": "first\\nline"}\n\n{"docno": "d2", "contents": "second \xc3\xa9"}\r\n'
    b'{"id": 3, "abstract": "third", "url": "https://x.org"}\n'
)
COLUMNS = b"docid\ttext\nd1\tfirst\tcolumn\nd2\tsecond\n3\tthird"
TREC = (
    b"<DOC>\n<DOCNO> d1 </DOCNO>\n<HEADLINE>One</HEADLINE>\n<TEXT>\n<P>first\n</P>caf\xe9</TEXT>\n</DOC>\n"
    b"<doc><docno>d2</docno>second</doc> <DOC><DOCNO>3</DOCNO>\nthird</DOC>\n"
)
FORMS = {
    "jsonl": (
        JSONL,
        {"d1": Text("One", "first\nline"), "d2": Text("", "second é"), "3": Text("", "third", "https://x.org")},
    ),
    "tsv": (COLUMNS, {"d1": Text("", "first\tcolumn"), "d2": Text("", "second"), "3": Text("", "third")}),
    "trec": (TREC, {"d1": Text("One", "first\n\ncafé"), "d2": Text("", "second"), "3": Text("", "third")}),
}
PACKED = {"": lambda data: data, ".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("form", FORMS)
def test_each_wanted_document_is_found_again(tmp_path, form, ending) -> None:
    content, expected = FORMS[form]
    path = tmp_path / f"docs.{form}{ending}"
    path.write_bytes(PACKED[ending](content))
    found = find_texts(str(path), {*expected, "nowhere"})
    assert {one: found.get(one) for one in expected} == expected
    assert found.get("nowhere") is None
    assert (len(found), "d1" in found, "nowhere" in found) == (3, True, False)
    alone = find_texts(str(path), {"d2"})
    assert (alone.get("d2"), alone.get("d1")) == (expected["d2"], None)
    found.close()


def test_bytes_arrays_dicts_and_several_files(tmp_path) -> None:
    assert find_texts(JSONL, {"d1"}).get("d1").title == "One"
    assert find_texts(json.dumps([{"id": "a", "text": "é"}]).encode(), {"a"}).get("a").text == "é"
    assert find_texts({"a": "b"}, {"a"}).get("a") == Text("", "b")
    one, two = tmp_path / "1.tsv", tmp_path / "2.tsv"
    one.write_text("a\tx\n")
    two.write_text("b\ty\n")
    found = find_texts([str(one), str(two)], {"a", "b"})
    assert (found.get("a").text, found.get("b").text) == ("x", "y")


def test_a_folder_of_documents_and_a_folder_of_files_of_them(tmp_path) -> None:
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "docs" / "a.txt").write_text(" plain <b> ")
    (tmp_path / "docs" / "deep" / "b.html").write_text("<title>T</title><p>page</p>")
    (tmp_path / "docs" / "c.v2").write_bytes(b"caf\xe9")
    (tmp_path / "docs" / "d.txt.gz").write_bytes(gzip.compress(b"packed"))
    found = find_texts(str(tmp_path / "docs"), set("abcd") | {"c.v2"})
    assert [found.get(one) for one in ("a", "b", "c.v2", "d")] == [
        Text("", "plain <b>"), Text("T", "page"), Text("", "café"), Text("", "packed"),
    ]  # fmt: skip
    (tmp_path / "collection").mkdir()
    (tmp_path / "collection" / "part1.gz").write_bytes(gzip.compress(TREC))
    (tmp_path / "collection" / "part2.jsonl").write_text('{"id": "z", "text": "last"}\n')
    found = find_texts(str(tmp_path / "collection"), {"d1", "z"})
    assert (found.get("d1").title, found.get("z").text) == ("One", "last")


def test_an_id_is_never_a_path(tmp_path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("a")
    found = find_texts(str(tmp_path / "docs"), {"a", "../secret", str(tmp_path / "secret")})
    assert found.get("../secret") is found.get(str(tmp_path / "secret")) is None


def test_a_file_that_changed_is_noticed(tmp_path) -> None:
    path = tmp_path / "docs.tsv"
    path.write_bytes(COLUMNS)
    found = find_texts(str(path), {"d2"})
    path.write_bytes(b"x" * len(COLUMNS))
    os.utime(path, (1, 1))
    with pytest.raises(InputError, match="has changed since it was read"):
        found.get("d2")
    path.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        found.get("d2")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n', ":2: document 'a' is already on line 1"),
        (b'{"id": "a", "text": 5}\n', ":1: document 'a': text is 5; expected a text"),
        (b'{"text": "x"}\n', ":1: has no id"),
        (b'{"id": "a"\n', ":1: broken JSON"),
        (b"a\tx\nno tab\n", ":2: found 'no tab'"),
        (b"\n<DOC>\n<DOCNO>a</DOCNO>\n", ":2: a <DOC> without </DOC>"),
        (b"<DOC>x</DOC>", ":1: a <DOC> without a <DOCNO>"),
        (b"", "holds no documents"),
        (b"<html></html>", "holds no documents"),
        (b"PK\x03\x04zip", "is no text"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(content, told) -> None:
    with pytest.raises(InputError) as problem:
        find_texts(content, {"a", "other"})
    assert told in str(problem.value)


def test_an_id_that_is_written_with_escapes_is_found_again(tmp_path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(json.dumps({"id": "café", "text": "x"}) + "\n")
    assert "\\u00e9" in path.read_text()
    assert find_texts(str(path), {"café"}).get("café") == Text("", "x")


def test_a_folder_without_files(tmp_path) -> None:
    with pytest.raises(InputError, match="folder without files"):
        find_texts(str(tmp_path), {"a"})


def test_reading_stops_after_the_last_wanted_and_progress_is_reported() -> None:
    told = []
    found = find_texts(b"a\tx\nb\ty\nbroken", {"a", "b"}, lambda done, total: told.append((done, total)))
    assert found.get("b").text == "y"
    assert told == [(1, 2), (2, 2), (2, 2)]


@given(st.sampled_from([JSONL, COLUMNS, TREC]), st.integers(0, 200), st.binary(max_size=8))
def test_any_damage_is_read_or_refused_in_words(content, place, damage) -> None:
    """Whatever is found is found whole: the bytes of a place give the same text again."""
    broken = content[:place] + damage + content[place + len(damage) :]
    try:
        found = find_texts(broken, {"d1", "d2", "3"})
        for one in ("d1", "d2", "3"):
            text = found.get(one)
            assert text is None or isinstance(text.text, str)
    except AssayError:
        pass


def test_two_files_that_could_be_one_document(tmp_path) -> None:
    (tmp_path / "d1.txt").write_text("one")
    (tmp_path / "d1").write_text("whole")
    assert find_texts(str(tmp_path), {"d1", "d2"}).get("d1").text == "whole"
    assert find_texts(str(tmp_path), {"d1.txt"}).get("d1.txt").text == "one"
    (tmp_path / "d1").unlink()
    (tmp_path / "d1.html").write_text("<p>two</p>")
    with pytest.raises(
        InputError, match=r"d1\.txt: is document 'd1', and so is .*d1\.html; expected one file for each"
    ):
        find_texts(str(tmp_path), {"d1", "d2"})


def test_a_pipe_or_a_device_in_a_folder_is_no_document(tmp_path) -> None:
    os.mkfifo(tmp_path / "d1")
    (tmp_path / "d2").symlink_to(os.devnull)
    (tmp_path / "d3").write_text("three")
    found = find_texts(str(tmp_path), {"d1", "d2", "d3"})
    assert (found.get("d1"), found.get("d2"), found.get("d3").text) == (None, None, "three")


def test_a_page() -> None:
    page = "<html><head><title>A &lt;b&gt;\n title</title><style>p {}</style></head><p>One<br>two</p><script>x()</script></html>"
    assert title_and_text(page) == ("A <b> title", "One\n\ntwo")


def test_a_document_without_a_part_for_its_text() -> None:
    assert title_and_text("<DOC><TITLE>T</TITLE>\nline\nline</DOC>") == ("T", "line\nline")
    assert title_and_text("plain, 1 < 2") == ("", "plain, 1 < 2")


@given(st.text(alphabet="<>/pdivTEX&; ab!-", max_size=60))
def test_anything_is_a_text(text) -> None:
    title, body = title_and_text(text)
    assert isinstance(title + body, str)
    assert "\n\n\n" not in strip_tags(text)
