"""Reports and results on a terminal: the look of the text reports TREC sent, tables side by side where they fit, curves and
bars drawn in letters. What cannot be drawn so is told by its alternative text."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from math import log10

from assay.reports import model
from assay.reports.model import Bars, Block, Chart, Document, Note, Page, Panels, Plot, Row, Section, Table
from assay.reports.tables import plain

GAP = "    "
ANY_WIDTH, CAPTION = 10**6, 100
"""Where nobody says how wide the terminal is, it breaks sentences itself; captions are never wider than this."""
WIDTH, HEIGHT = 64, 14
SMALLEST = 1e-4
"""The lowest value a logarithmic axis shows; smaller ones are drawn on its floor."""
MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BAR = 40


def to_text(report: Document, width: int = 100) -> str:
    """The whole report, no line wider than `width` unless a single table is.

    >>> from assay.reports.model import Column, number, text
    >>> columns = (Column("Recall"), Column("Precision", numeric=True))
    >>> table = Table("t", "Averages", columns, ((text("0.00"), number(0.6169)),))
    >>> print(to_text(Document("TREC", sections=(Section("s", "Run one", (table,)),)), 30))
                 TREC
    ==============================
    <BLANKLINE>
    Run one
    ------------------------------
    <BLANKLINE>
    Averages
    Recall  Precision
    -----------------
    0.00       0.6169
    <BLANKLINE>
    """
    lines = [plain(report.title).center(width).rstrip()]
    if report.subtitle:
        lines.append(plain(report.subtitle).center(width).rstrip())
    lines.append("=" * width)
    if report.meta:
        lines += ["", "   ".join(f"{plain(label)}: {plain(value)}" for label, value in report.meta)]
    for section in report.sections:
        lines += _section(section, width)
    for page in report.pages:
        lines += _page(page, width)
    if report.foot:
        lines += ["", *_wrapped(report.foot, width)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def sections_text(sections: Sequence[Section], width: int | None = None) -> str:
    """Sections as a command prints them: no rules below their titles, sentences a line each unless a width is given."""
    parts: list[list[str]] = []
    for section in sections:
        lines = _blocks(section.blocks, width or ANY_WIDTH)
        parts.append([plain(section.title), *lines] if section.title else lines[1:])
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part) + "\n"


def cells_wide(text: str) -> int:
    """How many columns of a terminal the text takes: two for each wide character, none for one that only combines.

    >>> cells_wide("abc"), cells_wide("中文"), cells_wide("e\\u0301")
    (3, 4, 1)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _page(page: Page, width: int) -> list[str]:
    lines = ["", "=" * width, plain(page.run), "=" * width]
    if page.meta:
        lines.append("   ".join(f"{plain(label)}: {plain(value)}" for label, value in page.meta))
    for section in page.sections:
        lines += _section(section, width)
    return lines


def _section(section: Section, width: int) -> list[str]:
    lines = _blocks(section.blocks, width)
    return ["", plain(section.title), "-" * width, *lines] if lines else []


def _blocks(blocks: Sequence[Block], width: int) -> list[str]:
    """Blocks with a line between them; notes that follow each other are one paragraph of sentences."""
    lines: list[str] = []
    before: Block | None = None
    for block in blocks:
        made = _block(block, width)
        lines += made[1:] if isinstance(block, Note) and isinstance(before, Note) else made
        before = block
    return lines


def _block(block: Block, width: int) -> list[str]:
    if isinstance(block, Table):
        caption = ["", *_wrapped(block.caption, min(width, CAPTION))] if block.caption else []
        return ["", *_table(block), *caption]
    if isinstance(block, Row):
        tables = [_table(part) for part in block.blocks if isinstance(part, Table)]
        charts = [line for part in block.blocks if isinstance(part, Chart) for line in _block(part, width)]
        return [*_beside(tables, width), *charts]
    if isinstance(block, Note):
        return ["", *_wrapped(block.body, width)]
    if isinstance(block, Chart):
        return ["", *_chart(block, width)]
    if isinstance(block, Panels):
        plots = model.counted(len(block.charts), "plot")
        return ["", *_wrapped(f"[{block.title}: {plots}, drawn in the HTML and PDF reports]", width)]
    return []


def _chart(chart: Chart, width: int) -> list[str]:
    lines: list[str] = []
    if isinstance(chart.drawing, Plot):
        lines = drawn(chart.drawing)
    elif isinstance(chart.drawing, Bars):
        lines = drawn_bars(chart.drawing)
    return [plain(line) for line in lines] or _wrapped(f"[{chart.title}: {chart.alt}]", width)


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(plain(text), width)


def _table(table: Table) -> list[str]:
    """Title, header, rule and rows, every line equally wide."""
    heads = [plain(column.label) if table.show_header else "" for column in table.columns]
    rows = [
        plain(row.label) if isinstance(row, model.Span) else [plain(cell.whole_text) for cell in row]
        for row in table.rows
    ]
    full = [row for row in rows if not isinstance(row, str)]
    widths = [
        max([cells_wide(head), *(cells_wide(row[place]) for row in full)], default=0)
        for place, head in enumerate(heads)
    ]
    total = sum(widths) + 2 * (len(widths) - 1)
    numeric = [column.numeric or (not table.show_header and place > 0) for place, column in enumerate(table.columns)]
    lines = textwrap.wrap(plain(table.title), max(total, 24))
    if table.show_header:
        lines.append(_line(heads, widths, numeric))
    lines.append("-" * total)
    for row in rows:
        lines += textwrap.wrap(row, max(total, 24)) if isinstance(row, str) else [_line(row, widths, numeric)]
    widest = max(cells_wide(line) for line in lines)
    return [line + " " * (widest - cells_wide(line)) for line in lines]


def _line(texts: list[str], widths: list[int], numeric: list[bool]) -> str:
    padded: list[str] = []
    for text, width, right in zip(texts, widths, numeric, strict=True):
        space = " " * (width - cells_wide(text))
        padded.append(space + text if right else text + space)
    return "  ".join(padded)


def _beside(tables: list[list[str]], width: int) -> list[str]:
    """Tables next to each other for as long as they fit, then below."""
    lines: list[str] = []
    waiting = list(tables)
    while waiting:
        group = [waiting.pop(0)]
        while waiting and sum(cells_wide(t[0]) + len(GAP) for t in [*group, waiting[0]]) - len(GAP) <= width:
            group.append(waiting.pop(0))
        tall = max(len(table) for table in group)
        padded = [table + [" " * cells_wide(table[0])] * (tall - len(table)) for table in group]
        lines += ["", *(GAP.join(parts) for parts in zip(*padded, strict=True))]
    return lines


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
