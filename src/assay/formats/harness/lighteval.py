"""lighteval: details in Parquet, a file per task.

    details/{model}/{date}/details_{task}|{shots}_{date}.parquet

A row holds the structures doc, metric and model_response (`__doc__` and so on in its documentation). Rows are shuffled, and
`doc.id` is the question's place in the data set. Older files have flat columns (full_prompt, metrics …), and no id: a
question is known by the hash of its prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from assay.errors import InputError
from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.frames import frame_of
from assay.formats.harness.log_likelihoods import best, number, numbers, per_length, probability, warn_of_contradictions
from assay.formats.harness.logs import Log, LogReading, cached
from assay.formats.parquet import Parquet
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

DATE = re.compile(r"\d{4}-\d\d-\d\dT[\d:.-]+")
STRUCTURES = ("doc", "metric", "model_response")
OF_DOC = ("id", "task_name", "query", "choices", "gold_index")
ANSWER_FIELDS = ("text_post_processed", "text")
"""Fields of the answer, the preferred one first."""
FLAT = ("full_prompt", "metrics")
"""Columns that every older file has."""


def _details(head: Head) -> bool:
    """Parquet or a data frame with columns doc, metric and model_response, or full_prompt and metrics."""
    layouts = (STRUCTURES, [f"__{name}__" for name in STRUCTURES], FLAT)
    if head.shape == "frame":
        return any({*names} <= {*head.columns} for names in layouts)
    whole = head.shape == "parquet" and b"task_name" in head.text and b"model_response" in head.text
    return whole or all(name.encode() in head.text for name in FLAT)


@reads(
    "lighteval",
    role="log",
    task="outcomes",
    yields="details of lighteval, Parquet",
    recognises=_details,
    shapes="parquet frame",
    companions={
        ("json", "config_general", "results"): (
            "holds the means of lighteval; give the details_….parquet of the same run"
        ),
    },
)
def read_lighteval(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run on the tasks of a file, usually one."""
    details = _Details(source)
    log = reading.log(source, "lighteval")
    known = details.metrics
    metric = reading.choose("metric", known, source, "acc" if {*known} == {"acc", "acc_norm"} else None)
    if len(known) > 1 and reading.chosen("metric") is None:
        log.warnings.append(
            f"lighteval: of the metrics {', '.join(known)}, {metric} is the outcome (`metric=…` takes another)"
        )
    run, date = _run(source)
    heard = reading.refusal is not None or reading.suspects is not None
    seen: set[tuple[str, str]] = set()
    contradictions = 0
    for place, row in enumerate(details.rows([*OF_DOC], [metric], ["logprobs", *(ANSWER_FIELDS if heard else ())]), 1):
        contradictions += _add(log, run, details.task, metric, row, place, seen)
    log.warnings += warn_of_contradictions(source.name, contradictions, metric)
    log.texts_of = lambda rows, question, sample: _texts(details, rows, question)
    runs = log.finish()
    for rows in runs:
        rows.variant = date
    return runs


