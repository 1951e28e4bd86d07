"""The header of an Inspect log: model, task, data set, version, and how the evaluation ended."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from assay.errors import InputError
from assay.formats.duplicate_keys import repeated_key
from assay.formats.harness.inspect.scores import shortened
from assay.formats.json_numbers import decoded
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
    """What the header states of the samples: scorers, counts, metrics."""

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
    header = decoded(text, _header, lambda problem: archive.error(name, problem))
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
