"""The report as a PDF, set by typst: tagged, with its own fonts inside, the same bytes for the same report.

The model goes in as JSON, so nothing in it can be markup. Charts are the specifications of the page, drawn as SVG in the
colours and the typeface of paper: by `vectors`, which takes a hundredth of the time, and by vl-convert where a chart uses more.

A campaign of several runs is a book: title page, contents, the campaign's chapters, a sheet per run, and at the end every
run's value on every topic and what the measures mean. A participant's own report has the topics' plots and tables instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module, resources
from typing import Any, cast

from assay.errors import UsageError
from assay.reports import model, themes
from assay.reports.model import (
    Block,
    Cell,
    Chart,
    Column,
    Comparison,
    Document,
    Json,
    Note,
    Panels,
    Row,
    Section,
    Span,
    Table,
)  # fmt: skip
from assay.reports.vectors.scales import text_width
from assay.reports.vectors.spec import TooMuch
from assay.reports.vectors.svg import drawn

# The width of the text on A4 with margins of 2 cm, in points, and how many of a chart's pixels make a point.
TEXT_WIDTH = 481.0
PIXELS_PER_POINT = 4 / 3
GUTTER = 14.0
PANELS_ACROSS = 3
# PDF/UA-1 is the standard of accessible documents; typst refuses to write a file that breaks it.
STANDARD = "ua-1"
LONG_WORD = 18
MOST_WHOLE, LONG_CELL = 34, 60
"""Lines of a table that fit on one page, and the letters that fit on a line of a cell."""
MANY_COLUMNS = 7
"""Beyond which a table is set smaller and closer."""
STRIP, LEAST = 95.0, 90.0
"""The room of a drawn interval beside its numbers, and the least a column of words is left."""
CAPITALS, ROW_INSET = 0.66, 2.7
"""How tall a letter is, of its size, and what a row has above and below it."""
FIGURES = "\u00a0"
"""Begins, and parts, the numbers of a cell that holds many."""
LETTERS_ACROSS, LONGEST_TOPIC, DIGITS = 92, 22, 3
"""In the tables of every value: letters beside each other, letters of a topic's name, and digits of a value."""
MOST_VALUES = 20_000
"""More values than these are no reading for paper."""

Progress = Callable[[int, int], None]


def to_pdf(report: Document, progress: Progress | None = None) -> bytes:
    """The whole file. `progress` is told which page of how many is drawn."""
    typst = needed("typst", "PDF")
    drawing = Drawing(report)
    pages: list[Json] = []
    for number, page in enumerate(report.pages, start=1):
        if progress is not None:
            progress(number, len(report.pages))
        meta = [[drawing.breakable(text) for text in pair] for pair in page.meta]
        inside = [drawing.section(section) for section in page.sections if drawing.on_sheet(section)]
        pages.append({"id": page.id, "run": drawing.breakable(page.run), "meta": meta, "sections": inside})
    body = {
        "book": drawing.book,
        "title": drawing.clean(report.title),
        "subtitle": drawing.breakable(report.subtitle),
        "meta": [[drawing.clean(text) for text in pair] for pair in report.meta],
        "sections": [drawing.section(section) for section in report.sections if drawing.shows(section)],
        "pages": pages,
        "appendix": [drawing.section(section) for section in [*drawing.values(report), *report.appendix]],
        "foot": drawing.clean(report.foot),
    }
    source = resources.files("assay.reports").joinpath("assets", "report.typ").read_bytes()
    inputs = {"report": json.dumps(body)}
    return typst.compile(source, ignore_system_fonts=True, sys_inputs=inputs, pdf_standards=STANDARD)


