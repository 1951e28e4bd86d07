"""What the pages of a campaign are made from, and the pieces that the pages of several tasks share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from assay.analyses.abstention.price import Pricing
from assay.figures.common import AgainstMedian, corresponding_kind, median, natural, tied_ranks
from assay.figures.cost import Spending
from assay.figures.teams import TEAM
from assay.reports import model
from assay.reports.charts.tracks import difference_from_median
from assay.reports.model import (
    Block,
    Cell,
    Chart,
    RunPage,
    RunPair,
    Section,
    Table,
    TableColumn,
    TableRow,
    averaged,
    counted,
    numbers,
)  # fmt: skip

Thing = TypeVar("Thing")

DIGITS = 3
"""As the reports of TREC print the means of its tracks."""
MOST_COLUMNS = 9
"""Measures that stand side by side on a page; further ones follow in tables of their own."""


@dataclass(frozen=True)
class MeasureResults:
    """What is known of one measure: each run's value, its values by topic, and whatever statistics were computed."""

    name: str
    values: Sequence[float | None]
    topics: Sequence[Sequence[float | None]] = ()
    intervals: Sequence[tuple[float, float] | None] = ()
    tiers: Sequence[str] = ()
    pairs: Sequence[RunPair] = ()
    digits: int = 4
    hint: str = ""
    higher_is_better: bool = True
    ranks: bool = True
    """Whether it orders the runs; a count of documents does not."""
    own_intervals: Sequence[tuple[float, float] | None] = ()
    """Those that stand on each run's page alone."""
    totals: Sequence[int] = ()
    """Of a count of questions that is printed with its percentage: the questions of each run."""

    @cached_property
    def topic_digits(self) -> int:
        """The digits of its values by topic: counts have none."""
        return 0 if _whole(value for values in self.topics for value in values) else self.digits

    @cached_property
    def run_digits(self) -> int:
        """The digits of the runs' own values."""
        return 0 if _whole(self.values) else self.digits

    @cached_property
    def median(self) -> float | None:
        """Of the runs' own values."""
        return median(self.values)

    def cell(self, position: int) -> Cell:
        value, ends = self.values[position], self.intervals[position] if self.intervals else None
        if ends is not None:
            return model.interval(value, *ends, self.digits)
        if self.totals and isinstance(value, int):
            return model.share(value, self.totals[position])
        return model.count(value) if isinstance(value, int) else model.number(value, self.digits)


def _whole(values: Iterable[float | None]) -> bool:
    return all(value is None or isinstance(value, int) for value in values)


@dataclass(frozen=True)
class GroupedRuns:
    """Runs with one value of a characteristic: their positions, and by position their tier within the group."""

    label: str
    positions: Sequence[int]
    tiers: Mapping[int, str]
    why: str = ""
    """Why the runs are not compared with each other; empty where they are."""


