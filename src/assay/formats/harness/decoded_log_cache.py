"""Cache the last log that was decoded, so that a page with many of its texts decodes it once.

One log is held and no more: memory does not grow with the number of logs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from assay.io.sources import Source

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)

_held: tuple[Source, Any] | None = None


def cached(source: Source, read: Callable[[], T]) -> T:
    """Return what `read` makes of a source, from the cache where the source is the last one read."""
    global _held
    last = _held  # another thread may put its own there at any time
    if last is not None and last[0] is source:
        return last[1]
    decoded = read()
    _held = source, decoded
    return decoded


def sample_of(source: Source, read: Callable[[], Iterable[tuple[Key, T]]], question: Key, sample: int) -> T | None:
    """Return sample number `sample` of a question, from pairs of question and sample; None where there is none."""

    def by_question() -> dict[Key, list[T]]:
        samples: dict[Key, list[T]] = {}
        for key, item in read():
            samples.setdefault(key, []).append(item)
        return samples

    samples = cached(source, by_question).get(question, [])
    return samples[sample - 1] if 0 < sample <= len(samples) else None


def forget() -> None:
    """Empty the cache."""
    global _held
    _held = None