class Drawing:
    """The model as the typst source reads it, with characters the fonts lack replaced."""

    def __init__(self, report: Document) -> None:
        self.lacking = unprintable({character for text in _strings(report) for character in text})
        self.book = len(report.pages) > 1
        shown = [section for section in report.sections if self.shows(section)]
        self.targets = {section.id for section in shown} | {page.id for page in report.pages}

    def clean(self, text: str) -> str:
        """The text with each character that cannot be printed shown as its number: ‹U+1F600›."""
        if not self.lacking or self.lacking.isdisjoint(text):
            return text
        return "".join(f"‹U+{ord(c):04X}›" if c in self.lacking else c for c in text)

    def breakable(self, text: str) -> str:
        """The same, with places where a long name may break."""
        return breakable(self.clean(text))

    def shows(self, section: Section) -> bool:
        """Choosing two runs needs a reader who can click, so a section of nothing else is left out."""
        return not all(isinstance(block, Comparison) for block in section.blocks)

    def on_sheet(self, section: Section) -> bool:
        """Plots of every topic of every run would fill a book: with their tables they are in a participant's report."""
        return not (self.book and any(isinstance(block, Panels) for block in section.blocks))

    def values(self, report: Document) -> list[Section]:
        """In a book, what a reader of the page gets by choosing two runs: every run's value on every topic."""
        found = [block for section in report.sections for block in section.blocks if isinstance(block, Comparison)]
        return [made for block in found if (made := every_value(block)) is not None] if self.book else []

    def section(self, section: Section) -> Json:
        blocks = [self.block(block, TEXT_WIDTH) for block in section.blocks]
        shown = [block for block in blocks if block is not None]
        return {"id": section.id, "title": self.clean(section.title), "blocks": shown}

    def block(self, block: Block, width: float) -> Json | None:
        if isinstance(block, Table):
            return self.table(block, width)
        if isinstance(block, Chart):
            return self.chart(block, width)
        if isinstance(block, Note):
            return {"kind": "note", "style": block.kind, "body": self.breakable(block.body)}
        if isinstance(block, Row):
            weights = block.weights or (1.0,) * len(block.blocks)
            room = width - GUTTER * (len(weights) - 1)
            widths = [room * weight / sum(weights) for weight in weights]
            parts = [self.block(part, wide) for part, wide in zip(block.blocks, widths, strict=True)]
            return {"kind": "row", "weights": weights, "blocks": parts}
        if isinstance(block, Panels) and block.charts:
            across = (width - 8 * (PANELS_ACROSS - 1)) / PANELS_ACROSS
            return {
                "kind": "panels",
                "title": self.clean(block.title),
                "caption": self.breakable(block.caption),
                "charts": [self.chart(chart, across, height=130) for chart in block.charts],
            }
        return None

    def table(self, table: Table, width: float) -> Json:
        size, inset = (7.6, 3.0) if len(table.columns) > MANY_COLUMNS else (8.7, 6.0 if len(table.columns) > 2 else 3.0)
        figures = [column.label.startswith(FIGURES) for column in table.columns]
        found = widths(table, width, size, inset)
        columns = [
            {
                "label": self.clean(one.label),
                "numeric": one.numeric,
                "domain": one.domain,
                "width": wide,
                "figures": many,
            }
            for one, wide, many in zip(table.columns, found, figures, strict=True)
        ]
        return {
            "kind": "table",
            "title": self.clean(table.title),
            "caption": self.breakable(table.caption),
            "header": table.show_header,
            "columns": columns,
            "size": size,
            "inset": inset,
            "heights": heights(table, found, width, size, inset),
            "rows": [self.row(row) for row in table.rows],
            "whole": kept_whole(table),
        }

    def row(self, row: tuple[Cell, ...] | Span) -> str | list[str | Json]:
        return self.clean(row.label) if isinstance(row, Span) else [self.cell(cell) for cell in row]

    def cell(self, cell: Cell) -> str | Json:
        """Most cells are their text alone; a book has tens of thousands of them."""
        text = self.clean(cell.text) if cell.text.startswith(FIGURES) else self.breakable(cell.text)
        if cell.low is not None and cell.high is not None:
            return {"text": text, "value": cell.value, "low": cell.low, "high": cell.high, "range": cell.range_text}
        if cell.link in self.targets:
            return {"text": text, "link": cell.link}
        return {"text": text, "missing": True} if cell.kind == "missing" else text

    def chart(self, chart: Chart, width: float, height: int | None = None) -> Json:
        natural = chart.spec.get("usermeta", {}).get("widest")
        width = min(width, natural / PIXELS_PER_POINT) if natural else width
        return {
            "kind": "chart",
            "title": self.breakable(chart.title),
            "caption": self.breakable(chart.caption),
            "alt": self.clean(chart.alt),
            "width": width,
            "svg": svg(self.printable(chart.spec), width, height),
        }

    def printable(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, dict):
            return {key: self.printable(inner) for key, inner in cast("Json", value).items()}
        if isinstance(value, list):
            return [self.printable(inner) for inner in cast("list[Any]", value)]
        return value


