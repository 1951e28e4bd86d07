"""Put a report into reading order for paper and terminals, which have no links.

A run's place comes before its pages, runs are sorted by name, the table of topics becomes a section, a block does not repeat
the title of its section, and the sentence that all captions end with is printed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from assay.figures.common import natural
from assay.reports.model import (  # fmt: skip
    GRID_ID,
    Block,
    BlockRow,
    Cell,
    Chart,
    Document,
    Grid,
    Note,
    Panels,
    RunPage,
    Section,
    Span,
    Table,
    address,
)

MAX_TITLED_COLUMNS = 7
"""A wider table has no room for titles beside the ids of topics."""
Titled = TypeVar("Titled", bound=Table | Chart | Panels)


def printed(report: Document, *, sheets: bool = False) -> Document:
    """Return the report in reading order; with `sheets`, a run that has plots of every topic gets one sheet without them.

    A participant's report has one page with the title of the report, and that page becomes the report.
    """
    report = _with_titles(report)
    pages = sorted(report.pages, key=lambda page: natural(page.run.casefold()))
    several = [_page(page, report.foot, sheets and len(pages) > 1) for page in pages]
    sections = list(report.sections)
    # With one run, best, worst and median are the same.
    if report.grid is not None and len(report.grid.runs) > 1:
        sections.insert(
            report.grid_position, Section(GRID_ID, report.grid.title, (*_finding(report.grid), report.grid.table))
        )
    campaign_sections = tuple(_section(section, report.foot) for section in sections)
    # Results by run and topic are for looking up on a page.
    report = replace(report, items=None, grid=None)
    if len(pages) == 1 and pages[0].run == report.title:
        page = several[0]
        finding = page.finding.text if page.finding else report.finding
        meta, shown = (*page.meta, *report.meta), (*page.sections, *campaign_sections)
        return replace(report, finding=finding, meta=meta, sections=shown, pages=())
    return replace(report, sections=campaign_sections, pages=tuple(several))


def _finding(grid: Grid) -> list[Note]:
    return [Note(grid.finding)] if grid.finding else []


def _page(page: RunPage, how: str, sheet: bool) -> RunPage:
    plots = [section for section in page.sections if any(isinstance(block, Panels) for block in section.blocks)]
    shown = (*page.standing, *page.sections)
    if sheet and plots:
        shown = tuple(section for section in page.sections if section not in plots)
    return replace(page, sections=tuple(_section(section, how) for section in shown))


def _section(section: Section, how: str) -> Section:
    return replace(section, blocks=tuple(_block(block, section.title, how) for block in section.blocks))


def _block(block: Block, above: str, how: str) -> Block:
    if isinstance(block, BlockRow):
        return replace(block, blocks=tuple(_titled(part, above, how) for part in block.blocks))
    if isinstance(block, Note):
        return replace(block, body=without(block.body, how))
    return _titled(block, above, how) if isinstance(block, Table | Chart | Panels) else block


def _with_titles(report: Document) -> Document:
    """Put the titles of topics behind their ids in narrow tables."""
    if not report.titles:
        return report

    def section(part: Section) -> Section:
        return replace(part, blocks=tuple(block for whole in part.blocks for block in titled(whole)))

    def titled(part: Block) -> Sequence[Block]:
        if isinstance(part, BlockRow):
            # Beside another table there is no room for titles.
            inside = [block for inner in part.blocks for block in titled(inner)]
            return inside if inside != [*part.blocks] else [part]
        return [_titled_table(part, report.titles) if isinstance(part, Table) else part]

    pages = tuple(
        replace(page, sections=tuple(map(section, page.sections)), standing=tuple(map(section, page.standing)))
        for page in report.pages
    )
    grid = report.grid and replace(report.grid, table=_titled_table(report.grid.table, report.titles))
    return replace(report, sections=tuple(map(section, report.sections)), pages=pages, grid=grid)


def _titled_table(table: Table, titles: Mapping[str, str]) -> Table:
    if len(table.columns) > MAX_TITLED_COLUMNS:
        return table
    rows = tuple(
        row if isinstance(row, Span) else tuple(_with_title(cell, titles) for cell in row) for row in table.rows
    )
    return replace(table, rows=rows)


def _with_title(cell: Cell, titles: Mapping[str, str]) -> Cell:
    name = str(cell.value)
    title = titles.get(name) if cell.link and cell.link.endswith(address("topic", name)) else None
    return cell.but(value=f"{cell.value} {title}") if title else cell


def _titled(block: Titled, above: str, how: str) -> Titled:
    title = "" if block.title.casefold() == above.casefold() else block.title
    return replace(block, title=title, caption=without(block.caption, how))


def without(caption: str, how: str) -> str:
    """Return a caption without the sentence that all captions share.

    >>> without("Values of one run. 50 topics; assay.", "50 topics; assay.")
    'Values of one run.'
    """
    return caption.removesuffix(how).rstrip() if how else caption
