"""Everything the data says about some pairs of runs, in arrays: intervals, p-values, corrections, and what they decide.

What is printed together agrees: the p-values that decide and the intervals come from one test, adjusted for one family of
pairs, so that a pair is significant exactly where its interval leaves 0 out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from assay.analyses.comparison import paired_tests
from assay.analyses.comparison.options import AUTO, ComparisonOptions
from assay.analyses.comparison.paired_tests import PairedData, PairedTest
from assay.errors import UsageError
from assay.measures.measure import Measure
from assay.parallel.memory_limits import BYTES_DRAWN, afford
from assay.resampling.arithmetic import Floats, Integers, slack
from assay.resampling.columns import Columns
from assay.resampling.resamplers import AT_ONCE, Resampler, slices
from assay.resampling.sign_flips import CLOSE, SignFlips, r_of
from assay.stats import multiple_comparisons, proportions
from assay.stats.bootstrap_intervals import Bootstrap
from assay.stats.multiple_comparisons import FLIPS, NONE, P_VALUES, RUNS
from assay.stats.tiers import tiers

RESAMPLES = 10_000
FEW_RESAMPLES = {"few": 2_000, "many": 500}
"""A measure of a whole run is computed anew for every resample, in Python; over 2,000 topics that takes its time."""
FEWEST_ANSWERS = 30
"""With fewer answers no test of a measure over the answered keeps its level (benchmarks/inference.py)."""
FEW_ANSWERS = 10
"""The same of measures that count what is not answered, but not question by question, as c@1, where most is not."""
MOST_RESAMPLES = 1_000_000
FEW_PAIRS = 200
"""Step-down max-T goes through all pairs one by one; of more than these only where it is asked for."""
FLIPPED = "sign flips"
TOGETHER = ("maxt", "tukey")
"""Corrections that look at all pairs at once, of which every comparison says what share they tell apart."""
RESAMPLED = (None, "randomisation", "bootstrap")
"""Tests whose p-values are shares of resamples; the one chosen unless another is named is among them."""


class PairStatistics:
    """The statistics of pairs of runs: pair i is run a[i] against run b[i]; `every` is whether all pairs were requested.

    `beside` are the same runs by other measures that are tested together with this one. `brief` says that nobody asks for
    tests and corrections that decide nothing; those of all pairs at once (TOGETHER) are made still.
    """

    def __init__(
        self, columns: Columns, a: Integers, b: Integers, every: bool, choices: ComparisonOptions, beside: Sequence[Columns] = (),
        *, brief: bool = False,
    ) -> None:  # fmt: skip
        self.columns, self.a, self.b, self.every, self.choices = columns, a, b, every, choices
        self.resampler, self.measure, self.noun = columns.resampler, columns.measure, columns.noun
        self.values = self.resampler.values()
        self.range = low, high = range_of(self.measure, self.values)
        self.span = None if low is None or high is None else high - low
        """The largest difference the measure's range leaves room for; None where it has no end."""
        self.estimates = self.values[a] - self.values[b]
        self.defined = np.isfinite(self.estimates)
        """Per pair: whether both runs have a value."""
        self.resamples = self._resamples()
        linear = self.resampler.can("part") and len(a) <= 2 * len(columns.runs)
        held = min(len(columns.runs), max(2, AT_ONCE // self.resamples)) if linear else len(columns.runs)
        afford("resamples", self.resamples, memory=BYTES_DRAWN * self.resamples * held)
        self.linear = self.resampler.linear
        """Units × runs; NaN for runs whose value no single topic may be missing from."""
        self.brief = brief
        self.refusals = [None] * len(a) if self._all_testable() else [self._refusal(i) for i in range(len(a))]
        """Per pair: why it cannot be tested, in words; None where it can."""
        self.testable = np.array([why is None for why in self.refusals], dtype=bool)
        options: dict[str, Any] = {"resamples": self.resamples, "seed": choices.seed, "threads": choices.threads}
        flipping: dict[str, Any] = {**options, "sampled": bool(beside)}
        self.flips = SignFlips(np.nan_to_num(self.linear), **flipping)
        self._enough()
        self.others = [SignFlips(np.nan_to_num(other.resampler.linear), **flipping) for other in beside]
        kind = "shift" if choices.interval == AUTO else choices.interval
        drawn = {**options, "resamples": choices.resamples or max(default_resamples(self.resampler), self._needed)}
        self.pairs = PairedData(
            columns, a, b, self.flips, self._r(a, b), self.errors(a, b),
            bootstrap=Bootstrap(self.resampler, a, b, kind=kind, level=choices.alpha, **drawn), tie=choices.tie, chosen=choices.wanted,
        )  # fmt: skip
        usable = {name: test for name, test in paired_tests.declared().items() if test.lacks(self.pairs) is None}
        if brief:
            # The one that is chosen; whether it can be used at all is said below.
            name = choices.wanted or next(iter(usable))
            usable = {one: test for one, test in usable.items() if one == name} or usable
        self.levels = {name: np.where(self.testable, test(self.pairs), np.nan) for name, test in usable.items()}
        """p-values per pair, by every test that can be used; NaN where it cannot say."""
        self.test = self._test()
        self.correct = self._correction()
        self.decided = np.isfinite(self.levels[self.test.name])
        """Per pair: whether the deciding test has something to say of it."""
        # Tukey's HSD shuffles all runs: of a long list of pairs that are not all, it is made where it is asked for.
        few = self.resampler.units <= paired_tests.MANY_UNITS and (every or len(a) <= FEW_PAIRS)
        quick = few or self.correct == "tukey"
        shuffled = self.resampler.can("shuffle") and len(columns.runs) > 2 and not columns.divides_by_outcomes and quick
        self.tukey = multiple_comparisons.tukey_hsd(self.resampler, **options) if shuffled else None
        self._known: dict[tuple[str, float], tuple[Floats, Floats]] = {}
        self.adjusted = {name: self._adjusted(name, choices.alpha)[0] for name in self._corrections()}
        """Adjusted p-values by correction; NaN where a pair is not decided."""
        self.corrected_by = self.correct if self.correct in self.adjusted else NONE
        """The correction at work; two runs alone need none."""
        self.deciding = self.adjusted.get(self.correct, self.levels[self.test.name])
        """The p-values that decide: of the chosen test, adjusted by the chosen correction."""
        self.significant = self.deciding <= choices.alpha
        self.size = self._size()
        """Of each pair: how often the test would call it significant where nothing differs; NaN where nobody knows."""
        self.low, self.high = self.ends(choices.alpha)

    def _resamples(self) -> int:
        """As many as asked for; by default 10,000, and more where the smallest p could not be significant with those."""
        needed = self._needed
        if needed > MOST_RESAMPLES:
            raise UsageError(
                f"`correct={self._corrected!r}`: over {len(self.a)} pairs {needed} resamples would be needed for an adjusted p "
                f"as small as {self.choices.alpha:g}; `correct='maxt'` needs no more for many pairs"
            )
        return self.choices.resamples or max(RESAMPLES, needed)

    @property
    def _corrected(self) -> str:
        """The correction somebody asked for, or a bootstrap has of itself."""
        return self.choices.correct or ("holm" if self.choices.wanted == "bootstrap" and len(self.a) > 1 else NONE)

    @property
    def _needed(self) -> int:
        """So many resamples have a p, twice that of a tail where an interval has two, that its correction leaves at α."""
        if self.choices.wanted not in RESAMPLED and self._corrected != "tukey":
            return 0
        tails = 2 if self.choices.interval in ("studentised", "percentile") else 1
        family = len(self.a) if self._corrected in ("holm", "bh") else 1
        return ceil(tails * family / self.choices.alpha - CLOSE) - 1

    def _enough(self) -> None:
        """Too few resamples find nothing whatever the data; all flips there are need no number."""
        asked, needed, alpha = self.choices.resamples, self._needed, self.choices.alpha
        every = self.flips.every and self.choices.wanted != "bootstrap" and self._corrected != "tukey"
        if asked is not None and asked < needed and not every:
            of_p = {
                c.name: c.label
                for c in multiple_comparisons.declared().values()
                if c.of == P_VALUES and len(self.a) > 1
            }
            label = of_p.get(self._corrected)
            what = f"over {len(self.a)} pairs no p adjusted by {label}" if label else "no p"
            more = "; `correct='maxt'` needs no more for many pairs" if label else ""
            raise UsageError(
                f"`resamples={asked}`: {what} could be as small as {alpha:g}; give {needed} at least, or leave them out{more}"
            )

    @property
    def made(self) -> int:
        """Resamples of the test that decides."""
        bootstrapped = self.test.name == "bootstrap" and self.corrected_by != "tukey"
        return self.pairs.bootstrap.resamples if bootstrapped else self.resamples

    def _all_testable(self) -> bool:
        """Whether no pair can be refused, which is seen of the runs at once."""
        runs = np.unique(np.concatenate([self.a, self.b]))
        fewest = min(FEWEST_ANSWERS, len(self.columns.places))
        answered = self.columns.answered is None or bool((self.columns.answered[runs] >= FEW_ANSWERS).all())
        enough = answered and bool((self.columns.answers[runs] >= fewest).all())
        return enough and bool(self.defined.all()) and bool(np.isfinite(self.linear[:, runs]).all())

    def _refusal(self, i: int) -> str | None:
        one, two = (self.columns.runs[int(side[i])] for side in (self.a, self.b))
        if not self.defined[i]:
            return f"{self.measure.name} is undefined for at least one of them over these {self._topics()}"
        answers = self.columns.answers[[self.a[i], self.b[i]]]
        fewest = int(answers.min())
        if fewest < len(self.columns.places) and fewest < FEWEST_ANSWERS:
            run = one if answers[0] == fewest else two
            what = "answers" if self.columns.counts_answers else f"{self.noun}s that count"
            return f"{run} has {fewest} {what}, too few {what} to test; {self.measure.name} needs {FEWEST_ANSWERS} at least"
        given = self.columns.answered
        if given is not None:
            few = int(given[[self.a[i], self.b[i]]].min())
            if few < FEW_ANSWERS and 2 * few < len(self.columns.places):
                run = one if int(given[self.a[i]]) == few else two
                return f"{run} has {few} answers, too few answers to test; {self.measure.name} needs {FEW_ANSWERS} at least"
        for place, run in ((self.a[i], one), (self.b[i], two)):
            if not np.isfinite(self.linear[:, place]).all():
                return f"{self.measure.name} of {run} hangs on a single {self.noun}, too few to test"
        return None

    def _topics(self) -> str:
        return f"{len(self.columns.places)} {self.noun}s"

    def errors(self, a: Integers, b: Integers) -> Floats:
        """The standard errors of differences; at the edge of a ratio of counts those of one more of every outcome.

        Where all 20 answers of a run are right, its precision does not vary in the resampler, but may in the next one
        (Agresti and Caffo, The American Statistician 2000).
        """
        squares = np.empty(len(a))
        for here in slices(len(a), len(self.linear)):
            differences = self.linear[:, a[here]] - self.linear[:, b[here]]
            squares[here] = differences.var(axis=0, ddof=1) / len(differences)
        if self.columns.divides_by_outcomes:
            squares = squares + self._unseen[a] + self._unseen[b]
        return np.sqrt(squares)

    @cached_property
    def _unseen(self) -> Floats:
        """Per run, by how much one more topic of every outcome raises the variance."""
        columns = self.columns
        spread = [[proportions.spread(ended + more, columns.of_shares) for more in (0, 1)] for ended in columns.ended]
        return np.array([max(more - seen, 0.0) for seen, more in spread])

    def _r(self, a: Integers, b: Integers) -> Floats:
        seen = self.flips.seen(a, b)
        if not self.columns.divides_by_outcomes:
            return seen
        errors, differences = self.errors(a, b), np.abs(self.values[a] - self.values[b])
        t = np.divide(differences, errors, out=np.zeros(len(a)), where=(errors > 0) & np.isfinite(differences))
        return np.minimum(seen, r_of(t, self.flips.units))

    def _test(self) -> PairedTest:
        """The test that decides: the one chosen, or the first that can be used."""
        test = paired_tests.declared()[self.choices.wanted or next(iter(self.levels))]
        if test.name not in self.levels:
            why, others = test.lacks(self.pairs), " or ".join(self.levels)
            raise UsageError(f"`test={test.name!r}`: the {test.name} test cannot be used: {why}; use {others}")
        return test

    def _correction(self) -> str:
        """The one chosen, or none; unless chosen, max-T for the test it belongs to, and Holm for any other."""
        chosen, known = self.choices.correct, multiple_comparisons.declared()
        flipped = self.test.needs == FLIPPED
        if chosen is None:
            if self.others and not flipped:
                raise UsageError(
                    f"`test={self.test.name!r}`: several measures are tested together by sign flips; leave it out"
                )
            chosen = NONE if len(self.a) == 1 and not self.others else "maxt" if flipped else "holm"
        if chosen == NONE:
            return chosen
        if known[chosen].of == FLIPS and not flipped:
            raise UsageError(
                f"`correct={chosen!r}`: is a correction of sign flips, not of `test={self.test.name!r}`; use holm or bh"
            )
        if known[chosen].of == RUNS and (not self.resampler.can("shuffle") or self.columns.divides_by_outcomes):
            what = (
                "computed from all at once"
                if not self.resampler.can("shuffle")
                else "divided by what differs from run to run"
            )
            raise UsageError(
                f"`correct={chosen!r}`: shuffles values among runs, and {self.measure.name} is {what}; "
                "use `correct='maxt'`, or holm or bh"
            )
        if self.others and known[chosen].of != FLIPS:
            raise UsageError(
                f"`correct={chosen!r}`: several measures are tested together by max-T; use maxt or stepdown"
            )
        return chosen

    def _corrections(self) -> list[str]:
        """Those that say something of these pairs: p-values can always be adjusted, flips and runs where there are any."""
        there = {P_VALUES: not self.others, FLIPS: self.test.needs == FLIPPED, RUNS: self.tukey is not None}
        slow = {"stepdown"} - {self.correct} if len(self.a) > FEW_PAIRS else set[str]()
        several = len(self.a) > 1 or bool(self.others)
        known = multiple_comparisons.declared()
        asked = {*TOGETHER, self.correct} if self.brief else known
        able = [name for name, c in known.items() if there[c.of] and name not in slow and name in asked]
        return [name for name in able if several or known[name].of == P_VALUES]

    def _adjusted(self, name: str, alpha: float) -> tuple[Floats, Floats]:
        """Adjusted p-values of the pairs that are decided, and what their intervals follow from (see `corrections`)."""
        if (name, alpha) not in self._known:
            self._known[name, alpha] = self._adjust(name, alpha)
        return self._known[name, alpha]

    def _adjust(self, name: str, alpha: float) -> tuple[Floats, Floats]:
        correction, at = multiple_comparisons.declared()[name], np.flatnonzero(self.decided)
        if not len(at):
            return np.full(len(self.a), np.nan), np.full(len(self.a), np.nan)
        a, b = self.a[at], self.b[at]
        if correction.of == P_VALUES:
            found = correction.function(self.levels[self.test.name][at], alpha)
        elif correction.of == FLIPS:
            found = correction.function(self.flips, self.pairs.r[at], a, b, alpha, self.others)
        else:
            assert self.tukey is not None, "the correction of runs is offered where it was computed"
            found = self.tukey.p(a, b), np.full(len(at), self.tukey.critical(alpha))
        whole = np.full((2, len(self.a)), np.nan)
        whole[:, at] = found
        return whole[0], whole[1]

    def ends(self, alpha: float) -> tuple[Floats, Floats]:
        """The intervals at level 1 - α, adjusted as the p-values that decide are; NaN where no interval goes with them."""
        correction = multiple_comparisons.declared().get(self.corrected_by)
        levels = np.full(len(self.a), alpha)
        beside = None if correction is None else self._adjusted(correction.name, alpha)[1]
        if correction is not None and beside is not None and correction.of == RUNS:
            low, high = self.estimates - beside, self.estimates + beside
        elif correction is not None and beside is not None and correction.of == FLIPS:
            low, high = paired_tests.around(self.pairs, beside, levels, len(self.a) * (1 + len(self.others)))
        elif self.test.ends is None:
            low, high = np.full(len(self.a), np.nan), np.full(len(self.a), np.nan)
        else:
            low, high = self.test.ends(self.pairs, levels if beside is None else np.where(self.decided, beside, alpha))
        same = self.decided & (low == high)
        if same.any() and self.test.ends is not None:
            # Runs that never differed may yet: on up to so large a share of the topics there are.
            most = float(np.ptp(self.linear[np.isfinite(self.linear)])) if self.span is None else self.span
            room = most * (1 - (alpha / 2) ** (1 / self.flips.units)) if most else np.nan
            low, high = np.where(same, self.estimates - room, low), np.where(same, self.estimates + room, high)
        return np.where(self.decided, low, np.nan), np.where(self.decided, high, np.nan)

    def _size(self) -> Floats:
        """The share of flips that would be significant: α, or less where few topics differ."""
        size, alpha = np.full(len(self.a), np.nan), self.choices.alpha
        correction = multiple_comparisons.declared().get(self.corrected_by)
        if self.test.needs != FLIPPED or len(self.a) > FEW_PAIRS or (correction is not None and correction.of != FLIPS):
            return size
        if correction is not None:
            at = np.flatnonzero(self.decided)
            largest = self.flips.maxima(self.a[at], self.b[at], self.others) if len(at) else np.zeros(1)
            return np.where(self.decided, np.mean(largest > self.flips.exceeded(largest, alpha)), np.nan)
        for here, stars in self.flips.flipped(self.a, self.b):
            for i, row in enumerate(stars):
                size[here.start + i] = np.mean(row > self.flips.exceeded(row, alpha))
        return np.where(self.decided, size, np.nan)

    @cached_property
    def least_p(self) -> Floats:
        """The smallest adjusted p-value that each pair could have over so few topics."""
        if self.corrected_by == "tukey" and self.tukey is not None:
            return np.full(len(self.a), self.tukey.least_p(self.resampler.units))
        flipped = self.test.needs == FLIPPED
        alone = (
            self.flips.least_p(self.a, self.b)
            if flipped
            else np.full(len(self.a), self.test.least_p(self.resampler.units))
        )
        if self.corrected_by != "holm":
            return np.minimum(alone, 1.0)
        # Of p-values from this one on: those that are smaller stay before it.
        found = np.sort(self.levels[self.test.name][self.decided])
        return np.minimum(alone * np.maximum(len(found) - np.searchsorted(found, alone - CLOSE), 1), 1.0)

    def topic_differences(self, first: int | None = None) -> tuple[Any, list[tuple[int, int, int]] | None]:
        """Per topic and pair, what separates the runs; and topics won, tied and lost by a. None for measures of whole runs.

        `first` is of how many pairs; of all where left out.
        """
        if not self.resampler.can("differences"):
            return None, None
        few = first is not None
        differences = (
            self.resampler.topic_differences(self.a[:first], self.b[:first]) if few else self.pairs.differences
        )
        won, tied, lost = paired_tests.counts(differences, self.pairs.tie_units)
        if self.measure.declaration.higher_is_better is False:
            won, lost = lost, won
        return differences / self.resampler.unit, list(zip(won.tolist(), tied.tolist(), lost.tolist(), strict=True))

    def smallest_differences(self, i: int) -> tuple[float | None, float | None]:
        """What would have been significant in pair i, and what true difference would be found 4 times in 5.

        Significant: more than half the width of its interval. Found: t(.8) standard errors more. None where no such
        difference is possible: beyond the measure's range, or where the test cannot be significant.
        """
        half, error = float(self.high[i] - self.low[i]) / 2, float(self.pairs.errors[i])
        if not np.isfinite(half) or half <= 0 or self.least_p[i] > self.choices.alpha:
            return None, None
        from scipy.special import stdtrit

        most = np.inf if self.span is None else self.span
        both = half, half + float(stdtrit(self.resampler.units - 1, 0.8)) * error
        first, second = (one if np.isfinite(one) and one <= most else None for one in both)
        return first, second

    def tiers(self, order: Sequence[int]) -> list[list[str]]:
        """Return the runs in these positions, best first, in tiers; all pairs must have been compared."""
        names = self.columns.runs
        apart = np.zeros((len(names), len(names)), dtype=bool)
        apart[self.a, self.b] = apart[self.b, self.a] = self.significant
        return [[names[i] for i in tier] for tier in tiers(order, lambda run, best: bool(apart[run, best]))]


def default_resamples(resampler: Resampler) -> int:
    """Of a bootstrap: 10,000; for measures of whole runs 2,000, and 500 where there are more than 2,000 topics."""
    if resampler.can("add"):
        return RESAMPLES
    return FEW_RESAMPLES["few" if resampler.units <= paired_tests.MANY_UNITS else "many"]


def range_of(measure: Measure, values: Floats) -> tuple[float | None, float | None]:
    """The measure's range; none at all where the runs' values are not in it, as those of a file in percent."""
    low, high = measure.declaration.low, measure.declaration.high
    room = slack(values)
    if (low is not None and (values < low - room).any()) or (high is not None and (values > high + room).any()):
        return None, None
    return low, high
