"""Zip archives: members of three methods are read, the last of a name counts, and damage is told with the member's name."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_logs import DEFLATE, STORED, ZSTD, Member, archive

from assay.errors import AssayError, FormatError, InputError
from assay.io import unpacking_limits
from assay.io.archives import Archive
from assay.io.sources import Source

TEXT = b"It was a dark and stormy night. " * 40


def opened(content: bytes) -> Archive:
    return Archive(Source("logs/a.eval", data=content))


@pytest.mark.parametrize("method", [STORED, DEFLATE, ZSTD])
@pytest.mark.parametrize("content", [b"", b"x", TEXT])
def test_members_are_read_as_they_were_packed(method, content) -> None:
    assert opened(archive([Member("a", b"other"), Member("b", content, method)])).read("b") == content


@pytest.mark.parametrize("frames", [2, 3, 50])
def test_several_zstd_frames_are_one_member(frames) -> None:
    assert opened(archive([Member("a", TEXT, frames=frames)])).read("a") == TEXT


def test_archives_of_pythons_own_writer() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as theirs:
        theirs.writestr("samples/geo/France 1_epoch_1.json", TEXT)
        with theirs.open("large", "w", force_zip64=True) as member:
            member.write(TEXT)
    found = opened(out.getvalue())
    assert found.names() == ["samples/geo/France 1_epoch_1.json", "large"]
    assert found.read("large") == found.read("samples/geo/France 1_epoch_1.json") == TEXT


def test_archives_as_pythons_own_reader_sees_them(monkeypatch) -> None:
    """Every way its writer has: large ones, with a comment, behind something else, names in all letters."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
    for before, comment in ((b"", b""), (b"#!/bin/sh\n", b"PK and so on" * 9)):
        out = BytesIO(before)
        with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as theirs:
            theirs.comment = comment
            for at in range(5):
                theirs.writestr(f"ünïcode {at}", TEXT * at)
            theirs.write(__file__, "a file")
        found = opened(out.getvalue())
        with zipfile.ZipFile(out) as theirs:
            assert found.names() == theirs.namelist()
            assert all(found.read(name) == theirs.read(name) for name in theirs.namelist())


def test_more_members_than_16_bits_count() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as theirs:
        for at in range(66_000):
            theirs.writestr(str(at), b"x")
    assert len(opened(out.getvalue()).names()) == 66_000


def test_sizes_that_nobody_has() -> None:
    at = WHOLE.index(b"PK\x01\x02")
    damaged = WHOLE[: at + 20] + b"\xfe\xff\xff\xff" + WHOLE[at + 24 :]
    with pytest.raises(FormatError, match="member a: ends too early"):
        opened(damaged).read("a")
    end = WHOLE.index(b"PK\x05\x06")
    far = b"PK\x06\x07" + bytes(4) + b"\xff" * 8 + bytes(4)
    with pytest.raises(InputError, match="is no whole zip archive"):
        opened(WHOLE[:end] + far + WHOLE[end:])


def test_of_several_members_with_one_name_the_last_counts() -> None:
    found = opened(archive([Member("a", b"first"), Member("b", b"b"), Member("a", b"last")]))
    assert (found.names(), found.read("a")) == (["a", "b"], b"last")


