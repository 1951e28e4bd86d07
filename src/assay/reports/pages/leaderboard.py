"""The leaderboard of all runs and of groups, scores against costs, agreement of measures, and a run's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.analyses.campaign.other_measures import measures_finding
from assay.analyses.campaign.result import CampaignResults, MeasureResults, is_baseline
from assay.analyses.campaign.topics import TopicGain, against_all, extreme_topics, rare_outcomes
from assay.errors import shorten_list
from assay.figures.common import AgainstMedian
from assay.figures.cost_frontier import CostFrontier
from assay.figures.measure_names import in_words
from assay.figures.run_groups import TEAM
from assay.reports import model
from assay.reports.charts import runs as charts
from assay.reports.model import (
    Block,
    BlockRow,
    Board,
    BoardRow,
    Cell,
    Facet,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
    TableRow,
    averaged,
    counted,
    numbers,
)
from assay.reports.pages.page_parts import (
    heading,
    hint_of,
    in_title,
    measure_cell,
    page_id,
    split_columns,
    topic_cell,
    value_cell,
)
from assay.reports.terminal_intervals import MAX_TICKS, round_ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.comparison.value_for_money import ValueForMoney

MAX_TRAITS = 2
"""Characteristics of the runs that the leaderboard shows; the runs' pages show all."""
MAX_CHOICES = 12
"""A characteristic with more values is no filter."""
TABLE_LETTERS = 90
"""Letters of the columns beside the name of the run."""
LETTERS_BETWEEN, SHORTEST_NUMBER, LONGEST_TRAIT = 3, 6, 12


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the answers of each run ended: the names of the endings, and for each run their counts and that of failures."""

    endings: tuple[str, ...]
    counts: Sequence[tuple[tuple[int, ...], int]]


def leaderboard(campaign: CampaignResults, outcomes: Outcomes | None = None) -> Section:
    """Return the leaderboard as one picture.

    outcomes   how the answers of each run ended, where they end right, wrong or declined
    """
    return Section("leaderboard-section", "Leaderboard", (_board(campaign, outcomes),))


def costs(campaign: CampaignResults) -> Section | None:
    """Return what the runs cost, where it is known."""
    if campaign.spending is None:
        return None
    return Section("cost-section", "Value for money", tuple(against_cost(campaign, campaign.spending)))


def _board(campaign: CampaignResults, outcomes: Outcomes | None) -> Board:
    main, board = campaign.measures[0], campaign.board
    assert board is not None
    rows: list[BoardRow] = []
    for run in board.runs:
        i = run.position
        name, described = campaign.runs[i], campaign.characteristics.get(campaign.runs[i], {})
        low, high = run.ends or (None, None)
        baseline = "baseline" if is_baseline(described) else ""
        beside = ", ".join(filter(None, (_team(described), baseline)))
        counts, failed = outcomes.counts[i] if outcomes else ((), 0)
        rows.append(
            BoardRow(
                name,
                page_id(i),
                run.value,
                low,
                high,
                run.rank,
                run.tier,
                run.leads,
                run.perhaps,
                beside=beside,
                counts=counts,
                failed=failed,
            )
        )
    known = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    most = 3 if outcomes else MAX_TICKS
    ticks = round_ticks(min(known), max(known), most) if known and min(known) < max(known) else []
    direction = ("higher is better" if main.higher_is_better else "lower is better") if main.orders_runs else ""
    interval = f"{board.confidence:.0%} interval" if any(row.low is not None for row in rows) else ""
    alt = (
        f"{in_words(main.name)} of {counted(len(rows), 'run')}, best first, with {interval}s."
        if interval
        else f"{in_words(main.name)} of {counted(len(rows), 'run')}."
    )
    return Board(
        "leaderboard", in_words(main.name), direction, tuple(rows), tuple(ticks), board.digits, interval, board.ranked,
        outcomes.endings if outcomes else (), alt, board.significant_lead, board.topics < len(campaign.topics), campaign.unit,
    )  # fmt: skip


def _team(described: Mapping[str, str]) -> str:
    return next((described[name] for name in TEAM if described.get(name)), "")


def measures(campaign: CampaignResults) -> Section | None:
    """Return every run's value by the other measures, with the characteristics by which runs can be picked."""
    _, *others = campaign.measures
    traits = _traits(campaign)
    if not others and not traits:
        return None
    beside = others[: _fitting(campaign, traits, others)]
    columns = (TableColumn("Run"), *(TableColumn(in_title(trait)) for trait in traits), *map(heading, beside))
    rows: list[TableRow] = []
    ranked = len(campaign.runs) - len(campaign.unranked)
    for number, i in enumerate(campaign.order):
        if number == ranked and campaign.unranked:
            rows.append(Span("Baselines"))
        run = campaign.runs[i]
        described = campaign.characteristics.get(run, {})
        name = model.text(run, link=page_id(i), tag="baseline" if is_baseline(described) else "")
        named = (name, *(model.text(described.get(trait, "")) for trait in traits))
        rows.append((*named, *(_bare_cell(measure, i) for measure in beside)))
    caption = f"Runs in order of {campaign.measures[0].name}. {campaign.averaging} {campaign.method}".replace("  ", " ")
    table = averaged(
        Table(
            "measures", "Measures", columns, tuple(rows), caption, sortable=True, of_runs=True, facets=_facets(campaign)
        )
    )
    further = _by_run(
        campaign, "further", "More measures", others[len(beside) :], _bare_cell, "Runs in the same order."
    )
    sentence = measures_finding(campaign)
    notes = [averaged(model.Note(sentence))] if sentence else []
    return Section("measures-section", "Measures", (*notes, table, *further))


