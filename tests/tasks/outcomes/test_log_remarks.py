"""What is said of many logs."""

from __future__ import annotations

import pytest
from inspect_logs import header, json_log, sample

import assay


def write(folder, name, samples, model) -> None:
    (folder / name).write_bytes(json_log(samples, header(model=model)))


def test_what_many_logs_say_alike_is_said_once(tmp_path) -> None:
    for number in range(3):
        samples = [sample(f"q{i}", value="I", score_answer="I don't know") for i in range(4)]
        write(tmp_path, f"{number}.json", samples, f"m{number}")
    said = [line for line in assay.evaluate(str(tmp_path)).remarks() if "look like refusals" in line]
    assert len(said) == 1
    assert said[0].startswith(f"{tmp_path / '0.json'} and 2 other logs: 4 answers look like refusals")


def test_other_texts_under_the_same_ids_are_one_line(tmp_path) -> None:
    for number in range(4):
        write(tmp_path, f"{number}.json", [sample("q1", input=f"question {number}"), sample("q2")], f"m{number}")
    [line] = [line for line in assay.evaluate(str(tmp_path)).remarks() if "another text" in line]
    assert line.startswith(f"{tmp_path / '1.json'}: 1 of its 2 questions have another text under the same id")
    assert "and so have 2 other logs" in line


def failed_log() -> list[dict]:
    return [sample("q1", scores={}, error={"message": "503", "traceback": "", "traceback_ansi": ""})]


def test_a_log_in_which_everything_failed_does_not_stop_the_others(tmp_path) -> None:
    write(tmp_path, "bad.json", failed_log(), "bad")
    write(tmp_path, "good.json", [sample("q1"), sample("q2")], "good")
    scores = assay.evaluate(str(tmp_path), None, ["accuracy"])
    assert scores["accuracy"] == {"good": 1.0}
    assert any("bad.json: has no scores: 1 of its 1 samples failed (503)" in line for line in scores.remarks())
    with pytest.raises(assay.InputError, match=r"bad\.json: has no scores"):
        assay.evaluate(str(tmp_path), None, ["accuracy"], failed="incorrect")
    (tmp_path / "good.json").unlink()
    with pytest.raises(assay.InputError, match=r"bad\.json: has no scores"):
        assay.evaluate(str(tmp_path))
