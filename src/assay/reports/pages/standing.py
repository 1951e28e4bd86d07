"""Where a run stands among the others: its place and tier, its neighbours, and the topics it gains and loses most on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.figures.common import AgainstMedian, against, median, natural
from assay.reports import model
from assay.reports.model import BlockRow, Cell, RunPage, Section, Table, TableColumn, averaged, counted, numbers
from assay.reports.pages.campaign import Campaign, MeasureResults, page_id

MOST_MEASURES = 8
"""Measures that stand beside each other below a run's name."""
MOST_TOPICS = 5
"""Topics at either end that a run's page begins with."""


def placed(
    page: RunPage, campaign: Campaign, position: int, medians: Sequence[float | None],
    graphs: Sequence[AgainstMedian] | None = None, peers: str = "",
) -> RunPage:  # fmt: skip
    """A run's page with its standing: what is said of it above, neighbours, headline measures, best and worst topics
    against the `medians` by the measure that tells topics apart.

    graphs   the same by the task's own medians, which the page draws; they take the place of `medians`
    peers    the runs of those medians, in words
    """
    order = campaign.order
    place = campaign.standing[position]
    before, after = order[place - 1] if place else None, order[place + 1] if place + 1 < len(order) else None
    main = campaign.measures[0]
    told: list[tuple[str, str]] = []
    if len(order) > 1:
        rank = campaign.places(main)[position]
        none = "none: a baseline" if position in campaign.apart else "none: no value"
        told.append(("Place", f"{rank} of {len(order) - len(campaign.apart)}" if rank else none))
        told += [("Tier", main.tiers[position])] if main.tiers and main.tiers[position] else []
    blocks = [_headline(campaign, position)]
    each = campaign.by_each
    if graphs is None and each and len(campaign.runs) > 1:
        graphs = [against(each.name, each.topics[position], medians)]
    blocks += [table for graph in graphs or () if (table := _extremes(campaign, position, graph, peers))]
    # A column for the median of corresponding runs needs room that the table of topics can spare.
    weights = (1.5, 1.0) if len(blocks) == 2 and campaign.corresponding(position) else ()
    return replace(
        page,
        meta=(*told, *page.meta),
        standing=(Section(f"{page.id}-standing", "Where it stands", (BlockRow(tuple(blocks), weights),)),),
        previous=None if before is None else page_id(before),
        next=None if after is None else page_id(after),
    )


def _headline(campaign: Campaign, position: int) -> Table:
    """The leaderboard's measures with the interval, the place and the median of the runs."""
    rows: list[tuple[Cell, ...]] = []
    kind, peers = campaign.corresponding(position) or ("", [])
    for one in campaign.measures[:MOST_MEASURES]:
        ends = one.intervals or one.own_intervals
        low, high = ends[position] or (None, None) if ends else (None, None)
        value = one.values[position]
        cell = (
            one.cell(position)
            if low is None or isinstance(value, int)
            else model.interval(value, low, high, one.digits)
        )
        place = campaign.places(one)[position] if one.ranks else None
        rows.append((
            model.text(one.name, hint=one.hint),
            cell,
            model.text("") if place is None else model.text(place),
            model.among(one.median, one.run_digits),
            *([model.among(median([one.values[i] for i in peers]), one.run_digits)] if peers else []),
        ))  # fmt: skip
    columns = (
        *(TableColumn("Measure"), *numbers("Value"), TableColumn("Place", numeric=True), *numbers("Median run")),
        *([TableColumn(kind.capitalize(), f"median of the {kind} runs", numeric=True)] if peers else []),
    )
    caption = f"The measures of the leaderboard: {campaign.runs[position]} and the median over {counted(len(campaign.runs), 'run')}"
    caption += f", then over the {len(peers)} {kind} runs." if peers else "."
    rules = campaign.interval_rule
    said = f"{caption} {rules} {campaign.how}"
    return averaged(Table(f"{page_id(position)}-headline", "Headline measures", columns, tuple(rows), said))


def _extremes(campaign: Campaign, position: int, graph: AgainstMedian, peers: str) -> Table | None:
    """The topics on which the run is furthest above and below the median."""
    main = next((one for one in (*campaign.measures, *campaign.by_topic) if one.name == graph.measure), None)
    sign = 1 if main is None or main.higher_is_better else -1
    digits = MeasureResults.digits if main is None else main.topic_digits
    columns = zip(campaign.topics, graph.values, graph.medians, graph.differences, strict=True)
    found = [
        (sign * difference, topic, value, middle, difference)
        for topic, value, middle, difference in columns
        if difference
    ]
    found.sort(key=lambda one: (-one[0], natural(one[1])))
    best = [one for one in found[:MOST_TOPICS] if one[0] > 0]
    worst = [one for one in found[-MOST_TOPICS:] if one[0] < 0]
    if not found:
        return None
    rows: list[model.TableRow] = []
    for label, part in (("Best against the median", best), ("Worst against the median", worst)):
        rows.append(model.Span(label if part else f"{label}: none"))
        rows += [
            (
                model.text(topic, link=model.address("topic", topic)),
                model.among(value, digits),
                model.among(middle, digits),
                model.among(difference, digits, signed=True),
            )
            for _, topic, value, middle, difference in part
        ]
    heads = (TableColumn(campaign.unit.capitalize()), *numbers(graph.measure, "Median", "Difference"))
    others = peers or counted(len(campaign.runs), "run")
    caption = f"Where {campaign.runs[position]} gains and loses most against the median of {others}."
    return Table(
        f"{page_id(position)}-extremes" + (f"-{graph.measure}" if peers else ""),
        f"Best and worst {campaign.unit}s",
        heads,
        tuple(rows),
        f"{caption} {campaign.how}",
    )
