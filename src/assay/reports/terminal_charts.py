"""Charts drawn with characters: curves, bars, intervals, differences, shaded tables.

Each chart is plain data with a method `lines`, which never exceeds the width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10

from assay.io.escaping import plain
from assay.reports.model import NOT_AVAILABLE
from assay.reports.terminal_width import DEFAULT_WIDTH, cells_wide, filled, shorten_names, wrapped

PLOT_WIDTH, PLOT_HEIGHT = 64, 14
MIN_LOG_VALUE = 1e-4
"""The lowest value a logarithmic axis shows; smaller ones are drawn on its floor."""
CURVE_MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_BAR, MIN_BAR = 40, 16
"""Columns of the longest bar, and the minimum that names leave for it."""
MAX_NAME = 28
"""Characters of a name that a chart shows; the tables show all of them."""
MAX_NUMBER = 14
DIFFERENCE_ROWS = 5
"""Lines above and below the zero of differences."""
EIGHTHS = " ▁▂▃▄▅▆▇█"
SHADES = " ░▒▓█"


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves: points by curve name, axis titles, an optional horizontal reference line.

    >>> Plot({"one": [(0.0, 0.0), (1.0, 1.0)]}, "x", "y").lines()[1][-1]
    'A'
    """

    curves: dict[str, list[tuple[float, float]]]
    x: str
    y: str
    line: float | None = None
    log: bool = False
    log_x: bool = False

    def lines(self, width: int = DEFAULT_WIDTH) -> list[str]:
        """Draw each curve with its letter on a labelled grid; * where curves meet."""
        points = [point for curve in self.curves.values() for point in curve]
        if not points:
            return []
        left, right = (self._x(end(x for x, _ in points)) for end in (min, max))
        levels = [value for _, value in points] + ([self.line] if self.line is not None else [])
        low, high = min(map(self._y, levels)), max(map(self._y, levels))
        top, bottom = (_label(10**end if self.log else end) for end in (high, low))
        margin = max(len(top), len(bottom))
        across = min(PLOT_WIDTH, width - margin - 2)
        grid = [[" "] * across for _ in range(PLOT_HEIGHT)]
        if self.line is not None:
            grid[_cell(self._y(self.line), low, high, PLOT_HEIGHT)] = ["-"] * across
        marks = [CURVE_MARKS[number % len(CURVE_MARKS)] for number in range(len(self.curves))]
        for mark, curve in zip(marks, self.curves.values(), strict=True):
            for x, y in curve:
                row, column = _cell(self._y(y), low, high, PLOT_HEIGHT), _cell(self._x(x), left, right, across)
                grid[row][column] = mark if grid[row][column] in (" ", "-", mark) else "*"
        lines = _title(f"{self.y}{' (logarithmic)' if self.log else ''}", width)
        for row in range(PLOT_HEIGHT - 1, -1, -1):
            label = top if row == PLOT_HEIGHT - 1 else bottom if row == 0 else ""
            lines.append(f"{label:>{margin}} |{''.join(grid[row])}".rstrip())
        indent = " " * (margin + 2)
        title = f"{self.x} (logarithmic)" if self.log_x else self.x
        ends = [_label(end(x for x, _ in points)) for end in (min, max)]
        # Each legend entry begins with its letter and a blank.
        names = shorten_names([plain(name) for name in self.curves], width - len(indent) - 2)
        legend = [f"{mark} {name}" for mark, name in zip(marks, names, strict=True)]
        legend += [f"- {_label(self.line)}"] if self.line is not None else []
        return [
            *lines,
            f"{' ' * margin} +{'-' * across}",
            *(f"{indent}{line}" for line in _scale(ends[0], title, ends[1], across)),
            *(f"{indent}{line}" for line in _legend(legend, width - len(indent))),
        ]

    def _x(self, value: float) -> float:
        return log10(value) if self.log_x else value

    def _y(self, value: float) -> float:
        return log10(max(value, MIN_LOG_VALUE)) if self.log else value


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars: label, series and length of each.

    >>> print("\\n".join(Bars((("1", "run", 2), ("1", "median", 1)), "questions").lines()))
    questions
    1  run     2  ########################################
       median  1  ####################
    """

    rows: tuple[tuple[str, str, float], ...]
    title: str

    def lines(self, width: int = DEFAULT_WIDTH) -> list[str]:
        """Draw a line for each bar: label, series, number, and the bar itself."""
        if not self.rows:
            return []
        longest = max(length for *_, length in self.rows) or 1
        numbers = [f"{length:.4g}" for *_, length in self.rows]
        number_width = max(map(len, numbers))
        room = (width - number_width - 6 - MIN_BAR) // 2
        labels = _names([label for label, _, _ in self.rows], room)
        series = _names([name for _, name, _ in self.rows], room)
        max_length = min(MAX_BAR, width - cells_wide(labels[0]) - cells_wide(series[0]) - number_width - 6)
        lines = _title(self.title, width)
        previous = None
        for (label, _, length), padded, name, number in zip(self.rows, labels, series, numbers, strict=True):
            label_text = " " * cells_wide(padded) if label == previous else padded
            previous = label
            lines.append(
                f"{label_text}  {name}  {number:>{number_width}}  {'#' * round(max_length * length / longest)}".rstrip()
            )
        return lines


@dataclass(frozen=True, slots=True)
class Intervals:
    """Values with their intervals: label, value, low and high of each.

    >>> print("\\n".join(Intervals((("a", 0.5, 0.25, 0.75), ("b", 0.0, None, None)), "AP").lines()))
    AP
    a  0.5000                       ━━━━━━━━━━━━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━━━
    b  0.0000  ●
               0                                                           0.75
    """

    rows: tuple[tuple[str, float, float | None, float | None], ...]
    title: str
    digits: int = 4

    def lines(self, width: int = DEFAULT_WIDTH) -> list[str]:
        """Draw a line for each value: its label, its number, and its interval on a common scale."""
        ends = [end for _, *row in self.rows for end in row if end is not None]
        if not ends:
            return []
        left, right = min(ends), max(ends)
        numbers = [_number(value, self.digits) for _, value, _, _ in self.rows]
        number_width = max(map(len, numbers))
        names = _names([name for name, *_ in self.rows], (width - number_width - 4) // 2)
        indent = cells_wide(names[0]) + number_width + 4
        across = min(PLOT_WIDTH, width - indent)
        lines = _title(self.title, width)
        for name, number, (_, value, low, high) in zip(names, numbers, self.rows, strict=True):
            line = [" "] * across
            if low is not None and high is not None:
                for column in range(_cell(low, left, right, across), _cell(high, left, right, across) + 1):
                    line[column] = "━"
            line[_cell(value, left, right, across)] = "●"
            lines.append(f"{name}  {number:>{number_width}}  {''.join(line)}".rstrip())
        return [*lines, *(f"{' ' * indent}{line}" for line in _scale(_label(left), "", _label(right), across))]


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences from zero: name and value of each.

    >>> lines = Differences((("1", 0.5), ("2", -0.25)), "AP").lines()
    >>> lines[1], lines[6], lines[8]
    (' 0.5 |███', '   0 +--------', '     |    ███')
    """

    rows: tuple[tuple[str, float], ...]
    title: str

    def lines(self, width: int = DEFAULT_WIDTH) -> list[str]:
        """Draw a column for each name, up from zero or down, with the scale at the left."""
        rows = self.rows
        if not rows:
            return []
        largest = max(abs(value) for _, value in rows) or 1.0
        margin = max(len(_label(largest)), len(_label(-largest)))
        across = width - margin - 2
        every = ceil(len(rows) / across)
        heights = [value / largest * DIFFERENCE_ROWS for _, value in rows[::every]]
        wide = max(1, min(4, across // len(heights)))
        lines = _title(self.title, width)
        for level in range(DIFFERENCE_ROWS - 1, -1, -1):
            cells = "".join(_column(height - level, wide) for height in heights)
            lines.append(f"{_label(largest) if level == DIFFERENCE_ROWS - 1 else '':>{margin}} |{cells}".rstrip())
        lines.append(f"{'0':>{margin}} +{'-' * (wide * len(heights))}")
        for level in range(DIFFERENCE_ROWS):
            cells = "".join(_column(-height - level, wide, "▀") for height in heights)
            lines.append(f"{_label(-largest) if level == DIFFERENCE_ROWS - 1 else '':>{margin}} |{cells}".rstrip())
        skipped = f", every {every}. of them" if every > 1 else ""
        ends = shorten_names([plain(rows[0][0]), plain(rows[-1][0])], (across - len(" to ") - len(skipped)) // 2)
        return [*lines, f"{' ' * margin}  {ends[0]} to {ends[1]}{skipped}"]


@dataclass(frozen=True, slots=True)
class Shades:
    """A square table of shares, the larger the darker; None is undefined.

    >>> print("\\n".join(Shades(("AP", "RR"), ((1.0, 0.5), (0.5, None)), "tau").lines()))
    tau
               1      2
    1 AP  █ 1.00 ▒ 0.50
    2 RR  ▒ 0.50    n/a
    shades: blank below 0.2, ░ from 0.2, ▒ from 0.4, ▓ from 0.6, █ from 0.8
    """

    names: tuple[str, ...]
    rows: tuple[tuple[float | None, ...], ...]
    title: str

    def lines(self, width: int = DEFAULT_WIDTH) -> list[str]:
        """Draw each cell as its shade and number; columns are numbered like the rows."""
        count = len(self.names)
        if not count:
            return []
        digits = len(str(count))
        names = _names(self.names, width // 2)
        first = digits + 1 + cells_wide(names[0])
        part = max(1, (width - first - 2) // 7)
        lines = _title(self.title, width)
        for start in range(0, count, part):
            heads = "".join(f"{number:>7}" for number in range(start + 1, min(count, start + part) + 1))
            lines.append(" " * (first + 1) + heads)
            for number, (name, row) in enumerate(zip(names, self.rows, strict=True), start=1):
                cells = "".join(f" {_shade(value)}" for value in row[start : start + part])
                lines.append(f"{number:>{digits}} {name} {cells}")
        return [*lines, *wrapped("shades: blank below 0.2, ░ from 0.2, ▒ from 0.4, ▓ from 0.6, █ from 0.8", width)]


TerminalChart = Plot | Bars | Intervals | Shades | Differences


def _scale(start: str, title: str, end: str, across: int) -> list[str]:
    """Return the ends of an axis with its title between them, or below where it does not fit."""
    title, room = plain(title), across - len(start) - len(end)
    if cells_wide(title) + 2 <= room:
        before = (room - cells_wide(title)) // 2
        return [f"{start}{' ' * before}{filled(title, room - before)}{end}"]
    return [f"{start}{' ' * room}{end}", *wrapped(title, across)]


def _title(title: str, width: int) -> list[str]:
    return wrapped(plain(title), width) or [""]


def _legend(entries: list[str], width: int) -> list[str]:
    """Return the entries side by side, on as many lines as they need."""
    lines: list[str] = [""]
    for entry in entries:
        if lines[-1] and cells_wide(lines[-1]) + 3 + cells_wide(entry) > width:
            lines.append("")
        lines[-1] += f"   {entry}" if lines[-1] else entry
    return lines


def _names(names: Sequence[str], room: int) -> list[str]:
    """Return the names cut and padded to one width."""
    short = shorten_names([plain(name) for name in names], min(MAX_NAME, room))
    wide = max(map(cells_wide, short), default=0)
    return [filled(name, wide) for name in short]


def _column(height: float, wide: int, half: str = "") -> str:
    """Return one cell of a bar: full, empty or part of it; below zero only halves can be drawn."""
    if half:
        mark = "█" if height >= 0.75 else half if height >= 0.25 else " "
    else:
        mark = EIGHTHS[max(0, min(8, round(8 * height)))]
    return mark * (wide - 1) + " " if wide > 1 else mark


def _shade(value: float | None) -> str:
    if value is None:
        return f"{NOT_AVAILABLE:>6}"
    return f"{SHADES[max(0, min(4, int(5 * value + 1e-9)))]}{value:>5.2f}"


def _cell(value: float, low: float, high: float, cells: int) -> int:
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text if len(text) <= MAX_NUMBER else f"{value:.4g}"


def _label(value: float) -> str:
    return f"{value:.3g}"
