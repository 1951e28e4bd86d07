"""OpenAI evals: events as JSONL, in any order, with a specification and, once the run has finished, a report among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from math import exp, fsum
from typing import Any

import msgspec

from assay.formats.answers.outcome_words import KNOWN
from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.harness.logs import Log, LogReading, Total
from assay.formats.json_files import decode_lines, decode_part, has_keys, stated
from assay.formats.recognition import reads
from assay.io.file_pieces import Lines
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "a line of an OpenAI evals log: spec, final_report, or an event with sample_id, type and data"
MATCH, SCORE, INVALID = "match", "score", "__invalid__"


class _Spec(msgspec.Struct):
    completion_fns: list[str] = []
    eval_name: str | None = None
    base_eval: str | None = None


class _EventLine(msgspec.Struct):
    spec: _Spec | None = None
    final_report: Any = msgspec.UNSET
    run_id: str | None = None
    sample_id: str | int | None = None
    type: str | None = None
    data: msgspec.Raw = msgspec.Raw(b"null")


class _Event(msgspec.Struct):
    """One event that scores a sample, with its line."""

    line: int
    values: Mapping[str, Any]


class _Sample(msgspec.Struct):
    line: int
    scored: list[_Event] = []
    error: str | None = None
    prompt_line: int = 0
    answer_line: int = 0
    """The lines of the events that have the prompt and the answer, 0 where none has."""
    matched: bool = False
    probabilities: list[float] = []


def _events(head: Head) -> bool:
    """a first line with a `spec` that has `completion_fns`, a `final_report` with a `run_id`, or an event of a sample."""
    return head.shape == "json" and (
        has_keys(head, "spec.completion_fns")
        or has_keys(head, "final_report", "run_id")
        or has_keys(head, "run_id", "event_id", "sample_id", "type", "data")
    )


@reads(
    "openai-evals",
    role="log",
    task="outcomes",
    yields="OpenAI evals: events of samples",
    recognises=_events,
    shapes="json",
    markers=("completion_fns", "final_report", "event_id"),
    recovers="numbered line",
)
def read_openai_evals(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run, a question for every sample that an event mentions."""
    log = reading.log(source, "OpenAI evals")
    spec, report, samples = _joined(source)
    run = ",".join(spec.completion_fns) or source.label or source.stem
    metric = _metric(samples, source, reading) if any(sample.scored for sample in samples.values()) else MATCH
    prompts = _prompt_digests(source, {sample.prompt_line for sample in samples.values()})
    for identity, answer in _answers(source, samples):
        sample = samples[identity]
        record: dict[str, Any] = {
            "run": run, "task": spec.base_eval or spec.eval_name or "", "content": prompts.get(sample.prompt_line), "text": answer,
            "confidence": sample.probabilities[0] if len(sample.probabilities) == 1 else None,
        }  # fmt: skip
        events = [
            event for event in sample.scored if metric in event.values or (metric == SCORE and "choice" in event.values)
        ]
        for event in events:
            value, problem = _value(log, identity, event, metric)
            log.add(identity, line=event.line, value=value, problem=problem, **record)
        if not events:
            log.add(identity, line=sample.line, problem=sample.error or "no event says how it was scored", **record)
    if report is None:
        log.warnings.append(f"{source.name}: the run did not finish: it has no final_report")
    else:
        _check_report(log, report, samples, metric)

    event_lines = {
        identity: (sample.prompt_line, sample.answer_line, *(event.line for event in sample.scored))
        for identity, sample in samples.items()
    }
    lines = Lines(source)

    def texts_of(rows: Rows, question: str, sample: int) -> RowTexts:
        prompt_line, answer_line, *scored = event_lines.get(question, (0, 0))
        data = {number: _data(source, lines, number) for number in (prompt_line, answer_line, *scored) if number}
        prompt = data.get(prompt_line, {}).get("prompt")
        matches = [data[number] for number in scored if "expected" in data[number]]
        gold = _answer_text(matches[0]["expected"]) if matches else None
        return RowTexts(
            _last_message(prompt), gold, _prompt(prompt), _answer_text(data.get(answer_line, {}).get("sampled"))
        )

    log.texts_of = texts_of
    return log.finish()


def _check_report(log: Log, report: Mapping[str, Any], samples: Mapping[str, _Sample], metric: str) -> None:
    """Compare the events with the accuracy, or the grader's mean score and counts of choices, of the final report."""
    name = {MATCH: "accuracy", SCORE: SCORE}.get(metric)
    events = [event.values for sample in samples.values() for event in sample.scored]
    values = [
        stated(values[metric] if metric != MATCH else float(values[MATCH])) for values in events if metric in values
    ]
    numbers = [value for value in values if value is not None]
    counts = [count for key, count in report.items() if key.startswith("counts/") and type(count) is int]
    log.check_total(
        "final_report",
        Total(sum(counts) if counts else None, None if name is None else stated(report.get(name))),
        Total(
            sum("choice" in values for values in events) if counts else None,
            fsum(numbers) / len(numbers) if numbers else None,
        ),
        name or metric,
        plain_mean=metric == MATCH,  # evals.metrics.get_accuracy divides the right events by all of them
    )


