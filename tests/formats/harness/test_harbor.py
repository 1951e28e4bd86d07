"""Harbor: its own rule says which rewards are measurements, and the trials of a job are one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_reading import read_log, reader_and_rows, states

import assay
from assay.cli import main
from assay.errors import FormatError, InputError


def trial(task: str = "a", reward: float | None = 1.0, problem: str | None = None, number: int = 0, **more: Any) -> Any:
    return {
        "id": f"{task}-{number}", "task_name": task, "trial_name": f"{task}__{number}", "trial_uri": "file:///", "source": None,
        "task_checksum": "0", "config": {},
        "agent_info": {"name": "bold", "version": "1", "model_info": {"name": "bold-1", "provider": "made"}},
        "agent_result": {"n_input_tokens": 900, "n_output_tokens": 100, "cost_usd": 0.25},
        "verifier_result": None if reward is None else {"rewards": {"reward": reward}},
        "exception_info": problem and {"exception_type": problem, "exception_message": "why", "exception_traceback": ""},
        "agent_execution": {"started_at": "2026-01-02T03:00:00Z", "finished_at": "2026-01-02T03:01:00Z"}, **more,
    }  # fmt: skip


def job(folder: Path, *trials: Any) -> Path:
    """A job's folder, with the summary that Harbor writes above the trials."""
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(json.dumps({"id": "j", "n_total_trials": len(trials), "stats": {}}))
    for content in trials:
        path = folder / content["trial_name"] / "result.json"
        path.parent.mkdir()
        path.write_text(json.dumps(content, indent=1))
    return folder


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (trial(), "C 1"),
        (trial(reward=0.0), "I 1"),
        (trial(reward=0.25), "G 1"),
        (trial(reward=-3.0), "G 1"),
        (trial(reward=12.5, problem="AgentTimeoutError"), "G 1"),
        (trial(problem="AgentTimeoutError"), "C 1"),
        (trial(reward=0.0, problem="ContextLengthExceededError"), "I 1"),
        (trial(reward=0.0, problem="AgentSafetyRefusalError"), "U 1"),
        (trial(reward=1.0, problem="ContentPolicyViolationError"), "C 1"),
        (trial(reward=None, problem="AgentSafetyRefusalError"), "E 1"),
        (trial(problem="EnvironmentStartTimeoutError"), "E 1"),
        (trial(reward=0.0, problem="NonZeroAgentExitCodeError"), "E 1"),
        (trial(problem="AnErrorOfTomorrow"), "E 1"),
        (trial(reward=None), "E 1"),
        (trial(verifier_result={"rewards": {}}), "E 1"),
        (trial(verifier_result={"rewards": None}), "E 1"),
        (trial(step_results=[{"step_name": "1", "exception_info": {"exception_type": "CancelledError"}}]), "E 1"),
        (trial(step_results=[{"step_name": "1", "exception_info": {"exception_type": "AgentTimeoutError"}}]), "C 1"),
    ],
)
def test_which_rewards_count(content, state) -> None:
    """As TrialResult.reward_valid of harbor 0.25.0; what it does not accept is failed."""
    name, [rows] = reader_and_rows(content)
    assert (name, states(rows)) == ("harbor", state)


def test_a_refusal_is_of_that_kind_and_a_failure_has_its_reason() -> None:
    [rows] = read_log(trial(reward=0.0, problem="AgentSafetyRefusalError"))
    assert (rows.kinds, rows.problems) == ({0: "refused"}, {})
    [rows] = read_log(trial(reward=1.0, problem="ApiOverloadedError"))
    assert rows.problems == {0: "ApiOverloadedError: why"}
    assert "has a reward of 1 and ApiOverloadedError, after which a reward is no measurement" in rows.warnings[0]
    assert read_log(trial(reward=None))[0].problems == {0: "it was not graded"}


def test_the_trials_of_a_job_are_one_run(tmp_path) -> None:
    """Tasks a: 1 of 2; b: 1 of 1 and a failed trial. Harbor's mean is 2 of 4."""
    job(
        tmp_path / "job", trial("a", 1.0), trial("a", 0.0, number=1), trial("b", 1.0),
        trial("b", None, "SandboxBuildFailedError", number=1),
    )  # fmt: skip
    scores = assay.evaluate(tmp_path, None, ["accuracy", "pass@1", "cost", "latency", "tokens"])
    values = [scores[str(measure)] for measure in scores.measures]
    assert values == [{"bold (bold-1)": value} for value in (0.75, 0.75, 0.25, 60.0, 1000.0)]
    [share] = assay.evaluate(tmp_path, None, ["accuracy"], failed="incorrect")["accuracy"].values()
    assert share == 0.5
    [share] = assay.evaluate(tmp_path, None, ["pass^2"], failed="incorrect")["pass^2"].values()
    assert share == 0.0