def breakable(text: str) -> str:
    """The text with places where a long name may break, which on their own print nothing.

    >>> breakable("a_short_name"), breakable("NTU_NMLAB_BM25_ALLQQ_2020").split("\u200b")
    ('a_short_name', ['NTU_', 'NMLAB_', 'BM25_', 'ALLQQ_', '2020'])
    """
    return re.sub(rf"\S{{{LONG_WORD + 1},}}", lambda word: _broken(word[0]), text)


def _broken(word: str) -> str:
    word = re.sub(r"(?<=[_./:+-])(?=\w)", "\u200b", word)
    return re.sub(rf"(\w{{{LONG_WORD}}})(?=\w)", "\\1\u200b", word)


def every_value(comparison: Comparison) -> Section | None:
    """The first measure's value of every run on every topic, in tables of as many topics as a page is wide."""
    measure = next((one for one in comparison.measures if one.topics), None)
    if measure is None or len(comparison.topics) == 0:
        return None
    unit = comparison.unit
    title = f"{measure.name} on every {unit}"
    if len(comparison.topics) * len(comparison.runs) > MOST_VALUES:
        count = f"{len(comparison.runs)} runs on {len(comparison.topics)} {unit}s"
        return Section(
            "values", title, (Note(f"The values of {count} are in the HTML report and in the table of scores."),)
        )
    wide = max(DIGITS + 2, min(LONGEST_TOPIC, max(map(len, comparison.topics))))
    across = max(1, LETTERS_ACROSS // (wide + 1))
    tables: list[Table] = []
    for start in range(0, len(comparison.topics), across):
        topics = comparison.topics[start : start + across]
        rows = tuple(
            (model.text(run, link=f"run-{place + 1}"), model.text(_aligned(values[start : start + across], wide)))
            for place, (run, values) in enumerate(zip(comparison.runs, measure.topics, strict=True))
        )
        which = f"{unit.capitalize()} {topics[0]}"
        which = f"{unit.capitalize()}s {topics[0]} to {topics[len(topics) - 1]}" if len(topics) > 1 else which
        short = [topic if len(topic) <= wide else f"{topic[: wide - 1]}…" for topic in topics]
        head = FIGURES + FIGURES.join(f"{topic:>{wide}}" for topic in short)
        tables.append(Table(f"values-{start}", which, (Column("Run"), Column(head)), rows))
    return Section("values", title, tuple(tables))


def _aligned(values: Sequence[float | None], wide: int) -> str:
    """Numbers in one cell, each as wide as the others; a cell for every one would make a book ten times as heavy."""
    return FIGURES + FIGURES.join(f"{model.number(value, DIGITS).text:>{wide}}" for value in values)


def widths(table: Table, room: float, size: float, inset: float) -> list[float | None]:
    """Each column's width in points: 0 for one that takes what is left, None where the setter must find it out.

    Setting a column whose width is known takes a third of the time. Few or drawn columns fill the width; many plain ones
    are easier to read close together.
    """
    fills = len(table.columns) <= 2 or any(column.domain for column in table.columns)
    widest = _widest(table) if fills else None
    rows = [row for row in table.rows if not isinstance(row, Span)]
    found: list[float | None] = []
    for place, column in enumerate(table.columns):
        drawn = STRIP if column.domain else 0.0
        texts = [column.label if table.show_header else "", *(row[place].whole_text for row in rows)]
        found.append(max(text_width(text, size) for text in texts) + 2 * inset + drawn + 1)
    if widest is not None:
        found[widest] = 0.0
    total = sum(width or 0.0 for width in found)
    if total + (0.0 if widest is None else LEAST) <= room:
        return found
    return [0.0 if place == widest else None for place in range(len(found))]


def heights(
    table: Table, columns: Sequence[float | None], room: float, size: float, inset: float
) -> list[float | None]:
    """Each row's height in points, the header's first; None where something may take several lines.

    A row of known height is set once and not twice, which halves what a book takes to set.
    """
    left = room - sum(width or 0.0 for width in columns)
    known = [left if width == 0 else width for width in columns]

    def fits(row: tuple[Cell, ...]) -> bool:
        return all(
            width is not None and text_width(cell.whole_text, size) + 2 * inset <= width
            for cell, width in zip(row, known, strict=True)
        )

    tall = round(CAPITALS * size + 2 * ROW_INSET, 2)
    rows = [None if isinstance(row, Span) or not fits(row) else tall for row in table.rows]
    return [None, *rows] if table.show_header else rows


def kept_whole(table: Table) -> bool:
    """Whether a table is short enough to stand on one page, and so never breaks."""
    lines = 0
    for row in table.rows:
        longest = 0 if isinstance(row, Span) else max((len(cell.text) for cell in row), default=0)
        lines += 1 + longest // LONG_CELL
    return lines <= MOST_WHOLE


def _widest(table: Table) -> int:
    """The column of words that takes the room left over: the one with the longest of them."""
    rows = [row for row in table.rows if not isinstance(row, Span)]
    lengths = [
        0 if column.numeric else max((len(row[place].text) for row in rows), default=0)
        for place, column in enumerate(table.columns)
    ]
    return lengths.index(max(lengths)) if lengths else 0


def svg(spec: Json, points: float, height: int | None = None) -> str:
    """The chart as it stands on paper, `points` wide; layers that only answer the mouse are left out."""
    try:
        return drawn(spec, points * PIXELS_PER_POINT, themes.paper_configuration(), height)
    except TooMuch:
        return by_vega(spec, points, height)


def by_vega(spec: Json, points: float, height: int | None = None) -> str:
    """The same, by vl-convert."""
    still = [layer for layer in spec["layer"] if layer["mark"].get("style") != "hit"]
    fitted: Json = {
        **spec,
        "layer": still,
        "width": points * PIXELS_PER_POINT,
        "autosize": {"type": "fit-x", "contains": "padding"},
    }
    if height is not None:
        fitted["height"] = height
    return needed("vl_convert", "PDF").vegalite_to_svg(
        fitted, config=themes.paper_configuration(), allowed_base_urls=[]
    )


def unprintable(characters: Iterable[str]) -> frozenset[str]:
    """Those of the characters for which the fonts have no glyph, found by asking typst to print them."""
    beyond_ascii = sorted(c for c in characters if not " " <= c <= "~")
    return frozenset(_refused(beyond_ascii))


def _refused(characters: list[str]) -> list[str]:
    """Halving finds the few that fail among many that do not."""
    if not characters or _prints("".join(characters)):
        return []
    if len(characters) == 1:
        return characters
    middle = len(characters) // 2
    return _refused(characters[:middle]) + _refused(characters[middle:])


def _prints(text: str) -> bool:
    if any(not character.isprintable() for character in text):
        return False
    typst = needed("typst", "PDF")
    source = (
        '#set document(title: "-")\n#set text(font: ("Libertinus Serif", "DejaVu Sans Mono"), fallback: false)\n'
        "#for letter in sys.inputs.letters.clusters() [#letter ]"
    )
    try:
        typst.compile(source.encode(), ignore_system_fonts=True, sys_inputs={"letters": text}, pdf_standards=STANDARD)
    except typst.TypstError:
        return False
    return True


def needed(package: str, form: str) -> Any:
    """A package that draws this form of the report; where it is missing, the error says what to install."""
    try:
        return import_module(package)
    except ImportError as missing:
        name = package.replace("_", "-")
        raise UsageError(f"the {form} report needs {name}: pip install 'assay-eval[report]'") from missing


def _strings(value: Any) -> Iterable[str]:
    """Every text in the model."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for one in fields(value):
            yield from _strings(getattr(value, one.name))
    elif isinstance(value, dict):
        for inner in cast("Json", value).values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("Iterable[Any]", value):
            yield from _strings(inner)
