"""Pieces of a file, read again when somebody wants one: the texts of a log are most of its bytes, and few are looked at.

Where a piece stands is known from the first reading. A plain file is read there and nowhere else; one that is compressed is
unpacked from its start, but not again for a piece that stands further on.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from assay.errors import InputError
from assay.io.heads import BOM
from assay.io.sources import Source, is_remote

Span = tuple[int, int]
"""Where a piece begins, and how long it is."""


class Pieces:
    """The bytes of a source by place. A file that was written over since says so: other texts would stand there."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._state = _state(source)
        self._plain: bool | None = None

    @property
    def plain(self) -> bool:
        """Whether a piece can be read alone."""
        if self._plain is None:
            known = self.source.path is not None and not self.source.is_stream and not is_remote(self.source.path)
            self._plain = known and self.source.compression() is None
            self.source.close()
        return self._plain

    def check(self) -> None:
        """Refuse a file that is not the one that was read."""
        found = _state(self.source)
        if found is None and self._state is not None:
            raise InputError(f"{self.source.name}: cannot be read: it is no longer there")
        if found != self._state:
            raise InputError(f"{self.source.name}: has changed since it was read; read it again")

    def read(self, span: Span) -> bytes:
        """One piece."""
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
    """What changes when a file is written to; None where there is no file."""
    if source.path is None or source.is_stream:
        return None
    try:
        found = os.stat(source.path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


class Lines:
    """The lines of a source by their numbers, the first being 1; a byte order mark is removed."""

    def __init__(self, source: Source) -> None:
        self._pieces = Pieces(source)
        self._starts: Sequence[int] | None = None
        self._ahead: Iterator[bytes] | None = None
        self._next = 1

    def __getitem__(self, number: int) -> bytes:
        if not self._pieces.plain:
            return self._from_here(number)
        if self._starts is None:
            self._pieces.check()
            self._starts = _starts(self._pieces.source)
        start, end = self._starts[number - 1 : number + 1]
        line = self._pieces.read((start, end - start)).rstrip(b"\n")
        return line.removeprefix(BOM) if number == 1 else line

    def _from_here(self, number: int) -> bytes:
        """The same where a line can be reached only past those before it."""
        self._pieces.check()
        if self._ahead is None or number < self._next:
            self._ahead, self._next = self._pieces.source.lines(), 1
        found = next(islice(self._ahead, number - self._next, None))
        self._next = number + 1
        return found


def _starts(source: Source) -> Sequence[int]:
    """Where each line begins, and where the last one ends."""
    found, before = array("q", [0]), 0
    for chunk in source.chunks():
        at = chunk.find(b"\n")
        while at >= 0:
            found.append(before + at + 1)
            at = chunk.find(b"\n", at + 1)
        before += len(chunk)
    found.append(before)
    return found


def spans(content: bytes, parts: Iterable[bytes]) -> Iterator[Span]:
    """Where parts of a content stand, which follow each other in it.

    >>> list(spans(b'[{"id": 1}, {"id": 2}]', [b'{"id": 1}', b'{"id": 2}']))
    [(1, 9), (12, 9)]
    """
    end = 0
    for part in parts:
        start = content.index(part, end)
        end = start + len(part)
        yield start, len(part)
