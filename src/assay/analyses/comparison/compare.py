"""Which run is better: a score table in, differences with intervals, tests, corrections and tiers out.

`compare` selects the runs and the pairs; `pair_statistics.py` has the statistics in the order of its steps; `margins.py` the
verdicts of a gate; `result.py` the sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from assay.analyses.comparison.margins import Margins
from assay.analyses.comparison.notes import notes_of
from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.pair_statistics import FLIPPED, PairStatistics
from assay.analyses.comparison.result import (
    Comparison,
    LazyPairs,
    PairColumns,
    PairResult,
    RankResult,
    Ranks,
    RunResult,
    TopicChange,
    sentence,
)
from assay.analyses.comparison.run_intervals import intervals_of
from assay.analyses.comparison.selection import best_first, pair_positions, runs_compared
from assay.analyses.comparison.unscored import MAX_FAILED, failure_bounds, run_coverage
from assay.analyses.suites.macro_columns import headline_columns, task_table
from assay.errors import UsageError
from assay.figures.common import headline
from assay.figures.measure_names import in_words
from assay.measures.measure import Measure
from assay.parallel.executors import lent
from assay.parameters import ScoringWithoutSeed, public
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns
from assay.scoring.evaluate import scores_of
from assay.settings import NOT_NEGATIVE, Kind, checked, one_of
from assay.stats import multiple_comparisons
from assay.stats.bootstrap_intervals import Interval
from assay.stats.rank_intervals import places, rank_intervals
from assay.stats.tiers import TIER_RULE
from assay.table.scores import Scores

MAX_FULL_PAIRS = 20_000
"""Of more pairs, tests and corrections that decide nothing are skipped: all pairs of 200 runs are fewer."""
MAX_EAGER_PAIRS = 2_000
"""Of more pairs, results and sentences are made when they are read."""
INCOMPLETE = ("drop", "pairs")
"""What becomes of topics that some run lacks."""
SAMPLED = ("questions", "tasks")
"""What `over` takes as the sample."""
MIN_TASKS = 8
"""Over fewer tasks no p is below .0156, which max-T of many runs cannot make significant."""
MAX_CHANGED_TOPICS = 5
"""Topics with the largest changes that a pair lists."""


@public
def compare(
    scores: Any = None, measure: str | Measure | None = None, *, runs: Any = None, human: Any = None, reweight: str | None = None,
    baseline: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None, test: str | None = None, correct: str | None = None,
    interval: str = "auto", confidence: float = 0.95, resamples: int | None = None, seed: int | None = None,
    tie: float = 0.0, margin: float | None = None, verdicts: int | None = None,
    max_failed: float = MAX_FAILED, equivalence: float | None = None,
    family: Sequence[str | Measure] | None = None, growing: bool | str = False,
    top: int | None = None, rank_of: str | Sequence[str] | None = None, over: str = "questions",
    incomplete: str = "drop", cost: bool | str = False, cluster: str | None = "auto", threads: int | None = None,
    executor: Executor | None = None,
    task: str | None = None, **settings: Unpack[ScoringWithoutSeed],
) -> Comparison:  # fmt: skip
    """Compare runs by one measure, paired by topic: all pairs, or a baseline with every other run, or the pairs named.

    Runs of a suite are compared by the macro mean over tasks, in which each task weighs the same; `assay.compare_by` compares
    within each task.

    Every difference is a - b: the second of two runs minus the first, a run minus the baseline, the better minus the worse.

    Parameters
        scores         a score table; or gold, as `assay.evaluate` takes it; leave out where `human` has the judge's verdicts too
        measure        the measure to compare by; default: the task's headline measure
        runs           names of the runs to compare, default all; with gold, the runs themselves
        human          runs are judged by a machine, and people labelled a random part: compare them as people would judge. A table with id,
                       human, and run and sample if there are several; for ranked runs, with gold, qrels of some topics; or people's table
        reweight       with `human`: the field of questions, such as type, or `score` for the machine's, by whose values labels are weighed
                       like all questions; for labels that are a random sample of each value only
        baseline       compare every other run with this one only; there are then no tiers, which need all pairs
        pairs          the pairs to compare, by name; no tiers unless these are all pairs of their runs
        test           the test that decides: randomisation, bootstrap, t, wilcoxon, sign, mcnemar; all that apply are computed
        correct        correction for many pairs: maxt, stepdown, holm, bh, tukey, none; default maxt, or holm for a test without
                       sign flips
        interval       auto is the interval of the deciding test; shift, studentised and percentile are bootstrap intervals, and
                       the bootstrap then decides
        confidence     of the intervals; significant is a p of at most 1 - confidence
        resamples      sign flips, bootstrap resamples and shuffles: 10,000; 2,000 for the bootstrap of measures of a whole run
        seed           of the resamples; default: that of the table
        tie            the sign test counts smaller differences as ties
        margin         how much worse a run may be: every pair is then non-inferior, inferior or undecided
        verdicts       with a margin: the number of verdicts in all, where several comparisons make one gate; default: the pairs
        max_failed     with a margin: by how much a run's share of failed and missing topics may exceed its baseline's; above it
                       the verdict is undecided
        equivalence    two one-sided tests of whether runs differ by less than this
        family         measures tested together with this one: p-values and intervals hold for all of them at once
        growing        add intervals that stay valid when looked at after every topic: True for topics in the order of the file, or the
                       field whose values order them
        top            also name the runs that are surely, and possibly, among the first so many
        rank_of        one run, or several, named before the results were seen: also the intervals of their ranks by their pairs alone,
                       which are narrower
        over           what is a sample: the questions, within fixed tasks; or the tasks, each of which is one observation
        incomplete     what becomes of topics that some run lacks: `drop` leaves them out for all; `pairs` compares each pair of runs on the
                       topics that both have, and orders runs by means adjusted for their topics
        cost           also which runs no other beats for less, and what a cheaper run gives up: by cost, tokens or latency of logs and
                       tables, or a characteristic such as price or size; True for the one that most runs have
        cluster        the field of topics that are resampled together; auto is `cluster` where the gold has one; or None
        threads        default all cores; the numbers do not depend on it
        executor       any concurrent.futures.Executor: scores runs, with gold, and resamples; the numbers do not depend on it
        task           with gold: the kind of evaluation; default: detected
        settings       with gold: choices of the task, such as `missing` or `depth`

    Returns
        Comparison     runs best first with tiers and intervals of ranks, pairs with intervals, p-values and a sentence each

    Raises
        UsageError     an unknown run or measure, or options that contradict each other
        InputError     the runs share fewer than 2 topics

    >>> from assay.scoring.score_files import scores
    >>> values = [[0.1 * i, 0.1 * i + 0.2] for i in range(6)]
    >>> pair = compare(scores(values, runs=["old", "new"])).pairs[0]
    >>> pair.a, pair.b, round(pair.difference, 6), pair.p["randomisation"]
    ('new', 'old', 0.2, 0.03125)
    """
    from_table = isinstance(scores, Scores)
    if human is not None:
        refused = {
            "test": test, "correct": correct, "interval": interval if interval != "auto" else None, "margin": margin, "family": family,
            "equivalence": equivalence, "growing": growing, "rank_of": rank_of, "cost": cost, "tie": tie,
            "over": over if over != SAMPLED[0] else None, "incomplete": incomplete if incomplete != INCOMPLETE[0] else None,
        }  # fmt: skip
        return _under_judge(
            scores, measure, human, runs, {name for name, value in refused.items() if value}, baseline=baseline, pairs=pairs, top=top,
            cluster=cluster, task=task, settings=settings, seed=seed, reweight=reweight,
            options={"confidence": confidence, "resamples": resamples, "threads": threads},
        )  # fmt: skip
    if reweight is not None:
        raise UsageError(f"`reweight={reweight!r}`: needs `human`")
    if scores is None:
        raise UsageError("expected a score table or gold; `scores` may be left out only with `human`")
    measures = None if measure is None else [measure]
    table = scores_of(scores, None if from_table else runs, measures, task=task, executor=executor, **settings)
    options = ComparisonOptions(
        test=test, correct=correct, interval=interval, confidence=confidence, resamples=resamples,
        seed=table.settings.seed if seed is None else seed, tie=tie, threads=threads,
    )  # fmt: skip
    for name, value in (("margin", margin), ("equivalence", equivalence), ("max_failed", max_failed)):
        if value is not None:
            checked(name, value, NOT_NEGATIVE)
    by = headline(table) if measure is None else table.measure(measure)
    if margin is not None and by.declaration.higher_is_better is None:
        raise UsageError(f"`margin={margin}`: margin needs a measure with a direction; {by.name} has none")
    names = runs_compared(table, runs if from_table else None, baseline, pairs)
    by_pairs = checked("incomplete", incomplete, one_of(*INCOMPLETE)) == "pairs"
    if checked("over", over, one_of(*SAMPLED)) == "tasks":
        if cost:
            raise UsageError("`over='tasks'`: cannot be combined with `cost`, which is that of questions")
        table = _over_tasks(table, by, names, family, cluster, growing, by_pairs)
        by = table.measures[0]
    if by_pairs:
        named = {
            "baseline": baseline, "pairs": pairs, "margin": margin, "equivalence": equivalence, "family": family, "growing": growing,
            "rank_of": rank_of, "cost": cost,
        }  # fmt: skip
        return _incomplete(
            table, by, names, options, {name for name, value in named.items() if value}, over, cluster, top
        )
    columns = headline_columns(table, by, names, cluster)
    others = [table.measure(other) for other in family or ()]
    tested_together = [headline_columns(table, other, names, cluster) for other in others if other != by]
    a, b, every = pair_positions(names, best_first(columns.resampler.values(), by), baseline, pairs)
    with lent(executor):
        statistics = PairStatistics(columns, a, b, every, options, tested_together, brief=len(a) > MAX_FULL_PAIRS)
        margins = Margins(statistics, margin, equivalence, verdicts, max_failed)
        result = _comparison(statistics, _run_intervals(columns, options), margins)
        if top is not None or rank_of is not None:
            result = _with_requested_ranks(result, statistics, top, [rank_of] if isinstance(rank_of, str) else rank_of)
        if cost:
            result = _with_costs(result, columns, options, cost)
    if over != SAMPLED[0]:
        result = replace(result, settings={**result.settings, "over": over})
    if growing:
        from assay.analyses.comparison.growing_log import FILE_ORDER, growing_intervals

        intervals = zip(result.pairs, growing_intervals(statistics, growing), strict=True)
        described = {**result.settings, "growing": FILE_ORDER if growing is True else growing}
        pairs_with_looks = [replace(pair, growing=interval) for pair, interval in intervals]
        return replace(result, pairs=pairs_with_looks, settings=described)
    return result


def _under_judge(
    scores: Any, measure: str | Measure | None, human: Any, runs: Any, refused: set[str], *, options: dict[str, Any], seed: int | None,
    **choices: Any,
) -> Comparison:  # fmt: skip
    """Compare runs that a machine judged as people would judge them."""
    from assay.analyses.comparison.under_judge import compare_under_judge

    if refused:
        raise UsageError(
            "`human=`: pairs are tested by randomisation with max-T, by one measure; cannot be combined with "
            f"{', '.join(f'`{name}`' for name in sorted(refused))}"
        )

    def compare_people(table: Scores, by: str, names: Sequence[str]) -> Comparison:
        kept = {name: choices[name] for name in ("baseline", "pairs", "cluster", "top")}
        return compare(table, by, runs=names, seed=seed, **options, **kept)

    return compare_under_judge(
        scores, measure, human, runs=runs, options=lambda usual: ComparisonOptions(seed=usual if seed is None else seed, **options),
        compare_people=compare_people, **choices,
    )  # fmt: skip


def _incomplete(
    table: Scores, measure: Measure, names: Sequence[str], options: ComparisonOptions, given: set[str], over: str, cluster: str | None,
    top: int | None,
) -> Comparison:  # fmt: skip
    """Compare each pair on the topics that both runs have."""
    from assay.analyses.comparison.incomplete import MIN_SHARED, compare_incomplete

    if given:
        raise UsageError(
            f"`incomplete='pairs'`: all pairs are compared and ranked; cannot be combined with {', '.join(sorted(given))}"
        )
    least = MIN_SHARED if over == SAMPLED[0] else MIN_TASKS
    if top is not None:
        checked("top", top, Kind(int, f"a number of places from 1 to {len(names)}", low=1, high=len(names)))
    result = compare_incomplete(table, measure, names, options, cluster=cluster, least=least, top=top)
    return result if over == SAMPLED[0] else replace(result, settings={**result.settings, "over": over})


def _over_tasks(
    table: Scores,
    measure: Measure,
    names: Sequence[str],
    family: Any,
    cluster: str | None,
    growing: bool | str,
    incomplete: bool,
) -> Scores:
    """Return the runs' values on each task as a score table."""
    if family or growing or cluster not in ("auto", None):
        raise UsageError("`over='tasks'`: cannot be combined with `family`, `growing` or `cluster`")
    tasks = task_table(table, measure, names, incomplete)
    if len(tasks.topics) < MIN_TASKS:
        raise UsageError(
            f"`over='tasks'`: needs {MIN_TASKS} tasks that all runs have, found {len(tasks.topics)}; use `over='questions'`"
        )
    return tasks


