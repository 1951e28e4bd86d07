"""Columns of data frames, found by their names."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.formats.frames import DOCUMENT, GRADE, TOPIC, columns_of, frame_of
from assay.formats.sources import Source

TABLE = {"docid": ["d1", "d2"], "topic": [1, 2], "rel": [0, 3]}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_any_library_in_the_order_asked_for(library) -> None:
    module = pytest.importorskip(library)
    source = Source("frame", data=(module.table if library == "pyarrow" else module.DataFrame)(TABLE))
    found = columns_of(source, frame_of(source, "dicts"), TOPIC, DOCUMENT, GRADE)
    assert found == [("topic", [1, 2]), ("docid", ["d1", "d2"]), ("rel", [0, 3])]


def test_what_is_no_frame_or_lacks_a_column() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="x: expected a path, bytes, dicts or a data frame, found int"):
        frame_of(Source("x", data=7), "dicts")
    source = Source("x", data=pandas.DataFrame({"a": [1], "topic": [1]}))
    with pytest.raises(InputError, match="x: no column doc_id or docno or docid; it has a, topic"):
        columns_of(source, frame_of(source, ""), TOPIC, DOCUMENT)


def test_several_runs_in_one_frame_are_not_mixed() -> None:
    pandas = pytest.importorskip("pandas")
    source = Source("x", data=pandas.DataFrame({**TABLE, "run": ["a", "b"]}))
    with pytest.raises(InputError, match="column 'run' names several runs"):
        columns_of(source, frame_of(source, ""), TOPIC)
