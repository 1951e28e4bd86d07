"""RAGAS: a data frame with a column per metric, as `result.to_pandas()` gives it; saved as CSV or Parquet.

It has no ids and no run: a question is known by the hash of its text, so that files share their questions, and the run by
the file's name. A metric that is NaN or empty could not be computed: the instrument failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from assay.errors import InputError
from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.frames import frame_of, is_null, table_rows
from assay.formats.harness.log_likelihoods import number
from assay.formats.harness.logs import Log, LogReading, distinct_id
from assay.formats.parquet import Parquet
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

ASKED = "user_input"
TEXTS = (ASKED, "response", "reference", "retrieved_contexts")
NO_METRICS = frozenset(
    {*TEXTS, "reference_contexts", "reference_tool_calls", "rubrics", "rubric", "persona_name", "query_style"}
    | {"query_length", "synthesizer_name", "multi_responses", "id", "index", "Unnamed: 0", ""}
)


def _frame(head: Head) -> bool:
    """columns user_input and response (or reference, retrieved_contexts) of CSV, Parquet or a data frame."""
    if head.shape == "parquet":
        return b"user_input" in head.text and any(name.encode() in head.text for name in TEXTS[1:])
    return ASKED in head.columns and not {*TEXTS[1:]}.isdisjoint(head.columns)


@reads(
    "ragas",
    role="log",
    task="outcomes",
    yields="a RAGAS result as CSV, Parquet or a data frame",
    recognises=_frame,
    shapes="table parquet frame",
    recovers="numbered line",
)
def read_ragas(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run, named after the file."""
    log = reading.log(source, "RAGAS")
    columns = _columns(source)
    metric = reading.choose("metric", _metrics(log, columns), source)
    run = source.label or source.stem
    ids: dict[str, None] = {}
    for line, row in _rows(source, [*TEXTS[:2], metric], columns):
        _add(log, run, metric, row, line, ids)

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        for identity, (_, row) in zip(ids, _rows(source, [*TEXTS], columns), strict=True):
            question, answer, gold, contexts = (_text(row.get(name)) for name in TEXTS)
            yield run, identity, RowTexts(question, gold, contexts, answer)

    log.take_texts(texts)
    return log.finish()


def _columns(source: Source) -> list[str]:
    if not source.is_bytes:
        columns = list(frame_of(source, "CSV text").columns)
    elif source.head.shape == "parquet":
        columns = Parquet(source).columns
    else:
        columns, _ = table_rows(source)
    if ASKED not in columns:
        raise source.error(1, f"no column {ASKED} among {', '.join(columns)}; expected a RAGAS result")
    return columns


def _metrics(log: Log, columns: list[str]) -> list[str]:
    """Return the columns whose cells are all numbers or empty."""
    left = [name for name in columns if name not in NO_METRICS]
    numeric = {*left}
    for _, row in _rows(log.source, left, columns):
        numeric -= {name for name in numeric if not _is_score(row.get(name))}
    if not numeric:
        raise InputError(f"{log.source.name}: no column of {', '.join(columns)} holds numbers; expected one per metric")
    return [name for name in left if name in numeric]


def _is_score(cell: Any) -> bool:
    worth = number(float(cell) if isinstance(cell, bool) else cell)
    return worth == worth or is_empty(cell)


def is_empty(cell: Any) -> bool:
    """Return whether a cell says that the metric failed.

    >>> is_empty(float("nan")), is_empty(" "), is_empty(0.0)
    (True, True, False)
    """
    if isinstance(cell, str):
        return cell.strip().lower() in ("", "nan", "none", "null")
    return is_null(cell)


def _rows(source: Source, names: list[str], columns: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the physical line (0 where none) and some cells of every row."""
    if not source.is_bytes:
        frame = frame_of(source, "CSV text")
        for row in frame.select([name for name in names if name in columns]).iter_rows(named=True):
            yield 0, row
    elif source.head.shape == "parquet":
        for row in Parquet(source).rows([name for name in names if name in columns]):
            yield 0, row
    else:
        for line, cells in table_rows(source)[1]:
            yield line, dict(zip(columns, cells, strict=True))


def _add(log: Log, run: str, metric: str, row: dict[str, Any], line: int, ids: dict[str, None]) -> None:
    where = "" if line else f"row {len(ids) + 1}"
    question = _text(row.get(ASKED))
    if not question:
        raise log.error(line, where, f"{ASKED} is empty; expected the question")
    identity = distinct_id(sha256(question.encode("utf-8", "replace")).hexdigest()[:12], ids)
    ids[identity] = None
    cell = row.get(metric)
    failed = is_empty(cell)
    log.add(
        identity, run=run, value=None if failed else number(float(cell) if isinstance(cell, bool) else cell),
        problem=f"{metric} could not be computed" if failed else None, text=_text(row.get("response")),
        line=line, where=where, content=question,
    )  # fmt: skip


def _text(cell: Any) -> str | None:
    """Return a cell as text; a conversation is a list of messages."""
    if cell is None or isinstance(cell, str):
        return cell
    return None if isinstance(cell, float) else str(cell)
