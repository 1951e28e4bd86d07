"""The pages every campaign has, whatever its task: leaderboard, comparison of two runs, agreement of the measures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assay.figures.median import tied_ranks
from assay.reports import model
from assay.reports.charts import campaign as curves
from assay.reports.charts import ranked as charts
from assay.reports.model import (
    Block,
    Cell,
    Chart,
    Column,
    Comparison,
    Measure,
    Note,
    Page,
    Pair,
    Report,
    Section,
    Table,
    counted,
)

LABEL_VALUE = (Column(""), Column("", numeric=True))
MOST_TRAITS = 2
"""Characteristics of the runs that the leaderboard shows; their own pages show all."""
MOST_IN_A_CHART = 50
MOST_COLUMNS = 9
"""Measures that stand side by side on a page; further ones follow in tables of their own."""
LEADERBOARD_LETTERS = 66
"""What the leaderboard has room for beside place, run, first measure and tier."""
LETTERS_BETWEEN, SHORTEST_NUMBER, LONGEST_TRAIT = 3, 6, 12
MOST_COMPARED = 1000
"""Topics that are worth reading one by one."""


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
    ranks: bool = True
    """Whether it orders the runs; a count of documents does not."""

    def cell(self, position: int) -> Cell:
        value = self.values[position]
        return model.count(value) if isinstance(value, int) else model.number(value, self.digits)


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
    by_topic: Sequence[MeasureResults] = ()
    """Measures with a value per topic that only serve to compare two runs."""

    @property
    def order(self) -> list[int]:
        """Positions of the runs from best to worst by the first measure; undefined last, equals as they were given."""
        main = self.measures[0]
        sign = -1 if main.higher_is_better else 1
        return sorted(range(len(self.runs)), key=lambda i: (main.values[i] is None, sign * (main.values[i] or 0)))

    def header(self, run: str) -> tuple[tuple[str, str], ...]:
        """What is said of a run above its pages."""
        return tuple(
            (trait.replace("_", " ").capitalize(), value)
            for trait, value in self.characteristics.get(run, {}).items()
            if value
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the pages: title, whose pages are wanted (all, or one run's), further sections, last line."""

    title: str
    subtitle: str = ""
    only: str | None = None
    extra: Sequence[Section] = ()
    foot: str = ""


def assemble(
    frame: Frame,
    campaign: Campaign,
    meta: Sequence[tuple[str, str]],
    run_page: Callable[[int], Page],
    own: Sequence[Section | None] = (),
) -> Report:
    """The campaign's pages with the task's `own` sections after the leaderboard, then a page per run; or one run's."""
    wanted = [i for i, run in enumerate(campaign.runs) if frame.only is None or run == frame.only]
    pages = tuple(run_page(i) for i in wanted)
    counted = (*meta, ("Runs", str(len(campaign.runs))))
    if frame.only is not None:
        return Report(frame.title, frame.subtitle, counted, (), pages, frame.foot)
    sections = (leaderboard(campaign), *own, comparison(campaign), agreement(campaign), *frame.extra)
    shown = tuple(section for section in sections if section is not None)
    return Report(frame.title, frame.subtitle, counted, shown, pages, frame.foot)


def traits_of(campaign: Campaign) -> list[str]:
    """The characteristics that tell the runs apart, the first few."""
    names = dict.fromkeys(name for run in campaign.runs for name in campaign.characteristics.get(run, {}))
    differ = [
        name for name in names if len({campaign.characteristics.get(run, {}).get(name) for run in campaign.runs}) > 1
    ]
    return differ[:MOST_TRAITS]


def against_median(
    id: str,
    campaign: Campaign,
    run: str,
    measure: str,
    rows: Sequence[tuple[str, float | None, float | None, float | None]],
    peers: str = "",
    title: str = "",
) -> Chart:
    """A run's bar chart of topic, value, median, difference."""
    above = sum(1 for *_, difference in rows if difference is not None and difference > 0)
    named = f"{measure[:1].upper()}{measure[1:]}"
    others = peers or counted(len(campaign.runs), "run")
    return charts.difference_from_median(
        id,
        sorted(rows, key=lambda row: natural(row[0])),
        measure,
        f"{named} of {run} on each {campaign.unit} minus the median of {others} on it. {campaign.how}",
        f"Bars per {campaign.unit}: {run} is above the median on {above} of {len(rows)}.",
        title or f"{named} against the median",
        campaign.unit,
    )