class _Details:
    """The rows of a file or data frame, as {doc, metric, model_response} in every layout."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._file = Parquet(source) if source.is_bytes else None
        columns = self._file.columns if self._file is not None else list(frame_of(source, "Parquet").columns)
        self._names = {name: next((c for c in (name, f"__{name}__") if c in columns), "") for name in STRUCTURES}
        self._flat = not all(self._names.values())
        if self._flat and not {*FLAT} <= {*columns}:
            raise source.error(None, f"expected the columns {', '.join(STRUCTURES)}, found {', '.join(columns)}")
        if self._flat:
            self._names = {"doc": "", "metric": "metrics", "model_response": ""}
        self.task = _task_of(source)
        self.metrics = self._members("metric")

    def _members(self, structure: str) -> list[str]:
        column = self._names[structure]
        if self._file is not None:
            return self._file.members(column)
        first = next(iter(frame_of(self.source, "Parquet")[column].to_list()), None)
        return [str(name) for name in _mapped(first)]

    def rows(self, doc: list[str], metric: list[str], response: list[str]) -> Iterator[dict[str, dict[str, Any]]]:
        """Yield every row with some members of its structures."""
        if self._flat:
            for row in self._raw(["full_prompt", *(f"metrics.{name}" for name in metric)]):
                prompt = row["full_prompt"] if isinstance(row.get("full_prompt"), str) else ""
                identity = sha256(prompt.encode("utf-8", "replace")).hexdigest()[:12]
                yield {
                    "doc": {"id": identity, "query": prompt},
                    "metric": _mapped(row.get("metrics")),
                    "model_response": {},
                }
            return
        members = {"doc": doc, "metric": metric, "model_response": response}
        columns = [
            f"{self._names[structure]}.{name}"
            for structure, names in members.items()
            for name in names
            if self._file is None or name in self._file.members(self._names[structure])
        ]
        for row in self._raw(columns):
            yield {structure: _mapped(row.get(self._names[structure])) for structure in STRUCTURES}

    def _raw(self, columns: list[str]) -> Iterator[dict[str, Any]]:
        if self._file is not None:
            return self._file.rows(columns)
        return frame_of(self.source, "Parquet").iter_rows(named=True)


def _mapped(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _run(source: Source) -> tuple[str, str]:
    """Return model and date, from the folders."""
    folders = re.split(r"[/\\]", source.path or "")[:-1]
    date = folders.pop() if folders and DATE.fullmatch(folders[-1]) else ""
    if "details" in folders:
        folders = folders[len(folders) - folders[::-1].index("details") :]
    else:
        folders = folders[-1:] if date else []
    return source.label or "/".join(folders) or source.stem, date


def _task_of(source: Source) -> str:
    """Return the task of a file whose rows do not name it."""
    stem = source.stem
    return re.sub(rf"^details_|_{DATE.pattern}$", "", stem)


def _add(
    log: Log, run: str, task: str, metric: str, row: dict[str, Any], place: int, seen: set[tuple[str, str]]
) -> bool:  # fmt: skip
    """Add one question; return whether its log-likelihoods contradict its metric."""
    doc, where = row["doc"], f"row {place}"
    identity = doc.get("id")
    if not isinstance(identity, str | int) or identity == "":
        raise log.error(0, where, f"doc.id is {identity!r:.40}; expected the question's id")
    named = doc.get("task_name")
    task = named if isinstance(named, str) and named else task
    if (task, str(identity)) in seen:
        raise log.error(0, where, f"question {str(identity)!r} of {task} appears twice; expected each once")
    seen.add((task, str(identity)))
    value = row["metric"].get(metric)
    worth = number(float(value) if isinstance(value, bool) else value)
    if _listed(value) or isinstance(value, list | dict):
        raise log.error(0, where, f"{metric} is {value!r:.40}; expected a metric with one number a question")
    logs, choices = numbers(_listed(row["model_response"].get("logprobs"))) or [], _texts_in(doc.get("choices"))
    choice = chosen(metric, logs, choices)
    right = _golds(doc.get("gold_index"))
    contradicts = choice is not None and bool(right) and worth in (0.0, 1.0) and (choice in right) != (worth == 1.0)
    if contradicts:
        choice = None
    query = doc.get("query")
    log.add(
        str(identity), run=run, task=task, where=where, value=worth,
        problem=None if worth == worth else f"{metric} is {value!r:.40}",
        text=_answer_text(row["model_response"]) if choice is None else choices[choice].strip(),
        confidence=None if choice is None else probability(logs, choice),
        content=query if isinstance(query, str) else None,
    )  # fmt: skip
    return contradicts


def chosen(metric: str, logs: list[float], choices: list[str]) -> int | None:
    """Return the chosen option: the likeliest, per character for a metric called norm; None without options.

    >>> chosen("acc", [-1.0, -3.0], ["a", "bbbb"]), chosen("acc_norm", [-1.0, -3.0], ["a", "bbbb"]), chosen("em", [], [])
    (0, 1, None)
    """
    if len(logs) < 2 or len(logs) != len(choices) or "acc" not in metric:
        return None
    worth = per_length(logs, [len(text) for text in choices]) if "norm" in metric else logs
    return None if worth is None else best(worth)


def _golds(value: Any) -> list[int]:
    return [place for place in (_listed(value) or [value]) if isinstance(place, int)]


def _texts_in(value: Any) -> list[str]:
    return [text for text in _listed(value) if isinstance(text, str)]


def _listed(value: Any) -> list[Any]:
    """Return a list, converting an array of a data frame."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return value if isinstance(value, list) else []


def _texts(details: _Details, rows: Rows, question: str) -> RowTexts:
    """Return prompt and answer of one question."""
    every = cached(details.source, lambda: _by_question(details))
    row = every.get((question, rows.task)) or every.get((question, None))
    if row is None:
        raise InputError(f"{details.source.name}: has no question {question!r} any more; it changed since it was read")
    doc, response = row["doc"], row["model_response"]
    choices, right = _texts_in(doc.get("choices")), _golds(doc.get("gold_index"))
    prompt = response.get("input")
    return RowTexts(
        doc.get("query"),
        ", ".join(choices[place].strip() for place in right if 0 <= place < len(choices)) or None,
        prompt if isinstance(prompt, str) else None,
        _answer_text(response) or rows.texts[rows.ids.index(question)],
    )


def _by_question(details: _Details) -> dict[tuple[str, Any], dict[str, dict[str, Any]]]:
    every = details.rows([*OF_DOC], [], ["input", *ANSWER_FIELDS])
    return {(str(row["doc"].get("id")), row["doc"].get("task_name")): row for row in every}


def _answer_text(response: dict[str, Any]) -> str | None:
    return next((texts[0] for name in ANSWER_FIELDS if (texts := _texts_in(response.get(name)))), None)