@dataclass(frozen=True)
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
    task: str = ""
    """The kind of evaluation; the header of a run has it where no characteristic names a task."""
    by_topic: Sequence[MeasureResults] = ()
    """Measures with a value per topic that only serve to compare two runs."""
    said: Mapping[str, str] = field(default_factory=dict[str, str])
    """A sentence about a run that its page ends with."""
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """What the gold says of each topic."""
    averaged: str = ""
    """Of a suite: how the leaderboard averages over tasks."""
    samples: str = ""
    """How many samples a topic has, in words, where it has several: what counts of answers count."""
    baselines_apart: bool = False
    """Whether baselines stand after the runs that are ranked, without a place."""
    spending: Spending | None = None
    """What the runs cost, where it is known."""
    endings: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """By run, how every question ended, where questions end right, wrong or declined."""
    pricing: Pricing | None = None
    """Who leads at which price of a wrong answer, where answers are right, wrong or declined."""
    group_by: str = ""
    """The characteristic by which runs have leaderboards of their own."""
    groups: Sequence[GroupedRuns] = ()
    """The groups of runs, in the order of their values."""
    group_rule: str = ""
    """For which pairs the comparisons within groups are adjusted."""
    notes: Sequence[str] = ()
    """What a careful reader should know of the runs, as a command says it on standard error."""

    @property
    def counted(self) -> str:
        """What counts of answers count: questions, or samples where there are several of a question."""
        return "samples" if self.samples else f"{self.unit}s"

    @property
    def by_each(self) -> MeasureResults | None:
        """What tells topics apart: the first measure, or where it is one number for all of them, whatever has a value for
        each."""
        return next((one for one in (self.measures[0], *self.by_topic) if one.topics), None)

    @cached_property
    def order(self) -> list[int]:
        """Positions of the runs from best to worst by the first measure; undefined last, equals by name. What is ranked apart
        stands after all others."""
        main, apart = self.measures[0], self.apart
        sign = -1 if main.higher_is_better else 1
        named = sorted(range(len(self.runs)), key=lambda i: natural(self.runs[i].casefold()))
        return sorted(named, key=lambda i: (i in apart, main.values[i] is None, sign * (main.values[i] or 0)))

    @cached_property
    def apart(self) -> frozenset[int]:
        """Positions of the baselines, where they are ranked apart; none where there is nothing else to rank."""
        found = [i for i, run in enumerate(self.runs) if is_baseline(self.characteristics.get(run, {}))]
        return frozenset(found if self.baselines_apart and len(found) < len(self.runs) else ())

    def places(self, measure: MeasureResults) -> list[str | None]:
        """The place of each run by a measure, those apart neither placed nor counted; None where there is no value either."""
        if measure.name not in self._places:
            ranked = [None if i in self.apart else value for i, value in enumerate(measure.values)]
            self._places[measure.name] = tied_ranks(ranked, measure.higher_is_better)
        return self._places[measure.name]

    @cached_property
    def _places(self) -> dict[str, list[str | None]]:
        """By measure: every run's page says where the run stands in each."""
        return {}

    @cached_property
    def standing(self) -> list[int]:
        """The place of each run in the order."""
        found = [0] * len(self.runs)
        for place, position in enumerate(self.order):
            found[position] = place
        return found

    def place_cell(self, places: Sequence[str | None], position: int) -> Cell:
        """A run's place as a table shows it; nothing of what is ranked apart."""
        return model.text("") if position in self.apart else model.cell(places[position])

    @property
    def rules(self) -> str:
        """By which rules the leaderboard was made."""
        return " ".join(rule for rule in (self.averaged, self.interval_rule, self.tier_rule, self.how) if rule)

    def header(self, run: str) -> tuple[tuple[str, str], ...]:
        """The header of a run's pages: the task and the organisation, as TREC printed them, then its other characteristics."""
        described = self.characteristics.get(run, {})
        task = described.get("task") or self.task
        organisation = next((described[name] for name in TEAM if described.get(name)), "")
        first = ("Task", task), ("Organisation", organisation)
        return (*((label, value) for label, value in first if value), *self.traits(run))

    def traits(self, run: str) -> tuple[tuple[str, str], ...]:
        """The characteristics of a run without its task and organisation."""
        described = self.characteristics.get(run, {})
        organisation = next((name for name in TEAM if described.get(name)), "")
        return tuple(
            (in_title(trait), value)
            for trait, value in described.items()
            if value and trait not in ("task", organisation)
        )

    def described(self, run: str) -> str:
        """The traits in one line."""
        return ", ".join(f"{label[:1].lower()}{label[1:]}: {value}" for label, value in self.traits(run))

    @cached_property
    def types(self) -> dict[str, list[int]]:
        """By subtask and type of run, as far as characteristics give them: the positions of its runs."""
        found: dict[str, list[int]] = {}
        for position, run in enumerate(self.runs):
            if kind := corresponding_kind(self.characteristics.get(run, {})):
                found.setdefault(kind, []).append(position)
        return found

    def corresponding(self, position: int) -> tuple[str, list[int]] | None:
        """The type of a run and the positions of the runs of that type; None where these are all runs, or this run alone."""
        kind = corresponding_kind(self.characteristics.get(self.runs[position], {}))
        peers = self.types.get(kind, [])
        return (kind, peers) if 1 < len(peers) < len(self.runs) else None


def in_title(trait: str) -> str:
    """A characteristic as a heading; an abbreviation stays one.

    >>> in_title("run_type"), in_title("TREC_task")
    ('Run type', 'TREC task')
    """
    words = trait.replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}"


def is_baseline(described: Mapping[str, str]) -> bool:
    """Whether an organiser calls a run a baseline: `baseline = true`, or a type of that name."""
    return any(
        value.casefold() == ("yes" if name.casefold() == "baseline" else "baseline")
        for name, value in described.items()
    )