def test_agents_and_data_sets_of_a_job_are_apart(tmp_path) -> None:
    other = trial("a", 0.0, number=1, agent_info={"name": "calm", "version": "1", "model_info": None})
    job(tmp_path / "job", trial("a", 1.0), other)
    scores = assay.evaluate(tmp_path, None, ["accuracy"])
    assert scores["accuracy"] == {"bold (bold-1)": 1.0, "calm": 0.0}
    job(tmp_path / "two", trial("b", 1.0, source="north"), trial("b", 0.0, number=1, source="south"))
    assert list(assay.evaluate(tmp_path / "two", None, ["accuracy"]).topics) == ["north/b", "south/b"]


def test_rewards_of_any_range(tmp_path) -> None:
    """Harbor's rewards are any numbers, and its mean is theirs: (-3 + 12.5 + 1) / 3."""
    folder = job(tmp_path / "one", trial("a", -3.0), trial("b", 12.5), trial("c", 1.0))
    assert assay.evaluate(folder)["score"] == {"bold (bold-1)": 3.5}


def test_steps_have_their_own_times_and_costs() -> None:
    step = {
        "step_name": "1", "agent_result": {"n_input_tokens": 10, "n_output_tokens": 1, "cost_usd": 0.5},
        "agent_execution": {"started_at": "2026-01-02T03:00:00Z", "finished_at": "2026-01-02T03:00:05Z"},
    }  # fmt: skip
    without = {"agent_result": None, "agent_execution": None}
    [rows] = read_log(trial(**without, step_results=[step, step]))
    assert rows.usage == {"cost": [1.0], "tokens": [22.0], "latency": [10.0]}
    [rows] = read_log(trial(**without, step_results=[step, {"step_name": "2", "agent_result": None}]))
    assert (rows.usage["cost"], rows.usage["tokens"]) == ([0.5], [11.0]), "as Harbor's compute_token_cost_totals"
    unknown = {**step, "agent_result": {"n_input_tokens": 10, "n_output_tokens": None, "cost_usd": None}}
    [rows] = read_log(trial(**without, step_results=[step, unknown]))
    assert rows.usage == {"latency": [10.0]}, "a sum without an unknown part is no sum"


def test_several_rewards_are_chosen_among() -> None:
    content = trial(verifier_result={"rewards": {"tests": 1.0, "style": 0.0}})
    with pytest.raises(InputError, match="has 2 metrics, tests, style; choose one with `metric=NAME`"):
        read_log(content)
    assert states(read_log(content, metric="style")[0]) == "I 1"
    content = trial(verifier_result={"rewards": {"tests": 0.0, "reward": 1.0}})
    assert states(read_log(content)[0]) == "C 1"


def test_the_summary_of_a_job_by_name(tmp_path, capsys) -> None:
    folder = job(tmp_path / "job", trial())
    assert main(["evaluate", str(folder / "result.json")]) == 3
    assert "sums up a job of Harbor; give the job's folder" in capsys.readouterr().err


def test_a_trial_that_was_copied(tmp_path) -> None:
    job(tmp_path / "job", trial(), {**trial(), "trial_name": "copy"})
    with pytest.raises(FormatError, match=r"copy/result.json|a__0/result.json"):
        assay.evaluate(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (trial(verifier_result={"rewards": {"reward": "1"}}), r"Expected `float \| null`, got `str`"),
        (
            {name: value for name, value in trial().items() if name != "agent_info"},
            "missing required field `agent_info`",
        ),
    ],
)
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(FormatError, match=message):
        read_log(content)


def test_a_file_that_was_cut_off(tmp_path) -> None:
    path = job(tmp_path / "job", trial()) / "a__0" / "result.json"
    text = path.read_text()[:-50]
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"result.json:{text.count(chr(10)) + 1}: broken JSON"):
        assay.evaluate(tmp_path)
