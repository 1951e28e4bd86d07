"""Print reports and results on a terminal, like the text reports of TREC: tables side by side where they fit, charts drawn with
characters. A chart that cannot be drawn so prints its alternative text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from assay.reports import model
from assay.reports.model import (
    Block,
    BlockRow,
    Board,
    Chart,
    Document,
    Note,
    Panels,
    RunPage,
    Section,
    Table,
    TableColumn,
)
from assay.reports.tables import plain
from assay.reports.terminal_intervals import interval_strips
from assay.reports.terminal_width import DEFAULT_WIDTH, cells_wide, filled, narrow_longest, wrapped

GAP, FACTS = "    ", " \u00b7 "
ANY_WIDTH = 10**6
"""Without a width, the terminal breaks sentences itself; captions and charts use `DEFAULT_WIDTH`."""
MAX_NAME_COLUMNS = 3
"""Columns that name a row, repeated where a table that is too wide continues below."""
MIN_WORD_COLUMN = 12
"""Letters of a column of words when its table is too wide."""
MIN_TITLE = 24
"""Letters on a line of a title above a narrower table."""
MAX_COLUMN_ROWS, MIN_COLUMN_ROWS = 30, 12
"""A narrow table with more rows is set in several columns, each with at least so many rows."""


def to_text(report: Document, width: int = 100) -> str:
    """Return the whole report, no line wider than `width`.

    >>> from assay.reports.model import TableColumn, number, text
    >>> columns = (TableColumn("Recall"), TableColumn("Precision", numeric=True))
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
    from assay.reports.reading_order import printed

    report = printed(report)
    lines = [line.center(width).rstrip() for line in _wrapped(report.title, width)]
    lines += [line.center(width).rstrip() for line in _wrapped(report.subtitle, width)]
    lines.append("=" * width)
    if report.finding:
        lines += ["", *_wrapped(report.finding, width)]
    if report.trust:
        lines += ["", *_wrapped(" ".join(report.trust), width)]
    if report.meta:
        lines += ["", *_wrapped(FACTS.join(f"{label}: {value}" for label, value in report.meta), width)]
    if report.foot:
        lines += ["", *_wrapped(" ".join((*report.rules, report.foot)), width)]
    for section in report.sections:
        lines += _section(section, width)
    for page in report.pages:
        lines += _page(page, width)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def sections_text(sections: Sequence[Section], width: int | None = None) -> str:
    """Return sections as a command prints them: without rules below titles; without a width, each sentence is one line."""
    parts: list[list[str]] = []
    for section in sections:
        lines = _blocks(section.blocks, width or ANY_WIDTH)
        parts.append([plain(section.title), *lines] if section.title else lines[1:])
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part) + "\n"


def _page(page: RunPage, width: int) -> list[str]:
    lines = ["", "=" * width, *_wrapped(page.run, width), "=" * width]
    if page.finding:
        lines += [*_wrapped(page.finding.text, width), ""]
    if page.meta:
        lines += _wrapped(FACTS.join(f"{label}: {value}" for label, value in page.meta), width)
    for section in page.sections:
        lines += _section(section, width)
    return lines


def _section(section: Section, width: int) -> list[str]:
    lines = _blocks(section.blocks, width)
    return ["", plain(section.title), "-" * width, *lines] if lines else []


def _blocks(blocks: Sequence[Block], width: int) -> list[str]:
    """Separate blocks by an empty line, but not notes that follow each other."""
    lines: list[str] = []
    previous: Block | None = None
    for block in blocks:
        block_lines = _block(block, width)
        lines += block_lines[1:] if isinstance(block, Note) and isinstance(previous, Note) else block_lines
        previous = block
    return lines


