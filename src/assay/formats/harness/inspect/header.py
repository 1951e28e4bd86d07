"""The header of an Inspect log: model, task, data set, version, and how the evaluation ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import fsum
from typing import Any, NamedTuple

import msgspec

from assay.errors import InputError
from assay.formats.harness.inspect.scores import ScoreKey, shortened
from assay.formats.harness.logs import Total
from assay.formats.json_files import decode_text, repeated_key, stated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.io.archives import Archive

HEADER, START = "header.json", "_journal/start.json"
LONGEST_VALUE = 40
OLD_SCORER = "score"


class Dataset(msgspec.Struct):
    """The size of the data set, and the questions that were to be asked."""

    samples: int | None = None
    sample_ids: list[Any] | None = None


class Config(msgspec.Struct):
    """The limits and repetitions of the evaluation."""

    limit: int | list[int] | None = None
    epochs: int | None = None
    epochs_reducer: Any = None


class Spec(msgspec.Struct):
    """The evaluated task and model."""

    model: str
    task: str
    created: Any = None
    dataset: Dataset = msgspec.field(default_factory=Dataset)
    config: Config = msgspec.field(default_factory=Config)
    packages: dict[str, Any] = {}
    task_args: dict[str, Any] | None = None
    task_args_passed: dict[str, Any] | None = None
    model_generate_config: dict[str, Any] | None = None
    model_roles: dict[str, Any] | None = None
    solver: str | None = None


class NamedScore(msgspec.Struct):
    """A scorer, or one key of its values, with its metrics."""

    name: str = ""
    scorer: Any = None
    reducer: Any = None
    metrics: Any = None
    """By name: {value, params}; `options` instead of params in old versions."""


class Results(msgspec.Struct):
    """The header's statements about the samples: scorers, counts, metrics."""

    scorer: NamedScore | None = None
    scores: list[NamedScore] = []
    total_samples: Any = None
    """Samples that were to be run."""
    completed_samples: Any = None
    """Samples that ended without an error."""


class Stop(msgspec.Struct):
    """The error that ended an evaluation."""

    message: str = ""


class LogHeader(msgspec.Struct):
    """A log without its samples."""

    eval: Spec
    status: str = "started"
    invalidated: bool = False
    error: Stop | None = None
    results: Results | None = None

    @property
    def scorer(self) -> str:
        """The scorer of samples with one unnamed score."""
        if self.results is None:
            return OLD_SCORER
        named = [self.results.scorer] if self.results.scorer else self.results.scores
        return (named[0].name if named else "") or OLD_SCORER


_header = msgspec.json.Decoder(LogHeader)


def read_header(archive: Archive) -> tuple[LogHeader, bool]:
    """Return the header of an archive, and whether the evaluation finished writing it."""
    name = next((name for name in (HEADER, START) if name in archive), None)
    if name is None:
        raise InputError(
            f"{archive.name}: is a zip archive without {HEADER} or {START}; expected an Inspect log (.eval), "
            "and of other archives the files in them"
        )
    text = archive.read(name)
    header = decode_text(text, _header, lambda problem: archive.error(name, problem))
    twice = repeated_key(text)
    if twice is not None:
        raise archive.error(name, f"the key {twice!r} appears twice in one object; expected each once")
    return header, name == HEADER


