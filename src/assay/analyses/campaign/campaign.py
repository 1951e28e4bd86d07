"""Compute a campaign's results from its score table: the leaderboard with its statistics, and the analyses of a report."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from assay.analyses.campaign.finding import with_finding
from assay.analyses.campaign.result import CampaignResults, Ends, GroupedRuns, MeasureResults, RunPair, RunPairs
from assay.analyses.comparison.compare import compare, compare_many
from assay.analyses.comparison.result import Comparison, PairColumns
from assay.analyses.comparison.run_intervals import intervals_together, run_intervals
from assay.analyses.comparison.sentences import (
    MAX_LISTED_PAIRS,
    decided_by,
    interval_rule,
    made_by,
    pair_rule,
    shared,
    tier_rule,
)
from assay.analyses.reliability.reliability import Reliability, reliability
from assay.analyses.reliability.sentences import required_difference
from assay.analyses.suites.macro_columns import has_macro_mean
from assay.errors import InputError, TooMuchError, UsageError
from assay.figures.common import characteristics
from assay.figures.cost_frontier import spending
from assay.figures.topic_groups import tasks
from assay.measures.measure import Measure
from assay.parallel.executors import lent
from assay.stats.bootstrap_intervals import Interval
from assay.stats.rank_correlation import taus
from assay.table import missing_topics
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.abstention.price import Pricing
    from assay.analyses.comparison.by_group import ComparedGroup
    from assay.analyses.items import Items
    from assay.analyses.suites.result import Suite

MAX_TUKEY_TOPICS = 2000
"""With more topics nearly every pair differs significantly, and shuffling takes longer than the rest of the report."""
MAX_INTERVAL_VALUES = 20_000
"""Up to so many values of a measure, its intervals are computed unasked."""
WITH_INTERVALS = ("over_refusal", "missed_refusals", "decline_F1")
"""Measures of a part of the questions, often a small one, that mean little without their intervals."""
MAX_STUDIED_MEASURES = 4
DEFAULT_TRIALS, MIN_TRIALS, MAX_TRIAL_PAIRS = 1000, 100, 80_000_000
"""Trials of the reliability study. More pairs than these, over all trials, take longer than the rest of the report."""
EXACT_PAIRS = 20_000
"""Numbers of more pairs are rounded to eight places, which halves the bytes of a page."""
MIN_RUNS_FOR_ITEMS, MIN_TOPICS_FOR_ITEMS = 5, 10
"""With fewer, a topic often goes against the others by chance."""
MAX_LISTED_ITEMS = 20


def evaluate_campaign(
    scores: Scores,
    measures: Sequence[Measure],
    *,
    run: str | None = None,
    trials: int | None = None,
    correct: str | None = None,
    intervals: bool = False,
    baselines_apart: bool = False,
    group_by: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
) -> CampaignResults:
    """Compute the results of a campaign; the arguments are those of `assay.report`.

    scores     the table
    measures   those of the leaderboard; the first ranks the runs
    run        a run whose pages alone are wanted: notes are its own, and the analyses of the whole campaign are skipped
    """
    from assay.formats.auxiliary.characteristics import in_words

    if group_by is not None:
        from assay.figures.run_groups import run_groups

        run_groups(scores, group_by)  # refuses an unknown characteristic before anything is resampled
    main, warnings = measures[0], list[str]()
    trials = default_trials(len(scores.runs)) if trials is None else trials
    with lent(executor):
        spent = spending(scores, main, dict(zip(scores.runs, _run_values(scores, main), strict=True)))
        comparison = _compare_runs(scores, main, correct, None if spent is None else spent.kind)
        study = None if run else _study_reliability(scores, measures, trials, progress, warnings, executor)
        campaign = CampaignResults(
            runs=scores.runs, topics=scores.topics, measures=[_measure_results(scores, measure) for measure in measures],
            method=describe_method(scores), unit=scores.task.noun, task=scores.task.title,
            characteristics={
                name: {trait: in_words(value) for trait, value in characteristics(scores, name).items()} for name in scores.runs
            },
            calibration=_calibration(scores), averaging=_averaging(scores), fields=_fields(scores),
            samples=scores.extent().partition(" × ")[2], baselines_apart=baselines_apart,
            spending=spent, money=None if comparison is None else comparison.cost,
            endings=_endings(scores), pricing=_price_errors(scores),
            notes=_notes(scores, run), warnings=warnings,
            comparison=comparison, reliability=study, items=None if run else _analyse_items(scores, main),
            suite=None if run or not tasks(scores) else _suite(scores, main),
        )  # fmt: skip
        campaign = replace(campaign, by_topic=_by_question(scores, campaign.measures), agreement=_agreement(campaign))
        campaign = _with_statistics(campaign, scores, main)
        if group_by is not None:
            campaign = _with_groups(campaign, scores, main, group_by, correct)
        campaign = replace(campaign, measures=_with_intervals(scores, measures, campaign.measures, intervals))
        campaign = with_finding(campaign)
    if baselines_apart and not campaign.unranked:
        warnings.append("all runs are ranked: either none or all of them are baselines by their characteristics")
    return campaign


def describe_method(scores: Scores) -> str:
    """Name the topics, the policy for missing ones, the choices that change numbers, and the version."""
    from assay._version import __version__

    settings = scores.settings
    parts = [scores.extent(), _missing_policy(scores), *getattr(settings, "directions", ())]
    if (right_from := getattr(settings, "right_from", None)) is not None:
        parts.append(f"correct from a score of {right_from:g}")
    if (level := getattr(settings, "level", None)) is not None:
        parts.append(f"relevant from grade {level}")
    if (depth := getattr(settings, "depth", None)) is not None:
        parts.append("the first document" if depth == 1 else f"the first {depth} documents")
    if getattr(settings, "judged_only", False):
        parts.append("judged documents only")
    return "; ".join(parts) + f"; assay {__version__}."


def _missing_policy(scores: Scores) -> str:
    """What a topic counts that a run has no results on; in logs these are failures of the harness."""
    failed = getattr(scores.settings, "failed", None)
    if failed is None or not any(scores.run(run).notes.tool for run in scores.runs):
        return missing_topics.in_words(scores.settings, scores.task.noun)
    return missing_topics.failed_in_words(scores.settings, scores.task.noun)


def default_trials(runs: int) -> int:
    """Return the trials of the reliability study: 1,000, or of more than 400 runs as many as keep the number of pairs.

    >>> default_trials(129), default_trials(1000)
    (1000, 160)
    """
    pairs = max(1, runs * (runs - 1) // 2)
    return max(MIN_TRIALS, min(DEFAULT_TRIALS, MAX_TRIAL_PAIRS // pairs))


def orders_runs(measure: Measure) -> bool:
    """Whether a measure says which run is better; counts and descriptions do not."""
    return measure.declaration.higher_is_better is not None and measure.average != "sum"


def _measure_results(scores: Scores, measure: Measure) -> MeasureResults:
    documentation = (measure.declaration.function.__doc__ or "").strip().splitlines()
    return MeasureResults(
        measure.name,
        _run_values(scores, measure),
        [scores.column(run, measure.name) for run in scores.runs] if measure.level == "topic" else (),
        hint=" ".join(documentation[0].replace("`", "").split()) if documentation else "",
        higher_is_better=measure.declaration.higher_is_better is not False,
        orders_runs=orders_runs(measure),
        totals=[scores.count_samples(run) for run in scores.runs] if measure.declaration.share else (),
    )


def _run_values(scores: Scores, measure: Measure) -> list[float | None]:
    """Every run's value: of a suite its macro mean."""
    if not has_macro_mean(scores, measure):
        return [scores.value(run, measure).value for run in scores.runs]
    macro = {result.run: result.macro for result in _suite(scores, measure, intervals=False).runs}
    return [macro[run] for run in scores.runs]


