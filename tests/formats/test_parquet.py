"""Parquet files, by row and by column."""

from __future__ import annotations

import gzip
import io

import pytest

from assay.errors import InputError
from assay.formats.parquet import Parquet
from assay.io.sources import Source

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
ROWS = [{"a": {"x": 1, "y": "long"}, "b": 2}, {"a": {"x": 3, "y": "text"}, "b": 4}]


def packed() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), out)
    return out.getvalue()


@pytest.fixture(params=["bytes", "file", "gzip"])
def file(request, tmp_path):
    if request.param == "bytes":
        return Source("x", data=packed())
    path = tmp_path / "x.parquet"
    path.write_bytes(packed() if request.param == "file" else gzip.compress(packed()))
    return Source("x", path=str(path))


def test_only_what_is_asked_for(file):
    found = Parquet(file)
    assert (found.columns, found.members("a"), found.members("b"), found.members("c")) == (
        ["a", "b"],
        ["x", "y"],
        [],
        [],
    )
    assert list(found.rows(["a.x"])) == [{"a": {"x": 1}}, {"a": {"x": 3}}]
    assert list(found.rows()) == ROWS
    assert found.table().num_rows == 2


def test_a_head_shows_the_names_of_columns(file):
    assert file.head.shape == "parquet"
    assert b"schema" in file.head.text
    # A second look and a reading after it are the same.
    assert Parquet(file).columns == ["a", "b"]


@pytest.mark.parametrize("content", [packed()[:-1], packed()[:20], b"PAR1", b"PAR1\xff\xff\xff\xffPAR1"])
def test_what_is_cut_off(content):
    source = Source("cut", data=content)
    assert source.head.shape == "parquet"
    with pytest.raises(InputError, match=r"^cut: not readable as Parquet: "):
        Parquet(source)


def test_damaged_pages_are_told():
    content = bytearray(packed())
    content[4:60] = b"\xff" * 56
    with pytest.raises(InputError, match=r"^x: not readable as Parquet: "):
        list(Parquet(Source("x", data=bytes(content))).rows())


def test_without_pyarrow(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"x: is Parquet; pip install 'assay-eval\[frames\]'"):
        Parquet(Source("x", data=packed()))
