"""Which run is really better: a score table in, differences with intervals, tests, corrections and tiers out."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from assay.analyses.comparison.notes import notes_of
from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.pair_statistics import FLIPPED, PairStatistics
from assay.analyses.comparison.result import (
    Comparison,
    Equivalence,
    PairColumns,
    PairResult,
    RunResult,
    TopicChange,
    sentence,
)
from assay.analyses.comparison.run_intervals import intervals_of
from assay.analyses.suites.macro_columns import headline_columns
from assay.analyses.suites.suite import suite
from assay.errors import UsageError
from assay.figures.common import headline
from assay.measures.measure import Measure
from assay.parallel.executors import lent
from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.columns import Columns
from assay.resampling.macro_means import MacroColumns
from assay.scoring.evaluate import scores_of
from assay.settings import NOT_NEGATIVE, checked
from assay.stats import multiple_comparisons
from assay.stats.bootstrap_intervals import Interval
from assay.stats.tiers import TIER_MEANING, TIER_RULE
from assay.table.scores import Scores

MOST_MOVED = 5


def compare(
    scores: Any, measure: str | Measure | None = None, *, runs: Any = None, baseline: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None, test: str | None = None, correct: str | None = None,
    interval: str = "auto", confidence: float = 0.95, resamples: int | None = None, seed: int | None = None,
    tie: float = 0.0, margin: float | None = None, equivalence: float | None = None,
    family: Sequence[str | Measure] | None = None, probabilities: bool = False, growing: bool = False,
    cluster: str | None = "auto", threads: int | None = None, executor: Executor | None = None,
    task: str | None = None, **settings: Any,
) -> Comparison:  # fmt: skip
    """Compare runs by one measure, paired by topic: all pairs, or against a baseline, or the pairs named.

    Runs of a suite are compared by the macro mean over tasks, in which each task weighs the same; `assay.compare_by` compares
    within each task.

    Every difference is a - b: the second of two runs minus the first, a run minus the baseline, the better minus the worse.

    scores       a score table; or gold, as `assay.evaluate` takes it
    measure      what is compared; the task's headline measure where left out
    runs         the names of those that take part, all where left out; with gold, the runs themselves
    baseline     the run every other is compared with, and no others: there are then no tiers, which need all pairs
    pairs        the pairs to compare, by name; no tiers unless these are all pairs of their runs
    test         the test that decides; all that apply are computed: randomisation, bootstrap, t, wilcoxon, sign, mcnemar
    correct      for many pairs: maxt, stepdown, holm, bh, tukey, none; where left out maxt, or holm for a test without flips
    interval     auto is the interval of the test that decides; shift, studentised and percentile are the bootstrap's, and
                 its p then decides
    confidence   of the intervals; significant is a p of at most 1 - confidence
    resamples    of sign flips, bootstrap and shuffles: 10,000; of the bootstrap of measures that need all topics at once 2,000
    seed         of all that is random; that of the table where left out
    tie          differences smaller than this are ties of the sign test
    margin       how much worse a run may be: every pair is then non-inferior, inferior or undecided
    equivalence  how far apart two runs may be that are the same: tested by two one-sided tests
    family       measures tested together with this one: p-values and intervals hold for all of them at once
    probabilities   with the probability that a is better than b, by a hierarchical model of topics and runs
    growing      with intervals that may be looked at after every topic of a growing log, topics in the order of their ids
    cluster      the field of topics that are resampled together; auto is `cluster` where the gold has one; None
    threads      all cores where left out; the numbers do not depend on it
    executor     any concurrent.futures.Executor: its workers score the runs, with gold, and resample; nor on this
    task         with gold: the kind of evaluation, detected where left out
    settings     with gold: choices of the task, as `missing` or `depth`

    >>> from assay.scoring.score_files import scores
    >>> values = [[0.1 * i, 0.1 * i + 0.2] for i in range(6)]
    >>> pair = compare(scores(values, runs=["old", "new"])).pairs[0]
    >>> pair.a, pair.b, round(pair.difference, 6), pair.p["randomisation"]
    ('new', 'old', 0.2, 0.03125)
    """
    given = isinstance(scores, Scores)
    wanted = None if measure is None else [measure]
    table = scores_of(scores, None if given else runs, wanted, task=task, executor=executor, **settings)
    choices = ComparisonOptions(
        test=test, correct=correct, interval=interval, confidence=confidence, resamples=resamples,
        seed=table.settings.seed if seed is None else seed, tie=tie, threads=threads,
    )  # fmt: skip
    for name, value in (("margin", margin), ("equivalence", equivalence)):
        if value is not None:
            checked(name, value, NOT_NEGATIVE)
    by = headline(table) if measure is None else table.measure(measure)
    if margin is not None and by.declaration.higher_is_better is None:
        raise UsageError(f"`margin={margin}`: {by.name} has no better and worse, so there is nothing to be inferior in")
    names = _runs(table, runs if given else None, baseline, pairs)
    columns = headline_columns(table, by, names, cluster)
    others = [
        headline_columns(table, table.measure(other), names, cluster)
        for other in family or ()
        if table.measure(other) != by
    ]
    a, b, every = _pairs(names, _best_first(columns.resampler.values(), by), baseline, pairs)
    with lent(executor):
        decisions = PairStatistics(columns, a, b, every, choices, others)
        margins = Margins(decisions, margin, equivalence)
        found = _told(decisions, _intervals(columns, choices), margins, others)
    return _beside(found, decisions, probabilities, growing) if probabilities or growing else found


def compare_many(scores: Scores, measure: Measure, *, correct: str | None = None, first: int) -> Comparison:
    """All pairs of many runs as `compare` has them by default, every pair in columns and the `first` ones in words: half a
    million pairs are no objects. Tests and corrections that decide nothing are left out.

    scores    the table
    measure   one of its measures
    correct   as `compare` takes it
    first     how many pairs, from the best runs' on, are told as `compare` tells them
    """
    choices = ComparisonOptions(
        test=None, correct=correct, interval="auto", confidence=0.95, resamples=None, seed=scores.settings.seed, tie=0.0,
        threads=None,
    )  # fmt: skip
    names = _runs(scores, None, None, None)
    columns = headline_columns(scores, measure, names)
    # Before there are any flips: of a thousand runs either fills as much memory as the rest of a report.
    ends = _intervals(columns, choices)
    a, b, every = _pairs(names, _best_first(columns.resampler.values(), measure), None, None)
    d = PairStatistics(columns, a, b, every, choices, brief=True)
    return replace(_told(d, ends, Margins(d, None, None), (), min(first, len(a))), every=_columns(d))


def _columns(d: PairStatistics) -> PairColumns:
    most = np.inf if d.span is None else d.span
    low, high = np.maximum(d.low, -most), np.minimum(d.high, most)
    known = np.isfinite(low) & np.isfinite(high)
    return PairColumns(
        a=d.a, b=d.b, difference=d.estimates, low=np.where(known, low, np.nan), high=np.where(known, high, np.nan),
        p=d.deciding, methods=(_method(d),) if known.any() else (), adjusted=d.corrected_by != multiple_comparisons.NONE,
    )  # fmt: skip


def _beside(found: Comparison, d: PairStatistics, probabilities: bool, growing: bool) -> Comparison:
    """The comparison with what else was asked for."""
    from assay.analyses.comparison import probability_and_growing

    chances = probability_and_growing.probabilities(d).tolist() if probabilities else [None] * len(found.pairs)
    looks = probability_and_growing.growing(d) if growing else [None] * len(found.pairs)
    told = zip(found.pairs, chances, looks, strict=True)
    return replace(found, pairs=[replace(pair, probability=p, growing=look) for pair, p, look in told])


def _runs(
    scores: Scores, runs: Sequence[str] | None, baseline: str | None, pairs: Sequence[tuple[str, str]] | None
) -> list[str]:
    """The runs that take part, each once, in the table's order."""
    wanted = list(runs) if runs is not None else list(scores.runs)
    if pairs is not None:
        if baseline is not None:
            raise UsageError(f"`baseline={baseline!r}`: give a baseline or the pairs to compare, not both")
        if any(isinstance(pair, str) or len(pair) != 2 for pair in pairs):
            raise UsageError(f"`pairs={pairs!r}`: expected two names of runs in each, as in [('new', 'old')]")
        wanted = [run for pair in pairs for run in pair]
        seen: set[frozenset[str]] = set()
        for a, b in pairs:
            if a == b:
                raise UsageError(f"{a}:{b} compares a run with itself")
            if frozenset((a, b)) in seen:
                raise UsageError(f"the runs of {a}:{b} are named as a pair already; a pair counts once in a correction")
            seen.add(frozenset((a, b)))
    if baseline is not None:
        wanted.append(baseline)
    taking_part = {scores.run(run).name for run in wanted}
    names = [run for run in scores.runs if run in taking_part]
    if len(names) < 2:
        raise UsageError(f"a comparison needs at least 2 runs; there is {', '.join(names) or 'none'}")
    return names