def test_a_file_is_let_go_of_and_taken_up_again(tmp_path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(archive([Member("a", TEXT)]))
    with Archive(Source(str(path), path=str(path))) as found:
        assert found.read("a") == TEXT
    assert found.read("a") == TEXT
    found.close()


def test_an_archive_that_is_packed_itself(tmp_path) -> None:
    import gzip

    path = tmp_path / "a.eval.gz"
    path.write_bytes(gzip.compress(archive([Member("a", TEXT)])))
    assert Archive(Source(str(path), path=str(path))).read("a") == TEXT


WHOLE = archive([Member("a", TEXT), Member("b", TEXT)])


@pytest.mark.parametrize("size", [0, 4, 30, 100, len(WHOLE) // 2, len(WHOLE) - 30, len(WHOLE) - 1])
def test_a_truncated_archive(size) -> None:
    with pytest.raises(InputError, match=r"^logs/a\.eval: is no whole zip archive .* was it cut off"):
        opened(WHOLE[:size])


@pytest.mark.parametrize(
    ("member", "problem"),
    [
        (Member("m", TEXT, crc=1), r"is damaged: its checksum \(CRC-32\)"),
        (Member("m", TEXT, DEFLATE, crc=1), r"is damaged: its checksum \(CRC-32\)"),
        (Member("m", TEXT, STORED, crc=1), r"is damaged: its checksum \(CRC-32\)"),
        (Member("m", TEXT, flags=1), "is encrypted"),
        (Member("m", TEXT, 99), r"is packed by method 99; stored \(0\), deflate \(8\) and zstd \(93\) are read"),
        (Member("m", TEXT, 12), "is packed by method 12; "),
        (Member("m", TEXT, DEFLATE, packed=b"\xff\xff\xff"), "the deflate data is damaged"),
        (Member("m", TEXT, packed=b"\xff\xff\xff"), "the zstd data is damaged"),
        (Member("m", TEXT, size=len(TEXT) - 1), "unpacks to more bytes than the 1,279"),
        (Member("m", TEXT, DEFLATE, size=len(TEXT) + 1), "unpacks to fewer bytes than the 1,281"),
        (Member("m", TEXT, STORED, size=9), "unpacks to more bytes than the 9 "),
        (Member("m", TEXT, size=300 << 20), "as no text does; unpack it first, or allow more"),
    ],
)
def test_a_damaged_member_is_named(member, problem) -> None:
    with pytest.raises(InputError, match=rf"^logs/a\.eval: member m: .*{problem}"):
        opened(archive([Member("good", b"x"), member])).read("m")


def test_a_member_cut_short() -> None:
    import zstandard

    half = zstandard.compress(TEXT)[:-9]
    with pytest.raises(FormatError, match="member m: "):
        opened(archive([Member("m", TEXT, packed=half)])).read("m")


def test_a_bomb_is_not_unpacked() -> None:
    import zstandard

    zeros = zstandard.compress(bytes(300 << 20))
    with pytest.raises(InputError, match=r"member m: .* unpack to more than 256 MiB, as no text does"):
        opened(archive([Member("m", b"", packed=zeros, size=300 << 20)])).read("m")
    with pytest.raises(InputError, match="unpacks to more bytes than the 10 "):
        opened(archive([Member("m", b"", packed=zeros, size=10)])).read("m")


def test_who_looks_again_and_again_is_not_taken_for_a_bomb() -> None:
    """Red before: a server that opened many samples, one after the other, was refused in the end."""
    unpacking_limits.allow(1500)
    try:
        found = opened(archive([Member("m", TEXT)]))
        for _ in range(5):
            with found as again:
                assert again.read("m") == TEXT
    finally:
        unpacking_limits.allow(None)


def test_what_may_be_unpacked_is_a_setting() -> None:
    content = archive([Member("m", TEXT), Member("n", TEXT)])
    unpacking_limits.allow(1500)
    try:
        found = opened(content)
        assert found.read("m") == TEXT
        with pytest.raises(InputError, match=r"^logs/a.eval: unpacks to more than 1.465 KiB"):
            found.read("n")
        unpacking_limits.allow(1000)
        with pytest.raises(InputError, match=r"member m: unpacks to more than 1000 bytes"):
            opened(content).read("m")
    finally:
        unpacking_limits.allow(None)


def test_a_member_that_does_not_begin_where_the_archive_says() -> None:
    with pytest.raises(FormatError, match="member a: does not begin where the archive says"):
        opened(WHOLE.replace(b"PK\x03\x04", b"XX\x03\x04", 1)).read("a")


SEED = archive([Member("a", TEXT[:64]), Member("b", TEXT[:64], DEFLATE), Member("c", b"x", STORED)])


@given(st.integers(0, len(SEED) - 1), st.binary(min_size=1, max_size=4), st.integers(0, len(SEED)))
def test_no_bytes_bring_anything_but_our_errors(at, other, end) -> None:
    for content in (SEED[:at] + other + SEED[at + len(other) :], SEED[:at] + other + SEED[at:], SEED[:end]):
        with suppress(AssayError):
            found = opened(content)
            for name in found.names():
                with suppress(AssayError):
                    found.read(name)