def _joined(source: Source) -> tuple[_Spec, dict[str, Any] | None, dict[str, _Sample]]:
    """Return the specification, the final report, and the events of each sample."""
    spec, report = _Spec(), None
    runs: dict[str, int] = {}
    samples: dict[str, _Sample] = {}
    for number, line in decode_lines(source, _EventLine, EXPECTED):
        if line.run_id is not None and runs.setdefault(line.run_id, number) == number and len(runs) > 1:
            first = next(iter(runs))
            raise source.error(
                number, f"run {line.run_id!r} in a log of run {first!r}; give each run a file of its own"
            )
        spec = line.spec or spec
        if line.final_report is not msgspec.UNSET:
            report = line.final_report if isinstance(line.final_report, dict) else {}
        if line.sample_id is not None and line.type is not None:
            sample = samples.setdefault(str(line.sample_id), _Sample(number))
            _take(source, number, sample, line.type, line.data)
    return spec, report, samples


def _prompt_digests(source: Source, lines: set[int]) -> dict[int, str]:
    """Return a digest of the last message to the model, by the line of its event."""
    digests: dict[int, str] = {}
    for number, line in decode_lines(source, _EventLine, EXPECTED):
        if number in lines:
            prompt = _last_message(decode_part(source, line.data, dict[str, Any], EXPECTED, number).get("prompt"))
            if prompt is not None:
                digests[number] = blake2b(prompt.encode("utf-8", "replace"), digest_size=16).hexdigest()
    return digests


def _data(source: Source, lines: Lines, number: int) -> dict[str, Any]:
    """Return the data of one event."""
    line = decode_part(source, lines[number], _EventLine, EXPECTED, number)
    return decode_part(source, line.data, dict[str, Any], EXPECTED, number)


def _answers(source: Source, samples: Mapping[str, _Sample]) -> Iterator[tuple[str, str | None]]:
    """Yield every sample with its answer, one text at a time."""
    known = {sample.answer_line or sample.line: identity for identity, sample in samples.items()}
    for number, line in decode_lines(source, _EventLine, EXPECTED):
        if number in known:
            identity = known[number]
            positions = samples[identity].answer_line
            data = decode_part(source, line.data, dict[str, Any], EXPECTED, number) if positions else {}
            yield identity, _answer_text(data.get("sampled"))


def _take(source: Source, number: int, sample: _Sample, kind: str, data: msgspec.Raw) -> None:
    if kind not in ("match", "metrics", "sampling", "cond_logp", "error"):
        return
    values = decode_part(source, data, dict[str, Any], f"an object as the data of an event of type {kind}", number)
    if kind == "match":
        if not isinstance(values.get("correct"), bool | int | float):
            raise source.error(
                number, f"a match whose correct is {values.get('correct')!r:.40}; expected true or false"
            )
        values = {**values, MATCH: values["correct"]}
        if "sampled" in values:
            sample.answer_line, sample.matched = number, True
    if kind == "error":
        sample.error = f"error: {values.get('message') or values.get('error') or values.get('type')}"[:200]
    elif kind in ("match", "metrics"):
        light = {
            name: value
            for name, value in values.items()
            if name == "choice" or not isinstance(value, str | list | dict)
        }
        sample.scored.append(_Event(number, light))
    elif kind == "sampling":
        # A judge's own sampling comes after the model's.
        if not sample.prompt_line:
            sample.prompt_line = number
            sample.answer_line = sample.answer_line if sample.matched else number
    else:
        logarithm = stated(values.get("logp"))
        if logarithm is not None and logarithm <= 0:
            sample.probabilities.append(exp(logarithm))


def _metric(samples: Mapping[str, _Sample], source: Source, reading: LogReading) -> str:
    """Return the metric that is the outcome: a match, else the score of a grader, unless the user chose another."""
    known: dict[str, None] = {}
    for event in (event for sample in samples.values() for event in sample.scored):
        if MATCH in event.values:
            known.setdefault(MATCH)
            continue
        for name, value in event.values.items():
            if name == "choice" or (isinstance(value, int | float) and name != MATCH):
                known.setdefault(SCORE if name == "choice" else name)
    default = MATCH if MATCH in known else SCORE
    return reading.choose("metric", list(known), source, default=default)


def _value(log: Log, identity: str, event: _Event, metric: str) -> tuple[Any, str | None]:
    """Return the value of an event, or why its grader gave none."""
    choice = event.values.get("choice")
    if choice == INVALID:
        return None, "the grader's choice could not be read"
    value = event.values.get(metric)
    if value is None and metric == SCORE and isinstance(choice, str):
        # Letters mean what the grader's prompt says: N may be no or not attempted.
        if len(choice) == 1 and log.reading.words.known is KNOWN:
            raise log.error(
                event.line, "", f"question {identity!r} has the choice {choice!r} and no score; say what the choices mean "
                "with `outcomes='A=correct,B=incorrect'`",
            )  # fmt: skip
        return choice, None
    return value, f"its {metric} is no number" if value is None else None


def _prompt(prompt: Any) -> str | None:
    if not isinstance(prompt, list):
        return prompt if isinstance(prompt, str) else None
    return "\n".join(filter(None, map(_message, prompt))) or None


def _last_message(prompt: Any) -> str | None:
    """Return the last message to the model."""
    return _message(prompt[-1]) if isinstance(prompt, list) and prompt else _prompt(prompt)


def _message(message: Any) -> str | None:
    content = message.get("content") if isinstance(message, dict) else message
    return content if isinstance(content, str) else None


def _answer_text(sampled: Any) -> str | None:
    if isinstance(sampled, list):
        sampled = sampled[0] if sampled else None
    return sampled if isinstance(sampled, str) else None