def _with_requested_ranks(
    result: Comparison, statistics: PairStatistics, top: int | None, rank_of: Sequence[str] | None
) -> Comparison:
    """Add the first `top` places, and the ranks of runs named beforehand by max-T over their pairs alone."""
    runs, option = len(result.runs), f"top={top}" if top is not None else f"rank_of={rank_of!r}"
    if top is not None:
        checked("top", top, Kind(int, f"a number of places from 1 to {runs}", low=1, high=runs))
    if result.ranks is None:
        raise UsageError(
            f"`{option}`: ranks follow from all pairs of runs, tested by randomisation with max-T; leave out `baseline`, `pairs`, "
            "`test` and `correct`"
        )
    if rank_of is None:
        return replace(result, top=top)
    columns = statistics.columns
    names = [columns.scores.run(name).name for name in rank_of]
    for name in names:
        if result.ranks.of(name) is None:
            raise UsageError(
                f"`rank_of={name!r}`: the run has no value of {result.measure} in this comparison, and so no rank"
            )
    named = [columns.runs.index(name) for name in names]
    at = np.isin(statistics.a, named) | np.isin(statistics.b, named)
    options = replace(statistics.options, correct=None)
    alone = PairStatistics(columns, statistics.a[at], statistics.b[at], False, options, statistics.family, brief=True)
    ranks = _ranks(alone, result)
    assert ranks is not None, "a part of pairs with ranks has ranks"
    return replace(result, top=top, rank_of=Ranks([rank for rank in ranks if rank.run in names]))


