"""The results of a campaign as plain data: every run's values, intervals, tiers, and the order of the runs."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, overload

from assay.analyses.marked_text import MarkedText, marked
from assay.figures.common import corresponding_kind, median, natural, tied_ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.abstention.price import Pricing
    from assay.analyses.comparison.result import Comparison
    from assay.analyses.comparison.value_for_money import ValueForMoney
    from assay.analyses.items import Items
    from assay.analyses.reliability.reliability import Reliability
    from assay.analyses.suites.result import Suite
    from assay.figures.cost_frontier import CostFrontier

MEAN_DIGITS = 3
Ends = tuple[float, float]
"""The ends of an interval."""


@dataclass(frozen=True, slots=True)
class RunPair:
    """The comparison of runs number `a` and `b`: the difference a - b, its interval, and p."""

    a: int
    b: int
    difference: float
    low: float | None = None
    high: float | None = None
    p: float | None = None


@dataclass(frozen=True, slots=True)
class RunPairs(Sequence[RunPair]):
    """Many pairs as columns of numbers: a thousand runs have half a million pairs. NaN stands for no value."""

    a: array[int]
    b: array[int]
    difference: array[float]
    low: array[float]
    high: array[float]
    p: array[float]

    def __len__(self) -> int:
        return len(self.a)

    @overload
    def __getitem__(self, place: int) -> RunPair: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[RunPair]: ...
    def __getitem__(self, place: int | slice) -> RunPair | Sequence[RunPair]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        low, high, p = (
            value if value == value else None for value in (self.low[place], self.high[place], self.p[place])
        )
        return RunPair(self.a[place], self.b[place], self.difference[place], low, high, p)

    def column(self, name: str) -> list[Any]:
        """Return a column, with None for NaN."""
        return [value if value == value else None for value in getattr(self, name)]


@dataclass(frozen=True)
class MeasureResults:
    """The results by one measure: each run's value, its values by topic, and the statistics that were computed."""

    name: str
    values: Sequence[float | None]
    topics: Sequence[Sequence[float | None]] = ()
    intervals: Sequence[Ends | None] = ()
    tiers: Sequence[str] = ()
    pairs: Sequence[RunPair] = ()
    digits: int = 4
    hint: str = ""
    higher_is_better: bool = True
    orders_runs: bool = True
    """Whether it says which run is better; a count of documents does not."""
    page_intervals: Sequence[Ends | None] = ()
    """Intervals that only each run's own page shows."""
    totals: Sequence[int] = ()
    """For a count of questions printed with its percentage: the number of questions of each run."""

    @cached_property
    def topic_digits(self) -> int:
        """Digits of the values by topic: counts have none."""
        return 0 if _are_whole(value for values in self.topics for value in values) else self.digits

    @cached_property
    def run_digits(self) -> int:
        """Digits of the runs' values: counts have none, means three, as their standard errors rarely justify more."""
        return 0 if _are_whole(self.values) else min(self.digits, MEAN_DIGITS)

    @cached_property
    def median(self) -> float | None:
        """Median of the runs' values."""
        return median(self.values)

    def median_of(self, positions: Iterable[int]) -> float | None:
        """Return the median value of the runs at some positions."""
        return median([self.values[position] for position in positions])

    @cached_property
    def topic_medians(self) -> tuple[float | None, ...]:
        """The median of all runs on each topic."""
        return tuple(median(values) for values in zip(*self.topics, strict=True))

    def ends(self, position: int) -> tuple[float | None, float | None]:
        """Return the ends of a run's interval, or two Nones."""
        return (self.intervals[position] or (None, None)) if self.intervals else (None, None)

    def page_ends(self, position: int) -> tuple[float | None, float | None]:
        """Return the ends of the interval that the run's own page shows, or two Nones."""
        intervals = self.intervals or self.page_intervals
        return (intervals[position] or (None, None)) if intervals else (None, None)

    @cached_property
    def domain(self) -> Ends | None:
        """From the lowest to the highest value or end of an interval."""
        known = [end for ends in self.intervals if ends for end in ends]
        known += [value for value in self.values if value is not None]
        return (min(known), max(known)) if known else None


def _are_whole(values: Iterable[float | None]) -> bool:
    return all(value is None or isinstance(value, int) for value in values)


