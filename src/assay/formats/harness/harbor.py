"""Harbor, which runs Terminal-Bench 2: a result.json per trial, in a separate folder below that of the job.

A trial may have a reward although something went wrong. Harbor's rule (`TrialResult.reward_valid`): the reward is a measurement
where every exception is the agent's own doing, an exhausted budget or a refusal.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import msgspec

from assay.formats.answers.rows import REFUSED, UNANSWERED, Rows
from assay.formats.harness.logs import LogReading, folder_of, scored
from assay.formats.harness.trial_times import seconds_between
from assay.formats.json_files import decode, has_keys
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "result.json of a trial of Harbor, with task_name, trial_name, agent_info and verifier_result"
EXHAUSTED = frozenset({
    "AgentTimeoutError", "ContextWindowExceededError", "OutputTokenExceededError", "ContextLengthExceededError",
    "OutputLengthExceededError",
})  # fmt: skip
"""Exceptions of harbor/models/trial/error_policy.py (0.25.0) after which a reward counts: the agent exhausted its budget."""
REFUSALS = frozenset({"AgentSafetyRefusalError", "ContentPolicyViolationError"})
"""Those by which the agent refused the task."""


class _Model(msgspec.Struct):
    name: str
    provider: str | None = None


class _Agent(msgspec.Struct):
    name: str
    model_info: _Model | None = None


class _Context(msgspec.Struct):
    n_input_tokens: float | None = None
    n_output_tokens: float | None = None
    cost_usd: float | None = None


class _Verdict(msgspec.Struct):
    rewards: dict[str, float | None] | None = None


class _Exception(msgspec.Struct):
    exception_type: str
    exception_message: str = ""


class _Times(msgspec.Struct):
    started_at: str | None = None
    finished_at: str | None = None


class _Step(msgspec.Struct):
    agent_result: _Context | None = None
    exception_info: _Exception | None = None
    agent_execution: _Times | None = None


class _Trial(msgspec.Struct):
    task_name: str
    trial_name: str
    agent_info: _Agent
    id: str | None = None
    source: str | None = None
    agent_result: _Context | None = None
    verifier_result: _Verdict | None = None
    exception_info: _Exception | None = None
    agent_execution: _Times | None = None
    step_results: list[_Step] | None = None

    @property
    def exceptions(self) -> list[_Exception]:
        """Those of the trial and of its steps."""
        every = [self.exception_info, *(step.exception_info for step in self.step_results or [])]
        return [exception for exception in every if exception is not None]


def _trial(head: Head) -> bool:
    """one JSON object with `task_name`, `trial_name` and `task_checksum`."""
    return head.shape == "json" and has_keys(head, "task_name", "trial_name", "task_checksum")


@reads(
    "harbor",
    role="log",
    task="outcomes",
    yields="Harbor (Terminal-Bench 2): result.json of a trial",
    recognises=_trial,
    shapes="json",
    markers=("task_checksum",),
    companions={
        ("json", "id", "n_total_trials", "stats"): (
            "sums up a job of Harbor; give the job's folder, whose trials have a result.json each"
        ),
    },
)
def read_harbor(source: Source, reading: LogReading) -> list[Rows]:
    """Return one trial, which is joined with the others of its job; repeats of a task are samples."""
    trial = decode(source, _Trial, EXPECTED)
    log = reading.log(source, "Harbor")
    log.refuse_copy(trial.id or f"{_job_of(source)} {trial.trial_name}", f"trial {trial.trial_name}")
    model = trial.agent_info.model_info
    run = trial.agent_info.name + (f" ({model.name})" if model is not None else "")
    rewards = (trial.verifier_result and trial.verifier_result.rewards) or {}
    metric = reading.choose("metric", list(rewards), source, default="reward") if rewards else reading.chosen("metric")
    reward = rewards.get(metric or "")
    invalid = next((e for e in trial.exceptions if e.exception_type not in EXHAUSTED | REFUSALS), None)
    outcome: dict[str, Any] = {} if reward is None else scored(reward)
    if invalid is not None:
        outcome = {"problem": f"{invalid.exception_type}: {invalid.exception_message}"[:200].rstrip(": ")}
        if reward:
            log.warnings.append(
                f"{source.name}: has a reward of {reward:g} and {invalid.exception_type}, after which a reward is no measurement "
                "by Harbor's rule; the trial is failed"
            )
    elif reward is None:
        outcome = {"problem": "it was not graded"}
    elif not reward and any(exception.exception_type in REFUSALS for exception in trial.exceptions):
        outcome = {"state": UNANSWERED, "kind": REFUSED}
    log.add(
        trial.task_name, run=source.label or run, task=trial.source or "", where=f"trial {trial.trial_name}",
        usage=_usage(trial), **outcome,
    )  # fmt: skip
    runs = log.finish()
    for rows in runs:
        rows.part_of = _job_of(source)
    return runs


def _job_of(source: Source) -> str:
    """Return the job's folder, of JOB/TRIAL/result.json; empty for standard input."""
    folder = folder_of(source)
    return os.path.dirname(folder) if source.stem == "result" else folder


def _usage(trial: _Trial) -> dict[str, float | None]:
    """Return what the agent took; multi-step trials have it by step, and a step without an agent's result took nothing."""
    steps = trial.step_results or []
    every = [trial.agent_result] if trial.agent_result is not None else [step.agent_result for step in steps]
    contexts = [context for context in every if context is not None]
    times = [trial.agent_execution] if trial.agent_execution is not None else [step.agent_execution for step in steps]
    tokens = [_sum([context.n_input_tokens, context.n_output_tokens]) for context in contexts]
    return {
        "cost": _sum([context.cost_usd for context in contexts]),
        "tokens": _sum(tokens),
        "latency": _sum([seconds_between(time.started_at, time.finished_at) if time else None for time in times]),
    }


def _sum(amounts: Sequence[float | None]) -> float | None:
    """Return the sum; None where there is nothing to add or an amount is not known.

    >>> _sum([1.0, 2.0]), _sum([1.0, None]), _sum([])
    (3.0, None, None)
    """
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known and len(known) == len(amounts) else None
