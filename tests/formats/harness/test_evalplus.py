"""EvalPlus: programs as samples, and plus that asks for base too."""

from __future__ import annotations

from math import comb

import pytest
from log_reading import by_question, edited, read_log, reader_and_rows, states
from made_logs import evalplus

from assay.errors import FormatError, InputError


def pass_at(rows, k: int) -> float:
    counts = by_question(rows).values()
    return sum(1 - comb(every - right, k) / comb(every, k) for right, every in counts) / len(counts)


def test_expected_of_the_real_file(shared_data) -> None:
    path = shared_data("harness_logs", "evalplus", "samples_eval_results.json")
    name, [plus] = reader_and_rows(path)
    [base] = read_log(path, metric="base")
    assert (name, plus.name, plus.task) == ("evalplus", "samples", "HumanEval")
    assert [*by_question(plus)] == ["HumanEval/0", "HumanEval/1", "HumanEval/2"]
    assert pass_at(base, 1) == pytest.approx(0.667, abs=5e-4)
    assert pass_at(plus, 1) == pytest.approx(0.444, abs=5e-4)
    assert pass_at(base, 2) == pytest.approx(0.8889, abs=5e-5)
    assert plus.texts_of("HumanEval/0", 3).answer.endswith("return abs(a) + abs(b)\n")
    assert [plus.texts_of("HumanEval/0", sample).answer for sample in (0, 4)] == [None, None], "samples are 1 to 3"


def test_plus_asks_for_base_too(tmp_path) -> None:
    path = evalplus(tmp_path)
    [rows] = read_log(path)
    assert (rows.name, states(rows), rows.samples) == ("made-bold", "C 3, I 3", [1, 2] * 3)
    assert "must pass the tests of plus (and base); `metric='base'`" in rows.warnings[0]
    [rows] = read_log(path, metric="base")
    assert (states(rows), rows.warnings) == ("C 5, I 1", [])
    with pytest.raises(InputError, match="has no metric 'plain'; it has base, plus"):
        read_log(path, metric="plain")


def test_only_base_was_run(tmp_path) -> None:
    def without(content) -> None:
        for programs in content["eval"].values():
            for program in programs:
                program["plus_status"] = None

    [rows] = read_log(edited(evalplus(tmp_path), without))
    assert (states(rows), rows.warnings) == ("C 5, I 1", [])


def test_a_program_that_was_not_run_failed(tmp_path) -> None:
    path = edited(evalplus(tmp_path), lambda content: content["eval"]["HumanEval/0"][0].update(plus_status=None))
    [rows] = read_log(path)
    assert (states(rows), rows.problems) == ("C 2, I 3, E 1", {0: "it was not run on the tests of plus"})


def test_a_status_nobody_knows(tmp_path) -> None:
    path = edited(evalplus(tmp_path), lambda content: content["eval"]["HumanEval/1"][1].update(base_status="maybe"))
    with pytest.raises(FormatError, match="sample 2 of HumanEval/1: status 'maybe': expected pass, fail, timeout"):
        read_log(path)


def test_newer_names_of_files(tmp_path) -> None:
    path = evalplus(tmp_path)
    [rows] = read_log(path.rename(tmp_path / "qwen_temp_0.0.eval_results.json"))
    assert rows.name == "qwen_temp_0.0"
