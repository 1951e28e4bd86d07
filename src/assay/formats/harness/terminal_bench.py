"""Terminal-Bench 1: the results.json of a run, a row per trial.

A submission to its board is five runs, each a file with one trial per task, or one file with five.
"""

from __future__ import annotations

import os

import msgspec

from assay.formats.answers.rows import CORRECT, INCORRECT, Rows
from assay.formats.harness.logs import LogReading, Total, folder_of
from assay.formats.harness.trial_times import seconds_between
from assay.formats.json_files import decode, has_keys, neighbour
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "results.json of Terminal-Bench, {results: [{task_id, is_resolved}], accuracy}"


class _Trial(msgspec.Struct):
    task_id: str
    is_resolved: bool | None
    id: str | None = None
    trial_name: str | None = None
    failure_mode: str | None = None
    total_input_tokens: float | None = None
    total_output_tokens: float | None = None
    trial_started_at: str | None = None
    agent_started_at: str | None = None
    agent_ended_at: str | None = None


class _Results(msgspec.Struct):
    results: list[_Trial]
    n_resolved: int | None = None
    n_unresolved: int | None = None
    accuracy: float | None = None


class _Metadata(msgspec.Struct):
    agent_name: str | None = None
    model_name: str | None = None


def _results(head: Head) -> bool:
    """one JSON object whose `results` have `task_id` and `is_resolved`."""
    return head.shape == "json" and has_keys(head, "results[].task_id", "results[].is_resolved")


@reads(
    "terminal-bench",
    role="log",
    task="outcomes",
    yields="Terminal-Bench 1: results.json of a run",
    recognises=_results,
    shapes="json",
    markers=("is_resolved",),
    companions={
        ("json", "id", "trial_name", "is_resolved"): (
            "holds one trial of Terminal-Bench; give the results.json of the run, two folders above it"
        ),
        (
            "json",
            "run_id",
            "agent_name",
            "n_attempts",
        ): "holds settings of Terminal-Bench; give the results.json beside it",
    },
)
def read_terminal_bench(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run; a trial that was never graded is failed, which the board counts as wrong."""
    results = decode(source, _Results, EXPECTED)
    log = reading.log(source, "Terminal-Bench")
    folder, run = _run_of(source, results)
    for place, trial in enumerate(results.results):
        where = f"trial {place}"
        if trial.id or trial.trial_name:
            log.refuse_copy(trial.id or f"{source.name} {trial.trial_name} {trial.trial_started_at}", where)
        mode = trial.failure_mode
        ungraded = "it was never graded" + (f" ({mode})" if mode and mode != "unset" else "")
        tokens = (trial.total_input_tokens, trial.total_output_tokens)
        log.add(
            trial.task_id, run=run, where=where, problem=ungraded if trial.is_resolved is None else None,
            state=CORRECT if trial.is_resolved else INCORRECT,
            usage={
                "latency": seconds_between(trial.agent_started_at, trial.agent_ended_at),
                # Most agents report no tokens, and a 0 or null is written.
                "tokens": sum(filter(None, tokens)) if all(tokens) else None,
            },
        )  # fmt: skip
    resolved = sum(bool(trial.is_resolved) for trial in results.results)
    counts = results.n_resolved, results.n_unresolved
    stated = Total(None if None in counts else sum(filter(None, counts)), results.accuracy)
    counted = Total(len(results.results), resolved / len(results.results) if results.results else None)
    log.check_total("the file", stated, counted, "accuracy", "trial", plain_mean=True)
    runs = log.finish()
    for rows in runs:
        rows.part_of = folder
    return runs


def _run_of(source: Source, results: _Results) -> tuple[str, str]:
    """Return the folder of a submission and the run's name: agent and model, else the submission's folder.

    The file is SUBMISSION/RUN/results.json, SUBMISSION/DATE_results.json or SUBMISSION/results.json. In the first the
    folder has the name of the run, which ends the name of every trial.
    """
    folder = folder_of(source)
    if not folder:
        return "", source.label or source.stem
    beside = neighbour(source, "run_metadata.json")
    if source.stem == "results":
        names = {(trial.trial_name or "").partition("-of-")[2].partition(".")[2] for trial in results.results}
        if any(name and name in os.path.basename(folder) for name in names):
            folder = os.path.dirname(folder)
    elif not source.stem.endswith("results"):
        return "", source.label or source.stem
    about = _Metadata() if beside is None else decode(beside, _Metadata, "run_metadata.json of Terminal-Bench")
    agent, model = about.agent_name, about.model_name
    # Several submissions have an agent of the same name and no model.
    named = f"{agent} ({model})" if agent and model else ""
    return folder, source.label or named or os.path.basename(folder)
