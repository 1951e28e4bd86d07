"""Unjudged documents in rankings: how many there are, and bounds on their effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.errors import UsageError
from assay.measures.engines.completions import UNKNOWN, extremes
from assay.measures.measure import Measure
from assay.scoring.evaluate import extended
from assay.table.results import Listing
from assay.table.run_scores import RunScores
from assay.table.scores import Scores

TASK = "ranked"


def with_judged(scores: Scores) -> Scores:
    """Return the table with, per measure, the share of judged documents and the unjudged count.

    scores   of ranked retrieval, with the runs they were made from
    """
    _check(scores, "the share of judged documents is")
    cuts = {m.name: m.parameters.get("cut") for m in scores.measures}
    beside = {name: [f"Judged@{cut}", f"Holes@{cut}"] if cut else ["Judged", "Holes"] for name, cut in cuts.items()}
    more = extended(scores, dict.fromkeys(name for names in beside.values() for name in names))
    order = dict.fromkeys(name for m in scores.measures for name in (m.name, *beside[m.name]))
    runs = [more.run(run) for run in more.runs]
    return more.with_runs(runs, [more.measure(name) for name in order])


def bounds(scores: Scores, progress: Callable[[int, int], None] | None = None) -> Listing:
    """Return scores with bounds: unjudged documents all non-relevant, or of the highest grade.

    scores     of ranked retrieval, with the runs they were made from
    progress   called with the number of runs done and of all
    """
    _check(scores, "bounds are")
    if getattr(scores.settings, "judged_only", False):
        raise UsageError(
            "`judged_only=True` drops the unjudged documents that bounds are about; leave it out, and use primed measures such as `AP'`"
        )
    for measure in scores.measures:
        if measure.declaration.name in UNKNOWN:
            problem = f"bounds of {measure}: a relevant document further up may lower it, so the bounds are unknown"
            raise UsageError(f"{problem}; leave it out, or see `ResEU` for what the unjudged could add")
        if measure.level != "topic":
            raise UsageError(f"{measure.name} has no value per topic and therefore no bounds; leave it out")
    grade = highest_grade(scores)
    for measure in scores.measures:
        relevant = measure.parameters.get("rel") or getattr(scores.settings, "level", 1)
        if relevant > grade:
            problem = f"bounds of {measure}: it needs grade {relevant}, and the gold's highest grade is {grade}"
            raise UsageError(f"{problem}; the grade of an unjudged relevant document is unknown")
    cells: list[list[Any]] = []
    printed: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    for number, name in enumerate(scores.runs, 1):
        run = scores.run(name)
        low, high = (scores.with_runs([bound]) for bound in _completed(run, scores.measures, grade))
        cells.append([name])
        printed.append([name])
        for measure in scores.measures:
            value = scores.value(name, measure).value
            ends = [table.value(name, measure).value for table in (low, high)]
            cells[-1] += [value, *ends]
            printed[-1] += [value, " to ".join("n/a" if end is None else f"{end:.4f}" for end in ends)]
            data.append({"run": name, "measure": measure.name, "value": value, "low": ends[0], "high": ends[1]})
        if progress is not None:
            progress(number, len(scores.runs))
    names = [m.name for m in scores.measures]
    return Listing(
        ["run", *(title for name in names for title in (name, f"{name}_low", f"{name}_high"))],
        cells,
        {"grade": grade, "rows": data},
        ["run", *(title for name in names for title in (name, "if all were judged"))],
        printed,
    )


def highest_grade(scores: Scores) -> int:
    """Return the gold's highest grade, at least 1: the grade of unjudged documents for bounds."""
    views: Any = scores.run(scores.runs[0]).views
    return max([1, *(judgments.grades[0] for judgments in views.gold.judgments if judgments.grades)])


def _completed(run: RunScores, measures: list[Measure], grade: int) -> tuple[RunScores, RunScores]:
    """Return the run with its lowest and with its highest values."""
    functions = [measure.bound() for measure in measures]
    views: Any = run.views
    extreme_values = [extremes(view, functions, grade) for view in views]
    ends: list[RunScores] = []
    for end in (0, 1):
        columns = {m.name: tuple(topic[i][end] for topic in extreme_values) for i, m in enumerate(measures)}
        ends.append(run.but(columns={**run.columns, **columns}))
    return ends[0], ends[1]


def _check(scores: Scores, what: str) -> None:
    if scores.task.name != TASK:
        raise UsageError(
            f"{what} of ranked retrieval, whose pools leave documents unjudged; this is {scores.task.name}"
        )
    for name in scores.runs:
        if scores.run(name).views is None:
            raise UsageError(f"{name}: the table has scores but no rankings; evaluate with `keep=True`")
