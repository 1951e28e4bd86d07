"""The parts of a file that stand for themselves, each as a file of its own: lines, rows, members of an array, entries."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence

from assay.checking.wanted import Wanted, numbered
from assay.errors import AssayError
from assay.formats.cells import cell_lines
from assay.formats.jsonl import members
from assay.formats.sources import Source
from assay.formats.squad import pairs

BY_LINE = (
    "answers", "pan-answers", "labels", "sets", "table run", "nugget-run", "nugget-assignments", "citation-support",
    "lm-eval", "every-eval-ever",
)  # fmt: skip
"""Formats whose lines stand for themselves; those of a table, below its header; or the members of an array of them."""
BY_MEMBER = ("answers", "lm-eval", "helm", "alpaca-eval")
BY_ENTRY = ("squad-predictions", "squad-na-prob")
"""One JSON object, from ids to something."""
BY_REPORT = ("argue-scores",)
"""A table in which several rows are one report."""


class Part:
    """What can be read alone: the bytes of a file that holds nothing else, the line of each of its lines in the file it is
    taken from, and the question it is about, as far as that can be told without reading it."""

    __slots__ = ("data", "id", "lines")

    def __init__(self, data: bytes, lines: Sequence[int], id: str | None = None) -> None:
        self.data = data
        self.lines = lines
        self.id = id

    def line(self, told: int | None) -> int:
        """Where a line of it stands; its first that is no header where none is told."""
        return self.lines[told - 1] if told is not None and 0 < told <= len(self.lines) else self.lines[-1]


def parts(source: Source, format: str, wanted: Wanted) -> Iterator[Part]:
    """Every part of a file; none of one that is a whole, or too broken to be taken apart."""
    shape = source.head.shape
    if format in BY_ENTRY and shape == "json":
        yield from _entries(source)
    elif format in BY_MEMBER and shape == "array":
        yield from _members(source)
    elif format in BY_REPORT and shape == "table":
        yield from _reports(source)
    elif format == "table run" and shape in ("table", "parquet", "frame"):
        yield from _rows(source, wanted)
    elif format in BY_LINE and shape in ("json", "text") and source.is_bytes:
        yield from _lines(source, wanted)


def _lines(source: Source, wanted: Wanted) -> Iterator[Part]:
    text = source.head.shape == "text"
    for number, raw in numbered(source, wanted):
        line = raw.strip()
        if line and not (text and line.startswith(b"#")):
            yield Part(line, [number], line.split()[0].decode("utf-8", "surrogateescape") if text else _id_of(line))


def _members(source: Source) -> Iterator[Part]:
    try:
        found = list(members(source))
    except AssayError:
        return
    for number, member in found:
        yield Part(b"[" + member + b"]", range(number, number + member.count(b"\n") + 1), _id_of(member))


def _entries(source: Source) -> Iterator[Part]:
    try:
        found = pairs(source, "an object")
    except AssayError:
        return
    for identity, value, line in found:
        yield Part(json.dumps({identity: value}).encode("utf-8", "surrogatepass"), [line], identity)


def _rows(source: Source, wanted: Wanted) -> Iterator[Part]:
    """Rows below their header, a quoted cell of several lines in one piece; physical lines where the quotes are broken."""
    try:
        (heading, header), *found = cell_lines(source)
    except (AssayError, ValueError):
        if source.is_bytes and source.head.shape == "table":
            yield from _plain_rows(source, wanted)
        return
    names = [name.strip() for name in header]
    name = (wanted.columns or {}).get("id", "id")
    place = names.index(name) if name in names else len(header)
    for number, cells in found:
        yield Part(_written([header, cells]), [heading, number], cells[place] if place < len(cells) else None)


def _plain_rows(source: Source, wanted: Wanted) -> Iterator[Part]:
    spoken = ((number, line.strip()) for number, line in numbered(source, wanted) if line.strip())
    heading, header = next(spoken)
    for number, line in spoken:
        yield Part(header + b"\n" + line, [heading, number])


def _reports(source: Source) -> Iterator[Part]:
    try:
        (heading, header), *found = cell_lines(source)
    except (AssayError, ValueError):
        return
    reports: dict[tuple[str, ...], list[tuple[int, list[str]]]] = {}
    for number, cells in found:
        # What cannot be told whose it is, is looked at by itself.
        whose = tuple(cells[:2]) if len(cells) == len(header) else (str(number),)
        if whose[1:] != ("all",):
            reports.setdefault(whose, []).append((number, cells))
    for whose, rows in reports.items():
        data = "\n".join("\t".join(cells) for cells in [header, *(cells for _, cells in rows)])
        lines = [heading, *(number for number, _ in rows)]
        yield Part(data.encode("utf-8", "surrogateescape"), lines, whose[1] if whose[1:] else None)


def _written(rows: Sequence[Sequence[str]]) -> bytes:
    """Rows as CSV; each in one line of its own only where no cell has several."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def _id_of(text: bytes) -> str | None:
    """The question of an object that cannot be read, as far as it tells."""
    try:
        identity = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return str(identity) if isinstance(identity, (str, int)) and not isinstance(identity, bool) else None