def _ranks(statistics: PairStatistics, result: Comparison) -> Ranks | None:
    """Return the intervals of the ranks that follow from the significant pairs; None where these do not bound them."""
    pairs = statistics.significant_pairs()
    if pairs is None:
        return None
    valued = [run.run for run in result.runs if run.value is not None]
    upwards = result.upwards
    number = {statistics.columns.runs.index(run): i for i, run in enumerate(valued)}
    winners, losers = ([number[int(run)] for run in runs] for runs in pairs)
    low, high = rank_intervals(winners, losers, len(valued))
    place = places([upwards[run] or 0.0 for run in valued])
    return Ranks([RankResult(*row) for row in zip(valued, place, low.tolist(), high.tolist(), strict=True)])


def compare_many(
    scores: Scores, measure: Measure, *, correct: str | None = None, first: int, cost: str | None = None
) -> Comparison:
    """Compare all pairs of many runs as `compare` does by default, with objects and sentences for the `first` pairs only.

    Half a million pairs are columns of numbers (`every`), and tests and corrections that decide nothing are skipped.

    scores    the table
    measure   one of its measures
    correct   as `compare` takes it
    first     how many pairs, from the best runs' on, are objects with sentences
    cost      a kind of cost, as `compare` takes it
    """
    options = ComparisonOptions(correct=correct, seed=scores.settings.seed)
    names = runs_compared(scores, None, None, None)
    columns = headline_columns(scores, measure, names)
    # Before the flips are made: of a thousand runs either fills as much memory as the rest of a report.
    intervals = _run_intervals(columns, options)
    a, b, every = pair_positions(names, best_first(columns.resampler.values(), measure), None, None)
    statistics = PairStatistics(columns, a, b, every, options, brief=True)
    result = _comparison(statistics, intervals, Margins(statistics, None, None, None, MAX_FAILED), min(first, len(a)))
    result = replace(result, every=_pair_columns(statistics))
    return result if cost is None else _with_costs(result, columns, options, cost)


