"""What is written of a run is read back bit for bit, and what was damaged is not read."""

from __future__ import annotations

import io
from math import copysign

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.table.notes import Notes
from assay.table.run_scores import RunScores

pytest.importorskip("pyarrow")

from assay.scoring.partitions import Damaged, from_parquet, to_parquet

TOPICS = ["1", "2", "q\udcff"]
CELLS = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(1 << 70), 1 << 70)
COLUMNS = st.dictionaries(
    st.text("ABrun_@", min_size=1, max_size=4),
    st.lists(CELLS, min_size=3, max_size=3)
    | st.tuples(CELLS, CELLS, CELLS)
    | st.binary(min_size=3, max_size=3)
    | st.lists(st.lists(st.floats(0, 1), max_size=3).map(tuple), min_size=3, max_size=3),
    max_size=4,
)


def back(*runs, topics=TOPICS):
    return from_parquet(to_parquet(runs, topics), len(topics))[0]


@given(
    COLUMNS,
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.none() | st.lists(st.integers(0, 9), min_size=3, max_size=3),
)
def test_any_run_comes_back_as_it_was(columns, missing, samples):
    if {"run", "run_"} <= set(columns):
        return
    notes = Notes(warnings=["w\udcff"], unjudged=3, kinds={"unparsed": 1})
    (found,) = back(RunScores("r\udcff", "a.run", columns, missing, notes, samples=samples))
    assert (found.name, found.file, found.missing, found.samples) == ("r\udcff", "a.run", missing, samples)
    assert vars(found.notes) == vars(notes)
    assert list(found.columns) == list(columns)
    for name, column in columns.items():
        assert type(found.columns[name]) is type(column)
        assert list(map(repr, found.columns[name])) == list(map(repr, column))


def test_a_zero_below_zero_and_a_whole_number_among_floats():
    (found,) = back(RunScores("r", None, {"AP": (-0.0, 1, 5e-324)}, [False] * 3))
    assert [type(cell) for cell in found.columns["AP"]] == [float, int, float]
    assert copysign(1, found.columns["AP"][0]) == -1


def test_several_runs_of_one_file_may_have_different_columns():
    a = RunScores("a", "x", {"AP": (0.5, None, 1.0)}, [False] * 3)
    b = RunScores("b", "x", {"RR": (1, 2, 3)}, [True, False, False], samples=[1, 0, 2])
    found = back(a, b)
    assert [dict(run.columns) for run in found] == [{"AP": (0.5, None, 1.0)}, {"RR": (1, 2, 3)}]
    assert [run.samples for run in found] == [None, [1, 0, 2]]


def test_others_read_it_too():
    import pyarrow.parquet as parquet

    data = to_parquet([RunScores("r", "a.run", {"AP": (0.5, None, 1.0)}, [False, False, True])], TOPICS)
    assert parquet.read_table(io.BytesIO(data)).to_pylist() == [
        {"run": "r", "topic": "1", "status": "scored", "AP": 0.5},
        {"run": "r", "topic": "2", "status": "scored", "AP": None},
        {"run": "r", "topic": "q\ufffd", "status": "missing", "AP": 1.0},
    ]


def test_bytes_that_are_no_partition():
    data = to_parquet([RunScores("r", None, {"AP": (0.5, None, 1.0)}, [False] * 3)], TOPICS)
    for damaged in (b"", b"PAR1", data[:-20], data[20:]):
        with pytest.raises(Damaged):
            from_parquet(damaged, 3)
    with pytest.raises(Damaged, match="3 rows, expected 4"):
        from_parquet(data, 4)


def test_what_cannot_be_kept_is_said():
    with pytest.raises(InputError, match="two columns would be called 'run_'"):
        back(RunScores("r", None, {"run": (1, 1, 1), "run_": (2, 2, 2)}, [False] * 3))
    with pytest.raises(InputError, match="r: its notes cannot be stored as JSON"):
        back(RunScores("r", None, {}, [False] * 3, Notes(kinds={1: 2})))


def test_without_pyarrow(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(UsageError, match=r"pip install 'assay-eval\[frames\]'"):
        to_parquet([], [])
