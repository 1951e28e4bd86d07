"""Split a file into parts that can be read alone: lines, rows, members of an array, entries of an object."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from assay.collections.checking.entries import recovery_of
from assay.collections.checking.expectations import Expectations, numbered
from assay.errors import AssayError
from assay.formats.answers.squad import pairs
from assay.formats.frames import cell_lines
from assay.formats.jsonl import members
from assay.io.sources import Source

ENTRY_OF = "entry of "


class Wrap(NamedTuple):
    """The text around and between parts that makes a file of them; parts without a separator are read one by one."""

    before: bytes
    between: bytes | None
    after: bytes
    lines: Sequence[int] = ()
    """The original lines of the text before."""


LINES = Wrap(b"", b"\n", b"")
MEMBERS = Wrap(b"[", b",\n", b"]")
ENTRIES = Wrap(b"{", b",\n", b"}")


def _no_question() -> None:
    """Return None, as the question of a part that names none."""


class FilePart(NamedTuple):
    """A part of a file: its bytes, the original line of each of its lines, and its question where known."""

    wrap: Wrap
    body: bytes
    lines: Sequence[int]
    question: Callable[[], str | None] = _no_question

    @property
    def data(self) -> bytes:
        """A file with this part only."""
        return self.wrap.before + self.body + self.wrap.after

    def line(self, number: int | None) -> int | None:
        """Map a line of the part to a line of the file; its last line where None is given."""
        if not self.lines:
            return None
        above = len(self.wrap.lines)
        if number is None or not 0 < number <= above + len(self.lines):
            return self.lines[-1]
        return self.wrap.lines[number - 1] if number <= above else self.lines[number - above - 1]


def joined(parts: Sequence[FilePart]) -> FilePart:
    """Join several parts.

    >>> joined([FilePart(MEMBERS, b'{"id": 1}', [4]), FilePart(MEMBERS, b'{"id": 2}', [7])]).data
    b'[{"id": 1},\\n{"id": 2}]'
    """
    wrap = parts[0].wrap
    body = (wrap.between or b"").join(part.body for part in parts)
    return FilePart(wrap, body, [line for part in parts for line in part.lines])


def parts(source: Source, format: str, expectations: Expectations) -> Iterator[FilePart]:
    """Yield every part of a file; nothing where it is one unit or too broken to be split."""
    shape = source.head.shape
    for unit in recovery_of(format).split(", "):
        if unit == "entry" and shape == "json":
            yield from _entries(source)
        elif unit.startswith(ENTRY_OF) and shape == "json":
            yield from _entries_of(source, unit.removeprefix(ENTRY_OF))
        elif unit == "member" and shape == "array":
            yield from _members(source)
        elif unit == "report" and shape == "table":
            yield from _reports(source)
        elif unit == "row" and shape in ("table", "parquet", "frame"):
            yield from _rows(source, expectations)
        elif unit == "line" and shape in ("json", "text") and source.is_bytes:
            yield from _lines(source, expectations)


def _lines(source: Source, expectations: Expectations) -> Iterator[FilePart]:
    text = source.head.shape == "text"
    for number, raw in numbered(source, expectations):
        line = raw.strip()
        if line and not (text and line.startswith(b"#")):
            yield FilePart(LINES, line, [number], partial(_first_word if text else _id_of, line))


def _members(source: Source) -> Iterator[FilePart]:
    try:
        numbered_members = list(members(source))
    except AssayError:
        return
    for number, member in numbered_members:
        yield FilePart(MEMBERS, member, range(number, number + member.count(b"\n") + 1), partial(_id_of, member))


def _entries(source: Source) -> Iterator[FilePart]:
    try:
        entries = pairs(source, "an object")
    except AssayError:
        return
    for identity, value, line in entries:
        body = f"{json.dumps(identity)}: {json.dumps(value)}".encode("utf-8", "surrogatepass")
        yield FilePart(ENTRIES, body, [line], partial(str, identity))


def _entries_of(source: Source, key: str) -> Iterator[FilePart]:
    """Yield the entries of the object under a key of the document."""
    try:
        entries = json.loads(source.read())[key].items()
    except (AttributeError, ValueError, TypeError, KeyError, RecursionError):
        return
    wrap = Wrap(f'{{"{key}": {{'.encode(), None, b"}}")
    for name, value in entries:
        body = f"{json.dumps(name)}: {json.dumps(value)}".encode("utf-8", "surrogatepass")
        yield FilePart(wrap, body, (), partial(str, name))


def _rows(source: Source, expectations: Expectations) -> Iterator[FilePart]:
    """Yield rows of a table, cells of several lines kept whole; physical lines where quotes are broken."""
    try:
        (heading, header), *rows = cell_lines(source)
    except (AssayError, ValueError):
        if source.is_bytes and source.head.shape == "table":
            yield from _plain_rows(source, expectations)
        return
    names = [name.strip() for name in header]
    name = (expectations.columns or {}).get("id", "id")
    place = names.index(name) if name in names else len(header)
    above = _written(header)
    wrap = Wrap(above + b"\n", b"\n", b"", [heading] * (above.count(b"\n") + 1))
    for number, cells in rows:
        body = _written(cells)
        lines = [number] * (body.count(b"\n") + 1)
        yield FilePart(wrap, body, lines, partial(str, cells[place]) if place < len(cells) else _no_question)


def _plain_rows(source: Source, expectations: Expectations) -> Iterator[FilePart]:
    spoken = ((number, line.strip()) for number, line in numbered(source, expectations) if line.strip())
    heading, header = next(spoken)
    wrap = Wrap(header + b"\n", None, b"", [heading])
    for number, line in spoken:
        yield FilePart(wrap, line, [number])


def _reports(source: Source) -> Iterator[FilePart]:
    try:
        (heading, header), *numbered_rows = cell_lines(source)
    except (AssayError, ValueError):
        return
    reports: dict[tuple[str, ...], list[tuple[int, list[str]]]] = {}
    for number, cells in numbered_rows:
        # A row of unknown run and topic is a part of its own.
        whose = tuple(cells[:2]) if len(cells) == len(header) else (str(number),)
        if whose[1:] != ("all",):
            reports.setdefault(whose, []).append((number, cells))
    wrap = Wrap("\t".join([*header]).encode("utf-8", "surrogateescape") + b"\n", None, b"", [heading])
    for whose, rows in reports.items():
        data = "\n".join("\t".join(cells) for _, cells in rows).encode("utf-8", "surrogateescape")
        yield FilePart(
            wrap, data, [number for number, _ in rows], partial(str, whose[1]) if whose[1:] else _no_question
        )


def _written(cells: Sequence[str]) -> bytes:
    """Return a row as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()[:-1].encode("utf-8", "surrogateescape")


def _first_word(line: bytes) -> str:
    return line.split()[0].decode("utf-8", "surrogateescape")


def _id_of(text: bytes) -> str | None:
    """Return the id of an object that its reader refuses, or None."""
    try:
        identity = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return str(identity) if isinstance(identity, (str, int)) and not isinstance(identity, bool) else None
