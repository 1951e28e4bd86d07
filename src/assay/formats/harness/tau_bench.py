"""tau-bench and tau2-bench: dialogues of an agent with a simulated user, several trials of a task.

Both reward a dialogue with 0 or 1 and count it as right within one millionth of 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from assay.formats.answers.rows import CORRECT, INCORRECT, Rows
from assay.formats.harness.logs import Log, LogReading
from assay.formats.json_files import decode, has_keys
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

TOLERANCE = 1e-6
"""Rewards this close to 1 are a success, as in both tools."""
POLICY = re.compile(r"\s*#\s*(\w+) agent policy", re.IGNORECASE)
"""The title of the agent's instructions, which names the domain."""
EXPECTED = "tau-bench's results, [{task_id, trial, reward, info, traj}]"
EXPECTED_2 = "tau2-bench's results, {info, tasks, simulations}"
INFRASTRUCTURE = "infrastructure_error"
NOT_OF_THE_AGENT = ("user_error", "unexpected_error")
"""Ends that tau2 counts, although the agent may not have caused them."""


class _Message(msgspec.Struct):
    role: str = ""
    content: object = None


class _Task(msgspec.Struct):
    instruction: str | None = None


class _Info(msgspec.Struct):
    task: _Task | None = None
    error: str | None = None


class _Trial(msgspec.Struct):
    task_id: int
    trial: int
    reward: float | None
    info: _Info
    traj: list[_Message] = []


def _trajectories(head: Head) -> bool:
    """a JSON array of objects with `task_id`, `reward`, `info` and `traj`."""
    return head.shape == "array" and has_keys(head, "[].task_id", "[].reward", "[].info", "[].traj")


