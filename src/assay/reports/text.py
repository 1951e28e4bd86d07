"""Reports and results on a terminal: the look of the text reports TREC sent, tables side by side where they fit, curves and
bars drawn in letters. What cannot be drawn so is told by its alternative text."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports import model
from assay.reports.letters import cells_wide, in_letters, wrapped
from assay.reports.model import Block, Chart, Document, Note, Page, Panels, Row, Section, Table
from assay.reports.tables import plain

GAP, FACTS = "    ", " \u00b7 "
ANY_WIDTH, CAPTION = 10**6, 100
"""Where nobody says how wide the terminal is, it breaks sentences itself; captions are never wider than this."""
MOST_NAMES = 3
"""Columns that name a row, repeated where a table goes on below."""
NARROWEST = 12
"""Letters that a column of words keeps when its table is too wide."""


def to_text(report: Document, width: int = 100) -> str:
    """The whole report, no line wider than `width`.

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
    lines = [line.center(width).rstrip() for line in _wrapped(report.title, width)]
    lines += [line.center(width).rstrip() for line in _wrapped(report.subtitle, width)]
    lines.append("=" * width)
    if report.meta:
        lines += ["", *_wrapped(FACTS.join(f"{label}: {value}" for label, value in report.meta), width)]
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


def _page(page: Page, width: int) -> list[str]:
    lines = ["", "=" * width, *_wrapped(page.run, width), "=" * width]
    if page.meta:
        lines += _wrapped(FACTS.join(f"{label}: {value}" for label, value in page.meta), width)
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
        return ["", *_table(block, width), *caption]
    if isinstance(block, Row):
        tables = [_table(part, width) for part in block.blocks if isinstance(part, Table)]
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
    lines = in_letters(chart.drawing) if chart.drawing is not None else []
    return [plain(line) for line in lines] or _wrapped(f"[{chart.title}: {chart.alt}]", width)


def _wrapped(text: str, width: int) -> list[str]:
    return wrapped(plain(text), width)


def _table(table: Table, width: int) -> list[str]:
    """Title, header, rule and rows, every line equally wide; what is too wide is folded, and then goes on below."""
    heads = [plain(column.label) if table.show_header else "" for column in table.columns]
    rows = [
        plain(row.label) if isinstance(row, model.Span) else [plain(cell.whole_text) for cell in row]
        for row in table.rows
    ]
    numeric = [column.numeric or (not table.show_header and place > 0) for place, column in enumerate(table.columns)]
    full = [row for row in rows if not isinstance(row, str)]
    widths = [
        max([cells_wide(head), *(cells_wide(row[place]) for row in full)], default=0)
        for place, head in enumerate(heads)
    ]
    words = [place for place, column in enumerate(table.columns) if not column.numeric]
    widths = _folded(widths, words, width)
    lines: list[str] = wrapped(plain(table.title), min(width, max(_total(widths), 24)))
    for number, part in enumerate(_parts(widths, words, width)):
        lines += [""] if number else []
        within = [widths[place] for place in part]
        right = [numeric[place] for place in part]
        total = _total(within)
        if table.show_header:
            lines += _lines([heads[place] for place in part], within, right)
        lines.append("-" * total)
        for row in rows:
            if isinstance(row, str):
                lines += wrapped(row, min(width, max(total, 24)))
            else:
                lines += _lines([row[place] for place in part], within, right)
    widest = max(cells_wide(line) for line in lines)
    return [line + " " * (widest - cells_wide(line)) for line in lines]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


def _folded(widths: list[int], words: Sequence[int], width: int) -> list[int]:
    """The widths with the longest columns of words narrowed, as far as it helps to fit them in."""
    narrowed = list(widths)
    while _total(narrowed) > width:
        longest = max(words, key=lambda place: narrowed[place], default=None)
        if longest is None or narrowed[longest] <= NARROWEST:
            break
        narrowed[longest] = max(NARROWEST, narrowed[longest] - (_total(narrowed) - width))
    # Where that is not enough the table goes on below, and only what is wider than a page by itself is folded.
    return narrowed if _total(narrowed) <= width else [min(one, width // 2) for one in widths]


def _parts(widths: Sequence[int], words: Sequence[int], width: int) -> list[list[int]]:
    """The columns in groups that fit, each beginning with the columns that name a row."""
    places = list(range(len(widths)))
    if _total(widths) <= width:
        return [places]
    last = next((place for place in places if place >= 1 and place not in words), 1)
    names = places[: min(last if 0 in words else last + 1, MOST_NAMES)]
    parts: list[list[int]] = []
    for place in places[len(names) :]:
        if parts and _total([widths[one] for one in [*parts[-1], place]]) <= width:
            parts[-1].append(place)
        else:
            parts.append([*names, place])
    return parts or [names]


def _lines(texts: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """A row of a table, in as many lines as its longest cell takes."""
    cells = [
        [text] if cells_wide(text) <= width else wrapped(text, width) for text, width in zip(texts, widths, strict=True)
    ]
    tall = max((len(cell) for cell in cells), default=1)
    padded = [[*cell, *[""] * (tall - len(cell))] for cell in cells]
    return [_line(line, widths, numeric) for line in zip(*padded, strict=True)]


def _line(texts: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
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
