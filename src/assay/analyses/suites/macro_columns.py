"""The columns a comparison resamples: macro means over tasks where the table is a suite."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.errors import InputError, UsageError
from assay.figures import topic_groups
from assay.measures.measure import Measure
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns, compared
from assay.table.scores import Scores
from assay.tasks import Task


def has_macro_mean(scores: Scores, measure: Measure) -> bool:
    """Return whether the headline of a measure is its macro mean: of a suite, and neither of a count nor of all runs at once."""
    return scores.is_suite and measure.average != "sum" and measure.declaration.together is None


def headline_columns(scores: Scores, measure: Measure, runs: Sequence[str], cluster: str | None = "auto") -> Columns:
    """Return the columns of runs that are compared: of a suite their macro means, over the tasks that all of them have."""
    if not has_macro_mean(scores, measure):
        return compared(scores, measure, runs, cluster)
    columns = compared(scores, measure, runs, None)
    kept = list(_shared_tasks(scores, columns, runs).values())
    order = np.sort(np.concatenate([np.array(rows) for rows in kept]))
    plain = Columns(scores, measure, columns.runs, columns.places[order], columns.mask[:, order]).by(cluster)
    if len(kept) == 1:
        return plain
    row_of = {row: number for number, row in enumerate(order.tolist())}
    tasks = tuple(np.array([row_of[row] for row in rows]) for rows in kept)
    from assay.resampling.macro_means import MacroColumns

    return MacroColumns(scores, measure, plain.runs, plain.places, plain.mask, plain.cluster, plain.clusters, tasks)


def _shared_tasks(scores: Scores, columns: Columns, runs: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of each task that has results of all these runs."""
    place_of = {place: row for row, place in enumerate(columns.places.tolist())}
    kept: dict[str, list[int]] = {}
    for task in topic_groups.tasks(scores):
        rows = [place_of[place] for place in scores.places(task.topics) if place in place_of]
        if rows and all(topic_groups.took_part(scores, run, task.topics) for run in runs):
            kept[task.label] = rows
    if not kept:
        raise InputError(
            "no task has results of all these runs; compare fewer runs, or within each task with `by='task'`"
        )
    return kept


def task_table(scores: Scores, measure: Measure, runs: Sequence[str], incomplete: bool = False) -> Scores:
    """Return a score table with a row per task. Its mean is the macro mean.

    incomplete   every task, each run's value over its own questions; else the tasks and questions that all runs have
    """
    if not has_macro_mean(scores, measure):
        raise UsageError(
            "`over='tasks'`: needs results of several tasks, by a measure that is not a count nor of all runs at once"
        )
    direction = measure.declaration.higher_is_better
    if direction is None:
        raise UsageError(f"`over='tasks'`: needs a measure with a direction; {measure.name} has none")
    from assay.scoring.score_files import scores as score_table

    names, values = _values_by_run(scores, measure, runs) if incomplete else _values_of_shared(scores, measure, runs)
    table = score_table(
        values,
        runs=list(runs),
        topics=names,
        measure=measure.name,
        higher_is_better=direction,
        seed=scores.settings.seed,
    )
    table.task = Task(**{**vars(table.task), "noun": "task"})
    return table


def _values_of_shared(scores: Scores, measure: Measure, runs: Sequence[str]) -> tuple[list[str], list[Floats]]:
    """Return the tasks that all runs have, and the values of the runs on each."""
    columns = compared(scores, measure, runs, None)
    kept = _shared_tasks(scores, columns, runs)
    return list(kept), [
        Columns(scores, measure, columns.runs, columns.places[rows], columns.mask[:, rows]).resampler.values()
        for rows in (np.array(rows) for rows in kept.values())
    ]


def _values_by_run(scores: Scores, measure: Measure, runs: Sequence[str]) -> tuple[list[str], list[Floats]]:
    """Return all tasks, and the values of the runs on each, NaN where a run has none."""
    tasks = topic_groups.tasks(scores)
    values = np.full((len(tasks), len(runs)), np.nan)
    for task, of_task in zip(tasks, values, strict=True):
        table = scores.restricted(task.topics)
        for column, run in enumerate(runs):
            own = (
                Columns.of(table, measure, [run]).shared() if topic_groups.took_part(scores, run, task.topics) else None
            )
            if own is not None and len(own.places):
                of_task[column] = own.resampler.values()[0]
    return [task.label for task in tasks], list(values)
