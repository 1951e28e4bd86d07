"""The leaderboard every campaign has: places, values, intervals, tiers."""

from __future__ import annotations

from collections.abc import Sequence

from assay.figures.common import tied_ranks
from assay.reports import model
from assay.reports.charts.leaderboard import leaderboard_intervals
from assay.reports.model import Block, Cell, Chart, Column, Note, Section, Table, counted
from assay.reports.pages.campaign import Campaign, MeasureResults, page_id, split_columns

MOST_TRAITS = 2
"""Characteristics of the runs that the leaderboard shows; their own pages show all."""
MOST_IN_A_CHART = 50
LEADERBOARD_LETTERS = 66
"""What the leaderboard has room for beside place, run, first measure and tier."""
LETTERS_BETWEEN, SHORTEST_NUMBER, LONGEST_TRAIT = 3, 6, 12


def leaderboard(campaign: Campaign) -> Section:
    main, *others = campaign.measures
    places = tied_ranks(main.values, main.higher_is_better)
    traits = _traits(campaign)
    beside = others[: _fitting(campaign, traits, others)]
    columns = [
        Column("Place", "place by the first measure; equal values share places", numeric=True),
        Column("Run"),
        *(Column(trait.replace("_", " ").capitalize()) for trait in traits),
        Column(main.name, main.hint, numeric=True, domain=_domain(main)),
        *(Column(measure.name, measure.hint, numeric=True) for measure in beside),
    ]
    if main.tiers:
        columns.append(Column("Tier", campaign.tier_rule))
    rows: list[tuple[Cell, ...]] = []
    for i in campaign.order:
        described = campaign.characteristics.get(campaign.runs[i], {})
        low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
        cells = [
            place_cell(places[i]),
            model.text(campaign.runs[i], link=page_id(i)),
            *(model.text(described.get(trait, "")) for trait in traits),
            model.interval(main.values[i], low, high, main.digits),
            *(measure.cell(i) for measure in beside),
        ]
        rows.append((*cells, model.text(main.tiers[i])) if main.tiers else tuple(cells))
    said = [
        f"{counted(len(campaign.runs), 'run')} in order of {main.name}.",
        campaign.interval_rule,
        campaign.tier_rule,
    ]
    caption = " ".join(part for part in [*said, campaign.how] if part)
    blocks: list[Block] = [
        Table("leaderboard", "Leaderboard", tuple(columns), tuple(rows), caption, sortable=True, leaderboard=True)
    ]
    if campaign.required_difference:
        blocks.insert(0, Note(campaign.required_difference))
    # The table draws the intervals too; a chart of more runs than fit on a page would add nothing.
    if any(main.intervals) and len(campaign.runs) <= MOST_IN_A_CHART:
        blocks.append(_intervals(campaign, main))
    blocks += _further(campaign, others[len(beside) :])
    return Section("leaderboard-section", "Leaderboard", tuple(blocks))


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


def place_cell(place: str | None) -> Cell:
    return model.missing() if place is None else model.text(place)


def _further(campaign: Campaign, measures: Sequence[MeasureResults]) -> list[Table]:
    """Measures that found no room beside the first ones."""
    return [
        Table(
            f"further-{number}",
            "Further measures",
            (Column("Run"), *(Column(m.name, m.hint, numeric=True) for m in part)),
            tuple((model.text(campaign.runs[i], link=page_id(i)), *(m.cell(i) for m in part)) for i in campaign.order),
            f"Runs in the same order. {campaign.how}",
            sortable=True,
        )
        for number, part in split_columns(measures)
    ]


def _intervals(campaign: Campaign, main: MeasureResults) -> Chart:
    rows: list[tuple[str, float | None, float | None, float | None, str]] = []
    for i in campaign.order:
        low, high = main.intervals[i] or (None, None)
        rows.append((campaign.runs[i], main.values[i], low, high, main.tiers[i] if main.tiers else ""))
    best = campaign.order[0]
    alone = len(rows) > 1 and tied_ranks(main.values, main.higher_is_better)[best] == "1"
    rules = " ".join(rule for rule in (campaign.interval_rule, campaign.tier_rule, campaign.how) if rule)
    return leaderboard_intervals(
        "leaderboard-intervals",
        rows,
        main.name,
        f"{main.name} of every run with its interval. {rules}",
        f"Dot plot of {main.name} for {counted(len(rows), 'run')} with intervals"
        f"{f'; {campaign.runs[best]} is best' if alone else ''}.",
    )


def _traits(campaign: Campaign) -> list[str]:
    """The characteristics that tell the runs apart, the first few."""
    names = dict.fromkeys(name for run in campaign.runs for name in campaign.characteristics.get(run, {}))
    differ = [
        name for name in names if len({campaign.characteristics.get(run, {}).get(name) for run in campaign.runs}) > 1
    ]
    return differ[:MOST_TRAITS]