def _with_costs(result: Comparison, columns: Columns, options: ComparisonOptions, cost: bool | str) -> Comparison:
    """Add the frontier of value and cost."""
    from assay.analyses.comparison.value_for_money import value_for_money

    return replace(result, cost=value_for_money(result, columns, options, None if cost is True else str(cost)))


def _pair_columns(statistics: PairStatistics) -> PairColumns:
    s = statistics
    most = np.inf if s.largest_difference is None else s.largest_difference
    low, high = np.maximum(s.low, -most), np.minimum(s.high, most)
    known = np.isfinite(low) & np.isfinite(high)
    return PairColumns(
        a=s.a, b=s.b, difference=s.differences, low=np.where(known, low, np.nan), high=np.where(known, high, np.nan),
        p=s.deciding_p, methods=(_method(s),) if known.any() else (), adjusted=s.corrected_by != multiple_comparisons.NONE,
    )  # fmt: skip


def _run_intervals(columns: Columns, options: ComparisonOptions) -> list[Interval | None]:
    """Return the interval of every run's own value; of a macro mean as `suite` makes it."""
    if columns.average:  # a macro mean
        from assay.analyses.suites.suite import suite

        table = columns.scores.with_runs(map(columns.scores.run, columns.runs)).restricted(columns.topics)
        macro_means = suite(
            table, columns.measure, confidence=options.confidence, resamples=options.resamples, cluster=columns.cluster,
            threads=options.threads,
        )  # fmt: skip
        return [macro_means.run(run).interval for run in columns.runs]
    return intervals_of(
        columns, confidence=options.confidence, resamples=options.resamples or 10_000, seed=options.seed,
        threads=options.threads,
    )  # fmt: skip


