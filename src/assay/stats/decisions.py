"""Everything the data says about some pairs of runs, in arrays: intervals, p-values, corrections, and what they decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.measures.declare import Measure
from assay.resampling.arithmetic import Floats, Integers, slack
from assay.resampling.columns import Columns
from assay.resampling.samples import Sample
from assay.settings import POSITIVE, WHOLE, Kind, checked
from assay.stats import corrections, intervals, tests
from assay.stats.corrections import NONE, P_VALUES, RUNS
from assay.stats.tests import PairedTest, Pairs

RESAMPLES = 10_000
FEW_RESAMPLES = {"few": 2_000, "many": 500}
"""A measure of a whole run is computed anew for every resample, in Python; over 2,000 topics that takes its time."""
TIER_RULE = (
    "a run is in the best tier whose best run it is not significantly below; "
    "a run significantly below the best of every tier opens a new one"
)


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How to compare; printed with the result. What is None is chosen by the data, see `Decisions`."""

    test: str | None
    correct: str | None
    interval: str
    confidence: float
    resamples: int | None
    seed: int
    tie: float
    threads: int | None

    def __post_init__(self) -> None:
        if self.test is not None and self.test not in tests.declared():
            raise UsageError(f"`test={self.test!r}`: expected one of {', '.join(tests.declared())}")
        if self.correct not in (None, NONE, *corrections.declared()):
            raise UsageError(f"`correct={self.correct!r}`: expected one of {', '.join(corrections.declared())}, {NONE}")
        if self.resamples is not None and checked("resamples", self.resamples, WHOLE) < 100:
            raise UsageError(
                f"`resamples={self.resamples}`: too few for an interval; use 100 at least, 10000 to publish"
            )
        if self.threads is not None:
            checked("threads", self.threads, POSITIVE)
        checked("tie", self.tie, Kind(float, "0 or a positive number", low=0))

    @property
    def alpha(self) -> float:
        """The level of significance that goes with the confidence."""
        return round(1 - self.confidence, 12)


