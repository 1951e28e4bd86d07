"""promptfoo: results as one JSON object, or the same results as JSONL. A run is a provider with one of its prompts.

The tool renumbers tests when it repeats them, so that a question is known by its variables: equal ones are samples of it. An
assertion of weight 0 always passes; what it found is in its score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from math import exp, fsum
from typing import Any, TypeVar

import msgspec

from assay.formats.answers.rows import CORRECT, DECLINED, INCORRECT, REFUSED, UNANSWERED, Rows, RowTexts
from assay.formats.harness.logs import LogReading, Total
from assay.formats.json_files import decode, decode_lines, decode_part, has_keys, stated
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

T = TypeVar("T")

EXPECTED = "promptfoo's results, each with provider, vars and success"
FAILED = 2
"""The reason of a failure that was an error, and no assertion."""
NO_ANSWER = re.compile(r"(not[_ -]?attempted|declin|abst[ae]|unanswered|no[_ -]?answer|refus)", re.IGNORECASE)
AN_ANSWER = re.compile(r"(is[_ -]?)?(attempted|answered)$", re.IGNORECASE)
"""Names of assertions on whether there is an answer."""


class _Assertion(msgspec.Struct):
    metric: str | None = None


class _Component(msgspec.Struct):
    score: float | None = None
    assertion: _Assertion | None = None


class _Grading(msgspec.Struct, rename="camel"):
    component_results: list[_Component | None] | None = None


class _Provider(msgspec.Struct):
    id: str = ""
    label: str | None = None


class _TokenUsage(msgspec.Struct):
    total: float | None = None


class _Prompt(msgspec.Struct):
    label: str | None = None


class _PromptText(_Prompt):
    raw: Any = None


class _Response(msgspec.Struct, rename="camel"):
    output: Any = None
    log_probs: Any = None
    metadata: Any = None


class _TestCase(msgspec.Struct):
    asserts: msgspec.Raw = msgspec.field(name="assert", default=msgspec.Raw(b"[]"))
    metadata: dict[str, Any] | None = None


class _ResultKey(msgspec.Struct, rename="camel"):
    """The part of a result that names provider, prompt, variables and assertions."""

    provider: _Provider | str
    vars: dict[str, Any]
    prompt_idx: int | None = None
    prompt: _Prompt | None = None
    grading_result: _Grading | None = None
    test_case: _TestCase | None = None

    @property
    def of(self) -> str:
        """The provider's name."""
        return self.provider if isinstance(self.provider, str) else self.provider.label or self.provider.id

    @property
    def with_prompt(self) -> int | str:
        """The prompt, by number or else by its text."""
        words = self.prompt.label if self.prompt is not None else None
        return self.prompt_idx if self.prompt_idx is not None else words or 0

    @property
    def scores(self) -> dict[str, list[float | None]]:
        """The scores of every named assertion."""
        scores: dict[str, list[float | None]] = {}
        for part in (self.grading_result.component_results if self.grading_result is not None else None) or []:
            if part is not None and part.assertion is not None and part.assertion.metric:
                scores.setdefault(part.assertion.metric, []).append(part.score)
        return scores


class _PromptfooResult(_ResultKey, rename="camel", kw_only=True):
    success: bool
    failure_reason: int | None = None
    error: str | None = None
    latency_ms: float | None = None
    cost: float | None = None
    token_usage: _TokenUsage | None = None
    response: _Response | None = None


class _ResultTexts(_ResultKey, rename="camel"):
    """A result with its texts."""

    prompt: _PromptText | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
    response: _Response | None = None


class _Stats(msgspec.Struct):
    successes: int = 0
    failures: int = 0
    errors: int = 0


class _PromptfooResults(msgspec.Struct):
    results: list[msgspec.Raw]
    stats: _Stats | None = None


class _PromptfooConfig(msgspec.Struct):
    description: str | None = None


class _Metadata(msgspec.Struct, rename="camel"):
    promptfoo_version: str | None = None


class _PromptfooFile(msgspec.Struct):
    results: _PromptfooResults
    config: _PromptfooConfig | None = None
    metadata: _Metadata | None = None


def _lines(head: Head) -> bool:
    # A response may be longer than the head, and is between promptIdx and vars.
    return has_keys(head, "promptIdx", "promptId", "provider") or has_keys(head, "promptIdx", "testIdx", "vars")


def _results(head: Head) -> bool:
    """one JSON object with `results.version`, and `results.prompts` or `results.results`; or a first line with `promptIdx`,
    and `promptId` and `provider` or `testIdx` and `vars`."""
    whole = has_keys(head, "results.version") and (
        has_keys(head, "results.prompts") or has_keys(head, "results.results")
    )
    return head.shape == "json" and (whole or _lines(head))


