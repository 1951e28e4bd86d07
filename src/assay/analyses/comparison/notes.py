"""What a careful reader of a comparison would want to know: what was left out, failed, pooled or not tested."""

from __future__ import annotations

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.suites.macro_columns import has_macro_mean
from assay.errors import shorten_list
from assay.figures import groups
from assay.table.run_scores import RunScores

MOST = 5
"""Of runs, tasks and reasons, so many are named."""


def _failed(run: RunScores) -> int:
    """Topics on which every sample failed; those nobody asked the run about are missing."""
    return sum(not count and not gone for count, gone in zip(run.samples or (), run.missing, strict=False))


def _failures(d: PairStatistics) -> list[str]:
    """On how many questions each run failed, where these are not the same: such failures may depend on the question."""
    columns = d.columns
    every = len(columns.scores.topics)
    found = {run: _failed(columns.scores.run(run)) for run in columns.runs}
    if not any(found.values()):
        return []
    told = [f"{run} failed on {count or 'none'} of {every} {columns.noun}s" for run, count in found.items()]
    text = f"{shorten_list(told, MOST)}: the comparison is over {len(columns.topics)} {columns.noun}s"
    if len(set(found.values())) > 1:
        text += f", and failures that depend on the {columns.noun} bias it"
    return [text]


def _tasks(d: PairStatistics) -> list[str]:
    """How the tasks of a suite are averaged, and which are left out because a run lacks them."""
    scores, noun, measure = d.columns.scores, d.columns.noun, d.measure
    tasks = groups.tasks(scores)
    if not tasks:
        return []
    notes: list[str] = []
    if d.columns.average:
        notes.append(f"each task weighs the same ({d.columns.average}); `by='task'` compares within each")
    elif not has_macro_mean(scores, measure):
        notes.append(f"{noun}s of {len(tasks)} tasks pooled, as {measure.name} has no macro mean")
    lacks = [(run, task) for run in d.columns.runs for task in tasks if not groups.took_part(scores, run, task.topics)]
    if lacks and has_macro_mean(scores, measure):
        lacking = [f"{run} has nothing of {task.label}" for run, task in lacks]
        several = len({task.label for _, task in lacks}) > 1
        which = "these tasks are" if several else "this task is"
        notes.append(f"{shorten_list(lacking, MOST, separator='; ')}: {which} left out for all runs")
    return notes


def notes_of(d: PairStatistics) -> list[str]:
    """What a careful reader would want to know."""
    notes: list[str] = []
    noun, left_out = d.columns.noun, d.columns.left_out
    failed = _failures(d)
    if left_out:
        what = "missing, undefined or failed" if failed else "missing or undefined"
        notes.append(f"{left_out} {noun}s are {what} for some run and left out for all")
    notes += failed
    notes += _tasks(d)
    if "bootstrap" in d.levels and d.pairs.bootstrap.undefined:
        boot = d.pairs.bootstrap
        notes.append(f"{boot.undefined} of {boot.resamples} resamples had an undefined value and are left out")
    refused = dict.fromkeys(why for why, there in zip(d.refusals, d.defined, strict=True) if why and there)
    notes.extend(f"not tested: {why}" for why in list(refused)[:MOST])
    if len(refused) > MOST:
        notes.append(f"not tested: {len(refused) - MOST} more reasons of that kind")
    if d.test.ends is None:
        notes.append(f"no interval goes with the {d.test.label}; `test='randomisation'` has one")
    return notes