def version_of(header: LogHeader) -> tuple[int, ...]:
    """Return the version of Inspect that wrote a log; zeros where unknown."""
    numbers = re.match(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", str(header.eval.packages.get("inspect_ai", "")))
    return tuple(map(int, numbers.groups())) if numbers else (0, 0, 0)


def heading(header: LogHeader) -> str:
    """Return the tool and its version."""
    version = header.eval.packages.get("inspect_ai")
    return f"Inspect {version}" if isinstance(version, str) and version else "Inspect"


def started(header: LogHeader) -> str:
    """Return in words how an unsuccessful evaluation ended."""
    if header.status == "error":
        why = f" ({shortened(header.error.message)})" if header.error and header.error.message else ""
        return f"ended with an error{why}"
    if header.status == "cancelled":
        return "was cancelled"
    return f"was not finished (status {header.status!r:.40})"


def variant_of(header: LogHeader) -> str:
    """Return the settings a user chose that distinguish this evaluation from others of the model and task.

    >>> variant_of(LogHeader(Spec("m", "t", config=Config(epochs=4), model_generate_config={"temperature": 0.5, "seed": None})))
    'temperature=0.5, epochs=4'
    """
    spec = header.eval
    arguments: dict[str, Any] = dict(spec.task_args or {} if spec.task_args_passed is None else spec.task_args_passed)
    if spec.solver:
        arguments["solver"] = spec.solver
    arguments.update({role: _models(config) for role, config in (spec.model_roles or {}).items()})
    arguments.update(spec.model_generate_config or {})
    if (spec.config.epochs or 1) > 1:
        arguments["epochs"] = spec.config.epochs
    return ", ".join(f"{name}={_brief(value)}" for name, value in arguments.items() if value is not None)


def _models(config: Any) -> Any:
    """Return the model of a role, or its models."""
    if isinstance(config, list):
        return "+".join(str(_models(model)) for model in config)  # pyright: ignore[reportUnknownVariableType]
    return config.get("model") if isinstance(config, dict) else config  # pyright: ignore[reportUnknownVariableType]


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode("utf-8", "replace")
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


PLAIN_MEANS = ("accuracy", "mean")
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


class Scored(NamedTuple):
    """One sample as far as the header counts it."""

    question: str
    value: Any
    """The value of the chosen scorer or key; None where there is none."""
    failed: bool
    invalidated: bool


class Statement(NamedTuple):
    """The header's statements, and the samples that agree or disagree with them."""

    stated: Total
    held: Total
    metric: str


def compare_header(header: LogHeader, part: ScoreKey, samples: Sequence[Scored]) -> Statement | None:
    """Return the totals of header and samples where they disagree, else None."""
    if header.results is None:
        return None
    metric, score = _stated_score(header, part)
    scores = _possible_scores(samples) if score is not None else []
    counted = Total(len(samples), scores[0] if scores else None)
    claimed = Total(_stated_count(header, len(samples)), score if scores else None)
    if claimed.samples in (None, counted.samples) and any(
        claimed.agrees_in_score(Total(None, each)) for each in scores
    ):
        return None
    return None if claimed.agrees(counted) else Statement(claimed, counted, metric)


def _stated_count(header: LogHeader, count: int) -> int | None:
    """Return how many samples the header states where the file cannot hold them, else as many as the file holds.

    Samples with an error are counted in the total alone, and may be missing from the file.
    """
    assert header.results is not None
    completed, total = header.results.completed_samples, header.results.total_samples
    if isinstance(completed, int) and completed > count:
        return completed
    return total if isinstance(total, int) and total < count else count


def _stated_score(header: LogHeader, part: ScoreKey) -> tuple[str, float | None]:
    """Return the name and value of a metric that is a plain mean of the chosen scorer or key; no value where none is."""
    assert header.results is not None
    several = (header.eval.config.epochs or 1) > 1
    for row in header.results.scores:
        if row.scorer not in (None, part.scorer) or row.name != (part.key or part.scorer):
            continue
        reducer = row.reducer if row.reducer is not None else header.eval.config.epochs_reducer
        if several and reducer not in (None, "mean", ["mean"]):
            continue
        for name in PLAIN_MEANS:
            metric = row.metrics.get(name) if isinstance(row.metrics, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            if isinstance(metric, dict) and not (metric.get("params") or metric.get("options")):  # pyright: ignore[reportUnknownMemberType]
                value = stated(metric.get("value"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
                if value is not None:
                    return name, value
    return PLAIN_MEANS[0], None


def _possible_scores(samples: Sequence[Scored]) -> list[float]:
    """Return the means that Inspect may have computed of these samples, the likeliest first; none where a value is no number.

    Before 0.3.133 a missing score counted as 0. Invalidated samples may or may not have been in the metrics.
    """
    scores: list[float] = []
    for unscored, invalidated in ((None, True), (0.0, True), (None, False)):
        by_question: dict[str, list[float]] = {}
        for sample in samples:
            if sample.invalidated and not invalidated:
                continue
            worth = _worth(sample.value)
            if worth is None and sample.value is not None:
                return []
            if worth is None:
                worth = None if sample.failed else unscored
            if worth is not None:
                by_question.setdefault(sample.question, []).append(worth)
        if by_question:
            scores.append(
                fsum(fsum(question_values) / len(question_values) for question_values in by_question.values())
                / len(by_question)
            )
            pooled = [worth for question_values in by_question.values() for worth in question_values]
            scores.append(fsum(pooled) / len(pooled))
    return scores


def _worth(value: Any) -> float | None:
    """Return a value as the number Inspect makes of it; None where there is none.

    >>> _worth("P"), _worth(True), _worth("yes"), _worth("0.25"), _worth({"a": 1})
    (0.5, 1.0, 1.0, 0.25, None)
    """
    if isinstance(value, bool | int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    known = LETTERS.get(value, WORDS.get(value.lower()))
    if known is not None:
        return known
    try:
        return float(value)
    except ValueError:
        return None
