"""Which run is really better: a score table in, differences with intervals, tests, corrections and tiers out."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np

from assay.errors import InputError, UsageError
from assay.stats import corrections, intervals
from assay.stats.evidence import (
    Choices,
    can_be_significant,
    default_resamples,
    gather,
    limits,
    significantly_apart,
    smallest_differences,
    span,
    topic_differences,
)
from assay.stats.results import Comparison, Moved, PairResult, RunResult, sentence
from assay.stats.tables import gaps, prepare
from assay.stats.tiers import RULE, tiers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.measures.declare import Measure
    from assay.stats.evidence import Evidence
    from assay.stats.exact import Floats, Integers
    from assay.stats.intervals import Interval
    from assay.table import Scores

MOST_MOVED = 5


def compare(
    scores: Scores,
    measure: str | Measure | None = None,
    *,
    baseline: str | None = None,
    runs: Sequence[str] | None = None,
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
) -> Comparison:
    """Compare runs by one measure, paired by topic.

    Against a `baseline`, in the `pairs` named, or all pairs. Two runs without a baseline: the second against the first.
    Every difference is a - b; against a baseline b is the baseline.

    >>> from assay.formats.matrix import Matrix
    >>> from assay.score_files import scores_of_matrix
    >>> table = Matrix(["1", "2", "3", "4", "5", "6"], ["old", "new"], [[0.1 * i, 0.1 * i + 0.2] for i in range(6)])
    >>> result = compare(scores_of_matrix(table))
    >>> pair = result.pairs[0]
    >>> pair.a, pair.b, round(pair.difference, 6), pair.p["randomisation"]
    ('new', 'old', 0.2, 0.03125)
    """
    choices = Choices(
        test, correct, interval, confidence, resamples, scores.settings.seed if seed is None else seed, tie, threads
    )
    wanted = scores.measures[0] if measure is None and scores.measures else scores.measure(measure or "")
    names = _runs(scores, runs, baseline, pairs)
    prepared = prepare(scores, wanted, names, cluster)
    a, b, every = _pairs(names, prepared.sample.values(), wanted, baseline, pairs)
    return _told(gather(wanted, names, prepared, a, b, every, choices), scores)


def _runs(
    scores: Scores, runs: Sequence[str] | None, baseline: str | None, pairs: Sequence[tuple[str, str]] | None
) -> list[str]:
    """The runs that take part, each once, in the table's order."""
    wanted = list(runs) if runs is not None else list(scores.runs)
    if pairs is not None:
        if baseline is not None:
            raise UsageError("give a baseline or the pairs to compare, not both")
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


def _told(evidence: Evidence, scores: Scores) -> Comparison:
    """What the evidence amounts to."""
    prepared, sample, measure, names = evidence.prepared, evidence.sample, evidence.measure, evidence.names
    differences, counted = topic_differences(evidence)
    results = [
        _pair_result(evidence, i, None if counted is None else counted[i], _moved(prepared.topics, differences, i))
        for i in range(len(evidence.a))
    ]
    values = sample.values()
    within = limits(measure, values)
    order = _best_first(values, measure)
    apart = significantly_apart(evidence)
    grouped = tiers(
        [names[i] for i in order if np.isfinite(values[i])], lambda run, anchor: frozenset((run, anchor)) in apart
    )
    tier_of = {run: number for number, tier in enumerate(grouped, 1) for run in tier}
    board = [
        RunResult(
            names[i],
            _number(values[i]),
            _inside(evidence.alone.intervals[i], *within),
            tier_of.get(names[i]),
            *gaps(scores, names[i], measure),
        )
        for i in order
    ]
    settings: dict[str, Any] = {
        **scores.settings.as_dict(),
        "test": evidence.test,
        "correct": evidence.correct,
        "interval": evidence.choices.interval,
        "confidence": evidence.choices.confidence,
        "resamples": evidence.trials,
        "seed": evidence.choices.seed,
        "tie": evidence.choices.tie,
        "cluster": prepared.cluster,
        "tiers": RULE,
    }
    return Comparison(
        measure.name, len(prepared.topics), sample.units, prepared.left_out, evidence.pairs.undefined, board, results,
        grouped, _shares(evidence), settings, _notes(evidence),
    )  # fmt: skip


