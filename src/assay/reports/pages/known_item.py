"""The pages of known-item search: summary, and the cumulative share of topics found by rank."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults
from assay.figures.ranked import KnownItemFigures, KnownItemRunFigures
from assay.reports import model
from assay.reports.charts.tracks import cumulative_found
from assay.reports.model import BlockRow, Cell, Chart, RunPage, Table, numbers
from assay.reports.pages.page_parts import (
    DIGITS,
    describe_run,
    facts,
    page_id,
    page_of,
    rank_cell,
    topic_section,
    topic_table,
)


def run_page(figures: KnownItemFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    summary = BlockRow((_table(prefix, run, campaign), _graph(prefix, figures, run, campaign)), (1, 1.4))
    topics = topic_table(
        campaign,
        f"{prefix}-ranks",
        "Rank of the first right item",
        numbers("Rank", "Median rank"),
        (
            (model.text(topic), rank_cell(rank), rank_cell(median))
            for topic, rank, median in zip(figures.topics, run.ranks, figures.median_ranks, strict=True)
        ),
        f"Rank at which {run.run} has the first right item of each topic, and the median of "
        f"{model.counted(len(figures.runs), 'run')}, the worse of the two middle ranks where their number is even.",
    )
    return page_of(campaign, position, [summary], topic_section(campaign, position, topics))


def _table(prefix: str, run: KnownItemRunFigures, campaign: CampaignResults) -> Table:
    rows: list[tuple[str, Cell]] = [
        ("Run ID", model.text(run.run)),
        ("Num topics", model.count(run.topics)),
        ("Mean reciprocal rank", model.number(run.mean_reciprocal_rank, DIGITS)),
        ("Num found at rank 1", model.share(run.found_at_1.count, run.topics)),
        ("Num found in top 10", model.share(run.found_in_10.count, run.topics)),
        ("Num not found in top 100", model.share(run.not_found_in_100.count, run.topics)),
    ]
    described = describe_run(campaign, run.run)
    if described:
        rows.insert(1, ("Run description", model.text(described)))
    return facts(f"{prefix}-table", rows, f"At which ranks {run.run} has the first right item. {campaign.method}")


def _graph(prefix: str, figures: KnownItemFigures, run: KnownItemRunFigures, campaign: CampaignResults) -> Chart:
    def points(curve: tuple[float | None, ...]) -> list[tuple[int, float]]:
        return [(rank, percent / 100) for rank, percent in enumerate(curve, start=1) if percent is not None]

    several, ours = len(figures.runs) > 1, points(run.cumulative)
    return cumulative_found(
        f"{prefix}-cumulative",
        run.run,
        ours,
        points(figures.median_cumulative) if several else [],
        f"Cumulative percentage of topics for which {run.run} retrieved a right item by a given rank"
        f"{f', and that of the hypothetical median of {len(figures.runs)} runs' if several else ''}. {campaign.method}",
        f"Cumulative curve of {run.run}, reaching {ours[-1][1] if ours else 0:.1%} of the topics at rank "
        f"{len(run.cumulative)}.",
    )
