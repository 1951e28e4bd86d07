"""Runs × topics: every run's value on every topic, each topic's median and spread, any two runs compared by topic."""

from __future__ import annotations

from collections.abc import Sequence

from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.analyses.campaign.topics import hardest_topics, topic_spread, topics_finding
from assay.figures.common import natural
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts import runs as charts
from assay.reports.model import Cell, Grid, MeasureValues, Section, Table, TableColumn, counted, numbers
from assay.reports.pages.page_parts import topic_cell

MAX_LISTED_TOPICS = 1000
"""With more topics, the table lists only the hardest."""
HARDEST_TOPICS = 200


def topic_order(campaign: CampaignResults) -> list[int]:
    """Return the positions of the topics in the natural order of their names."""
    return sorted(range(len(campaign.topics)), key=lambda i: natural(campaign.topics[i]))


def measure_values(campaign: CampaignResults, measures: Sequence[MeasureResults]) -> tuple[MeasureValues, ...]:
    """Return the measures that have values by topic or compared pairs."""
    order = topic_order(campaign)
    return tuple(
        MeasureValues(
            measure.name,
            tuple(measure.values),
            tuple(tuple(values[i] for i in order) for values in measure.topics),
            measure.run_digits,
            measure.pairs,
            campaign.pair_rule if measure.pairs else "",
            tuple(measure.topic_medians[i] for i in order) if measure.topics else (),
            measure.higher_is_better,
            measure.topic_digits,
        )
        for measure in measures
        if measure.topics or measure.pairs
    )


def grid(campaign: CampaignResults) -> Grid | None:
    """Return runs × topics; None where no measure has values by topic."""
    order = topic_order(campaign)
    measures = tuple(
        measure for measure in measure_values(campaign, [*campaign.measures, *campaign.by_topic]) if measure.topics
    )
    if not measures:
        return None
    topics = tuple(campaign.topics[i] for i in order)
    size = f"{counted(len(campaign.runs), 'run')} on {counted(len(topics), campaign.unit)}"
    return Grid(
        topics,
        tuple(campaign.runs),
        tuple(campaign.order),
        measures,
        {name: tuple(values[i] for i in order) for name, values in campaign.fields.items()},
        _topic_table(campaign, order),
        campaign.unit,
        f"{measures[0].name} of {size}. {campaign.method}",
        topics_finding(campaign),
    )


def _topic_table(campaign: CampaignResults, order: Sequence[int]) -> Table:
    """Return a table with each topic's median, the spread of the runs, and the best run."""
    measure = next(measure for measure in (*campaign.measures, *campaign.by_topic) if measure.topics)
    columns = (
        TableColumn(campaign.unit.capitalize()),
        TableColumn("Median", f"median {in_words(measure.name)} of all runs", numeric=True),
        *numbers("Best", "Worst"),
        TableColumn("Spread", "the best value minus the worst, or the reverse where less is better", numeric=True),
        TableColumn("Best run"),
    )
    if campaign.endings:
        columns = (TableColumn(campaign.unit.capitalize()), *numbers("Right", "Wrong", "Declined"))
    listed = order
    if len(order) > MAX_LISTED_TOPICS:
        listed = hardest_topics(measure, order, HARDEST_TOPICS)
    caption = (
        f"Each {campaign.unit}'s median {in_words(measure.name)} over {counted(len(campaign.runs), 'run')}, and their spread."
        if not campaign.endings
        else f"How many of {counted(len(campaign.runs), 'run')} got each {campaign.unit} right, wrong, or declined it."
    )
    if len(listed) < len(order):
        caption += f" The {len(listed)} hardest of {len(order):,} {campaign.unit}s; search by name finds the others."
    return Table(
        "topics",
        f"{campaign.unit.capitalize()}s",
        columns,
        tuple(_topic_row(campaign, measure, topic) for topic in listed),
        f"{caption} {campaign.method}",
        sortable=True,
    )


def _topic_row(campaign: CampaignResults, measure: MeasureResults, topic: int) -> tuple[Cell, ...]:
    name, spread = campaign.topics[topic], topic_spread(campaign, measure, topic)
    if campaign.endings:
        ended = [campaign.endings[run][topic] for run in campaign.runs]
        return (topic_cell(name), *(model.count(ended.count(ending)) for ending in ("right", "wrong", "declined")))
    values = (measure.topic_medians[topic], spread.best, spread.worst, spread.spread)
    runs = spread.best_runs
    return (
        topic_cell(name),
        *(model.among(value, measure.topic_digits) for value in values),
        model.text(runs[0] if len(runs) == 1 else counted(len(runs), "run")) if runs else model.missing(),
    )


def comparison(campaign: CampaignResults) -> Section | None:
    """Compare any two runs topic by topic; None where there is one run, or nothing to compare by."""
    order = topic_order(campaign)
    measures = measure_values(campaign, [*campaign.measures, *campaign.by_topic])
    if len(campaign.runs) < 2 or not measures:
        return None
    chart = charts.topic_differences(
        "comparison-chart",
        f"The first run minus the second on each {campaign.unit}, largest difference first. {campaign.method}",
        f"Bars: the difference of the two chosen runs on each {campaign.unit}.",
        campaign.unit,
    )
    block = model.ComparisonBlock(
        "comparison",
        "Two runs side by side",
        tuple(campaign.runs),
        tuple(campaign.topics[i] for i in order),
        measures,
        chart,
        f"Values per {campaign.unit} and their difference. {campaign.method}",
        campaign.unit,
        *_outcomes(campaign, order),
        (campaign.order[0], campaign.order[1]),
    )
    return Section(model.COMPARISON_ID, "Compare two runs", (block,))


def _outcomes(campaign: CampaignResults, order: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the outcomes of a question, and each run's outcomes, a digit per topic."""
    if not campaign.endings:
        return (), ()
    from assay.figures.items.question_outcomes import ENDINGS

    digit = {ending: str(place) for place, ending in enumerate(ENDINGS)}
    by_run = (campaign.endings[run] for run in campaign.runs)
    return ENDINGS, tuple("".join(digit[endings[i]] for i in order) for endings in by_run)