def natural(name: str) -> list[tuple[int, int, str]]:
    """A sorting key that puts topic 9 before topic 10.

    >>> sorted(["10", "9", "q2b", "q2a", "q10"], key=natural)
    ['9', '10', 'q2a', 'q2b', 'q10']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def by_topic(rows: Iterable[tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    """A table's rows in the natural order of their first cells."""
    return tuple(sorted(rows, key=lambda row: natural(row[0].text)))


def page_id(position: int) -> str:
    """Run pages are numbered, because a name may hold anything."""
    return f"run-{position + 1}"


def leaderboard(campaign: Campaign) -> Section:
    main, *others = campaign.measures
    places = tied_ranks(main.values, main.higher_is_better)
    traits = traits_of(campaign)
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
            _place(places[i]),
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


def _place(place: str | None) -> Cell:
    return model.missing() if place is None else model.text(place)


def _further(campaign: Campaign, measures: Sequence[MeasureResults]) -> list[Table]:
    """Measures that found no room beside the first ones."""
    return [
        Table(
            f"further-{start // MOST_COLUMNS + 1}",
            "Further measures",
            (Column("Run"), *(Column(m.name, m.hint, numeric=True) for m in measures[start : start + MOST_COLUMNS])),
            tuple(
                (
                    model.text(campaign.runs[i], link=page_id(i)),
                    *(m.cell(i) for m in measures[start : start + MOST_COLUMNS]),
                )
                for i in campaign.order
            ),
            f"Runs in the same order. {campaign.how}",
            sortable=True,
        )
        for start in range(0, len(measures), MOST_COLUMNS)
    ]


def _intervals(campaign: Campaign, main: MeasureResults) -> Chart:
    rows: list[tuple[str, float | None, float | None, float | None, str]] = []
    for i in campaign.order:
        low, high = main.intervals[i] or (None, None)
        rows.append((campaign.runs[i], main.values[i], low, high, main.tiers[i] if main.tiers else ""))
    best = campaign.order[0]
    alone = len(rows) > 1 and tied_ranks(main.values, main.higher_is_better)[best] == "1"
    rules = " ".join(rule for rule in (campaign.interval_rule, campaign.tier_rule, campaign.how) if rule)
    return curves.leaderboard_intervals(
        "leaderboard-intervals",
        rows,
        main.name,
        f"{main.name} of every run with its interval. {rules}",
        f"Dot plot of {main.name} for {counted(len(rows), 'run')} with intervals"
        f"{f'; {campaign.runs[best]} is best' if alone else ''}.",
    )


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
            curves.agreement(
                "agreement",
                names,
                campaign.agreement,
                f"Kendall's tau-b between the rankings of {len(campaign.runs)} runs by each two measures; "
                f"1 is the same order, 0 no relation. {campaign.how}",
                f"Kendall's tau-b between the rankings by {len(names)} measures.",
            )
        )
    for start in range(0, len(ranking), MOST_COLUMNS):
        blocks.append(_rankings(campaign, ranking[start : start + MOST_COLUMNS], start // MOST_COLUMNS + 1))
    return Section("agreement-section", "Measure by measure", tuple(blocks))


def _rankings(campaign: Campaign, measures: Sequence[MeasureResults], part: int) -> Table:
    places = [tied_ranks(measure.values, measure.higher_is_better) for measure in measures]
    return Table(
        f"rankings-{part}",
        "Rankings side by side",
        (Column("Run"), *(Column(measure.name, measure.hint, numeric=True) for measure in measures)),
        tuple(
            (model.text(campaign.runs[i], link=page_id(i)), *(_place(column[i]) for column in places))
            for i in campaign.order
        ),
        f"Place of each run by each measure; equal values share places, as in 5..14. {campaign.how}",
        sortable=True,
    )
