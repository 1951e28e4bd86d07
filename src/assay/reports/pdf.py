"""The report as a PDF typeset by typst: tagged, fonts embedded, byte-identical when repeated.

The model is passed as JSON, so nothing in it can be markup. Charts are drawn as SVG by `svg_charts`, as for a page.

A report of several runs is a book: title page, contents, the campaign's chapters, a sheet per run, every run's value on every
topic, definitions of measures. The report of one run has plots and tables of the topics instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from importlib import resources
from typing import Any, cast

from assay.analyses.brief_numbers import tick_text
from assay.reports import chart_theme
from assay.reports.model import (  # fmt: skip
    Block,
    BlockRow,
    Board,
    Cell,
    Chart,
    ComparisonBlock,
    Document,
    Json,
    Note,
    Panels,
    Section,
    Span,
    Table,
)
from assay.reports.pdf_layout import (
    GUTTER,
    NUMBER_SPACE,
    beside_each_other,
    every_value,
    kept_whole,
    laid_out,
    paired,
    stays_together,
)
from assay.reports.reading_order import printed
from assay.reports.svg_charts.chart import by_name, layered
from assay.reports.typesetting import compile_typst, needed

# The width of the text on A4 with margins of 2 cm, in points, and how many of a chart's pixels make a point.
TEXT_WIDTH = 481.0
PIXELS_PER_POINT = 4 / 3
PANELS_ACROSS = 3
# PDF/UA-1 is the standard of accessible documents; typst refuses to write a file that breaks it.
STANDARD = "ua-1"
LONG_WORD = 18
MAX_UNBROKEN_NOTES = 2500
"""Letters of notes that stay on one page."""
CHART_SCALE, NARROW_CHART_SCALE = 0.7, 0.52
"""Height of a chart on paper relative to its height on a screen: of full width, and in a row."""

TALL, LOW = 2.0, 0.6
"""Height of the charts of a run's sheet relative to that of other charts, where there is room, and where there is little."""

Progress = Callable[[int, int], None]


def to_pdf(report: Document, progress: Progress | None = None, *, sheets: bool = True) -> bytes:
    """Return the whole file; `progress` is called with the page number and the page count.

    sheets   whether each of several runs has one sheet, without the plots of every topic
    """
    return typeset(drawn_pages(report, progress, sheets=sheets))


def drawn_pages(report: Document, progress: Progress | None = None, *, sheets: bool = True) -> str:
    """Return all printed content as JSON for `typeset`.

    The caller can then release the report before typst runs, which needs more memory than everything before it.
    """
    needed("typst", "PDF")
    alone = len(report.pages) == 1
    report = printed(report, sheets=sheets)
    if alone:
        pages_of_one = tuple(replace(page, sections=tuple(map(charts_first, page.sections))) for page in report.pages)
        report = replace(report, sections=tuple(map(charts_first, report.sections)), pages=pages_of_one)
    drawing = Drawing(report)
    pages: list[Json] = []
    for number, page in enumerate(report.pages, start=1):
        if progress is not None:
            progress(number, len(report.pages))
        meta = [[drawing.breakable(text) for text in pair] for pair in page.meta]
        inside = [
            drawing.section(section, share=chart_share(section, len(page.sections) == 1)) for section in page.sections
        ]
        finding = drawing.parts(report.page_finding_parts(page))
        pages.append({
            "id": page.id, "run": drawing.breakable(page.run), "finding": finding, "meta": meta, "sections": inside,
        })  # fmt: skip
    body = {
        "book": drawing.book,
        "title": drawing.clean(report.title),
        "finding": drawing.parts(report.finding_parts),
        "trust": drawing.breakable(" ".join(report.trust)),
        "rules": drawing.breakable(" ".join(report.rules)),
        "subtitle": drawing.breakable(report.subtitle),
        "meta": [[drawing.clean(text) for text in pair] for pair in report.meta],
        "sections": [
            drawing.section(section, share=chart_share(section))
            for section in report.sections
            if drawing.shows(section)
        ],
        "pages": pages,
        "appendix": [drawing.section(section) for section in [*drawing.values(report), *report.appendix]],
        "foot": drawing.breakable(report.foot),
    }
    return json.dumps(body)


def charts_first(section: Section) -> Section:
    """Return a section with its first charts, and the notes below them, before its tables: beside the finding they fill the page."""
    blocks = section.blocks
    start = next((place for place, block in enumerate(blocks) if _has_chart(block)), 0)
    if not all(isinstance(block, Table | BlockRow) for block in blocks[:start]):
        return section
    end = start
    while end < len(blocks) and (_has_chart(blocks[end]) or isinstance(blocks[end], Note)):
        end += 1
    return replace(section, blocks=(*blocks[start:end], *blocks[:start], *blocks[end:]))


def chart_share(section: Section, alone: bool = False) -> float:
    """Return how tall the graphs of a section are: two rows of them below tables must save room, one row on a sheet has room.

    alone   whether the section is a sheet
    """
    charts = sum(map(_has_chart, section.blocks))
    if charts == 1 and alone:
        return TALL
    tables = any(isinstance(block, BlockRow) and not _has_chart(block) for block in section.blocks)
    return LOW if charts == 2 and tables else 1.0