def against_median(
    id: str, campaign: Campaign, run: str, graph: AgainstMedian, measure: str = "", peers: str = "", title: str = ""
) -> Chart:
    """A run's bar chart of one measure on each topic minus the median of its peers on it."""
    topics = campaign.topics
    name = measure or graph.measure
    named = f"{measure[:1].upper()}{measure[1:]}" or name
    rows = zip(topics, graph.values, graph.medians, graph.differences, strict=True)
    others = peers or counted(len(campaign.runs), "run")
    return difference_from_median(
        id,
        sorted(rows, key=lambda row: natural(row[0])),
        name,
        f"{named} of {run} on each {campaign.unit} minus the median of {others} on it. {campaign.how}",
        f"Bars per {campaign.unit}: {run} is above the median on {graph.above} of {len(topics)}.",
        title or f"{named} against the median",
        campaign.unit,
    )


def page_of(campaign: Campaign, position: int, blocks: Sequence[Block], *more: Section) -> RunPage:
    """A participant's pages: what is said of the run, the evaluation report, then further sections."""
    prefix, run = page_id(position), campaign.runs[position]
    summary = Section(f"{prefix}-summary", "Evaluation report", tuple(blocks))
    return RunPage(prefix, run, (summary, *more), campaign.header(run))


def topic_section(campaign: Campaign, position: int, *blocks: Block) -> Section:
    """What a participant reads topic by topic."""
    noun = campaign.unit
    return Section(f"{page_id(position)}-topics", f"{noun.capitalize()} by {noun}", blocks)


def facts(
    id: str, rows: Iterable[tuple[str, Cell] | model.Span], caption: str, title: str = "Summary statistics"
) -> Table:
    """A table of labels and values without a heading."""
    made: tuple[TableRow, ...] = tuple(
        row if isinstance(row, model.Span) else (model.text(row[0]), row[1]) for row in rows
    )
    return Table(id, title, (TableColumn(""), TableColumn("", numeric=True)), made, caption, show_header=False)


def split_columns(measures: Sequence[Thing], beside: int = 0) -> list[tuple[int, Sequence[Thing]]]:
    """The measures in groups that fit beside each other, with the number of each group from 1.

    `beside` is how many further columns stand beside them, after the one that names the row.
    """
    most = MOST_COLUMNS - beside
    return [(start // most + 1, measures[start : start + most]) for start in range(0, len(measures), most)]


def topic_table(
    campaign: Campaign, id: str, title: str, columns: Iterable[TableColumn], rows: Iterable[tuple[Cell, ...]], said: str
) -> Table:
    """A row per topic, named in the first cell, in the natural order of the names."""
    named = ((row[0].but(link=model.address("topic", row[0].text)), *row[1:]) for row in rows)
    ordered = tuple(sorted(named, key=lambda row: natural(row[0].text)))
    heads = (TableColumn(campaign.unit.capitalize()), *columns)
    return Table(id, title, heads, ordered, f"{said} {campaign.how}", sortable=True)


def beside_medians(names: Sequence[str]) -> list[TableColumn]:
    """The columns of a table by topic that has each measure, its median and their difference."""
    return [head for name in names for head in numbers(f"{name[:1].upper()}{name[1:]}", "Median", "Difference")]


def median_cells(graphs: Sequence[AgainstMedian], topic: int) -> tuple[Cell, ...]:
    """What stands in them on the topic at a position."""
    return tuple(
        cell
        for graph in graphs
        for cell in (
            model.number(graph.values[topic]),
            model.number(graph.medians[topic]),
            model.number(graph.differences[topic], signed=True),
        )
    )


def measure_table(campaign: Campaign, position: int, measures: Iterable[MeasureResults]) -> Table:
    """A run's value in each measure."""
    rows = tuple((model.text(one.name, hint=one.hint), one.cell(position)) for one in measures)
    caption = f"Values of {campaign.runs[position]}. {campaign.how}"
    heads = TableColumn("Measure"), *numbers("Value")
    return averaged(Table(f"{page_id(position)}-measures", "Measures", heads, rows, caption))


def heading(measure: MeasureResults) -> TableColumn:
    return TableColumn(measure.name, measure.hint, numeric=True)


def rank_cell(rank: int | None) -> Cell:
    """A rank, or that there is none: a result like any other, and nothing undefined."""
    return Cell("missing", "not found") if rank is None else model.count(rank)


def page_id(position: int) -> str:
    """Run pages are numbered, because a name may hold anything."""
    return f"run-{position + 1}"