def _run_intervals(scores: Scores, measure: Measure) -> Mapping[str, Interval | None]:
    """The interval of every run's value: of a suite that of its macro mean."""
    if not has_macro_mean(scores, measure):
        return run_intervals(scores, measure)
    return {result.run: result.interval for result in _suite(scores, measure).runs}


def _suite(scores: Scores, measure: Measure, intervals: bool = True) -> Suite:
    from assay.analyses.suites.suite import suite

    return suite(scores, measure, intervals=intervals)


def _ends(interval: Interval | None) -> Ends | None:
    return None if interval is None else (interval.low, interval.high)


def _with_intervals(
    scores: Scores, measures: Sequence[Measure], results: Sequence[MeasureResults], everywhere: bool
) -> list[MeasureResults]:
    """Add the interval of each run's value, for the leaderboard or for the run's page; those of the comparison stay.

    Without `everywhere` only intervals that are quick to compute are added, for the run's page.
    """
    few = len(scores.topics) > 1 and len(scores.runs) * len(scores.topics) <= MAX_INTERVAL_VALUES
    completed: list[MeasureResults] = []
    for measure, result in zip(measures, results, strict=True):
        quick = measure.level == "topic" or measure.declaration.name in WITH_INTERVALS
        if (everywhere or (few and quick)) and not result.intervals and orders_runs(measure):
            compute = _run_intervals if has_macro_mean(scores, measure) else intervals_together
            by_run = compute(scores, measure)
            ends = [_ends(by_run[run]) for run in scores.runs]
            result = replace(result, intervals=ends) if everywhere else replace(result, page_intervals=ends)
        completed.append(result)
    return completed


