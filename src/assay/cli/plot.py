"""Curves drawn in text, for a terminal."""

from __future__ import annotations

from math import log10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 64, 14
SMALLEST = 1e-4
"""The lowest value a logarithmic axis shows; smaller ones are drawn on its floor."""


def plot(
    curves: Mapping[str, Points], *, x: str, y: str, legend: str, line: float | None = None, log_y: bool = False
) -> str:
    """Each curve as its mark on a grid, the axes labelled at their ends; where curves meet, a *.

    >>> print(plot({"A": [(0.0, 0.0), (1.0, 1.0)]}, x="x", y="y", legend="A only").splitlines()[1].rstrip()[-1])
    A
    """
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return ""

    def raise_to(value: float) -> float:
        return log10(max(value, SMALLEST)) if log_y else value

    levels = [value for _, value in points] + ([line] if line is not None else [])
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low, high = min(map(raise_to, levels)), max(map(raise_to, levels))
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    if line is not None:
        grid[_place(raise_to(line), low, high, HEIGHT)] = ["-"] * WIDTH
    for mark, curve in curves.items():
        for across, value in curve:
            row, column = _place(raise_to(value), low, high, HEIGHT), _place(across, left, right, WIDTH)
            grid[row][column] = mark if grid[row][column] in (" ", "-", mark) else "*"
    top, bottom = (_label(10**v if log_y else v) for v in (high, low))
    margin = max(len(top), len(bottom))
    lines = [f"{y}{' (logarithmic)' if log_y else ''}"]
    for row in range(HEIGHT - 1, -1, -1):
        label = top if row == HEIGHT - 1 else bottom if row == 0 else ""
        lines.append(f"{label:>{margin}} |{''.join(grid[row])}".rstrip())
    start, end = _label(left), _label(right)
    between = f"{x:^{WIDTH - len(start) - len(end)}}"
    lines.append(" " * margin + " +" + "-" * WIDTH)
    lines.append(" " * (margin + 2) + start + between + end)
    lines.append(" " * (margin + 2) + legend + (f"   - {_label(line)}" if line is not None else ""))
    return "".join(f"{text.rstrip()}\n" for text in lines)


def _place(value: float, low: float, high: float, cells: int) -> int:
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))


def _label(value: float) -> str:
    return f"{value:.3g}"
