"""Filtering runs: sets of documents per topic, from TREC run files or plain `topic document` lists; and the time periods
of the stream of documents they filter.

boundaries     a document id a line: the last document of each period but the final one, in the order of time.
               Three lines make four periods. Ids that are all digits are compared as numbers, others as bytes.
times          `document time` a line, a time being a number or an ISO date: the span from the earliest to the
               latest time is cut into `count` periods of equal length (four unless asked)

Document ids are kept as text decoded like the judgments' (bytes that are not UTF-8 survive).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import isnan
from typing import Any

import msgspec

from assay.errors import FormatError, InputError, UsageError
from assay.formats import frames
from assay.formats.json_files import decode
from assay.formats.lines import field_lines, parse_number, text_lines
from assay.formats.object_ids import id_text
from assay.formats.recognition import reads
from assay.io.sources import Source
from assay.settings import Kind, checked

EXPECTED = "2 fields (topic, document) or 6 (topic, Q0, document, rank, score, tag)"


class RetrievedSets(msgspec.Struct, eq=False):
    """One run: the documents of each topic, with their lines."""

    name: str
    tag: str = ""
    topics: dict[str, dict[str, int]] = {}


@reads(
    "sets",
    role="run",
    task="filtering",
    yields="sets of documents: topic, document; or a TREC run",
    recovers="line",
)
def read_sets(source: Source) -> RetrievedSets:
    """Read the sets of a run file, of {topic: documents} or of a data frame; ranks and scores are ignored."""
    sets = RetrievedSets(source.name)
    if source.is_bytes:
        _from_text(source, sets)
    elif isinstance(source.data, dict):
        for topic, documents in source.data.items():
            if isinstance(documents, (str, bytes)) or not hasattr(documents, "__iter__"):
                raise InputError(f"{source.name}: topic {topic}: expected its documents, found {documents!r}")
            name = id_text(topic, source.name)
            for place, document in enumerate(documents, 1):
                _add(sets, name, id_text(document, f"{source.name}: topic {name}"), place)
            sets.topics.setdefault(name, {})
    else:
        frame = frames.frame_of(source, "{topic: documents}")
        columns = frames.columns_of(source, frame, frames.TOPIC, frames.DOCUMENT)
        for row, (topic, document) in enumerate(zip(*(cells for _, cells in columns), strict=True), 1):
            where = f"{source.name}: row {row}"
            _add(sets, id_text(topic, where), id_text(document, where), row)
    if not sets.topics:
        raise InputError(f"{source.name}: is empty; expected lines of {EXPECTED}")
    return sets


def _from_text(source: Source, sets: RetrievedSets) -> None:
    width = 0
    for line, fields in field_lines(source):
        width = width or len(fields)
        if len(fields) not in (2, 6) or len(fields) != width:
            expected = EXPECTED if width not in (2, 6) else f"{width} fields as on the lines before"
            raise source.error(line, f"expected {expected}, found {len(fields)}")
        if width == 6:
            if isnan(parse_number(fields[4])):
                raise source.error(line, f"expected a number as score (field 5), found {fields[4]!r}")
            sets.tag = fields[5]
        _add(sets, fields[0], fields[1 if width == 2 else 2], line)


def _add(sets: RetrievedSets, topic: str, document: str, line: int) -> None:
    documents = sets.topics.setdefault(topic, {})
    first = documents.setdefault(document, line)
    if first != line:
        twice = f"document {document} appears a second time in topic {topic}, first on line {first}"
        raise FormatError(sets.name, line, f"{twice}; remove one of the two")


DEFAULT_PERIODS = 4
MAX_PERIODS = 10_000
"""The most periods, which are counted for every topic and run."""
MAX_DIGITS = 1000
"""Digits of the longest number; Python refuses longer ones with advice on its configuration."""


class Periods(msgspec.Struct, eq=False):
    """The period of each document, from 0; `labels` name the periods by the ids or times they span."""

    name: str
    labels: list[str]
    of: Callable[[str], int | None]
    """The period of a document; None where the file does not say."""


@reads("periods", role="beside", yields="time periods: document ids that end them, or a document and its time, a line")
def read_periods(source: Source, count: int | None = None) -> Periods:
    """Read the periods of a file of either kind; `count` is for times alone, boundaries determine their number."""
    rows = [(line, text.split()) for line, text in text_lines(source)]
    if not rows:
        raise InputError(f"{source.name}: is empty; expected a document id a line, or a document and its time")
    width = len(rows[0][1])
    for line, words in rows:
        if width > 2:
            raise source.error(line, f"expected a document id, or a document and its time, found {len(words)} fields")
        if len(words) != width:
            raise source.error(line, f"expected {width} fields as on line {rows[0][0]}, found {len(words)}")
    if width == 2:
        return _from_times(source.name, rows, DEFAULT_PERIODS if count is None else count)
    if count is not None and count != len(rows) + 1:
        raise UsageError(f"{source.name} has {len(rows)} boundaries, which make {len(rows) + 1} periods, not {count}")
    return _from_boundaries(source.name, [(line, words[0]) for line, words in rows])


def _from_boundaries(name: str, rows: list[tuple[int, str]]) -> Periods:
    numeric = all(_is_number(boundary) for _, boundary in rows)

    def key(document: str) -> Any:
        # Digits without zeros in front, the longer the larger: ids may have more of them than Python makes numbers of.
        digits = document.lstrip("0")
        return (len(digits), digits) if numeric else document.encode("utf-8", "surrogateescape")

    keys = [key(boundary) for _, boundary in rows]
    for place, ((before, earlier), (line, boundary)) in enumerate(pairwise(rows)):
        if keys[place + 1] <= keys[place]:
            how = "as numbers" if numeric else "as bytes"
            raise FormatError(name, line, f"boundary {boundary} does not come after {earlier} on line {before} ({how})")
    last = [boundary for _, boundary in rows]
    labels = [f"up to {last[0]}", *(f"{a} to {b}" for a, b in pairwise(last)), f"after {last[-1]}"]

    def period(document: str) -> int | None:
        return None if numeric and not _is_number(document) else bisect_left(keys, key(document))

    return Periods(name, labels, period)


def _is_number(document: str) -> bool:
    return document.isascii() and document.isdigit()


def _from_times(name: str, rows: list[tuple[int, list[str]]], count: int) -> Periods:
    checked("period_count", count, Kind(int, f"a whole number from 1 to {MAX_PERIODS:,}", low=1, high=MAX_PERIODS))
    times: dict[str, Fraction] = {}
    lines: dict[str, int] = {}
    written: dict[Fraction, str] = {}
    kind = _kind(rows[0][1][1])
    for line, (document, text) in rows:
        if document in lines:
            raise FormatError(name, line, f"document {document} has a time already on line {lines[document]}")
        time = None if _kind(text) != kind else _time(text)
        if time is None:
            date = "an ISO date such as 2001-11-13 or 2001-11-13T09:30"
            expected = f"a number of at most {MAX_DIGITS} digits" if kind == "number" else date
            raise FormatError(name, line, f"time {text!r}: expected {expected}")
        times[document], lines[document] = time, line
        written.setdefault(time, text)
    earliest, latest = min(times.values()), max(times.values())
    span = latest - earliest

    def period(document: str) -> int | None:
        time = times.get(document)
        if time is None:
            return None
        return min(count - 1, int((time - earliest) * count // span)) if span else 0

    times_by_period: list[list[Fraction]] = [[] for _ in range(count)]
    for document, time in times.items():
        times_by_period[period(document) or 0].append(time)
    labels = [
        f"{written[min(group)]} to {written[max(group)]}" if group else "no documents" for group in times_by_period
    ]
    return Periods(name, labels, period)


def _kind(text: str) -> str:
    # Written out, so that an exponent cannot ask for a number with a billion digits.
    return "number" if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", text, re.ASCII) else "date"


def _time(text: str) -> Fraction | None:
    """Return a point in time as an exact number: as written, or microseconds since year 1."""
    if _kind(text) == "number":
        return Fraction(text) if len(text) <= MAX_DIGITS else None
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    since = zoned - datetime(1, 1, 1, tzinfo=UTC)
    return Fraction((since.days * 86400 + since.seconds) * 1_000_000 + since.microseconds)


EXPECTED_CHANGED = "expected {query: [document, …]} in JSON, or lines of a query and a document"


def read_changed(source: Source) -> dict[str, list[str]]:
    """Return the documents of each query; lines may also be qrels, whose grades are ignored.

    >>> read_changed(Source("changed.txt", data=b"q1 d1\\nq1 d2\\nq2 d1\\n"))
    {'q1': ['d1', 'd2'], 'q2': ['d1']}
    """
    if not source.is_bytes or source.head.shape == "json":
        return _of_mapping(
            source, source.data if not source.is_bytes else decode(source, dict[str, Any], EXPECTED_CHANGED)
        )
    changed: dict[str, dict[str, None]] = {}
    for line, fields in field_lines(source):
        if len(fields) not in (2, 4):
            raise source.error(line, f"{EXPECTED_CHANGED} (2 fields, or 4 as in qrels), found {len(fields)} fields")
        changed.setdefault(fields[0], {})[fields[1] if len(fields) == 2 else fields[2]] = None
    return {query: list(documents) for query, documents in changed.items()}


def _of_mapping(source: Source, mapping: Any) -> dict[str, list[str]]:
    if not isinstance(mapping, Mapping):
        raise source.error(None, f"{EXPECTED_CHANGED}, found {type(mapping).__name__}")
    changed: dict[str, list[str]] = {}
    for query, documents in mapping.items():  # pyright: ignore[reportUnknownVariableType]
        if isinstance(documents, str) or not hasattr(documents, "__iter__"):
            raise source.error(None, f"{EXPECTED_CHANGED}; query {query!r} has {documents!r}")
        texts = [id_text(document, f"{source.name}: query {query}") for document in documents]
        changed[id_text(query, source.name)] = list(dict.fromkeys(texts))
    return changed
