"""Read the ids a submission may name: topics and documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.errors import InputError
from assay.formats.auxiliary.documents import IDS as DOCUMENT_IDS
from assay.formats.auxiliary.topics import IDS as TOPIC_IDS
from assay.formats.auxiliary.topics import named, read_topics, tabbed
from assay.formats.jsonl import json_lines
from assay.formats.lines import text_lines
from assay.io.sources import Source, path_of, source_of


def topic_ids(ids: Any) -> list[str] | None:
    """Read topic ids from a file of topics, a file of ids, or a list; None where none are given.

    >>> topic_ids(b"301\\n302\\n"), topic_ids(["q1"])
    (['301', '302'], ['q1'])
    """
    source = _source(ids, "<topics>")
    if source is None:
        return None if ids is None else list(map(str, ids))
    if source.head.text[:1] == b"<":
        return list(read_topics(source))
    return list(dict.fromkeys(_entries(source, TOPIC_IDS, "topics")))


def document_ids(ids: Any) -> frozenset[str] | None:
    """Read document ids from JSONL or TSV, a file of ids, or a list; None where none are given."""
    source = _source(ids, "<docs>")
    if source is None:
        return None if ids is None else frozenset(map(str, ids))
    return frozenset(_entries(source, DOCUMENT_IDS, "documents"))


def _source(ids: Any, name: str) -> Source | None:
    """Return the file or bytes with the ids; None where the ids themselves were given."""
    if path_of(ids) is not None or isinstance(ids, (bytes, Source)):
        return source_of(ids, name if isinstance(ids, bytes) else None)
    if ids is not None and not hasattr(ids, "__iter__"):
        raise InputError(f"{name}: expected a file or ids, found {type(ids).__name__}")
    return None


def _entries(source: Source, names: tuple[str, ...], holding: str) -> Iterator[str]:
    shape = source.head.shape
    if shape in ("json", "array"):
        for line, row in json_lines(source, holding):
            yield named(source, line, row, names)
        return
    if shape in ("parquet", "zip"):
        raise source.error(
            None, f"is no text; expected {holding}: JSON objects, id and text between a tab, or ids a line"
        )
    if b"\t" in source.head.text.partition(b"\n")[0]:
        for _, identity, _ in tabbed(source, names, f"expected {holding} as lines of id, tab, text"):
            yield identity
        return
    nothing = True
    for line, text in text_lines(source):
        if len(text.split()) != 1:
            raise source.error(line, f"found {text[:40]!r}; expected one id a line, or id, tab, text")
        nothing = False
        yield text
    if nothing:
        raise source.error(None, f"holds no {holding}; expected their ids, one a line")
