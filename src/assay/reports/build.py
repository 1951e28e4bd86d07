"""From a score table to the report's model: collects what figures, statistics and reliability found, and asks the
task's pages to lay it out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from assay import policies
from assay.errors import InputError, UsageError
from assay.figures import figures_of
from assay.formats.characteristics import in_words
from assay.reports.model import Pair, Report, Section, counted
from assay.reports.pages import reliability as reliability_pages
from assay.reports.pages.campaign import Campaign, Frame, MeasureResults
from assay.scoring import scores_of

if TYPE_CHECKING:
    from assay.measures.declare import Measure
    from assay.stats.intervals import Interval
    from assay.studies.study import Reliability
    from assay.table import Scores
    from assay.tasks import Task

MANY_TOPICS = 2000
"""With more, nearly every pair is told apart and shuffling them all takes longer than the rest of the report."""
MOST_STUDIED = 4
"""Measures whose reliability is worth a curve each."""
STUDENT = "t"
"""How statistics name an interval that is no bootstrap's."""
DECIDED = {"tukey": "Tukey's HSD over all pairs", "none": "{test}"}
"""What a decision is called by its correction; else both are named."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Intervals, tiers and pairs of the first measure, with the rules they were made by."""

    intervals: Sequence[tuple[float, float] | None] = ()
    interval_rule: str = ""
    tiers: Sequence[str] = ()
    tier_rule: str = ""
    pairs: Sequence[Pair] = ()
    pair_rule: str = ""


def statistics_of(scores: Scores, measure: Measure) -> Statistics:
    """Intervals, tiers and all pairs by one measure."""
    from assay.stats.comparing import compare

    if len(scores.topics) < 2:
        return Statistics()
    if len(scores.runs) < 2:
        return _alone(scores, measure)
    try:
        found = compare(scores, measure)
    except (InputError, UsageError):
        # Runs that share no topic on which the measure has a value cannot be compared; their pages can still be drawn.
        return Statistics()
    by_run = {result.run: result for result in found.runs}
    ends = [by_run[run].interval for run in scores.runs]
    chosen = found.settings
    unit = scores.task.noun
    units = f"{unit}s" if found.units == found.topics else f"clusters of {unit}s"
    trials = f"{chosen['resamples']:,} resamples of the {units}, seed {chosen['seed']}"
    decided = DECIDED.get(chosen["correct"], "{test}, {correct}").format_map(chosen)
    place = {run: number for number, run in enumerate(scores.runs)}
    confidence = f"{chosen['confidence']:.0%}"
    return Statistics(
        intervals=[None if end is None else (end.low, end.high) for end in ends],
        interval_rule=made_by(ends, f"{confidence} intervals", f", {trials}"),
        tiers=["" if by_run[run].tier is None else str(by_run[run].tier) for run in scores.runs],
        tier_rule=f"Tiers: {chosen['tiers']} ({decided}).",
        pairs=[
            Pair(
                place[pair.a],
                place[pair.b],
                pair.difference,
                pair.interval.low if pair.interval else None,
                pair.interval.high if pair.interval else None,
                pair.decided_by,
            )
            for pair in found.pairs
            if pair.difference is not None
        ],
        pair_rule=f"Difference, and p by {decided}. "
        + made_by([pair.interval for pair in found.pairs], f"{confidence} intervals", f", {trials}"),
    )


def _alone(scores: Scores, measure: Measure) -> Statistics:
    """One run has an interval too, if nothing to compare it with."""
    from assay.stats.comparing import run_intervals

    ends = list(run_intervals(scores, measure).values())
    confidence = "".join(f"{end.confidence:.0%}" for end in ends if end)
    rule = made_by(ends, f"{confidence} interval", f", seed {scores.settings.seed}")
    return Statistics([None if end is None else (end.low, end.high) for end in ends], rule)


