"""Cache the last log that was decoded, so that a page with many of its texts decodes it once.

One log is held and no more: memory does not grow with the number of logs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from assay.io.sources import Source

T = TypeVar("T")

_held: tuple[Source, Any] | None = None


def again(source: Source, read: Callable[[], T]) -> T:
    """Return what `read` makes of a source, from the cache where the source is the last one read."""
    global _held
    cached = _held  # another thread may put its own there at any time
    if cached is not None and cached[0] is source:
        return cached[1]
    decoded = read()
    _held = source, decoded
    return decoded


def forget() -> None:
    """Empty the cache."""
    global _held
    _held = None
