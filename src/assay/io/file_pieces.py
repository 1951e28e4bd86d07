"""Read parts of a file again by offset or line: the texts of a log are most of its bytes, and few are shown.

A plain file is read at the offset. A compressed one is unpacked from its start, or from the last line read if that comes before.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from assay.errors import InputError
from assay.io.heads import BOM
from assay.io.sources import Source, is_remote

Span = tuple[int, int]
"""Offset and length in bytes."""


class Pieces:
    """The bytes of a source by offset; a file that changed since it was opened is an error."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._state = _state(source)
        self._plain: bool | None = None

    @property
    def plain(self) -> bool:
        """Whether the file can be read at an offset."""
        if self._plain is None:
            known = self.source.path is not None and not self.source.is_stream and not is_remote(self.source.path)
            self._plain = known and self.source.compression() is None
            self.source.close()
        return self._plain

    def check(self) -> None:
        """Refuse a file that was changed or deleted."""
        state = _state(self.source)
        if state is None and self._state is not None:
            raise InputError(f"{self.source.name}: cannot be read: it is no longer there")
        if state != self._state:
            raise InputError(f"{self.source.name}: has changed since it was read; read it again")

    def read(self, span: Span) -> bytes:
        """Return the bytes of a span."""
        self.check()
        start, size = span
        if not self.plain:
            content = self.source.read()
            return content[start : start + size]
        assert self.source.path is not None
        try:
            with open(self.source.path, "rb") as file:
                file.seek(start)
                return file.read(size)
        except OSError as problem:
            raise InputError(f"{self.source.name}: cannot be read: {problem.strerror or problem}") from None


def _state(source: Source) -> tuple[int, int] | None:
    return None if source.is_stream else source.state


class Lines:
    """The lines of a source by their numbers, from 1; a byte order mark is removed."""

    def __init__(self, source: Source) -> None:
        self._pieces = Pieces(source)
        self._starts: Sequence[int] | None = None
        self._iterator: Iterator[bytes] | None = None
        self._next = 1

    def __getitem__(self, number: int) -> bytes:
        if not self._pieces.plain:
            return self._read_sequentially(number)
        if self._starts is None:
            self._pieces.check()
            self._starts = _starts(self._pieces.source)
        start, end = self._starts[number - 1 : number + 1]
        line = self._pieces.read((start, end - start)).rstrip(b"\n")
        return line.removeprefix(BOM) if number == 1 else line

    def _read_sequentially(self, number: int) -> bytes:
        """Read a line of a file that cannot be seeked, from the last line on where possible."""
        self._pieces.check()
        if self._iterator is None or number < self._next:
            self._iterator, self._next = self._pieces.source.lines(), 1
        line = next(islice(self._iterator, number - self._next, None))
        self._next = number + 1
        return line


def _starts(source: Source) -> Sequence[int]:
    """Return the offset of each line, and the end of the last."""
    offsets, before = array("q", [0]), 0
    for chunk in source.chunks():
        at = chunk.find(b"\n")
        while at >= 0:
            offsets.append(before + at + 1)
            at = chunk.find(b"\n", at + 1)
        before += len(chunk)
    offsets.append(before)
    return offsets


def spans(content: bytes, parts: Iterable[bytes]) -> Iterator[Span]:
    """Yield the spans of parts that occur in a content in this order.

    >>> list(spans(b'[{"id": 1}, {"id": 2}]', [b'{"id": 1}', b'{"id": 2}']))
    [(1, 9), (12, 9)]
    """
    end = 0
    for part in parts:
        start = content.index(part, end)
        end = start + len(part)
        yield start, len(part)
