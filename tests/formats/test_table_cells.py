"""One table, in everything that holds tables."""

from __future__ import annotations

import io

import pytest

from assay.formats.table_cells import cell_lines
from assay.io.sources import Source

LINES = [(1, ["id", "m"]), (2, ["q1", "1.0"]), (3, ["q2", ""])]


def test_csv():
    assert list(cell_lines(Source("x", data=b"id,m\nq1,1.0\nq2,\n"))) == LINES


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_and_parquet(library):
    lib = pytest.importorskip(library)
    data = {"id": ["q1", "q2"], "m": [1.0, None]}
    frame = lib.table(data) if library == "pyarrow" else lib.DataFrame(data)
    assert list(cell_lines(Source("x", data=frame))) == LINES
    pq = pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    pq.write_table(frame if library == "pyarrow" else pytest.importorskip("pyarrow").table(data), out)
    assert list(cell_lines(Source("x", data=out.getvalue()))) == LINES


def test_the_missing_value_of_nullable_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": ["q"], "m": pandas.array([None], dtype="Int64")})
    assert list(cell_lines(Source("x", data=frame)))[1] == (2, ["q", ""])
