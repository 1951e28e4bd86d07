"""Intervals drawn with characters in a column of a table: `───●───` on a scale that its heading has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

WIDTH = 26
"""Characters of a strip."""
MAX_TICKS = 5
LINE, FILLED, HOLLOW = "─", "●", "○"


@dataclass(frozen=True)
class Strips:
    """The heading with the numbers of the scale, and a strip for each run."""

    scale: str
    strips: list[str]


def interval_strips(
    values: Sequence[tuple[float | None, float | None, float | None]], filled: Sequence[bool]
) -> Strips | None:
    """Draw intervals; None where fewer than two values have one.

    values   each with the ends of its interval, where it has them
    filled   which of them have a filled mark
    """
    known = [end for ends in values if None not in ends for end in ends if end is not None]
    if len(known) < 6 or min(known) == max(known):
        return None
    ticks = round_ticks(min(known), max(known))
    least, most = min(ticks[0], *known), max(ticks[-1], *known)

    def place(value: float) -> int:
        return min(max(round((value - least) / (most - least) * (WIDTH - 1)), 0), WIDTH - 1)

    strips: list[str] = []
    for (value, low, high), is_filled in zip(values, filled, strict=True):
        strip = [" "] * WIDTH
        if low is not None and high is not None:
            first, last = place(low), place(high)
            strip[first : last + 1] = LINE * (last + 1 - first)
        if value is not None:
            strip[place(value)] = FILLED if is_filled else HOLLOW
        strips.append("".join(strip).rstrip())
    return Strips(_scale(ticks, place), strips)


def round_ticks(low: float, high: float, most: int = MAX_TICKS) -> list[float]:
    """Return up to `most` round numbers about a range; 0 is one where values of one sign come near it.

    >>> round_ticks(0.106, 0.641), round_ticks(1510, 1602), round_ticks(-0.2, 0.3)
    ([0.0, 0.2, 0.4, 0.6], [1520.0, 1540.0, 1560.0, 1580.0, 1600.0], [-0.2, 0.0, 0.2])
    """
    if 0 < low < high <= 1.0 or 0 < low <= (high - low) * 2:
        low = 0.0
    span = high - low
    step = 10.0 ** floor(log10(span))
    steps = [step * factor for factor in (0.1, 0.2, 0.5, 1, 2, 5)]
    step = next(size for size in steps if len(_multiples(low, high, size)) <= most)
    return _multiples(low, high, step)


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _scale(ticks: Sequence[float], place: Callable[[float], int]) -> str:
    line = [" "] * WIDTH
    free = 0
    for tick in ticks:
        label = f"{tick:g}"
        label = label.replace("0.", ".", 1) if label.lstrip("-").startswith("0.") else label
        start = max(min(place(tick), WIDTH - len(label)), 0)
        if start >= free:
            line[start : start + len(label)] = label
            free = start + len(label) + 1
    return "".join(line).rstrip()