@reads(
    "promptfoo",
    role="log",
    task="outcomes",
    yields="promptfoo: results of providers and prompts",
    recognises=_results,
    shapes="json",
    markers=("promptIdx", "results"),
    recovers="member of results.results",
    companions={
        ("table", "Status", "Score", "Named Scores", "Grader Reason"): (
            "is a table of promptfoo, whose columns repeat their names; export the results as JSON: promptfoo export eval ID -o "
            "results.json"
        )
    },
)
def read_promptfoo(source: Source, reading: LogReading) -> list[Rows]:
    """Return a run for every provider and prompt, with the prompt's number where a provider has several."""
    about = _about(source)
    version = about.metadata.promptfoo_version if about.metadata is not None else None
    task = (about.config.description if about.config is not None else None) or "promptfoo"
    log = reading.log(source, f"promptfoo {version}" if version else "promptfoo")
    stats = about.results.stats
    if stats is not None:
        stated = Total(stats.successes + stats.failures + stats.errors)
        log.check_total("the log", stated, Total(len(about.results.results)))
    names = _run_names(result for _, result in _each(source, _ResultKey))
    questions = list(_questions(result for _, result in _each(source, _ResultKey)))
    metric = reading.chosen("metric")
    if metric is not None:
        known = dict.fromkeys(name for _, result in _each(source, _ResultKey) for name in result.scores)
        metric = reading.choose("metric", list(known), source)
    for (line, result), question in zip(_each(source, _PromptfooResult), questions, strict=True):
        output = result.response.output if result.response is not None else None
        log.add(
            question, run=names[result.of, result.with_prompt], task=task, line=line, text=output if isinstance(output, str) else None,
            fields=result.test_case.metadata if result.test_case is not None else None, confidence=_confidence(result.response),
            usage={
                "latency": None if result.latency_ms is None else result.latency_ms / 1000, "cost": result.cost,
                "tokens": result.token_usage and result.token_usage.total,
            },
            **_outcome(result, metric),
        )  # fmt: skip

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        for (_, result), question in zip(_each(source, _ResultTexts), questions, strict=True):
            yield names.get((result.of, result.with_prompt), ""), question, _texts(result)

    log.take_texts(texts)
    return log.finish()


def _about(source: Source) -> _PromptfooFile:
    """Return the file's metadata; JSONL has none."""
    return _PromptfooFile(_PromptfooResults([])) if _lines(source.head) else decode(source, _PromptfooFile, EXPECTED)


def _each(source: Source, kind: type[T]) -> Iterator[tuple[int, T]]:
    """Yield every result with its line, which only JSONL has."""
    if _lines(source.head):
        yield from decode_lines(source, kind, EXPECTED)
        return
    for number, result in enumerate(decode(source, _PromptfooFile, EXPECTED).results.results):
        yield 0, decode_part(source, result, kind, f"{EXPECTED} (this is results[{number}])", None)


def _run_names(results: Iterable[_ResultKey]) -> dict[tuple[str, int | str], str]:
    prompts: dict[str, dict[int | str, None]] = {}
    for result in results:
        prompts.setdefault(result.of, {})[result.with_prompt] = None
    return {
        (provider, prompt): provider if len(several) == 1 else f"{provider} [prompt {prompt}]"
        for provider, several in prompts.items()
        for prompt in several
    }


def _questions(results: Iterable[_ResultKey]) -> Iterator[str]:
    """Return the question of every result: a digest of its variables, and of its assertions where these differ."""
    digests: list[tuple[bytes, bytes]] = []
    asserted: dict[bytes, set[bytes]] = {}
    for result in results:
        # The tool adds names that begin with _, and the session, while it runs.
        visible = {
            name: value for name, value in result.vars.items() if not name.startswith("_") and name != "sessionId"
        }
        variables = _digest(msgspec.json.encode(visible, order="deterministic"))
        assertions = _digest(bytes(result.test_case.asserts)) if result.test_case is not None else b""
        digests.append((variables, assertions))
        asserted.setdefault(variables, set()).add(assertions)
    for variables, assertions in digests:
        yield (variables if len(asserted[variables]) == 1 else _digest(variables + assertions)).hex()


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=6).digest()


def _outcome(result: _PromptfooResult, metric: str | None) -> dict[str, Any]:
    """Return how a result ended, as arguments of `Log.add`."""
    failed = (
        result.failure_reason == FAILED
        if result.failure_reason is not None
        else result.error and result.grading_result is None
    )
    if failed:
        return {"problem": f"error: {result.error or 'unknown'}"[:200]}
    if metric is None:
        right, score = result.success, None
    else:
        parts = [score for score in result.scores.get(metric, []) if score is not None]
        if not parts:
            return {"problem": f"{metric} did not score it"}
        score = fsum(parts) / len(parts)
        right = score > 0
    kind = None if right else _no_answer(result.scores)
    if kind is not None:
        return {"state": UNANSWERED, "kind": kind}
    return {"state": CORRECT if right else INCORRECT} if score is None else {"value": score}


def _no_answer(scores: dict[str, list[float | None]]) -> str | None:
    """Return the kind of unanswered, where an assertion is named for one."""
    for name, values in scores.items():
        if NO_ANSWER.match(name) and any(score == 1 for score in values):
            return REFUSED if name.lower().startswith("refus") else DECLINED
        if AN_ANSWER.match(name) and values and all(score == 0 for score in values):
            return DECLINED
    return None


def _confidence(response: _Response | None) -> float | None:
    """Return the provider's confidence, else the probability of its output."""
    if response is None:
        return None
    confidence = stated(response.metadata.get("confidence")) if isinstance(response.metadata, dict) else None
    if confidence is not None:
        return confidence
    parts = response.log_probs
    if isinstance(parts, list) and parts and all(isinstance(part, float | int) for part in parts):
        total = sum(parts)
        return exp(total) if -700 < total <= 0 else None
    return None


def _texts(result: _ResultTexts) -> RowTexts:
    variables = "\n".join(
        f"{name}: {value}" for name, value in result.vars.items() if isinstance(value, str | int | float)
    )
    prompt = result.prompt.raw if result.prompt is not None else None
    output = result.response.output if result.response is not None else None
    return RowTexts(
        question=variables or None, prompt=prompt if isinstance(prompt, str) else None,
        answer=output if output is None or isinstance(output, str) else msgspec.json.encode(output).decode(),
    )  # fmt: skip
