"""The roles of a table's columns: named by `columns`, or by their own names; and which sources have such columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from assay.errors import UsageError
from assay.formats.answers.rows import SHOULD_DECLINE, USAGE
from assay.formats.answers.usual_names import IDS, PREDICTIONS, SCORES, VERDICTS, guesses
from assay.formats.records import JSON_RECORDS, first_keys
from assay.io.heads import Head
from assay.io.sources import Source

USUAL = {
    "run": ("run", "system", "model"),
    "id": IDS,
    "outcome": ("outcome", "correct"),
    "answer": ("answer", "prediction"),
    "confidence": ("confidence",),
    "candidate": ("candidate",),
    "gold": ("gold",),
    "sample": ("sample",),
    "score": ("score",),
    "kind": ("kind",),
    "problem": ("problem",),
    **{name: (name,) for name in USAGE},
    SHOULD_DECLINE: (SHOULD_DECLINE,),
}
"""The usual names of each role's column; `columns` overrides them."""
ROLES = (*USUAL, "runs", "fields", "absent")
JOINED = ("run", "id", "runs", "fields")
"""The roles several columns can play, joined by +."""
OTHER_VERDICT = {"outcome": "score", "score": "outcome"}
"""Where `columns` names one of them, it alone decides."""
TABLES = ("table", "frame", "parquet", "records", *JSON_RECORDS)
"""Shapes of sources that may be read as a table."""


def names_fields(head: Head, columns: Mapping[str, str]) -> bool:
    """Return whether the first record of JSON has a column that `columns` gives a role of another name.

    >>> from assay.io.heads import head_of_bytes
    >>> head = head_of_bytes(b'{"id": "q1", "reward": 1}')
    >>> names_fields(head, {"score": "reward"}), names_fields(head, {"id": "id", "score": "points"})
    (True, False)
    """
    named = {(role, name) for role, names in columns.items() if role != "absent" for name in names.split("+")}
    return any(role != name and head.has(name) for role, name in named)


def is_record(keys: Collection[Any], columns: Mapping[str, str]) -> bool:
    """Return whether the keys of a dict are columns of a table: some that `columns` names, or an id and another usual name.

    >>> is_record({"task_id": 1, "won": True}, {"outcome": "won"}), is_record({"id": 1, "passed": True}, {}), is_record({"q1": "Paris"}, {})
    (True, True, False)
    """
    if columns:
        return not named_columns(columns).isdisjoint(keys)
    usual = {name for role, names in USUAL.items() if role != "id" for name in names}
    return not {*IDS}.isdisjoint(keys) and not {*usual, *VERDICTS, *SCORES, *PREDICTIONS}.isdisjoint(keys)


def has_columns(source: Source, columns: Mapping[str, str]) -> bool:
    """Return whether a source may be read as a table, and has one of the columns that `columns` names."""
    return source.head.shape in TABLES and not named_columns(columns).isdisjoint(column_names(source))


def named_columns(columns: Mapping[str, str]) -> set[str]:
    """Return all columns that `columns` names.

    >>> sorted(named_columns({"id": "set+number", "absent": "n/a"}))
    ['number', 'set']
    """
    return {name for role, names in columns.items() if role != "absent" for name in names.split("+")}


def column_names(source: Source) -> set[str]:
    """Return the names of the columns of a table; of JSON, the keys of the first object."""
    head = source.head
    if head.shape == "parquet":
        from assay.formats.parquet import Parquet

        return {*Parquet(source).columns}
    return {*first_keys(head)} if head.shape in JSON_RECORDS else {*head.columns}


def states_outcomes(source: Source, columns: Mapping[str, str]) -> bool:
    """Return whether a table says how questions ended and has no gold to judge other runs by: by `columns`, or by usual names.

    >>> states_outcomes(Source("a.csv", data=b"id,passed\\nq1,1\\n"), {}), states_outcomes(Source("a.csv", data=b"id,gold\\nq1,A\\n"), {})
    (True, False)
    """
    if source.head.shape not in TABLES:
        return False
    names = column_names(source)
    if "gold" in columns or not {"gold", "answers", "patterns", "nil"}.isdisjoint(names):
        return False
    if not {"outcome", "score"}.isdisjoint(columns):
        return True
    return not {*USUAL["outcome"], *VERDICTS}.isdisjoint(names) or any(
        "answer" not in names or "gold" in guess.columns for guess in guesses(names)
    )


def parse_columns(given: str | Mapping[str, Any]) -> dict[str, str]:
    """Return the column of each role that `columns` names, as text or as a dict.

    >>> parse_columns("run=llm,id=qset+question_id")
    {'run': 'llm', 'id': 'qset+question_id'}
    >>> parse_columns({"run": "llm", "id": "qset+question_id"})
    {'run': 'llm', 'id': 'qset+question_id'}
    """
    if not isinstance(given, (str, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance] - a caller may give anything
        raise UsageError(f"`columns={given!r}`: expected text or a dict, as in 'id=task_id' or {{'id': 'task_id'}}")
    pairs: Iterable[Any] = (
        (pair.partition("=")[::2] for pair in given.split(",")) if isinstance(given, str) else given.items()
    )
    columns: dict[str, str] = {}
    for written, named in pairs:
        role, column = str(written).strip(), named.strip() if isinstance(named, str) else ""
        pair = repr(f"{role}={named}")
        if role not in ROLES or not column:
            raise UsageError(f"`columns={given!r}`: {pair}: expected role=column, the role one of {', '.join(ROLES)}")
        if "+" in column and role not in (*JOINED, "absent"):
            raise UsageError(f"`columns={given!r}`: {pair}: only {', '.join(JOINED)} can be several columns")
        columns[role] = column
    return columns
