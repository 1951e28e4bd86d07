"""The pages every campaign has, whatever its task: leaderboard, comparison of two runs, agreement of the measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.figures.median import tied_ranks
from assay.report import curves, model
from assay.report.model import Cell, Column, Comparison, Measure, Note, Pair, Section, Table

MOST_IN_A_CHART = 50


@dataclass(frozen=True, slots=True)
class MeasureResults:
    """What is known of one measure: each run's value, its values by topic, and whatever statistics were computed."""

    name: str
    values: Sequence[float | None]
    topics: Sequence[Sequence[float | None]] = ()
    intervals: Sequence[tuple[float, float] | None] = ()
    tiers: Sequence[str] = ()
    pairs: Sequence[Pair] = ()
    digits: int = 4
    hint: str = ""
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign's results, the measure that ranks the runs first. `how` says for captions how numbers were made."""

    runs: Sequence[str]
    topics: Sequence[str]
    measures: Sequence[MeasureResults]
    how: str
    characteristics: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    interval_rule: str = ""
    tier_rule: str = ""
    pair_rule: str = ""
    required_difference: str = ""
    agreement: Mapping[tuple[str, str], float | None] = field(default_factory=dict[tuple[str, str], "float | None"])
    unit: str = "topic"

    @property
    def order(self) -> list[int]:
        """Positions of the runs from best to worst by the first measure; undefined last, equals as they were given."""
        main = self.measures[0]
        sign = -1 if main.higher_is_better else 1
        return sorted(range(len(self.runs)), key=lambda i: (main.values[i] is None, sign * (main.values[i] or 0)))


def page_id(position: int) -> str:
    """Run pages are numbered, because a name may hold anything."""
    return f"run-{position + 1}"


def leaderboard(campaign: Campaign) -> Section:
    main = campaign.measures[0]
    places = tied_ranks(main.values, main.higher_is_better)
    traits = list(dict.fromkeys(key for run in campaign.runs for key in campaign.characteristics.get(run, {})))
    ends = [end for pair in main.intervals if pair for end in pair]
    ends += [value for value in main.values if value is not None]
    domain = (min(ends), max(ends)) if ends else None
    columns = [
        Column("Place", "place by the first measure; equal values share places", numeric=True),
        Column("Run"),
        *(Column(trait.capitalize()) for trait in traits),
        Column(main.name, main.hint or campaign.interval_rule, numeric=True, domain=domain),
        *(Column(measure.name, measure.hint, numeric=True) for measure in campaign.measures[1:]),
    ]
    if main.tiers:
        columns.append(Column("Tier", campaign.tier_rule))
    rows: list[tuple[Cell, ...]] = []
    for i in campaign.order:
        run = campaign.runs[i]
        low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
        cells = [
            model.text(places[i]) if places[i] is not None else model.missing(),
            model.text(run, link=page_id(i)),
            *(model.text(campaign.characteristics.get(run, {}).get(trait, "")) for trait in traits),
            model.interval(main.values[i], low, high, main.digits),
            *(model.number(measure.values[i], measure.digits) for measure in campaign.measures[1:]),
        ]
        if main.tiers:
            cells.append(model.text(main.tiers[i]))
        rows.append(tuple(cells))
    said = [f"{len(campaign.runs)} runs in order of {main.name}.", campaign.interval_rule, campaign.tier_rule]
    caption = " ".join(part for part in [*said, campaign.how] if part)
    table = Table("leaderboard", "Leaderboard", tuple(columns), tuple(rows), caption, sortable=True, leaderboard=True)
    blocks: list[model.Block] = [table]
    if campaign.required_difference:
        blocks.insert(0, Note(campaign.required_difference))
    # The table draws the intervals too; a chart of more runs than fit on a page would add nothing.
    if any(main.intervals) and len(campaign.runs) <= MOST_IN_A_CHART:
        blocks.append(_intervals(campaign, main))
    return Section("leaderboard-section", "Leaderboard", tuple(blocks))


def _intervals(campaign: Campaign, main: MeasureResults) -> model.Chart:
    rows = [
        (
            campaign.runs[i],
            main.values[i],
            *(main.intervals[i] or (None, None)),
            main.tiers[i] if main.tiers else "",
        )
        for i in campaign.order
    ]
    best = campaign.runs[campaign.order[0]]
    return curves.leaderboard_intervals(
        "leaderboard-intervals",
        rows,
        main.name,
        f"{main.name} of every run with its interval. {campaign.interval_rule} {campaign.tier_rule} {campaign.how}",
        f"Dot plot of {main.name} for {len(rows)} runs with intervals; {best} is highest.",
    )


def comparison(campaign: Campaign) -> Section | None:
    """Any two runs, topic by topic; nothing where there is but one run or no measure has a value per topic."""
    measures = tuple(
        Measure(
            m.name,
            tuple(m.values),
            tuple(tuple(row) for row in m.topics),
            m.digits,
            tuple(m.pairs),
            campaign.pair_rule if m.pairs else "",
        )
        for m in campaign.measures
        if m.topics
    )
    if len(campaign.runs) < 2 or not measures:
        return None
    chart = curves.topic_differences(
        "comparison-chart",
        f"The first run minus the second on each {campaign.unit}, largest difference first. {campaign.how}",
        f"Bars: the difference of the two chosen runs on each {campaign.unit}.",
        f"{campaign.unit.capitalize()} by {campaign.unit}",
    )
    block = Comparison(
        "comparison",
        "Two runs side by side",
        tuple(campaign.runs),
        tuple(campaign.topics),
        measures,
        chart,
        f"Values per {campaign.unit} and their difference. {campaign.how}",
    )
    return Section("comparison-section", "Compare two runs", (block,))


def agreement(campaign: Campaign) -> Section | None:
    """How alike the measures rank the runs, as a picture and as the rankings themselves."""
    if len(campaign.measures) < 2 or len(campaign.runs) < 2:
        return None
    names = [measure.name for measure in campaign.measures]
    places = {m.name: tied_ranks(m.values, m.higher_is_better) for m in campaign.measures}
    table = Table(
        "rankings",
        "Rankings side by side",
        (Column("Run"), *(Column(name, numeric=True) for name in names)),
        tuple(
            (
                model.text(campaign.runs[i], link=page_id(i)),
                *(model.missing() if places[name][i] is None else model.text(places[name][i]) for name in names),
            )
            for i in campaign.order
        ),
        f"Place of each run by each measure; equal values share places, as in 5..14. {campaign.how}",
        sortable=True,
    )
    blocks: list[model.Block] = [table]
    if campaign.agreement:
        blocks.insert(
            0,
            curves.agreement(
                "agreement",
                names,
                campaign.agreement,
                f"Kendall's tau-b between the rankings of {len(campaign.runs)} runs by each two measures; "
                f"1 is the same order, 0 no relation. {campaign.how}",
                f"Table of Kendall's tau-b between {len(names)} measures.",
            ),
        )
    return Section("agreement-section", "Measure by measure", tuple(blocks))