def made_by(ends: Sequence[Interval | None], what: str, trials: str) -> str:
    """By which methods intervals were made; nothing where there are none.

    >>> made_by([None], "95% intervals", ", seed 0")
    ''
    """
    methods = dict.fromkeys(end.method for end in ends if end is not None)
    said = [f"{method} bootstrap{trials}" for method in methods if method != STUDENT]
    if STUDENT in methods:
        said.append("Student's t where too few differ for a bootstrap" if said else "Student's t")
    return f"{what} by {'; '.join(said)}." if said else ""


def agreement_of(results: Sequence[MeasureResults]) -> dict[tuple[str, str], float | None]:
    """Kendall's tau-b between the rankings by each two measures, over the runs both have a value for."""
    from assay.stats.correlation import kendall_tau_b

    # Upwards is better in all of them.
    values = {
        one.name: [None if value is None else value if one.higher_is_better else -value for value in one.values]
        for one in results
        if one.ranks
    }
    found: dict[tuple[str, str], float | None] = {}
    for x, y in combinations_with_replacement(values, 2):
        both = [(a, b) for a, b in zip(values[x], values[y], strict=True) if a is not None and b is not None]
        found[x, y] = kendall_tau_b([a for a, _ in both], [b for _, b in both]) if len(both) > 1 else None
    return found


def report(
    gold: Any,
    runs: Any,
    measures: Sequence[str | Measure] | None = None,
    *,
    task: str | None = None,
    run: str | None = None,
    title: str | None = None,
    trials: int = 1000,
    **settings: Any,
) -> Report:
    """Score runs against gold, as `assay.evaluate` does, and lay out their report; `run` asks for one run's pages.

    >>> pages = report({"q1": {"d1": 1}}, {"mine": {"q1": {"d0": 2.0, "d1": 1.0}}})
    >>> pages.title, [page.run for page in pages.pages]
    ('Ranked retrieval', ['mine'])
    """
    scores = scores_of(gold, runs, measures, task=task, **settings)
    return report_of(scores, chosen_measures=measures is not None, title=title, only=run, trials=trials)


