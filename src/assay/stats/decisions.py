"""Everything the data says about some pairs of runs, in arrays: intervals, p-values, corrections, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.measures.declare import Measure
from assay.resampling.columns import Columns
from assay.resampling.integers import Floats, Integers, slack
from assay.resampling.samples import Sample
from assay.stats import corrections, intervals, tests
from assay.stats.corrections import NONE, P_VALUES, RUNS
from assay.stats.intervals import Resampled
from assay.stats.paired import PairedTest, Pairs

RESAMPLES = 10_000
FEW_RESAMPLES = {"few": 2_000, "many": 500}
"""A measure of a whole run is computed anew for every resample, in Python; over 2,000 topics that takes its time."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How to compare; printed with the result."""

    test: str | None = None
    """The test that decides: randomisation by default; bootstrap for several pairs by a measure of a whole run."""
    correct: str | None = None
    """A correction or none; by default tukey for all pairs of three runs or more, holm for several others."""
    interval: str = "auto"
    confidence: float = 0.95
    resamples: int | None = None
    seed: int = 0
    tie: float = 0.0
    """Differences smaller than this count as ties in the sign test and in topics won, tied and lost."""
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.test is not None and self.test not in tests.declared():
            raise UsageError(f"`test={self.test!r}`: expected one of {', '.join(tests.declared())}")
        if self.correct not in (None, NONE, *corrections.declared()):
            raise UsageError(f"`correct={self.correct!r}`: expected one of {', '.join(corrections.declared())}, {NONE}")
        if self.resamples is not None and self.resamples < 100:
            raise UsageError(
                f"`resamples={self.resamples}`: too few for an interval; use 100 at least, 10000 to publish"
            )
        if self.threads is not None and self.threads < 1:
            raise UsageError(f"`threads={self.threads}`: expected 1 or more")
        if not self.tie >= 0:
            raise UsageError(f"`tie={self.tie}`: expected 0 or a positive number")

    @property
    def alpha(self) -> float:
        """The level of significance that goes with the confidence."""
        return round(1 - self.confidence, 12)


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Pair i is run a[i] against run b[i]."""

    columns: Columns
    a: Integers
    b: Integers
    every: bool
    """Whether these are all pairs of the runs."""
    choices: Choices
    resamples: int
    draws: Floats
    pairs: Resampled
    alone: Resampled
    p: dict[str, Floats]
    exact: dict[str, Any]
    """Per test and pair: whether everything that could have happened was enumerated."""
    test: PairedTest
    correct: str
    nulls: dict[str, Any]
    """By correction of all runs at once: the null distribution of its largest difference."""
    adjusted: dict[str, Floats]
    can_be_significant: bool
    """Whether the smallest p-value the test can give with so few topics is below α."""
    values: Floats
    range: tuple[float | None, float | None]
    """That of the measure; without ends where the runs' values are not in it, as those of a file in percent."""

    @property
    def sample(self) -> Sample:
        return self.columns.sample

    @property
    def measure(self) -> Measure:
        return self.columns.measure

    @property
    def defined(self) -> Any:
        """Per pair: whether both runs have a value."""
        return np.isfinite(self.pairs.estimates)

    @property
    def corrected_by(self) -> str:
        """The correction at work; two runs alone need none."""
        return self.correct if self.correct in self.adjusted else NONE

    @property
    def deciding(self) -> Floats:
        """The p-values that decide: of the chosen test, adjusted by the chosen correction."""
        return self.adjusted.get(self.correct, self.p[self.test.name])

    @property
    def span(self) -> float | None:
        """The largest difference the measure's range leaves room for; None where it has no end."""
        low, high = self.range
        return None if low is None or high is None else high - low


def decide(columns: Columns, a: Integers, b: Integers, every: bool, choices: Choices) -> Decisions:
    """Resample, test and correct."""
    sample, names = columns.sample, columns.runs
    resamples = choices.resamples or default_resamples(sample)
    options: dict[str, Any] = {"resamples": resamples, "seed": choices.seed, "threads": choices.threads}
    draws = sample.bootstrap(**options)
    limits: dict[str, Any] = {"method": choices.interval, "confidence": choices.confidence, "draws": draws, **options}
    pairs = intervals.bootstrap(sample, a, b, **limits)
    alone = intervals.bootstrap(sample, np.arange(len(names)), **limits)
    tested = Pairs(columns, a, b, pairs, **options, tie=choices.tie, chosen=choices.test)
    levels = {name: test(tested) for name, test in tests.declared().items() if test.lacks(tested) is None}
    p = {name: found.p for name, found in levels.items()}
    test = tests.declared()[choices.test or next(iter(levels))]
    if test.name not in levels:
        raise UsageError(
            f"`test={test.name!r}`: the {test.name} test cannot be used: {test.lacks(tested)}; use {' or '.join(levels)}"
        )
    correct = choices.correct or _default_correction(len(a), every, sample)
    together = {c.name: c for c in corrections.declared().values() if c.of == RUNS}
    if correct in together and not sample.can("shuffle"):
        others = " or ".join(f"`correct={name!r}`" for name in corrections.declared() if name not in together)
        raise UsageError(
            f"`correct={correct!r}`: {columns.measure.name} is computed from all {columns.noun}s at once; use {others}"
        )
    nulls = {
        name: c.function(sample, **options) for name, c in together.items() if sample.can("shuffle") and len(names) > 2
    }
    defined = np.isfinite(pairs.estimates)
    adjusted = {
        name: _adjusted(c.function, p[test.name], defined)
        for name, c in corrections.declared().items()
        if c.of == P_VALUES
    }
    adjusted.update({name: null.p(a, b) for name, null in nulls.items()})
    values = sample.values()
    return Decisions(
        columns=columns, a=a, b=b, every=every, choices=choices, resamples=resamples, draws=draws, pairs=pairs,
        alone=alone, p=p, test=test, correct=correct, nulls=nulls, adjusted=adjusted,
        can_be_significant=_least_p(test, correct, len(a), nulls, sample.units) < choices.alpha,
        exact={name: found.exact for name, found in levels.items()}, values=values, range=range_of(columns.measure, values),
    )  # fmt: skip