@dataclass(frozen=True)
class GroupedRuns:
    """The runs with one value of a characteristic."""

    label: str
    positions: Sequence[int]
    tiers: Mapping[int, str]
    """The tier within the group, by position of the run."""
    why: str = ""
    """Why the runs are not compared with each other; empty where they are."""


@dataclass(frozen=True, slots=True)
class BoardRun:
    """A run on the leaderboard: its value and interval on the topics that decide, its rank, and whether it may lead."""

    position: int
    value: float | None
    ends: Ends | None
    rank: str
    """The interval of its rank, as in 1–4; its place where ranks have none; empty for a baseline without a place."""
    tier: str
    leads: bool
    """Whether it is the leader or cannot be told from it."""
    perhaps: bool = False
    """Whether another seed could have decided this otherwise."""


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard by the first measure, best run first."""

    runs: Sequence[BoardRun]
    digits: int
    """Decimals that the standard error justifies."""
    ranked: bool
    """Whether ranks are intervals, and not places."""
    topics: int
    """How many topics decide."""
    confidence: float = 0.95
    significant_lead: float | None = None
    """The lead from which every difference is significant; None where there is no such limit."""


@dataclass(frozen=True, slots=True)
class RunFinding:
    """What to know of one run first, in clauses: each may be left out where a reader must not see it."""

    place: str
    """Its place, its value, and which ranks are plausible: `rerank is 1st of 8 (AP .580, ranks 1–3 plausible)`."""
    against: str = ""
    """What its pair with the leader says, with the names of other runs."""
    unnamed: str = ""
    """The same without their names."""
    topics: str = ""
    """On how many topics it is best."""

    @property
    def text(self) -> MarkedText:
        """The clauses as one sentence.

        >>> RunFinding("a is 1st of 2 (AP .5)", "beats b", "beats the other", "is best on 3 of 4 topics").text
        'a is 1st of 2 (AP .5), beats b, and is best on 3 of 4 topics.'
        """
        first, *rest = [marked(clause) for clause in (self.place, self.against, self.topics) if clause]
        if len(rest) < 2:
            return MarkedText.of(f"{' and '.join((first, *rest))}.")
        return MarkedText.of(f"{first}, {rest[0]}, and {rest[1]}.")

    def without_names(self) -> RunFinding:
        """Return the finding without the names of other runs."""
        return replace(self, against=self.unnamed)

    def without_topics(self) -> RunFinding:
        """Return the finding without what single topics decide."""
        return replace(self, topics="")


@dataclass(frozen=True, slots=True)
class NextStep:
    """What a reader of the finding may want to open next."""

    kind: str
    """`compare` for two runs, `measures` for the other measures, `trust` for how far the result holds."""
    title: str
    says: str
    """What is found there, in a few words."""
    runs: tuple[str, ...] = ()
    """The two runs to compare."""


@dataclass(frozen=True)
class CampaignResults:
    """The results of a campaign; the first of the measures ranks the runs."""

    runs: Sequence[str]
    topics: Sequence[str]
    measures: Sequence[MeasureResults]
    method: str
    """How the numbers were computed, for captions."""
    characteristics: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    interval_rule: str = ""
    tier_rule: str = ""
    pair_rule: str = ""
    required_difference: str = ""
    finding: str = ""
    """Who leads and who cannot be told apart from the leader."""
    trust: Sequence[str] = ()
    """Which leads are significant, and what is excluded."""
    board: Board | None = None
    next_steps: Sequence[NextStep] = ()
    """What to open after the finding."""
    unnamed_finding: str = ""
    """The finding without the names of runs."""
    run_findings: Sequence[RunFinding] = ()
    """What to know of each run first, in the order of the runs."""
    agreement: Mapping[tuple[str, str], float | None] = field(default_factory=dict[tuple[str, str], "float | None"])
    """Kendall's tau-b between the rankings by each two measures."""
    unit: str = "topic"
    task: str = ""
    """The kind of evaluation; the header of a run shows it where no characteristic names a task."""
    by_topic: Sequence[MeasureResults] = ()
    """Measures with a value per topic that only serve to compare two runs."""
    calibration: Mapping[str, str] = field(default_factory=dict[str, str])
    """By run, whether it is calibrated: a sentence."""
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """The fields of the gold, a value per topic."""
    averaging: str = ""
    """For a suite: how the leaderboard averages over tasks."""
    samples: str = ""
    """The number of samples per topic in words, where there are several."""
    baselines_apart: bool = False
    """Whether baselines follow the ranked runs, without a place."""
    spending: CostFrontier | None = None
    """What the runs cost, where it is known."""
    money: ValueForMoney | None = None
    """The frontier with its uncertainty, on the questions that all runs share."""
    endings: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """By run, how every question ended, where questions end right, wrong or declined."""
    pricing: Pricing | None = None
    """Which run leads at which price of a wrong answer, where answers are right, wrong or declined."""
    group_by: str = ""
    """The characteristic by which runs have leaderboards of their own."""
    groups: Sequence[GroupedRuns] = ()
    """The groups of runs, in the order of their values."""
    group_rule: str = ""
    """Which pairs the comparisons within groups are adjusted for."""
    notes: Sequence[str] = ()
    """Notes on the runs, as a command writes them to standard error."""
    warnings: Sequence[str] = ()
    """What could not be computed, and why."""
    comparison: Comparison | None = None
    reliability: Reliability | None = None
    items: Items | None = None
    suite: Suite | None = None

    def without_analyses(self) -> CampaignResults:
        """Return the same without comparison, reliability, items and suite: those of a thousand runs fill the memory."""
        return replace(self, comparison=None, reliability=None, items=None, suite=None)

    @property
    def counted_noun(self) -> str:
        """What counts of answers count: questions, or samples where a question has several."""
        return "samples" if self.samples else f"{self.unit}s"

    @property
    def topic_measure(self) -> MeasureResults | None:
        """The first measure where it has values by topic, else another one that has."""
        return next((measure for measure in (self.measures[0], *self.by_topic) if measure.topics), None)

    @cached_property
    def order(self) -> list[int]:
        """Positions of the runs from best to worst by the first measure: equal ones by name, undefined ones last, then the
        unranked."""
        main, unranked = self.measures[0], self.unranked
        sign = -1 if main.higher_is_better else 1
        by_name = sorted(range(len(self.runs)), key=lambda i: natural(self.runs[i].casefold()))
        return sorted(by_name, key=lambda i: (i in unranked, main.values[i] is None, sign * (main.values[i] or 0)))

    @cached_property
    def order_index(self) -> list[int]:
        """The index of each run in the order."""
        index = [0] * len(self.runs)
        for place, position in enumerate(self.order):
            index[position] = place
        return index

    @cached_property
    def unranked(self) -> frozenset[int]:
        """Positions of the baselines where they are ranked apart; empty where all runs are baselines."""
        baselines = [i for i, run in enumerate(self.runs) if is_baseline(self.characteristics.get(run, {}))]
        return frozenset(baselines if self.baselines_apart and len(baselines) < len(self.runs) else ())

    def places(self, measure: MeasureResults) -> list[str | None]:
        """Return each run's place by a measure; None for the unranked and for runs without a value."""
        if measure.name not in self._places:
            self._places[measure.name] = self.places_among(measure, range(len(self.runs)))
        return self._places[measure.name]

    def places_among(self, measure: MeasureResults, positions: Sequence[int]) -> list[str | None]:
        """Return the places of some runs among each other."""
        ranked = [None if i in self.unranked else measure.values[i] for i in positions]
        return tied_ranks(ranked, measure.higher_is_better)

    @cached_property
    def _places(self) -> dict[str, list[str | None]]:
        """A cache by measure: every run's page shows the run's place in each."""
        return {}

    @cached_property
    def runs_by_type(self) -> dict[str, list[int]]:
        """By subtask and type, as far as characteristics give them: the positions of the runs."""
        types: dict[str, list[int]] = {}
        for position, run in enumerate(self.runs):
            if kind := corresponding_kind(self.characteristics.get(run, {})):
                types.setdefault(kind, []).append(position)
        return types

    def corresponding(self, position: int) -> tuple[str, list[int]] | None:
        """Return a run's type and the positions of the runs of that type; None where these are all runs, or this run alone."""
        kind = corresponding_kind(self.characteristics.get(self.runs[position], {}))
        peers = self.runs_by_type.get(kind, [])
        return (kind, peers) if 1 < len(peers) < len(self.runs) else None


def is_baseline(characteristics: Mapping[str, str]) -> bool:
    """Whether an organiser calls a run a baseline: `baseline = true`, or a type of that name."""
    return any(
        value.casefold() == ("yes" if name.casefold() == "baseline" else "baseline")
        for name, value in characteristics.items()
    )
