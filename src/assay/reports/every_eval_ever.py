"""Scores as records of Every Eval Ever, schema 0.3.0 (github.com/evaleval/every_eval_ever).

A run is one aggregate record: its numbers, and how many questions ended in which state. Answers are instance records beside it, a
line for each. The schema has no abstention: refused and failed answers have an `error`, every state is in the free `metadata`.
"""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from assay._version import NUMBERS, __version__
from assay.formats.answers.rows import FAILED, NO_VERDICT, REFUSED, RowTexts
from assay.formats.answers.states import STATE, WORDS, states_of
from assay.formats.harness.every_eval_ever import STATE_KEY
from assay.io.atomic_files import file_names, write_folder
from assay.table.run_scores import RunScores
from assay.table.scores import TASK_FIELD, Scores

SCHEMA = "0.3.0"
PRIMARY = ("accuracy", "score")
"""The measures that instance records belong to, the first that was computed."""
UNKNOWN = "unknown"


class Record:
    """The record of one run: the aggregate, the lines of its answers, and the folder they belong to."""

    def __init__(self, aggregate: dict[str, Any], instances: list[dict[str, Any]], folder: str, identity: str) -> None:
        self.aggregate = aggregate
        self.instances = instances
        self.folder = folder
        self.identity = identity

    def files(self) -> dict[str, bytes]:
        """Return the files of the record by path."""
        files: dict[str, bytes] = {}
        aggregate = self.aggregate
        if self.instances:
            lines = b"".join(_line(instance) for instance in self.instances)
            path = f"{self.folder}/{self.identity}_samples.jsonl"
            files[path] = lines
            aggregate = {
                **aggregate,
                "detailed_evaluation_results": {
                    "format": "jsonl", "file_path": path, "hash_algorithm": "sha256", "checksum": sha256(lines).hexdigest(),
                    "total_rows": len(self.instances),
                },
            }  # fmt: skip
        files[f"{self.folder}/{self.identity}.json"] = (
            json.dumps(aggregate, indent=1, allow_nan=False).encode("ascii") + b"\n"
        )
        return files


def records(
    scores: Scores, dataset: str, intervals: Mapping[str, Mapping[str, Any]] | None = None, now: float | None = None
) -> Iterator[Record]:
    """Yield the record of every run.

    scores     a score table
    dataset    the name of the data set, where the gold has no field `task`
    intervals  by measure and run, as `assay.run_intervals` gives them
    now        the time of writing, in seconds; by default the clock's
    """
    written = str(int(time.time() if now is None else now))
    folders = dict(zip(scores.runs, file_names(scores.runs), strict=True))
    tasks = list(_tasks(scores, dataset))
    (collection,) = file_names([tasks[0] if len(tasks) == 1 else dataset])
    for name in scores.runs:
        results = _results(scores, name, dataset, intervals or {})
        contents = json.dumps([name, dataset, scores.settings.as_dict(), results], sort_keys=True)
        digest = sha256(contents.encode("utf-8", "surrogateescape")).digest()
        identity = str(uuid.UUID(bytes=digest[:16], version=4))
        developer, _, model = name.rpartition("/")
        evaluation_id = f"{collection}/{folders[name]}/{identity}"
        aggregate = {
            "schema_version": SCHEMA,
            "evaluation_id": evaluation_id,
            "retrieved_timestamp": written,
            "source_metadata": {
                "source_name": "assay", "source_type": "evaluation_run", "source_organization_name": UNKNOWN,
                "evaluator_relationship": "other",
            },
            "eval_library": {"name": "assay", "version": __version__, "additional_details": _details(scores, name)},
            "model_info": {
                "name": name, "id": name, **({"developer": developer.partition("/")[0]} if developer else {}),
                "additional_details": {"deployment_type": UNKNOWN, "model_availability": UNKNOWN},
            },
            "evaluation_results": results,
        }  # fmt: skip
        (owner,) = file_names([developer.partition("/")[0] or UNKNOWN])
        (short,) = file_names([model])
        instances = list(_instances(scores, scores.run(name), evaluation_id, dataset))
        yield Record(aggregate, instances, f"data/{collection}/{owner}/{short}", identity)


