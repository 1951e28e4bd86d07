"""A pipe's pieces a second time: from memory, from a file, and from both where there is no room for more."""

from __future__ import annotations

import errno
import io
import tempfile

import pytest

from assay.io.spooling import Spool

PIECES = [b"abc", b"", b"defg", b"h" * 10, b"i"]


@pytest.mark.parametrize("in_memory", [0, 3, 6, 100])
def test_pieces_come_back_in_order(in_memory) -> None:
    spool = Spool(in_memory)
    for piece in PIECES:
        spool.add(piece)
    assert b"".join(spool) == b"".join(PIECES) == b"".join(spool)
    spool.close()


def test_what_is_in_the_file_is_not_in_memory(monkeypatch) -> None:
    files = []
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: files.append(io.BytesIO()) or files[-1])
    spool = Spool(5)
    for piece in PIECES[:3]:
        spool.add(piece)
    assert [file.getvalue() for file in files] == [b"abcdefg"]
    spool.close()
    assert files[0].closed


class Full(io.BytesIO):
    """A file on a disk with room for five bytes, which takes what fits."""

    def write(self, data) -> int:
        room = 5 - self.tell()
        if room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data[:room])


@pytest.mark.parametrize("in_memory", [0, 3])
def test_a_full_disk_loses_nothing(monkeypatch, in_memory) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    spool = Spool(in_memory)
    for piece in PIECES:
        spool.add(piece)
    assert b"".join(spool) == b"".join(PIECES)


def test_no_place_for_a_file_loses_nothing(monkeypatch) -> None:
    def refused(**_):
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    spool = Spool(0)
    for piece in PIECES:
        spool.add(piece)
    assert b"".join(spool) == b"".join(PIECES)