def _comparison(
    statistics: PairStatistics, intervals: Sequence[Interval | None], margins: Margins, first: int | None = None
) -> Comparison:
    """Put the result together: `intervals` are those of the runs, `first` is how many pairs are objects; default all."""
    s = statistics
    columns, measure, names, values = s.columns, s.measure, s.columns.runs, s.values

    def results_of(start: int, end: int) -> list[PairResult]:
        return _pair_results(s, start, end, margins, unscored)

    coverages = [run_coverage(columns.scores, name) for name in names]
    unscored = {name for name, of_run in zip(names, coverages, strict=True) if of_run.unscored}
    count = len(s.a) if first is None else first
    lazy = first is None and count > MAX_EAGER_PAIRS
    pairs: Sequence[PairResult] = LazyPairs(count, results_of) if lazy else results_of(0, count)
    order = best_first(values, measure)
    tiers = s.tiers([i for i in order if np.isfinite(values[i])]) if s.every else None
    tier_of = {run: number for number, tier in enumerate(tiers or (), 1) for run in tier}
    not_different = s.count_not_different() if s.every else None
    gaps = columns.gaps
    runs = [
        RunResult(
            run=names[i], value=_number(values[i]), interval=intervals[i], tier=tier_of.get(names[i]),
            not_different=int(not_different[i]) if not_different is not None and np.isfinite(values[i]) else None,
            missing=gaps[i][0], undefined=gaps[i][1], failed=coverages[i].failed, declined=coverages[i].declined,
        )
        for i in order
    ]  # fmt: skip
    settings = {
        **columns.scores.settings.as_dict(),
        "test": s.test.name, "correct": s.correct, "interval": s.options.interval, "confidence": s.options.confidence,
        "resamples": s.resamples_used, "seed": s.options.seed, "tie": s.options.tie, "cluster": columns.cluster,
        "margin": margins.margin, "verdicts": margins.verdicts if margins.margin is not None else None, "max_failed": margins.max_failed,
        "equivalence": margins.equivalence_margin,
        "family": [measure.name, *(other.measure.name for other in s.family)],
        "tiers": TIER_RULE if s.every else None,
    }  # fmt: skip
    result = Comparison(
        measure=measure.name, average=columns.average, noun=columns.noun, higher_is_better=measure.declaration.higher_is_better,
        topics=len(columns.topics), units=s.resampler.units, left_out=columns.left_out,
        extent=columns.scores.extent(names, columns.places.tolist()), runs=runs, pairs=pairs, tiers=tiers,
        significant=_shares_significant(s), settings=settings, notes=notes_of(s),
    )  # fmt: skip
    if lazy:
        s.drop_flips()
        result = replace(result, every=_pair_columns(s))
    return replace(result, ranks=_ranks(s, result)) if s.every else result


