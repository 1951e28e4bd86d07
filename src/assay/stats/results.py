"""What a comparison says, as plain objects: differences, intervals, p-values, tiers, and a sentence a pair."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.errors import InputError, UsageError
from assay.results import Result
from assay.stats import corrections, tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.stats.intervals import Interval


@dataclass(frozen=True)
class Moved:
    """One topic, and by how much the two runs differ there (for sums: by how much it moves the measure)."""

    topic: str
    difference: float


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """One run of the leaderboard."""

    run: str
    value: float | None
    interval: Interval | None
    tier: int | None
    """1 is the best; None where the run has no value."""
    missing: int
    undefined: int
    """On how many topics of the table the run has no result, and on how many others the measure has no value."""


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """Run a against run b: difference = a - b; nothing but a sentence where either has no value."""

    a: str
    b: str
    difference: float | None = None
    interval: Interval | None = None
    p: dict[str, float] = field(default_factory=dict[str, float])
    exact: bool = False
    """Whether the randomisation test enumerated every exchange."""
    adjusted: dict[str, float] = field(default_factory=dict[str, float])
    decided_by: float | None = None
    """The p-value that decides: of the chosen test, adjusted by the chosen correction."""
    significant: bool = False
    better: str | None = None
    """The better run by the estimate, or None where they are equal or the measure has no better."""
    won: int | None = None
    tied: int | None = None
    lost: int | None = None
    moved: list[Moved] = field(default_factory=list[Moved])
    critical: float | None = None
    """The smallest difference that would have been significant, given this spread over topics; None where none would."""
    detectable: float | None = None
    """The true difference the test would find 4 times in 5; None where the measure's range does not hold it."""
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        told = {
            **vars(self),
            "interval": None if self.interval is None else [self.interval.low, self.interval.high],
            "method": None if self.interval is None else self.interval.method,
            "moved": [vars(topic) for topic in self.moved],
        }
        del told["decided_by"]
        return told


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
    undefined_resamples: int
    runs: list[RunResult]
    """Best first."""
    pairs: list[PairResult]
    tiers: list[list[str]]
    significant: dict[str, dict[str, float]]
    """Per test, the share of the pairs significant at .01 and at .05, unadjusted; `tukey` is adjusted by nature."""
    settings: dict[str, Any]
    notes: list[str]

    @property
    def upwards(self) -> dict[str, float | None]:
        """Every run's value, turned so that more is better."""
        sign = -1 if self.higher_is_better is False else 1
        return {r.run: None if r.value is None else sign * r.value for r in self.runs}

    def pair(self, a: str, b: str) -> PairResult:
        """The result of one pair, as it was compared."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
        raise KeyError(f"{a} was not compared with {b}, in this order")

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        ends = [None if r.interval is None else [r.interval.low, r.interval.high] for r in self.runs]
        told = {
            **vars(self),
            "runs": [{**vars(run), "interval": interval} for run, interval in zip(self.runs, ends, strict=True)],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }
        return {name: value for name, value in told.items() if name not in ("noun", "higher_is_better")}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header and a row per pair with every number, for programs."""
        return pair_rows([self])


def pair_rows(results: Sequence[Comparison]) -> tuple[list[str], list[list[Any]]]:
    """The rows of several comparisons under one header."""
    pairs = [pair for result in results for pair in result.pairs]
    p_names = [name for name in tests.declared() if any(name in pair.p for pair in pairs)]
    methods = [name for name in corrections.declared() if any(name in pair.adjusted for pair in pairs)]
    header = ["measure", "a", "b", "difference", "low", "high", "method", *(f"p_{name}" for name in p_names)]
    header += [f"adjusted_{name}" for name in methods]
    header += ["significant", "won", "tied", "lost", "critical", "detectable"]
    rows: list[list[Any]] = []
    for result in results:
        for pair in result.pairs:
            ends = pair.interval
            rows.append([
                result.measure, pair.a, pair.b, pair.difference,
                *((None, None, None) if ends is None else (ends.low, ends.high, ends.method)),
                *(pair.p.get(name) for name in p_names), *(pair.adjusted.get(name) for name in methods),
                "yes" if pair.significant else "no", pair.won, pair.tied, pair.lost, pair.critical, pair.detectable,
            ])  # fmt: skip
    return header, rows


@dataclass(frozen=True)
class Gate:
    """What stands in the way of a release."""

    worse: list[PairResult]
    """Pairs whose run a is worse than b by more than the margin, beyond doubt."""
    undecided: list[PairResult]
    """Pairs whose topics are too few for an interval."""


def gate(comparison: Comparison, margin: float = 0.0) -> Gate:
    """Which runs are worse than what they were compared with: the whole interval lies below -margin.

    comparison   runs against a baseline, or two runs
    margin       how much worse a run may be
    """
    if comparison.higher_is_better is None:
        raise UsageError(f"{comparison.measure} has no better and worse, so there is nothing to fail")
    found = Gate([], [])
    for pair in comparison.pairs:
        if pair.difference is None:
            raise InputError(
                f"{comparison.measure} is undefined for {pair.a} or {pair.b}, so nobody can say which is worse"
            )
        if pair.interval is None:
            found.undecided.append(pair)
        elif (pair.interval.high if comparison.higher_is_better else -pair.interval.low) < -margin:
            found.worse.append(pair)
    return found
