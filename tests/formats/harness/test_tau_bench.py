"""tau-bench and tau2-bench: trials are samples, crashes are failed, and pass^k is what the tools print."""

from __future__ import annotations

import json
from math import comb
from typing import Any

import pytest
from log_reading import by_question, read_log, reader_and_rows, states

import assay
from assay.cli import main
from assay.errors import FormatError, InputError

POLICY = [{"role": "system", "content": "# Retail agent policy\n\nAs a retail agent …"}]
SAMPLE = ("agents", "tau_bench_gpt-4o-airline_3tasks_4trials.json")


def trial(task: int, number: int, reward: float | None, turns: int = 2, **info: Any) -> dict[str, Any]:
    talk = POLICY + [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}] * turns
    about = {"task": {"user_id": "u", "instruction": f"Task {task}"}, "user_cost": 0.01, **info}
    return {"task_id": task, "reward": reward, "info": about, "traj": talk, "trial": number}


def crash(task: int, number: int) -> dict[str, Any]:
    """What run.py writes of a trial that raised."""
    return {**trial(task, number, 0.0), "info": {"error": "litellm.APIError: 503", "traceback": "…"}, "traj": []}


def simulation(task: str, number: int, reward: float | None, end: str = "user_stop", **more: Any) -> dict[str, Any]:
    return {
        "id": f"{task}-{number}", "task_id": task, "trial": number, "termination_reason": end,
        "reward_info": None if reward is None else {"reward": reward, "reward_basis": ["DB"]},
        "agent_cost": 0.02, "user_cost": 0.5, "duration": 10.0,
        "messages": [{"role": "assistant", "content": "Hi"}, {"role": "user", "content": "Bye"}], **more,
    }  # fmt: skip


def results(*simulations: Any, trials: int = 2, tasks: int = 2, domain: str = "retail") -> dict[str, Any]:
    return {
        "timestamp": "2026-01-02T03:04:05",
        "info": {
            "git_commit": "abc", "num_trials": trials, "max_steps": 100, "max_errors": 10,
            "user_info": {"implementation": "user_simulator", "llm": "made/user"},
            "agent_info": {"implementation": "llm_agent", "llm": "made/bold", "llm_args": {}},
            "environment_info": {"domain_name": domain, "policy": "…"},
        },
        "tasks": [{"id": str(number)} for number in range(tasks)],
        "simulations": list(simulations),
    }  # fmt: skip


