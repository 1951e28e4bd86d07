"""Logs with something wrong in them: cut, with bytes changed, or with values that are something else."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st

from assay.errors import AssayError

OTHERS: list[Any] = [None, True, -1, 2.5, 10**30, float("nan"), "", "x", [], {}, [[1]], {"a": {"b": 1}}, "\ud800"]
"""What may stand where something else was expected."""


def paths_of(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value inside a JSON value stands."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [before, *(path for key, member in inside for path in paths_of(member, (*before, key)))]


def replaced(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """The same value with another one at a place."""
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], other)
    return copy


@st.composite
def damaged(draw: Any, content: bytes) -> bytes:
    """Bytes with a piece cut out or replaced."""
    start = draw(st.integers(0, len(content)))
    end = draw(st.integers(start, min(len(content), start + draw(st.sampled_from([0, 1, 8, 10**6])))))
    between = [b"", b"\xff", b"\0", b"NaN", b"[" * 5000, b"9" * 5000, b'"', b"}", b"\n", b'"doc_id": 1,']
    return content[:start] + draw(st.sampled_from(between)) + content[end:]


@st.composite
def altered(draw: Any, records: list[Any]) -> list[Any]:
    """JSON values of which one has another value somewhere."""
    place = draw(st.integers(0, len(records) - 1))
    path = draw(st.sampled_from(paths_of(records[place])))
    return replaced(records, (place, *path), draw(st.sampled_from(OTHERS)))


def lines_of(records: list[Any]) -> bytes:
    """JSONL as Python writes it."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def only_complaints(read: Callable[[], Any]) -> None:
    """Reading succeeds, or says in words what is wrong."""
    with suppress(AssayError):
        read()