def _shares(evidence: Evidence) -> dict[str, dict[str, float]]:
    """Per test, the share of pairs significant at .01 and .05; Tukey's HSD beside them."""
    levels = dict(evidence.p)
    if "tukey" in evidence.adjusted:
        levels["tukey"] = evidence.adjusted["tukey"]
    return {
        name: {f"{level:g}": share for level, share in corrections.share_significant(p[evidence.defined]).items()}
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


def _of_difference(interval: Interval | None, measure: Measure, values: Floats) -> Interval | None:
    width = span(limits(measure, values))
    return _inside(interval, None if width is None else -width, width)


def _pair_result(evidence: Evidence, i: int, counts: tuple[int, int, int] | None, moved: list[Moved]) -> PairResult:
    one, two = evidence.names[int(evidence.a[i])], evidence.names[int(evidence.b[i])]
    common: dict[str, Any] = {
        "a": one,
        "b": two,
        "measure": evidence.measure.name,
        "topics": len(evidence.prepared.topics),
        "noun": evidence.prepared.noun + "s",
        "how": _how(evidence, bool(evidence.exact[i])),
    }
    if not evidence.defined[i]:
        text = sentence(**common)
        return PairResult(
            one, two, None, None, {}, False, {}, None, False, None, None, None, None, [], None, None, text
        )
    difference = float(evidence.pairs.estimates[i])
    error = _number(evidence.pairs.errors[i])
    critical, detectable = smallest_differences(evidence, i)
    direction = evidence.measure.declaration.higher_is_better
    better = None
    if direction is not None and difference != 0:
        better = one if (difference > 0) == direction else two
    decided = float(evidence.deciding[i])
    significant = decided < evidence.choices.alpha
    interval = _of_difference(evidence.pairs.intervals[i], evidence.measure, evidence.sample.values())
    text = sentence(
        **common, difference=difference, interval=interval, error=error, p=decided, significant=significant,
        better=better, counts=counts, critical=critical, detectable=detectable,
        possible=can_be_significant(evidence),
    )  # fmt: skip
    return PairResult(
        one, two, difference, interval, {name: float(p[i]) for name, p in evidence.p.items()}, bool(evidence.exact[i]),
        {name: float(p[i]) for name, p in evidence.adjusted.items()}, decided, significant, better,
        *(counts if counts is not None else (None, None, None)), moved, critical, detectable, text,
    )  # fmt: skip


def _how(evidence: Evidence, exact: bool) -> str:
    """The test and the correction, in words."""
    test, correct = evidence.test, evidence.corrected_by
    if correct == "tukey":
        return f"Tukey HSD over all pairs, {evidence.trials:,}"
    named = {"t": "paired t", "sign": "sign test", "wilcoxon": "Wilcoxon", "mcnemar": "McNemar"}.get(test, test)
    if test == "randomisation" and exact:
        named += ", exact"
    elif test in ("randomisation", "bootstrap"):
        named += f", {evidence.trials:,}"
    if correct in ("holm", "bh") and len(evidence.a) > 1:
        named += f", {'Holm' if correct == 'holm' else 'Benjamini-Hochberg'} over {len(evidence.a)} pairs"
    return named


def _moved(topics: Sequence[str], differences: Any, i: int) -> list[Moved]:
    if differences is None:
        return []
    column = differences[:, i]
    largest = np.argsort(-np.abs(column), kind="stable")[:MOST_MOVED]
    return [Moved(topics[int(t)], float(column[t])) for t in largest if column[t] != 0]


def _notes(evidence: Evidence) -> list[str]:
    """What a careful reader would want to know."""
    notes: list[str] = []
    boot, pairs, alpha = evidence.pairs, len(evidence.a), evidence.choices.alpha
    if evidence.prepared.left_out:
        notes.append(f"{evidence.prepared.left_out} topics are missing or undefined for some run and left out for all")
    if boot.undefined:
        notes.append(f"{boot.undefined} of {boot.trials} resamples had an undefined value and are left out")
    if any(interval is not None and interval.method == "t" for interval in boot.intervals):
        notes.append("some intervals are Student's t: too few topics differ for a bootstrap")
    sampled = evidence.test in ("randomisation", "bootstrap") and not evidence.exact.all()
    if evidence.correct == "holm" and sampled and pairs / (evidence.trials + 1) >= alpha:
        notes.append(
            f"with {pairs} pairs and {evidence.trials} resamples no Holm-adjusted p can fall below {alpha:g}; "
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
            sample = prepare(scores, wanted, [run], cluster).sample
        except InputError:  # fewer than 2 topics or clusters: a number, but no interval
            found[run] = None
            continue
        trials = resamples or default_resamples(sample)
        result = intervals.bootstrap(
            sample, [0], method=method, confidence=confidence, trials=trials, threads=threads,
            seed=scores.settings.seed if seed is None else seed,
        )  # fmt: skip
        found[run] = _inside(result.intervals[0], *limits(wanted, result.estimates))
    return found
