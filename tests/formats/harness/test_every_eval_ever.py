"""Every Eval Ever: one metric of several, scores between 0 and 1 or what the log calls correct."""

from __future__ import annotations

import json

import pytest
from log_reading import read_log, reader_and_rows, states, told_of_questions
from made_logs import every_eval_ever

from assay.errors import FormatError, InputError
from assay.formats.answers.rows import RowTexts


def changed(path, change):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        change(line)
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_the_real_file(shared_data) -> None:
    folder = shared_data("harness_logs", "every_eval_ever")
    name, [rows] = reader_and_rows(next(folder.glob("*_samples.jsonl")))
    assert (name, rows.name, rows.task) == ("every-eval-ever", "demo-org/demo-model", "demo-source.demo_bench")
    assert (rows.ids, states(rows), rows.usage) == (["demo_0001"], "C 1", {"tokens": [17.0]})
    assert rows.texts_of("demo_0001", 1) == RowTexts("What is 2 + 2?", "4", "Q: What is 2 + 2?\nA:", "The answer is 4.")
    assert rows.texts == ["4"]


def test_a_metric_is_chosen_by_its_name_or_id(tmp_path) -> None:
    path = every_eval_ever(tmp_path)
    [rows] = read_log(path, metric="accuracy")
    assert (rows.name, rows.task, states(rows)) == ("made/bold", "capitals", "C 3, I 2, E 1")
    assert rows.problems == {5: "API error: 503"}
    assert rows.usage == {"tokens": [17.0] * 6, "latency": [0.25] * 6}
    assert rows.texts_of("cap-2", 1).answer == "Sydney"
    [rows] = read_log(path, metric="capitals/f1")
    assert states(rows) == "C 3, E 1, G 2"
    assert rows.scores == [1.0, 1.0, 0.5, 1.0, 0.5, None]
    with pytest.raises(InputError, match="has 2 metrics, accuracy, f1; choose one"):
        read_log(path)
    (tmp_path / "bold.json").unlink()
    with pytest.raises(InputError, match="has 2 metrics, capitals/accuracy, capitals/f1; choose one"):
        read_log(path)


def test_every_evaluation_is_a_task(tmp_path) -> None:
    def spread(line) -> None:
        line["evaluation_name"] = line["evaluation_result_id"]

    path = changed(every_eval_ever(tmp_path), spread)
    (tmp_path / "bold.json").unlink()
    runs = read_log(path)
    assert [(rows.task, states(rows)) for rows in runs] == [
        ("capitals/accuracy", "C 3, I 2, E 1"), ("capitals/f1", "C 3, E 1, G 2"),
    ]  # fmt: skip
    assert len(read_log(path, metric="capitals/f1")) == 2
    with pytest.raises(InputError, match="has no metric 'bleu'; it has capitals/accuracy"):
        read_log(path, metric="bleu")


def test_a_refusal_among_the_errors_is_no_failure(tmp_path) -> None:
    def refuse(line) -> None:
        if "error" in line:
            line["error"] = "refusal: policy"

    [rows] = read_log(changed(every_eval_ever(tmp_path), refuse), metric="accuracy")
    assert (states(rows), rows.kinds) == ("C 3, I 2, U 1", {5: "refused"})


def test_scores_that_are_no_shares(tmp_path) -> None:
    def grade(line) -> None:
        line["evaluation"]["score"] = 9.0 if line["evaluation"]["is_correct"] else 2.0

    [rows] = read_log(changed(every_eval_ever(tmp_path), grade), metric="f1")
    assert states(rows) == "C 3, I 2, E 1"
    assert "scores of capitals/f1 are no shares from 0 to 1; outcomes are what it calls correct" in rows.warnings[0]


def test_the_time_it_took_to_generate(tmp_path) -> None:
    """As its converter from HELM has it, in a file of version 0.2.1 without ids of results."""

    def older(line) -> None:
        del line["evaluation_result_id"]
        line["performance"] = {"latency_ms": None, "generation_time_ms": 680.5, "additional_details": None}
        line["messages"] = line["metadata"] = None

    [rows] = read_log(changed(every_eval_ever(tmp_path), older))
    assert rows.usage["latency"][0] == 0.6805
    assert "6 lines repeat a sample without evaluation_result_id" in rows.warnings[0]


def test_less_is_better(tmp_path) -> None:
    path = every_eval_ever(tmp_path)
    aggregate = tmp_path / "bold.json"
    aggregate.write_text(aggregate.read_text().replace("false", "true"))
    with pytest.raises(InputError, match="of capitals/f1 less is better"):
        read_log(path, metric="f1")


def test_a_score_that_is_no_number(tmp_path) -> None:
    path = every_eval_ever(tmp_path)
    path.write_text(path.read_text().replace('"score": 0.0', '"score": NaN'))
    [rows] = read_log(path, metric="accuracy")
    assert states(rows) == "C 3, E 3"
    path.write_text(path.read_text().replace('"score": 1.0', '"score": "high"', 1))
    with pytest.raises(FormatError, match=r"_samples.jsonl:1: Expected `float \| null`, got `str`"):
        read_log(path, metric="accuracy")


def test_the_last_extracted_answer_counts_where_there_is_one(tmp_path) -> None:
    def extract(line) -> None:
        line["answer_attribution"] = [
            {"extracted_value": "first", "is_terminal": True},
            {"extracted_value": "last", "is_terminal": True},
            {"extracted_value": "on the way", "is_terminal": False},
        ]

    [rows] = read_log(changed(every_eval_ever(tmp_path), extract), metric="f1")
    assert rows.texts[0] == "last"
    reading = told_of_questions(every_eval_ever(tmp_path), metric="f1")
    assert reading.fields["capitals", "cap-0"] == {"region": "europe"}
    assert len(reading.contents) == 6
