"""The report for those who read from top to bottom, on paper or on a terminal, and cannot click: the same blocks, put in order.

A run's standing comes before its pages, the runs stand by name, each topic's median and spread become a section, what a
section is called is not said again by its first block, and the sentence that all captions end with is said once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from assay.figures.common import natural
from assay.reports.heat_map import grid_title
from assay.reports.model import Block, BlockRow, Chart, Document, Grid, Note, Panels, RunPage, Section, Table

Titled = TypeVar("Titled", bound=Table | Chart | Panels)
BESIDE_TOPICS = "comparison-section"
"""The section before which topics are told, as on the page."""


def printed(report: Document, *, sheets: bool = False) -> Document:
    """The report in the order of reading; with `sheets` a run that has plots of every topic gets one sheet, without them.

    A participant's own report has one page, which is called like the report itself: it is the report.
    """
    pages = sorted(report.pages, key=lambda page: natural(page.run.casefold()))
    several = [_page(page, report.foot, sheets and len(pages) > 1) for page in pages]
    sections = _with_topics(report.sections, report.grid)
    own = tuple(_section(section, report.foot) for section in sections)
    # What every run returned on every topic is for those who can look things up.
    report = replace(report, items=None, grid=None)
    if len(pages) == 1 and pages[0].run == report.title:
        page = several[0]
        return replace(report, meta=(*page.meta, *report.meta), sections=(*page.sections, *own), pages=())
    return replace(report, sections=own, pages=tuple(several))


def _with_topics(sections: tuple[Section, ...], grid: Grid | None) -> list[Section]:
    found = list(sections)
    # Of one run alone the best, the worst and the median are the same.
    if grid is not None and len(grid.runs) > 1:
        at = next((i for i, section in enumerate(found) if section.id == BESIDE_TOPICS), len(found))
        found.insert(at, Section("topics-section", grid_title(grid), (grid.table,)))
    return found


def _page(page: RunPage, how: str, sheet: bool) -> RunPage:
    plots = [section for section in page.sections if any(isinstance(block, Panels) for block in section.blocks)]
    told = (*page.standing, *page.sections)
    if sheet and plots:
        told = tuple(section for section in page.sections if section not in plots)
    return replace(page, sections=tuple(_section(section, how) for section in told))


def _section(section: Section, how: str) -> Section:
    return replace(section, blocks=tuple(_block(block, section.title, how) for block in section.blocks))


def _block(block: Block, above: str, how: str) -> Block:
    if isinstance(block, BlockRow):
        return replace(block, blocks=tuple(_titled(part, above, how) for part in block.blocks))
    if isinstance(block, Note):
        return replace(block, body=without(block.body, how))
    return _titled(block, above, how) if isinstance(block, Table | Chart | Panels) else block


def _titled(block: Titled, above: str, how: str) -> Titled:
    title = "" if block.title.casefold() == above.casefold() else block.title
    return replace(block, title=title, caption=without(block.caption, how))


def without(caption: str, how: str) -> str:
    """A caption without the sentence that it shares with all others.

    >>> without("Values of one run. 50 topics; assay.", "50 topics; assay.")
    'Values of one run.'
    """
    return caption.removesuffix(how).rstrip() if how else caption