def _pairs(
    names: Sequence[str], order: Sequence[int], baseline: str | None, pairs: Sequence[tuple[str, str]] | None
) -> tuple[Integers, Integers, bool]:
    """Positions of the runs compared, given those of the best first; and whether all pairs were asked for."""
    place = {name: i for i, name in enumerate(names)}
    every = len(names) * (len(names) - 1) // 2
    if pairs is not None:
        found = [(place[x], place[y]) for x, y in pairs]
    elif baseline is not None:
        found = [(i, place[baseline]) for i in order if i != place[baseline]]
    else:
        found = [(1, 0)] if len(names) == 2 else list(combinations(order, 2))
    table = np.array(found, dtype=np.int64)
    return table[:, 0], table[:, 1], baseline is None and len(found) == every


def _best_first(values: Floats, measure: Measure) -> list[int]:
    """Positions of the runs; those without a value last."""
    turned = -values if measure.declaration.higher_is_better is False else values
    return np.argsort(np.where(np.isfinite(turned), -turned, np.inf), kind="stable").tolist()


class Margins:
    """What the intervals say of margins: whether a run is worse than another by more, and whether two differ by less."""

    def __init__(self, d: PairStatistics, margin: float | None, equivalence: float | None) -> None:
        self._decisions, self.margin, self.within = d, margin, equivalence
        if equivalence is not None and d.choices.alpha >= 0.5:
            raise UsageError(
                f"`equivalence={equivalence}`: two one-sided tests need a confidence above .5, not "
                f"`confidence={d.choices.confidence}`"
            )
        self._sign = -1.0 if d.measure.declaration.higher_is_better is False else 1.0
        self._level = 2 * d.choices.alpha
        self._ends = (d.low, d.high)
        self._narrow = d.ends(self._level) if equivalence is not None else None

    def gate(self, i: int) -> str | None:
        """Positive is better: non-inferior above -margin, inferior below it, undecided on both sides of it."""
        if self.margin is None:
            return None
        ends = self._within(self._ends, i)
        if ends is None:
            return "undecided"
        low, high = sorted(self._sign * end for end in ends)
        return "non-inferior" if low > -self.margin else "inferior" if high < -self.margin else "undecided"

    def equivalence(self, i: int) -> Equivalence | None:
        """Two one-sided tests at α are a two-sided interval at 2α that lies within the margin."""
        if self._narrow is None or self.within is None:
            return None
        ends = self._within(self._narrow, i)
        same = ends is not None and -self.within < ends[0] and ends[1] < self.within
        return Equivalence(self.within, ends, round(1 - self._level, 12), same)

    def _within(self, ends: tuple[Floats, Floats], i: int) -> tuple[float, float] | None:
        return _within_range(self._decisions, float(ends[0][i]), float(ends[1][i]))