def _bare_cell(measure: MeasureResults, position: int) -> Cell:
    """Return a run's value as the leaderboard shows values: without a leading zero."""
    cell = value_cell(measure, position)
    return cell.but(bare=True) if cell.kind == "number" else cell


def group_leaderboards(campaign: CampaignResults) -> Section | None:
    """Return a leaderboard within each group of runs, with tiers and the median of the group."""
    if not campaign.groups:
        return None
    main, *others = campaign.measures
    beside = others[: _fitting(campaign, [], others)]
    tiers = any(group.tiers for group in campaign.groups)
    columns = _board_columns("place within the group", main, campaign.group_rule if tiers else None, beside)
    empty = [model.text("")] if tiers else []
    rows: list[TableRow] = []
    labels: list[str] = []
    for group in campaign.groups:
        members = {*group.positions}
        order = [i for i in campaign.order if i in members]
        why = f"; no tiers: {group.why}" if group.why else ""
        rows.append(Span(f"{group.label}: {counted(len(order), 'run')}{why}"))
        for i, place in zip(order, campaign.places_among(main, order), strict=True):
            named = (_place_cell(campaign, place, i), model.text(campaign.runs[i], link=page_id(i)))
            rows.append((*named, *_board_values(i, main, group.tiers.get(i, "") if tiers else None, beside)))
            labels.append(group.label)
        if len(order) > 1:
            medians = [model.among(measure.median_of(order), measure.run_digits) for measure in (main, *beside)]
            rows.append((model.text(""), model.text("median"), medians[0], *empty, *medians[1:]))
            labels.append(group.label)
    rules = f"{campaign.group_rule} {campaign.interval_rule} {campaign.method}"
    caption = f"Runs in order of {in_words(main.name)} within each {campaign.group_by}. {rules}"
    # A group can be picked, with its own tiers and its own median.
    facets = (Facet(in_title(campaign.group_by), tuple(labels)),) if len(campaign.groups) <= MAX_CHOICES else ()
    table = averaged(
        Table("group-leaderboards", "", columns, tuple(rows), caption, of_runs=bool(facets), facets=facets)
    )
    return Section("groups-section", f"Leaderboard by {in_title(campaign.group_by).lower()}", (table,))


def _board_columns(
    place: str, main: MeasureResults, tier_rule: str | None, beside: Sequence[MeasureResults]
) -> tuple[TableColumn, ...]:
    """Return the columns of a leaderboard; the tier is visible even if the further measures are not."""
    return (
        TableColumn("Place", f"{place}; equal values share places", numeric=True),
        TableColumn("Run"),
        TableColumn(in_words(main.name), hint_of(main), numeric=True, domain=main.domain),
        *([] if tier_rule is None else [TableColumn("Tier", tier_rule)]),
        *map(heading, beside),
    )


