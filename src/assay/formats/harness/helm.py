"""HELM: a folder per run; `per_instance_stats.json` is the log, the other files describe it.

A question may occur several times. Each trial is a sample; perturbed copies are excluded. One of the statistics is the outcome.
HELM reports each split of the data separately, so one split is read: the test split by default.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from math import fsum
from typing import Any

import msgspec

from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.harness.logs import Log, LogReading, Total, cached
from assay.formats.json_files import decode, has_keys, neighbour
from assay.formats.recognition import reads
from assay.io.file_pieces import Pieces
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "HELM's per_instance_stats.json, [{instance_id, train_trial_index, stats}]"
USUAL = "exact_match"
USUAL_SPLIT = "test"
CONFIDENCE = "max_prob"
BOOKKEEPING = re.compile(
    r"num_|training_|inference_|finish_reason_|batch_size$|prompt_truncated$|max_prob$|logprob$|estimated_|bits_per|perplexity"
)
"""Statistics that say nothing of how good an answer is."""


class _Name(msgspec.Struct):
    name: str
    split: str | None = None
    perturbation: dict[str, Any] | None = None


class _Stat(msgspec.Struct):
    name: _Name
    count: float = 0
    mean: float | None = None


class _InstanceStats(msgspec.Struct):
    instance_id: str | int
    stats: list[_Stat]
    train_trial_index: int = 0
    perturbation: dict[str, Any] | None = None

    @property
    def split(self) -> str | None:
        """The split of the data, which each statistic of an instance names."""
        return next((stat.name.split for stat in self.stats if stat.name.split is not None), None)


class _Adapter(msgspec.Struct):
    model: str | None = None


class _RunSpec(msgspec.Struct):
    name: str
    adapter_spec: _Adapter = msgspec.field(default_factory=_Adapter)


class _Text(msgspec.Struct):
    text: str = ""


class _Reference(msgspec.Struct):
    output: _Text
    tags: list[str] = []


class _HelmInstance(msgspec.Struct):
    id: str | int
    input: _Text
    references: list[_Reference] = []
    perturbation: dict[str, Any] | None = None


class _HelmRequest(msgspec.Struct):
    prompt: str = ""


class _HelmResult(msgspec.Struct):
    completions: list[_Text] = []


class _State(msgspec.Struct):
    instance: _HelmInstance
    request: _HelmRequest
    train_trial_index: int = 0
    result: _HelmResult | None = None


class _States(msgspec.Struct):
    request_states: list[_State]


class _Prediction(msgspec.Struct):
    instance_id: str | int
    train_trial_index: int = 0
    predicted_text: str = ""
    perturbation: dict[str, Any] | None = None


GIVE_STATISTICS = "; give its per_instance_stats.json"
GIVE_FOLDER = "; give the folder, or its per_instance_stats.json"


def _instances(head: Head) -> bool:
    """a JSON array of objects with `instance_id`, `train_trial_index` and a list of `stats`."""
    return head.shape == "array" and has_keys(head, "[].instance_id", "[].train_trial_index", "[].stats[].name.name")


@reads(
    "helm",
    role="log",
    task="outcomes",
    yields="a HELM run: statistics per instance",
    recognises=_instances,
    shapes="array",
    markers=("train_trial_index",),
    recovers="member",
    companions={
        ("json", "adapter_spec", "scenario_spec"): "is the specification of a HELM run" + GIVE_FOLDER,
        ("json", "adapter_spec", "request_states"): "holds the texts of a HELM run" + GIVE_FOLDER,
        ("json", "name", "definition_path", "tags"): "describes the scenario of a HELM run" + GIVE_STATISTICS,
        ("array", "[].instance_id", "[].predicted_text"): "holds predictions of a HELM run" + GIVE_STATISTICS,
        ("array", "[].instance_id", "[].request.prompt"): "holds requests of a HELM run" + GIVE_STATISTICS,
        ("array", "[].input.text", "[].references[].output.text"): "holds instances of a HELM run" + GIVE_STATISTICS,
        ("array", "[].name.name", "[].sum_squared"): "holds statistics of a whole HELM run" + GIVE_STATISTICS,
    },
)
def read_helm(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run: the original instances of one split, each trial a sample."""
    instances = decode(source, list[_InstanceStats], EXPECTED)
    model, task, arguments = _names(source)
    log = reading.log(source, "HELM")
    originals = [instance for instance in instances if instance.perturbation is None]
    chosen = _of_one_split(originals, log)
    metric = _metric(chosen, source, reading, log.warnings)
    if len(originals) < len(instances):
        log.warnings.append(
            f"{source.name}: {len(instances) - len(originals)} of {len(instances)} rows are perturbed copies of questions and are "
            "left out; the originals count"
        )
    _check_stats(log, chosen, metric)
    constant = _has_constant_confidence(instances, log)
    texts = _RunTexts(source)
    compared = reading.refusal or reading.suspects or any(instance.train_trial_index for instance in chosen)
    for instance in chosen:
        means = {stat.name.name: stat.mean for stat in instance.stats if stat.count}
        value = means.get(metric)
        identity = str(instance.instance_id)
        instance_texts = texts.of(identity, instance.train_trial_index) if compared else RowTexts()
        tokens = [means.get("num_prompt_tokens"), means.get("num_output_tokens", means.get("num_completion_tokens"))]
        log.add(
            identity, run=model, task=task, sample=instance.train_trial_index + 1,
            confidence=None if constant else means.get(CONFIDENCE),
            problem=f"HELM has no {metric} of it" if value is None else None, value=value, where=f"instance {identity}",
            text=instance_texts.answer, content=instance_texts.question, fields=arguments,
            usage={
                "latency": means.get("inference_runtime"),
                "tokens": None if None in tokens else sum(filter(None, tokens)),
            },
        )  # fmt: skip
    log.texts_of = lambda rows, question, sample: texts.of(question, sample - 1)
    return log.finish()


