"""The pages every campaign has: the leaderboard with places, values, intervals and tiers; any two runs topic by topic; how
alike the measures rank the runs; and around them the whole report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from assay.figures.common import median, tied_ranks
from assay.figures.items.crossed import ENDINGS
from assay.reports import model
from assay.reports.charts import runs as charts
from assay.reports.model import (
    Block,
    Cell,
    Chart,
    Document,
    Facet,
    Section,
    Span,
    Table,
    TableColumn,
    TableRow,
    averaged,
    counted,
)  # fmt: skip
from assay.reports.pages.campaign import (
    Campaign,
    MeasureResults,
    heading,
    in_title,
    is_baseline,
    page_id,
    split_columns,
)
from assay.reports.pages.costs import against_cost
from assay.reports.pages.standing import placed
from assay.reports.pages.topics import grid, measured, topic_order

MOST_TRAITS = 2
"""Characteristics of the runs that the leaderboard shows; their own pages show all."""
MOST_CHOICES = 12
"""Values of a characteristic that a list to choose from offers."""
MOST_IN_A_CHART = 50
LEADERBOARD_LETTERS = 63
"""What the leaderboard has room for beside place, run, first measure and tier."""
LETTERS_BETWEEN, SHORTEST_NUMBER, LONGEST_TRAIT = 3, 6, 12

CellOf = Callable[[MeasureResults, int], Cell]
"""A measure's cell for the run at a position."""


def leaderboard(campaign: Campaign) -> Section:
    main, *others = campaign.measures
    places = campaign.places(main)
    traits = _traits(campaign)
    ranked = len(campaign.runs) - len(campaign.apart)
    beside = others[: _fitting(campaign, traits, others)]
    columns = [
        TableColumn("Place", "place by the first measure; equal values share places", numeric=True, role="place"),
        TableColumn("Run", role="run"),
        *(TableColumn(in_title(trait)) for trait in traits),
        TableColumn(main.name, main.hint, numeric=True, domain=_domain(main), role="value"),
        # The tier says how to read the interval, and must be in sight where the further measures are not.
        *([TableColumn("Tier", campaign.tier_rule, role="tier")] if main.tiers else []),
        *(heading(measure) for measure in beside),
    ]
    rows: list[TableRow] = []
    for number, i in enumerate(campaign.order):
        if number == ranked and campaign.apart:
            rows.append(Span("Baselines"))
        described = campaign.characteristics.get(campaign.runs[i], {})
        low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
        cells = [
            campaign.place_cell(places, i),
            model.text(campaign.runs[i], link=page_id(i), tag="baseline" if is_baseline(described) else ""),
            *(model.text(described.get(trait, "")) for trait in traits),
            model.interval(main.values[i], low, high, main.digits),
            *([model.text(main.tiers[i])] if main.tiers else []),
            *(measure.cell(i) for measure in beside),
        ]
        rows.append(tuple(cells))
    apart = f", then {counted(len(campaign.apart), 'baseline')} without a place" if campaign.apart else ""
    caption = f"{counted(ranked, 'run')} in order of {main.name}{apart}. {campaign.rules}"
    blocks: list[Block] = [
        averaged(
            Table(
                "leaderboard",
                "Leaderboard",
                tuple(columns),
                tuple(rows),
                caption,
                sortable=True,
                leaderboard=True,
                facets=_facets(campaign),
            )
        )
    ]
    if campaign.required_difference:
        blocks.insert(0, averaged(model.Note(campaign.required_difference)))
    # The table draws the intervals too; a chart of more runs than fit on a page would add nothing.
    if any(main.intervals) and len(campaign.runs) <= MOST_IN_A_CHART:
        blocks.append(averaged(_intervals(campaign, main)))
    if campaign.spending:
        blocks += against_cost(campaign, campaign.spending)
    further = others[len(beside) :]  # measures that found no room beside the first ones
    said = "Runs in the same order."
    blocks += _by_run(campaign, "further", "Further measures", further, MeasureResults.cell, said)
    return Section("leaderboard-section", "Leaderboard", tuple(blocks))


