"""What a chart shows as a terminal draws it, as plain data; `letters` draws it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves as a terminal draws them: points by the name of their curve, titles of the axes, a line to compare with."""

    curves: dict[str, list[tuple[float, float]]]
    x: str
    y: str
    line: float | None = None
    log: bool = False
    log_x: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars as a terminal draws them: label, series and length."""

    rows: tuple[tuple[str, str, float], ...]
    title: str


@dataclass(frozen=True, slots=True)
class Spans:
    """Values with their intervals as a terminal draws them, a line each: label, value, low, high."""

    rows: tuple[tuple[str, float, float | None, float | None], ...]
    title: str
    digits: int = 4


@dataclass(frozen=True, slots=True)
class Shades:
    """A table of shares as a terminal draws it, the larger the darker; None is undefined."""

    names: tuple[str, ...]
    rows: tuple[tuple[float | None, ...], ...]
    title: str


@dataclass(frozen=True, slots=True)
class Differences:
    """Bars up and down from zero as a terminal draws them, one a name."""

    rows: tuple[tuple[str, float], ...]
    title: str


Drawing = Plot | Bars | Spans | Shades | Differences
