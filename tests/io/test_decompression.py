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

import assay
from assay.cli import main
from assay.errors import InputError, UsageError
from assay.io import decompression, sources, unpacking_limits
from assay.io.decompression import unpacked
from assay.io.sources import Source
from assay.io.unpacking_limits import allow

zstandard = pytest.importorskip("zstandard")
COMPRESS = {"gzip": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zstd": zstandard.compress}
QRELS = b"1 0 d1 1\n"


@pytest.fixture(autouse=True)
def usual_limits():
    yield
    allow(None)


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("size", [1, 7, 1000, 1 << 20])
@pytest.mark.parametrize("copies", [0, 1, 30_000])
def test_pieces_are_bounded_and_whole(kind, size, copies) -> None:
    data = QRELS * (copies if size > 7 else min(copies, 50))
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
            assert (
                told
                == "file: the gzip data is damaged: its header has flags that nobody knows; compress the file again"
            )

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


class TestLimits:
    """Too much in all, and too much for so small a file."""

    @pytest.fixture
    def small(self, monkeypatch):
        monkeypatch.setattr(unpacking_limits, "MAX_UNPACKED", 900_000)
        monkeypatch.setattr(unpacking_limits, "PLAUSIBLE", 9000)
        monkeypatch.setattr(sources, "CHUNK", 1 << 10)

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_no_text_unpacks_to_so_many_times_its_size(self, small, kind) -> None:
        bomb = COMPRESS[kind](QRELS * 90_000)
        with pytest.raises(InputError, match=r"bomb: .* of it unpack to more than .*, as no text does"):
            Source("bomb", data=bomb).read()
        allow(810_000)
        assert len(Source("bomb", data=bomb).read()) == 810_000

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_small_files_may_be_as_repetitive_as_they_like(self, small, kind) -> None:
        assert len(Source("file", data=COMPRESS[kind](QRELS * 1000)).read()) == 9000

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_large_files_that_unpack_to_a_few_times_their_size(self, small, kind) -> None:
        text = b"".join(b"%d 0 d%d 1\n" % (i, i * i) for i in range(5000))
        assert Source("file", data=COMPRESS[kind](text)).read() == text

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_more_than_the_limit(self, monkeypatch, kind) -> None:
        monkeypatch.setattr(unpacking_limits, "MAX_UNPACKED", 8999)
        with pytest.raises(InputError, match=r"file: unpacks to more than 8\.788 KiB; unpack it first, or allow more"):
            Source("file", data=COMPRESS[kind](QRELS * 1000)).read()
        monkeypatch.setattr(unpacking_limits, "MAX_UNPACKED", 9000)
        assert len(Source("file", data=COMPRESS[kind](QRELS * 1000)).read()) == 9000

    def test_what_is_not_compressed_has_no_limit(self, monkeypatch) -> None:
        monkeypatch.setattr(unpacking_limits, "MAX_UNPACKED", 5)
        assert Source("file", data=QRELS).read() == QRELS


@pytest.mark.parametrize(
    ("size", "expected"), [("12", 12), (12, 12), ("1K", 1 << 10), ("1.5KiB", 1536), ("20g", 20 << 30), ("3MB", 3 << 20)]
)
def test_sizes(size, expected) -> None:
    allow(size)
    assert unpacking_limits._allowed == [expected]


@pytest.mark.parametrize("size", ["", "0", "-1", "x", "1MM", "1e400", "nan", "inf", "G", "1KM", "99999999T", "0.2"])
def test_what_is_no_size(size) -> None:
    with pytest.raises(UsageError, match=f"`max_unpacked={size}`: expected a number of bytes, as in 500M or 20G"):
        allow(size)


def test_the_option(tmp_path, capsys) -> None:
    (tmp_path / "q").write_bytes(QRELS)
    (tmp_path / "r.gz").write_bytes(gzip.compress(b"1 Q0 d1 1 1 t\n"))
    command = ["evaluate", str(tmp_path / "q"), str(tmp_path / "r.gz"), "-m", "AP"]
    assert main([*command, "--max-unpacked", "13"]) == 3
    assert (
        "r.gz: unpacks to more than 13 bytes; unpack it first, or allow more with --max-unpacked"
        in capsys.readouterr().err
    )
    assert main([*command, "--max-unpacked", "14"]) == 0
    assert main([*command, "--max-unpacked", "much"]) == 2
    assert "--max-unpacked much: expected a number of bytes" in capsys.readouterr().err
    assert main(command) == 0, "a limit lasts as long as its command"
    assert assay.evaluate(tmp_path / "q", tmp_path / "r.gz", "AP").mean("AP") == {"t": 1.0}
