"""The report as a PDF, set by typst: tagged, with its own fonts inside, the same bytes for the same report.

The model goes in as JSON, so nothing in it can be markup. Charts are the specifications of the page, drawn as SVG in the
colours and the typeface of paper: by `vectors`, which takes a hundredth of the time, and by vl-convert where a chart uses more.

A campaign of several runs is a book: title page, contents, the campaign's chapters, a sheet per run, and at the end every
run's value on every topic and what the measures mean. A participant's own report has the topics' plots and tables instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from importlib import import_module, resources
from typing import Any, cast

from assay.errors import UsageError
from assay.reports import chart_theme
from assay.reports.model import (  # fmt: skip
    Block,
    BlockRow,
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
from assay.reports.pages.value_tables import NUMBER_SPACE, every_value
from assay.reports.pdf_layout import (
    GUTTER,
    TableLayout,
    beside_each_other,
    kept_whole,
    laid_out,
    paired,
    stays_together,
)
from assay.reports.reading_order import printed
from assay.reports.svg_charts.chart import drawn, layered
from assay.reports.svg_charts.vega_spec import UnsupportedSpec

# The width of the text on A4 with margins of 2 cm, in points, and how many of a chart's pixels make a point.
TEXT_WIDTH = 481.0
PIXELS_PER_POINT = 4 / 3
PANELS_ACROSS = 3
# PDF/UA-1 is the standard of accessible documents; typst refuses to write a file that breaks it.
STANDARD = "ua-1"
LONG_WORD = 18
MOST_LETTERS = 2500
"""Of notes that stay on one page."""
LOW, LOWER = 0.7, 0.62
"""How tall a chart is on paper, of its height on a screen, where more follows it; and one that has but a part of the width."""

Progress = Callable[[int, int], None]


def to_pdf(report: Document, progress: Progress | None = None) -> bytes:
    """The whole file. `progress` is told which page of how many is drawn."""
    return typeset(drawn_pages(report, progress))


def drawn_pages(report: Document, progress: Progress | None = None) -> str:
    """All that is printed, as `typeset` takes it: some megabytes of JSON. Whoever has them need not hold the report any longer,
    and typst takes more memory than everything before it."""
    needed("typst", "PDF")
    report = printed(report, sheets=True)
    drawing = Drawing(report)
    pages: list[Json] = []
    for number, page in enumerate(report.pages, start=1):
        if progress is not None:
            progress(number, len(report.pages))
        meta = [[drawing.breakable(text) for text in pair] for pair in page.meta]
        # A sheet of tables and graphs alone has room for graphs as tall as they are wide.
        inside = [drawing.section(section, low=len(page.sections) > 1) for section in page.sections]
        pages.append({"id": page.id, "run": drawing.breakable(page.run), "meta": meta, "sections": inside})
    body = {
        "book": drawing.book,
        "title": drawing.clean(report.title),
        "subtitle": drawing.breakable(report.subtitle),
        "meta": [[drawing.clean(text) for text in pair] for pair in report.meta],
        "sections": [drawing.section(section) for section in report.sections if drawing.shows(section)],
        "pages": pages,
        "appendix": [drawing.section(section) for section in [*drawing.values(report), *report.appendix]],
        "foot": drawing.breakable(report.foot),
    }
    return json.dumps(body)


def typeset(pages: str) -> bytes:
    """The file of drawn pages."""
    typst = needed("typst", "PDF")
    source = resources.files("assay.reports").joinpath("assets", "typst_template.typ").read_bytes()
    return typst.compile(source, ignore_system_fonts=True, sys_inputs={"report": pages}, pdf_standards=STANDARD)


class Drawing:
    """The model as the typst source reads it, with characters the fonts lack replaced."""

    def __init__(self, report: Document) -> None:
        self.lacking = unprintable(_characters(report))
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
        return not all(isinstance(block, ComparisonBlock) for block in section.blocks)

    def values(self, report: Document) -> list[Section]:
        """In a book, what a reader of the page gets by choosing two runs: every run's value on every topic."""
        found = [block for section in report.sections for block in section.blocks if isinstance(block, ComparisonBlock)]
        return [made for block in found if (made := every_value(block)) is not None] if self.book else []

    def section(self, section: Section, *, low: bool = True) -> Json:
        blocks = [self.block(block, TEXT_WIDTH, low=low) for block in paired(section.blocks, TEXT_WIDTH)]
        shown = [block for block in blocks if block is not None]
        together = stays_together(section)
        return {
            "id": section.id,
            "title": self.clean(section.title),
            "together": together,
            "blocks": _notes_joined(shown),
        }

    def block(self, block: Block, width: float, *, low: bool = True) -> Json | None:
        if isinstance(block, Table):
            return self.table(block, width)
        if isinstance(block, Chart):
            return self.chart(block, width, low=low)
        if isinstance(block, Note):
            return {"kind": "notes", "notes": [{"style": block.kind, "body": self.breakable(block.body)}]}
        if isinstance(block, BlockRow):
            weights = block.weights or (1.0,) * len(block.blocks)
            room = width - GUTTER * (len(weights) - 1)
            widths = [room * weight / sum(weights) for weight in weights]
            parts = [self.block(part, wide, low=low) for part, wide in zip(block.blocks, widths, strict=True)]
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
        found = laid_out(table, width, filling=table.leaderboard or (width < TEXT_WIDTH and len(table.columns) <= 2))
        columns = [
            {
                "label": foldable(self.clean(one.label)) if found.folds else self.clean(one.label),
                "numeric": one.numeric,
                "domain": one.domain if found.strips else None,
                "width": wide,
                "figures": one.label.startswith(NUMBER_SPACE),
            }
            for one, wide in zip(table.columns, found.widths, strict=True)
        ]
        rows = [self.row(row) for row in table.rows]
        return {
            "kind": "table",
            "title": self.clean(table.title),
            "caption": self.breakable(table.caption),
            "header": table.show_header,
            "columns": columns,
            "size": found.size,
            "inset": found.inset,
            "head": found.head,
            "parts": [[self.part(rows, found, few) for few in beside] for beside in beside_each_other(table, found)],
            "whole": kept_whole(table),
        }

    def part(self, rows: list[str | list[str | Json]], found: TableLayout, few: range) -> Json:
        """Rows that stand below each other, each with its height."""
        return {"rows": [rows[place] for place in few], "heights": [found.heights[place] for place in few]}

    def row(self, row: tuple[Cell, ...] | Span) -> str | list[str | Json]:
        return self.clean(row.label) if isinstance(row, Span) else [self.cell(cell) for cell in row]

    def cell(self, cell: Cell) -> str | Json:
        """Most cells are their text alone; a book has tens of thousands of them."""
        text = self.clean(cell.text) if cell.text.startswith(NUMBER_SPACE) else self.breakable(cell.text)
        if cell.low is not None and cell.high is not None:
            return {"text": text, "value": cell.value, "low": cell.low, "high": cell.high, "range": cell.range_text}
        if cell.link in self.targets:
            return {"text": text, "link": cell.link}
        return {"text": text, "missing": True} if cell.kind == "missing" else text

    def chart(self, chart: Chart, width: float, height: int | None = None, *, low: bool = True) -> Json:
        natural = chart.spec.get("usermeta", {}).get("widest")
        if height is None and low and not by_name(chart.spec):
            height = round((LOW if width == TEXT_WIDTH else LOWER) * chart.spec["height"])
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
    """Notes that follow each other are one block, which does not break unless it is long."""
    made: list[Json] = []
    for block in blocks:
        if block["kind"] == "notes" and made and made[-1]["kind"] == "notes":
            made[-1] = {"kind": "notes", "notes": made[-1]["notes"] + block["notes"]}
        else:
            made.append(block)
    for block in made:
        if block["kind"] == "notes":
            block["whole"] = sum(len(note["body"]) for note in block["notes"]) < MOST_LETTERS
    return made


