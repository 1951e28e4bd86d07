"""Pieces of files that are read again: plain, compressed, from a pipe, and written over in between."""

from __future__ import annotations

import gzip
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.io.file_pieces import Lines, Pieces, spans
from assay.io.sources import CHUNK, Source

TEXT = b"first\n\nthird line\nthe last has no end"


def of(path, content: bytes) -> Source:
    path.write_bytes(content)
    return Source(path.name, path=str(path))


@pytest.mark.parametrize("packed", [False, True])
def test_lines_in_any_order(tmp_path, packed) -> None:
    lines = Lines(of(tmp_path / "log.jsonl", gzip.compress(TEXT) if packed else TEXT))
    assert [lines[n] for n in (3, 4, 1, 2, 3)] == [b"third line", b"the last has no end", b"first", b"", b"third line"]


@given(content=st.lists(st.binary(max_size=9).map(lambda line: line.replace(b"\n", b"")), min_size=1, max_size=30))
def test_every_line_is_what_reading_all_of_them_gives(tmp_path_factory, content) -> None:
    # A file that begins like a compressed one is one.
    source = of(tmp_path_factory.mktemp("lines") / "log", b"\n".join([b"{", *content]))
    lines = Lines(source)
    assert [lines[number] for number in range(1, len(content) + 2)] == [*Source("again", path=source.path).lines()]


def test_lines_that_lie_across_two_chunks(tmp_path) -> None:
    content = [b"x" * (CHUNK - 2), b"yy", b"", b"z" * CHUNK, b"end"]
    lines = Lines(of(tmp_path / "log", b"\n".join(content)))
    assert [lines[number] for number in range(1, 6)] == content


def test_data_in_memory() -> None:
    lines = Lines(Source("log", data=TEXT))
    assert (lines[3], lines[1]) == (b"third line", b"first")


def test_a_file_that_was_written_over_says_so(tmp_path) -> None:
    source = of(tmp_path / "log", TEXT)
    lines, pieces = Lines(source), Pieces(source)
    assert lines[1] == b"first"
    assert pieces.read((7, 5)) == b"third"
    (tmp_path / "log").write_bytes(TEXT + b"!")
    for read in (lambda: lines[1], lambda: pieces.read((0, 5))):
        with pytest.raises(InputError, match="log: has changed since it was read; read it again"):
            read()
    os.remove(tmp_path / "log")
    with pytest.raises(InputError, match="log: cannot be read: it is no longer there"):
        pieces.read((0, 5))


def test_pieces_of_what_cannot_be_entered_in_the_middle(tmp_path) -> None:
    assert Pieces(of(tmp_path / "log.gz", gzip.compress(TEXT))).read((7, 5)) == b"third"


def test_equal_parts_stand_one_after_the_other() -> None:
    assert [*spans(b"[1, 1, 22, 1]", [b"1", b"1", b"22", b"1"])] == [(1, 1), (4, 1), (7, 2), (11, 1)]
    with pytest.raises(ValueError, match="not found"):
        list(spans(b"[NaN]", [b"null"]))


def test_a_packed_file_that_was_written_over_says_so_further_on_as_well(tmp_path) -> None:
    """Red before: reading went on in the other file."""
    lines = Lines(of(tmp_path / "log.gz", gzip.compress(TEXT)))
    assert lines[1] == b"first"
    (tmp_path / "log.gz").write_bytes(gzip.compress(TEXT.upper() + b"!"))
    with pytest.raises(InputError, match=r"log\.gz: has changed since it was read"):
        lines[3]


@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_order_mark_is_no_part_of_line_1(tmp_path, packed) -> None:
    content = b"\xef\xbb\xbf" + TEXT
    source = of(tmp_path / "log.jsonl", gzip.compress(content) if packed else content)
    lines = Lines(source)
    assert [lines[1], lines[3]] == [b"first", b"third line"]
    assert [*Source("again", path=source.path).lines()] == TEXT.split(b"\n")
    assert b"\n".join(Source("again", path=source.path).raw_lines()) == content
