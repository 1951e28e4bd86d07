"""A suite of tasks: each run's measure on every task, and its macro mean, in which each task weighs the same.

The interval of a macro mean is the smallest that holds two intervals (`stats/combined_intervals.py`):

    from the tasks' intervals   how far the tasks' own intervals reach, squared, added and rooted on either side (Zou and Donner,
                                "Construction of confidence limits about effect measures", Statistics in Medicine 2008): a
                                task that is all right may still have wrong answers
    t within tasks              the standard errors of the tasks, squared, added and rooted, with Welch's degrees of freedom, on
                                the scale of log-odds for a measure with two ends: how answers varied

A measure without a standard error, such as ECE, and a run that varies on no task have the first one alone.

A run that has nothing of a task has no macro mean: a mean over fewer tasks is another number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from typing import Any

import numpy as np

from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.pair_statistics import RESAMPLES, range_of
from assay.analyses.comparison.run_intervals import interval_of, intervals_of
from assay.analyses.suites.result import Suite, SuiteRun, TaskValue
from assay.errors import InputError, shorten_list
from assay.figures.common import headline
from assay.figures.topic_groups import TopicGroup, absent, groups, took_part
from assay.measures.measure import Measure
from assay.parameters import public
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns, compared
from assay.stats.bootstrap_intervals import Interval
from assay.stats.combined_intervals import mean_interval, welch_interval
from assay.table.scores import TASK_FIELD, Scores

COMBINED, WITH_T = "Zou-Donner from the tasks' intervals", "Zou-Donner from the tasks' intervals and t within tasks"
NAMED = 5
"""Missing tasks that are named one by one."""


@public
def suite(
    scores: Scores, measure: str | Measure | None = None, *, field: str = TASK_FIELD, micro: bool = False,
    intervals: bool = True, confidence: float = 0.95, resamples: int | None = None, cluster: str | None = "auto",
    threads: int | None = None,
) -> Suite:  # fmt: skip
    """Score every run on each task of a suite, and take the macro mean over tasks with its interval.

    scores       a table with a field that names the task of each question
    measure      one of its measures; the task's headline measure where left out
    field        the field
    micro        also the measure over all questions pooled, in which a large task weighs more
    intervals    with intervals, of the macro mean from those of the tasks and the spread within tasks
    confidence   how often such intervals hold what they are about
    resamples    of the tasks' intervals that are resampled: 10,000
    cluster      the field of questions that are resampled together; auto is `cluster` where the gold has one; None
    threads      all cores where left out; the numbers do not depend on it

    Returns
        Suite        runs by macro mean, best first, with every task's value

    Raises
        UsageError   an unknown field or measure
        InputError   questions without the field beside one whose value is "none"

    >>> import assay
    >>> graded = b"run,id,outcome,task\\nm,1,correct,a\\nm,2,incorrect,a\\nm,3,correct,b\\nm,4,correct,b\\n"
    >>> suite(assay.evaluate(None, graded, "accuracy"), "accuracy").run("m").macro
    0.75
    """
    ComparisonOptions(  # refuses what cannot be
        test=None, correct=None, interval="auto", confidence=confidence, resamples=resamples, seed=scores.settings.seed,
        tie=0.0, threads=threads,
    )  # fmt: skip
    wanted = headline(scores) if measure is None else scores.measure(measure)
    tasks = groups(scores, field)
    if len({task.label for task in tasks}) < len(tasks):
        raise InputError(
            f"some {scores.task.noun}s have no {field}, and one {field} is called none; give it another name"
        )
    whole = {task.label: scores.restricted(task.topics) for task in tasks}
    options: dict[str, Any] = {"resamples": resamples or RESAMPLES, "confidence": confidence, "threads": threads}
    runs: list[SuiteRun] = []
    reasons: dict[str, None] = {}
    for run in scores.runs:
        tables = {**whole, **_without(scores, absent(scores, run), tasks)}
        values = {task: _on_task(table, run, wanted) for task, table in tables.items()}
        row = SuiteRun(run=run, tasks=values, macro=_macro(values, wanted))
        pooled = micro and not any(task.missing for task in values.values())
        if pooled:
            row = replace(row, micro=scores.value(run, wanted).value)
        if intervals:
            row, why = _with_intervals(row, tables, wanted, cluster, options)
            reasons.update(dict.fromkeys(why))
            if pooled:
                ends = interval_of(scores, run, wanted, confidence=confidence, cluster=cluster)
                row = replace(row, micro_interval=ends)
        runs.append(row)
    direction = wanted.declaration.higher_is_better
    sign = 1 if direction is False else -1
    runs.sort(key=lambda row: (row.macro is None, sign * (row.macro or 0)))
    settings: dict[str, Any] = {
        **scores.settings.as_dict(), "confidence": confidence, "resamples": options["resamples"],
        "cluster": "cluster" if cluster == "auto" and "cluster" in scores.fields else None if cluster == "auto" else cluster,
    }  # fmt: skip
    return Suite(
        measure=wanted.name, noun=scores.task.noun, higher_is_better=direction, field=field,
        tasks={task.label: len(task.topics) for task in tasks}, runs=runs, micro=micro, intervals=intervals,
        settings=settings, notes=[*_notes(runs, wanted, field), *reasons, *_spanning(scores, tasks, settings["cluster"])],
    )  # fmt: skip


def _without(scores: Scores, nothing: set[str], tasks: Sequence[TopicGroup]) -> dict[str, Scores]:
    """The tables of the groups of which a run lacks some topics with a whole task, on the others."""
    return {
        task.label: scores.restricted(topic for topic in task.topics if topic not in nothing)
        for task in tasks
        if not nothing.isdisjoint(task.topics)
    }


def _on_task(table: Scores, run: str, measure: Measure) -> TaskValue:
    if not took_part(table, run, table.topics):
        return TaskValue(value=None, questions=0, missing=True)
    result = table.value(run, measure)
    return TaskValue(value=result.value, questions=result.topics)


def _macro(tasks: dict[str, TaskValue], measure: Measure) -> float | None:
    """The mean over tasks; None where a task has no value, and of counts, which have no mean that anybody wants."""
    values = [task.value for task in tasks.values()]
    if measure.average == "sum" or any(value is None for value in values):
        return None
    return fsum(value for value in values if value is not None) / len(values)


def _with_intervals(
    row: SuiteRun, tables: dict[str, Scores], measure: Measure, cluster: str | None, options: dict[str, Any]
) -> tuple[SuiteRun, list[str]]:
    """The run with intervals, and why its macro mean has none."""
    columns: dict[str, Columns] = {}
    tasks: dict[str, TaskValue] = {}
    reasons: list[str] = []
    for task, value in row.tasks.items():
        tasks[task] = value
        if value.value is None:
            continue
        try:
            columns[task] = compared(tables[task], measure, [row.run], cluster)
        except InputError as problem:
            reasons.append(f"no interval of the macro mean of {row.run}: {task}: {problem}")
            continue
        ends = intervals_of(columns[task], **options, seed=tables[task].settings.seed)[0]
        tasks[task] = replace(value, interval=ends)
    row = replace(row, tasks=tasks)
    if row.macro is None or len(columns) < len(tasks):
        return row, [] if row.macro is None else reasons
    ends = [value.interval for value in tasks.values()]
    if any(end is None for end in ends):
        lacking = ", ".join(task for task, value in tasks.items() if value.interval is None)
        return row, [f"no interval of the macro mean of {row.run}: {measure.name} has none on {lacking}"]
    if len(tasks) == 1:
        return replace(row, interval=ends[0]), []
    known = [end for end in ends if end is not None]
    values = np.array([value.value for value in tasks.values()], dtype=np.float64)
    units = [columns[task].resampler.units for task in tasks]
    return replace(
        row, interval=_macro_interval(values, known, units, range_of(measure, values), options["confidence"])
    ), []


def _macro_interval(
    values: Floats, ends: Sequence[Interval], units: Sequence[int], limits: tuple[float | None, float | None], confidence: float
) -> Interval:  # fmt: skip
    """Return the smallest interval that holds Zou and Donner's and t within tasks; the mean is inside."""
    mean = fsum(values) / len(values)
    lows, highs = np.array([end.low for end in ends]), np.array([end.high for end in ends])
    low, high = (float(end) for end in mean_interval(values, lows, highs))
    errors = [end.standard_error for end in ends if end.standard_error is not None]
    method = COMBINED
    if len(errors) == len(ends) and any(errors):
        first, last = welch_interval(mean, np.array(errors), np.array(units), limits, confidence)
        method, low, high = WITH_T, min(low, first), max(high, last)
    lowest, highest = (-np.inf if limits[0] is None else limits[0]), (np.inf if limits[1] is None else limits[1])
    return Interval(min(mean, max(low, lowest)), max(mean, min(high, highest)), confidence, method)


