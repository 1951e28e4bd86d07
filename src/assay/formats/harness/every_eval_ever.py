"""Every Eval Ever: instances as JSONL, a line for every sample and metric; the file beside it describes the metrics.

The format has no abstentions: an answer is correct, incorrect, or has a score between. Records that assay wrote have the state in their
metadata.
"""

from __future__ import annotations

import os
import re
from typing import Any

import msgspec

from assay.errors import InputError
from assay.formats.answers.rows import KINDS, REFUSED, UNANSWERED, Rows, RowTexts
from assay.formats.harness.logs import UNSET, LogReading, Total
from assay.formats.json_files import decode, decode_lines, decode_part, has_keys, neighbour
from assay.formats.recognition import reads
from assay.io.file_pieces import Lines
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "an instance of Every Eval Ever, with model_id, evaluation_name, sample_id and evaluation"
STATE_KEY = "assay_state"
"""The key of `metadata` with the state of an answer, in records that assay wrote."""
REFUSAL = re.compile(r"\brefusal\b", re.IGNORECASE)
"""The schema names refusals among the errors; "connection refused" is none."""


class _Evaluation(msgspec.Struct):
    score: float | None = None
    is_correct: bool | None = None


class _Attribution(msgspec.Struct):
    extracted_value: str | None = None
    is_terminal: bool = True


class _Output(msgspec.Struct):
    raw: list[str] | str | None = None


class _TokenCounts(msgspec.Struct):
    total_tokens: float | None = None


class _Performance(msgspec.Struct):
    latency_ms: float | None = None
    generation_time_ms: float | None = None

    @property
    def seconds(self) -> float | None:
        milliseconds = self.latency_ms if self.latency_ms is not None else self.generation_time_ms
        return None if milliseconds is None else milliseconds / 1000


class _Scored(msgspec.Struct):
    """The part of a line that names its metric."""

    evaluation_name: str
    evaluation: _Evaluation
    evaluation_result_id: str | None = None

    @property
    def metric(self) -> str:
        return self.evaluation_result_id or self.evaluation_name


class _EvaluatedInstance(_Scored, kw_only=True):
    model_id: str
    sample_id: str | int
    sample_hash: str | None = None
    output: _Output | None = None
    answer_attribution: list[_Attribution] | None = None
    token_usage: _TokenCounts | None = None
    performance: _Performance | None = None
    error: str | None = None
    metadata: dict[str, Any] | None = None

    @property
    def answer_text(self) -> str | None:
        """The extracted answer, else the raw output."""
        extracted = [
            attribution.extracted_value for attribution in self.answer_attribution or [] if attribution.is_terminal
        ]
        return (extracted[-1] if extracted else None) or _output_text(self.output)


class _Input(msgspec.Struct):
    raw: str | None = None
    formatted: str | None = None
    reference: list[str] | str | None = None


class _InstanceTexts(_Scored, kw_only=True):
    sample_id: str | int
    input: _Input
    model_id: str = ""
    output: _Output | None = None


class _MetricConfig(msgspec.Struct):
    metric_name: str | None = None
    metric_id: str | None = None
    lower_is_better: bool = False


class _Aggregated(msgspec.Struct):
    evaluation_name: str
    evaluation_result_id: str | None = None
    metric_config: _MetricConfig = msgspec.field(default_factory=_MetricConfig)


class _Detailed(msgspec.Struct):
    total_rows: int | None = None


class _Aggregate(msgspec.Struct):
    evaluation_results: list[_Aggregated] = []
    detailed_evaluation_results: _Detailed | None = None


def _output_text(output: _Output | None) -> str | None:
    raw = None if output is None else output.raw
    return raw if raw is None or isinstance(raw, str) else raw[-1] if raw else None


def _instances(head: Head) -> bool:
    """a first line with `schema_version`, `evaluation_id`, `evaluation_name`, `model_id` and `sample_id`."""
    return head.shape == "json" and has_keys(
        head, "schema_version", "evaluation_id", "evaluation_name", "model_id", "sample_id"
    )  # fmt: skip


