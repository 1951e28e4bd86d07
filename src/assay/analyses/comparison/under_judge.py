"""Runs that a machine judged, compared as people would judge them: `compare(…, human=…)`.

Every run's value is PPI++ with one λ for all pairs; sign flips of questions with max-T decide (`stats/judged_pairs.py`). Where people
labelled everything, their scores are compared like any others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from assay.analyses.comparison.labelled_scores import LabelledScores, read_labelled
from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.pair_statistics import RESAMPLES
from assay.analyses.comparison.result import (
    Comparison,
    PairResult,
    RankResult,
    Ranks,
    RunResult,
    digits_for,
    end_of,
    shown_p,
    signed,
)
from assay.analyses.comparison.selection import best_first, pair_positions, runs_compared
from assay.analyses.comparison.unscored import run_coverage
from assay.errors import InputError, UsageError, counted, shorten_list
from assay.resampling.arithmetic import Integers
from assay.settings import Kind, checked
from assay.stats import multiple_comparisons
from assay.stats.bootstrap_intervals import Interval
from assay.stats.covariate_balance import MAX_VALUES, Imbalance, Strata, imbalance, strata_of
from assay.stats.judged_pairs import FEW, MIN_UNITS, JudgedPairs, JudgedRuns
from assay.stats.multiple_comparisons import NONE
from assay.stats.rank_intervals import places, rank_intervals
from assay.stats.tiers import TIER_RULE, tiers
from assay.table.scores import Scores

TEST, CORRECTION = "randomisation", "maxt"
RANDOM = "intervals and tests assume that the labelled {}s are a random sample of all"
MAX_NAMED = 3
MAX_RUNS = 200
"""Runs of which all pairs, 19,900, are compared."""
MIN_STRATUM = 4
"""Labelled questions (or clusters) of each value of a field by which labels are weighed."""
ODD = 0.001
"""The p-value below which labels look chosen."""


def compare_under_judge(
    scores: Any, measure: Any, human: Any, *, runs: Any, baseline: str | None, pairs: Sequence[tuple[str, str]] | None,
    cluster: str | None, top: int | None, task: str | None, settings: dict[str, Any], options: Callable[[int], ComparisonOptions],
    reweight: str | None, compare_people: Callable[..., Comparison],
) -> Comparison:  # fmt: skip
    """Compare runs by what people would give them.

    options          from the seed of the table to the options
    compare_people   compares a table of people's scores, where they labelled everything
    """
    labelled = read_labelled(scores, measure, human, runs=runs, task=task, cluster=cluster, settings=settings)
    names = runs_compared(labelled.scores, runs if isinstance(scores, Scores) else None, baseline, pairs)
    if baseline is None and pairs is None and len(names) > MAX_RUNS:
        raise UsageError(
            f"`human=`: compares all pairs of at most {MAX_RUNS} runs, found {len(names)}; give `runs`, `baseline` or `pairs`"
        )
    judged = _Judged(labelled, names, baseline, pairs, options(labelled.scores.settings.seed), reweight)
    if not judged.runs.others.any() and len(judged.usable) == len(names):
        table = labelled.people().restricted([labelled.scores.topics[i] for i in judged.places.tolist()])
        result = compare_people(table, labelled.measure.name, names)
        note = f"people judged every {labelled.scores.task.noun}: the machine's verdicts play no part"
        return replace(result, notes=[note, *result.notes])
    if top is not None:
        checked("top", top, Kind(int, f"a number of places from 1 to {len(names)}", low=1, high=len(names)))
        if not judged.every:
            raise UsageError(f"`top={top}`: ranks follow from all pairs of runs; leave out `baseline` and `pairs`")
    return replace(judged.result(), top=top)


@dataclass(frozen=True)
class _Judged:
    """The comparison of some runs of a table with people's labels."""

    labelled: LabelledScores
    names: list[str]
    baseline: str | None
    chosen: Sequence[tuple[str, str]] | None
    options: ComparisonOptions
    reweight: str | None = None
    """The field by whose values labelled topics are weighed like all."""

    # The runs that can be compared

    @cached_property
    def columns(self) -> list[int]:
        """The columns of the named runs in the table."""
        every = self.labelled.scores.runs
        return [every.index(name) for name in self.names]

    @cached_property
    def units_labelled(self) -> dict[str, int]:
        """On how many questions (or clusters) each run has labels."""
        whole, _ = self.labelled.runs_at(self.columns)
        return dict(zip(self.names, whole.count_units(whole.labelled).tolist(), strict=True))

    @cached_property
    def usable(self) -> list[str]:
        """The runs with enough labels."""
        enough = [name for name in self.names if self.units_labelled[name] >= MIN_UNITS]
        if len(enough) < 2 or (self.baseline is not None and self.baseline not in enough):
            most = {name: count for name, count in self.units_labelled.items() if count < MIN_UNITS}
            listed = shorten_list([f"{name} has {count}" for name, count in most.items()], MAX_NAMED)
            raise InputError(
                f"too few labels: a comparison needs {MIN_UNITS} labelled {self.unit}s of each run, and {listed}. "
                "Fix: label more"
            )
        return enough

    @cached_property
    def _runs_and_places(self) -> tuple[JudgedRuns, Integers]:
        every = self.labelled.scores.runs
        runs, places = self.labelled.runs_at([every.index(name) for name in self.usable])
        if self.reweight is None:
            return runs, places
        strata = strata_of(self.labelled.field(self.reweight, places))
        if strata is None:
            raise UsageError(
                f"`reweight={self.reweight!r}`: expected a field of {self.noun}s with 2 to {MAX_VALUES} values, or with numbers"
            )
        runs = replace(runs, strata=strata.numbers)
        self._check_overlap(runs, strata)
        return runs, places

    def _check_overlap(self, runs: JudgedRuns, strata: Strata) -> None:
        """Refuse to speak for a stratum in which a run has answers and too few labels."""
        for label, inside in zip(strata.labels, runs.within, strict=True):
            lacking = (runs.count_units(runs.labelled & inside) < MIN_STRATUM) & (runs.others & inside).any(axis=0)
            if lacking.any():
                run = int(np.flatnonzero(lacking)[0])
                count = int(runs.count_units(runs.labelled & inside)[run])
                share = float(inside.mean())
                raise InputError(
                    f"people labelled {count} {self.unit}s of {self.usable[run]} with {self.reweight} {label}, which are {share:.0%} of "
                    f"the judged: other labels cannot speak for them. Fix: label {MIN_STRATUM} at least, or compare without them"
                )

    @property
    def runs(self) -> JudgedRuns:
        return self._runs_and_places[0]

    @property
    def places(self) -> Integers:
        """The places of the topics that enter."""
        return self._runs_and_places[1]

    @property
    def noun(self) -> str:
        return self.labelled.scores.task.noun

    @property
    def unit(self) -> str:
        return self.noun if self.labelled.clusters is None else f"{self.noun} cluster"

    # Statistics

    @cached_property
    def _first_look(self) -> JudgedPairs:
        """The pairs in any order: λ and the values do not depend on it."""
        return self._pairs(self._named_pairs(self.usable)[0])

    def _named_pairs(self, order: Sequence[str]) -> tuple[list[tuple[str, str]], bool]:
        """Return the pairs of all runs by name, given the usable ones best first, and whether these are all pairs."""
        best = [*order, *(name for name in self.names if name not in self.usable)]
        a, b, every = pair_positions(self.names, [self.names.index(name) for name in best], self.baseline, self.chosen)
        return [
            (self.names[first], self.names[second]) for first, second in zip(a.tolist(), b.tolist(), strict=True)
        ], every

    def _pairs(self, named: Sequence[tuple[str, str]]) -> JudgedPairs:
        """Return the statistics of the pairs that have enough labels."""
        place = {name: i for i, name in enumerate(self.usable)}
        both = [(place[x], place[y]) for x, y in named if x in place and y in place]
        if not both:
            raise InputError(
                f"too few labels: no pair has {MIN_UNITS} labelled {self.unit}s of both runs. Fix: label more"
            )
        a, b = np.array(both, dtype=np.int64).T
        low, high = self.range
        span = high - low if np.isfinite([low, high]).all() else self._seen_span
        options = self.options
        return JudgedPairs(
            self.runs, a, b, alpha=options.alpha, resamples=options.resamples or RESAMPLES, seed=options.seed, threads=options.threads,
            span=span,
        )  # fmt: skip

    @property
    def _seen_span(self) -> float:
        """Of a measure without a range, the largest score less the smallest."""
        values = np.concatenate([of[np.isfinite(of)] for of in (self.runs.judge, self.runs.human)])
        return float(np.ptp(values))

    @property
    def range(self) -> tuple[float, float]:
        low, high = self.labelled.measure.declaration.low, self.labelled.measure.declaration.high
        return -np.inf if low is None else low, np.inf if high is None else high

    @cached_property
    def order(self) -> list[int]:
        return best_first(self._first_look.values, self.labelled.measure)

    @cached_property
    def pairs(self) -> JudgedPairs:
        return self._pairs(self.named_pairs[0])

    @cached_property
    def named_pairs(self) -> tuple[list[tuple[str, str]], bool]:
        """The pairs by name, best runs first, and whether these are all pairs of the runs."""
        return self._named_pairs([self.usable[i] for i in self.order])

    @property
    def every(self) -> bool:
        return self.named_pairs[1]

    @cached_property
    def machine(self) -> dict[str, float]:
        """The measure of every run by the machine alone, on the topics that enter."""
        runs = self.runs
        every = self.labelled.judge[self.places][:, [self.labelled.scores.runs.index(name) for name in self.usable]]
        means = every.sum(axis=0) / runs.share.sum(axis=0)
        factors = np.array([runs.form.factor(u) for u in runs.unanswered.tolist()])
        return dict(zip(self.usable, (means * factors).tolist(), strict=True))

    # Results

    def result(self) -> Comparison:
        scores, measure, s = self.labelled.scores, self.labelled.measure, self.pairs
        several = len(s.a) > 1
        order = [self.usable[i] for i in self.order]
        grouped = self._tiers() if self.every else None
        tier_of = {run: number for number, tier in enumerate(grouped or (), 1) for run in tier}
        settings = {
            **scores.settings.as_dict(), "test": TEST, "correct": CORRECTION if several else NONE, "interval": "auto",
            "confidence": self.options.confidence, "resamples": s.resamples, "seed": self.options.seed, "cluster": self.labelled.cluster,
            "family": [measure.name], "tiers": TIER_RULE if self.every else None,
            "human": {
                "estimate": "PPI++", "weight": s.weight, "labelled": s.labelled_units, "of": len(self.places), "reweight": self.reweight,
                "differs": {name: gap._asdict() for name, gap in self.imbalances().items() if gap.p < ODD},
            },
        }  # fmt: skip
        shares = {TEST: s.own_p, **({CORRECTION: s.adjusted_p} if several else {})}
        return Comparison(
            measure=measure.name, noun=self.noun, higher_is_better=measure.declaration.higher_is_better, topics=len(self.places),
            units=len(self.places) if self.runs.clusters is None else int(self.runs.clusters.max()) + 1,
            left_out=len(scores.topics) - len(self.places), extent=scores.extent(self.usable, self.places.tolist()),
            runs=[*self._runs(order, tier_of), *self._without_value()], pairs=self._pair_results(), tiers=grouped,
            significant={
                name: {f"{level:g}": share for level, share in multiple_comparisons.share_significant(p).items()}
                for name, p in shares.items()
            },
            settings=settings, notes=self._notes(), ranks=self._ranks() if self.every else None,
        )  # fmt: skip

    def _apart(self) -> tuple[Integers, Integers]:
        """Return winner and loser of each significant pair, as places among the usable runs."""
        s = self.pairs
        at = s.significant & (s.differences != 0)
        first = (s.differences[at] > 0) == (self.labelled.measure.declaration.higher_is_better is not False)
        return np.where(first, s.a[at], s.b[at]), np.where(first, s.b[at], s.a[at])

    def _tiers(self) -> list[list[str]]:
        apart = np.zeros((len(self.usable), len(self.usable)), dtype=bool)
        s = self.pairs
        apart[s.a, s.b] = apart[s.b, s.a] = s.significant
        return [[self.usable[i] for i in tier] for tier in tiers(self.order, lambda run, best: bool(apart[run, best]))]

    def _ranks(self) -> Ranks | None:
        """Return the intervals of the ranks of all runs; a run with too few labels may have any."""
        if self.labelled.measure.declaration.higher_is_better is None or len(self.usable) < len(self.names):
            return None
        place_of = np.argsort(self.order)
        winners, losers = (place_of[runs] for runs in self._apart())
        low, high = rank_intervals(winners, losers, len(self.order))
        sign = -1 if self.labelled.measure.declaration.higher_is_better is False else 1
        place = places([sign * float(self.pairs.values[i]) for i in self.order])
        named = [self.usable[i] for i in self.order]
        return Ranks([RankResult(*row) for row in zip(named, place, low.tolist(), high.tolist(), strict=True)])

    def _runs(self, order: Sequence[str], tier_of: dict[str, int]) -> list[RunResult]:
        s, (least, most) = self.pairs, self.range
        low, high = s.run_ends(self.options.confidence)
        alike = np.bincount(np.concatenate([s.a[~s.significant], s.b[~s.significant]]), minlength=len(self.usable))
        labels = self.runs.labelled.sum(axis=0)
        runs: list[RunResult] = []
        for name in order:
            i, coverage = self.usable.index(name), run_coverage(self.labelled.scores, name)
            value, first, last = (float(np.clip(end, least, most)) for end in (s.values[i], low[i], high[i]))
            runs.append(
                RunResult(
                    run=name, value=value, interval=Interval(first, last, self.options.confidence, "PPI++, Student's t"),
                    tier=tier_of.get(name), not_different=int(alike[i]) if self.every else None, missing=coverage.missing, undefined=0,
                    failed=coverage.failed, declined=coverage.declined, machine=self.machine[name], labels=int(labels[i]),
                )
            )  # fmt: skip
        return runs

    def _without_value(self) -> list[RunResult]:
        """Return the runs with too few labels."""
        runs: list[RunResult] = []
        for name in self.names:
            if name not in self.usable:
                coverage = run_coverage(self.labelled.scores, name)
                runs.append(
                    RunResult(
                        run=name, value=None, interval=None, tier=None, not_different=None, missing=coverage.missing, undefined=0,
                        failed=coverage.failed, declined=coverage.declined, labels=self.units_labelled[name],
                    )
                )  # fmt: skip
        return runs

    def _pair_results(self) -> list[PairResult]:
        tested = iter(range(len(self.pairs.a)))
        return [
            self._pair_result(next(tested)) if {a, b} <= {*self.usable} else self._refused(a, b)
            for a, b in self.named_pairs[0]
        ]

    def _pair_result(self, i: int) -> PairResult:
        s, direction = self.pairs, self.labelled.measure.declaration.higher_is_better
        most, several = self.range[1] - self.range[0], len(s.a) > 1
        a, b, difference = self.usable[s.a[i]], self.usable[s.b[i]], float(s.differences[i])
        p, half = float(s.adjusted_p[i]), float(s.critical * s.errors[i])
        better = None if direction is None or difference == 0 else a if (difference > 0) == direction else b
        low, high = (float(np.clip(end[i], -most, most)) for end in s.ends)
        method = f"PPI++, {TEST}{', max-T' if several else ''}"
        pair = PairResult(
            a=a, b=b, difference=difference, interval=Interval(low, high, self.options.confidence, method), p={TEST: float(s.own_p[i])},
            adjusted={CORRECTION: p} if several else {}, decided_by=p, significant=bool(s.significant[i]), better=better,
            critical=half if 0 < half <= most else None, adjusted_by=CORRECTION if several else NONE,
            machine=self.machine[a] - self.machine[b],
        )  # fmt: skip
        return replace(pair, sentence=self._sentence(pair, float(s.errors[i])))

    def _refused(self, a: str, b: str) -> PairResult:
        """Return a pair of which a run has too few labels."""
        few = [f"{name} has {self.units_labelled[name]}" for name in (a, b) if name not in self.usable]
        why = f"{' and '.join(few)} labelled {self.unit}s, and {MIN_UNITS} are needed"
        return PairResult(a=a, b=b, sentence=f"Cannot say whether {a} or {b} is better: {why}.")

    def _sentence(self, pair: PairResult, error: float) -> str:
        """Say what people would make of a pair, and what the machine makes of it."""
        digits, name = digits_for(error), self.labelled.measure.name
        difference, interval, p = pair.difference, pair.interval, pair.decided_by
        assert difference is not None, "the pair has values"
        assert interval is not None, "and so an interval"
        assert p is not None, "and is tested"
        machine = pair.machine or 0.0
        within = f" within {self.reweight}" if self.reweight else ""
        how = f"PPI++ with λ {self.pairs.weight:.2f}{within}, {TEST}, {self.pairs.resamples:,}"
        how += f", max-T over {counted(len(self.pairs.a), 'pair')}" if len(self.pairs.a) > 1 else ""
        if pair.significant:
            turned = difference < 0
            first, second = (pair.b, pair.a) if turned else (pair.a, pair.b)
            low, high = (-interval.high, -interval.low) if turned else (interval.low, interval.high)
            verb = "is above"
            if pair.better is not None:
                first, second = (pair.a, pair.b) if pair.better == pair.a else (pair.b, pair.a)
                verb = "is better than"
            by = f"{abs(difference):.{digits}f} {name} [{end_of(low, digits)}, {end_of(high, digits)}]"
            by_machine = signed(machine if first == pair.a else -machine, digits)
            agrees = "" if pair.order == "holds" else ", the other way round"
            people = f"by {by} as people would judge"
            return f"{first} {verb} {second} {people}, p {shown_p(p)} ({how}); by {by_machine} for the machine{agrees}."
        ends = f"[{end_of(interval.low, digits)}, {end_of(interval.high, digits)}]"
        text = (
            f"Cannot say whether {pair.a} or {pair.b} is better: they differ by {signed(difference, digits)} {name} {ends} as people would "
            f"judge and by {signed(machine, digits)} for the machine, p {shown_p(p)} ({how})"
        )
        if pair.critical is not None:
            text += f"; with these labels a difference of {pair.critical:.{digits}f} would have been significant"
        return f"{text}."

    def _notes(self) -> list[str]:
        """Return what a reader should know before believing the comparison."""
        s, noun = self.pairs, self.noun
        notes = [*self.labelled.notes]
        left_out = len(self.labelled.scores.topics) - len(self.places)
        if left_out:
            notes.append(f"{left_out} {noun}s are missing, undefined or failed for some run and left out for all")
        few = [name for name in self.names if name not in self.usable]
        if few:
            notes.append(
                f"fewer than {MIN_UNITS} labelled {self.unit}s of {shorten_list(few, MAX_NAMED)}: not compared"
            )
        notes += self._odd_labels()
        widened = int(s.widened.sum())
        if widened:
            notes.append(
                f"in {widened} of {counted(len(s.a), 'pair')} the machine errs about the difference on fewer than {FEW} labels: their "
                "intervals and p-values allow for one more"
            )
        return [*notes, RANDOM.format(noun) + (f", for each value of {self.reweight}" if self.reweight else "")]

    def _odd_labels(self) -> list[str]:
        """Warn of labelled topics that differ from the others beyond chance: in the machine's scores, or in a field."""
        notes: list[str] = []
        within = f", weighed by {self.reweight}" if self.reweight else ""
        for name, here, others, p in zip(self.usable, *self.pairs.judge_gaps(), strict=True):
            if p < ODD:
                notes.append(
                    f"the machine's mean for {name} is {here:.3f} on the labelled {self.noun}s and {others:.3f} on the others{within}, "
                    "which is not chance (p < .001): the labels look chosen, not drawn at random, so no verdict can be relied on"
                )
        for field, gap in self.imbalances().items():
            if field != self.reweight and gap.p < ODD:
                if gap.value is None:
                    how = f"its mean is {gap.labelled:.3g} and {gap.others:.3g}"
                else:
                    how = f"{gap.value} is {gap.labelled:.0%} of the labelled and {gap.others:.0%} of the others"
                notes.append(
                    f"labelled {self.noun}s differ from the others in {field} (p < .001): {how}. Verdicts are about {self.noun}s like the "
                    f"labelled; `reweight={field!r}` weighs these like all"
                )
        return notes

    def imbalances(self) -> dict[str, Imbalance]:
        """Return how labelled topics differ from the others, by field."""
        labelled: Any = self.runs.labelled.any(axis=1)
        clusters = self.runs.clusters
        size = 1.0 if clusters is None else labelled.sum() / len(np.unique(clusters[labelled]))
        fields = [name for name in self.labelled.scores.fields if name != self.labelled.cluster]
        by_field = {name: imbalance(self.labelled.field(name, self.places), labelled, float(size)) for name in fields}
        return {name: gap for name, gap in by_field.items() if gap is not None}
