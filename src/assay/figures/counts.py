"""Counts with their percentages, as the official tables print them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """A number of topics and what share of all topics it is; `percent` is None of no topics.

    >>> str(Count.of(152, 492)), str(Count.of(147, 492))
    ('152 (30.9%)', '147 (29.9%)')
    >>> [str(Count.of(number, 145)) for number in (102, 128, 7)]
    ['102 (70.3%)', '128 (88.3%)', '7 (4.8%)']
    """

    count: int
    percent: float | None

    @classmethod
    def of(cls, count: int, total: int) -> Count:
        return cls(count, 100 * count / total if total else None)

    def __str__(self) -> str:
        return str(self.count) if self.percent is None else f"{self.count} ({self.percent:.1f}%)"
