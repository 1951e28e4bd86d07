"""The pages of known-item search: summary, and the cumulative percentage of topics found by rank."""

from __future__ import annotations

from assay.figures.known_item import Figures, RunFigures
from assay.reports import model
from assay.reports.charts.tracks import cumulative_found
from assay.reports.model import Cell, Chart, Column, Document, Page, Row, Table
from assay.reports.pages.assembly import assemble
from assay.reports.pages.campaign import Campaign, Frame, by_topic, by_topic_section, facts, page_id, run_page

DIGITS = 3
"""As the reports of TREC print them."""


def pages(figures: Figures, campaign: Campaign, frame: Frame) -> Document:
    """The campaign's report, or one participant's pages."""
    return assemble(frame, campaign, lambda position: _run_page(figures, campaign, position))


def _run_page(figures: Figures, campaign: Campaign, position: int) -> Page:
    run, prefix = figures.runs[position], page_id(position)
    described = ", ".join(value for value in campaign.characteristics.get(run.run, {}).values() if value)
    summary = Row((_table(prefix, run, described, campaign.how), _graph(prefix, figures, run, campaign)), (1, 1.4))
    topics = Table(
        f"{prefix}-ranks",
        "Rank of the first right item",
        (Column("Topic"), Column("Rank", numeric=True), Column("Median rank", numeric=True)),
        by_topic(
            (model.text(topic), _rank(rank), _rank(median))
            for topic, rank, median in zip(figures.topics, run.ranks, figures.median_ranks, strict=True)
        ),
        f"Rank at which {run.run} has the first right item of each topic, and the median of "
        f"{model.counted(len(figures.runs), 'run')}, the worse of the two middle ranks where their number is even; "
        f"n/a: not found. {campaign.how}",
        sortable=True,
    )
    return run_page(campaign, position, [summary], by_topic_section(campaign, position, topics))


def _rank(rank: int | None) -> Cell:
    return model.count(rank, hint="not found" if rank is None else "")


def _table(prefix: str, run: RunFigures, described: str, how: str) -> Table:
    rows: list[tuple[str, Cell]] = [
        ("Run ID", model.text(run.run)),
        ("Num topics", model.count(run.topics)),
        ("Mean reciprocal rank", model.number(run.mean_reciprocal_rank, DIGITS)),
        ("Num found at rank 1", model.share(run.found_at_1.count, run.topics)),
        ("Num found in top 10", model.share(run.found_in_10.count, run.topics)),
        ("Num not found in top 100", model.share(run.not_found_in_100.count, run.topics)),
    ]
    if described:
        rows.insert(1, ("Run description", model.text(described)))
    return facts(f"{prefix}-table", rows, f"At which ranks {run.run} has the first right item. {how}")


def _graph(prefix: str, figures: Figures, run: RunFigures, campaign: Campaign) -> Chart:
    def points(curve: tuple[float | None, ...]) -> list[tuple[int, float]]:
        return [(rank, percent / 100) for rank, percent in enumerate(curve, start=1) if percent is not None]

    several = len(figures.runs) > 1
    last = points(run.cumulative)[-1][1] if points(run.cumulative) else 0.0
    return cumulative_found(
        f"{prefix}-cumulative",
        run.run,
        points(run.cumulative),
        points(figures.median_cumulative) if several else [],
        f"Cumulative percentage of topics for which {run.run} retrieved a right item by a given rank"
        f"{f', and that of the hypothetical median of {len(figures.runs)} runs' if several else ''}. {campaign.how}",
        f"Cumulative curve of {run.run}, reaching {last:.1%} of the topics at rank {len(run.cumulative)}.",
    )