def to_lines(scores: Scores, dataset: str, intervals: Mapping[str, Mapping[str, Any]] | None = None) -> str:
    """Return the aggregate records, one a line."""
    return b"".join(_line(record.aggregate) for record in records(scores, dataset, intervals)).decode("ascii")


def save(
    path: str, scores: Scores, dataset: str, intervals: Mapping[str, Mapping[str, Any]] | None = None
) -> tuple[int, int]:
    """Write all records to a new folder as the repository of Every Eval Ever has them; return how many, and how many answers."""
    files: dict[str, bytes] = {}
    count = answers = 0
    for record in records(scores, dataset, intervals):
        files.update(record.files())
        count, answers = count + 1, answers + len(record.instances)
    write_folder(path, files)
    return count, answers


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, allow_nan=False).encode("ascii") + b"\n"


def _details(scores: Scores, run: str) -> dict[str, str]:
    """Return what assay knows beyond the schema, as text."""
    tool = scores.run(run).notes.tool
    chosen = {name: value for name, value in scores.settings.as_dict().items() if value is not None}
    return {"numbers": str(NUMBERS), "settings": json.dumps(chosen), **({"log_of": tool} if tool else {})}


def _tasks(scores: Scores, dataset: str) -> dict[str, list[int] | None]:
    """Return the tasks with the places of their topics; of one task, None for all."""
    fields = scores.fields.get(TASK_FIELD)
    if fields is None:
        return {dataset: None}
    places: dict[str, list[int]] = {}
    for place, task in enumerate(fields):
        places.setdefault(str(task), []).append(place)
    return {next(iter(places)): None} if len(places) == 1 else dict(places)