def _block(block: Block, width: int) -> list[str]:
    if isinstance(block, Table):
        caption = ["", *_wrapped(block.caption, min(width, DEFAULT_WIDTH))] if block.caption else []
        return ["", *_table(block, width), *caption]
    if isinstance(block, Board):
        return ["", *_table(_board_table(block, width), width)]
    if isinstance(block, BlockRow):
        tables = [part for part in block.blocks if isinstance(part, Table)]
        named = {part.title for part in tables}
        charts = [
            replace(part, title="") if part.title in named else part for part in block.blocks if isinstance(part, Chart)
        ]
        below = [line for chart in charts for line in _block(chart, width)]
        return [*_beside([_table(part, width) for part in tables], width), *below]
    if isinstance(block, Note):
        return ["", *_wrapped(block.body, width)]
    if isinstance(block, Chart):
        return ["", *_chart(block, width)]
    if isinstance(block, Panels):
        plots = model.counted(len(block.charts), "plot")
        return ["", *_wrapped(f"[{block.title}: {plots}, drawn in the HTML and PDF reports]", width)]
    return []


def _board_table(board: Board, width: int) -> Table:
    """Return a leaderboard as a table; without room the drawing goes first, then how answers ended."""
    drawn = interval_strips([(row.value, row.low, row.high) for row in board.rows], [row.leads for row in board.rows])
    tiers = [row.tier for row in board.rows]
    # A list, as a measure may be called like another column.
    columns: list[tuple[TableColumn, list[str]]] = []
    if any(tiers):
        shown = ["" if tier in tiers[:place] else tier for place, tier in enumerate(tiers)]
        columns.append((TableColumn("tier", numeric=True), shown))
    columns.append((TableColumn("rank" if board.ranked else "place", numeric=True), [row.rank for row in board.rows]))
    names = [f"{row.run} ({row.beside})" if row.beside else row.run for row in board.rows]
    columns.append((TableColumn("run"), names))
    columns.append((TableColumn(board.measure, numeric=True), [board.value_text(row) for row in board.rows]))
    if board.interval:
        columns.append((TableColumn(board.interval, numeric=True), [board.interval_text(row) for row in board.rows]))
    strips = [(TableColumn(drawn.scale), drawn.strips)] if drawn else []
    endings = [
        (TableColumn(name, numeric=True), [f"{row.counts[place]:,}" if row.counts else "" for row in board.rows])
        for place, name in enumerate(board.endings)
    ]
    if any(row.failed for row in board.rows):
        endings.append((TableColumn("failed", numeric=True), [f"{row.failed:,}" for row in board.rows]))
    every = [*columns, *strips, *endings]
    if _total([max(map(cells_wide, (column.label, *cells))) for column, cells in every]) > width:
        every = [*columns, *endings]
    rows = tuple(tuple(map(model.text, cells)) for cells in zip(*(cells for _, cells in every), strict=True))
    return Table(board.id, "", tuple(column for column, _ in every), rows)


def _chart(chart: Chart, width: int) -> list[str]:
    drawn = chart.drawing.lines(min(width, DEFAULT_WIDTH)) if chart.drawing is not None else []
    if not drawn:
        return _wrapped(f"[{chart.title}: {chart.alt}]" if chart.title else f"[{chart.alt}]", width)
    title = _wrapped(chart.title, width)
    return drawn if title == drawn[:1] else [*title, *drawn]


def _wrapped(text: str, width: int) -> list[str]:
    return wrapped(plain(text), width)


def _table(table: Table, width: int) -> list[str]:
    """Return title, header, rule and rows, every line equally wide; a table that is too wide is folded and continued below."""
    heads = [plain(column.label) if table.show_header else "" for column in table.columns]
    rows = [
        plain(row.label) if isinstance(row, model.Span) else [plain(cell.whole_text) for cell in row]
        for row in table.rows
    ]
    numeric = [column.numeric or (not table.show_header and place > 0) for place, column in enumerate(table.columns)]
    full = [row for row in rows if not isinstance(row, str)]
    natural = [
        max([cells_wide(head), *(cells_wide(row[place]) for row in full)], default=0)
        for place, head in enumerate(heads)
    ]
    words = [place for place, column in enumerate(table.columns) if not column.numeric]
    widths, parts = _folded(natural, words, width)
    lines: list[str] = []
    for number, part in enumerate(parts):
        lines += [""] if number else []
        within, right = [widths[place] for place in part], [numeric[place] for place in part]
        total = _total(within)
        head = _lines([heads[place] for place in part], within, right) if table.show_header else []
        beside: list[list[str]] = []
        for few in _columns(rows, total, width):
            beside.append([*head, "-" * total])
            for row in few:
                whole = isinstance(row, str)
                beside[-1] += (
                    wrapped(row, min(width, max(total, MIN_TITLE)))
                    if whole
                    else _lines([row[place] for place in part], within, right)
                )
        lines += _joined(beside)
    title = wrapped(plain(table.title), min(width, max(MIN_TITLE, *map(cells_wide, lines))))
    return _even([*title, *lines])


