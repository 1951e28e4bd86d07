"""The log that was read last, decoded, so that a page with many of its texts does not read it anew for each.

One log is held and no more: memory does not grow with the number of logs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from assay.io.sources import Source

T = TypeVar("T")

_held: tuple[Source, Any] | None = None


def again(source: Source, read: Callable[[], T]) -> T:
    """What `read` makes of a source, which is what it made of it the last time if no other was read in between."""
    global _held
    cached = _held  # another thread may put its own there at any time
    if cached is not None and cached[0] is source:
        return cached[1]
    decoded = read()
    _held = source, decoded
    return decoded


def forget() -> None:
    """Let go of it."""
    global _held
    _held = None
