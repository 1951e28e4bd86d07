"""A pool as an assessor gets it: the documents of each topic, in the order in which they are to be judged.

JSONL    {"topic": "301", "document": "FBIS3-1"}      a line a document, as `assay pool -o pool.jsonl` writes it; or JSON, a
                                                      table, or lines of topic and document
folder   301.txt                                      a file a topic with an id on each line, as `assay pool -o FOLDER/` does; where
                                                      not every topic can name a file, topics.csv says whose each is
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from typing import Any

import msgspec

from assay.errors import InputError
from assay.formats.assessments import pairs_of
from assay.formats.heads import BOM, is_mapping
from assay.formats.json_files import decode
from assay.formats.jsonl import Id, plain
from assay.formats.sources import Source, path_of, source_of
from assay.visible import unguarded

Pool = dict[str, list[str]]
WHOSE = "topics.csv"
EXPECTED = 'expected a line a document, {"topic": …, "document": …}, or a folder with a file a topic'


class _Documents(msgspec.Struct):
    documents: list[Id]


class _Written(msgspec.Struct):
    """What `assay pool -f json` writes, as far as it is needed."""

    topics: dict[str, _Documents]


def read_pool(given: Any) -> Pool:
    """The documents of every topic, both in the order of the pool; a document twice in a topic is an error.

    given   a file, a folder, or {topic: [document]}

    >>> read_pool(b'{"topic": "2", "document": "b"}\\n{"topic": "1", "document": "a"}\\n{"topic": "2", "document": "a"}')
    {'2': ['b', 'a'], '1': ['a']}
    """
    path = path_of(given)
    if path is not None and os.path.isdir(path):
        found = _folder(path)
    elif is_mapping(given):
        found = ((source_of(given, "<pool>"), None, str(topic), str(one)) for topic, of in given.items() for one in of)
    else:
        found = _file(source_of(given, None if path is not None else "<pool>"))
    pool: Pool = {}
    first: dict[tuple[str, str], int | None] = {}
    for source, line, topic, document in found:
        if (topic, document) in first:
            before = first[topic, document]
            there = f" on line {before}" if before is not None else ""
            raise source.error(
                line, f"document {document!r} of topic {topic!r} stands already{there}; expected each once"
            )
        first[topic, document] = line
        pool.setdefault(topic, []).append(document)
    if not pool:
        raise InputError(f"{path or '<pool>'}: holds no documents to judge; {EXPECTED}")
    return pool


Pooled = Iterator[tuple[Source, int | None, str, str]]


def _file(source: Source) -> Pooled:
    if source.head.shape == "json" and not source.head.record:  # no object on its first line: one of several lines
        for topic, told in decode(source, _Written, 'a pool: {"topics": {topic: {"documents": [id]}}}').topics.items():
            yield from ((source, None, topic, plain(document)) for document in told.documents)
        return
    for line, topic, document in pairs_of(source):
        yield source, line, topic, document


def _folder(path: str) -> Pooled:
    """A file a topic, called by it, or by what topics.csv says of the file."""
    named = _named_files(os.path.join(path, WHOSE))
    files: dict[str, Source] = {}
    for name in sorted(name for name in os.listdir(path) if not name.startswith(".") and name != WHOSE):
        file = os.path.join(path, name)
        if not os.path.isfile(file):
            raise InputError(f"{file}: is no file; {EXPECTED}")
        if named is not None and name not in named:
            raise InputError(f"{file}: is not among the files that {WHOSE} lists; expected the topic of each there")
        files[Source(name, path=file).stem if named is None else named[name]] = Source(file, path=file)
    for topic in sorted(files, key=lambda one: one.encode("utf-8", "surrogateescape")):
        # No line is a comment here: a document may be called #1.
        for line, raw in enumerate(files[topic].lines(), 1):
            document = raw.removeprefix(BOM).decode("utf-8", "surrogateescape").strip()
            if document:
                yield files[topic], line, topic, document


def _named_files(path: str) -> dict[str, str] | None:
    """By file the topic whose documents it has; None where no topics.csv says so, and files are called by their topics."""
    if not os.path.isfile(path):
        return None
    source = Source(path, path=path)
    lines = source.read().removeprefix(BOM).decode("utf-8", "surrogateescape").splitlines()
    named: dict[str, str] = {}
    for number, row in enumerate(csv.reader(lines), 1):
        if number == 1 and row == ["file", "topic"]:
            continue
        if len(row) != 2 or row[0] in named or unguarded(row[1]) in named.values():
            raise source.error(number, f"expected a file and its topic, each once, found {','.join(row)!r}")
        named[unguarded(row[0])] = unguarded(row[1])
    return named
