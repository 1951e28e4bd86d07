"""Charts in letters and blocks, for a terminal: curves, bars, intervals, differences and shaded tables.

No line of a drawing is wider than it is told, whatever the names and titles in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10

from assay.io.escaping import plain
from assay.reports.drawings import Bars, Differences, Plot, Shades, Spans
from assay.reports.model import NOT_AVAILABLE
from assay.reports.terminal_width import cells_wide, filled, told_apart, wrapped

WIDTH, HEIGHT = 64, 14
LINE = 100
"""How wide a drawing is where nobody says."""
SMALLEST = 1e-4
"""The lowest value a logarithmic axis shows; smaller ones are drawn on its floor."""
MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BAR, SHORTEST = 40, 16
"""Columns of the longest bar or of a scale, and those that names leave to it."""
NAME = 28
"""Letters of a name that a drawing shows; the tables have the rest."""
LONGEST_NUMBER = 14
ROWS = 5
"""Lines above and below the zero of differences."""
EIGHTHS = " ▁▂▃▄▅▆▇█"
SHADES = " ░▒▓█"

Drawing = Plot | Bars | Spans | Shades | Differences


def in_letters(drawing: Drawing, width: int = LINE) -> list[str]:
    """The lines of a drawing; none where it has nothing to show."""
    if isinstance(drawing, Plot):
        return drawn(drawing, width)
    if isinstance(drawing, Bars):
        return drawn_bars(drawing, width)
    if isinstance(drawing, Spans):
        return drawn_spans(drawing, width)
    return drawn_shades(drawing, width) if isinstance(drawing, Shades) else drawn_differences(drawing, width)


def drawn(plot: Plot, width: int = LINE) -> list[str]:
    """Each curve as its letter on a grid, the axes labelled at their ends; where curves meet, a *.

    >>> drawn(Plot({"one": [(0.0, 0.0), (1.0, 1.0)]}, "x", "y"))[1][-1]
    'A'
    """
    points = [point for curve in plot.curves.values() for point in curve]
    if not points:
        return []

    def raised(value: float) -> float:
        return log10(max(value, SMALLEST)) if plot.log else value

    def along(value: float) -> float:
        return log10(value) if plot.log_x else value

    levels = [value for _, value in points] + ([plot.line] if plot.line is not None else [])
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low, high = min(map(raised, levels)), max(map(raised, levels))
    top, bottom = (_label(10**v if plot.log else v) for v in (high, low))
    margin = max(len(top), len(bottom))
    across = min(WIDTH, width - margin - 2)
    grid = [[" "] * across for _ in range(HEIGHT)]
    if plot.line is not None:
        grid[_place(raised(plot.line), low, high, HEIGHT)] = ["-"] * across
    marks = [MARKS[place % len(MARKS)] for place in range(len(plot.curves))]
    for mark, curve in zip(marks, plot.curves.values(), strict=True):
        for at, value in curve:
            row, column = _place(raised(value), low, high, HEIGHT), _place(along(at), along(left), along(right), across)
            grid[row][column] = mark if grid[row][column] in (" ", "-", mark) else "*"
    lines = _title(f"{plot.y}{' (logarithmic)' if plot.log else ''}", width)
    for row in range(HEIGHT - 1, -1, -1):
        label = top if row == HEIGHT - 1 else bottom if row == 0 else ""
        lines.append(f"{label:>{margin}} |{''.join(grid[row])}".rstrip())
    indent = " " * (margin + 2)
    title = f"{plot.x} (logarithmic)" if plot.log_x else plot.x
    # A letter, a blank, and the name.
    names = told_apart([plain(name) for name in plot.curves], width - len(indent) - 2)
    legend = [f"{mark} {name}" for mark, name in zip(marks, names, strict=True)]
    legend += [f"- {_label(plot.line)}"] if plot.line is not None else []
    return [
        *lines,
        f"{' ' * margin} +{'-' * across}",
        *(f"{indent}{line}" for line in _scale(_label(left), title, _label(right), across)),
        *(f"{indent}{line}" for line in _legend(legend, width - len(indent))),
    ]


def _scale(start: str, title: str, end: str, across: int) -> list[str]:
    """The ends of an axis with its title between them, or below where that is no room for it."""
    title, room = plain(title), across - len(start) - len(end)
    if cells_wide(title) + 2 <= room:
        before = (room - cells_wide(title)) // 2
        return [f"{start}{' ' * before}{filled(title, room - before)}{end}"]
    return [f"{start}{' ' * room}{end}", *wrapped(title, across)]


def _title(title: str, width: int) -> list[str]:
    return wrapped(plain(title), width) or [""]


def _legend(entries: list[str], width: int) -> list[str]:
    """Entries beside each other for as long as they fit."""
    lines: list[str] = [""]
    for entry in entries:
        if lines[-1] and cells_wide(lines[-1]) + 3 + cells_wide(entry) > width:
            lines.append("")
        lines[-1] += f"   {entry}" if lines[-1] else entry
    return lines


def _names(names: Sequence[str], most: int) -> list[str]:
    """Names as the lines of a drawing begin with them, all equally wide."""
    short = told_apart([plain(name) for name in names], min(NAME, most))
    wide = max(map(cells_wide, short), default=0)
    return [filled(name, wide) for name in short]


def drawn_bars(bars: Bars, width: int = LINE) -> list[str]:
    """A line a bar: label, series, number, and the bar itself.

    >>> print("\\n".join(drawn_bars(Bars((("1", "run", 2), ("1", "median", 1)), "questions"))))
    questions
    1  run     2  ########################################
       median  1  ####################
    """
    if not bars.rows:
        return []
    longest = max(length for *_, length in bars.rows) or 1
    figures = [f"{length:.4g}" for *_, length in bars.rows]
    wide = max(map(len, figures))
    room = (width - wide - 6 - SHORTEST) // 2
    labels = _names([label for label, _, _ in bars.rows], room)
    series = _names([name for _, name, _ in bars.rows], room)
    most = min(BAR, width - cells_wide(labels[0]) - cells_wide(series[0]) - wide - 6)
    lines = _title(bars.title, width)
    before = None
    for (label, _, length), said, name, figure in zip(bars.rows, labels, series, figures, strict=True):
        shown = " " * cells_wide(said) if label == before else said
        before = label
        lines.append(f"{shown}  {name}  {figure:>{wide}}  {'#' * round(most * length / longest)}".rstrip())
    return lines


def drawn_spans(spans: Spans, width: int = LINE) -> list[str]:
    """A line a value: its name, its number, and on a common scale its interval with the value in it.

    >>> print("\\n".join(drawn_spans(Spans((("a", 0.5, 0.25, 0.75), ("b", 0.0, None, None)), "AP"))))
    AP
    a  0.5000                       ━━━━━━━━━━━━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━━━
    b  0.0000  ●
               0                                                           0.75
    """
    ends = [end for _, value, low, high in spans.rows for end in (value, low, high) if end is not None]
    if not ends:
        return []
    left, right = min(ends), max(ends)
    figures = [_number(row[1], spans.digits) for row in spans.rows]
    wide = max(map(len, figures))
    names = _names([row[0] for row in spans.rows], (width - wide - 4) // 2)
    indent = cells_wide(names[0]) + wide + 4
    across = min(WIDTH, width - indent)
    lines = _title(spans.title, width)
    for name, figure, (_, value, low, high) in zip(names, figures, spans.rows, strict=True):
        line = [" "] * across
        if low is not None and high is not None:
            for place in range(_place(low, left, right, across), _place(high, left, right, across) + 1):
                line[place] = "━"
        line[_place(value, left, right, across)] = "●"
        lines.append(f"{name}  {figure:>{wide}}  {''.join(line)}".rstrip())
    return [*lines, *(f"{' ' * indent}{line}" for line in _scale(_label(left), "", _label(right), across))]


def drawn_differences(found: Differences, width: int = LINE) -> list[str]:
    """A column a name, up from zero where it is positive and down where negative, the scale at the left.

    >>> lines = drawn_differences(Differences((("1", 0.5), ("2", -0.25)), "AP"))
    >>> lines[1], lines[6], lines[8]
    (' 0.5 |███', '   0 +--------', '     |    ███')
    """
    rows = list(found.rows)
    if not rows:
        return []
    most = max(abs(value) for _, value in rows) or 1.0
    margin = max(len(_label(most)), len(_label(-most)))
    across = width - margin - 2
    every = ceil(len(rows) / across)
    shown = rows[::every]
    wide = max(1, min(4, across // len(shown)))
    signed = [value / most * ROWS for _, value in shown]
    lines = _title(found.title, width)
    for level in range(ROWS - 1, -1, -1):
        cells = "".join(_column(value - level, wide) for value in signed)
        lines.append(f"{_label(most) if level == ROWS - 1 else '':>{margin}} |{cells}".rstrip())
    lines.append(f"{'0':>{margin}} +{'-' * (wide * len(shown))}")
    for level in range(ROWS):
        cells = "".join(_column(-value - level, wide, "▀") for value in signed)
        lines.append(f"{_label(-most) if level == ROWS - 1 else '':>{margin}} |{cells}".rstrip())
    told = f", every {every}. of them" if every > 1 else ""
    ends = told_apart([plain(rows[0][0]), plain(rows[-1][0])], (across - len(" to ") - len(told)) // 2)
    return [*lines, f"{' ' * margin}  {ends[0]} to {ends[1]}{told}"]


def _column(height: float, wide: int, half: str = "") -> str:
    """One cell of a bar: full, empty, or what is left of it; below zero only halves can be drawn."""
    if half:
        mark = "█" if height >= 0.75 else half if height >= 0.25 else " "
    else:
        mark = EIGHTHS[max(0, min(8, round(8 * height)))]
    return mark * (wide - 1) + " " if wide > 1 else mark


def drawn_shades(found: Shades, width: int = LINE) -> list[str]:
    """A row and a column a name, each cell its number over its shade, and what the shades mean.

    >>> print("\\n".join(drawn_shades(Shades(("AP", "RR"), ((1.0, 0.5), (0.5, None)), "tau"))))
    tau
               1      2
    1 AP  █ 1.00 ▒ 0.50
    2 RR  ▒ 0.50    n/a
    shades: blank below 0.2, ░ from 0.2, ▒ from 0.4, ▓ from 0.6, █ from 0.8
    """
    many = len(found.names)
    if not many:
        return []
    digits = len(str(many))
    names = _names(found.names, width // 2)
    first = digits + 1 + cells_wide(names[0])
    # Columns have the numbers of the rows: names beside each other would not fit.
    parts = max(1, (width - first - 2) // 7)
    lines = _title(found.title, width)
    for start in range(0, many, parts):
        lines.append(
            " " * (first + 1) + "".join(f"{place:>7}" for place in range(start + 1, min(many, start + parts) + 1))
        )
        for place, (name, row) in enumerate(zip(names, found.rows, strict=True), start=1):
            cells = "".join(f" {_shade(value)}" for value in row[start : start + parts])
            lines.append(f"{place:>{digits}} {name} {cells}")
    return [*lines, *wrapped("shades: blank below 0.2, ░ from 0.2, ▒ from 0.4, ▓ from 0.6, █ from 0.8", width)]


def _shade(value: float | None) -> str:
    if value is None:
        return f"{NOT_AVAILABLE:>6}"
    return f"{SHADES[max(0, min(4, int(5 * value + 1e-9)))]}{value:>5.2f}"


def _place(value: float, low: float, high: float, cells: int) -> int:
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))


def _number(value: float, digits: int) -> str:
    shown = f"{value:.{digits}f}"
    return shown if len(shown) <= LONGEST_NUMBER else f"{value:.4g}"


def _label(value: float) -> str:
    return f"{value:.3g}"
