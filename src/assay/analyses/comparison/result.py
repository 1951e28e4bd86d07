"""The result of `assay.compare`: differences, intervals, p-values, tiers, and a sentence for each pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.analyses.comparison import paired_tests
from assay.errors import UsageError
from assay.stats import multiple_comparisons
from assay.stats.bootstrap_intervals import Interval
from assay.table.results import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.comparison.value_for_money import ValueForMoney

CANNOT_SAY = "cannot say"
"""The verdict on two runs where people's labels do not decide."""
MADE_AT_ONCE = 256
"""Pairs whose results are made at once when all are read."""


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


@dataclass(frozen=True)
class TopicChange:
    """One topic, and by how much the two runs differ there: 1 from no sample right to all of them by accuracy.

    For a measure of sums such as c@1, and in a suite, it is the topic's effect on the measure times the number of topics.
    """

    topic: str
    difference: float


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """One run of the leaderboard."""

    run: str
    value: float | None
    interval: Interval | None
    tier: int | None
    """1 is the best; None where the run has no value, or there are no tiers."""
    not_different: int | None
    """How many other runs do not differ significantly from this one; None where there are no tiers."""
    missing: int
    undefined: int
    """On how many topics of the table the run has no result, and on how many others the measure has no value."""
    failed: int = 0
    """On how many topics every sample errored in the harness."""
    declined: int | None = None
    """How many topics the run left unanswered; None where the task knows no such outcome."""
    raw: float | None = None
    """Of a board with missing cells, the mean over the run's own topics, which the interval is of; `value` is the adjusted mean."""
    entered: int | None = None
    """Of such a board, on how many topics the run has a value."""
    machine: float | None = None
    """Of runs that a machine judged and people's labels correct: the machine's score; `value` is people's."""
    labels: int | None = None
    """Of such runs, on how many topics people labelled them."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        hidden = ("raw", "entered") if self.entered is None else ()
        hidden += ("machine", "labels") if self.labels is None else ()
        fields = {name: value for name, value in vars(self).items() if name not in hidden}
        return {**fields, "interval": _ends(self.interval)}


@dataclass(frozen=True)
class RankResult:
    """The place of a run by its value, and the confidence interval of its rank."""

    run: str
    place: int
    """1 is the best; equal values share the better place."""
    low: int
    high: int


class Ranks(Result, Sequence[RankResult]):
    """Simultaneous confidence intervals of the runs' ranks: with `confidence`, all of them hold at once. Best first."""

    def __init__(self, ranks: Sequence[RankResult]) -> None:
        self._ranks = list(ranks)

    def __len__(self) -> int:
        return len(self._ranks)

    def __getitem__(self, place: Any) -> Any:
        return self._ranks[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranks) and self._ranks == other._ranks

    def of(self, run: str) -> RankResult | None:
        """Return the rank of one run; None where it has no value.

        run   its name
        """
        return next((rank for rank in self._ranks if rank.run == run), None)

    @property
    def may_be_first(self) -> list[str]:
        """The runs whose interval begins at 1."""
        return [rank.run for rank in self._ranks if rank.low == 1]

    def surely_in_first(self, count: int) -> list[str]:
        """Return the runs whose interval ends within the first `count` places.

        count   how many places
        """
        return [rank.run for rank in self._ranks if rank.high <= count]

    def possibly_in_first(self, count: int) -> list[str]:
        """Return the runs whose interval begins within the first `count` places.

        count   how many places
        """
        return [rank.run for rank in self._ranks if rank.low <= count]

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header and a row per run."""
        return ["run", "place", "low", "high"], [[rank.run, rank.place, rank.low, rank.high] for rank in self._ranks]

    def to_dict(self) -> Any:
        """The documented JSON shape: a list."""
        return [vars(rank) for rank in self._ranks]


@dataclass(frozen=True)
class Growing:
    """The interval of a difference that may be looked at after every topic, and stays right if the differences keep one mean."""

    low: float | None
    high: float | None
    """None where the differences drift, or their mean lies outside: there is then no such interval."""
    topics: int
    first: int | None
    """After how many topics it first left 0 out; None where it never did."""
    drift_p: float
    """Of a permuted CUSUM: how often as large a drift would be seen if the topics came in random order."""
    halves: tuple[float, float]
    """The mean difference over the first and the second half of the topics."""

    @property
    def valid(self) -> bool:
        """Whether there is an interval: no drift was found, and the mean lies inside."""
        return self.low is not None

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**vars(self), "valid": self.valid, "halves": list(self.halves)}


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests (Schuirmann 1987): whether two runs are the same within a margin."""

    margin: float
    interval: tuple[float, float] | None
    """At level 1 - 2α, which decides two one-sided tests at α."""
    level: float
    equivalent: bool
    """Whether the whole interval lies within the margin on either side of 0."""


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """Run a against run b: difference = a - b; nothing but a sentence where either has no value."""

    a: str
    b: str
    difference: float | None = None
    interval: Interval | None = None
    p: dict[str, float] = field(default_factory=dict[str, float])
    exact: bool = False
    """Whether the randomisation test made every flip there is."""
    adjusted: dict[str, float] = field(default_factory=dict[str, float])
    topics: int | None = None
    """Of a board with missing cells, how many topics both runs have."""
    decided_by: float | None = None
    """The p-value that decides: of the chosen test, adjusted by the chosen correction."""
    significant: bool = False
    better: str | None = None
    """The better run by the estimate, or None where they are equal or the measure has no better."""
    won: int | None = None
    tied: int | None = None
    lost: int | None = None
    moved: list[TopicChange] = field(default_factory=list[TopicChange])
    as_much: int = 0
    """How many topics beyond these moved as much as the last of them."""
    critical: float | None = None
    """The smallest difference that would have been significant, given this spread over topics; None where none would."""
    detectable: float | None = None
    """The true difference the test would find 4 times in 5; None where the measure's range does not hold it."""
    adjusted_by: str = "none"
    """The correction that the interval and the deciding p-value have in common."""
    size: float | None = None
    """How often the test would be significant where nothing differs: 1 - confidence, or less where few topics differ."""
    gate: str | None = None
    """Where a margin was given: non-inferior, inferior or undecided."""
    gate_bounds: tuple[float, float] | None = None
    """The gate's two bounds, positive being better: each has an error rate of half of 1 - confidence, the upper over all verdicts."""
    gate_reason: str | None = None
    """Why the gate must not decide, whatever the bounds: too many failed or missing topics."""
    failure_bounds: tuple[float, float] | None = None
    """The difference with every failed or missing topic counted wrong, and counted right; None where there are none."""
    equivalence: Equivalence | None = None
    growing: Growing | None = None
    """An interval that may be looked at after every topic, where it was asked for."""
    machine: float | None = None
    """Of runs that a machine judged and people's labels correct: the difference for the machine; `difference` is people's."""
    sentence: str = ""

    @property
    def order(self) -> str | None:
        """Whether the machine's order holds for people or turns, or that the labels cannot say; None without a machine judge."""
        if self.machine is None or self.difference is None:
            return None
        if not self.significant:
            return CANNOT_SAY
        return "holds" if self.machine * self.difference > 0 else "turns"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        hidden = ("decided_by", "topics") if self.topics is None else ("decided_by",)
        hidden += ("machine",) if self.machine is None else ()
        fields = {name: value for name, value in vars(self).items() if name not in hidden}
        method, level = (None, None) if self.interval is None else (self.interval.method, self.interval.confidence)
        same = None if self.equivalence is None else vars(self.equivalence)
        ends = {"interval": _ends(self.interval), "method": method, "level": level}
        look = None if self.growing is None else self.growing.to_dict()
        return {
            **fields,
            **ends,
            "equivalence": same,
            "growing": look,
            **({} if self.order is None else {"order": self.order}),
            "moved": [vars(change) for change in self.moved],
        }


