"""Scales from values to places on paper: linear with round ticks, and bands for names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor, log10, sqrt


@dataclass(frozen=True, slots=True)
class Linear:
    """Numbers from `low` to `high` on a line from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """
        >>> Linear(0, 2, 100, 0)(0.5)
        75.0
        """
        if self.high == self.low:
            return (self.start + self.end) / 2
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Bands:
    """Bands for names, with relative gaps `inner` between two and `outer` at either end.

    >>> Bands(("a", "b"), 0, 100).width, Bands(("a", "b"), 0, 100).middle("b")
    (50.0, 75.0)
    """

    names: tuple[str, ...]
    start: float
    end: float
    inner: float = 0.0
    outer: float = 0.0

    @property
    def step(self) -> float:
        return (self.end - self.start) / max(1e-9, len(self.names) - self.inner + 2 * self.outer)

    @property
    def width(self) -> float:
        return self.step * (1 - self.inner)

    def left(self, name: str) -> float:
        return self.start + self.step * (self.outer + self.names.index(name))

    def middle(self, name: str) -> float:
        return self.left(name) + self.width / 2


def step_of(low: float, high: float, count: float) -> float:
    """Return the round step (1, 2 or 5 times a power of ten) for about `count` intervals."""
    raw = (high - low) / max(count, 1)
    power = 10.0 ** floor(log10(raw))
    error = raw / power
    return power * (10 if error >= sqrt(50) else 5 if error >= sqrt(10) else 2 if error >= sqrt(2) else 1)


def nice(low: float, high: float) -> tuple[float, float]:
    """Extend both ends to round numbers.

    >>> nice(0.013, 0.387)
    (0.0, 0.4)
    """
    if low == high:
        return low, high
    step = step_of(low, high, 10)
    return round(floor(low / step + 1e-9) * step, 12), round(ceil(high / step - 1e-9) * step, 12)


def ticks(low: float, high: float, count: float, least: float = 0.0) -> list[float]:
    """Return round numbers from low to high, about `count`, no closer than `least`.

    >>> ticks(0, 1, 5), ticks(0, 3, 10, least=1)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 1.0, 2.0, 3.0])
    """
    if low == high:
        return [low]
    step = max(step_of(low, high, count), least)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(float(place * step), 12) for place in range(first, last + 1)]


def shown(value: float, form: str | None, step: float = 0.0) -> str:
    """Format a number; without a format, with the digits that its step needs.

    >>> shown(0.25, ".0%"), shown(-0.1, "+.2f"), shown(1200, ",d"), shown(0.5, None, 0.25), shown(3, None, 1)
    ('25%', '−0.10', '1,200', '0.50', '3')
    """
    if form is None:
        text = f"{value:.{max(0, digits(step))}f}"
    else:
        text = format(round(value) if form.endswith("d") else value, form)
    plain = text.lstrip("+-")
    return plain if not plain.strip("0.%") else text.replace("-", "−")


def digits(step: float) -> int:
    """Return the number of decimals that distinguish multiples of a step."""
    return next((places for places in range(10) if abs(round(step, places) - step) < 1e-9), 10)


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text in the PDF's typeface, rounding up."""
    return size * sum(map(_wide, text))


@cache
def _wide(letter: str) -> float:
    if letter in "ijl.,:;'|![]()It ":
        return 0.32
    if letter in "mwMW@%—":
        return 0.95 if letter.isupper() else 0.82
    return 0.74 if letter.isupper() else 0.56


def union(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 1.0)
