"""Compressed bytes come in bounded pieces, and no more of them than is plausible."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sys
import tracemalloc

import pytest

from assay.errors import InputError
from assay.io import decompression
from assay.io.decompression import unpacked
from assay.io.sources import Source

zstandard = pytest.importorskip("zstandard")
COMPRESS = {"gzip": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zstd": zstandard.compress}
QRELS = b"1 0 d1 1\n"


@pytest.mark.parametrize("kind", COMPRESS)
def test_pieces_are_bounded_and_whole(kind) -> None:
    for size, copies in ((1, 0), (1, 50), (7, 50), (1000, 1), (1000, 30_000), (1 << 20, 30_000)):
        data = QRELS * copies
        packed = COMPRESS[kind](data)
        # Two streams, one after the other, and zeros at the end.
        stream = io.BytesIO(packed[9:] + packed + b"\0" * 700)
        pieces = list(unpacked(kind, packed[:9], stream, "file", size))
        assert b"".join(pieces) == data * 2
        assert all(0 < len(piece) <= size for piece in pieces)


@pytest.mark.parametrize("kind", COMPRESS)
def test_many_streams_in_one_piece(kind) -> None:
    packed = b"".join(COMPRESS[kind](b"%d 0 d1 1\n" % topic) for topic in range(300))
    assert b"".join(unpacked(kind, packed, io.BytesIO(), "file", 1 << 20)).split(b"\n")[-2] == b"299 0 d1 1"


@pytest.mark.parametrize("kind", COMPRESS)
def test_what_ends_too_early(kind) -> None:
    for data in (QRELS * 4000, b""):
        packed = COMPRESS[kind](data)
        for cut in (len(packed) - 1, len(packed) // 2 + 3):
            with pytest.raises(InputError, match=f"file: the {kind} data is damaged"):
                list(unpacked(kind, packed[:cut], io.BytesIO(), "file", 1 << 20))


@pytest.mark.parametrize("kind", COMPRESS)
def test_memory_does_not_follow_the_content(kind) -> None:
    """64 MiB of empty lines pass through, and a small part of them is ever held."""
    bomb = Source("bomb", data=COMPRESS[kind](b"\n" * (64 << 20)))
    tracemalloc.start()
    try:
        assert sum(map(len, bomb.chunks())) == 64 << 20
        assert tracemalloc.get_traced_memory()[1] < 40 << 20
    finally:
        tracemalloc.stop()


class TestGzip:
    """By isal where it is installed, and by zlib: the same bytes, the same refusals."""

    @pytest.fixture(params=["isal", "zlib"])
    def codec(self, request, monkeypatch) -> str:
        if request.param == "isal":
            pytest.importorskip("isal")
        else:
            monkeypatch.setitem(sys.modules, "isal", None)
        return request.param

    @staticmethod
    def told(data: bytes, size: int = 1 << 20) -> bytes | str:
        """What data unpacks to, or what is wrong with it."""
        try:
            return b"".join(unpacked("gzip", data[:5], io.BytesIO(data[5:]), "file", size))
        except InputError as problem:
            return str(problem)

    def test_the_codec_is_the_one_installed(self, codec) -> None:
        decoder = decompression._decoders("gzip")[0]()
        assert type(decoder._decoder).__module__ == {"isal": "isal_zlib"}.get(codec, codec)

    def test_streams_of_every_level_behind_each_other(self, codec) -> None:
        text = b"".join(b"%d 0 d%d 1\n" % (i, i * i) for i in range(3000))
        packed = b"".join(gzip.compress(text, level) for level in range(10)) + b"\0" * 600
        for size in (100, 1 << 20):
            assert self.told(packed, size) == text * 10

    def test_a_file_cut_anywhere_ends_too_early(self, codec) -> None:
        packed = gzip.compress(QRELS * 20 + bytes(range(256)), mtime=0)
        early = "file: the gzip data is damaged: ends too early; compress the file again"
        assert {self.told(packed[:cut]) for cut in range(5, len(packed))} == {early}
        assert self.told(packed) == QRELS * 20 + bytes(range(256))

    def test_a_byte_that_is_another(self, codec) -> None:
        """What is refused, and in which words, does not depend on who unpacks."""
        text = b"".join(b"%d 0 d%d 1\n" % (i, i * i) for i in range(40))
        packed = gzip.compress(text, mtime=0)
        for place in range(10, len(packed)):
            told = self.told(packed[:place] + bytes([packed[place] ^ 0x24]) + packed[place + 1 :])
            assert told.startswith("file: the gzip data is damaged: "), place
            assert told.endswith(
                (
                    "a code or a checksum in it is wrong; compress the file again",
                    "ends too early; compress the file again",
                )
            )
        for flag in (0x20, 0x40, 0x80):
            told = self.told(packed[:3] + bytes([flag]) + packed[4:])
            assert told == "file: the gzip data is damaged: its header has unknown flags; compress the file again"

    def test_both_refuse_the_same(self, monkeypatch) -> None:
        pytest.importorskip("isal")
        rng = random.Random(18)
        text = b"".join(b"%d 0 d%d 1\n" % (i, rng.randrange(10**6)) for i in range(99))
        damaged: list[bytes] = []
        for _ in range(400):
            data = bytearray(gzip.compress(text[: rng.randrange(900)], rng.randrange(10), mtime=0))
            data[rng.randrange(2, len(data))] = rng.randrange(256)
            damaged.append(bytes(data))
        by_isal = [self.told(data) for data in damaged]
        monkeypatch.setitem(sys.modules, "isal", None)
        by_zlib = [self.told(data) for data in damaged]
        assert [told if isinstance(told, bytes) else None for told in by_isal] == [
            told if isinstance(told, bytes) else None for told in by_zlib
        ]