def _intervals(columns: Columns, choices: ComparisonOptions) -> list[Interval | None]:
    """Of every run's own number, as the choices for its pairs have them; of a macro mean as `suite` has it."""
    if isinstance(columns, MacroColumns):
        table = columns.scores.with_runs(map(columns.scores.run, columns.runs)).restricted(columns.topics)
        found = suite(
            table, columns.measure, confidence=choices.confidence, resamples=choices.resamples, cluster=columns.cluster,
            threads=choices.threads,
        )  # fmt: skip
        return [found.run(run).interval for run in columns.runs]
    return intervals_of(
        columns, confidence=choices.confidence, resamples=choices.resamples or 10_000, seed=choices.seed,
        threads=choices.threads,
    )  # fmt: skip


def _told(
    d: PairStatistics,
    ends: Sequence[Interval | None],
    margins: Margins,
    others: Sequence[Columns],
    first: int | None = None,
) -> Comparison:
    """What was found amounts to this, with the intervals of the runs; `first` is how many pairs are told, all where left out."""
    columns, measure, names, values = d.columns, d.measure, d.columns.runs, d.values
    differences, counted = d.topic_differences(first)
    entering = np.ones(len(d.a)) if measure.average == "sum" else d.resampler.topics_entering(d.a[:first], d.b[:first])
    pairs: list[PairResult] = []
    for i in range(len(d.a) if first is None else first):
        counts = (None, None, None) if counted is None else counted[i]
        same = differences is not None and not differences[:, i].any()
        moved = (
            ([], 0)
            if differences is None
            else _moved(columns.topics, differences[:, i] * entering[..., i], d.choices.tie)
        )
        pairs.append(_pair_result(d, i, counts, moved, margins, same))
    order = _best_first(values, measure)
    tiers = d.tiers([i for i in order if np.isfinite(values[i])]) if d.every else None
    tier_of = {run: number for number, tier in enumerate(tiers or (), 1) for run in tier}
    lacking = columns.gaps
    runs = [
        RunResult(
            run=names[i], value=_number(values[i]), interval=ends[i], tier=tier_of.get(names[i]), missing=lacking[i][0],
            undefined=lacking[i][1],
        )
        for i in order
    ]  # fmt: skip
    settings = {
        **columns.scores.settings.as_dict(),
        "test": d.test.name, "correct": d.correct, "interval": d.choices.interval, "confidence": d.choices.confidence,
        "resamples": d.made, "seed": d.choices.seed, "tie": d.choices.tie, "cluster": columns.cluster,
        "margin": margins.margin, "equivalence": margins.within,
        "family": [measure.name, *(other.measure.name for other in others)],
        "tiers": f"{TIER_RULE}: {TIER_MEANING}" if d.every else None,
    }  # fmt: skip
    return Comparison(
        measure=measure.name, average=columns.average, noun=columns.noun, higher_is_better=measure.declaration.higher_is_better,
        topics=len(columns.topics), units=d.resampler.units, left_out=columns.left_out,
        extent=columns.scores.extent(names, columns.places.tolist()), runs=runs, pairs=pairs, tiers=tiers,
        significant=_shares(d), settings=settings, notes=notes_of(d),
    )  # fmt: skip


