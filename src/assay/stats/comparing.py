"""Which run is really better: a score table in, differences with intervals, tests, corrections and tiers out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.measures.declare import Measure
from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.columns import compared
from assay.scoring import scores_of
from assay.stats import corrections, intervals
from assay.stats.decisions import TIER_RULE, Choices, Decisions, default_resamples, range_of
from assay.stats.intervals import Interval
from assay.stats.results import Comparison, Moved, PairResult, RunResult, sentence
from assay.table import Scores

MOST_MOVED = 5


def compare(
    scores: Any, measure: str | Measure | None = None, *, runs: Any = None, baseline: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None, test: str | None = None, correct: str | None = None,
    interval: str = "auto", confidence: float = 0.95, resamples: int | None = None, seed: int | None = None,
    tie: float = 0.0, cluster: str | None = "auto", threads: int | None = None, task: str | None = None, **settings: Any,
) -> Comparison:  # fmt: skip
    """Compare runs by one measure, paired by topic: all pairs, or against a baseline, or the pairs named.

    Every difference is a - b: the second of two runs minus the first, a run minus the baseline, the better minus the worse.

    scores       a score table; or gold, as `assay.evaluate` takes it
    measure      what is compared; the task's headline measure where left out
    runs         the names of those that take part, all where left out; with gold, the runs themselves
    baseline     the run every other is compared with
    pairs        the pairs to compare, by name
    test         the test that decides; all that apply are computed: randomisation, bootstrap, t, wilcoxon, sign, mcnemar
    correct      for many pairs: holm, bh, tukey, none; tukey for all pairs, holm otherwise, where left out
    interval     studentised, bca, percentile; auto is studentised up to 2,000 topics, percentile beyond
    confidence   of the intervals; significant is below 1 - confidence
    resamples    of the bootstrap, exchanges and shuffles: 10,000, or 2,000 for measures that need all topics at once
    seed         of all that is random; that of the table where left out
    tie          differences smaller than this are ties of the sign test
    cluster      the field of topics that are resampled together; auto is `cluster` where the gold has one; None
    threads      all cores where left out; the numbers do not depend on it
    task         with gold: the kind of evaluation, detected where left out
    settings     with gold: choices of the task, as `missing` or `depth`

    >>> from assay.score_files import scores
    >>> values = [[0.1 * i, 0.1 * i + 0.2] for i in range(6)]
    >>> pair = compare(scores(values, runs=["old", "new"])).pairs[0]
    >>> pair.a, pair.b, round(pair.difference, 6), pair.p["randomisation"]
    ('new', 'old', 0.2, 0.03125)
    """
    given = isinstance(scores, Scores)
    wanted = None if measure is None else [measure]
    table = scores_of(scores, None if given else runs, wanted, task=task, **settings)
    choices = Choices(
        test=test, correct=correct, interval=interval, confidence=confidence, resamples=resamples,
        seed=table.settings.seed if seed is None else seed, tie=tie, threads=threads,
    )  # fmt: skip
    by = headline(table) if measure is None else table.measure(measure)
    names = _runs(table, runs if given else None, baseline, pairs)
    columns = compared(table, by, names, cluster)
    a, b, every = _pairs(names, _best_first(columns.sample.values(), by), baseline, pairs)
    return _told(Decisions(columns, a, b, every, choices))


def headline(scores: Scores) -> Measure:
    """The measure that is compared unless another is named: the task's own, else the first that has better and worse."""
    own = [m for m in scores.measures if m.name == scores.task.headline]
    directed = [m for m in scores.measures if m.declaration.higher_is_better is not None]
    found = [*own, *directed, *scores.measures]
    if not found:
        raise UsageError("no measure to compare by; `measure` names one")
    return found[0]


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
    """Positions of the runs compared, given those of the best first; and whether these are all pairs."""
    place = {name: i for i, name in enumerate(names)}
    every = len(names) * (len(names) - 1) // 2
    if pairs is not None:
        found = [(place[x], place[y]) for x, y in pairs]
    elif baseline is not None:
        found = [(i, place[baseline]) for i in order if i != place[baseline]]
    else:
        found = [(1, 0)] if len(names) == 2 else list(combinations(order, 2))
    table = np.array(found, dtype=np.int64)
    return table[:, 0], table[:, 1], len(found) == every


def _best_first(values: Floats, measure: Measure) -> list[int]:
    """Positions of the runs; those without a value last."""
    turned = -values if measure.declaration.higher_is_better is False else values
    return np.argsort(np.where(np.isfinite(turned), -turned, np.inf), kind="stable").tolist()


def _told(d: Decisions) -> Comparison:
    """What was found amounts to this."""
    columns, measure, names, values = d.columns, d.measure, d.columns.runs, d.values
    differences, counted = d.topic_differences()
    pairs = [
        _pair_result(
            d, i, (None, None, None) if counted is None else counted[i], _moved(columns.topics, differences, i)
        )
        for i in range(len(d.a))
    ]
    order = _best_first(values, measure)
    tiers = d.tiers([i for i in order if np.isfinite(values[i])])
    tier_of = {run: number for number, tier in enumerate(tiers, 1) for run in tier}
    lacking = columns.gaps
    runs = [
        RunResult(
            run=names[i], value=_number(values[i]), interval=_inside(d.alone.intervals[i], *d.range),
            tier=tier_of.get(names[i]), missing=lacking[i][0], undefined=lacking[i][1],
        )
        for i in order
    ]  # fmt: skip
    settings = {
        **columns.scores.settings.as_dict(),
        "test": d.test.name, "correct": d.correct, "interval": d.choices.interval, "confidence": d.choices.confidence,
        "resamples": d.resamples, "seed": d.choices.seed, "tie": d.choices.tie, "cluster": columns.cluster,
        "tiers": TIER_RULE,
    }  # fmt: skip
    return Comparison(
        measure=measure.name, noun=columns.noun, higher_is_better=measure.declaration.higher_is_better,
        topics=len(columns.topics), units=d.sample.units, left_out=columns.left_out, undefined_resamples=d.pairs.undefined,
        runs=runs, pairs=pairs, tiers=tiers, significant=_shares(d), settings=settings, notes=_notes(d),
    )  # fmt: skip


