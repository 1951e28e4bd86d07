"""Survey a run in the compiled core, without judgments: its topics and its faulty lines."""

from __future__ import annotations

import ctypes

from assay.core import binding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINES, TAGGED, ZERO, TWICE, UNSCORED, UNRANKED, OTHERWISE, FEWER = range(8)
"""What lines are seen to have, as assay.h explains; from FEWER on, that they have so many fields, which is not six."""
MANY = 16
"""Fields: so many or more are one sighting."""
SIGHTINGS = FEWER + MANY + 1
MOST = 1 << 12
"""Blocks of one call."""


class Seen:
    """What lines have: how many of them, which are the first, what the very first says (its beginning, of a document that comes
    a second time), and for such a document the line of the first."""

    __slots__ = ("before", "count", "lines", "text")

    def __init__(self) -> None:
        self.text = b""
        self.before = 0
        self.count = 0
        self.lines: list[int] = []


class Surveyor:
    """Surveys the bytes of a run as they come; `seen` grows with them, and `line` is the one that comes next. Where topics may
    come back, they are kept until the end."""

    def __init__(self, line: int = 1, *, keep: bool = False) -> None:
        if binding.LIBRARY is None:
            raise RuntimeError("surveying needs the compiled core")
        self._library: Any = binding.LIBRARY
        self._surveyor = self._library.assay_surveyor_new(line, keep)
        self._blocks: Any = (binding.Surveyed * MOST)()
        self._sightings: Any = (binding.Sighting * SIGHTINGS)()
        self.line = line
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
        self.line = sightings[LINES].before
        names = self._library.assay_surveyor_names(self._surveyor) or 0
        found: list[tuple[bytes, int, int, int, int, int]] = []
        for block in map(blocks.__getitem__, range(count.value)):
            topic = ctypes.string_at(names + block.at, block.length)
            found.append((topic, block.line, block.count, block.ties, block.contradictions, block.contradicted))
        for kind, sighting in enumerate(sightings):
            if sighting.count:
                at, length = sighting.at, sighting.length
                text = ctypes.string_at(names + at, length) if kind == TWICE else data[at : at + length]
                self._see(kind, sighting, text)
        return found, used, count.value == MOST

    def _see(self, kind: int, sighting: Any, text: bytes) -> None:
        seen = self.seen.setdefault(kind, Seen())
        if (
            not seen.lines or sighting.lines[0] < seen.lines[0]
        ):  # topics that are kept end in another order than their lines
            seen.text, seen.before = text, sighting.before
        seen.lines = sorted(seen.lines + sighting.lines[: min(sighting.count, binding.NAMED)])[: binding.NAMED]
        seen.count += sighting.count
