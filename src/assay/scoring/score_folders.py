"""Scores from a folder: a store that `assay evaluate --store` made, or any partitioned Parquet data set of scores."""

from __future__ import annotations

import json
import os

from assay._version import NUMBERS
from assay.errors import InputError, shorten_list
from assay.formats.score_tables import Cells, add_cell
from assay.io.sources import source_of
from assay.measures.registry import resolve
from assay.scoring.partitions import Damaged, arrow
from assay.scoring.store import ABOUT, FOLDER, TABLE, Evaluation
from assay.table.scores import Scores
from assay.tasks import get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.table.run_scores import RunScores

SHOWN = 5
"""How many evaluations of a store a message lists."""


def read_folder(path: str, measures: Sequence[str] | None = None) -> Cells:
    """measure → run → topic → value, as `assay evaluate -f parquet` would have written them.

    path       a store, one evaluation of a store, or a folder of Parquet files with columns run and topic; where the folders
               are called run=bm25, that is the column
    measures   those wanted, where only some are; the others are read all the same where these are made of them
    """
    folder = _evaluation(path)
    return _data_set(path) if folder is None else _cells(stored(folder), measures)


def _evaluation(path: str) -> str | None:
    """The one evaluation that a folder is, or holds; None where it is no store."""
    if os.path.exists(os.path.join(path, ABOUT)):
        return path
    held = [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.startswith(FOLDER)]
    held = [folder for folder in held if os.path.exists(os.path.join(folder, ABOUT))] or held  # some may be just begun
    found = [(folder, _json(folder, ABOUT)) for folder in held]
    current = [folder for folder, about in found if about.get("numbers") == NUMBERS]
    if len(found) > 1 and len(current) != 1:
        listed = shorten_list([f"{folder} ({_described(about)})" for folder, about in found], SHOWN, separator="; ")
        raise InputError(f"{path}: holds {len(found)} evaluations, name one of them: {listed}")
    return (current or held or [None])[0]


def _described(about: dict[str, Any]) -> str:
    told = ", ".join(f"{name}={value}" for name, value in about["settings"].items() if value is not None)
    return f"{about['task']}, {', '.join(about['measures'])}, {told}"


WRITTEN = {ABOUT: {"key", "numbers", "task", "settings", "measures", "topics"}, TABLE: {"runs"}}
"""What each of the files that describe an evaluation holds, beside more."""


def _json(folder: str, name: str) -> dict[str, Any]:
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as file:
            found = json.load(file)
    except FileNotFoundError:
        raise InputError(f"{path}: is not there: an evaluation was begun and not finished; run it again") from None
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: cannot be read: {problem}; evaluate again") from None
    if not isinstance(found, dict) or not WRITTEN[name] <= found.keys():
        raise _foreign(path)
    return found


def _foreign(path: str) -> InputError:
    return InputError(f"{path}: is not what a store has there; evaluate again")


def stored(folder: str) -> Scores:
    """The last table of one evaluation of a store."""
    about, table = _json(folder, ABOUT), _json(folder, TABLE)
    topics, task = about["topics"], get(about["task"])
    kept = Evaluation(folder, about["key"], len(topics))
    held: dict[str, list[RunScores]] = {}
    runs: list[RunScores] = []
    try:
        for entry in table["runs"]:
            name, content, number = entry["run"], entry["content"], entry["number"]
            if content not in held:
                held = {content: _partition(kept, content, name)}  # the runs of one file follow each other
            runs.append(held[content][number].but(name=name))
    except (LookupError, TypeError):
        raise _foreign(os.path.join(folder, TABLE)) from None
    measures = [resolve(name, task.name) for name in about["measures"]]
    return Scores(task, task.settings(**about["settings"]), topics, measures, runs)


def _partition(kept: Evaluation, content: str, run: str) -> list[RunScores]:
    try:
        found = kept.get(content)
    except Damaged as problem:
        raise InputError(f"{kept.folder}: the scores of {run} are damaged ({problem}); evaluate again") from None
    if found is None:
        raise InputError(f"{kept.folder}: the scores of {run} are not there any more; evaluate again")
    return found[0]


def _cells(scores: Scores, measures: Sequence[str] | None) -> Cells:
    names = scores.per_topic
    if measures is not None and set(measures) <= set(names):
        names = [name for name in names if name in measures]
    return Cells(
        {
            name: {run: dict(zip(scores.topics, scores.column(run, name), strict=True)) for run in scores.runs}
            for name in names
        }
    )


def _data_set(path: str) -> Cells:
    pa = arrow()
    import pyarrow.dataset as dataset

    source = source_of(path)
    try:
        files: Any = dataset.dataset(path, format="parquet", partitioning="hive")
        columns = list(files.schema.names)
        if not files.files:
            raise InputError(f"{path}: is a folder without Parquet files; expected scores in it")
        if "run" not in columns or "topic" not in columns:
            raise InputError(f"{path}: expected columns run and topic, found {', '.join(columns)}")
        names = [name for name in columns if name not in ("run", "topic", "status")]
        found = Cells({name: {} for name in names})
        for batch in files.to_batches():
            for row in batch.to_pylist():
                for name in names:
                    add_cell(found, source, name, str(row["run"]), str(row["topic"]), row[name])
    except (pa.ArrowException, OSError, ValueError) as problem:
        raise InputError(f"{path}: not readable as Parquet: {str(problem).partition(chr(10))[0]}") from None
    return found