def _shares(d: PairStatistics) -> dict[str, dict[str, float]]:
    """Per test, the share of pairs significant at .01 and .05; corrections of all pairs at once beside them."""
    together = [
        name for name in d.adjusted if multiple_comparisons.declared()[name].of != multiple_comparisons.P_VALUES
    ]
    levels = {**d.levels, **{name: d.adjusted[name] for name in together}}
    return {
        name: {
            f"{level:g}": share for level, share in multiple_comparisons.share_significant(p[np.isfinite(p)]).items()
        }
        for name, p in levels.items()
    }


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _numbers(found: dict[str, Floats], i: int) -> dict[str, float]:
    return {name: float(p[i]) for name, p in found.items() if np.isfinite(p[i])}


def _pair_result(
    d: PairStatistics,
    i: int,
    counts: Sequence[int | None],
    moved: tuple[list[TopicChange], int],
    margins: Margins,
    same: bool,
) -> PairResult:
    one, two = (d.columns.runs[int(side[i])] for side in (d.a, d.b))
    pair = PairResult(a=one, b=two)
    if d.defined[i]:
        difference = float(d.estimates[i])
        direction = d.measure.declaration.higher_is_better
        better = None
        if direction is not None and difference != 0:
            better = one if (difference > 0) == direction else two
        critical, detectable = d.smallest_differences(i)
        won, tied, lost = counts
        pair = PairResult(
            a=one, b=two, difference=difference, interval=_interval(d, i), p=_numbers(d.levels, i),
            exact=d.flips.every and bool(d.testable[i]), adjusted=_numbers(d.adjusted, i),
            decided_by=_number(d.deciding[i]), significant=bool(d.significant[i]), better=better, won=won, tied=tied,
            lost=lost, moved=moved[0], as_much=moved[1], critical=critical, detectable=detectable,
            adjusted_by=d.corrected_by, size=_number(d.size[i]), gate=margins.gate(i), equivalence=margins.equivalence(i),
        )  # fmt: skip
    said = sentence(
        pair, measure=_named(d), topics=len(d.columns.topics), noun=f"{d.columns.noun}s", how=_how(d),
        error=_spread(d, i), least_p=float(d.least_p[i]), alpha=d.choices.alpha, refusal=_refused(d, i),
        same=same,
    )  # fmt: skip
    return replace(pair, sentence=said)


