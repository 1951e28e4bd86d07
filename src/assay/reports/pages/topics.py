"""The run × topic view: every run's value on every topic, each topic's median and spread, and the way to its own page."""

from __future__ import annotations

from collections.abc import Sequence

from assay.figures.common import median, natural
from assay.reports import model
from assay.reports.model import Cell, Grid, Table, TableColumn, counted, numbers
from assay.reports.pages.campaign import Campaign, MeasureResults

MOST_LISTED = 1000
"""Topics that a table lists one by one."""
HARDEST = 200
"""Of more, those that it begins with."""


def topic_order(campaign: Campaign) -> list[int]:
    """Positions of the topics in the natural order of their names."""
    return sorted(range(len(campaign.topics)), key=lambda i: natural(campaign.topics[i]))


def measured(campaign: Campaign, measures: Sequence[MeasureResults]) -> tuple[model.MeasureValues, ...]:
    """The measures with their values by topic, and what the statistics say of pairs; those with neither are left out."""
    order = topic_order(campaign)
    made: list[model.MeasureValues] = []
    for one in measures:
        columns = tuple(tuple(row[i] for i in order) for row in one.topics)
        if not columns and not one.pairs:
            continue
        medians = tuple(median(values) for values in zip(*columns, strict=True))
        said = campaign.pair_rule if one.pairs else ""
        made.append(
            model.MeasureValues(
                one.name, tuple(one.values), columns, one.run_digits, one.pairs, said, medians,
                one.higher_is_better, one.topic_digits,
            )
        )  # fmt: skip
    return tuple(made)


def grid(campaign: Campaign) -> Grid | None:
    """Runs × topics; None where no measure has values by topic."""
    order = topic_order(campaign)
    measures = tuple(one for one in measured(campaign, [*campaign.measures, *campaign.by_topic]) if one.topics)
    if not measures:
        return None
    topics = tuple(campaign.topics[i] for i in order)
    return Grid(
        topics,
        tuple(campaign.runs),
        tuple(campaign.order),
        measures,
        {name: tuple(values[i] for i in order) for name, values in campaign.fields.items()},
        _table(campaign, topics, measures[0]),
        campaign.unit,
        f"{measures[0].name} of {counted(len(campaign.runs), 'run')} on {counted(len(topics), campaign.unit)}. {campaign.how}",
    )


def _table(campaign: Campaign, topics: Sequence[str], measure: model.MeasureValues) -> Table:
    """A row per topic: how hard it was, how far the runs are apart on it, and who did best."""
    columns = (
        TableColumn(campaign.unit.capitalize()),
        TableColumn("Median", f"median {measure.name} of all runs", numeric=True),
        *numbers("Best", "Worst"),
        TableColumn("Spread", "the best value minus the worst, or the other way where less is better", numeric=True),
        TableColumn("Best run"),
    )
    rows: list[tuple[Cell, ...]] = []
    places = _listed(measure, len(topics))
    for place in places:
        topic = topics[place]
        known = [(values[place], run) for values, run in zip(measure.topics, campaign.runs, strict=True)]
        found = sorted(value for value, _ in known if value is not None)
        worst, best = (found[0], found[-1]) if found else (None, None)
        spread = None if best is None or worst is None else best - worst
        if not measure.higher_is_better:
            worst, best = best, worst
        first = [run for value, run in known if value is not None and value == best]
        shown = [measure.medians[place], best, worst, spread]
        rows.append((
            model.text(topic, link=model.address("topic", topic)),
            *(model.among(value, measure.topic_digits) for value in shown),
            model.text(first[0] if len(first) == 1 else counted(len(first), "run")) if first else model.missing(),
        ))  # fmt: skip
    said = f"Each {campaign.unit}'s median {measure.name} over {counted(len(campaign.runs), 'run')}, and how far they are apart."
    if len(places) < len(topics):
        said += f" The {len(places)} hardest of {len(topics):,} {campaign.unit}s; any is found by its name."
    return Table(
        "topics", f"{campaign.unit.capitalize()}s", columns, tuple(rows), f"{said} {campaign.how}", sortable=True
    )


def _listed(measure: model.MeasureValues, topics: int) -> list[int]:
    """The places of the topics that a table lists: all in their order, or of very many the hardest, those first."""
    if topics <= MOST_LISTED:
        return [*range(topics)]
    sign = 1 if measure.higher_is_better else -1
    known = [(sign * value, place) for place, value in enumerate(measure.medians) if value is not None]
    return [place for _, place in sorted(known)[:HARDEST]]
