"""Read scores from a folder: a store made by `assay evaluate --store`, or a partitioned Parquet data set."""

from __future__ import annotations

import json
import os

from assay._version import NUMBERS
from assay.errors import InputError, shorten_list
from assay.formats.answers.states import STATE
from assay.formats.score_tables import Cells, cells_of
from assay.io.sources import source_of
from assay.measures.registry import resolve
from assay.scoring.store import ABOUT, FOLDER, TABLE, Damaged, Evaluation, arrow
from assay.table.scores import Scores
from assay.tasks import get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.table.run_scores import RunScores

MAX_LISTED_EVALUATIONS = 5


def read_folder(path: str, measures: Sequence[str] | None = None) -> Cells:
    """Return measure → run → topic → value, as `assay evaluate -f parquet` writes them.

    path       a store, one evaluation of a store, or a folder of Parquet files with columns run and topic; folders called
               run=bm25 give the column run
    measures   the measures to read; others are read too where these are computed from them
    """
    folder = _evaluation(path)
    return _data_set(path) if folder is None else _cells(stored(folder), measures)


def _evaluation(path: str) -> str | None:
    """Return the folder of the only evaluation; None where the folder is no store."""
    if os.path.exists(os.path.join(path, ABOUT)):
        return path
    folders = [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.startswith(FOLDER)]
    folders = [
        folder for folder in folders if os.path.exists(os.path.join(folder, ABOUT))
    ] or folders  # some may be unfinished
    evaluations = [(folder, _json(folder, ABOUT)) for folder in folders]
    current = [folder for folder, about in evaluations if about.get("numbers") == NUMBERS]
    if len(evaluations) > 1 and len(current) != 1:
        listed = shorten_list(
            [f"{folder} ({_described(about)})" for folder, about in evaluations], MAX_LISTED_EVALUATIONS, separator="; "
        )
        raise InputError(f"{path}: has {len(evaluations)} evaluations. Fix: give one of them: {listed}")
    return (current or folders or [None])[0]


def _described(about: dict[str, Any]) -> str:
    settings = ", ".join(f"{name}={value}" for name, value in about["settings"].items() if value is not None)
    return f"{about['task']}, {', '.join(about['measures'])}, {settings}"


WRITTEN = {ABOUT: {"key", "numbers", "task", "settings", "measures", "topics"}, TABLE: {"runs"}}
"""Required keys of the files that describe an evaluation."""


def _json(folder: str, name: str) -> dict[str, Any]:
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as file:
            content = json.load(file)
    except FileNotFoundError:
        raise InputError(f"{path}: missing: the evaluation did not finish. Fix: run it again.") from None
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: cannot be read: {problem}; evaluate again") from None
    if not isinstance(content, dict) or not WRITTEN[name] <= content.keys():
        raise _foreign(path)
    return content


def _foreign(path: str) -> InputError:
    return InputError(f"{path}: not a file of a store. Fix: evaluate again.")


def stored(folder: str) -> Scores:
    """Return the last table of one evaluation of a store."""
    about, table = _json(folder, ABOUT), _json(folder, TABLE)
    topics, task = about["topics"], get(about["task"])
    kept = Evaluation(folder, about["key"], len(topics))
    partitions: dict[str, list[RunScores]] = {}
    runs: list[RunScores] = []
    try:
        for entry in table["runs"]:
            name, content, number = entry["run"], entry["content"], entry["number"]
            if content not in partitions:
                partitions = {content: _partition(kept, content, name)}  # runs of one file are consecutive
            runs.append(partitions[content][number].but(name=name))
    except (LookupError, TypeError):
        raise _foreign(os.path.join(folder, TABLE)) from None
    measures = [resolve(name, task.name) for name in about["measures"]]
    return Scores(task, task.settings(**about["settings"]), topics, measures, runs)


def _partition(kept: Evaluation, content: str, run: str) -> list[RunScores]:
    try:
        partition = kept.get(content)
    except Damaged as problem:
        raise InputError(f"{kept.folder}: the scores of {run} are damaged ({problem}); evaluate again") from None
    if partition is None:
        raise InputError(f"{kept.folder}: the scores of {run} are missing. Fix: evaluate again.")
    return partition[0]


def _cells(scores: Scores, measures: Sequence[str] | None) -> Cells:
    names = scores.per_topic
    if measures is not None and set(measures) <= set(names):
        names = [name for name in names if name in (*measures, STATE)]
    return Cells(
        {
            name: {run: dict(zip(scores.topics, scores.column(run, name), strict=True)) for run in scores.runs}
            for name in names
        }
    )


def _data_set(path: str) -> Cells:
    pa = arrow()
    import pyarrow.dataset as dataset

    try:
        files: Any = dataset.dataset(path, format="parquet", partitioning="hive")
        if not files.files:
            raise InputError(f"{path}: is a folder without Parquet files; expected scores in it")
        rows = (row for batch in files.to_batches() for row in batch.to_pylist())
        return cells_of(source_of(path), files.schema.names, rows)
    except (pa.ArrowException, OSError, ValueError) as problem:
        raise InputError(f"{path}: not readable as Parquet: {str(problem).partition(chr(10))[0]}") from None