def group_leaderboards(campaign: Campaign) -> Section | None:
    """The leaderboard within each group of runs, with tiers and the median of the group."""
    if not campaign.groups:
        return None
    main, *others = campaign.measures
    beside = others[: _fitting(campaign, [], others)]
    tiers = any(group.tiers for group in campaign.groups)
    columns = (
        TableColumn("Place", "place within the group; equal values share places", numeric=True, role="place"),
        TableColumn("Run", role="run"),
        TableColumn(main.name, main.hint, numeric=True, domain=_domain(main), role="value"),
        *([TableColumn("Tier", campaign.group_rule, role="tier")] if tiers else []),
        *(heading(measure) for measure in beside),
    )
    rows: list[TableRow] = []
    for group in campaign.groups:
        inside = {*group.positions}
        order = [i for i in campaign.order if i in inside]
        ranked = [None if i in campaign.apart else main.values[i] for i in order]
        places = dict(zip(order, tied_ranks(ranked, main.higher_is_better), strict=True))
        why = f"; no tiers: {group.why}" if group.why else ""
        rows.append(Span(f"{group.label}: {counted(len(order), 'run')}{why}"))
        for i in order:
            low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
            rows.append((
                model.text("") if i in campaign.apart else model.cell(places[i]),
                model.text(campaign.runs[i], link=page_id(i)),
                model.interval(main.values[i], low, high, main.digits),
                *([model.text(group.tiers.get(i, ""))] if tiers else []),
                *(measure.cell(i) for measure in beside),
            ))  # fmt: skip
        if len(order) > 1:
            middle = [model.among(median([one.values[i] for i in order]), one.run_digits) for one in (main, *beside)]
            rows.append(
                (model.text(""), model.text("median"), middle[0], *([model.text("")] if tiers else []), *middle[1:])
            )
    caption = f"Runs in order of {main.name} within each {campaign.group_by}. {campaign.group_rule} {campaign.interval_rule} {campaign.how}"
    table = averaged(Table("group-leaderboards", "", columns, tuple(rows), caption))
    return Section("groups-section", f"Leaderboard by {in_title(campaign.group_by).lower()}", (table,))


def _facets(campaign: Campaign) -> tuple[Facet, ...]:
    """By what the runs can be chosen: whatever is said of them in few words that tell some of them apart."""
    described = [campaign.characteristics.get(campaign.runs[i], {}) for i in campaign.order]
    names = dict.fromkeys(name for one in described for name in one)
    found = [Facet(in_title(name), tuple(one.get(name, "") for one in described)) for name in names]
    return tuple(one for one in found if 1 < len(set(one.values)) <= MOST_CHOICES)


def _fitting(campaign: Campaign, traits: Sequence[str], measures: Sequence[MeasureResults]) -> int:
    """How many measures find room beside the first one, so that no column is cut off on a page of usual width."""
    room = LEADERBOARD_LETTERS
    for trait in traits:
        said = (campaign.characteristics.get(run, {}).get(trait, "") for run in campaign.runs)
        room -= LETTERS_BETWEEN + max(len(trait), min(LONGEST_TRAIT, max(map(len, said), default=0)))
    for place, measure in enumerate(measures):
        room -= LETTERS_BETWEEN + max(len(measure.name), SHORTEST_NUMBER)
        if room < 0:
            return place
    return len(measures)


def _domain(main: MeasureResults) -> tuple[float, float] | None:
    ends = [end for pair in main.intervals if pair for end in pair]
    ends += [value for value in main.values if value is not None]
    return (min(ends), max(ends)) if ends else None


def _by_run(
    campaign: Campaign, id: str, title: str, measures: Sequence[MeasureResults], cells: CellOf, said: str
) -> list[Table]:
    """A row per run from the best down, a column per measure, in as many tables as it takes."""
    return [
        Table(
            f"{id}-{number}",
            title,
            (TableColumn("Run"), *map(heading, part)),
            tuple(
                (model.text(campaign.runs[i], link=page_id(i)), *(cells(m, i) for m in part)) for i in campaign.order
            ),
            f"{said} {campaign.how}",
            sortable=True,
            aggregate=True,
        )
        for number, part in split_columns(measures)
    ]


def _intervals(campaign: Campaign, main: MeasureResults) -> Chart:
    rows: list[tuple[str, float | None, float | None, float | None, str]] = []
    for i in campaign.order:
        low, high = main.intervals[i] or (None, None)
        rows.append((campaign.runs[i], main.values[i], low, high, main.tiers[i] if main.tiers else ""))
    best = campaign.order[0]
    alone = len(rows) > 1 and campaign.places(main)[best] == "1"
    return charts.leaderboard_intervals(
        "leaderboard-intervals",
        rows,
        main.name,
        # The table above says how tiers are made.
        " ".join(filter(None, [f"{main.name} of every run with its interval.", campaign.interval_rule, campaign.how])),
        f"Dot plot of {main.name} for {counted(len(rows), 'run')} with intervals"
        f"{f'; {campaign.runs[best]} is best' if alone else ''}.",
    )


