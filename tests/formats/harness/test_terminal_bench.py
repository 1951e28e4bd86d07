"""Terminal-Bench 1: null is failed and not wrong, and the runs of a submission are samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_reading import read_log, reader_and_rows, states

import assay
from assay.cli import main
from assay.errors import FormatError, InputError
from assay.formats.recognition import companion_advice
from assay.io.sources import Source


def trial(task: str, resolved: bool | None, number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{task}/{number}", "trial_name": f"{task}.{number}-of-2.run", "task_id": task, "instruction": "Do it.",
        "is_resolved": resolved, "failure_mode": "unset", "parser_results": None, "total_input_tokens": 0,
        "total_output_tokens": 0, **more,
    }  # fmt: skip


def results(*trials: Any, **more: Any) -> dict[str, Any]:
    """What BenchmarkResults computes of its trials: null is not resolved."""
    resolved = sum(bool(trial["is_resolved"]) for trial in trials)
    counts = {"n_resolved": resolved, "n_unresolved": len(trials) - resolved, "accuracy": resolved / len(trials)}
    return {"results": list(trials), "pass_at_k": {}, **counts, **more}


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1))
    return path


def test_null_is_failed_and_an_agent_that_ran_out_of_time_may_be_right() -> None:
    name, [rows] = reader_and_rows(
        results(
            trial("a", True, failure_mode="agent_timeout"), trial("b", False, failure_mode="test_timeout"),
            trial("c", None, failure_mode="agent_installation_failed"), trial("d", None),
        )
    )  # fmt: skip
    assert (name, states(rows)) == ("terminal-bench", "C 1, I 1, E 2")
    assert rows.problems == {2: "it was never graded (agent_installation_failed)", 3: "it was never graded"}


def test_the_number_of_the_board(tmp_path) -> None:
    """2 of 5 trials, and 2 of the 3 graded ones."""
    ends = [trial("a", True), trial("b", True), trial("c", False), trial("d", None), trial("e", None)]
    path = write(tmp_path / "results.json", results(*ends))
    [share] = assay.evaluate(path, None, ["accuracy"])["accuracy"].values()
    assert share == pytest.approx(2 / 3)
    [share] = assay.evaluate(path, None, ["accuracy"], failed="incorrect")["accuracy"].values()
    assert share == json.loads(path.read_text())["accuracy"] == 0.4


def test_time_and_tokens() -> None:
    times = {"agent_started_at": "2026-01-02T03:00:00+00:00", "agent_ended_at": "2026-01-02T03:01:30+00:00"}
    [rows] = read_log(
        results(
            trial("a", True, total_input_tokens=900, total_output_tokens=100, **times),
            trial("b", True, total_input_tokens=None, total_output_tokens=None),
            trial("c", True, total_input_tokens=900, agent_started_at="soon", agent_ended_at="later"),
        )
    )
    assert rows.usage == {"latency": [90.0, None, None], "tokens": [1000.0, None, None]}, "0 tokens are unknown"


def test_the_runs_of_a_submission_are_samples(tmp_path) -> None:
    for number, resolved in enumerate(((True, False), (True, True), (False, None)), 1):
        ends = [trial(task, end, number) for task, end in zip("ab", resolved, strict=True)]
        write(tmp_path / "ob1" / f"run{number}" / "results.json", results(*ends))
    scores = assay.evaluate(tmp_path, None, ["accuracy", "pass@2", "pass^2"])
    assert list(scores.runs) == ["ob1"]
    # a: 2 of 3; b: 1 of 2. pass@2: 1 and 1. pass^2: 1/3 and 0.
    assert [scores[str(measure)]["ob1"] for measure in scores.measures] == pytest.approx(
        [(2 / 3 + 1 / 2) / 2, 1.0, 1 / 6]
    )


def test_submissions_of_one_file_are_not_joined(tmp_path) -> None:
    """Red before: the folder above both was taken for a submission of two runs, and their mean was printed."""
    for name, resolved in (("north", True), ("south", False)):
        ends = [trial("a", resolved, number, id=f"{name}{number}") for number in (1, 2)]
        path = write(tmp_path / name / "results.json", results(*ends))
        write(
            path.parent / "run_metadata.json",
            {"run_id": "r", "agent_name": "lead", "model_name": None, "n_attempts": 2},
        )
    assert assay.evaluate(tmp_path, None, ["accuracy"])["accuracy"] == {"north": 1.0, "south": 0.0}


def test_runs_given_one_by_one_are_joined_by_merge(tmp_path) -> None:
    paths = [
        write(tmp_path / "ob1" / f"run{number}" / "results.json", results(trial("a", number == 1, number)))
        for number in (1, 2)
    ]
    assert len(assay.evaluate(paths[0], paths[1:], ["accuracy"]).runs) == 2
    scores = assay.evaluate(paths[0], paths[1:], ["accuracy", "pass@2"], merge=True)
    assert (scores["accuracy"], scores["pass@2"]) == ({"ob1": 0.5}, {"ob1": 1.0})


def test_the_rows_of_one_file_are_samples_too() -> None:
    [rows] = read_log(results(trial("a", True, 1), trial("a", False, 2), trial("b", True, 1), trial("b", True, 2)))
    assert (rows.ids, rows.samples, states(rows)) == (["a", "a", "b", "b"], [1, 2, 1, 2], "C 3, I 1")


def test_submissions_are_runs_of_their_own(tmp_path) -> None:
    for name in ("north", "south"):
        write(tmp_path / name / "2026-01-02_results.json", results(trial("a", True, id=name)))
    assert list(assay.evaluate(tmp_path, None, ["accuracy"]).runs) == ["north", "south"]


def test_the_name_of_agent_and_model(tmp_path) -> None:
    path = write(tmp_path / "runs" / "run" / "results.json", results(trial("a", True)))
    beside = write(
        path.parent / "run_metadata.json", {"run_id": "date", "agent_name": "t", "model_name": "m", "n_attempts": 1}
    )
    assert read_log(path)[0].name == "t (m)"
    beside.write_text('{"agent_name": 3}')
    with pytest.raises(FormatError, match=r"run_metadata.json: Expected `str \| null`, got `int`"):
        read_log(path)


def test_the_file_of_a_trial_is_not_counted_again(tmp_path) -> None:
    """Red without the companion: the run's results.json and those of its trials would be two logs."""
    write(tmp_path / "run" / "results.json", results(trial("a", True)))
    single = write(tmp_path / "run" / "a" / "a.1-of-1.run" / "results.json", trial("a", True))
    advice = companion_advice(Source(str(single), path=str(single)).head)
    assert advice is not None
    assert "give the results.json of the run" in advice
    scores = assay.evaluate(tmp_path, None, ["correct"])
    assert list(scores["correct"].values()) == [1.0]


