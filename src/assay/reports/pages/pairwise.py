"""The pages of pairwise preferences: the win matrix, and each system's opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.analyses.campaign.result import CampaignResults
from assay.figures.pairwise import HeadToHead, PairwiseFigures
from assay.reports import model
from assay.reports.charts.runs import win_matrix
from assay.reports.model import Block, Note, RunPage, Section, Table, TableColumn, numbers
from assay.reports.pages import scores
from assay.reports.pages.page_parts import page_id

MAX_MATRIX_SYSTEMS = 24
"""More systems make a matrix unreadable; each system's page lists its opponents."""


def sections(figures: PairwiseFigures, campaign: CampaignResults) -> list[Section | None]:
    """Return the win matrix, strongest first."""
    order = [campaign.runs[i] for i in campaign.order]
    pairs = sum(len(run.met) for run in figures.runs) // 2
    possible = len(order) * (len(order) - 1) // 2
    summary = f"{figures.battles:,} battles; {pairs} of {model.counted(possible, 'pair')} of systems met."
    blocks: list[Block] = [Note(summary)]
    if len(order) <= MAX_MATRIX_SYSTEMS:
        shares = {(run.run, opponent.other): opponent.share for run in figures.runs for opponent in run.met}
        caption = (
            "The share of its battles against each other system that a system won, ties as half; n/a where they never met. "
            f"{campaign.method}"
        )
        alt = f"A matrix of {len(order)} systems. {summary}"
        blocks.append(win_matrix("wins", order, shares, caption, alt))
    else:
        blocks.append(
            Note(f"{len(order)} systems are too many for one matrix; the page of each has its opponents.", "method")
        )
    return [Section("wins-section", "Head to head", tuple(blocks))]


def run_page(figures: PairwiseFigures, campaign: CampaignResults, position: int) -> RunPage:
    """Return a system's scores, its opponents, and its questions."""
    page = scores.run_page(figures, campaign, position)
    prefix = page_id(position)
    table = _opponents(f"{prefix}-opponents", figures.runs[position].met, campaign)
    section = Section(f"{prefix}-opponents-section", "Opponents", (table,))
    first, *rest = page.sections
    return replace(page, sections=(first, section, *rest))


def _opponents(id: str, met: Sequence[HeadToHead], campaign: CampaignResults) -> Table:
    place = {campaign.runs[i]: rank for rank, i in enumerate(campaign.order)}
    rows = tuple(
        (*model.cells(opponent.other, opponent.battles, opponent.tied), model.percent(opponent.share))
        for opponent in sorted(met, key=lambda opponent: place[opponent.other])
    )
    caption = f"The share won against each opponent, the strongest first; ties as half. {campaign.method}"
    return Table(
        id, "Opponents", (TableColumn("Against"), *numbers("Battles", "Tied", "Won")), rows, caption, sortable=True
    )
