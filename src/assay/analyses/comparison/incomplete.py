"""Boards with missing cells: each pair of runs is compared on what both have (`compare(…, incomplete="pairs")`).

The order is by means adjusted for the topics a run was scored on (`stats.additive_model`); `incomplete_pairs` has the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from assay.analyses.comparison.incomplete_pairs import IncompletePairs
from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.result import Comparison, PairResult, RankResult, Ranks, RunResult, sentence
from assay.analyses.comparison.run_intervals import run_intervals
from assay.analyses.comparison.unscored import run_coverage
from assay.errors import InputError, UsageError, counted, shorten_list
from assay.figures.measure_names import in_words
from assay.measures.measure import Measure
from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.columns import compared
from assay.resampling.sign_flips import CLOSE
from assay.stats import multiple_comparisons
from assay.stats.additive_model import adjusted_means, connected
from assay.stats.bootstrap_intervals import Interval
from assay.stats.rank_intervals import places, rank_intervals
from assay.stats.tiers import TIER_RULE, tiers
from assay.table.scores import Scores

MIN_SHARED = 12
"""Topics that two runs must share to be compared."""


def compare_incomplete(
    table: Scores, measure: Measure, names: Sequence[str], options: ComparisonOptions, *, cluster: str | None = "auto",
    least: int = MIN_SHARED, top: int | None = None,
) -> Comparison:  # fmt: skip
    """Compare all pairs of runs, each on the units that both have.

    table     the score table, or a table of tasks
    measure   a measure that is a mean over topics
    names     the runs
    least     units that two runs must share
    """
    _check(table, measure, options, cluster)
    values = _values(table, measure, names)
    _check_connected(values, names, table.task.noun)
    upwards = -1.0 if measure.declaration.higher_is_better is False else 1.0
    means = adjusted_means(values)
    order = np.argsort(-upwards * means, kind="stable")
    first, second = np.triu_indices(len(names), 1)
    a, b = order[first], order[second]
    present = np.isfinite(values)
    shared = (present.astype(np.int64).T @ present.astype(np.int64))[a, b]
    comparable = np.flatnonzero(shared >= least)
    if not len(comparable):
        raise InputError(f"no two runs share {least} {table.task.noun}s; `incomplete='pairs'` needs as many")
    pairs = IncompletePairs(values, a[comparable], b[comparable], options, _bounds(table, measure, values))
    results = _pair_results(pairs, a, b, comparable, shared, names, measure, table.task.noun, least)
    return _comparison(table, measure, names, values, upwards * means, order, pairs, results, least, top)


def _check(table: Scores, measure: Measure, options: ComparisonOptions, cluster: str | None) -> None:
    noun = table.task.noun
    if measure.average not in ("mean", None, "") or not (measure.level == "topic" or measure.declaration.mean):
        raise UsageError(f"`incomplete='pairs'`: needs a measure that is a mean over {noun}s; {measure.name} is not")
    if measure.declaration.higher_is_better is None:
        raise UsageError(f"`incomplete='pairs'`: needs a measure with a direction; {measure.name} has none")
    if (
        options.test not in (None, "randomisation")
        or options.correct not in (None, "maxt")
        or options.interval != "auto"
    ):
        raise UsageError(
            "`incomplete='pairs'`: pairs are tested by randomisation with max-T; leave out `test`, `correct` and `interval`"
        )
    field = "cluster" if cluster == "auto" and "cluster" in table.fields else cluster
    if field not in (None, "auto"):
        raise UsageError(
            f"`incomplete='pairs'`: cannot be combined with clusters ({field}); give `cluster=None` to resample {noun}s"
        )
    if table.is_suite:
        raise UsageError(
            "`incomplete='pairs'`: of a suite, give `over='tasks'`, for which each task is one observation"
        )


def _values(table: Scores, measure: Measure, names: Sequence[str]) -> Floats:
    """Return topics × runs, NaN where a run has no value."""
    values = np.full((len(table.topics), len(names)), np.nan)
    for column, name in zip(values.T, names, strict=True):
        columns = compared(table, measure, [name], None)
        column[columns.places] = columns.resampler.linear[:, 0]
    return values[np.isfinite(values).any(axis=1)]


def _check_connected(values: Floats, names: Sequence[str], noun: str) -> None:
    """Refuse runs of which some share no topic with the others, not even through a third run: they have no common order."""
    joined = connected(values)
    if not joined.all():
        alone = shorten_list([name for name, of_first in zip(names, joined, strict=True) if not of_first])
        raise InputError(
            f"`incomplete='pairs'`: {alone} share no {noun} with {names[0]}, not even through other runs, so that they have no common "
            "order; compare them separately"
        )


def _bounds(table: Scores, measure: Measure, values: Floats) -> tuple[float, float] | None:
    """Return the range of the measure where its values are outcomes: right or wrong, or in part."""
    low, high = measure.declaration.low, measure.declaration.high
    known = values[np.isfinite(values)]
    if low is None or high is None or (known < low - CLOSE).any() or (known > high + CLOSE).any():
        return None
    return (low, high) if table.task.name == "outcomes" or bool(np.isin(known, (low, high)).all()) else None


def _pair_results(
    pairs: IncompletePairs, a: Integers, b: Integers, comparable: Integers, shared: Integers, names: Sequence[str], measure: Measure,
    noun: str, least: int,
) -> list[PairResult]:  # fmt: skip
    options, place = pairs.options, {int(i): k for k, i in enumerate(comparable.tolist())}
    how = f"randomisation, {'exact' if pairs.flips.every else f'{pairs.flips.count:,}'}, max-T over {counted(len(comparable), 'pair')}"
    low, high = pairs.ends
    results: list[PairResult] = []
    for i in range(len(a)):
        first, second, together = names[int(a[i])], names[int(b[i])], int(shared[i])
        k = place.get(i)
        if k is None:
            why = f"they share {together} {noun}s, fewer than {least}"
            results.append(
                PairResult(
                    a=first, b=second, topics=together, sentence=f"{first} and {second} cannot be compared: {why}."
                )
            )
            continue
        difference = float(pairs.means[k])
        direction = measure.declaration.higher_is_better
        d = pairs.differences[:, k][np.isfinite(pairs.differences[:, k])]
        won, lost = int((d > 0).sum()), int((d < 0).sum())
        pair = PairResult(
            a=first, b=second, difference=difference,
            interval=Interval(float(low[k]), float(high[k]), options.confidence, "randomisation, max-T of normal scores"),
            p={"randomisation": float(pairs.p[k])}, exact=pairs.flips.every, adjusted={"maxt": float(pairs.adjusted[k])},
            decided_by=float(pairs.adjusted[k]), significant=bool(pairs.significant[k]),
            better=None if difference == 0 else first if (difference > 0) == direction else second,
            won=won if direction else lost, tied=len(d) - won - lost, lost=lost if direction else won, adjusted_by="maxt", topics=together,
        )  # fmt: skip
        error = float(pairs.errors[k])
        text = sentence(
            pair, measure=in_words(measure.name), topics=together,
            noun=f"{noun}s", how=how, error=error or None, least_p=0.0, alpha=options.alpha,
        )  # fmt: skip
        results.append(replace(pair, sentence=text))
    return results


def _comparison(
    table: Scores, measure: Measure, names: Sequence[str], values: Floats, upwards: Floats, order: Integers, pairs: IncompletePairs,
    results: list[PairResult], least: int, top: int | None,
) -> Comparison:  # fmt: skip
    noun, options = table.task.noun, pairs.options
    sign = -1.0 if measure.declaration.higher_is_better is False else 1.0
    ahead = (pairs.means * sign > 0) & pairs.significant
    behind = (pairs.means * sign < 0) & pairs.significant
    winners = np.concatenate([pairs.a[ahead], pairs.b[behind]])
    losers = np.concatenate([pairs.b[ahead], pairs.a[behind]])
    low, high = rank_intervals(winners, losers, len(names))
    place = places(upwards)
    best_first = [int(run) for run in order]
    # A run that stands above one it is significantly below keeps its place, and its interval is widened to hold it.
    ranks = Ranks(
        [RankResult(names[i], place[i], min(int(low[i]), place[i]), max(int(high[i]), place[i])) for i in best_first]
    )
    better = {(int(w), int(loser)) for w, loser in zip(winners, losers, strict=True)}
    contradictions = [
        {"above": names[loser], "below": names[winner]}
        for winner, loser in sorted(better)
        if upwards[loser] > upwards[winner]
    ]
    grouped = tiers(best_first, lambda run, best: (best, run) in better and upwards[best] > upwards[run])
    tier_of = {run: number for number, tier in enumerate(grouped, 1) for run in tier}
    differ = np.bincount(np.concatenate([winners, losers]), minlength=len(names))
    intervals = run_intervals(table, measure, confidence=options.confidence, cluster=None)
    coverage = [run_coverage(table, name) for name in names]
    counts = np.isfinite(values).sum(axis=0)
    runs = [
        RunResult(
            run=names[i], value=float(sign * upwards[i]), interval=intervals[names[i]], tier=tier_of[i],
            not_different=len(names) - 1 - int(differ[i]), missing=coverage[i].missing, undefined=0, failed=coverage[i].failed,
            declined=coverage[i].declined, raw=float(np.nanmean(values[:, i])), entered=int(counts[i]),
        )
        for i in best_first
    ]  # fmt: skip
    settings = {
        **table.settings.as_dict(), "test": "randomisation", "correct": "maxt", "interval": "auto", "confidence": options.confidence,
        "resamples": pairs.flips.count, "seed": options.seed, "incomplete": "pairs", "least_shared": least, "family": [measure.name],
        "tiers": TIER_RULE,
    }  # fmt: skip
    shares = {
        name: {f"{level:g}": share for level, share in multiple_comparisons.share_significant(p).items()}
        for name, p in (("randomisation", pairs.p), ("maxt", pairs.adjusted))
    }
    return Comparison(
        measure=measure.name, noun=noun, higher_is_better=measure.declaration.higher_is_better, topics=len(values), units=len(values),
        left_out=0, extent=table.extent(names), runs=runs, pairs=results, tiers=[[names[i] for i in tier] for tier in grouped],
        significant=shares, settings=settings, notes=_notes(table, names, counts, len(values), upwards, results, contradictions, least),
        ranks=ranks, top=top, contradictions=contradictions,
    )  # fmt: skip


def _notes(
    table: Scores, names: Sequence[str], counts: Integers, topics: int, upwards: Floats, results: Sequence[PairResult],
    contradictions: Sequence[dict[str, str]], least: int,
) -> list[str]:  # fmt: skip
    noun = table.task.noun
    notes: list[str] = []
    alone = sum(pair.difference is None for pair in results)
    if alone:
        notes.append(
            f"{alone} of {counted(len(results), 'pair')} share fewer than {least} {noun}s and are not compared, which widens ranks"
        )
    missing = topics - counts
    correlation = _spearman(missing, upwards)
    if correlation is not None and correlation[0] < 0 and correlation[1] <= 0.05:
        notes.append(
            f"runs with more missing cells score lower (Spearman {correlation[0]:.2f}, p {correlation[1]:.2g}): if what is missing depends "
            "on the score, adjusted means, tests and ranks are biased in favour of these runs"
        )
    if contradictions:
        listed = shorten_list([f"{pair['above']} above {pair['below']}" for pair in contradictions], separator="; ")
        notes.append(
            f"ordered against their own comparison: {listed}; the second is significantly better on the {noun}s that both have, and the "
            f"order rests on {noun}s that one of them lacks"
        )
    return notes


def _spearman(x: Integers, y: Floats) -> tuple[float, float] | None:
    """Return Spearman's correlation and its p-value; None where either does not vary, or of fewer than 5 runs."""
    from scipy.stats import spearmanr

    if len(x) < 5 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    correlation, p = cast(tuple[float, float], spearmanr(x, y))
    return float(correlation), float(p)
