"""A run's place among the others: place and tier, neighbours, headline measures, and the topics it gains and loses most on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.analyses.campaign.topics import TopicGain, against_all, extreme_topics
from assay.figures.common import AgainstMedian
from assay.reports import model
from assay.reports.model import BlockRow, Cell, RunPage, Section, Span, Table, TableColumn, averaged, counted, numbers
from assay.reports.pages.page_parts import page_id, value_cell

MAX_MEASURES = 8
"""Measures listed below a run's name."""
MAX_TOPICS = 5
"""Topics listed as best, and as worst."""


def with_standing(
    page: RunPage, campaign: CampaignResults, position: int, graphs: Sequence[AgainstMedian] | None = None, peers: str = ""
) -> RunPage:  # fmt: skip
    """Return a run's page with its place, its neighbours, its headline measures, and its best and worst topics.

    graphs   the run against the median of some runs on each topic, where the task has a median of its own
    peers    the runs of that median, in words
    """
    order, index = campaign.order, campaign.order_index[position]
    before, after = order[index - 1] if index else None, order[index + 1] if index + 1 < len(order) else None
    main = campaign.measures[0]
    meta: list[tuple[str, str]] = []
    if len(order) > 1:
        place = campaign.places(main)[position]
        no_place = "none: a baseline" if position in campaign.unranked else "none: no value"
        meta.append(("Place", f"{place} of {len(order) - len(campaign.unranked)}" if place else no_place))
        meta += [("Tier", main.tiers[position])] if main.tiers and main.tiers[position] else []
    blocks = [_headline(campaign, position)]
    if graphs is None and (graph := against_all(campaign, position)):
        graphs = [graph]
    blocks += [table for graph in graphs or () if (table := _extremes(campaign, position, graph, peers))]
    # A column for the median of corresponding runs needs room that the table of topics can spare.
    weights = (1.5, 1.0) if len(blocks) == 2 and campaign.corresponding(position) else ()
    return replace(
        page,
        meta=(*meta, *page.meta),
        standing=(Section(f"{page.id}-standing", "Place among the runs", (BlockRow(tuple(blocks), weights),)),),
        previous=None if before is None else page_id(before),
        next=None if after is None else page_id(after),
    )


def _headline(campaign: CampaignResults, position: int) -> Table:
    """The leaderboard's measures with the interval, the place and the median of the runs."""
    rows: list[tuple[Cell, ...]] = []
    kind, peers = campaign.corresponding(position) or ("", [])
    for measure in campaign.measures[:MAX_MEASURES]:
        value, (low, high) = measure.values[position], measure.page_ends(position)
        bare = low is None or isinstance(value, int)
        cell = value_cell(measure, position) if bare else model.interval(value, low, high, measure.digits)
        place = campaign.places(measure)[position] if measure.orders_runs else None
        rows.append((
            model.text(measure.name, hint=measure.hint),
            cell,
            model.text(place or ""),
            model.among(measure.median, measure.run_digits),
            *([model.among(measure.median_of(peers), measure.run_digits)] if peers else []),
        ))  # fmt: skip
    columns = (
        *(TableColumn("Measure"), *numbers("Value"), TableColumn("Place", numeric=True), *numbers("Median run")),
        *([TableColumn(kind.capitalize(), f"median of the {kind} runs", numeric=True)] if peers else []),
    )
    caption = f"The measures of the leaderboard: {campaign.runs[position]} and the median over {counted(len(campaign.runs), 'run')}"
    caption += f", then over the {len(peers)} {kind} runs." if peers else "."
    caption = f"{caption} {campaign.interval_rule} {campaign.method}"
    return averaged(Table(f"{page_id(position)}-headline", "Headline measures", columns, tuple(rows), caption))


def _extremes(campaign: CampaignResults, position: int, graph: AgainstMedian, peers: str) -> Table | None:
    """The topics on which the run is furthest above and below the median."""
    measures = (*campaign.measures, *campaign.by_topic)
    measure = next((measure for measure in measures if measure.name == graph.measure), None)
    digits = MeasureResults.digits if measure is None else measure.topic_digits
    best, worst = extreme_topics(campaign.topics, graph, measure is None or measure.higher_is_better, MAX_TOPICS)
    if not best and not worst:
        return None
    rows: list[model.TableRow] = []
    for label, gains in (("Best against the median", best), ("Worst against the median", worst)):
        rows.append(Span(label if gains else f"{label}: none"))
        rows += [_gain_row(gain, digits) for gain in gains]
    heads = (TableColumn(campaign.unit.capitalize()), *numbers(graph.measure, "Median", "Difference"))
    others = peers or counted(len(campaign.runs), "run")
    return Table(
        f"{page_id(position)}-extremes" + (f"-{graph.measure}" if peers else ""),
        f"Best and worst {campaign.unit}s",
        heads,
        tuple(rows),
        f"Where {campaign.runs[position]} gains and loses most against the median of {others}. {campaign.method}",
    )


def _gain_row(gain: TopicGain, digits: int) -> tuple[Cell, ...]:
    return (
        model.text(gain.topic, link=model.address("topic", gain.topic)),
        model.among(gain.value, digits),
        model.among(gain.median, digits),
        model.among(gain.difference, digits, signed=True),
    )
