"""Layout of tables in the PDF: column widths, row heights, side-by-side placement, tables of every value.

Typst sets a column of known width in a third of the time, and lays out a row of known height once instead of twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from assay.figures.common import natural
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.model import (
    Block,
    BlockRow,
    Cell,
    Chart,
    ComparisonBlock,
    Note,
    Section,
    Span,
    Table,
    TableColumn,
    counted,
)
from assay.reports.svg_charts.scales import text_width
from assay.reports.terminal_width import narrow_longest

GUTTER = 14.0
"""Between side-by-side blocks, in points."""
MAX_PAGE_LINES, CELL_LINE_LENGTH = 34, 60
"""Lines of a table that fit on one page, and the letters that fit on a line of a cell."""
MAX_NORMAL_COLUMNS = 7
"""A table with more columns is set smaller and closer."""
NORMAL_PRINT, SMALL_PRINT, DENSE_PRINT = (8.7, 6.0), (7.6, 3.0), (7.6, 2.0)
"""Size of letters, and space on either side of a cell; the last is for tables set in several columns."""
STRIP, MIN_WORD_COLUMN = 95.0, 60.0
"""Width of an interval drawn beside its numbers, and minimum width of a column of words."""
FIGURE = 3.98
"""Width of a letter in a cell of many numbers."""
CAPITALS, ROW_INSET = 0.66, 2.7
"""Height of a letter relative to its size, and space above and below a row."""
MIN_SPLIT_ROWS, MIN_COLUMN_ROWS, MAX_COLUMN_ROWS, MAX_COLUMNS_BESIDE = 16, 8, 20, 4
"""A narrow table of at least so many rows is set in columns; minimum and maximum rows of a column; maximum number of columns."""
MAX_PAIRED_WIDTH, MAX_PAIRED_ROWS = 0.46, 16
"""Share of the page's width, and rows, of a table that leaves room for a chart beside it."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table's measurements in points.

    widths    0 for a column that fills the remaining room, None if typst must compute it
    heights   of each row; None if a cell may have several lines
    head      the header's height, likewise
    strips    whether intervals are drawn beside their numbers
    folds     whether headings may break
    natural   the total width
    """

    size: float
    inset: float
    widths: list[float | None]
    heights: list[float | None]
    head: float | None
    strips: bool
    folds: bool
    natural: float
    room: float


def laid_out(table: Table, room: float, *, filling: bool = False) -> TableLayout:
    """Choose the largest layout that fits: smaller letters, no intervals, folded headings.

    `filling` gives the remaining room to the column with the longest words.
    """
    usual = (NORMAL_PRINT[0], NORMAL_PRINT[1] if len(table.columns) > 2 else SMALL_PRINT[1])
    if _fits_in_columns(table, room):
        usual = DENSE_PRINT
    elif len(table.columns) > MAX_NORMAL_COLUMNS:
        usual = SMALL_PRINT
    drawn = any(column.domain for column in table.columns)
    ways = [(usual, drawn, False), (SMALL_PRINT, drawn, False), (SMALL_PRINT, False, False), (SMALL_PRINT, False, True)]

    def widths(way: tuple[tuple[float, float], bool, bool]) -> list[float]:
        return natural_widths(table, *way[0], strips=way[1], folds=way[2])

    chosen = next((way for way in ways if sum(widths(way)) <= room), ways[-1])
    (size, inset), strips, folds = chosen
    column_widths = narrowed(table, widths(chosen), room)
    total = sum(column_widths)
    fits = total <= room + 0.01
    known: list[float | None] = list(column_widths) if fits else [None] * len(column_widths)
    if filling and fits:
        known[_widest(table)] = 0.0
    rows = row_heights(table, column_widths if fits else [], room if filling else total, size, inset, known)
    head = None if folds else round(CAPITALS * size + 2 * ROW_INSET, 2)
    return TableLayout(size, inset, known, rows, head, strips, folds, total, room)


def _fits_in_columns(table: Table, room: float) -> bool:
    """Return whether a table is long, and at most half as wide as the page in small print."""
    if len(table.rows) < MIN_SPLIT_ROWS or any(isinstance(row, Span) for row in table.rows):
        return False
    return 2 * sum(natural_widths(table, *DENSE_PRINT, strips=True, folds=False)) + GUTTER <= room


def natural_widths(table: Table, size: float, inset: float, *, strips: bool, folds: bool) -> list[float]:
    """Return the width of each column's widest cell."""
    rows = [row for row in table.rows if not isinstance(row, Span)]
    widths: list[float] = []
    for place, column in enumerate(table.columns):
        heads = re.split(r"(?<=[\s_./:+-])", column.label) if folds else [column.label]
        texts = [*(heads if table.show_header else ()), *(row[place].whole_text for row in rows)]
        drawn = STRIP if column.domain and strips else 0.0
        widths.append(max((_wide(text, size) for text in texts), default=0.0) + 2 * inset + drawn + 1)
    return widths


def _wide(text: str, size: float) -> float:
    return FIGURE * len(text) if text.startswith(NUMBER_SPACE) else text_width(text, size)


def narrowed(table: Table, widths: Sequence[float], room: float) -> list[float]:
    """Narrow the longest columns of words until the table fits, if it can; numbers do not fold."""
    words = [
        place
        for place, column in enumerate(table.columns)
        if not column.numeric and not column.label.startswith(NUMBER_SPACE)
    ]
    return narrow_longest(widths, words, room, MIN_WORD_COLUMN)