@reads(
    "every-eval-ever",
    role="log",
    task="outcomes",
    yields="Every Eval Ever: scored instances",
    recognises=_instances,
    shapes="json",
    markers=("evaluation_id",),
    recovers="line",
    companions={
        ("json", "evaluation_results", "schema_version"): (
            "is an aggregate of Every Eval Ever; give the …_samples.jsonl beside it"
        ),
    },
)
def read_every_eval_ever(source: Source, reading: LogReading) -> list[Rows]:
    """Return a run for every model, a task for every evaluation, with the chosen metric."""
    log = reading.log(source, "Every Eval Ever")
    file = neighbour(source, f"{source.stem.removesuffix('_samples')}.json")
    aggregate = _Aggregate() if file is None else decode(file, _Aggregate, "Every Eval Ever's results")
    metrics: dict[str, dict[str, bool]] = {}
    count = 0
    for _, line in decode_lines(source, _Scored, EXPECTED):
        count += 1
        score = line.evaluation.score
        shares = metrics.setdefault(line.evaluation_name, {})
        shares[line.metric] = shares.get(line.metric, True) and (score is None or 0 <= score <= 1)
    if file is not None and aggregate.detailed_evaluation_results is not None:
        rows = aggregate.detailed_evaluation_results.total_rows
        log.check_total(os.path.basename(file.name), Total(rows), Total(count), unit="row")
    chosen = _chosen(metrics, aggregate.evaluation_results, source, reading)
    for task, metric in chosen.items():
        if not metrics[task][metric]:
            log.warnings.append(
                f"{source.name}: scores of {metric} are no shares from 0 to 1; outcomes are what it calls correct"
            )
    unnamed: set[tuple[str, str, str]] = set()
    stands: dict[tuple[str, str, str], list[int]] = {}
    lines = Lines(source)
    repeated = 0
    for number, line in decode_lines(source, _EvaluatedInstance, EXPECTED):
        task = line.evaluation_name
        if line.metric != chosen.get(task):
            continue
        if line.evaluation_result_id is None:
            key = line.model_id, task, str(line.sample_id)
            repeated += key in unnamed
            unnamed.add(key)
        stands.setdefault((line.model_id, task, str(line.sample_id)), []).append(number)
        value: Any = line.evaluation.score if metrics[task][line.metric] else line.evaluation.is_correct
        metadata = dict(line.metadata or {})
        written = metadata.pop(STATE_KEY, None)
        kind = written if written in KINDS else None
        refused = line.error is not None and REFUSAL.search(line.error) is not None
        unanswered = refused or kind is not None or written == "unanswered"
        problem = line.error or ("it has no score" if value is None else None)
        log.add(
            str(line.sample_id), run=line.model_id, task=task, line=number, content=line.sample_hash, fields=metadata,
            value=UNSET if unanswered else value, state=UNANSWERED, kind=REFUSED if refused else kind,
            problem=None if unanswered else problem, text=None if unanswered else line.answer_text,
            confidence=None if written is None else _share(metadata.pop("confidence", None)),
            usage={
                "tokens": line.token_usage and line.token_usage.total_tokens,
                "latency": line.performance and line.performance.seconds,
            },
        )  # fmt: skip
    if repeated:
        log.warnings.append(
            f"{source.name}: {repeated} lines repeat a sample without evaluation_result_id; they count as repeats, though they "
            "may be other metrics of the same answer"
        )

    def texts_of(rows: Rows, question: str, sample: int) -> RowTexts:
        numbers = stands.get((rows.name, rows.task, question), [])
        if not 0 < sample <= len(numbers):
            return RowTexts()
        number = numbers[sample - 1]
        line = decode_part(source, lines[number], _InstanceTexts, EXPECTED, number)
        gold = line.input.reference
        gold = gold if gold is None or isinstance(gold, str) else " | ".join(gold)
        return RowTexts(line.input.raw, gold, line.input.formatted, _output_text(line.output))

    log.texts_of = texts_of
    return log.finish()


def _share(text: Any) -> float | None:
    """Return a confidence that assay wrote as text."""
    try:
        return None if text is None else float(text)
    except (TypeError, ValueError):
        return None


def _chosen(
    metrics: dict[str, dict[str, bool]], aggregated: list[_Aggregated], source: Source, reading: LogReading
) -> dict[str, str]:
    """Return the metric of every evaluation that is its outcome, by the names in the file beside the log."""
    configs = {result.evaluation_result_id or result.evaluation_name: result.metric_config for result in aggregated}
    named = {
        task: {_name(configs.get(metric, _MetricConfig()), metric): metric for metric in known}
        for task, known in metrics.items()
    }
    chosen_metric = reading.chosen("metric")
    chosen: dict[str, str] = {}
    for task, known in metrics.items():
        names = named[task]
        if len(names) < len(known) or chosen_metric in known:
            names = {metric: metric for metric in known}
        # An id may have the evaluation in it: what was chosen of another one does not take the only metric of this.
        only = len(names) == 1 and any(
            chosen_metric in several or chosen_metric in named[other] for other, several in metrics.items()
        )
        metric = names[next(iter(names)) if only else reading.choose("metric", list(names), source)]
        if configs.get(metric, _MetricConfig()).lower_is_better:
            raise InputError(f"{source.name}: of {metric} less is better; expected a metric that counts what is right")
        chosen[task] = metric
    return chosen


def _name(config: _MetricConfig, otherwise: str) -> str:
    return config.metric_name or config.metric_id or otherwise