def _of_one_split(instances: list[_InstanceStats], log: Log) -> list[_InstanceStats]:
    """Return the instances of the chosen split, else of the test split; all where HELM names no split."""
    sizes = Counter(instance.split for instance in instances)
    known = [split for split in sizes if split is not None]
    if not known:
        return instances
    split = log.reading.choose("split", known, log.source, default=USUAL_SPLIT)
    chosen = [instance for instance in instances if instance.split == split]
    others = ", ".join(f"{name or 'none'}: {count}" for name, count in sizes.items() if name != split)
    if others and log.reading.chosen("split") is None:
        log.warnings.append(
            f"{log.source.name}: {len(instances) - len(chosen)} of {len(instances)} rows are of another split ({others}) and "
            f"are excluded; the split is {split}, `split=NAME` takes another"
        )
    return chosen


def _check_stats(log: Log, instances: list[_InstanceStats], metric: str) -> None:
    """Compare the instances with the number and the mean that HELM's stats.json has of their split."""
    file = neighbour(log.source, "stats.json")
    if file is None or file.path == log.source.path or not instances:
        return
    split = instances[0].split
    stated = {
        stat.name.name: stat.mean
        for stat in decode(file, list[_Stat], "HELM's stats.json, [{name, count, mean}]")
        if stat.name.split == split and stat.name.perturbation is None and stat.count
    }
    trials: dict[int, list[float]] = {}
    for instance in instances:
        means = (stat.mean for stat in instance.stats if stat.name.name == metric and stat.count)
        trials.setdefault(instance.train_trial_index, []).extend(mean for mean in means if mean is not None)
    count = stated.get("num_instances")
    scores = [fsum(trial_scores) / len(trial_scores) for trial_scores in trials.values() if trial_scores]
    log.check_total(
        "stats.json",
        Total(None if count is None else round(count * len(trials)), stated.get(metric)),
        Total(len(instances), fsum(scores) / len(scores) if scores else None),
        metric,
    )


def _has_constant_confidence(instances: list[_InstanceStats], log: Log) -> bool:
    """Return whether every answer has the same confidence, which then says nothing about any of them."""
    stated = {
        stat.mean for instance in instances for stat in instance.stats if stat.name.name == CONFIDENCE and stat.count
    }
    if len(stated) != 1:
        return False
    log.warnings.append(
        f"{log.source.name}: {CONFIDENCE} is {stated.pop():g} for every answer, as clients without log-probabilities write it; "
        "it is not used as a confidence"
    )
    return True