def _results(
    scores: Scores, run: str, dataset: str, intervals: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:  # fmt: skip
    """Return an entry for each task and measure that has a value."""
    results: list[dict[str, Any]] = []
    for task, places in _tasks(scores, dataset).items():
        states = _counts(scores, run, places)
        for measure in scores.measures:
            value = scores.value_at(run, measure, places)
            if value.value is None:
                continue
            declared = measure.declaration
            bounded = (declared.low is None or value.value >= declared.low) and (
                declared.high is None or value.value <= declared.high
            )
            config: dict[str, Any] = {
                "metric_id": measure.name, "metric_name": measure.name, "lower_is_better": declared.higher_is_better is False,
                "score_type": "continuous",
                "min_score": "-Infinity" if declared.low is None or not bounded else declared.low,
                "max_score": "Infinity" if declared.high is None or not bounded else declared.high,
            }  # fmt: skip
            if declared.higher_is_better is None:
                config["additional_details"] = {"direction": "neither higher nor lower is better"}
            uncertainty: dict[str, Any] = {"num_samples": value.topics}
            ends = intervals.get(measure.name, {}).get(run) if places is None else None
            if ends is not None:
                uncertainty["confidence_interval"] = {"lower": ends.low, "upper": ends.high, "confidence_level": 0.95}
            results.append({
                "evaluation_result_id": result_id(task, measure.name),
                "evaluation_name": task,
                "source_data": {"dataset_name": task, "source_type": "other"},
                "metric_config": config,
                "score_details": {"score": value.value, "details": states, "uncertainty": uncertainty},
            })  # fmt: skip
    return results


def result_id(task: str, measure: str) -> str:
    """Return the key that joins the records of answers with a number of the aggregate."""
    return f"{task}.{measure}"


def _counts(scores: Scores, run: str, places: list[int] | None) -> dict[str, str]:
    """Return how many questions ended in each state, or how many topics are missing."""
    looked_at = range(len(scores.topics)) if places is None else places
    scored = scores.run(run)
    if STATE in scored.columns:
        words = scores.cells(run, STATE)
        return {state: str(count) for state, count in Counter(words[place] for place in looked_at).items()}
    missing = sum(scored.missing[place] for place in looked_at)
    return {"topics": str(len(looked_at)), "missing": str(missing)}


def _instances(scores: Scores, run: RunScores, evaluation_id: str, dataset: str) -> Iterator[dict[str, Any]]:
    """Yield the record of every answer of a run; none where its answers are not known any more, or it has none."""
    views: Any = run.views
    slots = getattr(views, "slots", views)
    if slots is None or not hasattr(slots, "codes"):
        return
    states = states_of(slots.codes, slots.kinds)
    computed = {measure.name for measure in scores.measures}
    primary = next((name for name in PRIMARY if name in computed), None)
    failures = run.notes.failures or {}
    fields = {name: column for name, column in scores.fields.items() if name not in (TASK_FIELD, "question")}
    for task, places in _tasks(scores, dataset).items():
        for place in range(len(scores.topics)) if places is None else places:
            topic = scores.topics[place]
            mine = views.slots_of(place) if views is not slots else (place,)
            texts: Mapping[int, RowTexts] = {} if slots.read_texts is None else slots.read_texts(topic)
            for sample, slot in enumerate(mine, 1):
                state = WORDS[states[slot]]
                if state in ("missing", "not asked"):
                    continue
                metadata = {STATE_KEY: state}
                metadata.update(
                    (name, str(column[place])) for name, column in fields.items() if column[place] is not None
                )
                if len(mine) > 1:
                    metadata["sample"] = str(sample)
                if slots.confidences[slot] is not None:
                    metadata["confidence"] = repr(float(slots.confidences[slot]))
                score = 0.0 if slots.scores is None else slots.scores[slot] or 0.0
                score = 1.0 if state == "correct" else score if state == "partial" else 0.0
                known = next((texts[number] for number in (sample, *texts) if number in texts), RowTexts())
                yield {
                    "schema_version": SCHEMA,
                    "evaluation_id": evaluation_id,
                    "model_id": run.name,
                    "evaluation_name": task,
                    **({} if primary is None else {"evaluation_result_id": result_id(task, primary)}),
                    "sample_id": topic,
                    "interaction_type": "single_turn",
                    **_texts(known),
                    "evaluation": {"score": score, "is_correct": state == "correct"},
                    **_usage(slots.usage, slot),
                    **_error(slots.codes[slot], state, _failure(failures, topic, sample, len(mine))),
                    "metadata": metadata,
                }  # fmt: skip


def _texts(texts: RowTexts) -> dict[str, Any]:
    """Return input, output and extracted answer, as far as they are known."""
    answer = texts.answer
    attribution = {
        "turn_idx": 0, "source": "output.raw", "extracted_value": answer, "extraction_method": UNKNOWN, "is_terminal": True,
    }  # fmt: skip
    return {
        "input": {
            "raw": texts.question or texts.prompt or "",
            "reference": [] if texts.gold is None else [texts.gold],
            **({"formatted": texts.prompt} if texts.prompt else {}),
        },
        "output": {"raw": [] if answer is None else [answer]},
        "answer_attribution": [] if answer is None else [attribution],
    }


def _usage(usage: Mapping[str, Any], slot: int) -> dict[str, Any]:
    known = {kind: column[slot] for kind, column in usage.items() if column[slot] is not None}
    latency = known.pop("latency", None)
    performance: dict[str, Any] = {} if latency is None else {"latency_ms": 1000.0 * latency}
    if known:
        performance["additional_details"] = {kind: repr(amount) for kind, amount in known.items()}
    return {"performance": performance} if performance else {}


def _failure(failures: Mapping[str, str], topic: str, sample: int, samples: int) -> str:
    """Return why a sample failed, empty where that is not known."""
    return failures.get(f"{topic} (sample {sample})" if samples > 1 else topic, "")


def _error(code: int, state: str, why: str) -> dict[str, str]:
    """Return what the schema calls an error: a failure of the harness, or a refusal."""
    if code == FAILED:
        return {"error": why or "failed in the harness"}
    if code == NO_VERDICT:
        return {"error": "no verdict"}
    return {"error": "refusal"} if state == REFUSED else {}
