"""Charts in letters and blocks, for a terminal: curves, bars, intervals, differences and shaded tables."""

from __future__ import annotations

import unicodedata
from math import ceil, log10

from assay.reports.model import NOT_AVAILABLE, Bars, Differences, Plot, Shades, Spans

WIDTH, HEIGHT = 64, 14
LINE = 100
"""No line of a drawing is longer."""
SMALLEST = 1e-4
"""The lowest value a logarithmic axis shows; smaller ones are drawn on its floor."""
MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BAR = 40
NAME = 28
"""Letters of a name that a drawing shows; the tables have the rest."""
ROWS = 5
"""Lines above and below the zero of differences."""
EIGHTHS = " ▁▂▃▄▅▆▇█"
SHADES = " ░▒▓█"

Drawing = Plot | Bars | Spans | Shades | Differences


def in_letters(drawing: Drawing) -> list[str]:
    """The lines of a drawing; none where it has nothing to show."""
    if isinstance(drawing, Plot):
        return drawn(drawing)
    if isinstance(drawing, Bars):
        return drawn_bars(drawing)
    if isinstance(drawing, Spans):
        return drawn_spans(drawing)
    return drawn_shades(drawing) if isinstance(drawing, Shades) else drawn_differences(drawing)


def cells_wide(text: str) -> int:
    """How many columns of a terminal the text takes: two for each wide character, none for one that only combines.

    >>> cells_wide("abc"), cells_wide("中文"), cells_wide("e\\u0301")
    (3, 4, 1)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def drawn(plot: Plot) -> list[str]:
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
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    if plot.line is not None:
        grid[_place(raised(plot.line), low, high, HEIGHT)] = ["-"] * WIDTH
    marks = dict(zip(plot.curves, (MARKS[i % len(MARKS)] for i in range(len(plot.curves))), strict=True))
    for name, curve in plot.curves.items():
        for across, value in curve:
            row, column = (
                _place(raised(value), low, high, HEIGHT),
                _place(along(across), along(left), along(right), WIDTH),
            )
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
    title = f"{plot.x} (logarithmic)" if plot.log_x else plot.x
    legend += [f"- {_label(plot.line)}"] if plot.line is not None else []
    return [
        *lines,
        f"{' ' * margin} +{'-' * WIDTH}",
        f"{indent}{start}{title:^{WIDTH - len(start) - len(end)}}{end}",
        *(f"{indent}{line}" for line in _legend(legend, LINE - len(indent))),
    ]


def _legend(entries: list[str], width: int) -> list[str]:
    """Entries beside each other for as long as they fit."""
    lines: list[str] = [""]
    for entry in entries:
        entry = entry if cells_wide(entry) <= width else fitted(entry, width).rstrip()
        if lines[-1] and cells_wide(lines[-1]) + 3 + cells_wide(entry) > width:
            lines.append("")
        lines[-1] += f"   {entry}" if lines[-1] else entry
    return lines


def drawn_bars(bars: Bars) -> list[str]:
    """A line a bar: label, series, number, and the bar itself.

    >>> print("\\n".join(drawn_bars(Bars((("1", "run", 2), ("1", "median", 1)), "questions"))))
    questions
    1  run     2  ########################################
       median  1  ####################
    """
    longest = max((length for *_, length in bars.rows), default=0) or 1
    names = min(NAME, max((cells_wide(label) for label, _, _ in bars.rows), default=0))
    series = min(NAME, max((cells_wide(name) for _, name, _ in bars.rows), default=0))
    wide = max((len(f"{length:.4g}") for *_, length in bars.rows), default=0)
    lines = [bars.title]
    before = None
    for label, name, length in bars.rows:
        said = "" if label == before else label
        before = label
        bar = "#" * round(BAR * length / longest)
        lines.append(f"{fitted(said, names)}  {fitted(name, series)}  {length:>{wide}.4g}  {bar}".rstrip())
    return lines


def drawn_spans(spans: Spans) -> list[str]:
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
    names = min(NAME, max(cells_wide(row[0]) for row in spans.rows))
    number = max(len(f"{row[1]:.{spans.digits}f}") for row in spans.rows)
    across = min(WIDTH, LINE - names - number - 4)
    lines = [spans.title]
    for name, value, low, high in spans.rows:
        line = [" "] * across
        if low is not None and high is not None:
            for place in range(_place(low, left, right, across), _place(high, left, right, across) + 1):
                line[place] = "━"
        line[_place(value, left, right, across)] = "●"
        lines.append(f"{fitted(name, names)}  {value:>{number}.{spans.digits}f}  {''.join(line)}".rstrip())
    start, end = _label(left), _label(right)
    indent = " " * (names + number + 4)
    return [*lines, f"{indent}{start}{end:>{across - len(start)}}"]


def drawn_differences(found: Differences) -> list[str]:
    """A column a name, up from zero where it is positive and down where negative, the scale at the left.

    >>> lines = drawn_differences(Differences((("1", 0.5), ("2", -0.25)), "AP"))
    >>> lines[1], lines[6], lines[8]
    (' 0.5 |███', '   0 +--------', '     |    ███')
    """
    rows = list(found.rows)
    if not rows:
        return []
    most = max(abs(value) for _, value in rows) or 1.0
    across = LINE - 10
    every = ceil(len(rows) / across)
    shown = rows[::every]
    wide = max(1, min(4, across // len(shown)))
    signed = [value / most * ROWS for _, value in shown]
    lines = [found.title]
    margin = max(len(_label(most)), len(_label(-most)))
    for level in range(ROWS - 1, -1, -1):
        cells = "".join(_column(value - level, wide) for value in signed)
        lines.append(f"{_label(most) if level == ROWS - 1 else '':>{margin}} |{cells}".rstrip())
    lines.append(f"{'0':>{margin}} +{'-' * (wide * len(shown))}")
    for level in range(ROWS):
        cells = "".join(_column(-value - level, wide, "▀") for value in signed)
        lines.append(f"{_label(-most) if level == ROWS - 1 else '':>{margin}} |{cells}".rstrip())
    told = f", every {every}. of them" if every > 1 else ""
    return [*lines, f"{' ' * margin}  {rows[0][0]} to {rows[-1][0]}{told}"]


def _column(height: float, wide: int, half: str = "") -> str:
    """One cell of a bar: full, empty, or what is left of it; below zero only halves can be drawn."""
    if half:
        mark = "█" if height >= 0.75 else half if height >= 0.25 else " "
    else:
        mark = EIGHTHS[max(0, min(8, round(8 * height)))]
    return mark * (wide - 1) + " " if wide > 1 else mark


def drawn_shades(found: Shades) -> list[str]:
    """A row and a column a name, each cell its number over its shade, and what the shades mean.

    >>> print("\\n".join(drawn_shades(Shades(("AP", "RR"), ((1.0, 0.5), (0.5, None)), "tau"))))
    tau
               1      2
    1 AP  █ 1.00 ▒ 0.50
    2 RR  ▒ 0.50    n/a
    shades: blank below 0.2, ░ from 0.2, ▒ from 0.4, ▓ from 0.6, █ from 0.8
    """
    many = len(found.names)
    names = min(NAME, max((cells_wide(name) for name in found.names), default=0))
    first = len(str(many)) + 1 + names
    # Columns have the numbers of the rows: names beside each other would not fit.
    parts = max(1, (LINE - first - 2) // 7)
    lines = [found.title] if many else []
    for start in range(0, many, parts):
        lines.append(
            " " * (first + 1) + "".join(f"{place:>7}" for place in range(start + 1, min(many, start + parts) + 1))
        )
        for place, (name, row) in enumerate(zip(found.names, found.rows, strict=True), start=1):
            cells = "".join(f" {_shade(value)}" for value in row[start : start + parts])
            lines.append(f"{place:>{len(str(many))}} {fitted(name, names)} {cells}")
    return [*lines, "shades: blank below 0.2, ░ from 0.2, ▒ from 0.4, ▓ from 0.6, █ from 0.8"] if many else []


def _shade(value: float | None) -> str:
    if value is None:
        return f"{NOT_AVAILABLE:>6}"
    return f"{SHADES[max(0, min(4, int(5 * value + 1e-9)))]}{value:>5.2f}"


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of so many columns, broken between words; a word that is longer is broken itself.

    >>> wrapped("one two three", 7), wrapped("中文中文 ab", 6)
    (['one two', 'three'], ['中文中', '文 ab'])
    """
    lines: list[str] = []
    for word in text.split():
        if lines and cells_wide(lines[-1]) + 1 + cells_wide(word) <= width:
            lines[-1] += f" {word}"
            continue
        while cells_wide(word) > width:
            part = word[:1]
            while cells_wide(part + word[len(part)]) <= width:
                part += word[len(part)]
            lines.append(part)
            word = word[len(part) :]
        lines.append(word)
    return lines


def fitted(text: str, width: int) -> str:
    """The text in so many columns, cut with an ellipsis or filled with spaces.

    >>> fitted("abc", 5), fitted("abcdefg", 5)
    ('abc  ', 'abcd…')
    """
    while cells_wide(text) > width:
        text = text[: -2 if text.endswith("…") else -1] + "…"
    return text + " " * (width - cells_wide(text))


def _place(value: float, low: float, high: float, cells: int) -> int:
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))


def _label(value: float) -> str:
    return f"{value:.3g}"