def _board_values(i: int, main: MeasureResults, tier: str | None, beside: Sequence[MeasureResults]) -> tuple[Cell, ...]:
    """Return the cells of a run from its first value on."""
    first = model.interval(main.values[i], *main.ends(i), main.run_digits)
    return (first, *([] if tier is None else [model.text(tier)]), *(value_cell(measure, i) for measure in beside))


def _place_cell(campaign: CampaignResults, place: str | None, position: int) -> Cell:
    """Return a run's place; empty if it is unranked."""
    return model.text("") if position in campaign.unranked else model.cell(place)


def _facets(campaign: CampaignResults) -> tuple[Facet, ...]:
    """Return the characteristics for filters: those with several, but few values."""
    described = [campaign.characteristics.get(campaign.runs[i], {}) for i in campaign.order]
    names = dict.fromkeys(name for traits in described for name in traits)
    facets = [Facet(in_title(name), tuple(traits.get(name, "") for traits in described)) for name in names]
    return tuple(facet for facet in facets if 1 < len(set(facet.values)) <= MAX_CHOICES)


def _fitting(campaign: CampaignResults, traits: Sequence[str], measures: Sequence[MeasureResults]) -> int:
    """Return how many measures fit beside the first one."""
    room = TABLE_LETTERS
    for trait in traits:
        values = (campaign.characteristics.get(run, {}).get(trait, "") for run in campaign.runs)
        room -= LETTERS_BETWEEN + max(len(trait), min(LONGEST_TRAIT, max(map(len, values), default=0)))
    for place, measure in enumerate(measures):
        room -= LETTERS_BETWEEN + max(len(in_words(measure.name)), SHORTEST_NUMBER)
        if room < 0:
            return place
    return len(measures)


def _by_run(
    campaign: CampaignResults, id: str, title: str, measures: Sequence[MeasureResults],
    cell_of: Callable[[MeasureResults, int], Cell], caption: str,
) -> list[Table]:  # fmt: skip
    """Return tables with a row per run, best first, and a column per measure; each of several is named after its measures."""
    parts = split_columns(measures)
    return [
        Table(
            f"{id}-{number}",
            title if len(parts) == 1 else f"{title}: {in_words(part[0].name)} to {in_words(part[-1].name)}",
            (TableColumn("Run"), *map(heading, part)),
            tuple(
                (model.text(campaign.runs[i], link=page_id(i)), *(cell_of(measure, i) for measure in part))
                for i in campaign.order
            ),
            f"{caption} {campaign.method}",
            sortable=True,
            aggregate=True,
        )
        for number, part in parts
    ]


def _traits(campaign: CampaignResults) -> list[str]:
    """Return the first characteristics in which the runs differ; the board has the team already."""
    described = [campaign.characteristics.get(run, {}) for run in campaign.runs]
    names = dict.fromkeys(name for traits in described for name in traits)
    differing = [name for name in names if len({traits.get(name) for traits in described}) > 1]
    return [name for name in differing if name not in TEAM][:MAX_TRAITS]


def agreement(campaign: CampaignResults) -> Section | None:
    """Return Kendall's tau-b between the rankings of each two measures, and the rankings side by side."""
    ranking = [measure for measure in campaign.measures if measure.orders_runs]
    if len(ranking) < 2 or len(campaign.runs) < 2:
        return None
    blocks: list[Block] = []
    if campaign.agreement:
        caption = (
            f"Kendall's tau-b between the rankings of {len(campaign.runs)} runs by each two measures; "
            f"1 is the same order, 0 no relation. {campaign.method}"
        )
        alt = f"Kendall's tau-b between the rankings by {len(ranking)} measures."
        names = [measure.name for measure in ranking]
        blocks.append(averaged(charts.agreement("agreement", names, campaign.agreement, caption, alt)))
    caption = "Place of each run by each measure; equal values share places, as in 5..14."
    caption += " Baselines have none." if campaign.unranked else ""

    def cell(measure: MeasureResults, position: int) -> Cell:
        return _place_cell(campaign, campaign.places(measure)[position], position)

    blocks += _by_run(campaign, "rankings", "Rankings side by side", ranking, cell, caption)
    return Section("agreement-section", "Measure by measure", tuple(blocks), doubt=True)


