"""The report of a campaign: the pages every task has, around those of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.reports.model import Document, Page, Section
from assay.reports.pages.campaign import Campaign, Frame
from assay.reports.pages.leaderboard import leaderboard
from assay.reports.pages.side_by_side import agreement, comparison


def assemble(
    frame: Frame,
    campaign: Campaign,
    run_page: Callable[[int], Page],
    own: Sequence[Section | None] = (),
    meta: Sequence[tuple[str, str]] = (),
) -> Document:
    """The campaign's pages with the task's `own` sections after the leaderboard, then a page per run; or one run's."""
    wanted = [i for i, run in enumerate(campaign.runs) if frame.only is None or run == frame.only]
    pages = tuple(run_page(i) for i in wanted)
    counts = (f"{campaign.unit.capitalize()}s", str(len(campaign.topics))), *meta, ("Runs", str(len(campaign.runs)))
    if frame.only is not None:
        return Document(frame.title, frame.subtitle, counts, (), pages, frame.foot)
    sections = (leaderboard(campaign), *own, comparison(campaign), agreement(campaign), *frame.extra)
    shown = tuple(section for section in sections if section is not None)
    return Document(frame.title, frame.subtitle, counts, shown, pages, frame.foot)
