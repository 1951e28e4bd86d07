"""Partitions of the store: the scores of one file as a Parquet file, lossless.

A row per run and topic: run, topic, status, and the columns as computed, before any policy. The file's metadata has the rest
as JSON under `assay`: names of runs, notes, and which numbers are integers.
"""

from __future__ import annotations

import json

from assay.core.measure_plans import Numbers
from assay.errors import InputError, UsageError
from assay.table.notes import Notes
from assay.table.run_scores import RunScores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

META = b"assay"
EXACT = 1 << 53
"""Integers up to this are exact as doubles."""
CONTAINERS: dict[str, Any] = {"bytes": bytes, "tuple": tuple, "list": list, "numbers": Numbers}
RESERVED = ("run", "topic", "status", "samples")
"""Names of the columns that a partition has beside measures and ingredients."""
STATES = ("scored", "missing")


class Damaged(Exception):
    """A partition whose content is not what was written."""


def arrow() -> Any:
    """Import pyarrow and its Parquet module, or say what to install."""
    try:
        import pyarrow.parquet  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise UsageError("a store of scores is Parquet: pip install 'assay-eval[frames]' for pyarrow") from None
    import pyarrow

    return pyarrow


def to_parquet(runs: Sequence[RunScores], topics: Sequence[str], about: Any = None, of: Any = None) -> bytes:
    """Return runs on the same topics as a Parquet file; `about` and `of` are JSON data for its metadata."""
    pa = arrow()
    names = list(dict.fromkeys(name for run in runs for name in run.columns))
    fields: dict[str, Any] = {
        "run": pa.array([_as_utf8(run.name) for run in runs for _ in topics], pa.string()),
        "topic": pa.array([_as_utf8(topic) for topic in topics] * len(runs), pa.string()),
        "status": pa.array([STATES[bool(gone)] for run in runs for gone in run.missing], pa.string()),
    }
    if any(run.samples is not None for run in runs):
        counts = [count for run in runs for count in (run.samples or [None] * len(topics))]
        fields["samples"] = pa.array(counts, pa.int64())
    kept: dict[str, Any] = {}
    for name in names:
        cells = [cell for run in runs for cell in (run.columns[name] if name in run.columns else [None] * len(topics))]
        kind, array, whole = _packed(pa, cells)
        if fields.setdefault(_column(name), array) is not array:
            raise InputError(f"two columns would be called {_column(name)!r} in a store; give one of them another name")
        kept[name] = [kind, *([whole] if whole else [])]
    meta = {"columns": kept, "runs": [_describe(run) for run in runs], "about": about, "of": of}
    table = pa.table(fields).replace_schema_metadata({META: json.dumps(meta).encode("ascii")})
    out = pa.BufferOutputStream()
    pa.parquet.write_table(table, out, use_dictionary=["run", "topic", "status"], write_statistics=False)
    return out.getvalue().to_pybytes()


def from_parquet(data: bytes, topics: int) -> tuple[list[RunScores], Any, Any]:
    """Return the runs of a Parquet file with `about` and `of`; raise Damaged where it is none of ours."""
    pa = arrow()
    try:
        return _from_table(pa.parquet.ParquetFile(pa.BufferReader(data)).read(), topics)
    except (LookupError, TypeError, AttributeError):
        raise Damaged("it does not hold what a store writes") from None
    except (pa.ArrowException, OSError, ValueError) as problem:
        raise Damaged(str(problem)) from None


def _from_table(table: Any, topics: int) -> tuple[list[RunScores], Any, Any]:
    meta = json.loads((table.schema.metadata or {})[META])
    entries, kept = meta["runs"], meta["columns"]
    if table.num_rows != len(entries) * topics:
        raise Damaged(f"{table.num_rows} rows, expected {len(entries) * topics}")
    status = table.column("status").to_pylist()
    columns = {name: _unpacked(table.column(_column(name)), *how) for name, how in kept.items()}
    counts: list[Any] = table.column("samples").to_pylist() if "samples" in table.column_names else []
    scored: list[RunScores] = []
    for number, entry in enumerate(entries):
        span = slice(number * topics, (number + 1) * topics)
        cells = {name: CONTAINERS[kind](columns[name][span]) for name, kind in entry["columns"].items()}
        missing = CONTAINERS[entry["missing"]](state == "missing" for state in status[span])
        samples = None if entry["samples"] is None else CONTAINERS[entry["samples"]](counts[span])
        scored.append(RunScores(entry["name"], entry["file"], cells, missing, Notes(**entry["notes"]), samples=samples))
    return scored, meta["about"], meta["of"]


def _describe(run: RunScores) -> dict[str, Any]:
    notes = vars(run.notes)
    if json.loads(json.dumps(notes)) != notes:
        raise InputError(f"{run.name}: its notes cannot be stored as JSON")
    return {
        "name": run.name,
        "file": run.file,
        "notes": notes,
        "columns": {name: _container(column) for name, column in run.columns.items()},
        "missing": _container(run.missing),
        "samples": None if run.samples is None else _container(run.samples),
    }


def _container(column: Sequence[Any]) -> str:
    return next((name for name, kind in CONTAINERS.items() if isinstance(column, kind)), "list")


def _packed(pa: Any, cells: list[Any]) -> tuple[str, Any, list[int]]:
    """Return the kind of a column, its Arrow array, and the positions of integers among floats."""
    kinds = {type(cell) for cell in cells} - {type(None)}
    if kinds <= {float}:
        return "number", pa.array(cells, pa.float64(), from_pandas=False), []
    if kinds == {int} and all(cell is None or -(1 << 63) <= cell < 1 << 63 for cell in cells):
        return "number", pa.array(cells, pa.int64()), []
    if kinds == {int, float} and all(type(cell) is not int or abs(cell) <= EXACT for cell in cells):
        floats = [None if cell is None else float(cell) for cell in cells]
        whole = [place for place, cell in enumerate(cells) if type(cell) is int]
        return "number", pa.array(floats, pa.float64(), from_pandas=False), whole
    # Several numbers a topic: values by sample, ranks of relevant documents.
    return ("tuples" if kinds == {tuple} else "any"), pa.array([json.dumps(cell) for cell in cells], pa.string()), []


def _unpacked(column: Any, kind: str, whole: Sequence[int] = ()) -> list[Any]:
    cells: list[Any] = column.to_pylist()
    for place in whole:
        cells[place] = int(cells[place])
    if kind == "number":
        if str(column.type) not in ("double", "int64"):
            raise Damaged(f"a column of {column.type}, expected numbers")
        return cells
    read = [json.loads(cell) for cell in cells]
    return [cell if cell is None else tuple(cell) for cell in read] if kind == "tuples" else read


def _column(name: str) -> str:
    return f"{_as_utf8(name)}_" if name in RESERVED else _as_utf8(name)


def _as_utf8(text: str) -> str:
    """Return a text as UTF-8, which Parquet needs; ids may be any bytes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