MAX_NAMED_RUNS = 8
"""Runs named in a sentence about costs."""


def against_cost(campaign: CampaignResults, spending: CostFrontier) -> list[Block]:
    """Draw scores against costs, and name the runs on the frontier."""
    main = campaign.measures[0]
    rows: list[tuple[str, float, float, float | None, float | None]] = []
    for i in campaign.order:
        run, value = campaign.runs[i], main.values[i]
        if run in spending.costs and value is not None:
            low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
            rows.append((run, spending.costs[run], value, low, high))
    sentence = cost_sentence(main.name, spending)
    unknown = shorten_list(spending.unknown, MAX_NAMED_RUNS, last=" and ")
    caption = [
        f"{in_words(main.name)} of every run with its interval, against its cost. Runs that no other run beats at the same cost or "
        "less are highlighted and joined.",
        "The axis of costs is logarithmic." if spending.wide else "",
        f"Not drawn, because score or cost is unknown: {unknown}." if unknown else "",
        campaign.interval_rule,
        campaign.method,
    ]
    chart = charts.score_and_cost(
        "cost",
        rows,
        spending.frontier,
        main.name,
        spending.label,
        spending.wide,
        " ".join(filter(None, caption)),
        f"Dots: {in_words(main.name)} against {spending.label[:1].lower()}{spending.label[1:]} of {counted(len(rows), 'run')}. {sentence}",
        better=main.higher_is_better,
    )
    money = campaign.money
    uncertainty = [] if money is None else [frontier_sentence(money), *money.sentences[:MAX_NAMED_RUNS]]
    return [averaged(model.Note(sentence)), averaged(chart), *(averaged(model.Note(text)) for text in uncertainty)]


def frontier_sentence(money: ValueForMoney) -> str:
    """Say how sure the frontier is."""
    shares = [f"{run.run} {run.share:.0%}" for run in money.runs if run.on_frontier]
    named = shorten_list(shares, MAX_NAMED_RUNS, last=" and ")
    return f"Share of {money.resamples:,} resamples in which no other run is at least as good and cheaper: {named}."


def cost_sentence(measure: str, spending: CostFrontier) -> str:
    """Name the runs that no cheaper run beats."""
    if len(spending.frontier) == 1:
        return f"{spending.frontier[0]} has the best {in_words(measure)} and the lowest cost."
    return f"Best {in_words(measure)} for the money: {shorten_list(spending.frontier, MAX_NAMED_RUNS, last=' and ')}."


MAX_HEADLINE_MEASURES = 8
"""Measures listed below a run's name."""
MAX_EXTREME_TOPICS = 5
"""Topics listed as best, and as worst."""


def with_standing(
    page: RunPage, campaign: CampaignResults, position: int, graphs: Sequence[AgainstMedian] | None = None, peers: str = ""
) -> RunPage:  # fmt: skip
    """Return a run's page with its place, its neighbours, its headline measures, and its best and worst topics.

    graphs   the run against the median of corresponding runs on each topic; by default of all runs
    peers    the runs of that median, in words
    """
    order, index = campaign.order, campaign.order_index[position]
    before, after = order[index - 1] if index else None, order[index + 1] if index + 1 < len(order) else None
    main = campaign.measures[0]
    meta: list[tuple[str, str]] = []
    if len(order) > 1:
        meta += [("Tier", main.tiers[position])] if main.tiers and main.tiers[position] else []
    blocks = [_headline(campaign, position)]
    if graphs is None and (graph := against_all(campaign, position)):
        graphs = [graph]
    if campaign.endings:
        blocks += [_extreme_outcomes(campaign, position)] if len(order) > 1 else []
    else:
        blocks += [table for graph in graphs or () if (table := _extremes(campaign, position, graph, peers))]
    # The median of corresponding runs is an additional column.
    weights = (1.5, 1.0) if len(blocks) == 2 and campaign.corresponding(position) else ()
    return replace(
        page,
        meta=(*meta, *page.meta),
        standing=(Section(f"{page.id}-standing", "Place among the runs", (BlockRow(tuple(blocks), weights),)),),
        previous=None if before is None else page_id(before),
        next=None if after is None else page_id(after),
        finding=campaign.run_findings[position] if campaign.run_findings else None,
    )