def _compare_runs(scores: Scores, measure: Measure, correct: str | None, cost: str | None) -> Comparison | None:
    """Compare all pairs by one measure, and their costs of a kind; None where there is nothing to compare."""
    if len(scores.runs) < 2 or len(scores.topics) < 2:
        return None
    try:
        if len(scores.runs) * (len(scores.runs) - 1) // 2 > MAX_LISTED_PAIRS:
            return compare_many(scores, measure, correct=correct, first=len(scores.runs) - 1, cost=cost)
        return compare(scores, measure, correct=correct, cost=cost or False)
    except (InputError, UsageError):
        if cost is not None:  # of the questions that all runs share none may have a cost
            return _compare_runs(scores, measure, correct, None)
        # Runs without a common topic on which the measure has a value cannot be compared; their pages can be drawn.
        return None


def _with_statistics(campaign: CampaignResults, scores: Scores, main: Measure) -> CampaignResults:
    """Add the intervals, tiers and pairs of the first measure, and the rules they were computed by."""
    first, *others = campaign.measures
    comparison, study = campaign.comparison, campaign.reliability
    rules: dict[str, str] = {}
    if comparison is not None:
        first = _with_comparison(first, scores, comparison, main)
        decided = f"Difference{shared(comparison)}, and p by {decided_by(comparison)}. {pair_rule(comparison)}"
        rules = {"interval_rule": interval_rule(comparison), "tier_rule": tier_rule(comparison), "pair_rule": decided}
    elif len(scores.runs) == 1 and len(scores.topics) > 1:
        interval = _run_intervals(scores, main)[scores.runs[0]]
        first = replace(first, intervals=[_ends(interval)])
        what = f"{interval.confidence:.0%} interval" if interval else ""
        rules = {"interval_rule": made_by([interval], what, f", seed {scores.settings.seed}")}
    if study and main.name in study.measures:
        rules["required_difference"] = required_difference(study, main.name, len(scores.topics))
    return replace(campaign, measures=[first, *others], **rules)


def _with_comparison(
    result: MeasureResults, scores: Scores, comparison: Comparison, measure: Measure
) -> MeasureResults:
    """Add what the comparison says of each run and pair."""
    by_run = {compared.run: compared for compared in comparison.runs}
    position = {run: place for place, run in enumerate(scores.runs)}
    # A run's value may be over more topics than the comparison; its interval is then over the same ones as the value.
    separate = _run_intervals(scores, measure) if comparison.left_out else None
    intervals = {run: by_run[run].interval for run in scores.runs} if separate is None else separate
    if comparison.every is not None:
        pairs = _pair_columns(comparison.every)
    else:
        pairs = [
            RunPair(
                position[pair.a],
                position[pair.b],
                pair.difference,
                *(_ends(pair.interval) or (None, None)),
                pair.decided_by,
            )
            for pair in comparison.pairs
            if pair.difference is not None
        ]
    return replace(
        result,
        intervals=[_ends(intervals[run]) for run in scores.runs],
        tiers=["" if by_run[run].tier is None else str(by_run[run].tier) for run in scores.runs],
        pairs=pairs,
    )


def _pair_columns(every: PairColumns) -> RunPairs:
    """Return all pairs that can be compared."""
    defined = every.difference == every.difference
    columns = [column[defined] for column in (every.difference, every.low, every.high, every.p)]
    if len(every.a) > EXACT_PAIRS:
        columns = [column.round(8) for column in columns]
    runs = (array("q", every.a[defined].tobytes()), array("q", every.b[defined].tobytes()))
    difference, low, high, p = (array("d", column.tobytes()) for column in columns)
    return RunPairs(*runs, difference, low, high, p)


def _with_groups(
    campaign: CampaignResults, scores: Scores, measure: Measure, group_by: str, correct: str | None
) -> CampaignResults:
    """Add the groups of runs by a characteristic, each with tiers of its own."""
    from assay.analyses.comparison.by_group import compare_by
    from assay.figures.run_groups import run_groups, without_value

    groups = run_groups(scores, group_by)
    position = {run: i for i, run in enumerate(scores.runs)}
    compared: dict[str, ComparedGroup] = {}
    notes: list[str] = []
    rule, why = "", "there are too few runs or topics to compare"
    if len(scores.topics) > 1:
        try:
            result = compare_by(scores, measure=measure, group_by=group_by, correct=correct)
            compared, (rule, *notes) = {group.label: group for group in result.groups}, result.notes
        except (InputError, UsageError) as problem:
            why = str(problem)
    grouped: list[GroupedRuns] = []
    for group in groups:
        within = compared.get(group.label)
        runs = within.comparison.runs if within and within.comparison else ()
        tiers = {position[run.run]: str(run.tier) for run in runs if run.tier is not None}
        reason = within.why if within else why
        grouped.append(GroupedRuns(group.label, [position[run] for run in group.runs], tiers, reason))
    missing_note = without_value(groups, group_by)
    if missing_note and missing_note not in notes:
        notes.append(missing_note)
    group_rule = f"{rule[:1].upper()}{rule[1:]}." if rule else ""
    return replace(campaign, group_by=group_by, groups=grouped, group_rule=group_rule, notes=[*campaign.notes, *notes])


