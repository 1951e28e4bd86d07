"""DeepEval: test runs, whose cases were scored by one or more metrics."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import msgspec

from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.harness.logs import LogReading, Total
from assay.formats.json_files import decode, has_keys, stated
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "a test run of DeepEval, with `testCases` that have `metricsData`"


class _Metric(msgspec.Struct):
    name: str
    score: float | None = None
    threshold: float | None = None
    success: bool | None = None
    error: str | None = None


class _Turn(msgspec.Struct):
    role: str = ""
    content: str | None = None


class _Case(msgspec.Struct, rename="camel"):
    name: str
    metrics_data: list[_Metric] | None = None
    success: bool | None = None
    input: str | None = None
    actual_output: str | None = None
    expected_output: str | None = None
    token_cost: float | None = None
    input_token_count: float | None = None
    output_token_count: float | None = None
    completion_time: float | None = None
    metadata: dict[str, Any] | None = None
    scenario: str | None = None
    expected_outcome: str | None = None
    turns: list[_Turn] = []

    @property
    def answer(self) -> str | None:
        """The output; in a conversation, the last reply."""
        replies = [turn.content for turn in self.turns if turn.role == "assistant"]
        return self.actual_output if self.actual_output is not None or not replies else replies[-1]


class _TestRun(msgspec.Struct, rename="camel"):
    test_cases: list[_Case] = []
    conversational_test_cases: list[_Case] = []
    hyperparameters: dict[str, Any] | None = None
    test_file: str | None = None
    test_passed: int | None = None
    test_failed: int | None = None

    @property
    def cases(self) -> list[_Case]:
        return [*self.test_cases, *self.conversational_test_cases]


class _DeepEvalFile(_TestRun, rename="camel"):
    test_run_data: _TestRun | None = None


def _test_run(head: Head) -> bool:
    """one JSON object, or its `testRunData`, with `testCases` or `conversationalTestCases` that have a `name`, and
    `actualOutput` or `metricsData`."""
    return head.shape == "json" and any(
        has_keys(head, f"{where}{cases}[].name", f"{where}{cases}[].{field}")
        for where in ("", "testRunData.")
        for cases, field in (
            ("testCases", "actualOutput"),
            ("testCases", "metricsData"),
            ("conversationalTestCases", "metricsData"),
        )
    )


@reads(
    "deepeval",
    role="log",
    task="outcomes",
    yields="DeepEval: a test run",
    recognises=_test_run,
    shapes="json",
    markers=("testCases", "conversationalTestCases"),
    recovers="member of testCases",
)
def read_deepeval(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run, its questions the test cases."""
    run_data = _decoded(source)
    log = reading.log(source, "DeepEval")
    model = (run_data.hyperparameters or {}).get("model")
    run = model if isinstance(model, str) and model else source.label or source.stem.lstrip(".")
    task = os.path.basename(run_data.test_file or "").removesuffix(".py") or "deepeval"
    known = dict.fromkeys(metric.name for case in run_data.cases for metric in case.metrics_data or [])
    chosen = reading.choose("metric", list(known), source)
    scored = [
        (case, next((metric for metric in case.metrics_data or [] if metric.name == chosen), None))
        for case in run_data.cases
    ]
    if run_data.test_passed is not None and run_data.test_failed is not None:
        # DeepEval counts the cases that have a verdict.
        judged = sum(case.success is not None for case in run_data.cases)
        log.check_total("the log", Total(run_data.test_passed + run_data.test_failed), Total(judged))
    less = _less_is_better([metric for _, metric in scored if metric is not None])
    if less:
        log.warnings.append(f"{source.name}: {chosen} passes below its threshold: less is better, and 1 - score counts")
    for place, (case, metric) in enumerate(scored):
        value, problem = _value(metric, chosen, less)
        metadata = dict(case.metadata or {})
        confidence = metadata.pop("confidence", None)
        counts = [count for count in (case.input_token_count, case.output_token_count) if count is not None]
        log.add(
            case.name, run=run, task=task, value=value, problem=problem, where=f"test case {place}", text=case.answer,
            confidence=stated(confidence), fields=metadata,
            content=case.input if case.input is not None else case.scenario,
            usage={
                "latency": case.completion_time, "cost": case.token_cost, "tokens": sum(counts) if counts else None,
            },
        )  # fmt: skip

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        for case in _decoded(source).cases:
            gold = case.expected_output or case.expected_outcome
            yield run, case.name, RowTexts(question=case.input or case.scenario, gold=gold, answer=case.answer)

    log.take_texts(texts)
    return log.finish()


def _decoded(source: Source) -> _TestRun:
    file = decode(source, _DeepEvalFile, EXPECTED)
    return file.test_run_data or file


def _less_is_better(metrics: list[_Metric]) -> bool:
    """Return whether low scores pass, as for hallucinations, judged by which cases passed."""
    judged = [
        (metric.success, metric.score, metric.threshold)
        for metric in metrics
        if metric.success is not None and metric.score is not None and metric.threshold is not None
    ]
    below = any(score < threshold if success else score > threshold for success, score, threshold in judged)
    above = any(score > threshold if success else score < threshold for success, score, threshold in judged)
    return below and not above


def _value(metric: _Metric | None, name: str, less: bool) -> tuple[Any, str | None]:
    """Return a case's score, or why it has none."""
    if metric is None:
        return None, f"it was not scored by {name}"
    if metric.score is not None and not metric.error:
        return 1 - metric.score if less and 0 <= metric.score <= 1 else metric.score, None
    if metric.error or metric.success is None:
        return None, f"error: {metric.error}"[:200] if metric.error else f"{name} gave no score"
    return metric.success, None