class LazyPairs(Sequence[PairResult]):
    """The results of many pairs, each made when it is read: those of half a million pairs would fill gigabytes."""

    def __init__(self, count: int, make: Callable[[int, int], list[PairResult]]) -> None:
        """
        count   how many pairs there are
        make    from first and end to the results of these pairs
        """
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            start, end, step = place.indices(self._count)
            return self._make(start, end) if step == 1 else [self[i] for i in range(start, end, step)]
        at = range(self._count)[place]
        return self._make(at, at + 1)[0]

    def __iter__(self) -> Iterator[PairResult]:
        for start in range(0, self._count, MADE_AT_ONCE):
            yield from self._make(start, min(start + MADE_AT_ONCE, self._count))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


@dataclass(frozen=True, kw_only=True)
class PairColumns:
    """The numbers of every pair; NaN where there is none."""

    a: NDArray[np.int64]
    """The place of each pair's first run among the runs as they were given."""
    b: NDArray[np.int64]
    difference: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    p: NDArray[np.float64]
    """That decides."""
    methods: tuple[str, ...]
    """By which the intervals were made."""
    adjusted: bool
    """Whether p and interval allow for many comparisons."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Result):
    """Runs compared by one measure on the topics they share."""

    measure: str
    noun: str
    """What the task calls its topics: topic, question, problem."""
    higher_is_better: bool | None
    topics: int
    units: int
    """What was resampled: topics, or clusters of them."""
    left_out: int
    extent: str
    """The topics, and how many samples of each where there are several, in words."""
    runs: list[RunResult]
    """Best first."""
    pairs: Sequence[PairResult]
    tiers: list[list[str]] | None
    """None where not all pairs were compared: with a baseline, or with chosen pairs."""
    significant: dict[str, dict[str, float]]
    """Per test, the share of the pairs significant at .01 and at .05, unadjusted; `tukey` is adjusted by nature."""
    settings: dict[str, Any]
    notes: list[str]
    ranks: Ranks | None = None
    """Simultaneous intervals of the ranks, by the family that decides pairs and tiers; None under any correction but max-T, for some
    of the pairs only, or for a measure without a direction."""
    rank_of: Ranks | None = None
    """The narrower intervals of the ranks of the runs named beforehand, by max-T over their pairs alone; None where no run was named."""
    top: int | None = None
    """The first so many places, where they were requested."""
    contradictions: list[dict[str, str]] | None = None
    """Of a board with missing cells: runs `above` others by the adjusted mean that are significantly worse on what both have."""
    cost: ValueForMoney | None = None
    """The frontier of value and cost, where it was asked for."""
    average: str = ""
    """Of a suite: that values are macro means, and over how many tasks; else nothing."""
    apart: tuple[str, ...] = ()
    """Runs that are compared but cannot lead: baselines that are listed apart."""
    every: PairColumns | None = None
    """The numbers of all pairs, where there are so many that `pairs` are the first of them alone, or are made when they are read."""

    @property
    def compared(self) -> int:
        """How many pairs were compared, listed or not."""
        return len(self.pairs) if self.every is None else len(self.every.a)

    @property
    def upwards(self) -> dict[str, float | None]:
        """Every run's value, turned so that more is better."""
        sign = -1 if self.higher_is_better is False else 1
        return {r.run: None if r.value is None else sign * r.value for r in self.runs}

    @property
    def finding(self) -> str:
        """Who leads, and who cannot be told apart from the leader, in one or two sentences."""
        from assay.analyses.comparison.finding import finding

        return str(finding(self))

    def pair(self, a: str, b: str) -> PairResult:
        """The result of one pair, as it was compared: a minus b.

        a   the run on the left
        b   the run on the right
        """
        match = next((pair for pair in self.pairs if (pair.a, pair.b) == (a, b)), None)
        if match is None:
            raise UsageError(f"{a!r} was not compared with {b!r}, in this order")
        return match

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        fields = {name: value for name, value in vars(self).items() if name not in NOT_IN_JSON}
        fields["average"] = self.average or None
        fields["ranks"] = None if self.ranks is None else self.ranks.to_dict()
        if self.rank_of is not None:
            fields["rank_of"] = self.rank_of.to_dict()
        if self.top is not None and self.ranks is not None:
            surely, possibly = self.ranks.surely_in_first(self.top), self.ranks.possibly_in_first(self.top)
            fields["top"] = {"places": self.top, "surely": surely, "possibly": possibly}
        if self.contradictions is not None:
            fields["contradictions"] = self.contradictions
        if self.apart:
            fields["apart"] = list(self.apart)
        if self.cost is not None:
            fields["cost"] = self.cost.to_dict()
        runs = [run.to_dict() for run in self.runs]
        return {"finding": self.finding, **fields, "runs": runs, "pairs": [pair.to_dict() for pair in self.pairs]}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header and a row per pair with every number, for programs."""
        return self.rows_of([self])

    @staticmethod
    def rows_of(results: Sequence[Comparison]) -> tuple[list[str], list[list[Any]]]:
        """The rows of several comparisons under one header.

        results   comparisons by one measure each
        """
        pairs = [pair for result in results for pair in result.pairs]
        asked = _asked(pairs)
        p_names = [name for name in paired_tests.declared() if any(name in pair.p for pair in pairs)]
        methods = [name for name in multiple_comparisons.declared() if any(name in pair.adjusted for pair in pairs)]
        header = ["measure", "a", "b", "difference", "low", "high", "method", *(f"p_{name}" for name in p_names)]
        header += [f"adjusted_{name}" for name in methods]
        header += ["adjusted_by", "significant", "won", "tied", "lost", "critical", "detectable", *asked]
        rows: list[list[Any]] = []
        for result in results:
            for pair in result.pairs:
                ends = (None, None, None)
                if pair.interval is not None:
                    ends = (pair.interval.low, pair.interval.high, pair.interval.method)
                rows.append([
                    result.measure, pair.a, pair.b, pair.difference, *ends,
                    *(pair.p.get(name) for name in p_names), *(pair.adjusted.get(name) for name in methods),
                    pair.adjusted_by, "yes" if pair.significant else "no", pair.won, pair.tied, pair.lost, pair.critical, pair.detectable,
                    *(ASKED[name](pair) for name in asked),
                ])  # fmt: skip
        return header, rows


NOT_IN_JSON = ("noun", "higher_is_better", "extent", "every", "rank_of", "top", "contradictions", "apart", "cost")
"""Fields that JSON leaves out, or has only where they were requested."""
ASKED: dict[str, Callable[[PairResult], Any]] = {
    "machine": lambda pair: pair.machine,
    "order": lambda pair: pair.order,
    "gate": lambda pair: pair.gate,
    "equivalent": lambda pair: None if pair.equivalence is None else "yes" if pair.equivalence.equivalent else "no",
    "growing_low": lambda pair: pair.growing and pair.growing.low,
    "growing_high": lambda pair: pair.growing and pair.growing.high,
    "growing_first": lambda pair: pair.growing and pair.growing.first,
    "growing_drift_p": lambda pair: pair.growing and pair.growing.drift_p,
}
"""Columns of what is there only where it was asked for."""


def _asked(pairs: Sequence[PairResult]) -> list[str]:
    return [name for name, of in ASKED.items() if any(of(pair) is not None for pair in pairs)]


def digits_for(error: float | None) -> int:
    """Decimals that two significant digits of the standard error justify; at least 2, at most 8.

    >>> digits_for(0.0156), digits_for(3.2), digits_for(0)
    (3, 2, 3)
    """
    if not error or error <= 0:
        return 3
    return min(8, max(2, ceil(-log10(error)) + 1))


def shown_p(p: float) -> str:
    """A p-value as papers print it.

    >>> shown_p(0.0023), shown_p(0.59), shown_p(0.0004), shown_p(1.0), shown_p(0.0499)
    ('= .002', '= .59', '< .001', '= 1', '= .0499')
    """
    if p < 0.001:
        return "< .001"
    if p >= 0.995:
        return "= 1"
    digits = 2 if p >= 0.0995 else 3
    # .0499 shown as .050 would contradict "significant at .05".
    if p < 0.05 <= float(f"{p:.{digits}f}") or p < 0.01 <= float(f"{p:.{digits}f}"):
        digits = 4
    return "= " + f"{p:.{digits}f}".removeprefix("0")


def signed(value: float, digits: int) -> str:
    """A number without a negative zero.

    >>> signed(-0.0312, 3), signed(-0.0001, 3)
    ('-0.031', '0.000')
    """
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def sentence(
    pair: PairResult, *, measure: str, topics: int, noun: str, how: str, error: float | None, least_p: float, alpha: float,
    refusal: str | None = None, same: bool = False,
) -> str:  # fmt: skip
    """Say in one sentence what the comparison of two runs found; `noun` is in the plural.

    `same` says that the runs differ on no topic at all, not even by less than what counts as a tie.
    """
    a, b, difference, interval = pair.a, pair.b, pair.difference, pair.interval
    if difference is None:
        return f"{a} and {b} cannot be compared: {refusal}."
    if same:
        reach = (
            ""
            if interval is None
            else f"; {100 * interval.confidence:g}% interval of the difference [{end_of(interval.low, 3)}, {end_of(interval.high, 3)}]"
        )
        return f"{a} and {b} have the same score on every one of the {topics} {noun}{reach}{_same(pair, 3)}."
    digits = digits_for(error)
    failures = _failures(pair, digits)
    if pair.decided_by is None:
        return f"{a} and {b} differ by {signed(difference, digits)} {measure}, and cannot be told apart: {refusal}."
    tested = f"p {shown_p(pair.decided_by)} ({how})"

    def span(turned: bool = False) -> str:
        if interval is None:
            return ""
        low, high = (-interval.high, -interval.low) if turned else (interval.low, interval.high)
        return f" [{end_of(low, digits)}, {end_of(high, digits)}]"

    if pair.significant:
        # From the winner's side, so that the difference reads as an improvement.
        winner, loser, won = (b, a, pair.lost) if pair.better == b else (a, b, pair.won)
        verb = "is better than" if pair.better is not None else "is above" if difference > 0 else "is below"
        wins = "" if won is None or pair.better is None else f", winning {won} of {topics} {noun}"
        by = f"{abs(difference):.{digits}f} {measure}{span(turned=difference <= 0)}"
        return f"{winner} {verb} {loser} by {by}, {tested}{wins}{_same(pair, digits)}{failures}."
    text = f"{a} and {b} cannot be told apart: they differ by {signed(difference, digits)} {measure}{span()}, {tested}"
    if least_p > alpha:
        lowest = shown_p(least_p).removeprefix("= ")
        text += f"; the {noun} on which they differ allow no p below {lowest}, whichever run wins them"
    elif pair.critical is not None and pair.critical > 0:
        text += f"; over these {topics} {noun} a difference of {pair.critical:.{digits}f} would have been significant"
        if pair.detectable is not None:
            text += f", and a true one of {pair.detectable:.{digits}f} would be found 4 times in 5"
    if pair.size is not None and least_p <= alpha and pair.size < 0.6 * alpha:
        text += f"; the runs differ on so few that the test's level is {pair.size:.3f}, not {alpha:g}"
    return text + _same(pair, digits) + failures + "."


def end_of(value: float, digits: int) -> str:
    """The end of an interval: where rounding would show it as 0, as many digits as tell on which side of 0 it lies."""
    while value and digits < 8 and float(f"{value:.{digits}f}") == 0:
        digits += 1
    return signed(value, digits)


def could_turn(pair: PairResult) -> bool:
    """Whether failed and missing topics could turn the difference round, were they counted wrong or right."""
    if pair.failure_bounds is None or pair.difference is None:
        return False
    ends = (*pair.failure_bounds, pair.difference)
    return not (min(ends) > 0 or max(ends) < 0)


def _failures(pair: PairResult, digits: int) -> str:
    """Say how far failed and missing topics could move the difference, where they could turn it round."""
    if pair.failure_bounds is None or not could_turn(pair):
        return ""
    wrong, right = pair.failure_bounds
    return (
        f"; with failed and missing ones counted wrong the difference is {signed(wrong, digits)}, "
        f"counted right {signed(right, digits)}"
    )


def _same(pair: PairResult, digits: int) -> str:
    same = pair.equivalence
    if same is None:
        return ""
    ends = "" if same.interval is None else f" [{end_of(same.interval[0], digits)}, {end_of(same.interval[1], digits)}]"
    verdict = "shown" if same.equivalent else "not shown"
    level = f"at {50 * (1 - same.level):g}%"
    return f"; {verdict} to differ by less than {same.margin:g} ({level}, two one-sided tests{ends})"
