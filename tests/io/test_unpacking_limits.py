"""The limits on the unpacked size of compressed files."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pytest

import assay
from assay.cli import main
from assay.errors import InputError, UsageError
from assay.io import sources, unpacking_limits
from assay.io.sources import Source
from assay.io.unpacking_limits import allow

zstandard = pytest.importorskip("zstandard")
COMPRESS = {"gzip": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zstd": zstandard.compress}
QRELS = b"1 0 d1 1\n"


@pytest.fixture(autouse=True)
def default_limits():
    yield
    allow(None)


class TestLimits:
    """A limit on the size, and on the ratio to the packed size."""

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
def test_bad_sizes(size) -> None:
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
