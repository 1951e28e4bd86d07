"""MTEB: results/MODEL/REVISION/TASK.json, the scores of a model on a task.

A task is what a question is elsewhere: its score is the mean main score over splits and subsets (languages), as by MTEB's own
`TaskResult.get_score`, and the mean over tasks is the mean of its leaderboard.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import fsum
from typing import Any

import msgspec

from assay.formats.answers.rows import Rows
from assay.formats.harness.logs import LogReading, folder_of, scored
from assay.formats.json_files import decode, has_keys, neighbour, stated
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "a result of MTEB, {task_name, mteb_version, scores: {SPLIT: [{main_score, hf_subset}]}}"
MAIN = "main_score"
EXPERIMENTS = "experiments"


class _Result(msgspec.Struct):
    task_name: str
    scores: dict[str, list[dict[str, Any]]]
    dataset_revision: str | None = None
    evaluation_time: float | None = None


class _Model(msgspec.Struct):
    name: str | None = None
    revision: str | None = None


def _result(head: Head) -> bool:
    """one JSON object with `dataset_revision`, `mteb_version` and `scores`, or of MTEB before 1.11 with `mteb_dataset_name`."""
    if head.shape != "json" or has_keys(head, "n_parameters"):
        return False  # some descriptions of models have the fields of a result, too
    return has_keys(head, "mteb_dataset_name") or has_keys(head, "dataset_revision", "mteb_version", "scores")


@reads(
    "mteb",
    role="log",
    task="outcomes",
    yields="MTEB: the scores of a model on a task",
    recognises=_result,
    shapes="json",
    markers=("mteb_version", "mteb_dataset_name"),
    companions={
        (
            "json",
            "name",
            "revision",
            "n_parameters",
        ): "describes a model of MTEB; give the results beside it, TASK.json",
    },
)
def read_mteb(source: Source, reading: LogReading) -> list[Rows]:
    """Return one task of one run, which is joined with the others of its folder."""
    if has_keys(source.head, "mteb_dataset_name"):
        raise source.error(
            None, "is a result of MTEB before 1.11, whose main score the file does not name. Fix: convert it with MTEB, "
            "`TaskResult.from_disk(path).to_disk(path)`",
        )  # fmt: skip
    result = decode(source, _Result, EXPECTED)
    log = reading.log(source, "MTEB")
    run, folder, variant = _run_of(source)
    log.refuse_copy(f"{folder or source.name} {result.task_name}", f"task {result.task_name}")
    entries = _entries(result, source, reading)
    metric = reading.chosen("metric")
    metric = MAIN if metric is None else reading.choose("metric", _metrics([entry for _, entry in entries]), source)
    values: list[float] = []
    unknown: list[str] = []
    for place, entry in entries:
        if metric not in entry:
            raise log.error(0, place, f"has no {metric}; expected one for every subset")
        value = entry[metric]
        number = stated(value)
        if number is None and value is not None:
            raise log.error(0, place, f"{metric} is {value!r:.40}; expected a number")
        if number is None:
            unknown.append(place)
        else:
            values.append(number)
    subsets = sorted(place for place, _ in entries)
    # Correlations and p-MRR may be below 0.
    outcome: dict[str, Any] = (
        {"problem": f"{metric} of {unknown[0]} is null"} if unknown else scored(fsum(values) / len(values))
    )
    log.add(
        result.task_name, run=run, where=f"task {result.task_name}", usage={"latency": result.evaluation_time},
        content=f"{result.dataset_revision} {metric} {subsets}", **outcome,
    )  # fmt: skip
    runs = log.finish()
    for rows in runs:
        rows.part_of, rows.variant = folder, variant
    return runs


def _entries(result: _Result, source: Source, reading: LogReading) -> list[tuple[str, dict[str, Any]]]:
    """Return the scores of every subset with its place, of the chosen split or of all."""
    split = reading.chosen("split")
    if split is not None:
        split = reading.choose("split", list(result.scores), source)
    entries = [
        (f"{name}/{entry.get('hf_subset', number)}", entry)
        for name, subsets in result.scores.items()
        if split in (None, name)
        for number, entry in enumerate(subsets)
    ]
    if not entries:
        raise source.error(None, f"has no scores of {result.task_name}; expected {EXPECTED}")
    places = [place for place, _ in entries]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise source.error(None, f"has {twice} twice; expected each subset of a split once")
    return entries


def _metrics(entries: Sequence[dict[str, Any]]) -> list[str]:
    """Return the names of the scores that every subset has."""
    first = entries[0].items()
    return [name for name, value in first if stated(value) is not None and all(name in entry for entry in entries)]


def _run_of(source: Source) -> tuple[str, str, str]:
    """Return model, folder and revision, of MODEL/REVISION/TASK.json; an experiment is a folder below the revision."""
    folder = folder_of(source)
    if not folder:
        return source.label or source.stem, "", ""
    parts = folder.split(os.sep)
    experiment = parts[-1] if len(parts) > 3 and parts[-2] == EXPERIMENTS else ""
    model, revision = parts[-4:-2] if experiment else ("", *parts)[-2:]
    beside = neighbour(source, "model_meta.json")
    about = _Model() if beside is None else decode(beside, _Model, "model_meta.json of MTEB")
    name = (about.name or model).replace("__", "/") or source.stem
    return source.label or name, folder, ", ".join(filter(None, [about.revision or revision, experiment]))
