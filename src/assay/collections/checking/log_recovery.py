"""Read a log whose samples depend on each other: remove the faulty sample and read again, until it is clean.

So no reported fault is an artefact of splitting the log. The reader's error names the place: a line, a member of a list, or a
member of an archive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from assay.collections.checking.entries import recovery_of
from assay.errors import AssayError
from assay.io.archives import END, LARGE
from assay.io.sources import Source

T = TypeVar("T")
Told = Callable[[AssayError, str], None]

NUMBERED_LINE = "numbered line"
MEMBER_OF = "member of "
MOST = 20
"""The largest number of faulty samples before reading stops."""
MARK = b"PK\5\6"
MEMBER = re.compile(r": member ((?:samples/|_journal/summaries/|summaries\.json).*?): ")
"""How a reader names the member of an archive that has a fault."""


class _Rest(Protocol):
    def without(self, problem: AssayError) -> str | None: ...

    def data(self) -> bytes: ...


def read_without_faults(
    source: Source, format: str, read: Callable[[Source], list[T]], tell: Told
) -> tuple[list[T], AssayError | None]:
    """Return what a reader makes of the clean part of a log, and the error that stopped it for good.

    tell   called with each error whose sample was removed, and its message with the original place

    >>> log = Source("log", data=b'{"htmls": ["<p>Score: 1</p>", "", "<p>Score: x</p>"], "metrics": {}, "score": 1}')
    >>> def read(source):
    ...     for place, page in enumerate(json.loads(source.read())["htmls"]):
    ...         if "1" not in page:
    ...             raise AssayError(f"htmls[{place}]: no score")
    ...     return ["read"]
    >>> read_without_faults(log, "simple-evals", read, lambda problem, words: print(words))
    htmls[1]: no score
    htmls[2]: no score
    (['read'], None)
    """
    rest = _rest_of(source, format)
    stopped: AssayError | None = None
    for faults in range(MOST + 1):
        if rest is None:
            break
        try:
            return read(Source(source.name, data=rest.data(), label=source.label or source.stem)), None
        except AssayError as problem:
            stopped = problem
        words = rest.without(stopped) if faults < MOST else None
        if words is None:
            break
        tell(stopped, words)
    return [], stopped


def _rest_of(source: Source, format: str) -> _Rest | None:
    shape = source.head.shape
    unit = recovery_of(format)
    if not source.is_bytes:
        return None
    if unit == NUMBERED_LINE:
        return _Lines(source.read()) if shape in ("json", "table") else None
    if not unit.startswith(MEMBER_OF):
        return None
    if shape == "zip":
        return _Archive(source.read())
    try:
        return _Places(json.loads(source.read()), unit.removeprefix(MEMBER_OF).split("."))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


class _Lines:
    """A file whose faulty lines are emptied, so that the others keep their numbers."""

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
    """A zip archive whose faulty members are renamed in its directory, so that nothing is packed again."""

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
            # The summaries still list it: without them, the samples themselves are read.
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
