"""MMLU-Pro's own output: a letter per question, or none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from log_reading import read_log, reader_and_rows, told_of_questions

import assay
from assay.cli import main
from assay.errors import FormatError, InputError


def question(number: int, answer: str, pred: str | None, category: str = "math", **more: Any) -> dict[str, Any]:
    return {
        "question_id": number, "question": f"Question {number}?", "options": ["a", "b", "c"], "answer": answer,
        "answer_index": "ABC".index(answer), "cot_content": "", "category": category, "src": "made", "pred": pred,
        "model_outputs": f"The answer is ({pred}).", **more,
    }  # fmt: skip


def test_a_letter_is_right_or_wrong_and_none_is_unparsed() -> None:
    """2 of 4 right, 1 wrong, 1 without a letter: accuracy 2/4, and 2/3 of those with a letter."""
    log = [question(7, "B", "B"), question(8, "A", "A"), question(9, "C", "A"), question(10, "C", None)]
    name, [rows] = reader_and_rows(log)
    assert (name, rows.name, rows.ids, rows.kinds) == ("mmlu-pro", "log", ["7", "8", "9", "10"], {3: "unparsed"})
    scores = assay.evaluate(
        json.dumps(log).encode(), None, ["correct", "incorrect", "unparsed", "accuracy", "precision"]
    )
    [run] = scores.runs
    assert [scores[name][run] for name in ("correct", "incorrect", "unparsed", "accuracy")] == [2, 1, 1, 0.5]
    assert scores["precision"][run] == pytest.approx(2 / 3)
    assert any("MMLU-Pro draws an option at random for each" in line for line in scores.remarks())
    texts = rows.texts_of("9", 1)
    assert (texts.question, texts.gold, texts.answer) == ("Question 9?", "C", "The answer is (A).")


@pytest.mark.parametrize("name", ["generated_text", "response"])
def test_the_output_has_another_name_in_each_version(name) -> None:
    log = question(7, "B", "B", **{name: "So it is B."})
    del log["model_outputs"]
    [rows] = read_log([{**log, "question_id": "7"}])
    assert (rows.ids, rows.texts_of("7", 1).answer) == (["7"], "So it is B.")


def written(folder, name: str, log: list[dict[str, Any]]) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(log))
    return str(folder / name)


def test_the_categories_of_a_folder_are_one_run(tmp_path, capfd) -> None:
    """math 1 of 2, computer science 1 of 1: 2 of 3 together."""
    folder = tmp_path / "gpt-x"
    written(folder, "math_result.json", [question(1, "A", "A"), question(2, "B", "A")])
    written(folder, "computer science_result.json", [question(3, "C", "C", "computer science")])
    (folder / "math_summary.json").write_text('{"math": {"corr": 1}, "total": {"corr": 1, "wrong": 1, "acc": 0.5}}')
    assert assay.evaluate(str(tmp_path), None, "accuracy")["accuracy"] == {"gpt-x": pytest.approx(2 / 3)}
    assert main(["evaluate", str(folder), "-m", "accuracy", "--by", "category"]) == 0
    printed = capfd.readouterr().out
    assert [line.split()[-1] for line in printed.splitlines()[1:]] == ["1.0000", "0.5000", "0.6667"]
    with pytest.raises(InputError, match=r"holds totals of MMLU-Pro; give the …_result\.json"):
        assay.evaluate(str(folder / "math_summary.json"))


def test_the_folder_of_the_local_script_names_the_model(tmp_path) -> None:
    path = written(tmp_path / "llama" / "CoT" / "all", "math.json", [question(1, "A", "A")])
    assert assay.evaluate(path, None, "accuracy")["accuracy"] == {"llama": 1.0}


def test_a_file_of_several_categories_is_a_whole_run(tmp_path) -> None:
    for model, pred in (("a-7b", "A"), ("b-70b", "B")):
        log = [question(1, "A", pred), question(2, "B", pred, "law"), question(3, "B", pred, "law")]
        written(tmp_path, f"model_outputs_{model}_5shots.json", log)
    assert assay.evaluate(str(tmp_path), None, "correct")["correct"] == {"a-7b": 1, "b-70b": 2}


def test_fields_to_group_by(tmp_path) -> None:
    path = tmp_path / "all.json"
    path.write_text(json.dumps([question(1, "A", "A")]))
    assert told_of_questions(path).fields["MMLU-Pro", "1"] == {"category": "math", "src": "made"}


def test_a_question_that_is_there_twice_is_no_sample(tmp_path) -> None:
    with pytest.raises(FormatError, match="question 1: question_id 7 is that of question 0, too"):
        read_log([question(7, "A", "A"), question(7, "A", "B")])
    written(tmp_path, "math_result.json", [question(1, "A", "A")])
    written(tmp_path, "math.json", [question(1, "A", "B")])
    with pytest.raises(InputError, match="is a copy of"):
        assay.evaluate(str(tmp_path))


@pytest.mark.parametrize(
    ("log", "problem"),
    [
        ([question(1, "A", "A"), {"question_id": 2, "answer": "A"}], "required field `pred`"),
        ([question(1, "A", "A"), {**question(2, "A", "A"), "question_id": None}], "question_id"),
        ([question(1, "A", "A"), {**question(2, "A", "A"), "pred": 3}], "pred"),
    ],
)
def test_damaged(log, problem) -> None:
    with pytest.raises(InputError, match=problem):
        read_log(log)


def test_a_file_that_is_cut_off() -> None:
    content = json.dumps([question(1, "A", "A"), question(2, "A", "A")]).encode()
    with pytest.raises(FormatError, match="broken JSON"):
        assay.evaluate(content[:-20])
