"""A run looked at by the compiled core, without judgments: its topics, and the lines of it that have a fault."""

from __future__ import annotations

import ctypes

from assay.native import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINES, OPEN, TAGGED, ZERO, TWICE, UNSCORED, UNRANKED, OTHERWISE, FEWER = range(9)
"""What lines are seen to have, as assay.h explains; from FEWER on, that they have so many fields, which is not six."""
MANY = 16
"""Fields: so many or more are one sighting."""
SIGHTINGS = FEWER + MANY + 1
MOST = 1 << 12
"""Blocks of one call."""


class Seen:
    """What lines have: how many of them, which are the first, what the very first says, and for a document that comes a second
    time the line of the first."""

    __slots__ = ("before", "count", "lines", "text")

    def __init__(self, text: bytes, before: int) -> None:
        self.text = text
        self.before = before
        self.count = 0
        self.lines: list[int] = []


class Surveyor:
    """Surveys the bytes of a run as they come; `seen` grows with them."""

    def __init__(self, line: int = 1) -> None:
        if library.LIBRARY is None:
            raise RuntimeError("surveying needs the compiled core")
        self._library: Any = library.LIBRARY
        self._surveyor = self._library.assay_surveyor_new(line)
        self._blocks: Any = (library.Surveyed * MOST)()
        self._sightings: Any = (library.Sighting * SIGHTINGS)()
        self._topic = b""
        self.seen: dict[int, Seen] = {}

    def __del__(self) -> None:
        if hasattr(self, "_surveyor"):
            self._library.assay_surveyor_free(self._surveyor)

    def feed(self, data: bytes, *, last: bool) -> tuple[list[tuple[bytes, int, int, int, int, int]], int, bool] | None:
        """Topic, first line, documents, ties, contradictions and the line of the first, of every block that ended; how many
        bytes were used; whether the others may be fed at once. None without memory."""
        if not self._surveyor:
            return None
        count = ctypes.c_int64()
        blocks, sightings = self._blocks, self._sightings
        used = self._library.assay_surveyor_feed(
            self._surveyor, data, len(data), last, blocks, MOST, ctypes.byref(count), sightings
        )
        if used < 0:
            return None
        found: list[tuple[bytes, int, int, int, int, int]] = []
        for block in map(blocks.__getitem__, range(count.value)):
            topic = self._topic if block.at < 0 else data[block.at : block.at + block.length]
            found.append((topic, block.line, block.count, block.ties, block.contradictions, block.contradicted))
        for kind, sighting in enumerate(sightings):
            if sighting.count:
                self._see(kind, sighting, data)
        return found, used, count.value == MOST

    def _see(self, kind: int, sighting: Any, data: bytes) -> None:
        text = data[sighting.at : sighting.at + sighting.length]
        if kind == OPEN:
            self._topic = text
            return
        seen = self.seen.get(kind)
        if seen is None:
            seen = self.seen[kind] = Seen(text, sighting.before)
        seen.count += sighting.count
        room = library.NAMED - len(seen.lines)
        seen.lines += sighting.lines[: min(sighting.count, room)]
