"""A run looked at by the compiled core, without judgments: only for the compiled core, whose answer Python has to check."""

from __future__ import annotations

import ctypes
from mmap import mmap

from assay.native import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROOM = 1 << 21
"""Slots for the documents of one topic, twice as many as there may be."""
MOST = 1 << 12
FULL = MOST - 1
"""Blocks of one call, at most; after fewer of them there are no more."""


class Surveyor:
    """Surveys the bytes of a run whose lines all bear one tag."""

    def __init__(self, tag: bytes) -> None:
        if library.LIBRARY is None:
            raise RuntimeError("surveying needs the compiled core")
        self._survey: Any = library.LIBRARY.assay_survey
        self._tag = tag
        # Pages that nobody writes to are never made: most topics need a thousandth of this.
        self._seen = (ctypes.c_uint64 * (2 * ROOM)).from_buffer(mmap(-1, 16 * ROOM))
        self._blocks: Any = (library.Surveyed * MOST)()

    def blocks(
        self, data: bytes, line: int, *, last: bool
    ) -> tuple[list[tuple[bytes, int, int, int, int, int]], int, int] | None:
        """Topic, first line, documents, ties, contradictions and the line of the first, of every block; how many bytes were
        used; the number of the next line. None where a line needs a closer look."""
        count = ctypes.c_int64()
        tag, found = self._tag, self._blocks
        used = self._survey(
            data, len(data), last, tag, len(tag), line, self._seen, ROOM, found, MOST, ctypes.byref(count)
        )
        if used < 0:
            return None
        blocks = [
            (data[b.at : b.at + b.length], b.line, b.count, b.ties, b.contradictions, b.contradicted)
            for b in map(found.__getitem__, range(count.value))
        ]
        return blocks, used, found[count.value].line