def _pair_results(
    statistics: PairStatistics, start: int, end: int, margins: Margins, unscored: set[str]
) -> list[PairResult]:
    """Return the results of pairs from `start` to before `end`; `unscored` are the runs that failed on topics or lack some."""
    s, here = statistics, slice(start, end)
    columns, measure = s.columns, s.measure
    changes, won_tied_lost = s.topic_differences(here)
    topics = np.ones(end - start) if measure.average == "sum" else s.resampler.topics_entering(s.a[here], s.b[here])
    pairs: list[PairResult] = []
    for place, i in enumerate(range(start, end)):
        pair = _pair_result(s, i, (None, None, None) if won_tied_lost is None else won_tied_lost[place], margins)
        same = False
        if changes is not None:
            same = not changes[:, place].any()
            if s.defined[i]:
                largest, others = _largest_changes(
                    columns.topics, changes[:, place] * topics[..., place], s.options.tie
                )
                pair = replace(pair, moved=largest, as_much=others)
        if pair.difference is not None and unscored & {pair.a, pair.b}:
            pair = replace(pair, failure_bounds=failure_bounds(columns.scores, measure, pair.a, pair.b))
        pairs.append(replace(pair, sentence=_sentence(s, i, pair, same)))
    return pairs


def _shares_significant(statistics: PairStatistics) -> dict[str, dict[str, float]]:
    """Return per test the share of pairs significant at .01 and .05, and the same for corrections of all pairs at once."""
    declared = multiple_comparisons.declared()
    adjusted = {
        name: p for name, p in statistics.adjusted.items() if declared[name].of != multiple_comparisons.P_VALUES
    }
    return {
        name: {
            f"{level:g}": share for level, share in multiple_comparisons.share_significant(p[np.isfinite(p)]).items()
        }
        for name, p in {**statistics.p_values, **adjusted}.items()
    }


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _pair_result(
    statistics: PairStatistics, i: int, won_tied_lost: tuple[int | None, int | None, int | None], margins: Margins
) -> PairResult:
    """Return the numbers of pair i; names alone where a run has no value."""
    s = statistics
    a, b = (s.columns.runs[int(side[i])] for side in (s.a, s.b))
    if not s.defined[i]:
        return PairResult(a=a, b=b)
    difference, direction = float(s.differences[i]), s.measure.declaration.higher_is_better
    better = None
    if direction is not None and difference != 0:
        better = a if (difference > 0) == direction else b
    ends = s.within_range(float(s.low[i]), float(s.high[i]))
    critical, detectable = s.smallest_differences(i)
    won, tied, lost = won_tied_lost
    return PairResult(
        a=a, b=b, difference=difference, interval=ends and Interval(*ends, s.options.confidence, _method(s)),
        p={name: float(p[i]) for name, p in s.p_values.items() if np.isfinite(p[i])},
        exact=s.flips.every and bool(s.testable[i]),
        adjusted={name: float(p[i]) for name, p in s.adjusted.items() if np.isfinite(p[i])},
        decided_by=_number(s.deciding_p[i]), significant=bool(s.significant[i]), better=better, won=won, tied=tied,
        lost=lost, critical=critical, detectable=detectable, adjusted_by=s.corrected_by, size=_number(s.actual_level[i]),
        gate=margins.gate(i), gate_bounds=margins.bounds(i), gate_reason=margins.reason(i), equivalence=margins.equivalence(i),
    )  # fmt: skip


