"""The expectations of a submission (rules, topics, documents), and the checks of topics that all formats share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.collections.checking.findings import File
from assay.collections.checking.rules import Rules
from assay.errors import InputError, shorten_list
from assay.formats.auxiliary.documents import IDS as DOCUMENT_IDS
from assay.formats.auxiliary.topics import IDS as TOPIC_IDS
from assay.formats.auxiliary.topics import named, read_topics, tabbed
from assay.formats.id_prefixes import Prefixes, other_prefix
from assay.formats.jsonl import json_lines
from assay.formats.lines import text_lines
from assay.io.sources import Source, path_of, source_of

MAX_LISTED_IDS = 3
"""Ids that a finding lists; the others are counted."""
PROGRESS_LINES = 1 << 14
"""Lines between two reports of progress."""


@dataclass
class Expectations:
    """Rules, expected topics, known documents and names of columns; `read` is called with the bytes read."""

    rules: Rules = field(default_factory=Rules)
    topics: Sequence[str] | None = None
    documents: frozenset[str] | None = None
    read: Callable[[int], None] = lambda size: None
    columns: Mapping[str, str] | None = None


def numbered(source: Source, expectations: Expectations) -> Iterator[tuple[int, bytes]]:
    """Yield every line with its number, and report progress."""
    size = 0
    for number, raw in enumerate(source.lines(), 1):
        size += len(raw) + 1
        if number % PROGRESS_LINES == 0:
            expectations.read(size)
            size = 0
        yield number, raw
    expectations.read(size)


Topics = Mapping[str, tuple[int | None, int]]
"""By topic, the line it begins on and how many lines it has."""


def check_topics(file: File, topics: Topics, expectations: Expectations, noun: str = "topic") -> None:
    """Report unexpected topics, missing topics and a wrong number of topics."""
    file.topics = len(topics)
    rules = expectations.rules
    if expectations.topics is not None:
        expected_topics = set(expectations.topics)
        prefixes = _other_prefix(topics, expected_topics)
        if prefixes is not None:
            topics = _report_prefix(file, topics, prefixes, noun)
        for topic, (line, count) in topics.items():
            if topic not in expected_topics:
                message = f"{noun} {topic}"
                expected = f"one of the {len(expected_topics):,} {noun}s of the task"
                mend = "correct the id, or remove its lines"
                file.error("unknown-topic", line, message, expected, mend, count=count)
        missing = [topic for topic in dict.fromkeys(expectations.topics) if topic not in topics]
        if missing:
            message = (
                f"{len(missing):,} of {len(expected_topics):,} {noun}s missing: {shorten_list(missing, MAX_LISTED_IDS)}"
            )
            mend = f"submit results for them; a {noun} without results counts as one with nothing retrieved"
            file.warning("missing-topic", None, message, f"every {noun} of the task", mend, count=len(missing))
    # Missing topics are listed above if the expected ones are known.
    if rules.topics is not None and (
        len(topics) > rules.topics or (len(topics) < rules.topics and expectations.topics is None)
    ):
        too_many = len(topics) > rules.topics
        report = file.error if too_many else file.warning
        mend = f"remove the {noun}s that are not part of the task" if too_many else f"submit every {noun}"
        report("topics", None, f"{len(topics):,} {noun}s", f"{rules.topics:,}, as the rules say", mend)
    if rules.numbered_from is not None:
        _check_numbers(file, topics, rules.numbered_from, noun)


def _other_prefix(topics: Topics, expected: set[str]) -> Prefixes | None:
    """Return how the prefix of the topics differs, where that explains all of them."""
    first = next(iter(topics), None)
    prefixes = None if first is None or first in expected else other_prefix(first, expected)
    explained = prefixes is not None and all(
        topic.startswith(prefixes.found) and prefixes.replaced(topic) in expected for topic in topics
    )
    return prefixes if explained else None


def _report_prefix(file: File, topics: Topics, prefixes: Prefixes, noun: str) -> dict[str, tuple[int | None, int]]:
    """Report a prefix that differs, and return the topics with the expected one."""
    first, (line, _) = next(iter(topics.items()))
    found, expected = (
        f"with {prefix!r}" if prefix else "without a prefix" for prefix in (prefixes.found, prefixes.expected)
    )
    message = f"{noun}s that begin {found}, as {first}"
    mend = "replace the prefix on every line"
    file.error("topic-prefix", line, message, f"{noun}s that begin {expected}, as {prefixes.replaced(first)}", mend)
    return {prefixes.replaced(topic): lines for topic, lines in topics.items()}


def _check_numbers(file: File, topics: Topics, first: int, noun: str) -> None:
    """Report ids that are not numbers or too low, and gaps between them."""
    expected = f"whole numbers from {first} on, none left out"
    mend = "use the original numbers"
    numbers: dict[int, int | None] = {}
    for identity, (line, _) in topics.items():
        number = int(identity) if identity.isascii() and identity.isdecimal() and len(identity) < 19 else None
        if number is None or number < first:
            file.error("numbering", line, f"{noun} {identity}", expected, mend, group="which")
        else:
            numbers[number] = line
    before = first - 1
    for number in sorted(numbers):
        if number > before + 1:
            left = shorten_list(range(before + 1, number), MAX_LISTED_IDS)
            message = f"no {left} before {number}"
            file.error(
                "numbering", numbers[number], message, expected, mend, group="left out", count=number - before - 1
            )
        before = number


def topic_ids(ids: Any) -> list[str] | None:
    """Read topic ids from a file of topics, a file of ids, or a list; None for None.

    >>> topic_ids(b"301\\n302\\n"), topic_ids(["q1"])
    (['301', '302'], ['q1'])
    """
    source = _source_of_ids(ids, "<topics>")
    if source is None:
        return None if ids is None else list(map(str, ids))
    if source.head.text[:1] == b"<":
        return list(read_topics(source))
    return list(dict.fromkeys(_ids(source, TOPIC_IDS, "topics")))


def document_ids(ids: Any) -> frozenset[str] | None:
    """Read document ids from JSONL or TSV, a file of ids, or a list; None for None."""
    source = _source_of_ids(ids, "<docs>")
    if source is None:
        return None if ids is None else frozenset(map(str, ids))
    return frozenset(_ids(source, DOCUMENT_IDS, "documents"))


def _source_of_ids(ids: Any, name: str) -> Source | None:
    """Return the file or bytes with the ids; None for a list of ids."""
    if path_of(ids) is not None or isinstance(ids, (bytes, Source)):
        return source_of(ids, name if isinstance(ids, bytes) else None)
    if ids is not None and not hasattr(ids, "__iter__"):
        raise InputError(f"{name}: expected a file or ids, found {type(ids).__name__}")
    return None


def _ids(source: Source, names: tuple[str, ...], holding: str) -> Iterator[str]:
    shape = source.head.shape
    if shape in ("json", "array"):
        for line, row in json_lines(source, holding):
            yield named(source, line, row, names)
        return
    if shape in ("parquet", "zip"):
        raise source.error(
            None, f"is not text; expected {holding}: JSON objects, lines of id, tab, text, or one id a line"
        )
    if b"\t" in source.head.text.partition(b"\n")[0]:
        for _, identity, _ in tabbed(source, names, f"expected {holding} as lines of id, tab, text"):
            yield identity
        return
    empty = True
    for line, text in text_lines(source):
        if len(text.split()) != 1:
            raise source.error(line, f"found {text[:40]!r}; expected one id a line, or id, tab, text")
        empty = False
        yield text
    if empty:
        raise source.error(None, f"has no {holding}; expected one id a line")