def _has_chart(block: Block) -> bool:
    parts = block.blocks if isinstance(block, BlockRow) else (block,)
    return any(isinstance(part, Chart) for part in parts)


def typeset(pages: str) -> bytes:
    """Typeset drawn pages as PDF."""
    source = resources.files("assay.reports").joinpath("assets", "typst_template.typ").read_bytes()
    return compile_typst(source, inputs={"report": pages}, pdf_standards=STANDARD)


class Drawing:
    """The model as the typst source reads it, with characters that the fonts lack replaced."""

    def __init__(self, report: Document) -> None:
        self.lacking: frozenset[str] = unprintable(_characters(report))
        self.book: bool = len(report.pages) > 1
        sections = [section for section in report.sections if self.shows(section)]
        self.targets: set[str] = {section.id for section in sections} | {page.id for page in report.pages}

    def clean(self, text: str) -> str:
        """Replace each unprintable character by its number: ‹U+1F600›."""
        if not self.lacking or self.lacking.isdisjoint(text):
            return text
        return "".join(f"‹U+{ord(c):04X}›" if c in self.lacking else c for c in text)

    def breakable(self, text: str) -> str:
        """Clean a text and add break opportunities to long names."""
        return breakable(self.clean(text))

    def parts(self, finding: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
        """Return a finding in parts, each with whether it is the name of a run."""
        return [(self.breakable(part), name) for part, name in finding]

    def shows(self, section: Section) -> bool:
        """Return whether a section has more than the comparison of two runs, which is interactive."""
        return not all(isinstance(block, ComparisonBlock) for block in section.blocks)

    def values(self, report: Document) -> list[Section]:
        """Return every run's value on every topic, which replaces the comparison in a book."""
        comparisons = [
            block for section in report.sections for block in section.blocks if isinstance(block, ComparisonBlock)
        ]
        return [values for block in comparisons if (values := every_value(block)) is not None] if self.book else []

    def section(self, section: Section, *, share: float = 1.0) -> Json:
        """Return a section; `share` scales the heights of its charts."""
        blocks = [self.block(block, TEXT_WIDTH, share) for block in paired(section.blocks, TEXT_WIDTH)]
        return {
            "id": section.id,
            "title": self.clean(section.title),
            "together": stays_together(section),
            "blocks": _notes_joined([block for block in blocks if block is not None]),
        }

    def block(self, block: Block, width: float, share: float = 1.0) -> Json | None:
        if isinstance(block, Table):
            return self.table(block, width)
        if isinstance(block, Board):
            return self.board(block)
        if isinstance(block, Chart):
            return self.chart(block, width, share=share)
        if isinstance(block, Note):
            return {"kind": "notes", "notes": [{"style": block.kind, "body": self.breakable(block.body)}]}
        if isinstance(block, BlockRow):
            weights = block.weights or (1.0,) * len(block.blocks)
            room = width - GUTTER * (len(weights) - 1)
            widths = [room * weight / sum(weights) for weight in weights]
            parts = [self.block(part, wide, share) for part, wide in zip(block.blocks, widths, strict=True)]
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
        layout = laid_out(table, width, filling=table.of_runs or (width < TEXT_WIDTH and len(table.columns) <= 2))
        columns = [
            {
                "label": foldable(self.clean(column.label)) if layout.folds else self.clean(column.label),
                "numeric": column.numeric,
                "domain": column.domain if layout.strips else None,
                "width": wide,
                "figures": column.label.startswith(NUMBER_SPACE),
            }
            for column, wide in zip(table.columns, layout.widths, strict=True)
        ]
        rows = [
            self.clean(row.label) if isinstance(row, Span) else [self.cell(cell) for cell in row] for row in table.rows
        ]
        return {
            "kind": "table",
            "title": self.clean(table.title),
            "caption": self.breakable(table.caption),
            "header": table.show_header,
            "columns": columns,
            "size": layout.size,
            "inset": layout.inset,
            "head": layout.head,
            "parts": [
                [{"rows": [rows[i] for i in part], "heights": [layout.heights[i] for i in part]} for part in beside]
                for beside in beside_each_other(table, layout)
            ],
            "whole": kept_whole(table),
        }

    def board(self, board: Board) -> Json:
        """Return a leaderboard with positions from 0 to 1 along its scale."""
        tiers = list(dict.fromkeys(row.tier for row in board.rows))
        rows: list[Json] = [
            {
                "run": self.breakable(row.run), "beside": self.breakable(row.beside), "rank": row.rank, "tier": row.tier,
                "band": tiers.index(row.tier), "value": board.place(row.value), "low": board.place(row.low), "high": board.place(row.high),
                "leads": row.leads and not row.perhaps, "perhaps": row.perhaps, "own": row.own, "text": board.value_text(row),
                "ends": board.interval_text(row), "counts": row.counts, "failed": row.failed,
                "link": row.link if row.link in self.targets else None,
            }
            for row in board.rows
        ]  # fmt: skip
        return {
            "kind": "board", "measure": self.clean(board.measure), "direction": board.direction, "interval": board.interval,
            "ranked": board.ranked, "tiers": any(tiers), "alt": self.clean(board.alt), "rows": rows, "endings": board.endings,
            "ticks": [[board.place(tick), tick_text(tick)] for tick in board.ticks],
        }  # fmt: skip

    def cell(self, cell: Cell) -> str | Json:
        """Return a cell: if possible only its text, because a book has tens of thousands of cells."""
        text = self.clean(cell.text) if cell.text.startswith(NUMBER_SPACE) else self.breakable(cell.text)
        if cell.low is not None and cell.high is not None:
            return {"text": text, "value": cell.value, "low": cell.low, "high": cell.high, "range": cell.range_text}
        if cell.link in self.targets:
            return {"text": text, "link": cell.link}
        return {"text": text, "missing": True} if cell.kind == "missing" else text

    def chart(self, chart: Chart, width: float, height: int | None = None, *, share: float = 1.0) -> Json:
        natural = chart.spec.get("usermeta", {}).get("widest")
        if height is None and not by_name(chart.spec):
            scale = CHART_SCALE if width == TEXT_WIDTH else NARROW_CHART_SCALE
            height = round(min(1.0, scale * share) * chart.spec["height"])
        width = min(width, natural / PIXELS_PER_POINT) if natural else width
        return {
            "kind": "chart",
            "title": self.breakable(chart.title),
            "caption": self.breakable(chart.caption),
            "alt": self.clean(chart.alt),
            "width": width,
            "pictures": pictures(self.printable(chart.spec), width, height),
        }

    def printable(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, dict):
            return {key: self.printable(inner) for key, inner in cast("Json", value).items()}
        if isinstance(value, list):
            return [self.printable(inner) for inner in cast("list[Any]", value)]
        return value


def _notes_joined(blocks: list[Json]) -> list[Json]:
    """Join consecutive notes into one block, kept on one page unless it is long."""
    joined: list[Json] = []
    for block in blocks:
        if block["kind"] == "notes" and joined and joined[-1]["kind"] == "notes":
            joined[-1] = {"kind": "notes", "notes": joined[-1]["notes"] + block["notes"]}
        else:
            joined.append(block)
    for block in joined:
        if block["kind"] == "notes":
            block["whole"] = sum(len(note["body"]) for note in block["notes"]) < MAX_UNBROKEN_NOTES
    return joined


def breakable(text: str) -> str:
    """Add break opportunities (zero-width spaces) to long names.

    >>> breakable("a_short_name"), breakable("NTU_NMLAB_BM25_ALLQQ_2020").split("\u200b")
    ('a_short_name', ['NTU_', 'NMLAB_', 'BM25_', 'ALLQQ_', '2020'])
    """
    return re.sub(rf"\S{{{LONG_WORD + 1},}}", lambda word: _broken(word[0]), text)


def foldable(label: str) -> str:
    """Add break opportunities to a heading, after every sign between its words.

    >>> foldable("answers_given").split("\u200b")
    ['answers_', 'given']
    """
    return re.sub(r"(?<=[_./:+-])(?=\w)", "\u200b", label)


def _broken(word: str) -> str:
    return re.sub(rf"(\w{{{LONG_WORD}}})(?=\w)", "\\1\u200b", foldable(word))


def pictures(spec: Json, points: float, height: int | None = None) -> list[str]:
    """Return the chart as pictures to overlay, so that the sheets of runs share the picture of the axes."""
    return layered(spec, points * PIXELS_PER_POINT, chart_theme.paper_configuration(), height)


def unprintable(characters: Iterable[str]) -> frozenset[str]:
    """Return the characters for which the fonts have no glyph, according to typst."""
    beyond_ascii = sorted(c for c in characters if not " " <= c <= "~")
    return frozenset(_refused(beyond_ascii))


def _refused(characters: list[str]) -> list[str]:
    """Find the unprintable characters by bisection."""
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
        '#set document(title: "-")\n#set text(font: ("IBM Plex Sans", "Libertinus Serif", "DejaVu Sans Mono"), fallback: false)\n'
        "#for letter in sys.inputs.letters.clusters() [#letter ]"
    )
    try:
        compile_typst(source.encode(), inputs={"letters": text}, pdf_standards=STANDARD)
    except typst.TypstError:
        return False
    return True


def _characters(report: Document) -> set[str]:
    """Return all characters in the model."""
    characters: set[str] = set()
    names: dict[type, tuple[str, ...]] = {}
    waiting: list[Any] = [report]
    while waiting:
        value = waiting.pop()
        kind = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is str:
            characters.update(value)
        elif kind is list or kind is tuple:
            waiting.extend(value)
        elif kind is dict:
            waiting.extend(value.values())
        elif kind is Cell:
            waiting.extend([getattr(value, name) for name in Cell.__struct_fields__])
        elif is_dataclass(kind):
            if kind not in names:
                names[kind] = tuple(field.name for field in fields(kind))
            waiting.extend([getattr(value, name) for name in names[kind]])
    return characters
