"""Notes of a comparison: what was excluded, failed, pooled or not tested."""

from __future__ import annotations

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.suites.macro_columns import has_macro_mean
from assay.errors import shorten_list
from assay.figures import topic_groups
from assay.table.run_scores import RunScores

MAX_LISTED = 5
"""Runs, tasks and reasons that a note names."""


def _failed(run: RunScores) -> int:
    """Count the topics on which every sample failed; a missing topic is no failure."""
    return sum(not count and not gone for count, gone in zip(run.samples or (), run.missing, strict=False))


def _failures(statistics: PairStatistics) -> list[str]:
    """Say on how many topics each run failed, and warn of bias where these numbers differ."""
    columns = statistics.columns
    every = len(columns.scores.topics)
    failures = {run: _failed(columns.scores.run(run)) for run in columns.runs}
    if not any(failures.values()):
        return []
    listed = [f"{run} failed on {count or 'none'} of {every} {columns.noun}s" for run, count in failures.items()]
    text = f"{shorten_list(listed, MAX_LISTED)}: the comparison is over {len(columns.topics)} {columns.noun}s"
    if len(set(failures.values())) > 1:
        text += f", and failures that depend on the {columns.noun} bias it"
    return [text]


def _tasks(statistics: PairStatistics) -> list[str]:
    """Say how the tasks of a suite are averaged, and which are excluded because a run lacks them."""
    columns, measure = statistics.columns, statistics.measure
    scores, noun = columns.scores, columns.noun
    tasks = topic_groups.tasks(scores)
    if not tasks:
        return []
    notes: list[str] = []
    if columns.average:
        notes.append(f"each task weighs the same ({columns.average}); `by='task'` compares within each")
    elif not has_macro_mean(scores, measure):
        notes.append(f"{noun}s of {len(tasks)} tasks pooled, as {measure.name} has no macro mean")
    lacks = [
        (run, task) for run in columns.runs for task in tasks if not topic_groups.took_part(scores, run, task.topics)
    ]
    if lacks and has_macro_mean(scores, measure):
        lacking = [f"{run} has nothing of {task.label}" for run, task in lacks]
        several = len({task.label for _, task in lacks}) > 1
        which = "these tasks are" if several else "this task is"
        notes.append(f"{shorten_list(lacking, MAX_LISTED, separator='; ')}: {which} left out for all runs")
    return notes


def notes_of(statistics: PairStatistics) -> list[str]:
    """Return everything a reader should know before believing the comparison."""
    d = statistics
    notes: list[str] = []
    noun, left_out = d.columns.noun, d.columns.left_out
    failed = _failures(d)
    if left_out:
        what = "missing, undefined or failed" if failed else "missing or undefined"
        notes.append(f"{left_out} {noun}s are {what} for some run and left out for all")
    notes += failed
    notes += _tasks(d)
    if "bootstrap" in d.p_values and d.pairs.bootstrap.undefined:
        boot = d.pairs.bootstrap
        notes.append(f"{boot.undefined} of {boot.resamples} resamples had an undefined value and are left out")
    refused = dict.fromkeys(why for why, there in zip(d.refusals, d.defined, strict=True) if why and there)
    notes.extend(f"not tested: {why}" for why in list(refused)[:MAX_LISTED])
    if len(refused) > MAX_LISTED:
        notes.append(f"not tested: {len(refused) - MAX_LISTED} more reasons of that kind")
    if d.test.ends is None:
        notes.append(f"the {d.test.name} test has no confidence interval; use `test='randomisation'`")
    return notes
