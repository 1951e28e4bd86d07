"""Which documents of a query an instruction makes non-relevant: what p-MRR looks at (FollowIR)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.formats.json_files import decode
from assay.formats.lines import field_lines
from assay.formats.object_ids import id_text
from assay.io.sources import Source

EXPECTED = "expected {query: [document, …]} in JSON, or lines of a query and a document"


def read_changed(source: Source) -> dict[str, list[str]]:
    """By query, the documents. Lines may be those of qrels too, whose grades are not looked at.

    >>> read_changed(Source("changed.txt", data=b"q1 d1\\nq1 d2\\nq2 d1\\n"))
    {'q1': ['d1', 'd2'], 'q2': ['d1']}
    """
    if not source.is_bytes or source.head.shape == "json":
        return _of_mapping(source, source.data if not source.is_bytes else decode(source, dict[str, Any], EXPECTED))
    found: dict[str, dict[str, None]] = {}
    for line, fields in field_lines(source):
        if len(fields) not in (2, 4):
            raise source.error(line, f"{EXPECTED} (2 fields, or 4 as in qrels), found {len(fields)} fields")
        found.setdefault(fields[0], {})[fields[1] if len(fields) == 2 else fields[2]] = None
    return {query: list(documents) for query, documents in found.items()}


def _of_mapping(source: Source, given: Any) -> dict[str, list[str]]:
    if not isinstance(given, Mapping):
        raise source.error(None, f"{EXPECTED}, found {type(given).__name__}")
    found: dict[str, list[str]] = {}
    for query, documents in given.items():  # pyright: ignore[reportUnknownVariableType]
        if isinstance(documents, str) or not hasattr(documents, "__iter__"):
            raise source.error(None, f"{EXPECTED}; query {query!r} has {documents!r}")
        texts = [id_text(document, f"{source.name}: query {query}") for document in documents]
        found[id_text(query, source.name)] = list(dict.fromkeys(texts))
    return found
