"""Which run is really better: a score table in, differences with intervals, tests, corrections and tiers out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.measures.declare import Measure
from assay.resampling.columns import compared
from assay.resampling.integers import Floats, Integers
from assay.scoring import scores_of
from assay.stats import corrections, intervals
from assay.stats.decisions import (
    Choices,
    Decisions,
    decide,
    default_resamples,
    range_of,
    significantly_apart,
    smallest_differences,
    topic_differences,
)
from assay.stats.intervals import Interval
from assay.stats.results import Comparison, Moved, PairResult, RunResult
from assay.stats.sentences import sentence
from assay.stats.tiers import RULE, tiers
from assay.table import Scores

MOST_MOVED = 5


def compare(
    scores: Any,
    measure: str | Measure | None = None,
    *,
    runs: Any = None,
    baseline: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    test: str | None = None,
    correct: str | None = None,
    interval: str = "auto",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int | None = None,
    tie: float = 0.0,
    cluster: str | None = "auto",
    threads: int | None = None,
    task: str | None = None,
    **settings: Any,
) -> Comparison:
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
    a, b, every = _pairs(names, columns.sample.values(), by, baseline, pairs)
    return _told(decide(columns, a, b, every, choices))


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
    for run in wanted:
        scores.run(run)
    taking_part = set(wanted)
    names = [run for run in scores.runs if run in taking_part]
    if len(names) < 2:
        raise UsageError(f"a comparison needs at least 2 runs; there is {', '.join(names) or 'none'}")
    return names


def _pairs(
    names: Sequence[str],
    values: Floats,
    measure: Measure,
    baseline: str | None,
    pairs: Sequence[tuple[str, str]] | None,
) -> tuple[Integers, Integers, bool]:
    """Positions of the runs compared, and whether these are all pairs."""
    place = {name: i for i, name in enumerate(names)}
    if pairs is not None:
        found = [(place[x], place[y]) for x, y in pairs]
        every = len({frozenset(pair) for pair in found}) == len(names) * (len(names) - 1) // 2
    elif baseline is not None:
        found = [(i, place[baseline]) for i in _best_first(values, measure) if i != place[baseline]]
        every = len(names) == 2
    elif len(names) == 2:
        found, every = [(1, 0)], True
    else:
        order = _best_first(values, measure)
        found = [(order[i], order[j]) for i in range(len(order)) for j in range(i + 1, len(order))]
        every = True
    table = np.array(found, dtype=np.int64)
    return table[:, 0], table[:, 1], every


def _best_first(values: Floats, measure: Measure) -> list[int]:
    sign = -1.0 if measure.declaration.higher_is_better is False else 1.0
    known = [i for i in range(len(values)) if np.isfinite(values[i])]
    unknown = [i for i in range(len(values)) if not np.isfinite(values[i])]
    return sorted(known, key=lambda i: -sign * float(values[i])) + unknown


def _told(decisions: Decisions) -> Comparison:
    """What was found amounts to this."""
    columns, measure, names, values = decisions.columns, decisions.measure, decisions.columns.runs, decisions.values
    differences, counted = topic_differences(decisions)
    results = [
        _pair_result(decisions, i, None if counted is None else counted[i], _moved(columns.topics, differences, i))
        for i in range(len(decisions.a))
    ]
    order = _best_first(values, measure)
    apart = significantly_apart(decisions)
    grouped = tiers(
        [names[i] for i in order if np.isfinite(values[i])], lambda run, anchor: frozenset((run, anchor)) in apart
    )
    tier_of = {run: number for number, tier in enumerate(grouped, 1) for run in tier}
    lacking = columns.gaps
    return Comparison(
        measure=measure.name,
        noun=columns.noun,
        higher_is_better=measure.declaration.higher_is_better,
        topics=len(columns.topics),
        units=decisions.sample.units,
        left_out=columns.left_out,
        undefined_resamples=decisions.pairs.undefined,
        runs=[
            RunResult(
                run=names[i],
                value=_number(values[i]),
                interval=_inside(decisions.alone.intervals[i], *decisions.range),
                tier=tier_of.get(names[i]),
                missing=lacking[i][0],
                undefined=lacking[i][1],
            )
            for i in order
        ],
        pairs=results,
        tiers=grouped,
        significant=_shares(decisions),
        settings={
            **columns.scores.settings.as_dict(),
            "test": decisions.test.name,
            "correct": decisions.correct,
            "interval": decisions.choices.interval,
            "confidence": decisions.choices.confidence,
            "resamples": decisions.resamples,
            "seed": decisions.choices.seed,
            "tie": decisions.choices.tie,
            "cluster": columns.cluster,
            "tiers": RULE,
        },
        notes=_notes(decisions),
    )


def _shares(decisions: Decisions) -> dict[str, dict[str, float]]:
    """Per test, the share of pairs significant at .01 and .05; corrections over all pairs beside them."""
    levels = {**decisions.p, **{name: decisions.adjusted[name] for name in decisions.nulls}}
    return {
        name: {f"{level:g}": share for level, share in corrections.share_significant(p[decisions.defined]).items()}
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


def _pair_result(decisions: Decisions, i: int, counts: tuple[int, int, int] | None, moved: list[Moved]) -> PairResult:
    one, two = (decisions.columns.runs[int(side[i])] for side in (decisions.a, decisions.b))
    common: dict[str, Any] = {
        "a": one,
        "b": two,
        "measure": decisions.measure.name,
        "topics": len(decisions.columns.topics),
        "noun": f"{decisions.columns.noun}s",
        "how": _how(decisions, bool(decisions.exact[decisions.test.name][i])),
    }
    if not decisions.defined[i]:
        return PairResult(a=one, b=two, sentence=sentence(**common))
    difference = float(decisions.pairs.estimates[i])
    direction = decisions.measure.declaration.higher_is_better
    better = None
    if direction is not None and difference != 0:
        better = one if (difference > 0) == direction else two
    width = decisions.span
    critical, detectable = smallest_differences(decisions, i)
    decided = float(decisions.deciding[i])
    told: dict[str, Any] = {
        "difference": difference,
        "interval": _inside(decisions.pairs.intervals[i], None if width is None else -width, width),
        "significant": decided < decisions.choices.alpha,
        "better": better,
        "critical": critical,
        "detectable": detectable,
    }
    won, tied, lost = counts or (None, None, None)
    return PairResult(
        a=one,
        b=two,
        p={name: float(p[i]) for name, p in decisions.p.items()},
        exact=any(bool(exact[i]) for exact in decisions.exact.values()),
        adjusted={name: float(p[i]) for name, p in decisions.adjusted.items()},
        decided_by=decided,
        won=won,
        tied=tied,
        lost=lost,
        moved=moved,
        sentence=sentence(
            **common,
            **told,
            error=_number(decisions.pairs.errors[i]),
            p=decided,
            counts=counts,
            possible=decisions.can_be_significant,
        ),
        **told,
    )


def _how(decisions: Decisions, exact: bool) -> str:
    """The test and the correction, in words."""
    correct, pairs = corrections.declared().get(decisions.corrected_by), len(decisions.a)
    if correct is not None and correct.name in decisions.nulls:
        return f"{correct.label} over all pairs, {decisions.resamples:,}"
    named = decisions.test.label
    if decisions.test.resampled:
        named += ", exact" if exact else f", {decisions.resamples:,}"
    return named if correct is None or pairs == 1 else f"{named}, {correct.label} over {pairs} pairs"


def _moved(topics: Sequence[str], differences: Any, i: int) -> list[Moved]:
    if differences is None:
        return []
    column = differences[:, i]
    largest = np.argsort(-np.abs(column), kind="stable")[:MOST_MOVED]
    return [Moved(topics[int(t)], float(column[t])) for t in largest if column[t] != 0]


def _notes(decisions: Decisions) -> list[str]:
    """What a careful reader would want to know."""
    notes: list[str] = []
    noun, left_out = decisions.columns.noun, decisions.columns.left_out
    boot, pairs, alpha, resamples = decisions.pairs, len(decisions.a), decisions.choices.alpha, decisions.resamples
    if left_out:
        notes.append(f"{left_out} {noun}s are missing or undefined for some run and left out for all")
    if boot.undefined:
        notes.append(f"{boot.undefined} of {boot.resamples} resamples had an undefined value and are left out")
    if any(interval is not None and interval.method == "t" for interval in boot.intervals):
        notes.append(f"some intervals are Student's t: too few {noun}s differ for a bootstrap")
    sampled = decisions.test.resampled and not decisions.exact[decisions.test.name].all()
    if decisions.correct == "holm" and sampled and pairs / (resamples + 1) >= alpha:
        notes.append(
            f"with {pairs} pairs and {resamples} resamples no Holm-adjusted p can fall below {alpha:g}; "
            f"use tukey, bh or {ceil(pairs / alpha)} resamples"
        )
    return notes


def run_intervals(
    scores: Scores, measure: str | Measure, *, confidence: float = 0.95, method: str = "auto",
    resamples: int | None = None, seed: int | None = None, cluster: str | None = "auto", threads: int | None = None,
) -> dict[str, Interval | None]:  # fmt: skip
    """The interval of every run's own number, as `assay evaluate --intervals` prints it; None where the topics are too few."""
    wanted = scores.measure(measure)
    found: dict[str, Interval | None] = {}
    for run in scores.runs:
        value = scores.value(run, wanted)
        if value.value is None:
            found[run] = None
            continue
        try:
            sample = compared(scores, wanted, [run], cluster).sample
        except InputError:  # fewer than 2 topics or clusters: a number, but no interval
            found[run] = None
            continue
        result = intervals.bootstrap(
            sample, [0], method=method, confidence=confidence, resamples=resamples or default_resamples(sample),
            threads=threads, seed=scores.settings.seed if seed is None else seed,
        )  # fmt: skip
        found[run] = _inside(result.intervals[0], *range_of(wanted, result.estimates))
    return found
