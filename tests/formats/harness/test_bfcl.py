"""BFCL: what is not listed is right, so that every line counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import agent_logs
import pytest
from log_reading import read_log, reader_and_rows, states

import assay
from assay.cli import main
from assay.errors import FormatError


def header(right: int, total: int) -> dict[str, Any]:
    return {"accuracy": right / total, "correct_count": right, "total_count": total}


def failure(id: int | str, error: str = "value_error:string", **more: Any) -> dict[str, Any]:
    return {
        "id": id, "model_name": "bold", "test_category": "simple", "valid": False, "error": ["…"], "error_type": error,
        "prompt": {"id": f"simple_{id - 1}"} if isinstance(id, int) else {}, "model_result_raw": "…", **more,
    }  # fmt: skip


def lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def test_what_is_not_listed_is_right() -> None:
    name, [rows] = reader_and_rows(lines(header(3, 5), failure("simple_1"), failure("simple_4")))
    assert (name, rows.name, rows.task, states(rows)) == ("bfcl", "bold", "simple", "C 3, I 2")
    assert rows.ids == [f"simple_{number}" for number in range(5)]
    assert rows.outcomes == [1, 2, 1, 1, 2]


def test_old_files_count_from_1() -> None:
    """Red where 13 would be simple_13: the prompt of id 13 is simple_12."""
    [rows] = read_log(lines(header(3, 4), failure(3)))
    assert [identity for identity, state in zip(rows.ids, rows.outcomes, strict=True) if state == 2] == ["simple_2"]
    with pytest.raises(FormatError, match=r"log.json:2: id 3 has the prompt 'simple_3'; expected number 2"):
        read_log(lines(header(3, 4), failure(3, prompt={"id": "simple_3"})))


def test_ids_that_go_on() -> None:
    about = {"test_category": "live_simple"}
    [rows] = read_log(lines(header(1, 2), failure("live_simple_1-12-3", **about)))
    assert (rows.ids, rows.outcomes) == (["live_simple_0", "live_simple_1"], [1, 2])


@pytest.mark.parametrize(
    ("error", "kinds"),
    [
        ("ast_decoder:decoder_failed", {0: "unparsed"}),
        ("executable_decoder:decoder_failed", {0: "unparsed"}),
        ("ast_decoder:decoder_wrong_output_format", {0: "unparsed"}),
        ("relevance_error:decoder_failed", {}),
        ("irrelevance_error:decoder_success", {}),
        ("simple_function_checker:wrong_count", {}),
    ],
)
def test_output_that_was_not_decoded(error, kinds) -> None:
    """In relevance, no call where one was asked for is a wrong answer, and the other way round."""
    [rows] = read_log(lines(header(0, 1), failure("simple_0", error)))
    assert (states(rows), rows.kinds) == ("I 1", kinds)


def test_errors_of_newer_files_have_their_type_inside() -> None:
    inside = {"error_type": "multi_turn:inference_error", "error_message": ["…"]}
    row = {**failure("multi_turn_base_0", test_category="multi_turn_base"), "error": inside}
    del row["error_type"]
    [rows] = read_log(lines(header(1, 2), row))
    assert (states(rows), rows.problems) == ("C 1, E 1", {0: "multi_turn:inference_error"})
    row["error"]["error_type"] = "multi_turn:force_terminated"
    assert states(read_log(lines(header(1, 2), row))[0]) == "C 1, I 1"


def test_the_categories_of_a_model(tmp_path) -> None:
    agent_logs.bfcl(tmp_path)
    scores = assay.evaluate(tmp_path, None, ["correct", "unparsed", "accuracy", "latency", "tokens"])
    assert [scores[str(measure)] for measure in scores.measures] == [
        {"bold": 4}, {"bold": 1}, {"bold": pytest.approx(4 / 6)}, {"bold": 0.5}, {"bold": 100.0},
    ]  # fmt: skip


def test_the_folder_names_the_model_alike_with_and_without_failures(tmp_path) -> None:
    """Red where the rows named it: org/bold in one category, org_bold in the category without failures."""
    for category, rows in (("simple", [failure("simple_0", model_name="org/bold")]), ("multiple", [])):
        path = tmp_path / "score" / "org_bold" / f"BFCL_v3_{category}_score.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lines(header(2 - len(rows), 2), *rows))
    scores = assay.evaluate(tmp_path, None, ["accuracy"])
    assert scores["accuracy"] == {"org_bold": 0.75}


def partial(tmp_path: Path) -> Path:
    """Two of the questions, 7 and 9, of which 9 was wrong."""
    folder = tmp_path / "score" / "bold"
    folder.mkdir(parents=True)
    path = folder / "BFCL_v4_simple_score.json"
    path.write_bytes(lines(header(1, 2), failure("simple_9")))
    return path


def test_a_run_on_some_questions_needs_its_results(tmp_path) -> None:
    path = partial(tmp_path)
    with pytest.raises(
        FormatError, match=r"score.json:2: question 'simple_9' is not one of the 2 .* needs its result file"
    ):
        read_log(path)
    beside = tmp_path / "result" / "bold" / "BFCL_v4_simple_result.json"
    beside.parent.mkdir(parents=True)
    beside.write_bytes(lines({"id": "simple_9", "result": []}, {"id": "simple_7", "result": [], "latency": [[1.0]]}))
    [rows] = read_log(path)
    assert (rows.ids, rows.outcomes, rows.usage) == (["simple_7", "simple_9"], [1, 2], {})
    beside.write_bytes(b'{"id": 3}\n')
    with pytest.raises(FormatError, match=r"result.json:1: Expected `str`, got `int`"):
        read_log(path)


def test_results_of_2024_have_another_name(tmp_path) -> None:
    path = tmp_path / "score" / "bold" / "simple_score.json"
    beside = tmp_path / "result" / "bold" / "gorilla_openfunctions_v1_test_simple_result.json"
    for file in (path, beside):
        file.parent.mkdir(parents=True)
    path.write_bytes(lines(header(2, 3), failure(2)))
    took = {"input_token_count": 90, "output_token_count": 10, "latency": 0.5}
    beside.write_bytes(
        lines({"id": "simple_0", "result": "", **took}, *[{"id": f"simple_{n}", "result": ""} for n in (1, 2)])
    )
    [rows] = read_log(path)
    assert (rows.outcomes, rows.usage) == ([1, 2, 1], {"latency": [0.5, None, None], "tokens": [100.0, None, None]})


def test_results_by_name_are_refused(tmp_path, capsys) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(
        lines({"id": "simple_0", "result": "…", "input_token_count": 1, "output_token_count": 1, "latency": 1})
    )
    assert main(["evaluate", str(path)]) == 3
    assert "holds what a model answered; give the score file of BFCL" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lines(header(3, 5), failure("simple_1")), r":1: states 2 failures \(3 right of 5\); the file lists 1"),
        (lines(header(3, 5), *[failure("simple_1")] * 2), ":3: question 'simple_1' is also on line 2"),
        (lines(header(4, 5), failure("simple_5")), ":2: question 'simple_5' is not one of the 5"),
        (lines(header(4, 5), failure(0)), ":2: id 0: expected a number from 1"),
        (lines(header(4, 5), failure("simple")), ":2: id 'simple': expected CATEGORY_NUMBER"),
        (lines(header(4, 5), {**failure("simple_1"), "valid": True}), ":2: `valid` is true"),
        (lines(header(4, 5), {"id": "simple_1"}), ":2: .*missing required field `valid`"),
        (
            lines({**header(4, 5), "accuracy": 0.9}, failure("simple_1")),
            ":1: accuracy 0.9 is not correct_count 4 of total",
        ),
        (lines({"accuracy": 1.0, "correct_count": 0, "total_count": 0}), ":1: accuracy 1 is not correct_count 0"),
        (lines(header(10**12, 10**12)), ":1: total_count is 1000000000000; expected at most 1000000 questions"),
        (lines({**header(4, 5), "total_count": "5"}), ":1: Expected `int`, got `str`"),
        (lines(header(3, 5), failure("a_1"), failure("b_2")), ":3: ids of a and of b; expected one category"),
        (
            lines(header(3, 5), failure("simple_1"), failure("simple_2", model_name="calm")),
            ":2: model_name is 'bold' and",
        ),
        (lines(header(3, 5), failure("simple_1"))[:-20], ":2: broken JSON"),
    ],
)
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(FormatError, match=message):
        read_log(content)