def test_pass_hat_k_of_the_real_sample(shared_data) -> None:
    """Task 1 was solved once in four trials, tasks 12 and 48 every time."""
    path = shared_data(*SAMPLE)
    name, [rows] = reader_and_rows(path)
    assert (name, rows.task, rows.samples) == ("tau-bench", "airline", [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3)
    assert by_question(rows) == {"1": (1, 4), "12": (4, 4), "48": (4, 4)}
    scores = assay.evaluate(None, path, ["accuracy", "pass^1", "pass^2", "pass^3", "pass^4", "pass@2"])
    [run] = scores.runs
    assert run == "tau_bench_gpt-4o_3tasks_4trials"
    expected = [0.75, 0.75, 2 / 3, 2 / 3, 2 / 3, (1 - comb(3, 2) / comb(4, 2) + 2) / 3]
    assert [scores[str(measure)][run] for measure in scores.measures] == pytest.approx(expected)
    assert "cost" not in rows.usage, "what the simulated user cost is not what the agent cost"
    turns = [sum(m["role"] == "assistant" for m in row["traj"]) for row in json.loads(path.read_text())]
    assert rows.usage["steps"] == turns


def test_a_crash_is_failed_and_no_wrong_answer() -> None:
    [rows] = read_log([trial(0, 0, 1.0), trial(1, 0, 0.0, turns=3), crash(0, 1), trial(1, 1, 1.0)])
    assert (states(rows), rows.task) == ("C 2, I 1, E 1", "retail")
    assert rows.problems == {2: "error: litellm.APIError: 503"}
    assert rows.usage == {"steps": [2, 3, None, 2]}


def test_a_crash_comes_first_and_the_file_is_recognised() -> None:
    name, [rows] = reader_and_rows([crash(0, 0), crash(0, 1)])
    assert (name, states(rows), rows.task) == ("tau-bench", "E 2", "")


def test_the_domains_of_a_model_are_two_tasks_of_one_run(tmp_path) -> None:
    """Red without domains: task 0 of airline and task 0 of retail would be one question."""
    for domain, reward in (("airline", 1.0), ("retail", 0.0)):
        row = trial(0, 0, reward)
        row["traj"][0] = {"role": "system", "content": f"# {domain.title()} Agent Policy\n"}
        (tmp_path / f"gpt-4o-{domain}.json").write_text(json.dumps([row]))
    scores = assay.evaluate(None, tmp_path, ["accuracy"])
    assert (list(scores.runs), list(scores.topics)) == (["gpt-4o"], ["airline/0", "retail/0"])
    assert scores["accuracy"]["gpt-4o"] == 0.5


def test_the_name_of_the_file_tells_the_domain_where_nothing_else_does(tmp_path) -> None:
    (tmp_path / "sonnet-Airline.json").write_text(json.dumps([crash(0, 0)]))
    [rows] = read_log(tmp_path / "sonnet-Airline.json")
    assert (rows.name, rows.task) == ("sonnet", "airline")


def test_tau2_leaves_infrastructure_errors_out_and_counts_other_ends() -> None:
    """Sierra's pass^1 is the mean of 1/2 and 1/1."""
    name, [rows] = reader_and_rows(
        results(
            simulation("0", 0, 1.0), simulation("0", 1, 0.0, "max_steps"),
            simulation("1", 0, 0.9999999), simulation("1", 1, None, "infrastructure_error", agent_cost=None),
        )
    )  # fmt: skip
    assert (name, rows.name, rows.task, states(rows)) == ("tau2-bench", "made/bold", "retail", "C 2, I 1, E 1")
    assert rows.problems == {3: "infrastructure_error"}
    assert rows.usage == {"cost": [0.02, 0.02, 0.02, None], "latency": [10.0] * 4, "steps": [1.0] * 4}
    assert rows.warnings == []


def test_the_numbers_of_tau2(tmp_path, capsys) -> None:
    content = results(
        simulation("0", 0, 1.0), simulation("0", 1, 0.0, "too_many_errors"),
        simulation("1", 0, 1.0), simulation("1", 1, None, "infrastructure_error"),
    )  # fmt: skip
    path = tmp_path / "run.json"
    path.write_text(json.dumps(content))
    scores = assay.evaluate(None, path, ["pass^1", "cost", "latency", "steps"])
    assert [scores[str(measure)]["made/bold"] for measure in scores.measures] == [0.75, 0.02, 10.0, 1.0]
    assert main(["evaluate", str(path), "--failed", "incorrect", "-m", "pass^2"]) == 0
    assert capsys.readouterr().out.split()[-1] == "0.0000", "no task was solved in both trials"


def test_tau2_says_what_it_counts() -> None:
    [rows] = read_log(
        results(simulation("0", 0, 0.5), simulation("0", 1, 0.0, "user_error"), simulation("1", 0, 1.0), tasks=3)
    )
    said = [line.removeprefix("log.json: ") for line in rows.warnings]
    assert said == [
        "1 reward between 0 and 1 counts as incorrect, as in tau2-bench",
        "1 simulation ended by user_error or unexpected_error and counts by reward, as in tau2-bench",
        "1 of its 3 tasks were not run and are in no denominator",
        "fewer than 2 trials of 1 task (of 2)",
    ]
    assert (states(rows), rows.variant) == ("C 1, I 2", "llm_agent, user made/user")


def test_a_simulation_that_was_never_rewarded_is_failed() -> None:
    [rows] = read_log(results(simulation("0", 0, None), simulation("0", 1, 1.0), tasks=1))
    assert (states(rows), rows.problems) == ("C 1, E 1", {0: "it has no reward"})


def test_simulations_in_files_of_their_own(tmp_path, capsys) -> None:
    """The other layout of tau2-bench: results.json has an index, and each simulation is in simulations/ID.json."""
    simulations = [simulation("0", 0, 1.0), simulation("0", 1, None, "infrastructure_error"), simulation("1", 0, 0.0)]
    content = results(trials=2)
    del content["simulations"]
    names = ("id", "task_id", "trial", "termination_reason", "agent_cost", "duration")
    content["simulation_index"] = [
        {name: one[name] for name in names} | {"reward": one["reward_info"] and one["reward_info"]["reward"]}
        for one in simulations
    ]
    (tmp_path / "results.json").write_text(json.dumps(content))
    (tmp_path / "simulations").mkdir()
    for one in simulations:
        (tmp_path / "simulations" / f"{one['id']}.json").write_text(json.dumps(one))
    scores = assay.evaluate(tmp_path, None, ["correct", "incorrect", "pass^1", "cost", "latency"])
    assert [scores[str(measure)]["made/bold"] for measure in scores.measures] == [1, 1, 0.5, 0.02, 10.0]
    assert main(["evaluate", str(tmp_path / "simulations" / "0-0.json")]) == 3
    assert "holds one simulation of tau2-bench" in capsys.readouterr().err


def test_a_file_without_simulations() -> None:
    with pytest.raises(InputError, match="holds no samples"):
        read_log(results())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([trial(0, 0, 1.0), trial(0, 0, 0.0)], "result 1: sample 1 of question '0' appears twice"),
        ([trial(0, -1, 1.0)], "result 0: trial -1: expected a number from 0"),
        ([trial(0, 0, 2.0)], "result 0: reward 2.0: expected a number from 0 to 1"),
        ([{**trial(0, 0, 1.0), "reward": "yes"}], r"Expected `float \| null`, got `str`.*expected tau-bench's results"),
        ([trial(0, 0, 1.0), {"task_id": 1, "reward": 1.0, "trial": 0}], "missing required field `info`"),
        (results(simulation("0", 0, 1.0), simulation("0", 0, 1.0)), "simulation 1: sample 1 of question '0' appears"),
        (results(simulation("0", 0, -1.0)), "simulation 0: reward -1.0: expected a number from 0 to 1"),
        (results({"task_id": "0", "trial": 0}), "missing required field `termination_reason`"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(FormatError, match=message):
        read_log(content)


@pytest.mark.parametrize("content", [[trial(0, 0, 1.0), trial(1, 0, 1.0)], results(simulation("0", 0, 1.0))])
def test_a_file_that_was_cut_off(content, tmp_path, capsys) -> None:
    path = tmp_path / "cut.json"
    text = json.dumps(content, indent=1)
    path.write_text(text[: len(text) - 30])
    assert main(["evaluate", str(path)]) == 3
    line = text[: len(text) - 30].count("\n") + 1
    assert f"{path}:{line}: broken JSON" in capsys.readouterr().err
