"""From a score table to its report: gathers what figures, statistics and reliability found, and asks the task's pages to lay
it out."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from assay.analyses.abstention.calibration import calibrations, has_labels
from assay.analyses.abstention.price import Pricing, price
from assay.analyses.comparison.by_group import ComparedGroup, compare_by
from assay.analyses.comparison.compare import compare, compare_many
from assay.analyses.comparison.result import Comparison, PairColumns
from assay.analyses.comparison.run_intervals import intervals_together, run_intervals
from assay.analyses.items.items import items
from assay.analyses.reliability.reliability import Reliability, reliability
from assay.analyses.suites.macro_columns import has_macro_mean
from assay.analyses.suites.suite import suite
from assay.collections.pools.leave_one_out import left_out
from assay.errors import InputError, TooMuchError, UsageError
from assay.figures import figures_of
from assay.figures.common import characteristics
from assay.figures.cost import spending
from assay.figures.groups import tasks
from assay.figures.items.answers import ASKING
from assay.figures.items.crossed import endings
from assay.figures.run_groups import run_groups, without_value
from assay.formats.auxiliary.characteristics import in_words
from assay.measures.measure import Measure
from assay.parallel.executors import lent
from assay.reports.aggregate import aggregated, averages_among
from assay.reports.further import further_sections
from assay.reports.model import RunPair, RunPairs, Section
from assay.reports.pages import comparing, studies, suites
from assay.reports.pages import items as item_pages
from assay.reports.pages import module_of as pages_of
from assay.reports.pages import scores as plain_pages
from assay.reports.pages.campaign import Campaign, GroupedRuns, MeasureResults
from assay.reports.pages.definitions import definitions, words
from assay.reports.pages.leaderboard import assemble
from assay.reports.pages.pool import left_out_sections
from assay.reports.pdf import Progress
from assay.reports.report import Report
from assay.reports.topic_items import ReportItems
from assay.scoring.evaluate import scores_of
from assay.settings import WHOLE, checked
from assay.stats.bootstrap_intervals import Interval
from assay.stats.rank_correlation import taus
from assay.table import missing_topics
from assay.table.scores import Scores

MANY_TOPICS = 2000
"""With more, nearly every pair is told apart and shuffling them all takes longer than the rest of the report."""
QUICK = 20_000
"""Values of a measure up to which its intervals are made without being asked for."""
WITH_INTERVALS = ("over_refusal", "missed_refusals", "decline_F1")
"""Measures of a part of the questions, often a small one, that say little without their intervals."""
MOST_STUDIED = 4
"""Measures whose reliability is worth a curve each."""
TRIALS, FEWEST_TRIALS, PAIRS_OF_TRIALS = 1000, 100, 80_000_000
"""Of the pages on reliability. More pairs than these, over all trials, take longer than the rest of the report."""
EXACT_PAIRS = 20_000
"""Of more pairs a page holds no more digits than it needs."""
FEW_RUNS, FEW_TOPICS = 5, 10
"""Below which a topic that goes against the others is what chance makes every day."""
BASELINES = ("ranked", "apart")
"""Where baselines may stand."""


def report(
    scores: Any,
    runs: Any = None,
    measures: Sequence[str | Measure] | None = None,
    *,
    run: str | None = None,
    title: str | None = None,
    subtitle: str = "",
    trials: int | None = None,
    correct: str | None = None,
    intervals: bool = False,
    progress: Progress | None = None,
    task: str | None = None,
    topics: Any = None,
    docs: Any = None,
    aggregate: bool = False,
    baselines: str = "ranked",
    group_by: str | None = None,
    pool_depth: int | None = None,
    also: Sequence[Any] = (),
    executor: Executor | None = None,
    **settings: Any,
) -> Report:
    """The report of a score table, or of gold and runs, which are scored first.

    scores     a `Scores`, or the gold as `assay.evaluate` takes it
    runs       the runs, where `scores` is the gold
    measures   those of the leaderboard, the first of which ranks the runs; the table's, with the task's headline first,
               where left out
    run        one participant's pages only
    title      what to call the campaign
    subtitle   what stands below the title
    trials     trials of the pages on reliability: 1,000 where left out, fewer of more than 400 runs; 0 omits them
    correct    how tiers and pairs allow for many comparisons, as `assay.compare` takes it
    intervals  an interval beside every measure of the leaderboard, and not beside the first alone
    progress   called with the number of trials done and of all
    task       what kind of evaluation it is, where `scores` is the gold; detected where left out
    topics     a file with the texts of topics (TREC's, JSONL, TSV), or {topic: text}
    docs       a file with the texts of documents (JSONL, TSV), of which the beginnings are shown, or {document: text}
    aggregate  averages over topics to three digits and nothing else: pages from which no judgment can be told
    baselines  `ranked` among the other runs, or `apart` from them: after them and without a place
    group_by   a characteristic of runs, such as language: with a leaderboard, tiers and the median within each of its values
    pool_depth  how deep the runs of ranked retrieval were pooled: with a section on what the pool can carry (`assay.left_out`)
    also       results of `assay.check`, `assay.agree` and `assay.correct`, each with a section of its own
    executor   any concurrent.futures.Executor, whose workers resample; the report does not depend on it
    settings   the choices of `assay.evaluate`, where `scores` is the gold

    >>> pages = report({"q1": {"d1": 1}}, {"mine": {"q1": {"d0": 2.0, "d1": 1.0}}})
    >>> pages.document.title, [page.run for page in pages.document.pages]
    ('Ranked retrieval', ['mine'])
    """
    if trials is not None and checked("trials", trials, WHOLE) < 0:
        raise UsageError(f"`trials={trials}`: expected 1 or more, or 0 for no pages on reliability")
    if baselines not in BASELINES:
        raise UsageError(f"`baselines={baselines!r}`: expected {' or '.join(map(repr, BASELINES))}")
    table = scores_of(scores, runs, measures, task=task, **settings)
    if run is not None:
        table.run(run)
        if group_by is not None:
            raise UsageError(f"`group_by={group_by!r}`: one run's pages have no leaderboard; leave out `run={run!r}`")
    if group_by is not None:
        run_groups(table, group_by)  # refuses an unknown characteristic before anything is resampled
    listed = _listed(table, measures)
    warnings: list[str] = []
    if aggregate:
        listed = averages_among(table, listed, topics, docs, warnings)
    trials = default_trials(len(table.runs)) if trials is None else trials
    with lent(executor):
        compared = _comparison(table, listed[0], correct)
        study = None if run else _study(table, listed, trials, progress, warnings, executor)
    extra = [] if run else _items(table, listed[0])
    extra += [comparing.pairs_section(compared)] if compared and not run else []
    extra += studies.reliability_sections(study) if study else []
    if pool_depth is not None and not run:
        extra += left_out_sections(left_out(table, None, listed[0], depth=pool_depth), how(table))
    extra += [] if run else further_sections(also)
    with lent(executor):
        campaign = _campaign(table, listed, compared, study, baselines == "apart")
    pages, campaign = pages_of(table.task.name), replace(campaign, notes=_notes(table, run))
    if group_by is not None:
        with lent(executor):
            campaign = _with_groups(campaign, table, listed[0], group_by, correct)
    if campaign.baselines_apart and not campaign.apart:
        warnings.append("all runs are ranked: none, or every one, is called a baseline in its characteristics")
    if aggregate and not hasattr(pages, "HAS_AVERAGES"):
        pages = plain_pages
    with lent(executor):
        campaign = replace(campaign, measures=_with_intervals(table, listed, campaign.measures, intervals))
    # A participant's report is called by the name of the run.
    title, subtitle = (run, title or subtitle or table.task.title) if run else (title or table.task.title, subtitle)
    first = [] if run or not tasks(table) else [suites.report_section(suite(table, listed[0]), campaign)]
    study = compared = None  # of a thousand runs they fill the memory, and the sections have what they tell
    document = assemble(pages, figures_of(table), campaign, title, subtitle, run, extra, first)
    meant = None if run else definitions(listed, table.task.noun)
    document = replace(document, appendix=(meant,) if meant else ())
    if aggregate:
        return Report(aggregated(document), table, warnings)
    return Report(replace(document, items=ReportItems(table, topics, docs, warnings)), table, warnings)


def _listed(scores: Scores, measures: Sequence[str | Measure] | None) -> list[Measure]:
    """The measures of the leaderboard: those asked for, or the table's with the one that ranks the runs first."""
    if measures is not None:
        return [scores.measure(name) for name in measures]
    return sorted(scores.measures, key=lambda measure: measure.name != scores.task.headline)


def _with_intervals(
    scores: Scores, measures: Sequence[Measure], results: Sequence[MeasureResults], everywhere: bool
) -> list[MeasureResults]:
    """Measures with the interval of each run's own number, on the run's page or everywhere; the first keeps those of the
    comparison. Where nobody asked, only those that take no time."""
    few = len(scores.runs) * len(scores.topics) <= QUICK
    made: list[MeasureResults] = []
    for measure, one in zip(measures, results, strict=True):
        quick = measure.level == "topic" or measure.declaration.name in WITH_INTERVALS
        asked = everywhere or (few and quick and len(scores.topics) > 1)
        if asked and not one.intervals and orders(measure):
            found = (
                _own_intervals(scores, measure)
                if has_macro_mean(scores, measure)
                else intervals_together(scores, measure)
            )
            ends = [None if end is None else (end.low, end.high) for end in (found[run] for run in scores.runs)]
            one = replace(one, intervals=ends) if everywhere else replace(one, own_intervals=ends)
        made.append(one)
    return made


def _comparison(scores: Scores, measure: Measure, correct: str | None) -> Comparison | None:
    """All pairs by one measure; None where there is nothing to compare."""
    if len(scores.runs) < 2 or len(scores.topics) < 2:
        return None
    many = len(scores.runs) * (len(scores.runs) - 1) // 2 > comparing.MANY_PAIRS
    try:
        if many:
            return compare_many(scores, measure, correct=correct, first=comparing.FIRST_PAIRS)
        return compare(scores, measure, correct=correct)
    except (InputError, UsageError):
        # Runs that share no topic on which the measure has a value cannot be compared; their pages can still be drawn.
        return None


def _with_groups(campaign: Campaign, scores: Scores, measure: Measure, group_by: str, correct: str | None) -> Campaign:
    """The campaign with its runs grouped by a characteristic, and each group's own tiers."""
    groups = run_groups(scores, group_by)
    position = {run: i for i, run in enumerate(scores.runs)}
    found: dict[str, ComparedGroup] = {}
    notes: list[str] = []
    rule, why = "", "there are too few runs or topics to compare"
    if len(scores.topics) > 1:
        try:
            compared = compare_by(scores, measure=measure, group_by=group_by, correct=correct)
            found, (rule, *notes) = {group.label: group for group in compared.groups}, compared.notes
        except (InputError, UsageError) as problem:
            why = str(problem)
    made: list[GroupedRuns] = []
    for group in groups:
        one = found.get(group.label)
        runs = one.comparison.runs if one and one.comparison else ()
        tiers = {position[run.run]: str(run.tier) for run in runs if run.tier is not None}
        made.append(GroupedRuns(group.label, [position[run] for run in group.runs], tiers, one.why if one else why))
    lacking = [note] if (note := without_value(groups, group_by)) and note not in notes else []
    said = f"{rule[:1].upper()}{rule[1:]}." if rule else ""
    return replace(campaign, group_by=group_by, groups=made, group_rule=said, notes=[*campaign.notes, *notes, *lacking])


def default_trials(runs: int) -> int:
    """Trials of the pages on reliability, unless somebody says how many: as many pairs of runs as 1,000 have of 400 runs.

    >>> default_trials(129), default_trials(1000)
    (1000, 160)
    """
    pairs = max(1, runs * (runs - 1) // 2)
    return max(FEWEST_TRIALS, min(TRIALS, PAIRS_OF_TRIALS // pairs))


def _study(
    scores: Scores, measures: Sequence[Measure], trials: int, progress: Progress | None, warnings: list[str],
    executor: Executor | None,
) -> Reliability | None:  # fmt: skip
    """How far the first measures can be trusted; None where there is too little to resample."""
    # Measures of a whole run are computed anew on every trial, too slow for a report nobody asked to wait for.
    names = [measure.name for measure in measures if orders(measure) and measure.level != "whole"][:MOST_STUDIED]
    if not trials or not names or len(scores.runs) < 2 or len(scores.topics) < 4:
        return None
    tests = ("tukey",) if len(scores.topics) <= MANY_TOPICS else ()
    try:
        return reliability(
            scores, measures=names, trials=trials, discrimination=tests, progress=progress, executor=executor or "local"
        )
    except TooMuchError:
        raise  # more trials were asked for than can be made, which is no property of the runs
    except (InputError, UsageError) as problem:
        warnings.append(f"no pages on reliability: {problem}")
        return None


def _items(scores: Scores, measure: Measure) -> list[Section]:
    """The topics under suspicion; nothing where too few runs, or too few topics, could tell."""
    if len(scores.runs) < FEW_RUNS or len(scores.topics) < FEW_TOPICS:
        return []
    try:
        found = items(scores, measure if measure.level == "topic" else None, top=item_pages.IN_REPORT)
    except (InputError, UsageError):
        return []  # no measure has a value by topic
    return [item_pages.report_section(found, how(scores))]


def _campaign(
    scores: Scores, measures: Sequence[Measure], compared: Comparison | None, study: Reliability | None, apart: bool
) -> Campaign:
    results = [_results(scores, measure) for measure in measures]
    rules: dict[str, Any] = {}
    if compared is not None:
        # Where a run's own number is over more topics than the comparison's, so is the interval beside it.
        alone = _own_intervals(scores, measures[0]) if compared.left_out else None
        results[0] = _compared(results[0], scores.runs, compared, alone)
        decided = f"Difference{comparing.shared(compared)}, and p by {comparing.decided_by(compared)}. {comparing.pair_rule(compared)}"
        rules = {"interval_rule": comparing.interval_rule(compared), "tier_rule": comparing.tier_rule(compared)}
        rules["pair_rule"] = decided
    elif len(scores.runs) == 1 and len(scores.topics) > 1:
        end = _own_intervals(scores, measures[0])[scores.runs[0]]
        results[0] = replace(results[0], intervals=[end and (end.low, end.high)])
        what = f"{end.confidence:.0%} interval" if end else ""
        rules["interval_rule"] = comparing.made_by([end], what, f", seed {scores.settings.seed}")
    ranking = {
        one.name: [None if value is None else value if one.higher_is_better else -value for value in one.values]
        for one in results
        if one.ranks
    }
    main = results[0].name
    believed = studies.required_difference(study, main, len(scores.topics)) if study and main in study.measures else ""
    return Campaign(
        runs=scores.runs, topics=scores.topics, measures=results, how=how(scores), unit=scores.task.noun,
        task=scores.task.title,
        characteristics={
            run: {name: in_words(v) for name, v in characteristics(scores, run).items()} for run in scores.runs
        },
        required_difference=believed, agreement=taus(ranking), by_topic=_by_question(scores, results),
        said=_calibration(scores), averaged=_averaged(scores), fields=_fields(scores),
        samples=scores.extent().partition(" × ")[2],
        spending=spending(scores, measures[0], dict(zip(scores.runs, _values(scores, measures[0]), strict=True))), baselines_apart=apart,
        endings=endings(scores) if scores.task.name == "outcomes" else {}, pricing=_pricing(scores), **rules,
    )  # fmt: skip


def _pricing(scores: Scores) -> Pricing | None:
    """Who leads at which price; None where credit is partial, or the runs share no question."""
    if scores.task.name != "outcomes" or any(getattr(scores.run(run).views, "graded", True) for run in scores.runs):
        return None
    try:
        return price(scores)
    except (InputError, UsageError):
        return None


def _fields(scores: Scores) -> dict[str, list[str]]:
    """What the gold says of each topic beside its text, nothing where it says nothing."""
    told = {name: found for name, found in scores.fields.items() if name not in ASKING}
    return {name: ["" if value is None else str(value) for value in found] for name, found in told.items()}


def _compared(
    main: MeasureResults, runs: Sequence[str], found: Comparison, alone: Mapping[str, Interval | None] | None
) -> MeasureResults:
    """The first measure with what the comparison says of it."""
    by_run = {result.run: result for result in found.runs}
    place = {run: number for number, run in enumerate(runs)}
    ends = [by_run[run].interval if alone is None else alone[run] for run in runs]
    return replace(
        main,
        intervals=[None if end is None else (end.low, end.high) for end in ends],
        tiers=["" if by_run[run].tier is None else str(by_run[run].tier) for run in runs],
        pairs=[
            RunPair(place[pair.a], place[pair.b], pair.difference, *_ends(pair.interval), pair.decided_by)
            for pair in found.pairs
            if pair.difference is not None
        ]
        if found.every is None
        else _pairs(found.every),
    )


def _pairs(every: PairColumns) -> RunPairs:
    """All pairs that can be compared; of very many to eight places, which are more than a page shows and halve its bytes."""
    there = every.difference == every.difference
    columns = [column[there] for column in (every.difference, every.low, every.high, every.p)]
    told = [column.round(8) for column in columns] if len(every.a) > EXACT_PAIRS else columns
    runs = (array("q", every.a[there].tobytes()), array("q", every.b[there].tobytes()))
    difference, low, high, p = (array("d", column.tobytes()) for column in told)
    return RunPairs(*runs, difference, low, high, p)


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _calibration(scores: Scores) -> dict[str, str]:
    """Whether each run is calibrated, where its calibration error was asked for."""
    if not any(has_labels(measure) for measure in scores.measures):
        return {}
    found = calibrations(scores)
    return {run: f"{run} is {one.sentence}." for run, one in found.items() if one is not None}


def _averaged(scores: Scores) -> str:
    """How a leaderboard averages over tasks, where there are several."""
    found, unit = tasks(scores), scores.task.noun
    return (
        f"Macro means over {len(found)} tasks: each task weighs the same; counts are of all {unit}s." if found else ""
    )


def _own_intervals(scores: Scores, measure: Measure) -> Mapping[str, Interval | None]:
    """The interval of every run's own number; of a suite that of its macro mean."""
    if not has_macro_mean(scores, measure):
        return run_intervals(scores, measure)
    return {one.run: one.interval for one in suite(scores, measure).runs}


def _notes(scores: Scores, run: str | None) -> list[str]:
    """What commands say of the table on standard error, or of one run of it; the settings that change it are theirs."""
    told = scores if run is None else scores.with_runs([scores.run(run)])
    return [re.sub(r" \(`\w+=`\)", "", line) for line in (*told.remarks(), *told.undefined())]


def _by_question(scores: Scores, results: Sequence[MeasureResults]) -> list[MeasureResults]:
    """UF question by question: it shows the outcomes themselves."""
    if not all("incorrect" in scores.run(run).columns for run in scores.runs):
        return []
    from assay.figures.outcomes import by_question

    name, found = "UF (1 right, 0 unanswered, -1 wrong)", by_question(scores)
    return [MeasureResults(name, one.values, found, hint=one.hint) for one in results if one.name == "UF"]


def how(scores: Scores) -> str:
    """How the numbers were made, so that a figure can stand in a paper: topics, policy, relevance, version."""
    from assay._version import __version__

    settings = scores.settings
    parts = [scores.extent(), _left_out(scores), *getattr(settings, "directions", ())]
    if getattr(settings, "right_from", None) is not None:
        parts.append(f"correct from a score of {settings.right_from:g}")  # type: ignore[attr-defined]
    level = getattr(settings, "level", None)
    if level is not None:
        parts.append(f"relevant from grade {level}")
    depth = getattr(settings, "depth", None)
    if depth is not None:
        parts.append("the first document" if depth == 1 else f"the first {depth} documents")
    if getattr(settings, "judged_only", False):
        parts.append("judged documents only")
    return "; ".join(parts) + f"; assay {__version__}."


def _left_out(scores: Scores) -> str:
    """What a topic counts that a run has nothing of: of logs, that is the instrument's failure."""
    unit, failed = scores.task.noun, getattr(scores.settings, "failed", None)
    if failed is None or not any(scores.run(run).notes.tool for run in scores.runs):
        return missing_topics.in_words(scores.settings, unit)
    return missing_topics.failed_in_words(scores.settings, unit)


def orders(measure: Measure) -> bool:
    """Whether a measure says which run is better; counts and descriptions do not."""
    return measure.declaration.higher_is_better is not None and measure.average != "sum"


def _values(scores: Scores, measure: Measure) -> list[float | None]:
    """Every run's own number: of a suite its macro mean."""
    if not has_macro_mean(scores, measure):
        return [scores.value(run, measure).value for run in scores.runs]
    found = {one.run: one.macro for one in suite(scores, measure, intervals=False).runs}
    return [found[run] for run in scores.runs]


def _results(scores: Scores, measure: Measure) -> MeasureResults:
    by_topic = measure.level == "topic"
    said = (measure.declaration.function.__doc__ or "").strip().splitlines()
    return MeasureResults(
        measure.name,
        _values(scores, measure),
        [scores.column(run, measure.name) for run in scores.runs] if by_topic else (),
        hint=words(said[0]) if said else "",
        higher_is_better=measure.declaration.higher_is_better is not False,
        ranks=orders(measure),
        totals=[scores.count_samples(run) for run in scores.runs] if measure.declaration.share else (),
    )
