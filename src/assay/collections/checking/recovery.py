"""Continue after a fault: split a file into parts that can be read alone, or read a log without its faulty samples."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from assay.collections.checking.entries import recovery_of
from assay.collections.checking.expectations import Expectations, numbered
from assay.errors import AssayError
from assay.formats.answers.squad import pairs
from assay.formats.frames import cell_lines
from assay.formats.jsonl import members
from assay.io.archives import END, LARGE
from assay.io.sources import Source

ENTRY_OF = "entry of "


class Wrap(NamedTuple):
    """The text around and between parts that makes a file of them; without a separator, parts are read one by one."""

    before: bytes
    between: bytes | None
    after: bytes
    lines: Sequence[int] = ()
    """The original lines of the text before."""


LINES = Wrap(b"", b"\n", b"")
MEMBERS = Wrap(b"[", b",\n", b"]")
ENTRIES = Wrap(b"{", b",\n", b"}")


def _no_question() -> None:
    """Return None: a part that names no question."""


class FilePart(NamedTuple):
    """A part of a file: its bytes, the original number of each of its lines, and its question if known."""

    wrap: Wrap
    body: bytes
    lines: Sequence[int]
    question: Callable[[], str | None] = _no_question

    @property
    def data(self) -> bytes:
        """A file with only this part."""
        return self.wrap.before + self.body + self.wrap.after

    def line(self, number: int | None) -> int | None:
        """Map a line of the part to a line of the file; None is the last line."""
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
    """Yield every part of a file; nothing if it is one unit or cannot be split."""
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
    """Yield rows of a table with multi-line cells; physical lines if quotes are unbalanced."""
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
    filled = ((number, line.strip()) for number, line in numbered(source, expectations) if line.strip())
    heading, header = next(filled)
    wrap = Wrap(header + b"\n", None, b"", [heading])
    for number, line in filled:
        yield FilePart(wrap, line, [number])


def _reports(source: Source) -> Iterator[FilePart]:
    try:
        (heading, header), *numbered_rows = cell_lines(source)
    except (AssayError, ValueError):
        return
    reports: dict[tuple[str, ...], list[tuple[int, list[str]]]] = {}
    for number, cells in numbered_rows:
        # A row with unknown run and topic is a separate part.
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


T = TypeVar("T")

NUMBERED_LINE = "numbered line"
MEMBER_OF = "member of "
MAX_FAULTY_SAMPLES = 20
"""With more faulty samples, reading stops."""
MARK = b"PK\5\6"
MEMBER = re.compile(r": member ((?:samples/|_journal/summaries/|summaries\.json).*?): ")
"""The faulty member of an archive in a reader's message."""


class _Rest(Protocol):
    def without(self, problem: AssayError) -> str | None: ...

    def data(self) -> bytes: ...


def read_without_faults(
    source: Source, format: str, read: Callable[[Source], list[T]], report: Callable[[AssayError, str], None]
) -> tuple[list[T], AssayError | None]:
    """Remove the faulty sample that the reader's error names and read again, until the log is valid.

    So no reported fault is an artefact of splitting the log. Return the samples, and the error that stopped reading, if any.

    report   called with each error whose sample was removed, and its message with the original place

    >>> log = Source("log", data=b'{"htmls": ["<p>Score: 1</p>", "", "<p>Score: x</p>"], "metrics": {}, "score": 1}')
    >>> def read(source):
    ...     for place, page in enumerate(json.loads(source.read())["htmls"]):
    ...         if "1" not in page:
    ...             raise AssayError(f"htmls[{place}]: no score")
    ...     return ["read"]
    >>> read_without_faults(log, "simple-evals", read, lambda problem, message: print(message))
    htmls[1]: no score
    htmls[2]: no score
    (['read'], None)
    """
    rest = _rest_of(source, format)
    stopped: AssayError | None = None
    for faults in range(MAX_FAULTY_SAMPLES + 1):
        if rest is None:
            break
        try:
            return read(Source(source.name, data=rest.data(), label=source.label or source.stem)), None
        except AssayError as problem:
            stopped = problem
        message = rest.without(stopped) if faults < MAX_FAULTY_SAMPLES else None
        if message is None:
            break
        report(stopped, message)
    return [], stopped


def _rest_of(source: Source, format: str) -> _Rest | None:
    shape = source.head.shape
    unit = recovery_of(format)
    if not source.is_bytes:
        return None
    if unit == NUMBERED_LINE:
        return _LogLines(source.read()) if shape in ("json", "table") else None
    if not unit.startswith(MEMBER_OF):
        return None
    if shape == "zip":
        return _Archive(source.read())
    try:
        return _Places(json.loads(source.read()), unit.removeprefix(MEMBER_OF).split("."))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


class _LogLines:
    """A log whose faulty lines are emptied, so that the others keep their numbers."""

    def __init__(self, data: bytes) -> None:
        self._lines = data.split(b"\n")

    def data(self) -> bytes:
        return b"\n".join(self._lines)

    def without(self, problem: AssayError) -> str | None:
        line = getattr(problem, "line", None)
        if line is None or not 0 < line <= len(self._lines) or not self._lines[line - 1]:
            return None
        self._lines[line - 1] = b""
        return str(problem)


class _Places:
    """A document without the faulty members of one list; each member keeps its original index."""

    def __init__(self, document: Any, way: Sequence[str]) -> None:
        self._document = self._holder = document
        for name in way[:-1]:
            self._holder = self._holder[name]
        self._name = way[-1]
        self._left = list(enumerate(self._holder[self._name]))
        self._place = re.compile(rf"\b{self._name}\[([0-9]+)\]")

    def data(self) -> bytes:
        self._holder[self._name] = [member for _, member in self._left]
        return json.dumps(self._document).encode("utf-8", "surrogatepass")

    def without(self, problem: AssayError) -> str | None:
        match = self._place.search(str(problem))
        if match is None or int(match[1]) >= len(self._left):
            return None
        place, _ = self._left.pop(int(match[1]))
        return self._place.sub(f"{self._name}[{place}]", str(problem), count=1)


class _Archive:
    """A zip archive whose faulty members are renamed in its directory, so that nothing is compressed again."""

    def __init__(self, data: bytes) -> None:
        self._data = bytearray(data)
        end = data.rfind(MARK)
        size = END.unpack_from(data, end)[3] if 0 <= end <= len(data) - END.size else LARGE
        self._directory = len(data) if size == LARGE else max(end - size, 0)

    def data(self) -> bytes:
        return bytes(self._data)

    def without(self, problem: AssayError) -> str | None:
        match = MEMBER.search(str(problem))
        if match is None or not self._rename(match[1].encode()):
            return None
        if match[1].startswith("samples/"):
            # The summaries still list it; without them, the reader reads the samples.
            self._rename(b"summaries.json")
            self._rename(b"_journal/summaries/")
        return str(problem)

    def _rename(self, name: bytes) -> bool:
        """Rename every member of that name, keeping its length; return whether there was one."""
        renamed = False
        while (at := self._data.rfind(name, self._directory)) >= 0:
            self._data[at : at + len(name)] = b"-" * len(name)
            renamed = True
        return renamed