def _sentence(statistics: PairStatistics, i: int, pair: PairResult, same: bool) -> str:
    s = statistics
    error, topics = float(s.pairs.errors[i]), len(s.columns.topics)
    # Differences that are all equal have no standard error but rounding.
    varies = error > 1e-9 * abs(float(s.differences[i]))
    equal = f"all {topics} differences are equal, of which the {s.test.name} test can make nothing; use randomisation"
    name = in_words(s.measure.name)
    return sentence(
        pair, measure=f"{name} ({s.columns.average})" if s.columns.average else name, topics=topics,
        noun=f"{s.columns.noun}s", how=_test_and_correction(s), error=error if varies else None, least_p=float(s.least_p[i]),
        alpha=s.options.alpha, refusal=s.refusals[i] or equal, same=same,
    )  # fmt: skip


def _method(statistics: PairStatistics) -> str:
    """Name the method of the intervals of differences."""
    interval = statistics.options.interval
    method = statistics.test.label if interval == "auto" else f"{interval} bootstrap"
    correction = multiple_comparisons.declared().get(statistics.corrected_by)
    if correction is None:
        return method
    return correction.label if correction.of == multiple_comparisons.RUNS else f"{method}, {correction.label}"


def _test_and_correction(statistics: PairStatistics) -> str:
    """Name the test and the correction, for the parentheses behind a p-value."""
    s, correction, count = statistics, multiple_comparisons.declared().get(statistics.corrected_by), len(statistics.a)
    if correction is not None and correction.of == multiple_comparisons.RUNS:
        return f"{correction.label} over all pairs, {s.resamples:,}"
    test = s.test.label
    if s.test.resampled:
        test += ", exact" if s.flips.every and s.test.needs == FLIPPED else f", {s.resamples_used:,}"
    if correction is None:
        return test
    measures = f" of {1 + len(s.family)} measures" if s.family else ""
    return f"{test}, {correction.label} over {count} pair{'s' if count != 1 else ''}{measures}"


def _largest_changes(topics: Sequence[str], changes: Floats, tie: float) -> tuple[list[TopicChange], int]:
    """Return the topics with the largest changes, and how many others change as much as the last; ties are excluded."""
    sizes = np.abs(changes)
    largest = np.argsort(-sizes, kind="stable")[:MAX_CHANGED_TOPICS]
    listed: list[int] = largest[(sizes[largest] > 0) & (sizes[largest] >= tie)].tolist()
    if not listed:
        return [], 0
    as_much = int(np.count_nonzero(sizes >= sizes[listed[-1]] * (1 - 1e-9)))
    return [TopicChange(topics[t], float(changes[t])) for t in listed], max(as_much - len(listed), 0)