def default_resamples(sample: Sample) -> int:
    """10,000; for measures of whole runs 2,000, and 500 where there are more than 2,000 topics."""
    if sample.can("add"):
        return RESAMPLES
    return FEW_RESAMPLES["few" if sample.units <= intervals.MANY_UNITS else "many"]


def _default_correction(pairs: int, every: bool, sample: Sample) -> str:
    if pairs == 1:
        return NONE
    return "tukey" if every and sample.can("shuffle") else "holm"


def _adjusted(method: Any, p: Floats, defined: Any) -> Floats:
    """Adjusted among the pairs that can be compared; the others do not count."""
    adjusted = np.ones(len(p))
    adjusted[defined] = method(p[defined])
    return adjusted


def _least_p(test: PairedTest, correct: str, pairs: int, nulls: dict[str, Any], units: int) -> float:
    """The smallest adjusted p-value there can be over so many units."""
    if correct in nulls:
        return nulls[correct].least_p(units)
    declared = corrections.declared().get(correct)
    return test.least_p(units) * (pairs if declared is not None and declared.family_wise else 1)


def topic_differences(decisions: Decisions) -> tuple[Any, list[tuple[int, int, int]] | None]:
    """Per topic and pair, what separates the runs; and topics won, tied and lost by a. None for measures of whole runs."""
    sample = decisions.sample
    if not sample.can("differences"):
        return None, None
    pairs = Pairs(
        decisions.columns, decisions.a, decisions.b, decisions.pairs, decisions.resamples, tie=decisions.choices.tie
    )
    differences = pairs.differences
    won, tied, lost = tests.counts(differences, pairs.tie_units)
    if decisions.measure.declaration.higher_is_better is False:
        won, lost = lost, won
    return differences / sample.unit, list(zip(won.tolist(), tied.tolist(), lost.tolist(), strict=True))


def smallest_differences(decisions: Decisions, i: int) -> tuple[float | None, float | None]:
    """What would have been significant in pair i, and what true difference would be found 4 times in 5.

    None where no such difference is possible: beyond the measure's range, or where the test cannot be significant at all.

    Significant: t(1 - α/2) standard errors, or the range Tukey's HSD asks for. Found: t(.8) standard errors more. Under a
    correction of p-values α is shared among the pairs, as in the first step of Holm and of Benjamini and Hochberg.
    """
    error = float(decisions.pairs.errors[i])
    if not np.isfinite(error) or not decisions.can_be_significant:
        return None, None
    from scipy.special import stdtrit

    alpha, correct = decisions.choices.alpha, decisions.corrected_by
    share = 1 if correct in (NONE, *decisions.nulls) else len(decisions.a)
    quantiles = stdtrit(decisions.sample.units - 1, np.array([1 - alpha / share / 2, 0.8]))
    critical = float(quantiles[0]) * error
    if correct in decisions.nulls:
        critical = decisions.nulls[correct].critical(alpha)
    most = np.inf if decisions.span is None else decisions.span
    detectable = critical + float(quantiles[1]) * error
    return (
        critical if np.isfinite(critical) and critical <= most else None,
        detectable if np.isfinite(detectable) and detectable <= most else None,
    )


def range_of(measure: Measure, values: Floats) -> tuple[float | None, float | None]:
    """The measure's range; none at all where the runs' values are not in it, as those of a file in percent."""
    low, high = measure.declaration.low, measure.declaration.high
    room = slack(values)
    if (low is not None and (values < low - room).any()) or (high is not None and (values > high + room).any()):
        return None, None
    return low, high


def significantly_apart(decisions: Decisions) -> set[frozenset[str]]:
    """The pairs of runs told apart, among all pairs: what tiers are made from.

    By the correction in use where it covers all pairs; otherwise by Tukey, or for measures of whole runs by Holm.
    """
    names = decisions.columns.runs
    if decisions.every:
        first, second, decided = decisions.a, decisions.b, decisions.deciding
    else:
        first, second = np.triu_indices(len(names), 1)
        if decisions.nulls:
            decided = next(iter(decisions.nulls.values())).p(first, second)
        else:
            shift = intervals.bootstrap(
                decisions.sample,
                first,
                second,
                method="percentile",
                resamples=decisions.resamples,
                draws=decisions.draws,
            ).shift_p
            decided = corrections.holm(np.where(np.isfinite(shift), shift, 1.0))
    return {
        frozenset((names[x], names[y]))
        for x, y, q in zip(first.tolist(), second.tolist(), decided.tolist(), strict=True)
        if q < decisions.choices.alpha
    }