def _headline(campaign: CampaignResults, position: int) -> Table:
    """Return the leaderboard's measures with interval, place, and median of the runs."""
    rows: list[tuple[Cell, ...]] = []
    kind, peers = campaign.corresponding(position) or ("", [])
    for measure in campaign.measures[:MAX_HEADLINE_MEASURES]:
        value, (low, high) = measure.values[position], measure.page_ends(position)
        bare = low is None or isinstance(value, int)
        cell = value_cell(measure, position) if bare else model.interval(value, low, high, measure.run_digits)
        place = campaign.places(measure)[position] if measure.orders_runs else None
        rows.append((
            measure_cell(measure),
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
    decide = campaign.board.topics if campaign.board else len(campaign.topics)
    if decide < len(campaign.topics):
        caption += (
            f" Values here are over all {campaign.unit}s; the leaderboard's are over the {decide:,} that no run lacks."
        )
    caption = f"{caption} {campaign.interval_rule} {campaign.method}"
    return averaged(Table(f"{page_id(position)}-headline", "Headline measures", columns, tuple(rows), caption))


def _extremes(campaign: CampaignResults, position: int, graph: AgainstMedian, peers: str) -> Table | None:
    """Return the topics on which the run is furthest above and below the median."""
    measures = (*campaign.measures, *campaign.by_topic)
    measure = next((measure for measure in measures if measure.name == graph.measure), None)
    digits = MeasureResults.digits if measure is None else measure.topic_digits
    best, worst = extreme_topics(
        campaign.topics, graph, measure is None or measure.higher_is_better, MAX_EXTREME_TOPICS
    )
    if not best and not worst:
        return None
    rows: list[model.TableRow] = []
    for label, gains in (("Best against the median", best), ("Worst against the median", worst)):
        rows.append(Span(label if gains else f"{label}: none"))
        rows += [_gain_row(gain, digits) for gain in gains]
    heads = (TableColumn(campaign.unit.capitalize()), *numbers(in_words(graph.measure), "Median", "Difference"))
    others = peers or counted(len(campaign.runs), "run")
    return Table(
        f"{page_id(position)}-extremes" + (f"-{graph.measure}" if peers else ""),
        f"Best and worst {campaign.unit}s",
        heads,
        tuple(rows),
        f"Where {campaign.runs[position]} gains and loses most against the median of {others}. {campaign.method}",
    )


def _extreme_outcomes(campaign: CampaignResults, position: int) -> Table:
    """Return the questions that the run gets right and few others do, and those it gets wrong and most others do not."""
    rows: list[model.TableRow] = []
    for label, listed in zip(
        ("Right where few are", "Not right where most are"), rare_outcomes(campaign, position), strict=True
    ):
        rows.append(Span(label if listed else f"{label}: none"))
        rows += [
            (
                topic_cell(campaign.topics[t]),
                model.text(campaign.endings[campaign.runs[position]][t]),
                model.text(f"{right} of {known}"),
            )
            for t, right, known in listed[:MAX_EXTREME_TOPICS]
        ]
    heads = (
        TableColumn(campaign.unit.capitalize()), TableColumn("Outcome"), TableColumn("Runs that are right", numeric=True),
    )  # fmt: skip
    caption = f"Where {campaign.runs[position]} differs most from the other runs. {campaign.method}"
    return Table(f"{page_id(position)}-extremes", f"Best and worst {campaign.unit}s", heads, tuple(rows), caption)


def _gain_row(gain: TopicGain, digits: int) -> tuple[Cell, ...]:
    return (
        topic_cell(gain.topic),
        model.among(gain.value, digits),
        model.among(gain.median, digits),
        model.among(gain.difference, digits, signed=True),
    )