def _named(d: PairStatistics) -> str:
    """What the differences are of."""
    return f"{d.measure.name} ({d.columns.average})" if d.columns.average else d.measure.name


def _spread(d: PairStatistics, i: int) -> float | None:
    """The standard error, which differences that are all equal have none of."""
    error = float(d.pairs.errors[i])
    return error if error > 1e-9 * abs(float(d.estimates[i])) else None


def _refused(d: PairStatistics, i: int) -> str | None:
    equal = f"all {len(d.columns.topics)} differences are equal, of which the {d.test.name} test can make nothing"
    return d.refusals[i] or f"{equal}; use randomisation"


def _interval(d: PairStatistics, i: int) -> Interval | None:
    """The interval, cut where the measure's own range ends: no AP is below 0, whatever a standard error says."""
    ends = _within_range(d, float(d.low[i]), float(d.high[i]))
    if ends is None:
        return None
    return Interval(*ends, d.choices.confidence, _method(d))


def _method(d: PairStatistics) -> str:
    """By which the intervals of differences are made."""
    method = d.test.label if d.choices.interval == "auto" else f"{d.choices.interval} bootstrap"
    correction = multiple_comparisons.declared().get(d.corrected_by)
    if correction is None:
        return method
    return correction.label if correction.of == multiple_comparisons.RUNS else f"{method}, {correction.label}"


def _within_range(d: PairStatistics, low: float, high: float) -> tuple[float, float] | None:
    """The ends of a difference as far as the measure's range has room for it; None where there are none."""
    most = np.inf if d.span is None else d.span
    ends = max(low, -most), min(high, most)
    return ends if np.isfinite(ends).all() else None


def _how(d: PairStatistics) -> str:
    """The test and the correction, in words."""
    correct, pairs = multiple_comparisons.declared().get(d.corrected_by), len(d.a)
    if correct is not None and correct.of == multiple_comparisons.RUNS:
        return f"{correct.label} over all pairs, {d.resamples:,}"
    named = d.test.label
    if d.test.resampled:
        named += ", exact" if d.flips.every and d.test.needs == FLIPPED else f", {d.made:,}"
    if correct is None:
        return named
    measures = f" of {1 + len(d.others)} measures" if d.others else ""
    return f"{named}, {correct.label} over {pairs} pair{'s' if pairs != 1 else ''}{measures}"


def _moved(topics: Sequence[str], changes: Floats, tie: float) -> tuple[list[TopicChange], int]:
    """Return the topics with the largest changes, and how many others change as much as the last of them; ties are left out."""
    sizes = np.abs(changes)
    largest = np.argsort(-sizes, kind="stable")[:MOST_MOVED]
    listed: list[int] = largest[(sizes[largest] > 0) & (sizes[largest] >= tie)].tolist()
    if not listed:
        return [], 0
    as_much = int(np.count_nonzero(sizes >= sizes[listed[-1]] * (1 - 1e-9)))
    return [TopicChange(topics[t], float(changes[t])) for t in listed], max(as_much - len(listed), 0)
