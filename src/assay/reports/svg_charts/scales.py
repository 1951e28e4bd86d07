"""Scales from values to places: numbers with few round ticks, and bands for names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor, log10

MAX_TICKS, MIN_TICKS = 5, 3
STEPS = (1, 2, 2.5, 5, 10)
"""Distances of ticks, times a power of ten."""
THOUSANDS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True, slots=True)
class Linear:
    """Numbers from `low` to `high` on a line from `start` to `end`; logarithmic if `log`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """
        >>> Linear(0, 2, 100, 0)(0.5), Linear(1, 100, 0, 10, log=True)(10)
        (75.0, 5.0)
        """
        if self.high == self.low:
            return (self.start + self.end) / 2
        low, high, value = (
            (log10(v) for v in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        )
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self, least: float = 0.0) -> list[float]:
        """Return the round numbers on this scale, at most five, no closer than `least`."""
        return log_ticks(self.low, self.high) if self.log else ticks(self.low, self.high, least)


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


def nice(low: float, high: float) -> tuple[float, float]:
    """Extend both ends to round numbers, about a tenth of the way apart.

    >>> nice(0.013, 0.387)
    (0.0, 0.4)
    """
    if low == high:
        return low, high
    step = _step(low, high, 12)
    return round(floor(low / step + 1e-9) * step, 12), round(ceil(high / step - 1e-9) * step, 12)


def ticks(low: float, high: float, least: float = 0.0) -> list[float]:
    """Return round numbers from low to high, at most five, no closer than `least`.

    >>> ticks(0, 1), ticks(0, 3, least=1), ticks(0, 0.62)
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 1.0, 2.0, 3.0], [0.0, 0.2, 0.4, 0.6])
    """
    if low == high:
        return [low]
    step = _step(low, high, MAX_TICKS, least)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(float(place * step), 12) for place in range(first, last + 1)]


def _step(low: float, high: float, most: int, least: float = 0.0) -> float:
    """Return the smallest round distance that gives at most so many ticks; a multiple of `least`."""
    power = 10.0 ** floor(log10((high - low) / most))
    candidates = [unit * power * ten for ten in (1, 10, 100) for unit in STEPS]
    whole = [
        step for step in candidates if not least or (abs(step / least - round(step / least)) < 1e-9 and step >= least)
    ]
    fitting = (step for step in whole if floor(high / step + 1e-9) - ceil(low / step - 1e-9) < most)
    return next(fitting, max(least, candidates[-1]))


def log_ticks(low: float, high: float) -> list[float]:
    """Return round numbers on a logarithmic scale: powers of ten, and twice and five times these where they are few.

    >>> log_ticks(0.3, 40), log_ticks(1, 1e8)
    ([0.3, 1.0, 3.0, 10.0, 30.0], [1.0, 100.0, 10000.0, 1000000.0, 100000000.0])
    """
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for units in ((1, 2, 5), (1, 3), (1,)):
        inside = [
            value for power in powers for unit in units if low <= (value := round(unit * 10.0**power, 12)) <= high
        ]
        if len(inside) <= MAX_TICKS:
            return inside
    return inside[:: ceil(len(inside) / MAX_TICKS)]


def shown(value: float, form: str | None, step: float = 0.0) -> str:
    """Format a number without a leading zero; without a precision, with the digits that its step needs.

    >>> shown(0.25, ".0%"), shown(-0.1, "+.2f"), shown(1200, ",d"), shown(0.5, None, 0.25), shown(3, None, 1)
    ('25%', '−.10', '1,200', '.50', '3')
    >>> shown(0.25, "+.1f", 0.25), shown(1, ".1f", 0.25), shown(0.125, ".0%", 0.025), shown(25000, "~s", 5000)
    ('+.25', '1', '12.5%', '25k')
    """
    form = form or "f"
    sign, percent = "+" if form.startswith("+") else "", form.endswith("%")
    if form.endswith("s"):
        text = _with_suffix(value)
    elif form.endswith("g"):
        text = f"{value:g}"
    elif form.endswith("d"):
        text = format(round(value), form)
    elif step:
        places = max(0, digits(100 * step) if percent else digits(step))
        text = f"{value:{sign}.{places}{'%' if percent else 'f'}}"
        text = f"{value:{sign}.0f}" if not percent and value == round(value) else text
    else:
        text = format(value, form)
    plain = text.lstrip("+-")
    if not plain.strip("0.%"):
        return "0%" if percent else "0"
    return text.replace("-", "−").replace("0.", ".", 1) if plain.startswith("0.") else text.replace("-", "−")


def _with_suffix(value: float) -> str:
    size, suffix = next(((size, suffix) for size, suffix in THOUSANDS if abs(value) >= size), (1.0, ""))
    return f"{value / size:g}{suffix}"


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