def row_heights(
    table: Table, widths: Sequence[float], room: float, size: float, inset: float, known: Sequence[float | None]
) -> list[float | None]:
    """Return each row's height where all its cells fit on one line, else None."""
    if not widths:
        return [None] * len(table.rows)
    spare = room - sum(widths)
    wide = [width + (spare if value == 0 else 0.0) for width, value in zip(widths, known, strict=True)]

    def fits(row: tuple[Cell, ...]) -> bool:
        return all(_wide(cell.whole_text, size) + 2 * inset <= value for cell, value in zip(row, wide, strict=True))

    tall = round(CAPITALS * size + 2 * ROW_INSET, 2)
    return [None if isinstance(row, Span) or not fits(row) else tall for row in table.rows]


def beside_each_other(table: Table, layout: TableLayout) -> list[list[range]]:
    """Split a long, narrow table into parts of side-by-side columns; else return one part."""
    count = len(table.rows)
    across = int((layout.room + GUTTER) // (layout.natural + GUTTER))
    across = min(across, MAX_COLUMNS_BESIDE, count // MIN_COLUMN_ROWS)
    if across < 2 or not _fits_in_columns(table, layout.room):
        return [[range(count)]]
    parts = ceil(count / (across * MAX_COLUMN_ROWS))
    each = ceil(count / parts)
    tall = ceil(each / across)
    return [
        [range(place, min(place + tall, start + each, count)) for place in range(start, min(start + each, count), tall)]
        for start in range(0, count, each)
    ]


def kept_whole(table: Table) -> bool:
    """Return whether a table fits on one page and must not break."""
    lines = 0
    for row in table.rows:
        longest = 0 if isinstance(row, Span) else max((len(cell.text) for cell in row), default=0)
        lines += 1 + longest // CELL_LINE_LENGTH
    return lines <= MAX_PAGE_LINES


def paired(blocks: Sequence[Block], room: float) -> Iterator[Block]:
    """Yield the blocks, pairing a narrow table with the chart that follows it."""
    waiting = list(blocks)
    while waiting:
        block = waiting.pop(0)
        chart = waiting[0] if waiting else None
        if isinstance(block, Table) and isinstance(chart, Chart) and not block.of_runs:
            wide = laid_out(block, room).natural
            narrow = wide <= MAX_PAIRED_WIDTH * room and len(block.rows) <= MAX_PAIRED_ROWS
            if narrow and "widest" not in chart.spec.get("usermeta", {}):
                yield BlockRow((block, chart), (wide, room - GUTTER - wide))
                waiting.pop(0)
                continue
        yield block


def stays_together(section: Section) -> bool:
    """Return whether a section is a short table and a chart, which then share a page."""
    if len(section.blocks) != 2:
        return False
    table, picture = section.blocks
    return isinstance(table, Table) and len(table.rows) <= MAX_PAIRED_ROWS and isinstance(picture, Chart | BlockRow)


def _widest(table: Table) -> int:
    """Return the column that fills the remaining room: the one with the longest words."""
    rows = [row for row in table.rows if not isinstance(row, Span)]
    lengths = [
        0 if column.numeric else max((len(row[place].text) for row in rows), default=0)
        for place, column in enumerate(table.columns)
    ]
    return lengths.index(max(lengths)) if lengths else 0


NUMBER_SPACE = "\u00a0"
"""Starts and separates the numbers in a cell of many numbers."""
LETTERS_ACROSS, LONGEST_TOPIC, VALUE_DIGITS = 92, 22, 3
"""Letters across the page, letters of a topic's name, digits of a value."""
MAX_PRINTED_VALUES = 20_000
"""More values are not printed."""


def every_value(comparison: ComparisonBlock) -> Section | None:
    """Return the first measure's value of every run on every topic, in tables as wide as a page."""
    measure = next((values_of_measure for values_of_measure in comparison.measures if values_of_measure.topics), None)
    if measure is None or len(comparison.topics) == 0:
        return None
    unit = comparison.unit
    title = f"{in_words(measure.name)} on every {unit}"
    if len(comparison.topics) * len(comparison.runs) > MAX_PRINTED_VALUES:
        count = f"{counted(len(comparison.runs), 'run')} on {counted(len(comparison.topics), unit)}"
        return Section(
            "values", title, (Note(f"The values of {count} are in the HTML report and in the table of scores."),)
        )
    whole = all(value is None or value == int(value) for values in measure.topics for value in values)
    digits = 0 if whole else VALUE_DIGITS
    texts = [[model.number(value, digits).text for value in values] for values in measure.topics]
    order = sorted(range(len(texts)), key=lambda run: natural(comparison.runs[run].casefold()))
    named = min(LONGEST_TOPIC, max(map(len, comparison.topics)))
    wide = max(named, *(len(text) for row in texts for text in row))
    # All tables have the same number of topics, or one less.
    parts = ceil(len(comparison.topics) / max(1, LETTERS_ACROSS // (wide + 1)))
    edges = [round(part * len(comparison.topics) / parts) for part in range(parts + 1)]
    tables: list[Table] = []
    for start, end in pairwise(edges):
        topics = comparison.topics[start:end]
        rows = tuple(
            (
                model.text(comparison.runs[run], link=f"run-{run + 1}"),
                model.text(_aligned(texts[run][start:end], wide)),
            )
            for run in order
        )
        which = f"{unit.capitalize()} {topics[0]}"
        which = f"{unit.capitalize()}s {topics[0]} to {topics[len(topics) - 1]}" if len(topics) > 1 else which
        short = [topic if len(topic) <= wide else f"{topic[: wide - 1]}…" for topic in topics]
        tables.append(Table(f"values-{start}", which, (TableColumn("Run"), TableColumn(_aligned(short, wide))), rows))
    return Section("values", title, tuple(tables))


def _aligned(texts: Sequence[str], wide: int) -> str:
    """Align texts in one cell: with a cell for each, a book would be ten times as large."""
    return NUMBER_SPACE + NUMBER_SPACE.join(f"{text:>{wide}}" for text in texts)