def by_name(spec: Json) -> bool:
    """Whether a chart has a line for each name, which it needs to be as tall as it is."""
    # Asked of every chart, those that are drawn elsewhere too.
    kinds = (one.get("encoding", {}).get("y", {}).get("type") for one in spec["layer"])
    return next((kind for kind in kinds if kind), None) == "nominal"


def breakable(text: str) -> str:
    """The text with places where a long name may break, which on their own print nothing.

    >>> breakable("a_short_name"), breakable("NTU_NMLAB_BM25_ALLQQ_2020").split("\u200b")
    ('a_short_name', ['NTU_', 'NMLAB_', 'BM25_', 'ALLQQ_', '2020'])
    """
    return re.sub(rf"\S{{{LONG_WORD + 1},}}", lambda word: _broken(word[0]), text)


def foldable(label: str) -> str:
    """A heading with places where it may break, at every sign between its words.

    >>> foldable("answers_given").split("\u200b")
    ['answers_', 'given']
    """
    return re.sub(r"(?<=[_./:+-])(?=\w)", "\u200b", label)


def _broken(word: str) -> str:
    return re.sub(rf"(\w{{{LONG_WORD}}})(?=\w)", "\\1\u200b", foldable(word))


def svg(spec: Json, points: float, height: int | None = None) -> str:
    """The chart as it stands on paper, `points` wide; layers that only answer the mouse are left out."""
    try:
        return drawn(spec, points * PIXELS_PER_POINT, chart_theme.paper_configuration(), height)
    except UnsupportedSpec:
        return by_vega(spec, points, height)


def pictures(spec: Json, points: float, height: int | None = None) -> list[str]:
    """The same as pictures to be laid on each other. Sheets of runs share their axes, which are read and held once."""
    try:
        return layered(spec, points * PIXELS_PER_POINT, chart_theme.paper_configuration(), height)
    except UnsupportedSpec:
        return [by_vega(spec, points, height)]


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
        fitted, config=chart_theme.paper_configuration(), allowed_base_urls=[]
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


def _characters(report: Document) -> set[str]:
    """Every character in the model, whose hundred thousands of cells hold few."""
    found: set[str] = set()
    names: dict[type, tuple[str, ...]] = {}
    waiting: list[Any] = [report]
    while waiting:
        one = waiting.pop()
        kind = type(one)  # pyright: ignore[reportUnknownVariableType]
        if kind is str:
            found.update(one)
        elif kind is list or kind is tuple:
            waiting.extend(one)
        elif kind is dict:
            waiting.extend(one.values())
        elif kind is Cell:
            waiting.extend([getattr(one, name) for name in Cell.__struct_fields__])
        elif is_dataclass(kind):
            if kind not in names:
                names[kind] = tuple(field.name for field in fields(kind))
            waiting.extend([getattr(one, name) for name in names[kind]])
    return found