def _shares(d: Decisions) -> dict[str, dict[str, float]]:
    """Per test, the share of pairs significant at .01 and .05; corrections over all pairs beside them."""
    levels = {name: found.p for name, found in d.levels.items()} | {name: d.adjusted[name] for name in d.nulls}
    return {
        name: {f"{level:g}": share for level, share in corrections.share_significant(p[d.defined]).items()}
        for name, p in levels.items()
    }


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _inside(interval: Interval | None, low: float | None, high: float | None) -> Interval | None:
    """The interval, cut where the measure's own range ends: no AP is below 0, whatever a standard error says."""
    if interval is None or not np.isfinite([interval.low, interval.high]).all():
        return None
    lowest, highest = -np.inf if low is None else low, np.inf if high is None else high
    ends = min(max(interval.low, lowest), highest), max(min(interval.high, highest), lowest)
    return replace(interval, low=float(ends[0]), high=float(ends[1]))


def _pair_result(d: Decisions, i: int, counts: Sequence[int | None], moved: list[Moved]) -> PairResult:
    one, two = (d.columns.runs[int(side[i])] for side in (d.a, d.b))
    pair = PairResult(a=one, b=two)
    if d.defined[i]:
        difference, decided = float(d.pairs.estimates[i]), float(d.deciding[i])
        direction = d.measure.declaration.higher_is_better
        better = None
        if direction is not None and difference != 0:
            better = one if (difference > 0) == direction else two
        width = d.span
        critical, detectable = d.smallest_differences(i)
        won, tied, lost = counts
        pair = PairResult(
            a=one, b=two, difference=difference,
            interval=_inside(d.pairs.intervals[i], None if width is None else -width, width),
            p={name: float(found.p[i]) for name, found in d.levels.items()},
            exact=any(bool(found.exact[i]) for found in d.levels.values()),
            adjusted={name: float(p[i]) for name, p in d.adjusted.items()}, decided_by=decided,
            significant=decided < d.choices.alpha, better=better, won=won, tied=tied, lost=lost, moved=moved,
            critical=critical, detectable=detectable,
        )  # fmt: skip
    said = sentence(
        pair, measure=d.measure.name, topics=len(d.columns.topics), noun=f"{d.columns.noun}s", how=_how(d, i),
        error=_number(d.pairs.errors[i]), possible=d.can_be_significant,
    )  # fmt: skip
    return replace(pair, sentence=said)


def _how(d: Decisions, i: int) -> str:
    """The test and the correction, in words."""
    correct, pairs = corrections.declared().get(d.corrected_by), len(d.a)
    if correct is not None and correct.name in d.nulls:
        return f"{correct.label} over all pairs, {d.resamples:,}"
    named = d.test.label
    if d.test.resampled:
        named += ", exact" if d.levels[d.test.name].exact[i] else f", {d.resamples:,}"
    return named if correct is None or pairs == 1 else f"{named}, {correct.label} over {pairs} pairs"


def _moved(topics: Sequence[str], differences: Any, i: int) -> list[Moved]:
    if differences is None:
        return []
    column = differences[:, i]
    largest = np.argsort(-np.abs(column), kind="stable")[:MOST_MOVED]
    return [Moved(topics[int(t)], float(column[t])) for t in largest if column[t] != 0]


def _notes(d: Decisions) -> list[str]:
    """What a careful reader would want to know."""
    notes: list[str] = []
    noun, left_out = d.columns.noun, d.columns.left_out
    boot, pairs, alpha, resamples = d.pairs, len(d.a), d.choices.alpha, d.resamples
    if left_out:
        notes.append(f"{left_out} {noun}s are missing or undefined for some run and left out for all")
    if boot.undefined:
        notes.append(f"{boot.undefined} of {resamples} resamples had an undefined value and are left out")
    if any(interval is not None and interval.method == "t" for interval in boot.intervals):
        notes.append(f"some intervals are Student's t: too few {noun}s differ for a bootstrap")
    sampled = d.test.resampled and not d.levels[d.test.name].exact.all()
    if d.correct == "holm" and sampled and pairs / (resamples + 1) >= alpha:
        notes.append(
            f"with {pairs} pairs and {resamples} resamples no Holm-adjusted p can fall below {alpha:g}; "
            f"use tukey, bh or {ceil(pairs / alpha)} resamples"
        )
    return notes


def run_intervals(scores: Scores, measure: str | Measure) -> dict[str, Interval | None]:
    """The 95% interval of every run's own number, as `assay evaluate --intervals` prints it; None where the topics are too few.

    scores    the table
    measure   one of its measures
    """
    wanted = scores.measure(measure)
    found: dict[str, Interval | None] = dict.fromkeys(scores.runs)
    for run in scores.runs:
        if scores.value(run, wanted).value is None:
            continue
        try:
            sample = compared(scores, wanted, [run]).sample
        except InputError:  # fewer than 2 topics or clusters: a number, but no interval
            continue
        result = intervals.bootstrap(sample, [0], resamples=default_resamples(sample), seed=scores.settings.seed)
        found[run] = _inside(result.intervals[0], *range_of(wanted, result.estimates))
    return found
