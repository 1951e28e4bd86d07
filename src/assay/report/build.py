"""From a score table to the report's model: collects what figures, statistics and reliability found, and asks the
task's pages to lay it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.errors import UsageError
from assay.report.model import Report, Section
from assay.report.pages import reliability as reliability_pages
from assay.report.pages.campaign import Campaign, MeasureResults

if TYPE_CHECKING:
    from assay.measures.declare import Measure
    from assay.reliability.study import Reliability
    from assay.scores import Scores

TITLES = {"ranked": "Ranked retrieval", "outcomes": "Answers with non-response"}
COUNTED = {
    "zero": "a topic a run leaves out counts 0",
    "skip": "topics a run leaves out are left out",
    "common": "only topics all runs have",
    "unanswered": "a question a run leaves out counts as unanswered",
    "incorrect": "a question a run leaves out counts as incorrect",
    "error": "every run has every topic",
}


@dataclass(frozen=True, slots=True)
class Statistics:
    """Intervals, tiers and pairs of the first measure, with the rules they were made by."""

    intervals: Sequence[tuple[float, float] | None] = ()
    interval_rule: str = ""
    tiers: Sequence[str] = ()
    tier_rule: str = ""
    pairs: Sequence[Any] = ()
    pair_rule: str = ""
    agreement: Mapping[tuple[str, str], float | None] = field(default_factory=dict[tuple[str, str], "float | None"])


def needed(task: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The measures and ingredient columns the task's pages are made from, beside the user's own measures."""
    figures = _module("figures", task)
    return figures.MEASURES, figures.COLUMNS


def build(
    scores: Scores,
    measures: Sequence[Measure],
    *,
    title: str | None = None,
    subtitle: str = "",
    only: str | None = None,
    characteristics: Mapping[str, Mapping[str, str]] | None = None,
    statistics: Statistics | None = None,
    reliability: Reliability | None = None,
) -> Report:
    """The report of a score table; `measures` are the leaderboard's, the first of them ranks the runs."""
    from assay._version import __version__

    if only is not None:
        scores.run(only)
    found = statistics or Statistics()
    results = [_results(scores, measure) for measure in measures]
    main = results[0]
    results[0] = MeasureResults(
        main.name,
        main.values,
        main.topics,
        found.intervals,
        found.tiers,
        found.pairs,
        main.digits,
        main.hint,
        main.higher_is_better,
    )
    sentence = ""
    extra: list[Section] = []
    if reliability is not None:
        extra = reliability_pages.sections(reliability)
        if main.name in reliability.measures:
            sentence = reliability_pages.required_difference(reliability, main.name)
    campaign = Campaign(
        runs=scores.runs,
        topics=scores.topics,
        measures=results,
        how=how(scores),
        characteristics=characteristics or {},
        interval_rule=found.interval_rule,
        tier_rule=found.tier_rule,
        pair_rule=found.pair_rule,
        required_difference=sentence,
        agreement=found.agreement,
        unit="topic" if scores.task != "outcomes" else "question",
    )
    figures = _module("figures", scores.task).figures(scores)
    return _module("report.pages", scores.task).pages(
        figures,
        campaign,
        title or TITLES.get(scores.task, scores.task),
        subtitle,
        only=only,
        extra=extra,
        foot=f"assay {__version__}. {how(scores)}",
    )


def how(scores: Scores) -> str:
    """How the numbers were made, so that a figure can stand in a paper: topics, policy, relevance, version."""
    from assay._version import __version__

    settings = scores.settings
    unit = "questions" if scores.task == "outcomes" else "topics"
    parts = [f"{len(scores.topics)} {unit}", COUNTED.get(settings.missing, settings.missing)]
    if scores.task == "ranked":
        parts.append(f"relevant from grade {settings.level}")
    if settings.depth is not None:
        parts.append(f"the first {settings.depth} documents")
    if settings.judged_only:
        parts.append("judged documents only")
    return "; ".join(parts) + f"; assay {__version__}."


def _results(scores: Scores, measure: Measure) -> MeasureResults:
    by_topic = measure.level == "topic"
    said = (measure.declaration.function.__doc__ or "").strip().splitlines()
    return MeasureResults(
        measure.name,
        [scores.value(run, measure).value for run in scores.runs],
        [scores.column(run, measure.name) for run in scores.runs] if by_topic else (),
        hint=said[0] if said else "",
        higher_is_better=measure.declaration.higher_is_better is not False,
    )


def _module(kind: str, task: str) -> Any:
    try:
        return import_module(f"assay.{kind}.{task.replace('-', '_')}")
    except ModuleNotFoundError as missing:
        if missing.name is None or not missing.name.startswith("assay."):
            raise
        raise UsageError(f"the task {task!r} has no report pages") from None