def report_of(
    scores: Scores,
    *,
    chosen_measures: bool = False,
    title: str | None = None,
    subtitle: str = "",
    only: str | None = None,
    trials: int = 1000,
    tell: Callable[[str], None] = lambda line: None,
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """The report of a score table that holds what its task's figures need, with statistics and reliability.

    Where the user chose the measures, the first of them ranks the runs; else the task's own.
    """
    if only is not None:
        scores.run(only)
    measures = list(scores.measures) if chosen_measures else in_order(scores.task, scores.measures)
    return build(
        scores,
        measures,
        title=title,
        subtitle=subtitle,
        only=only,
        statistics=statistics_of(scores, measures[0]),
        reliability=None if only else study_of(scores, measures, trials, tell, progress),
    )


def study_of(
    scores: Scores,
    measures: Sequence[Measure],
    trials: int,
    tell: Callable[[str], None] = lambda line: None,
    progress: Callable[[int], None] = lambda done: None,
) -> Reliability | None:
    """How far the first measures can be trusted; None where there is too little to resample."""
    # Measures of a whole run are computed anew on every trial, too slow for a report nobody asked to wait for.
    names = [measure.name for measure in measures if orders(measure) and measure.level != "whole"][:MOST_STUDIED]
    if not trials or not names or len(scores.runs) < 2 or len(scores.topics) < 4:
        return None
    from assay.studies.study import reliability

    try:
        return reliability(
            scores,
            measures=names,
            trials=trials,
            discrimination=("tukey",) if len(scores.topics) <= MANY_TOPICS else (),
            progress=lambda done, total: progress(trials * done // total),
        )
    except (InputError, UsageError) as problem:
        tell(f"no pages on reliability: {problem}")
        return None


def in_order(task: Task, measures: Sequence[Measure]) -> list[Measure]:
    """The task's own measures with the one that should rank its runs first."""
    return sorted(measures, key=lambda measure: measure.name != task.headline)


def build(
    scores: Scores,
    measures: Sequence[Measure],
    *,
    title: str | None = None,
    subtitle: str = "",
    only: str | None = None,
    statistics: Statistics | None = None,
    reliability: Reliability | None = None,
) -> Report:
    """The report of a score table that holds what the task's figures need (`assay.figures`).

    `measures` are the leaderboard's, and the first of them ranks the runs.
    """
    found = statistics or Statistics()
    main, *others = [_results(scores, measure) for measure in measures]
    main = replace(main, intervals=found.intervals, tiers=found.tiers, pairs=found.pairs)
    unit = scores.task.noun
    sentence = ""
    extra: list[Section] = []
    if reliability is not None:
        extra = reliability_pages.sections(reliability, unit)
        if main.name in reliability.measures:
            sentence = reliability_pages.required_difference(reliability, main.name, unit)
    campaign = Campaign(
        runs=scores.runs,
        topics=scores.topics,
        measures=[main, *others],
        how=how(scores),
        characteristics={run: _described(scores, run) for run in scores.runs},
        interval_rule=found.interval_rule,
        tier_rule=found.tier_rule,
        pair_rule=found.pair_rule,
        required_difference=sentence,
        agreement=agreement_of([main, *others]),
        unit=unit,
        by_topic=_by_question(scores, [main, *others]) if scores.task.name == "outcomes" else (),
    )
    frame = Frame(title or scores.task.title, subtitle, only, extra, how(scores))
    return import_module(scores.task.pages).pages(figures_of(scores), campaign, frame)


def _by_question(scores: Scores, results: Sequence[MeasureResults]) -> list[MeasureResults]:
    """UF question by question, 1 right, -1 wrong, 0 unanswered: it shows the outcomes themselves."""
    known = {result.name: result for result in results}
    if "UF" not in known:
        return []
    topics = [
        [float((right or 0) - (wrong or 0)) for right, wrong in zip(*columns, strict=True)]
        for columns in ((scores.column(run, "correct"), scores.column(run, "incorrect")) for run in scores.runs)
    ]
    name = "UF (1 right, 0 unanswered, -1 wrong)"
    return [MeasureResults(name, known["UF"].values, topics, hint=known["UF"].hint)]


def _described(scores: Scores, run: str) -> dict[str, str]:
    """What the organiser says of a run, in words."""
    said = dict(scores.run(run).notes.characteristics or {})
    return {name: in_words(value) for name, value in said.items()}


def how(scores: Scores) -> str:
    """How the numbers were made, so that a figure can stand in a paper: topics, policy, relevance, version."""
    from assay._version import __version__

    settings = scores.settings
    unit = scores.task.noun
    parts = [counted(len(scores.topics), unit), policies.in_words(settings, unit)]
    if scores.task.name == "ranked":
        parts.append(f"relevant from grade {getattr(settings, 'level', 1)}")
    depth = getattr(settings, "depth", None)
    if depth is not None:
        parts.append("the first document" if depth == 1 else f"the first {depth} documents")
    if getattr(settings, "judged_only", False):
        parts.append("judged documents only")
    return "; ".join(parts) + f"; assay {__version__}."


def orders(measure: Measure) -> bool:
    """Whether a measure says which run is better; counts and descriptions do not."""
    return measure.declaration.higher_is_better is not None and measure.average != "sum"


def _results(scores: Scores, measure: Measure) -> MeasureResults:
    by_topic = measure.level == "topic"
    said = (measure.declaration.function.__doc__ or "").strip().splitlines()
    return MeasureResults(
        measure.name,
        [scores.value(run, measure).value for run in scores.runs],
        [scores.column(run, measure.name) for run in scores.runs] if by_topic else (),
        hint=said[0] if said else "",
        higher_is_better=measure.declaration.higher_is_better is not False,
        ranks=orders(measure),
    )
