"""LiveCodeBench: generations are samples, and pass@k is the tool's."""

from __future__ import annotations

import json
from typing import Any

import agent_logs
import pytest
from log_reading import by_question, read_log, reader_and_rows, states, told_of_questions

import assay
from assay.cli import main
from assay.errors import FormatError, InputError


def question(name: str, *graded: Any, **more: Any) -> dict[str, Any]:
    return {
        "question_id": name, "question_content": f"Do {name}.", "difficulty": "easy", "platform": "leetcode",
        "contest_date": "2024-01-02T00:00:00", "output_list": ["…"] * len(graded),
        "code_list": [f"print({place})" for place in range(len(graded))], "graded_list": list(graded),
        "pass@1": sum(map(bool, graded)) / max(1, len(graded)), **more,
    }  # fmt: skip


def test_generations_are_samples(tmp_path) -> None:
    """pass@2 of 4, 2 and 1 right of four: 1, 1 - 1/6 and 1 - 3/6."""
    agent_logs.livecodebench(tmp_path)
    [path] = tmp_path.rglob("*_eval_all.json")
    name, [rows] = reader_and_rows(path)
    assert (name, rows.name, rows.task, rows.variant) == (
        "livecodebench",
        "bold",
        "codegeneration",
        "n 4, temperature 0.2",
    )
    assert by_question(rows) == {"abc000_a": (4, 4), "abc001_a": (2, 4), "abc002_a": (1, 4)}
    scores = assay.evaluate(tmp_path, None, ["pass@1", "pass@2"])
    assert scores["pass@1"]["bold"] == pytest.approx((1 + 0.5 + 0.25) / 3)
    assert scores["pass@2"]["bold"] == pytest.approx((1 + 5 / 6 + 1 / 2) / 3)
    assert rows.kinds == {11: "unparsed"}, "a generation without code"
    texts = rows.texts_of("abc001_a", 2)
    assert (texts.question, texts.answer) == ("Do 1.", "print(1)")
    fields = told_of_questions(path).fields["codegeneration", "abc002_a"]
    assert fields == {"difficulty": "hard", "platform": "atcoder", "contest_date": "2024-03-01T00:00:00"}


def test_generations_longer_than_the_head(tmp_path) -> None:
    """Red before: ten answers with their reasoning fill the first 64 KiB, and the file was ignored."""
    folder = tmp_path / "bold"
    folder.mkdir()
    content = question("q", True, False, output_list=["x" * 40_000] * 2)
    graded = {name: content.pop(name) for name in ("code_list", "graded_list", "pass@1")}
    ungraded = folder / "codegeneration_2_0.2.json"
    ungraded.write_text(json.dumps([{**content, "code_list": graded["code_list"]}]))
    with pytest.raises(InputError, match="holds answers that LiveCodeBench has not graded"):
        assay.evaluate(ungraded)
    (folder / "codegeneration_2_0.2_eval_all.json").write_text(json.dumps([{**content, **graded}]))
    assert assay.evaluate(tmp_path, None, ["pass@1"])["pass@1"] == {"bold": 0.5}


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("codegeneration_8_0.6_eval_all_v5", "n 8, temperature 0.6"),
        ("Scenario.codegeneration_eval_all", ""),
        ("codegeneration_1_0.0_cot_eval_all", "n 1, temperature 0.0"),
    ],
)
def test_other_names_of_files(name, settings, tmp_path) -> None:
    """As in the submissions to the leaderboard; red where a suffix made it a task of its own."""
    path = tmp_path / "bold" / f"{name}.json"
    path.parent.mkdir()
    path.write_text(json.dumps([question("q", True)]))
    [rows] = read_log(path)
    assert (rows.name, rows.task, rows.variant) == ("bold", "codegeneration", settings)


def test_other_scenarios_share_the_id_of_a_question() -> None:
    """Red where question_id alone named them: four samples of one question."""
    predicted = {"code_list": None, "pred_list": ["1", 2]}
    [rows] = read_log([question("q", True, False, id=f"sample_{n}", **predicted) for n in range(2)])
    assert by_question(rows) == {"q/sample_0": (1, 2), "q/sample_1": (1, 2)}
    [rows] = read_log([question("q", True, test_id=n) for n in range(2)])
    assert by_question(rows) == {"q/0": (1, 1), "q/1": (1, 1)}


def test_a_runner_that_raised_is_said() -> None:
    note = json.dumps({"error": "IndexError()", "error_code": -5, "error_message": "TestRunnerError"})
    [rows] = read_log([question("q", True, False, metadata=["{}", note])])
    assert states(rows) == "C 1, I 1"
    assert "1 generation ended the test runner (TestRunnerError)" in rows.warnings[0]


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ([{"pass@1": 0.5, "detail": {"pass@1": {"0": 0.5}}}, {}, []], "holds means of LiveCodeBench"),
        ([{"question_id": "q", "output_list": [], "code_list": []}], "holds answers that LiveCodeBench has not graded"),
    ],
)
def test_the_files_beside_it(content, advice, tmp_path, capsys) -> None:
    path = tmp_path / "codegeneration_1_0.2_eval.json"
    path.write_text(json.dumps(content))
    assert main(["evaluate", str(path)]) == 3
    assert advice in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([question("q", True), question("q", False)], "question 1: sample 1 of question 'q' appears twice"),
        ([question("q")], "question 0: has no graded_list, or an empty one"),
        ([question("q", True, code_list=["a", "b"])], "graded_list has 1 verdicts on 2 generations"),
        ([{**question("q", True), "pass@1": 0.5}], "pass@1 is 0.5, but 1 of 1 are right"),
        ([question("q", True), question("r", "yes")], r"Expected `bool`, got `str`"),
        ([question("q", True), {"question_id": "r"}], "question 1: has no graded_list, or an empty one"),
    ],
)
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(FormatError, match=message):
        read_log(content)


def test_a_file_that_was_cut_off(tmp_path) -> None:
    path = tmp_path / "codegeneration_1_0.2_eval_all.json"
    text = json.dumps([question("q", True), question("r", True)], indent=4)[:-40]
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"eval_all.json:{text.count(chr(10)) + 1}: broken JSON"):
        read_log(path)
