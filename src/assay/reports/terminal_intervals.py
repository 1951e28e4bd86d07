"""Intervals drawn with characters in a column of a table: `───●───` on a scale that its heading has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.comparison.result import RunResult

WIDTH = 26
"""Characters of a strip."""
MAX_TICKS = 5
LINE, FILLED, HOLLOW = "─", "●", "○"


@dataclass(frozen=True)
class Strips:
    """The heading with the numbers of the scale, and a strip for each run."""

    scale: str
    strips: list[str]


def interval_strips(runs: Sequence[RunResult], filled: Collection[str]) -> Strips | None:
    """Draw the runs' intervals; None where fewer than two runs have one.

    runs     with values and intervals
    filled   the names of those with a filled mark
    """
    ends = [(run.raw if run.raw is not None else run.value, run.interval) for run in runs]
    known = [
        end
        for value, interval in ends
        if value is not None and interval is not None
        for end in (value, interval.low, interval.high)
    ]
    if len(known) < 6 or min(known) == max(known):
        return None
    ticks = round_ticks(min(known), max(known))
    low, high = min(ticks[0], *known), max(ticks[-1], *known)

    def place(value: float) -> int:
        return round((value - low) / (high - low) * (WIDTH - 1))

    strips: list[str] = []
    for run, (value, interval) in zip(runs, ends, strict=True):
        strip = [" "] * WIDTH
        if value is not None and interval is not None:
            first, last = place(interval.low), place(interval.high)
            strip[first : last + 1] = LINE * (last + 1 - first)
        if value is not None:
            strip[place(value)] = FILLED if run.run in filled else HOLLOW
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