class Decisions:
    """What was found about pairs of runs: pair i is run a[i] against run b[i]; `every` says whether these are all pairs."""

    def __init__(self, columns: Columns, a: Integers, b: Integers, every: bool, choices: Choices) -> None:
        self.columns, self.a, self.b, self.every, self.choices = columns, a, b, every, choices
        self.sample, self.measure = columns.sample, columns.measure
        self.values = self.sample.values()
        self.range = low, high = range_of(self.measure, self.values)
        self.span = None if low is None or high is None else high - low
        """The largest difference the measure's range leaves room for; None where it has no end."""
        self.resamples = choices.resamples or default_resamples(self.sample)
        options: dict[str, Any] = {"resamples": self.resamples, "seed": choices.seed, "threads": choices.threads}
        self.bootstrap = partial(
            intervals.bootstrap,
            self.sample,
            confidence=choices.confidence,
            draws=self.sample.bootstrap(**options),
            **options,
        )
        self.pairs = self.bootstrap(a, b, method=choices.interval)
        self.alone = self.bootstrap(np.arange(len(columns.runs)), method=choices.interval)
        """Of every run by itself."""
        self.defined = np.isfinite(self.pairs.estimates)
        """Per pair: whether both runs have a value."""
        self.tested = Pairs(columns, a, b, self.pairs, **options, tie=choices.tie, chosen=choices.test)
        usable = {name: test for name, test in tests.declared().items() if test.lacks(self.tested) is None}
        self.levels = {name: test(self.tested) for name, test in usable.items()}
        """p-values per pair, by every test that can be used."""
        self.test, self.correct = self._test(), self._correction()
        together = [c for c in corrections.declared().values() if c.of == RUNS]
        shuffled = self.sample.can("shuffle") and len(columns.runs) > 2
        self.nulls = {c.name: c.function(self.sample, **options) for c in together} if shuffled else {}
        """By correction of all runs at once: the null distribution of its largest difference."""
        self.adjusted = self._adjusted()
        self.corrected_by = self.correct if self.correct in self.adjusted else NONE
        """The correction at work; two runs alone need none."""
        self.deciding = self.adjusted.get(self.correct, self.levels[self.test.name].p)
        """The p-values that decide: of the chosen test, adjusted by the chosen correction."""
        self.can_be_significant = self._least_p() < choices.alpha

    def _test(self) -> PairedTest:
        """The test that decides: the one chosen, or the first that can be used."""
        test = tests.declared()[self.choices.test or next(iter(self.levels))]
        if test.name not in self.levels:
            why, others = test.lacks(self.tested), " or ".join(self.levels)
            raise UsageError(f"`test={test.name!r}`: the {test.name} test cannot be used: {why}; use {others}")
        return test

    def _correction(self) -> str:
        """The one chosen, or none; unless chosen, tukey for all pairs of three runs or more, holm for several others."""
        chosen, shuffles, known = self.choices.correct, self.sample.can("shuffle"), corrections.declared()
        if chosen is None:
            return NONE if len(self.a) == 1 else "tukey" if self.every and shuffles else "holm"
        if chosen != NONE and known[chosen].of == RUNS and not shuffles:
            others = " or ".join(f"`correct={name!r}`" for name, other in known.items() if other.of != RUNS)
            what = f"{self.measure.name} is computed from all {self.columns.noun}s at once"
            raise UsageError(f"`correct={chosen!r}`: {what}; use {others}")
        return chosen

    def _adjusted(self) -> dict[str, Floats]:
        """By correction; those of p-values look at the pairs that can be compared, the others do not count."""
        found: dict[str, Floats] = {}
        for name, c in corrections.declared().items():
            if c.of == P_VALUES:
                found[name] = np.ones(len(self.a))
                found[name][self.defined] = c.function(self.levels[self.test.name].p[self.defined])
        return {**found, **{name: null.p(self.a, self.b) for name, null in self.nulls.items()}}

    def _least_p(self) -> float:
        """The smallest adjusted p-value there can be over so few topics."""
        if self.correct in self.nulls:
            return self.nulls[self.correct].least_p(self.sample.units)
        declared = corrections.declared().get(self.correct)
        family = len(self.a) if declared is not None and declared.family_wise else 1
        return self.test.least_p(self.sample.units) * family

    def topic_differences(self) -> tuple[Any, list[tuple[int, int, int]] | None]:
        """Per topic and pair, what separates the runs; and topics won, tied and lost by a. None for measures of whole runs."""
        if not self.sample.can("differences"):
            return None, None
        differences = self.tested.differences
        won, tied, lost = tests.counts(differences, self.tested.tie_units)
        if self.measure.declaration.higher_is_better is False:
            won, lost = lost, won
        return differences / self.sample.unit, list(zip(won.tolist(), tied.tolist(), lost.tolist(), strict=True))

    def smallest_differences(self, i: int) -> tuple[float | None, float | None]:
        """What would have been significant in pair i, and what true difference would be found 4 times in 5.

        None where no such difference is possible: beyond the measure's range, or where the test cannot be significant.

        Significant: t(1 - α/2) standard errors, or the range Tukey's HSD asks for. Found: t(.8) standard errors more. Under
        a correction of p-values α is shared among the pairs, as in the first step of Holm and of Benjamini and Hochberg.
        """
        error = float(self.pairs.errors[i])
        if not np.isfinite(error) or not self.can_be_significant:
            return None, None
        from scipy.special import stdtrit

        alpha, correct = self.choices.alpha, self.corrected_by
        share = 1 if correct in (NONE, *self.nulls) else len(self.a)
        quantiles = stdtrit(self.sample.units - 1, np.array([1 - alpha / share / 2, 0.8]))
        critical = self.nulls[correct].critical(alpha) if correct in self.nulls else float(quantiles[0]) * error
        most = np.inf if self.span is None else self.span
        both = critical, critical + float(quantiles[1]) * error
        first, second = (one if np.isfinite(one) and one <= most else None for one in both)
        return first, second

    def tiers(self, order: Sequence[int]) -> list[list[str]]:
        """The runs in these positions, best first, in tiers that the correction in use tells apart.

        Where it does not cover all pairs, Tukey does, or for measures of whole runs Holm.
        """
        names, first, second = self.columns.runs, self.a, self.b
        if self.every:
            decided = self.deciding
        else:
            first, second = np.triu_indices(len(names), 1)
            if self.nulls:
                decided = next(iter(self.nulls.values())).p(first, second)
            else:
                shift = self.bootstrap(first, second, method="percentile").shift_p
                decided = corrections.holm(np.where(np.isfinite(shift), shift, 1.0))
        significant = np.flatnonzero(decided < self.choices.alpha).tolist()
        apart = {frozenset((names[first[i]], names[second[i]])) for i in significant}
        return tiers([names[i] for i in order], lambda run, anchor: frozenset((run, anchor)) in apart)


def default_resamples(sample: Sample) -> int:
    """10,000; for measures of whole runs 2,000, and 500 where there are more than 2,000 topics."""
    if sample.can("add"):
        return RESAMPLES
    return FEW_RESAMPLES["few" if sample.units <= intervals.MANY_UNITS else "many"]


def range_of(measure: Measure, values: Floats) -> tuple[float | None, float | None]:
    """The measure's range; none at all where the runs' values are not in it, as those of a file in percent."""
    low, high = measure.declaration.low, measure.declaration.high
    room = slack(values)
    if (low is not None and (values < low - room).any()) or (high is not None and (values > high + room).any()):
        return None, None
    return low, high


def tiers(order: Sequence[str], below: Callable[[str, str], bool]) -> list[list[str]]:
    """Tiers of the runs, given best first; below(run, anchor) says whether a run is significantly below another.

    Each tier is anchored at its best run, so overlaps do not chain: B may tie with A, and C with B, while C is below A.

    >>> apart = {("c", "a"), ("d", "a"), ("d", "b")}
    >>> tiers(["a", "b", "c", "d"], lambda run, anchor: (run, anchor) in apart)
    [['a', 'b'], ['c', 'd']]
    """
    found: list[list[str]] = []
    for run in order:
        for tier in found:
            if not below(run, tier[0]):
                tier.append(run)
                break
        else:
            found.append([run])
    return found