def _columns(rows: Sequence[Any], total: int, width: int) -> list[Sequence[Any]]:
    """Split the rows of a long, narrow table into side-by-side parts."""
    if len(rows) <= MAX_COLUMN_ROWS or width == ANY_WIDTH or any(isinstance(row, str) for row in rows):
        return [rows]
    across = min((width + len(GAP)) // (total + len(GAP)), len(rows) // MIN_COLUMN_ROWS)
    tall = ceil(len(rows) / max(across, 1))
    return [rows[start : start + tall] for start in range(0, len(rows), tall)]


def _even(lines: Sequence[str]) -> list[str]:
    """Pad all lines to the width of the widest."""
    widest = max(map(cells_wide, lines), default=0)
    return [filled(line, widest) for line in lines]


def _joined(beside: Sequence[Sequence[str]]) -> list[str]:
    """Join blocks of lines side by side."""
    tall = max(map(len, beside))
    padded = [_even([*lines, *[""] * (tall - len(lines))]) for lines in beside]
    return [GAP.join(parts) for parts in zip(*padded, strict=True)]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


def _folded(natural: Sequence[int], words: Sequence[int], width: int) -> tuple[list[int], list[list[int]]]:
    """Return the widths of a table's columns, and the columns in groups that fit, each beginning with those that name a row.

    First the longest columns of words are narrowed; if that is not enough, there are several groups.
    """
    places, between = list(range(len(natural))), _total([0] * len(natural))
    widths = narrow_longest(natural, words, width - between, MIN_WORD_COLUMN)
    if _total(widths) <= width:
        return widths, [places]
    # The columns up to the first with words name the rows, or the first column if all are numbers.
    first = next((place for place in words if place < MAX_NAME_COLUMNS), 0)
    names = places[: first + 1]
    while len(names) < MAX_NAME_COLUMNS and len(names) in words:
        names.append(len(names))
    most = max(1, width // 2 // len(names) - 2)
    named = [min(natural[place], most) for place in names]
    left = max(1, width - _total(named) - 2)
    widths = [*named, *(min(natural[place], left) for place in places[len(names) :])]
    parts: list[list[int]] = []
    for place in places[len(names) :]:
        if parts and _total([widths[column] for column in [*parts[-1], place]]) <= width:
            parts[-1].append(place)
        else:
            parts.append([*names, place])
    return widths, parts or [names]


def _lines(texts: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """Return a row of a table, in as many lines as its longest cell needs."""
    cells = [
        [text] if cells_wide(text) <= width else wrapped(text, width) for text, width in zip(texts, widths, strict=True)
    ]
    tall = max((len(cell) for cell in cells), default=1)
    padded = [[*cell, *[""] * (tall - len(cell))] for cell in cells]
    return [_line(line, widths, numeric) for line in zip(*padded, strict=True)]


def _line(texts: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded: list[str] = []
    for text, width, right in zip(texts, widths, numeric, strict=True):
        padded.append(" " * (width - cells_wide(text)) + text if right else filled(text, width))
    return "  ".join(padded)


def _beside(tables: list[list[str]], width: int) -> list[str]:
    """Place tables side by side as long as they fit, the others below."""
    lines: list[str] = []
    waiting = list(tables)
    while waiting:
        group = [waiting.pop(0)]
        while waiting and sum(cells_wide(t[0]) + len(GAP) for t in [*group, waiting[0]]) - len(GAP) <= width:
            group.append(waiting.pop(0))
        lines += ["", *_joined(group)]
    return lines
