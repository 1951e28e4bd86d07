"""The statistics of a comparison: from the values of runs to p-values, intervals and tiers of pairs.

`PairStatistics` takes seven steps, and its methods stand in their order:

    1. values      the measure of every run, and the difference of each pair
    2. units       the measure spread over topics (or clusters of topics), the units of every test; which pairs can be tested
    3. statistic   r of each pair: its mean difference over units, squared, relative to the largest it could be (`sign_flips`)
    4. flips       the p-value of each pair by each test that applies; the first, sign flips, decides unless another is chosen
    5. correction  p-values adjusted for the family of pairs (and measures)
    6. verdict     significant is an adjusted p of at most α; tiers follow from these verdicts
    7. interval    from the same test, correction and family, so that a pair is significant exactly where its interval excludes 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.analyses.comparison import paired_tests
from assay.analyses.comparison.detectable_difference import LeadRule, detectable_share, detectable_shift
from assay.analyses.comparison.options import AUTO, ComparisonOptions
from assay.analyses.comparison.paired_tests import PairedData, PairedTest
from assay.analyses.comparison.score_intervals import PairedScores, score_intervals
from assay.errors import UsageError
from assay.measures.define import RARER_CLASS
from assay.measures.measure import Measure
from assay.parallel.memory_limits import BYTES_DRAWN, afford
from assay.resampling.arithmetic import Floats, Integers, slack
from assay.resampling.columns import Columns
from assay.resampling.resamplers import AT_ONCE, Resampler, slices
from assay.resampling.sign_flips import CLOSE, SMALL_UNITS, SignFlips, r_of
from assay.stats import multiple_comparisons
from assay.stats.bootstrap_intervals import Bootstrap
from assay.stats.multiple_comparisons import FLIPS, NONE, P_VALUES, RUNS, Adjustment, adjust_flips
from assay.stats.tiers import tiers

RESAMPLES = 10_000
WHOLE_RUN_RESAMPLES = {"few": 2_000, "many": 500}
"""A measure of a whole run is computed anew for every resample, in Python: fewer resamples over more than 2,000 topics."""
MIN_COUNTED = 30
"""With fewer answers no test of a measure over the answered keeps its level (benchmarks/inference.py)."""
MIN_RARER_CLASS = 20
"""The same for a measure of how two classes are told apart, such as AUROC, in answers of the rarer class."""
MIN_ANSWERED = 10
"""The same for measures such as c@1, in which unanswered questions count, where most are unanswered."""
MAX_RESAMPLES = 1_000_000
MAX_DIRECT_PAIRS = 20_000
"""Of more pairs, standard errors come from sums of squares in integers: differences of 1,000 runs on 12,000 topics take minutes."""
MAX_STEPPED_PAIRS = 200
"""Step-down max-T visits pairs one by one: over more pairs it runs only when chosen."""
FLIPPED = "sign flips"
ALL_PAIRS = ("maxt", "tukey")
"""Corrections that use all pairs at once; every comparison reports the share of pairs that each finds significant."""
RESAMPLED = (None, "randomisation", "bootstrap")
"""Tests whose p-values are shares of resamples; the default test is one of them."""


class PairStatistics:
    """The statistics of pairs of runs: pair i compares run a[i] with run b[i].

    every    whether all pairs of the runs were requested
    family   the same runs by other measures that are tested together with this one
    brief    skip tests and corrections that decide nothing, except those of `ALL_PAIRS`
    """

    def __init__(
        self, columns: Columns, a: Integers, b: Integers, every: bool, options: ComparisonOptions, family: Sequence[Columns] = (),
        *, brief: bool = False,
    ) -> None:  # fmt: skip
        self.columns: Columns = columns
        self.a: Integers = a
        self.b: Integers = b
        self.every: bool = every
        self.options: ComparisonOptions = options
        self.brief: bool = brief
        self.family = family
        self.resampler: Resampler = columns.resampler
        self.measure: Measure = columns.measure
        self.noun: str = columns.noun

        # 1. Values.
        self.values: Floats = self.resampler.values()
        low, high = range_of(self.measure, self.values)
        self.range: tuple[float | None, float | None] = low, high
        self.largest_difference: float | None = None if low is None or high is None else high - low
        """What the measure's range leaves room for; None where the range has no end."""
        self.differences: Floats = self.values[a] - self.values[b]
        self.defined: NDArray[Any] = np.isfinite(self.differences)
        """Per pair: whether both runs have a value."""

        # 2. Units.
        self.resamples: int = self._affordable_resamples()
        self.linear: Floats = self.resampler.flippable
        """Units × runs; NaN for a run that has no value without some unit."""
        self.refusals: Sequence[str | None] = (
            [None] * len(a) if self._all_testable() else [self._refusal(i) for i in range(len(a))]
        )
        """Per pair: why it cannot be tested, in words; None where it can."""
        self.testable: NDArray[Any] = np.array([why is None for why in self.refusals], dtype=bool)

        # 3. Statistic.
        seeded: dict[str, Any] = {"resamples": self.resamples, "seed": options.seed, "threads": options.threads}
        linear = [self.linear, *(other.resampler.flippable for other in family)]
        # Measures that are tested together need the same signs: random ones, unless all are over the same few units.
        fewest, most = min(map(len, linear)), max(map(len, linear))
        sampled = bool(family) and not fewest == most < SMALL_UNITS
        flipped = [SignFlips(np.nan_to_num(values), **seeded, sampled=sampled) for values in linear]
        self.flips: SignFlips = flipped[0]
        self.other_flips: list[SignFlips] = flipped[1:]
        self._check_enough_resamples()
        for flips in (self.flips, *self.other_flips):
            flips.steady(a, b)
        kind = "shift" if options.interval == AUTO else options.interval
        drawn = {**seeded, "resamples": options.resamples or max(default_resamples(self.resampler), self._needed)}
        bootstrap = Bootstrap(self.resampler, a, b, kind=kind, **drawn)
        self.scores = score_intervals(columns, a, b, 1 - options.alpha) if self.testable.all() else None
        """Intervals that also cover what was not seen; None where the measure has none."""
        self.pairs: PairedData = PairedData(
            columns, a, b, self.flips, self._r(a, b), self.errors(a, b), bootstrap=bootstrap, tie=options.tie,
            chosen=options.chosen_test,
        )  # fmt: skip

        # 4. p-values.
        self.p_values: dict[str, NDArray[Any]] = {
            name: np.where(self.testable, self._floored(test(self.pairs), test), np.nan)
            for name, test in self._usable_tests().items()
        }
        """Per test, a p-value per pair; NaN where the test says nothing."""
        self.test: PairedTest = self._deciding_test()
        if self.test.needs != FLIPPED:
            self.scores = None
        self.tested: NDArray[Any] = np.isfinite(self.p_values[self.test.name])
        """Per pair: whether the deciding test has a p-value."""

        # 5. Correction.
        self.correct: str = self._chosen_correction()
        self.tukey: multiple_comparisons.Tukey | None = (
            multiple_comparisons.tukey_hsd(self.resampler, **seeded) if self._shuffles() else None
        )
        self._adjustments: dict[tuple[str, float], tuple[Floats, Floats]] = {}
        self.adjusted: dict[str, Floats] = {
            name: self._adjusted(name, options.alpha)[0] for name in self._applicable_corrections()
        }
        """Per correction, an adjusted p-value per pair; NaN where a pair is not tested."""
        self.corrected_by: str = self.correct if self.correct in self.adjusted else NONE
        """The correction in force; a single pair needs none."""

        # 6. Verdict.
        self.deciding_p: Floats = self.adjusted.get(self.correct, self.p_values[self.test.name])
        """The p-values that decide: of the chosen test, adjusted by the chosen correction."""
        self.significant: NDArray[np.bool_] = self.deciding_p <= options.alpha
        self.actual_level: Floats = self._actual_level()
        """Per pair: how often the test is significant where nothing differs; NaN where that is unknown."""

        # 7. Interval.
        low, high = self.ends(options.alpha)
        self.low: Floats = low
        self.high: Floats = high

    # 2. Units

    def _affordable_resamples(self) -> int:
        """Return the resamples asked for; by default 10,000, or as many as the smallest p needs to be significant."""
        needed = self._needed
        if needed > MAX_RESAMPLES:
            raise UsageError(
                f"`correct={self._requested_correction!r}`: over {len(self.a)} pairs {needed} resamples would be needed for an "
                f"adjusted p as small as {self.options.alpha:g}; `correct='maxt'` needs no more for many pairs"
            )
        resamples = self.options.resamples or max(RESAMPLES, needed)
        runs = len(self.columns.runs)
        in_parts = self.resampler.can("part") and len(self.a) <= 2 * runs
        kept_runs = min(runs, max(2, AT_ONCE // resamples)) if in_parts else runs
        afford("resamples", resamples, memory=BYTES_DRAWN * resamples * kept_runs)
        return resamples

    @property
    def _requested_correction(self) -> str:
        """The correction that was chosen, or that a bootstrap of several pairs gets by default."""
        bootstrapped = self.options.chosen_test == "bootstrap" and len(self.a) > 1
        return self.options.correct or ("holm" if bootstrapped else NONE)

    @property
    def _needed(self) -> int:
        """Resamples that make the smallest p significant: twice that of a tail for two tails, times the pairs for Holm and BH."""
        correct = self._requested_correction
        if self.options.chosen_test not in RESAMPLED and correct != "tukey":
            return 0
        tails = 2 if self.options.interval in ("studentised", "percentile") else 1
        family = len(self.a) if correct in ("holm", "bh") else 1
        return ceil(tails * family / self.options.alpha - CLOSE) - 1

    def _check_enough_resamples(self) -> None:
        """Refuse a number of resamples with which nothing could be significant, unless all flips are enumerated."""
        resamples, needed, alpha, correct = (
            self.options.resamples,
            self._needed,
            self.options.alpha,
            self._requested_correction,
        )
        enumerated = self.flips.every and self.options.chosen_test != "bootstrap" and correct != "tukey"
        if resamples is None or resamples >= needed or enumerated:
            return
        known = multiple_comparisons.declared().get(correct)
        if known is not None and known.of == P_VALUES and len(self.a) > 1:
            smallest = f"over {len(self.a)} pairs no p adjusted by {known.label}"
            other = "; `correct='maxt'` needs no more for many pairs"
        else:
            smallest, other = "no p", ""
        raise UsageError(
            f"`resamples={resamples}`: {smallest} could be as small as {alpha:g}; give {needed} at least, or leave them out{other}"
        )

    @property
    def resamples_used(self) -> int:
        """Resamples of the test that decides."""
        bootstrapped = self.test.name == "bootstrap" and self.corrected_by != "tukey"
        return self.pairs.bootstrap.resamples if bootstrapped else self.resamples

    def _all_testable(self) -> bool:
        """Whether no pair can be refused, decided from the runs at once."""
        runs = np.unique(np.concatenate([self.a, self.b]))
        answered = self.columns.answered
        enough = answered is None or bool((answered[runs] >= MIN_ANSWERED).all())
        enough = enough and bool((self.columns.answers[runs] >= self._min_counted()).all())
        return enough and bool(self.defined.all()) and bool(np.isfinite(self.linear[:, runs]).all())

    def _min_counted(self) -> int:
        """How many topics that count a run needs to be tested."""
        if self.measure.declaration.counts == RARER_CLASS:
            return MIN_RARER_CLASS
        return min(MIN_COUNTED, len(self.columns.places))

    def _refusal(self, i: int) -> str | None:
        """Why pair i cannot be tested; None where it can."""
        pair = np.array([self.a[i], self.b[i]])
        names, topics = [self.columns.runs[int(run)] for run in pair], len(self.columns.places)
        if not self.defined[i]:
            return f"{self.measure.name} is undefined for at least one of them over these {topics} {self.noun}s"
        counted = self.columns.answers[pair]
        fewest = int(counted.min())
        if fewest < self._min_counted():
            what, least = "answers" if self.columns.counts_answers else f"{self.noun}s that count", MIN_COUNTED
            if self.measure.declaration.counts == RARER_CLASS:
                what, least = "answers of the rarer class (right or wrong)", MIN_RARER_CLASS
            run = names[int(counted.argmin())]
            return f"{run} has {fewest} {what}, too few {what.partition(' of ')[0]} to test; {self.measure.name} needs {least} at least"
        if self.columns.answered is not None:
            answered = self.columns.answered[pair]
            few = int(answered.min())
            if few < MIN_ANSWERED and 2 * few < topics:
                run = names[int(answered.argmin())]
                return f"{run} has {few} answers, too few answers to test; {self.measure.name} needs {MIN_ANSWERED} at least"
        for run, name in zip(pair, names, strict=True):
            if not np.isfinite(self.linear[:, run]).all():
                return f"{self.measure.name} of {name} hangs on a single {self.noun}, too few to test"
        return None

    # 3. Statistic

    def errors(self, a: Integers, b: Integers) -> Floats:
        """The standard error of each difference; of a ratio of counts at its edge, that with one more of every outcome.

        Where all 20 answers of a run are right, its precision does not vary in these answers, but may in the next ones
        (Agresti and Caffo, The American Statistician 2000).
        """
        if len(a) > MAX_DIRECT_PAIRS:
            lacking = np.array(~np.isfinite(self.linear).all(axis=0), dtype=bool)
            squares = np.where(lacking[a] | lacking[b], np.nan, self.flips.errors(a, b) ** 2)
        else:
            squares = np.empty(len(a))
            for here in slices(len(a), len(self.linear)):
                differences = self.linear[:, a[here]] - self.linear[:, b[here]]
                squares[here] = differences.var(axis=0, ddof=1) / len(differences)
        if self.columns.divides_by_outcomes:
            squares = squares + self._unseen_variance[a] + self._unseen_variance[b]
        return np.sqrt(squares)

    @cached_property
    def _unseen_variance(self) -> Floats:
        """Per run, by how much one more topic of every outcome raises the variance."""
        from assay.stats import proportions

        of_shares = self.columns.of_shares
        seen_and_more = [
            [proportions.spread(ended + more, of_shares) for more in (0, 1)] for ended in self.columns.ended
        ]
        return np.array([max(more - seen, 0.0) for seen, more in seen_and_more])

    def _r(self, a: Integers, b: Integers) -> Floats:
        """r of each pair, no larger than its score interval and its standard error allow."""
        r = self.flips.seen(a, b)
        if self.scores is not None:
            r = np.minimum(r, self.scores.z**2 / self.flips.units)
        if not self.columns.divides_by_outcomes:
            return r
        errors, differences = self.errors(a, b), np.abs(self.values[a] - self.values[b])
        t = np.divide(differences, errors, out=np.zeros(len(a)), where=(errors > 0) & np.isfinite(differences))
        return np.minimum(r, r_of(t, self.flips.units))

    # 4. p-values

    def _usable_tests(self) -> dict[str, PairedTest]:
        """The tests that apply to these data; when brief, only the one that decides."""
        usable = {name: test for name, test in paired_tests.declared().items() if test.lacks(self.pairs) is None}
        deciding = self.options.chosen_test or next(iter(usable))
        return {deciding: usable[deciding]} if self.brief and deciding in usable else usable

    def _floored(self, p: Floats, test: PairedTest) -> Floats:
        """p of the flips, no smaller than that of the score interval: the printed interval holds both."""
        if self.scores is None or test.needs != FLIPPED:
            return p
        from scipy.special import ndtr

        return np.maximum(p, 2 * ndtr(-self.scores.z))

    def _deciding_test(self) -> PairedTest:
        """The test that was chosen, or the first that applies."""
        test = paired_tests.declared()[self.options.chosen_test or next(iter(self.p_values))]
        if test.name not in self.p_values:
            why, others = test.lacks(self.pairs), " or ".join(self.p_values)
            raise UsageError(f"`test={test.name!r}`: the {test.name} test cannot be used: {why}; use {others}")
        return test

    # 5. Correction

    def _chosen_correction(self) -> str:
        """The correction that was chosen; by default max-T for sign flips, Holm for any other test, none for one pair."""
        name, flipped = self.options.correct, self.test.needs == FLIPPED
        if name is None:
            if self.other_flips and not flipped:
                raise UsageError(
                    f"`test={self.test.name!r}`: several measures are tested together by sign flips; leave it out"
                )
            name = NONE if len(self.a) == 1 and not self.other_flips else "maxt" if flipped else "holm"
        if name == NONE:
            return name
        of = multiple_comparisons.declared()[name].of
        if of == FLIPS and not flipped:
            raise UsageError(
                f"`correct={name!r}`: is a correction of sign flips, not of `test={self.test.name!r}`; use holm or bh"
            )
        shuffles = self.resampler.can("shuffle")
        if of == RUNS and (not shuffles or self.columns.divides_by_outcomes):
            what = "divided by what differs from run to run" if shuffles else "computed from all at once"
            raise UsageError(
                f"`correct={name!r}`: shuffles values among runs, and {self.measure.name} is {what}; "
                "use `correct='maxt'`, or holm or bh"
            )
        if self.other_flips and of != FLIPS:
            raise UsageError(f"`correct={name!r}`: several measures are tested together by max-T; use maxt or stepdown")
        return name

    def _shuffles(self) -> bool:
        """Whether Tukey's HSD is computed: three runs or more, quick enough or chosen."""
        if not self.resampler.can("shuffle") or len(self.columns.runs) < 3 or self.columns.divides_by_outcomes:
            return False
        few = len(self.a) <= (MAX_DIRECT_PAIRS if self.every else MAX_STEPPED_PAIRS)
        quick = self.resampler.units <= paired_tests.MANY_UNITS and few
        return quick or self.correct == "tukey"

    def _applicable_corrections(self) -> list[str]:
        """Corrections that apply: of p-values always, of flips and of runs where the test has them."""
        applies = {P_VALUES: not self.other_flips, FLIPS: self.test.needs == FLIPPED, RUNS: self.tukey is not None}
        slow = {"stepdown"} - {self.correct} if len(self.a) > MAX_STEPPED_PAIRS else set[str]()
        several = len(self.a) > 1 or bool(self.other_flips)
        return [
            name
            for name, correction in multiple_comparisons.declared().items()
            if applies[correction.of]
            and name not in slow
            and (not self.brief or name in (*ALL_PAIRS, self.correct))
            and (several or correction.of == P_VALUES)
        ]

    def _adjusted(self, name: str, alpha: float) -> tuple[Floats, Floats]:
        """Adjusted p-values of the tested pairs, and what their intervals follow from (see `multiple_comparisons`)."""
        if (name, alpha) not in self._adjustments:
            self._adjustments[name, alpha] = self._adjust(multiple_comparisons.declared()[name], alpha)
        return self._adjustments[name, alpha]

    def _adjust(self, correction: Adjustment, alpha: float) -> tuple[Floats, Floats]:
        both, at = np.full((2, len(self.a)), np.nan), np.flatnonzero(self.tested)
        if not len(at):
            return both[0], both[1]
        a, b = self.a[at], self.b[at]
        if correction.of == P_VALUES:
            both[:, at] = correction.function(self.p_values[self.test.name][at], alpha)
        elif correction.of == FLIPS:
            r = self.pairs.r[at] * self.flips.shares(a, b)
            both[:, at] = adjust_flips(correction.function, self.flips, r, a, b, alpha, self.other_flips)
            # An adjusted p is never below the pair's own.
            both[0, at] = np.maximum(both[0, at], self.p_values[self.test.name][at])
        else:
            assert self.tukey is not None, "the correction of runs applies only where it was computed"
            both[:, at] = self.tukey.p(a, b), np.full(len(at), self.tukey.critical(alpha))
        return both[0], both[1]

    # 6. Verdict

    def _actual_level(self) -> Floats:
        """The share of flips that would be significant: α, or less where few topics differ."""
        levels, alpha = np.full(len(self.a), np.nan), self.options.alpha
        correction = multiple_comparisons.declared().get(self.corrected_by)
        many = len(self.a) > MAX_STEPPED_PAIRS
        if self.test.needs != FLIPPED or many or (correction is not None and correction.of != FLIPS):
            return levels
        if correction is not None:
            at = np.flatnonzero(self.tested)
            if not len(at):
                return levels
            largest = self.flips.maxima(self.a[at], self.b[at], self.other_flips)
            critical = float(np.nanmax(self._adjusted("maxt", alpha)[1]))
            return np.where(self.tested, np.mean(largest > critical), np.nan)
        for here, stars in self.flips.flipped(self.a, self.b):
            for i, row in enumerate(stars):
                levels[here.start + i] = np.mean(row > self.flips.exceeded(row, alpha))
        return np.where(self.tested, levels, np.nan)

    @cached_property
    def least_p(self) -> Floats:
        """The smallest adjusted p-value that each pair could have over so few topics."""
        if self.corrected_by == "tukey" and self.tukey is not None:
            return np.full(len(self.a), self.tukey.least_p(self.resampler.units))
        if self.test.needs == FLIPPED:
            alone = self.flips.least_p(self.a, self.b)
        else:
            alone = np.full(len(self.a), self.test.least_p(self.resampler.units))
        if self.corrected_by == "holm":
            # Holm multiplies by how many p-values are no smaller than this one.
            ascending = np.sort(self.p_values[self.test.name][self.tested])
            alone = alone * np.maximum(len(ascending) - np.searchsorted(ascending, alone - CLOSE), 1)
        return np.minimum(alone, 1.0)

    def tiers(self, order: Sequence[int]) -> list[list[str]]:
        """Return the runs at these positions, best first, in tiers; all pairs must have been compared."""
        names = self.columns.runs
        apart = np.zeros((len(names), len(names)), dtype=bool)
        apart[self.a, self.b] = apart[self.b, self.a] = self.significant
        return [[names[i] for i in tier] for tier in tiers(order, lambda run, best: bool(apart[run, best]))]

    def significant_pairs(self) -> tuple[Integers, Integers] | None:
        """Return the winner and the loser of each significant pair; None where the tests do not bound the ranks.

        Ranks need a single-step max-T (or a single pair, which needs no correction) and a measure with a direction. Step-down
        methods bound the chance of a false difference, but not of one in the wrong direction.
        """
        direction = self.measure.declaration.higher_is_better
        if (
            direction is None
            or self.test.needs != FLIPPED
            or self.corrected_by != (NONE if len(self.a) == 1 else "maxt")
        ):
            return None
        at = self.significant & (self.differences != 0)
        first = (self.differences[at] > 0) == direction
        return np.where(first, self.a[at], self.b[at]), np.where(first, self.b[at], self.a[at])

    def count_not_different(self) -> Integers:
        """Return for each run how many other runs with a value do not differ from it significantly."""
        alike = self.defined & ~self.significant
        return np.bincount(np.concatenate([self.a[alike], self.b[alike]]), minlength=len(self.columns.runs))

    # 7. Interval

    def ends(self, alpha: float) -> tuple[Floats, Floats]:
        """The intervals at level 1 - α, adjusted as the deciding p-values are; NaN where the test has no interval."""
        correction = multiple_comparisons.declared().get(self.corrected_by)
        levels = np.full(len(self.a), alpha)
        critical = None if correction is None else self._adjusted(correction.name, alpha)[1]
        if correction is None or critical is None or correction.of == P_VALUES:
            return self._own_ends(levels if critical is None else np.where(self.tested, critical, alpha))
        if correction.of == RUNS:
            low, high = self.differences - critical, self.differences + critical
        else:
            pairs = len(self.a) * (1 + len(self.other_flips))
            low, high = self._widened(*paired_tests.around(self._family_pairs(), critical, levels, pairs), alpha)
            return self._joined(low, high, self._family_quantiles(critical, alpha, pairs), self.deciding_p <= alpha)
        return self._widened(low, high, alpha)

    def _family_pairs(self) -> PairedData:
        """The pairs with the family's constant c in r and in the standard errors: half of an interval is √(r*(S + c)/(u(1 - r*))),
        r* what r must exceed and S the squared differences from their mean.
        """
        units, constant = self.flips.units, self.flips.constant
        r = self.pairs.r * self.flips.shares(self.a, self.b)
        return replace(self.pairs, r=r, errors=np.sqrt(self.pairs.errors**2 + constant / (units * (units - 1))))

    def own_bounds(self, lower: float, upper: float) -> tuple[Floats, Floats]:
        """One-sided bounds of each pair by itself, whatever the comparison's family: with error rates of at most these."""
        low = self._own_ends(np.full(len(self.a), 2 * lower))[0]
        return low, self._own_ends(np.full(len(self.a), 2 * upper))[1]

    def _own_ends(self, levels: Floats) -> tuple[Floats, Floats]:
        """Each pair's interval at its own level; NaN where the test has none."""
        if self.test.ends is None:
            nothing = np.full(len(self.a), np.nan)
            return nothing, nothing
        low, high = self._widened(*self.test.ends(self.pairs, levels), float(levels.max()))
        if self.scores is None:
            return low, high
        from scipy.special import ndtri

        return self._joined(low, high, ndtri(1 - levels / 2), self.p_values[self.test.name] <= levels)

    def _family_quantiles(self, critical: Floats, alpha: float, pairs: int) -> Floats:
        """The normal quantile of each score interval that goes with what r must exceed in a family of so many pairs.

        A pair that no flip could make significant takes that of Bonferroni's correction.
        """
        from scipy.special import ndtri

        alone = critical / np.maximum(self.flips.shares(self.a, self.b), CLOSE)
        quantiles = np.maximum(ndtri(1 - alpha / 2), np.sqrt(self.flips.units * np.minimum(alone, 1.0)))
        unreachable = self.flips.least_p(self.a, self.b) > alpha
        if isinstance(self.scores, PairedScores) and self.scores.replaces_flips:
            unreachable |= np.sqrt(self.scores.gains + self.scores.losses) <= quantiles
        return np.where(unreachable, np.maximum(quantiles, ndtri(1 - alpha / (2 * pairs))), quantiles)

    def _joined(self, low: Floats, high: Floats, z: Floats, significant: Any) -> tuple[Floats, Floats]:
        """The score interval at quantile z, or the smallest that holds it and the flips'; with 0 where p is not significant."""
        if self.scores is None:
            return low, high
        first, last = self.scores.ends(z)
        if not self.scores.replaces_flips:
            first, last = np.fmin(first, low), np.fmax(last, high)
        first, last = np.minimum(first, self.differences), np.maximum(last, self.differences)
        return np.where(significant, first, np.minimum(first, 0.0)), np.where(significant, last, np.maximum(last, 0.0))

    def _widened(self, low: Floats, high: Floats, alpha: float) -> tuple[Floats, Floats]:
        """Intervals of tested pairs; one without a width, of runs that never differed, gets the rule-of-three bound's."""
        equal = self.tested & (low == high)
        if equal.any() and self.test.ends is not None:
            # The rule of three bounds the share of topics that could differ.
            span = self.largest_difference
            largest = float(np.ptp(self.linear[np.isfinite(self.linear)])) if span is None else span
            room = largest * (1 - (alpha / 2) ** (1 / self.flips.units)) if largest else np.nan
            low, high = np.where(equal, self.differences - room, low), np.where(equal, self.differences + room, high)
        return np.where(self.tested, low, np.nan), np.where(self.tested, high, np.nan)

    def within_range(self, low: float, high: float) -> tuple[float, float] | None:
        """Clip the ends of a difference to what the measure's range allows; None where there are no ends."""
        most = np.inf if self.largest_difference is None else self.largest_difference
        ends = max(low, -most), min(high, most)
        return ends if np.isfinite(ends).all() else None

    def smallest_differences(self, i: int) -> tuple[float | None, float | None]:
        """The difference that would have been significant in pair i, and the true one that would be found 4 times in 5.

        Significant: more than the interval reaches towards 0. Found: see `detectable_difference.py`. None where no such
        difference is possible: beyond the measure's range, or where the test cannot be significant.
        """
        # The reach towards 0, which an interval of outcomes need not have in common with the other side.
        below, above = float(self.differences[i] - self.low[i]), float(self.high[i] - self.differences[i])
        half = below if self.differences[i] > 0 else above if self.differences[i] < 0 else max(below, above)
        if not np.isfinite(half) or half <= 0 or self.least_p[i] > self.options.alpha:
            return None, None
        most = np.inf if self.largest_difference is None else self.largest_difference
        return half if half <= most else None, self._detectable(i, half, most)

    def _detectable(self, i: int, half: float, most: float) -> float | None:
        """The true difference that is found 4 times in 5, where an estimate of `half` is significant."""
        n, error = self.resampler.units, float(self.pairs.errors[i])
        if self._two_values is None:
            size = detectable_shift(half, error, n)
            return size if np.isfinite(size) and size <= most else None
        apart = self._two_values[1] - self._two_values[0]
        disagreements = np.abs(self.linear[:, self.a[i]] - self.linear[:, self.b[i]]) > apart / 2
        share = detectable_share(n, int(disagreements.sum()), self._lead_rule(i, half, apart))
        return None if share is None else apart * share

    @cached_property
    def _two_values(self) -> tuple[float, float] | None:
        """The two values that every topic has for every run, such as right and wrong; None where there are more."""
        linear = self.linear
        of_flips = self.scores is None or self.scores.replaces_flips
        if not of_flips or self.columns.clusters is not None or not np.isfinite(linear).all():
            return None
        low, high = float(linear.min()), float(linear.max())
        room = 1e-9 * (high - low)
        two = high > low and bool(((linear <= low + room) | (linear >= high - room)).all())
        return (low, high) if two and np.allclose(linear.mean(axis=0), self.values, rtol=0, atol=room) else None

    def _lead_rule(self, i: int, half: float, apart: float) -> LeadRule:
        """What a lead in right answers needs for pair i to be significant by the deciding test and correction."""
        correction, alpha, n = (
            multiple_comparisons.declared().get(self.corrected_by),
            self.options.alpha,
            self.flips.units,
        )
        critical = alpha if correction is None else float(self._adjusted(correction.name, alpha)[1][i])
        if correction is not None and correction.of == multiple_comparisons.RUNS:
            return LeadRule(difference=critical / apart)
        if self.test.needs != FLIPPED:
            error = float(self.pairs.errors[i])
            return LeadRule(r=float(r_of(half / error, n)) if error > 0 else 1.0)
        if correction is not None and correction.of == FLIPS:
            return LeadRule(level=alpha, r=critical)
        return LeadRule(level=critical)

    def topic_differences(self, here: slice = slice(None)) -> tuple[Any, list[tuple[int, int, int]] | None]:
        """Per topic and pair, the difference of the runs; and topics won, tied and lost by a. None for measures of whole runs.

        here   which pairs
        """
        if not self.resampler.can("differences"):
            return None, None
        differences = self.resampler.topic_differences(self.a[here], self.b[here])
        won, tied, lost = paired_tests.counts(differences, self.pairs.tie_units)
        if self.measure.declaration.higher_is_better is False:
            won, lost = lost, won
        return differences / self.resampler.unit, list(zip(won.tolist(), tied.tolist(), lost.tolist(), strict=True))

    def drop_flips(self) -> None:
        """Free the sums under flips, which are made anew if needed: 160 MB of 1,000 runs."""
        for flips in (self.flips, *self.other_flips):
            flips.drop_sums()


def default_resamples(resampler: Resampler) -> int:
    """Resamples of a bootstrap: 10,000; for measures of whole runs 2,000, and 500 over more than 2,000 topics."""
    if resampler.can("add"):
        return RESAMPLES
    return WHOLE_RUN_RESAMPLES["few" if resampler.units <= paired_tests.MANY_UNITS else "many"]


def range_of(measure: Measure, values: Floats) -> tuple[float | None, float | None]:
    """The measure's range; (None, None) where the runs' values lie outside, such as those of a file in percent."""
    low, high = measure.declaration.low, measure.declaration.high
    room = slack(values)
    if (low is not None and (values < low - room).any()) or (high is not None and (values > high + room).any()):
        return None, None
    return low, high
