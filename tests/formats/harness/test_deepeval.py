"""DeepEval: one metric of several, scores that are missing, metrics of which less is better."""

from __future__ import annotations

import json

import pytest
from log_reading import by_question, edited, read_log, reader_and_rows, states, told_of_questions
from made_logs import deepeval

from assay.errors import InputError
from assay.formats.answers.rows import RowTexts


def metrics(number: int, change):
    return lambda content: [change(case["metricsData"][number]) for case in content["testCases"]]


@pytest.mark.parametrize("file", ["test_run_20261115_070539.json", "latest_test_run.json"])
def test_the_real_files(shared_data, file) -> None:
    name, [rows] = reader_and_rows(shared_data("harness_logs", "deepeval", file))
    assert (name, rows.name, rows.task) == ("deepeval", "made-model", "deepeval")
    assert dict(zip(rows.ids, rows.outcomes, strict=True)) == {"cap-1": 1, "cap-2": 2, "cap-3": 2, "cap-4": 1}
    assert rows.confidences == [0.9, 0.8, 0.7, 0.6]
    assert rows.texts_of("cap-3", 1) == RowTexts("What is the capital of Australia?", "Canberra", None, "Sydney")


def test_a_metric_is_chosen(tmp_path) -> None:
    path = deepeval(tmp_path)
    [rows] = read_log(path, metric="Contains")
    assert (rows.name, states(rows), rows.problems) == ("made-bold", "C 3, I 2, E 1", {5: "error: judge timed out"})
    assert rows.usage == {"latency": [0.5] * 6, "cost": [0.001] * 6, "tokens": [15.0] * 6}
    [rows] = read_log(path, metric="Relevancy")
    assert rows.scores == [0.75] * 6
    with pytest.raises(InputError, match="has 2 metrics, Contains, Relevancy; choose one"):
        read_log(path)


def test_a_case_that_was_not_scored(tmp_path) -> None:
    [rows] = read_log(
        edited(deepeval(tmp_path), lambda content: content["testCases"][0]["metricsData"].pop(1)), metric="Relevancy"
    )
    assert rows.problems == {0: "it was not scored by Relevancy"}
    path = edited(deepeval(tmp_path), metrics(1, lambda metric: metric.update(score=None)))
    assert [states(rows) for rows in read_log(path, metric="Relevancy")] == ["C 6"]
    path = edited(deepeval(tmp_path), metrics(1, lambda metric: metric.update(score=None, success=None)))
    assert [states(rows) for rows in read_log(path, metric="Relevancy")] == ["E 6"]
    path = edited(deepeval(tmp_path), metrics(1, lambda metric: metric.update(score=float("nan"), success=None)))
    [rows] = read_log(path, metric="Relevancy")
    assert rows.problems[0] == "Relevancy gave no score"


def test_less_is_better(tmp_path) -> None:
    path = edited(deepeval(tmp_path), metrics(1, lambda metric: metric.update(score=0.2)))
    [rows] = read_log(path, metric="Relevancy")
    assert rows.scores == [0.8] * 6
    assert "Relevancy passes below its threshold: less is better, and 1 - score counts" in rows.warnings[0]


def test_a_score_beyond_one(tmp_path) -> None:
    path = edited(deepeval(tmp_path), metrics(1, lambda metric: metric.update(score=7)))
    with pytest.raises(InputError, match=r"test case 0: question 'cap-0' is scored 7\.0; expected a score from 0 to 1"):
        read_log(path, metric="Relevancy")


def test_cases_of_one_name_are_samples(tmp_path) -> None:
    def repeat(content) -> None:
        content["testCases"] *= 2

    [rows] = read_log(edited(deepeval(tmp_path), repeat), metric="Relevancy")
    assert [every for _, every in by_question(rows).values()] == [2] * 6


def test_conversations(tmp_path) -> None:
    turns = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Paris"}]
    case = {
        "name": "talk",
        "success": True,
        "metricsData": [{"name": "Kind", "score": 1}],
        "turns": turns,
        "scenario": "s",
    }
    content = {"testCases": [], "conversationalTestCases": [case], "testFile": "tests/test_talk.py"}
    path = tmp_path / "test_run_x.json"
    path.write_text(json.dumps(content))
    [rows] = read_log(path)
    assert (rows.name, rows.task, states(rows)) == ("test_run_x", "test_talk", "C 1")
    assert rows.texts_of("talk", 1) == RowTexts("s", None, None, "Paris")


def test_a_hidden_file_of_a_run_without_a_model(tmp_path) -> None:
    path = tmp_path / ".latest_test_run.json"
    path.write_text(
        json.dumps({"testRunData": {**json.loads(deepeval(tmp_path).read_text()), "hyperparameters": None}})
    )
    [rows] = read_log(path, metric="Relevancy")
    assert rows.name == "latest_test_run"


def test_what_groups_the_questions(tmp_path) -> None:
    reading = told_of_questions(deepeval(tmp_path), metric="Contains")
    assert reading.fields["deepeval", "cap-0"] == {"region": "europe"}, "its confidence is of the answer"
    assert len(set(reading.contents.values())) == 6


def test_a_model_that_is_no_name(tmp_path) -> None:
    path = edited(deepeval(tmp_path), lambda content: content.update(hyperparameters={"model": {"name": "x"}}))
    assert read_log(path, metric="Contains")[0].name == "test_run_bold"


@pytest.mark.parametrize(
    ("cases", "scores"),
    [
        ([(0.5, True), (0.2, True)], [0.5, 0.8]),
        ([(0.5, True), (0.2, False)], [0.5, 0.2]),
        ([(0.5, False), (0.7, False)], [0.5, 0.3]),
        ([(0.0, True), (0.7, False)], [1.0, 0.3]),
        ([(0.2, True), (0.7, True)], [0.2, 0.7]),
    ],
)  # fmt: skip
def test_which_way_a_metric_goes_is_told_by_what_passed(cases, scores) -> None:
    """At the threshold itself both ways pass; where cases contradict each other nothing is turned around."""
    found = [
        {"name": str(number), "metricsData": [{"name": "m", "threshold": 0.5, "score": score, "success": success}]}
        for number, (score, success) in enumerate(cases)
    ]
    [rows] = read_log({"testCases": found})
    assert rows.scores == pytest.approx(scores)