@reads(
    "tau-bench",
    role="log",
    task="outcomes",
    yields="tau-bench: rewards of dialogues, several trials a task",
    recognises=_trajectories,
    shapes="array",
    markers=("traj",),
)
def read_tau_bench(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run, whose samples are the trials. The file has neither its model nor its domain."""
    trials = decode(source, list[_Trial], EXPECTED)
    log = reading.log(source, "tau-bench")
    domain = _domain(trials, source)
    run = source.label or _without(domain, source.stem)
    partial = 0
    for place, trial in enumerate(trials):
        where = f"result {place}"
        crash = trial.info.error
        problem = f"error: {crash}"[:200] if crash is not None else _unrewarded(trial.reward)
        partial += _add(
            log, str(trial.task_id), run, domain, trial.trial, trial.reward, problem, where,
            content=None if trial.info.task is None else trial.info.task.instruction,
            usage={"steps": _steps(trial.traj)},
        )  # fmt: skip
    _warn(log, partial)
    return log.finish()


def _domain(trials: Sequence[_Trial], source: Source) -> str:
    """Return airline or retail, by the agent's policy, else by the name of the file."""
    for trial in trials:
        first = trial.traj[0].content if trial.traj else None
        title = POLICY.match(first) if isinstance(first, str) else None
        if title:
            return title[1].lower()
    return next((domain for domain in ("airline", "retail") if domain in source.stem.lower()), "")


def _without(domain: str, stem: str) -> str:
    """Return the name of a file without its domain, so that one model has one name in all domains.

    >>> _without("airline", "gpt-4o-airline"), _without("retail", "retail"), _without("", "gpt-4o")
    ('gpt-4o', 'retail', 'gpt-4o')
    """
    if not domain:
        return stem
    return re.sub(rf"[-_. ]?{re.escape(domain)}", "", stem, count=1, flags=re.IGNORECASE) or stem


class _Agent(msgspec.Struct):
    llm: str | None = None
    implementation: str | None = None


class _Environment(msgspec.Struct):
    domain_name: str = ""


class _Run(msgspec.Struct):
    agent_info: _Agent
    environment_info: _Environment
    user_info: _Agent | None = None
    num_trials: int | None = None


class _Reward(msgspec.Struct):
    reward: float | None = None


class _Simulation(msgspec.Struct):
    task_id: str | int
    termination_reason: str
    trial: int | None = None
    reward_info: _Reward | None = None
    agent_cost: float | None = None
    duration: float | None = None
    messages: list[_Message] | None = None


class _Listed(msgspec.Struct):
    id: str | int


class _Indexed(msgspec.Struct):
    task_id: str | int
    trial: int
    reward: float | None = None
    termination_reason: str | None = None
    agent_cost: float | None = None
    duration: float | None = None


class _Results(msgspec.Struct):
    info: _Run
    simulations: list[_Simulation] = []
    simulation_index: list[_Indexed] | None = None
    tasks: list[_Listed] = []

    @property
    def every(self) -> list[_Simulation]:
        """The simulations, or where they are in files of their own their index, which has no messages."""
        return self.simulations or [
            _Simulation(
                line.task_id,
                line.termination_reason or "",
                line.trial,
                _Reward(line.reward),
                line.agent_cost,
                line.duration,
            )
            for line in self.simulation_index or []
        ]


def _results(head: Head) -> bool:
    """one JSON object whose `info` has `agent_info`, `user_info` and `num_trials`."""
    return head.shape == "json" and has_keys(head, "info.num_trials", "info.agent_info", "info.user_info")


@reads(
    "tau2-bench",
    role="log",
    task="outcomes",
    yields="tau2-bench: rewards of simulations, several trials a task",
    recognises=_results,
    shapes="json",
    markers=("agent_info",),
    recovers="member of simulations",
    companions={
        ("json", "id", "task_id", "termination_reason"): (
            "holds one simulation of tau2-bench; give the results.json of the folder above it"
        ),
    },
)
def read_tau2_bench(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run, the agent's model in a domain; infrastructure errors are failed, all other ends count."""
    results = decode(source, _Results, EXPECTED_2)
    log = reading.log(source, "tau2-bench")
    agent, domain = results.info.agent_info, results.info.environment_info.domain_name
    run = agent.llm or source.label or source.stem
    partial, blameless = 0, 0
    trials: dict[str, int] = {}
    for place, simulation in enumerate(results.every):
        identity = str(simulation.task_id)
        trials[identity] = trials.get(identity, 0) + 1
        reward = None if simulation.reward_info is None else simulation.reward_info.reward
        end = simulation.termination_reason
        blameless += end in NOT_OF_THE_AGENT
        partial += _add(
            log, identity, run, domain, simulation.trial, reward,
            end if end == INFRASTRUCTURE else _unrewarded(reward), f"simulation {place}",
            usage={
                "cost": simulation.agent_cost, "latency": simulation.duration, "steps": _steps(simulation.messages),
            },
        )  # fmt: skip
    _warn(log, partial)
    if blameless:
        log.warnings.append(
            f"{source.name}: {_counted(blameless, 'simulation')} ended by {' or '.join(NOT_OF_THE_AGENT)} and "
            f"{'counts' if blameless == 1 else 'count'} by reward, as in tau2-bench"
        )
    absent = {str(task.id) for task in results.tasks} - trials.keys()
    if absent:
        log.warnings.append(
            f"{source.name}: {len(absent)} of its {len(results.tasks)} tasks were not run and are in no denominator"
        )
    asked = results.info.num_trials
    fewer = sum(count < asked for count in trials.values()) if asked else 0
    if fewer:
        log.warnings.append(f"{source.name}: fewer than {asked} trials of {_counted(fewer, 'task')} (of {len(trials)})")
    runs = log.finish()
    user = results.info.user_info
    for rows in runs:
        parts = [agent.implementation, user and user.llm and f"user {user.llm}"]
        rows.variant = ", ".join(part for part in parts if part)
    return runs


def _add(
    log: Log, identity: str, run: str, domain: str, trial: int | None, reward: float | None, problem: str | None,
    where: str, content: str | None = None, usage: dict[str, float | None] | None = None,
) -> bool:  # fmt: skip
    """Add a trial; return whether its reward lies between 0 and 1, which counts as incorrect."""
    if trial is not None and trial < 0:
        raise log.error(0, where, f"trial {trial}: expected a number from 0")
    if problem is None and (reward is None or not 0 <= reward <= 1 + TOLERANCE):
        raise log.error(0, where, f"reward {reward}: expected a number from 0 to 1")
    right = reward is not None and reward >= 1 - TOLERANCE
    log.add(
        identity, run=run, task=domain, where=where, sample=None if trial is None else trial + 1, problem=problem,
        state=CORRECT if right else INCORRECT, content=content, usage=usage,
    )  # fmt: skip
    return problem is None and not right and bool(reward)


def _unrewarded(reward: float | None) -> str | None:
    return "it has no reward" if reward is None else None


def _steps(messages: Sequence[_Message] | None) -> float | None:
    """Return the number of the agent's turns; None where there are no messages."""
    return sum(message.role == "assistant" for message in messages) if messages else None


def _warn(log: Log, partial: int) -> None:
    if partial:
        log.warnings.append(
            f"{log.source.name}: {_counted(partial, 'reward')} between 0 and 1 "
            f"{'counts' if partial == 1 else 'count'} as incorrect, as in {log.tool}"
        )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
