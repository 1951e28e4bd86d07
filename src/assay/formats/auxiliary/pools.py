"""Pools: the documents of each topic, in the order of judging.

JSONL    {"topic": "301", "document": "FBIS3-1"}      a line a document, as `assay pool -o pool.jsonl` writes it; or JSON, a
                                                      table, or lines of topic and document
folder   301.txt                                      a file a topic with an id on each line, as `assay pool -o FOLDER/` does;
                                                      topics.csv says which file is whose, where names could not
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import msgspec

from assay.errors import InputError
from assay.formats.auxiliary.judges import pairs_of
from assay.formats.frames import cell_lines
from assay.formats.json_files import decode
from assay.formats.jsonl import Id, plain
from assay.formats.object_ids import id_text
from assay.formats.recognition import reads
from assay.io.csv_escaping import unguarded
from assay.io.heads import is_mapping
from assay.io.sources import Source, path_of, source_of

Pool = dict[str, list[str]]
WHOSE = "topics.csv"
EXPECTED = 'expected a line a document, {"topic": …, "document": …}, or a folder with a file a topic'


class _Documents(msgspec.Struct):
    documents: list[Id]


class _Written(msgspec.Struct):
    """The used part of what `assay pool -f json` writes."""

    topics: dict[str, _Documents]


def read_pool(pool: Any) -> Pool:
    """Read the documents of every topic, in the order of the pool; a repeated document is an error.

    given   a file, a folder, or {topic: [document]}

    >>> read_pool(b'{"topic": "2", "document": "b"}\\n{"topic": "1", "document": "a"}\\n{"topic": "2", "document": "a"}')
    {'2': ['b', 'a'], '1': ['a']}
    """
    path = path_of(pool)
    if path is not None and os.path.isdir(path):
        return _pool(_folder(path), path)
    if is_mapping(pool):
        source = source_of(pool, "<pool>")
        rows = (
            (source, None, id_text(topic, source.name), id_text(document, f"{source.name}: topic {topic}"))
            for topic, documents in pool.items()
            for document in documents
        )
        return _pool(rows, source.name)
    return read_file(source_of(pool, None if path is not None else "<pool>"))


@reads("pool", role="beside", yields="documents to judge: topic, document")
def read_file(source: Source) -> Pool:
    """Read the pool of one file."""
    return _pool(_file(source), source.name)


Pooled = Iterator[tuple[Source, int | None, str, str]]


def _pool(rows: Pooled, name: str) -> Pool:
    pool: Pool = {}
    first: dict[tuple[str, str], int | None] = {}
    for source, line, topic, document in rows:
        if (topic, document) in first:
            before = first[topic, document]
            place = f"on line {before}" if before is not None else "listed"
            problem = f"document {document!r} of topic {topic!r} is already {place}; expected each once"
            raise source.error(line, problem)
        first[topic, document] = line
        pool.setdefault(topic, []).append(document)
    if not pool:
        raise InputError(f"{name}: holds no documents to judge; {EXPECTED}")
    return pool


def _file(source: Source) -> Pooled:
    if source.head.shape == "json" and not source.head.record:  # no object on its first line: one of several lines
        for topic, topic_pool in decode(
            source, _Written, 'a pool: {"topics": {topic: {"documents": [id]}}}'
        ).topics.items():
            yield from ((source, None, topic, plain(document)) for document in topic_pool.documents)
        return
    for line, topic, document in pairs_of(source):
        yield source, line, topic, document


def _folder(path: str) -> Pooled:
    """Yield the pool of a folder: each file is named after its topic, unless topics.csv says otherwise."""
    whose = _whose(path)
    files: dict[str, Source] = {}
    for name in sorted(name for name in os.listdir(path) if not name.startswith(".") and name != WHOSE):
        file = os.path.join(path, name)
        if not os.path.isfile(file):
            raise InputError(f"{file}: is no file; {EXPECTED}")
        if whose is not None and name not in whose:
            raise InputError(f"{file}: is not among the files of {WHOSE} beside it, which says what topic each is of")
        topic = Source(name, path=file).stem if whose is None else whose[name]
        if topic in files:
            raise InputError(f"{file}: is of topic {topic!r}, and so is {files[topic].name}; expected a file a topic")
        files[topic] = Source(file, path=file)
    for topic in sorted(files, key=lambda key: key.encode("utf-8", "surrogateescape")):
        # No line is a comment here: a document may be called #1.
        for line, raw in enumerate(files[topic].lines(), 1):
            document = raw.decode("utf-8", "surrogateescape").strip()
            if document:
                yield files[topic], line, topic, document


def _whose(path: str) -> dict[str, str] | None:
    """Return the topic of each file from topics.csv: not every topic can be a file name."""
    file = os.path.join(path, WHOSE)
    if not os.path.isfile(file):
        return None
    source = Source(file, path=file)
    if source.head.columns != ("file", "topic"):
        raise source.error(1, "says which file is whose topic; expected the columns file and topic")
    topics: dict[str, str] = {}
    lines = cell_lines(source)
    next(lines)
    for line, cells in lines:
        if len(cells) != 2 or not all(cells):
            raise source.error(line, f"expected a file and a topic, found {cells!r:.40}")
        topics[unguarded(cells[0])] = unguarded(cells[1])
    return topics