def _notes(runs: Sequence[SuiteRun], measure: Measure, field: str) -> list[str]:
    """Which run has no macro mean, and why."""
    if measure.average == "sum":
        return [f"{measure.name} is a count: its mean over {field}s would say nothing, and is left out"]
    lines: list[str] = []
    for row in runs:
        lacking = [task for task, value in row.tasks.items() if value.missing]
        empty = [task for task, value in row.tasks.items() if not value.missing and value.value is None]
        if lacking:
            lines.append(
                f"{row.run} has no results for {shorten_list(lacking, NAMED)}: it has no macro mean over {field}s"
            )
        if empty:
            lines.append(
                f"{measure.name} of {row.run} is undefined on {shorten_list(empty, NAMED)} ({measure.declaration.undefined}): it has no "
                f"macro mean over {field}s"
            )
    return lines


def _spanning(scores: Scores, tasks: Sequence[TopicGroup], cluster: str | None) -> list[str]:
    """Clusters that reach over several tasks, which are resampled apart all the same."""
    if cluster is None or cluster not in scores.fields:
        return []
    seen: dict[Any, set[int]] = {}
    for number, task in enumerate(tasks):
        for place in scores.places(task.topics):
            seen.setdefault(scores.fields[cluster][place], set()).add(number)
    several = sum(len(numbers) > 1 for value, numbers in seen.items() if value is not None)
    if not several:
        return []
    return [
        f"{several} values of {cluster} stand in several {len(tasks)} tasks, which are resampled apart all the same"
    ]