def _metric(instances: list[_InstanceStats], source: Source, reading: LogReading, warnings: list[str]) -> str:
    """Return the statistic that is the outcome: the chosen one, else exact match."""
    names = dict.fromkeys(stat.name.name for instance in instances for stat in instance.stats)
    known = [name for name in names if not BOOKKEEPING.match(name)]
    metric = reading.choose("metric", known, source, default=USUAL)
    if len(known) > 1 and reading.chosen("metric") is None:
        others = ", ".join(name for name in known if name != metric)
        warnings.append(f"{source.name}: outcomes are HELM's {metric}; `metric=NAME` takes another ({others})")
    return metric


def _names(source: Source) -> tuple[str, str, dict[str, str]]:
    """Return model, task and task arguments, from the run's specification, else from the folder's name."""
    spec = neighbour(source, "run_spec.json")
    if spec is not None:
        run_spec = decode(spec, _RunSpec, "HELM's run_spec.json with a `name`")
    else:
        folder = os.path.basename(os.path.dirname(os.path.abspath(source.path))) if source.path else ""
        run_spec = _RunSpec(folder if ":" in folder else "")
    scenario, _, rest = run_spec.name.partition(":")
    pairs = [pair.partition("=") for pair in rest.split(",") if "=" in pair]
    arguments = {name: value for name, _, value in pairs}
    model = run_spec.adapter_spec.model or arguments.get("model") or source.label or source.stem
    kept = {name: value for name, value in arguments.items() if name not in ("model", "model_deployment")}
    task = scenario + (":" + ",".join(f"{name}={value}" for name, value in kept.items()) if kept else "")
    return model, task, kept


class _RunTexts:
    """The texts of a run, read on demand from the other files of its folder."""

    def __init__(self, source: Source) -> None:
        self.source = source
        names = ("scenario_state.json", "instances.json", "display_predictions.json")
        self._files = [Pieces(file) for name in names if (file := neighbour(source, name)) is not None]

    def of(self, question: str, trial: int) -> RowTexts:
        """Return the texts of one instance in one trial."""
        for file in self._files:
            file.check()
        texts = cached(self.source, lambda: self._states() or self._displayed())
        return texts.get((question, trial), RowTexts())

    def _states(self) -> dict[tuple[str, int], RowTexts]:
        file = neighbour(self.source, "scenario_state.json")
        if file is None:
            return {}
        texts_by_trial: dict[tuple[str, int], RowTexts] = {}
        for state in decode(file, _States, "HELM's scenario_state.json with `request_states`").request_states:
            if state.instance.perturbation is None:
                completions = state.result.completions[:1] if state.result is not None else []
                texts = _question(state.instance)
                texts.prompt, texts.answer = state.request.prompt, completions[0].text if completions else None
                texts_by_trial.setdefault((str(state.instance.id), state.train_trial_index), texts)
        return texts_by_trial

    def _displayed(self) -> dict[tuple[str, int], RowTexts]:
        instances = self._file("instances.json", list[_HelmInstance], "HELM's instances.json")
        questions = {
            str(prediction.id): _question(prediction) for prediction in instances if prediction.perturbation is None
        }
        texts_by_trial: dict[tuple[str, int], RowTexts] = {
            (identity, 0): texts for identity, texts in questions.items()
        }
        for prediction in self._file("display_predictions.json", list[_Prediction], "HELM's display_predictions.json"):
            if prediction.perturbation is None:
                texts = msgspec.structs.replace(
                    questions.get(str(prediction.instance_id), RowTexts()), answer=prediction.predicted_text
                )
                texts_by_trial[str(prediction.instance_id), prediction.train_trial_index] = texts
        return texts_by_trial

    def _file(self, name: str, kind: Any, expected: str) -> list[Any]:
        file = neighbour(self.source, name)
        return [] if file is None else decode(file, kind, expected)


def _question(instance: _HelmInstance) -> RowTexts:
    right = [reference.output.text for reference in instance.references if "correct" in reference.tags]
    return RowTexts(question=instance.input.text, gold=" | ".join(right) or None)