def _traits(campaign: Campaign) -> list[str]:
    """The characteristics that tell the runs apart, the first few."""
    described = [campaign.characteristics.get(run, {}) for run in campaign.runs]
    names = dict.fromkeys(name for one in described for name in one)
    return [name for name in names if len({one.get(name) for one in described}) > 1][:MOST_TRAITS]


def comparison(campaign: Campaign) -> Section | None:
    """Any two runs, topic by topic; nothing where there is but one run, or nothing to compare them by."""
    order = topic_order(campaign)
    measures = measured(campaign, [*campaign.measures, *campaign.by_topic])
    if len(campaign.runs) < 2 or not measures:
        return None
    chart = charts.topic_differences(
        "comparison-chart",
        f"The first run minus the second on each {campaign.unit}, largest difference first. {campaign.how}",
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
        f"Values per {campaign.unit} and their difference. {campaign.how}",
        campaign.unit,
        ENDINGS if campaign.endings else (),
        _outcomes(campaign, order),
    )
    return Section("comparison-section", "Compare two runs", (block,))


def _outcomes(campaign: Campaign, order: Sequence[int]) -> tuple[str, ...]:
    """How every run ended on each topic, in the order in which topics are listed."""
    digit = {ending: str(place) for place, ending in enumerate(ENDINGS)}
    ended = (campaign.endings[run] for run in campaign.runs if campaign.endings)
    return tuple("".join(digit[words[i]] for i in order) for words in ended)


def agreement(campaign: Campaign) -> Section | None:
    """How alike the measures rank the runs, as a picture and as the rankings themselves."""
    ranking = [measure for measure in campaign.measures if measure.ranks]
    if len(ranking) < 2 or len(campaign.runs) < 2:
        return None
    names = [measure.name for measure in ranking]
    blocks: list[Block] = []
    if campaign.agreement:
        caption = (
            f"Kendall's tau-b between the rankings of {len(campaign.runs)} runs by each two measures; "
            f"1 is the same order, 0 no relation. {campaign.how}"
        )
        alt = f"Kendall's tau-b between the rankings by {len(names)} measures."
        blocks.append(averaged(charts.agreement("agreement", names, campaign.agreement, caption, alt)))
    places = {one.name: campaign.places(one) for one in ranking}
    said = "Place of each run by each measure; equal values share places, as in 5..14."
    said += " Baselines have none." if campaign.apart else ""

    def cell(measure: MeasureResults, position: int) -> Cell:
        return campaign.place_cell(places[measure.name], position)

    blocks += _by_run(campaign, "rankings", "Rankings side by side", ranking, cell, said)
    return Section("agreement-section", "Measure by measure", tuple(blocks))


def notes(campaign: Campaign) -> Section | None:
    """What was left out, kept apart or counted otherwise: standard error is gone once the report is mailed."""
    if not campaign.notes:
        return None
    return Section("notes-section", "Notes", tuple(model.Note(f"{note}.") for note in campaign.notes))


def assemble(
    task_pages: ModuleType,
    figures: Any,
    campaign: Campaign,
    title: str,
    subtitle: str = "",
    only: str | None = None,
    extra: Sequence[Section] = (),
    first: Sequence[Section] = (),
) -> Document:
    """The campaign's pages with the task's own sections after the leaderboard, then a page per run; or `only` one run's.

    `first` stand before the leaderboard, `extra` at the end.
    """
    meta = task_pages.meta(figures) if hasattr(task_pages, "meta") else []
    many = f"{len(campaign.topics)} × {campaign.samples}" if campaign.samples else str(len(campaign.topics))
    counts = (f"{campaign.unit.capitalize()}s", many), *meta, ("Runs", str(len(campaign.runs)))
    wanted = [i for i, run in enumerate(campaign.runs) if only is None or run == only]
    each = campaign.by_each
    medians = [median(values) for values in zip(*each.topics, strict=True)] if each else []
    # The best and worst topics are those of the task's own median graph, where its median is of some runs alone.
    graphs = getattr(task_pages, "peer_graphs", None)
    pages = tuple(
        placed(task_pages.run_page(figures, campaign, i), campaign, i, medians, *(graphs(figures, i) if graphs else ()))
        for i in wanted
    )
    sections: list[Section | None] = []
    if only is None:
        own = task_pages.sections(figures, campaign) if hasattr(task_pages, "sections") else []
        sections = [
            *first,
            leaderboard(campaign),
            group_leaderboards(campaign),
            *own,
            comparison(campaign),
            agreement(campaign),
            *extra,
        ]
    shown = tuple(section for section in [*sections, notes(campaign)] if section is not None)
    every = grid(campaign)
    return Document(
        title, subtitle, counts, shown, pages, campaign.how, grid=every.of([only]) if every and only else every
    )