def test_a_trial_that_was_copied(tmp_path) -> None:
    with pytest.raises(FormatError, match=r"trial 1: is a copy of log.json, trial 0 \(a/1\); expected each trial once"):
        read_log(results(trial("a", True), trial("a", True)))
    for name in ("run1", "run2"):
        write(tmp_path / name / "results.json", results(trial("a", True)))
    with pytest.raises(FormatError, match=r"run2/results.json: trial 0: is a copy of .*run1/results.json, trial 0"):
        assay.evaluate(tmp_path)


def test_a_list_that_lost_trials(capsys, tmp_path) -> None:
    path = write(
        tmp_path / "results.json", {**results(trial("a", True), trial("b", False)), "results": [trial("a", True)]}
    )
    assert main(["evaluate", str(path)]) == 3
    said = "the file states 2 trials, accuracy 0.5000; the file has 1 trial, accuracy 1.0000"
    assert said in capsys.readouterr().err
    [rows] = read_log(path, partial=True)
    assert states(rows) == "C 1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (results(trial("a", True, total_input_tokens="many")), r"Expected `float \| null`, got `str`"),
        ({"results": [{"task_id": "a", "is_resolved": "yes"}]}, r"Expected `bool \| null`, got `str`"),
        (
            {"results": [{"task_id": "a", "is_resolved": True}, {"task_id": "b"}]},
            "missing required field `is_resolved`",
        ),
    ],
)
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(InputError, match=message):
        read_log(content)


def test_a_file_that_was_cut_off(tmp_path) -> None:
    path = write(tmp_path / "results.json", results(trial("a", True), trial("b", True)))
    text = path.read_text()[:-80]
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"results.json:{text.count(chr(10)) + 1}: broken JSON"):
        read_log(path)
