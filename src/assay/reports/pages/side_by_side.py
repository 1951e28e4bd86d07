"""Runs and measures held against each other: any two runs topic by topic, and how alike the measures rank the runs."""

from __future__ import annotations

from collections.abc import Sequence

from assay.figures.common import tied_ranks
from assay.reports import model
from assay.reports.charts import leaderboard as charts
from assay.reports.model import Block, Column, Comparison, Measure, Section, Table
from assay.reports.pages.campaign import Campaign, MeasureResults, natural, page_id, split_columns
from assay.reports.pages.leaderboard import place_cell

MOST_COMPARED = 1000
"""Topics that are worth reading one by one."""


def comparison(campaign: Campaign) -> Section | None:
    """Any two runs, topic by topic; nothing where there is but one run, or nothing to compare them by."""
    few = len(campaign.topics) <= MOST_COMPARED
    order = sorted(range(len(campaign.topics)), key=lambda i: natural(campaign.topics[i])) if few else []
    measures = tuple(
        Measure(
            m.name,
            tuple(m.values),
            tuple(tuple(row[i] for i in order) for row in m.topics) if few else (),
            m.digits,
            tuple(m.pairs),
            campaign.pair_rule if m.pairs else "",
        )
        for m in [*campaign.measures, *campaign.by_topic]
        if m.pairs or (m.topics and few)
    )
    if len(campaign.runs) < 2 or not measures:
        return None
    chart = charts.topic_differences(
        "comparison-chart",
        f"The first run minus the second on each {campaign.unit}, largest difference first. {campaign.how}",
        f"Bars: the difference of the two chosen runs on each {campaign.unit}.",
        campaign.unit,
    )
    block = Comparison(
        "comparison",
        "Two runs side by side",
        tuple(campaign.runs),
        tuple(campaign.topics[i] for i in order),
        measures,
        chart,
        f"Values per {campaign.unit} and their difference. {campaign.how}" if few else campaign.how,
        campaign.unit,
    )
    return Section("comparison-section", "Compare two runs", (block,))


def agreement(campaign: Campaign) -> Section | None:
    """How alike the measures rank the runs, as a picture and as the rankings themselves."""
    ranking = [measure for measure in campaign.measures if measure.ranks]
    if len(ranking) < 2 or len(campaign.runs) < 2:
        return None
    names = [measure.name for measure in ranking]
    blocks: list[Block] = []
    if campaign.agreement:
        blocks.append(
            charts.agreement(
                "agreement",
                names,
                campaign.agreement,
                f"Kendall's tau-b between the rankings of {len(campaign.runs)} runs by each two measures; "
                f"1 is the same order, 0 no relation. {campaign.how}",
                f"Kendall's tau-b between the rankings by {len(names)} measures.",
            )
        )
    blocks += [_rankings(campaign, part, number) for number, part in split_columns(ranking)]
    return Section("agreement-section", "Measure by measure", tuple(blocks))


def _rankings(campaign: Campaign, measures: Sequence[MeasureResults], part: int) -> Table:
    places = [tied_ranks(measure.values, measure.higher_is_better) for measure in measures]
    return Table(
        f"rankings-{part}",
        "Rankings side by side",
        (Column("Run"), *(Column(measure.name, measure.hint, numeric=True) for measure in measures)),
        tuple(
            (model.text(campaign.runs[i], link=page_id(i)), *(place_cell(column[i]) for column in places))
            for i in campaign.order
        ),
        f"Place of each run by each measure; equal values share places, as in 5..14. {campaign.how}",
        sortable=True,
    )
