"""Charts drawn in text, for a terminal."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.reports.model import Bars, Plot

WIDTH, HEIGHT = 64, 14
SMALLEST = 1e-4
"""The lowest value a logarithmic axis shows; smaller ones are drawn on its floor."""
MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BAR = 40


def drawn(plot: Plot) -> list[str]:
    """Each curve as its letter on a grid, the axes labelled at their ends; where curves meet, a *.

    >>> from assay.reports.model import Plot
    >>> drawn(Plot({"one": [(0.0, 0.0), (1.0, 1.0)]}, "x", "y"))[1][-1]
    'A'
    """
    points = [point for curve in plot.curves.values() for point in curve]
    if not points:
        return []

    def raised(value: float) -> float:
        return log10(max(value, SMALLEST)) if plot.log else value

    levels = [value for _, value in points] + ([plot.line] if plot.line is not None else [])
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low, high = min(map(raised, levels)), max(map(raised, levels))
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    if plot.line is not None:
        grid[_place(raised(plot.line), low, high, HEIGHT)] = ["-"] * WIDTH
    marks = dict(zip(plot.curves, (MARKS[i % len(MARKS)] for i in range(len(plot.curves))), strict=True))
    for name, curve in plot.curves.items():
        for across, value in curve:
            row, column = _place(raised(value), low, high, HEIGHT), _place(across, left, right, WIDTH)
            grid[row][column] = marks[name] if grid[row][column] in (" ", "-", marks[name]) else "*"
    top, bottom = (_label(10**v if plot.log else v) for v in (high, low))
    margin = max(len(top), len(bottom))
    lines = [f"{plot.y}{' (logarithmic)' if plot.log else ''}"]
    for row in range(HEIGHT - 1, -1, -1):
        label = top if row == HEIGHT - 1 else bottom if row == 0 else ""
        lines.append(f"{label:>{margin}} |{''.join(grid[row])}".rstrip())
    start, end = _label(left), _label(right)
    indent = " " * (margin + 2)
    legend = [f"{mark} {name}" for name, mark in marks.items()]
    legend += [f"- {_label(plot.line)}"] if plot.line is not None else []
    return [
        *lines,
        f"{' ' * margin} +{'-' * WIDTH}",
        f"{indent}{start}{plot.x:^{WIDTH - len(start) - len(end)}}{end}",
        f"{indent}{'   '.join(legend)}",
    ]


def drawn_bars(bars: Bars) -> list[str]:
    """A line a bar: label, series, number, and the bar itself.

    >>> from assay.reports.model import Bars
    >>> print("\\n".join(drawn_bars(Bars((("1", "run", 2), ("1", "median", 1)), "questions"))))
    questions
    1  run     2  ########################################
       median  1  ####################
    """
    longest = max((length for *_, length in bars.rows), default=0) or 1
    wide = [max((len(f"{row[i]:g}" if i == 2 else str(row[i])) for row in bars.rows), default=0) for i in range(3)]
    lines = [bars.title]
    before = None
    for label, series, length in bars.rows:
        name = "" if label == before else label
        before = label
        bar = "#" * round(BAR * length / longest)
        lines.append(f"{name:<{wide[0]}}  {series:<{wide[1]}}  {length:>{wide[2]}g}  {bar}".rstrip())
    return lines


def _place(value: float, low: float, high: float, cells: int) -> int:
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))


def _label(value: float) -> str:
    return f"{value:.3g}"
