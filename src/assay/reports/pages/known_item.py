"""The pages of known-item search (001 §5): Table 6, and the cumulative percentage of topics found by rank."""

from __future__ import annotations

from assay.figures.known_item import Figures, RunFigures
from assay.reports import model
from assay.reports.charts import tracks as track_charts
from assay.reports.model import Chart, Column, Page, Report, Row, Section, Table, TableRow
from assay.reports.pages.campaign import LABEL_VALUE, Campaign, Frame, assemble, by_topic, page_id

DIGITS = 3
"""As 001 prints them."""


def pages(figures: Figures, campaign: Campaign, frame: Frame) -> Report:
    """The campaign's report, or one participant's pages."""
    meta = (("Topics", str(len(figures.topics))),)
    return assemble(frame, campaign, meta, lambda position: _run_page(figures, campaign, position))


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
    sections = (
        Section(f"{prefix}-summary", "Evaluation report", (summary,)),
        Section(f"{prefix}-topics", "Topic by topic", (topics,)),
    )
    return Page(prefix, run.run, "", sections, campaign.header(run.run))


def _rank(rank: int | None) -> model.Cell:
    return model.count(rank, hint="not found" if rank is None else "")


def _table(prefix: str, run: RunFigures, described: str, how: str) -> Table:
    rows: list[TableRow] = [
        (model.text("Run ID"), model.text(run.run)),
        (model.text("Num topics"), model.count(run.topics)),
        (model.text("Mean reciprocal rank"), model.number(run.mean_reciprocal_rank, DIGITS)),
        (model.text("Num found at rank 1"), model.share(run.found_at_1.count, run.topics)),
        (model.text("Num found in top 10"), model.share(run.found_in_10.count, run.topics)),
        (model.text("Num not found in top 100"), model.share(run.not_found_in_100.count, run.topics)),
    ]
    if described:
        rows.insert(1, (model.text("Run description"), model.text(described)))
    caption = f"At which ranks {run.run} has the first right item. {how}"
    return Table(f"{prefix}-table", "Summary statistics", LABEL_VALUE, tuple(rows), caption, show_header=False)


def _graph(prefix: str, figures: Figures, run: RunFigures, campaign: Campaign) -> Chart:
    def points(curve: tuple[float | None, ...]) -> list[tuple[int, float]]:
        return [(rank, percent / 100) for rank, percent in enumerate(curve, start=1) if percent is not None]

    several = len(figures.runs) > 1
    last = points(run.cumulative)[-1][1] if points(run.cumulative) else 0.0
    return track_charts.cumulative_found(
        f"{prefix}-cumulative",
        run.run,
        points(run.cumulative),
        points(figures.median_cumulative) if several else [],
        f"Cumulative percentage of topics for which {run.run} retrieved a right item by a given rank"
        f"{f', and that of the hypothetical median of {len(figures.runs)} runs' if several else ''}. {campaign.how}",
        f"Cumulative curve of {run.run}, reaching {last:.1%} of the topics at rank {len(run.cumulative)}.",
    )
