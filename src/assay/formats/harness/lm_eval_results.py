"""Run, task and metrics of lm-evaluation-harness's samples: from the file's name, its folder, and the results file beside it.

    {model}/samples_{task}_{date}.jsonl     from 0.4.3, with results_{date}.json beside it
    {model_args}_{task}.jsonl               before, with results.json beside it

The results file is read for a few fields; where it is broken, a warning says so and names are used alone.
"""

from __future__ import annotations

import os
import re
from typing import Any

import msgspec

from assay.errors import AssayError
from assay.formats.json_files import decode, neighbour
from assay.io.sources import Source

DATED = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)")
MODEL_KEYS = ("pretrained", "model", "engine", "path", "peft")
"""The arguments of a model that may name it."""


class _Filter(msgspec.Struct):
    name: str | None = None


class _TaskConfig(msgspec.Struct):
    filter_list: list[_Filter] | None = None
    metric_list: Any = None
    target_delimiter: str | None = None


class _Count(msgspec.Struct):
    original: int = 0
    effective: int = 0


class _Run(msgspec.Struct):
    model_args: str | dict[str, Any] | None = None


class _ResultsFile(msgspec.Struct):
    model_name: str | None = None
    config: _Run = msgspec.field(default_factory=_Run)
    configs: dict[str, _TaskConfig] = {}
    results: dict[str, Any] = {}
    group_subtasks: dict[str, list[str]] = {}
    higher_is_better: dict[str, dict[str, bool | None]] = {}
    counts: dict[str, _Count] = msgspec.field(default_factory=dict[str, _Count], name="n-samples")
    version: str | None = msgspec.field(default=None, name="lm_eval_version")


class SamplesInfo(msgspec.Struct):
    """Run, task and statements on a file of samples."""

    run: str
    task: str
    date: str = ""
    version: str = ""
    filters: list[str] = []
    """The names of the task's filters, in order, where known."""
    group: str | None = None
    delimiter: str = " "
    """The text between a prompt and a choice."""
    lower: list[str] = []
    """Metrics that are better the lower they are."""
    asked: int | None = None
    counted: int | None = None
    """The number of samples behind the metrics, as the results state it."""
    effective: int | None = None
    """The number of questions planned; `--samples` does not lower it."""
    scores: dict[str, Any] = {}
    """By `metric,filter`: the value of the results."""
    means: list[str] = []
    """Metrics whose value is the plain mean over samples."""
    warnings: list[str] = []


def named(source: Source) -> SamplesInfo:
    """Return run and task of a file of samples, and what the results file states of the task."""
    stem = source.stem
    dated = DATED.fullmatch(stem)
    folder = os.path.dirname(os.path.abspath(source.path)) if source.path not in (None, "-") else ""
    warnings: list[str] = []
    results = _read(neighbour(source, f"results_{dated['date']}.json" if dated else "results.json"), warnings)
    if dated is not None:
        run = (results and results.model_name) or os.path.basename(folder) or stem
        names = SamplesInfo(run, dated["task"], dated["date"])
    else:
        names = _of_old_name(source, stem, results, warnings)
    names.run = source.label or names.run
    names.warnings = warnings
    if results is not None:
        _describe(names, results)
    return names


def _read(file: Source | None, warnings: list[str]) -> _ResultsFile | None:
    if file is None:
        return None
    try:
        return decode(file, _ResultsFile, "a results file")
    except AssayError as problem:
        warnings.append(f"{problem}; it is ignored, and names of files say the model and the task")
        return None


def _of_old_name(source: Source, stem: str, results: _ResultsFile | None, warnings: list[str]) -> SamplesInfo:
    """Split {model_args}_{task} at a task that the results file names."""
    tasks = [task for task in (results.configs if results else ()) if stem.endswith(f"_{task}")]
    if results is None or not tasks:
        warnings.append(
            f"{source.name}: nothing tells its task, so that it shares no question with other logs; expected a file called "
            "samples_TASK_DATE.jsonl, or results.json beside it with a task that ends the file's name"
        )
        return SamplesInfo(stem, stem)
    task = max(tasks, key=len)
    before = stem.removesuffix(f"_{task}")
    arguments = results.config.model_args
    # A later run into the same folder overwrites the results file: it describes this file if their names agree.
    if isinstance(arguments, str) and re.sub("[/=]", "__", arguments) == before:
        return SamplesInfo(_model(arguments), task)
    return SamplesInfo(re.sub(f"^({'|'.join(MODEL_KEYS)})__", "", before), task)


def _model(arguments: str) -> str:
    """Return the model in arguments such as pretrained=org/name,dtype=float."""
    pairs = {key: value for key, _, value in (pair.partition("=") for pair in arguments.split(","))}
    return next((pairs[key] for key in MODEL_KEYS if pairs.get(key)), arguments)


def _describe(named_run: SamplesInfo, results: _ResultsFile) -> None:
    config = results.configs.get(named_run.task, _TaskConfig())
    names = [entry.name for entry in config.filter_list or []]
    named_run.filters = [name for name in names if name]
    if config.target_delimiter is not None:
        named_run.delimiter = config.target_delimiter
    named_run.version = results.version or ""
    named_run.group = next((group for group, tasks in results.group_subtasks.items() if named_run.task in tasks), None)
    named_run.lower = [
        name for name, higher in results.higher_is_better.get(named_run.task, {}).items() if higher is False
    ]
    count = results.counts.get(named_run.task, _Count())
    named_run.effective = count.effective or None
    scores = results.results.get(named_run.task)
    named_run.scores = scores if isinstance(scores, dict) else {}  # pyright: ignore[reportUnknownMemberType]
    counted = named_run.scores.get("sample_len")
    named_run.counted = counted if type(counted) is int else None
    listed = config.metric_list if isinstance(config.metric_list, list) else []  # pyright: ignore[reportUnknownVariableType]
    named_run.means = [
        str(entry.get("metric"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        for entry in listed  # pyright: ignore[reportUnknownVariableType]
        if isinstance(entry, dict) and entry.get("aggregation") == "mean"  # pyright: ignore[reportUnknownMemberType]
    ]
    named_run.asked = count.original if count.original > count.effective > 0 else None