def _study_reliability(
    scores: Scores, measures: Sequence[Measure], trials: int, progress: Callable[[int, int], None] | None, warnings: list[str],
    executor: Executor | None,
) -> Reliability | None:  # fmt: skip
    """Study the reliability of the first measures; None where there is too little to resample."""
    # Measures of a whole run are computed anew on every trial, which is too slow for a report.
    names = [measure.name for measure in measures if orders_runs(measure) and measure.level != "whole"]
    if not trials or not names or len(scores.runs) < 2 or len(scores.topics) < 4:
        return None
    tests = ("tukey",) if len(scores.topics) <= MAX_TUKEY_TOPICS else ()
    try:
        return reliability(
            scores, measures=names[:MAX_STUDIED_MEASURES], trials=trials, discrimination=tests, progress=progress,
            executor=executor or "local",
        )  # fmt: skip
    except TooMuchError:
        raise  # the request for trials is at fault, not the runs
    except (InputError, UsageError) as problem:
        warnings.append(f"no pages on reliability: {problem}")
        return None


def _analyse_items(scores: Scores, measure: Measure) -> Items | None:
    """Look for suspicious topics; None where there are too few runs or topics."""
    if len(scores.runs) < MIN_RUNS_FOR_ITEMS or len(scores.topics) < MIN_TOPICS_FOR_ITEMS:
        return None
    from assay.analyses.items import items

    try:
        return items(scores, measure if measure.level == "topic" else None, top=MAX_LISTED_ITEMS)
    except (InputError, UsageError):
        return None  # no measure has a value by topic


def _agreement(campaign: CampaignResults) -> Mapping[tuple[str, str], float | None]:
    """Kendall's tau-b between the rankings by each two measures."""
    return taus(
        {
            result.name: [
                None if value is None else value if result.higher_is_better else -value for value in result.values
            ]
            for result in campaign.measures
            if result.orders_runs
        }
    )


def _price_errors(scores: Scores) -> Pricing | None:
    """Price wrong answers; None where credit is partial, or the runs share no question."""
    if scores.task.name != "outcomes" or any(getattr(scores.run(run).views, "graded", True) for run in scores.runs):
        return None
    from assay.analyses.abstention.price import price

    try:
        return price(scores)
    except (InputError, UsageError):
        return None


def _endings(scores: Scores) -> Mapping[str, Sequence[str]]:
    """By run, how every question ended, where questions end right, wrong or declined."""
    if scores.task.name != "outcomes":
        return {}
    from assay.figures.items.question_outcomes import endings

    return endings(scores)


def _fields(scores: Scores) -> dict[str, list[str]]:
    """The fields of the gold beside the topics' texts; an unset field is empty."""
    if not scores.fields:
        return {}
    from assay.figures.items.model import ASKING

    shown = {name: values for name, values in scores.fields.items() if name not in ASKING}
    return {name: ["" if value is None else str(value) for value in values] for name, values in shown.items()}


def _calibration(scores: Scores) -> dict[str, str]:
    """Say whether each run is calibrated, where its calibration error was asked for."""
    if not any(measure.is_calibration_error for measure in scores.measures):
        return {}
    from assay.analyses.abstention.calibration import calibrations

    return {run: f"{run} is {result.sentence}." for run, result in calibrations(scores).items() if result is not None}


def _averaging(scores: Scores) -> str:
    """Say how a leaderboard averages over tasks, where there are several."""
    if not (groups := tasks(scores)):
        return ""
    return f"Macro means over {len(groups)} tasks: each task weighs the same; counts are of all {scores.task.noun}s."


def _notes(scores: Scores, run: str | None) -> list[str]:
    """Notes on the table or on one run of it, without the options that commands name in them."""
    table = scores if run is None else scores.with_runs([scores.run(run)])
    rules = [f"judged by: {rule}" for rule in table.judging()]
    return [re.sub(r" \(`\w+=`\)", "", line) for line in (*table.remarks(), *rules, *table.undefined())]


def _by_question(scores: Scores, results: Sequence[MeasureResults]) -> list[MeasureResults]:
    """UF question by question, which shows the outcomes themselves."""
    if not all("incorrect" in scores.run(run).columns for run in scores.runs):
        return []
    from assay.figures.outcomes import by_question

    name, by_topic = "UF (1 right, 0 unanswered, -1 wrong)", by_question(scores)
    return [
        MeasureResults(name, result.values, by_topic, hint=result.hint) for result in results if result.name == "UF"
    ]
