"""Every command on logs of every shape: samples, failures, partial credit, several tasks, next to nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_logs import eval_log, header, json_log, sample

ERROR = {"message": "API error 503", "traceback": "", "traceback_ansi": ""}


def samples_of(questions: Sequence[Any]) -> list[dict[str, Any]]:
    """A question for each entry, a sample for each of its values; E failed."""
    found: list[dict[str, Any]] = []
    for number, values in enumerate(questions):
        for epoch, value in enumerate(values, 1):
            told = {"metadata": {"subject": f"s{number % 2}"}, "score_metadata": {"confidence": (number % 5) / 5}}
            failed = {"scores": None, "error": ERROR} if value == "E" else {}
            found.append(sample(f"q{number}", epoch, value, **told, **failed))
    return found


SHAPES: dict[str, dict[tuple[str, str], Sequence[Any]]] = {
    "one": {("a", "t"): "CCINCICC"},
    "two": {("a", "t"): "CCINCICC", ("b", "t"): "CIINNICI"},
    "suite": {
        ("a", "t"): "CCINCICC",
        ("b", "t"): "CIINNICI",
        ("a", "u"): "CCIN",
        ("b", "u"): "IICC",
        ("c", "u"): "CCCI",
    },
    "epochs": {("a", "t"): ["CCIN", "CICI", "IINN", "CCCC"] * 3, ("b", "t"): ["CIIN", "IICI", "IINN", "CCIC"] * 3},
    "uneven": {("a", "t"): ["CEIN", "CICI", "EEEE", "CCC"] * 3, ("b", "t"): ["CI", "IICI", "EINN", "CCIC"] * 3},
    "failed": {("a", "t"): "CECINCIE", ("b", "t"): "CCENICIE"},
    "partial": {("a", "t"): [[v] for v in (0.5, 0.25, "C", "I", "P", 1.0, 0.75, 0)], ("b", "t"): "CPPINCIC"},
    "partial epochs": {("a", "t"): [[0.5, 1.0], ["C", "P"], ["I", 0.25]] * 3, ("b", "t"): [["P", "I"], "CC", "EP"] * 3},
    "one question": {("a", "t"): "C", ("b", "t"): "I"},
    "unanswered": {("a", "t"): "NNNNNN", ("b", "t"): "NNNNNN"},
    "disjoint": {("a", "t"): "CCIN", ("b", "t"): ["", "", "", "", "C", "I", "C"]},
}
COMMANDS = [
    ["evaluate"], ["evaluate", "-q"], ["evaluate", "--intervals"], ["evaluate", "--by", "subject"],
    ["evaluate", "--by", "subject", "--by", "task", "--intervals"], ["evaluate", "--rankings"], ["evaluate", "--figures"],
    ["evaluate", "-m", "score", "-m", "pass@2", "-m", "maj@2"], ["evaluate", "-m", "AUROC", "-m", "CWS", "--intervals"],
    ["evaluate", "--failed", "incorrect"], ["evaluate", "--right-from", "0.5", "--intervals"],
    ["compare", "--resamples", "100"], ["compare", "--resamples", "100", "-m", "score", "--growing"],
    ["compare", "--resamples", "100", "--by", "subject"], ["compare", "--resamples", "100", "--right-from", "0.5", "-m", "UF"],
    ["reliability", "--trials", "10"], ["reliability", "--trials", "10", "-m", "score"], ["plan", "--difference", "0.1"],
    ["plan", "--difference", "0.1", "-m", "score"], ["threshold", "--run", "a", "--resamples", "20"],
    ["price", "--resamples", "50"], ["price", "--resamples", "50", "--right-from", "0.5"],
]  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A folder of logs by its shape."""
    return {shape: str(written(tmp_path_factory.mktemp("logs"), logs)) for shape, logs in SHAPES.items()}


def written(folder: Path, logs: dict[tuple[str, str], Sequence[Any]]) -> Path:
    for (model, task), questions in logs.items():
        made = eval_log(samples_of(questions), header(model=model, task=task))
        (folder / f"{model}_{task}.eval").write_bytes(made)
    return folder


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} in JSON")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_number_or_a_reason(command, folders, run, subtests) -> None:
    for shape in SHAPES:
        with subtests.test(shape):
            code, out, err = run(command[0], folders[shape], *command[1:], "-f", "json")
            assert code in (0, 2, 3), err
            assert "bug in assay" not in err
            if code == 0:
                json.loads(out, parse_constant=refuse)
            else:
                assert out == ""
                assert err.splitlines()[-1].startswith(("assay: ", f"assay {command[0]}: "))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_report_is_made_of_anything(shape, folders, run) -> None:
    code, out, err = run("report", folders[shape], "--trials", "0")
    assert (code, "nan" in out.lower().replace("unanswered", "")) == (0, False), err


def test_the_threshold_of_partial_credit_is_printed(folders, run) -> None:
    said = "correct from a score of 0.5"
    for command in ("evaluate", "compare"):
        _, _, err = run(command, folders["partial"], "-m", "c@1", "--right-from", "0.5")
        assert err.count("answers with partial credit have a score of 0.5 or more and count as correct") == 1
    _, out, _ = run("evaluate", folders["partial"], "--right-from", "0.5", "-f", "json")
    assert {entry["judging"] for entry in json.loads(out)["runs"]} == {f"as judged in the file; {said}"}
    assert said not in run("evaluate", folders["partial"])[2]


def test_partial_credit_by_a_field_needs_no_threshold(folders, run) -> None:
    """a on s0, the even questions: 0.5, 1, 0.5, 0.75."""
    code, out, err = run("evaluate", folders["partial"], "--by", "subject", "-f", "csv")
    assert code == 0, err
    header, first, *_ = (line.split(",") for line in out.splitlines())
    assert dict(zip(header, first, strict=True)) | {"score": "0.6875"} == dict(zip(header, first, strict=True))
    code, out, err = run("evaluate", folders["partial"], "--rankings", "-f", "csv")
    assert (code, "score" in out, "coverage" in out) == (0, True, False), err


def test_what_a_run_lacks_of_a_suite_is_said_to_be_left_out(folders, run) -> None:
    _, _, err = run("compare", folders["suite"], "-m", "accuracy", "--resamples", "100")
    assert "c has nothing of t: this task is left out for all runs" in err


def test_mcnemar_says_why_it_does_not_take_samples(folders, run) -> None:
    code, _, err = run("compare", folders["epochs"], "-m", "accuracy", "--test", "mcnemar")
    assert code == 2
    assert "questions have several samples, and it takes each for right or wrong" in err


def test_what_is_counted_is_named(folders, run) -> None:
    _, _, err = run("evaluate", folders["epochs"])
    assert "a, b: 9 samples declined" in err
    _, _, err = run("evaluate", folders["two"])
    assert "a, b: 1 to 2 questions declined" in err


def test_a_threshold_that_everything_reaches_is_refused(folders, run) -> None:
    code, _, err = run("evaluate", folders["partial"], "--right-from", "0")
    assert (code, "--right-from 0: expected a score above 0" in err) == (2, True), err


def report_of(run, *words: str) -> str:
    code, out, err = run("report", *words, "--trials", "0")
    assert code == 0, err
    return " ".join(out.split())


def test_the_report_tells_what_standard_error_does(folders, run) -> None:
    told = report_of(run, folders["failed"])
    assert "Notes" in told
    assert "a, b: 2 questions errored in the harness (q1: API error 503; q7: API error 503 …); excluded." in told
    assert "(`failed=`)" not in told
    one = report_of(run, folders["suite"], "--run", "c")
    assert "c: no log of t, which is excluded from its numbers." in one
    assert "b: of the questions without an answer" not in one


def test_captions_say_what_became_of_failures_and_scores(folders, run) -> None:
    assert "8 questions; a question that failed, or of which a log has no trace, is left out; assay" in report_of(
        run, folders["failed"]
    )
    counted = report_of(run, folders["failed"], "--failed", "incorrect")
    assert "a question that failed, or of which a log has no trace, counts as incorrect" in counted
    assert "correct from a score of 0.5; assay" in report_of(run, folders["partial"], "--right-from", "0.5")


def test_reports_count_samples_where_there_are_several(folders, run) -> None:
    told = report_of(run, folders["epochs"])
    assert "Questions: 12 × 4 samples" in told
    assert "samples a correct 24" in told
    assert "Samples 48" in told
    assert "questions a correct 5" in report_of(run, folders["two"])
    assert "Questions 4 " in report_of(run, folders["suite"], "--run", "c")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ["--missing", "error"],
            "--missing error has no effect on logs: a question absent from a log failed",
        ),
        (["--columns", "id=qid"], "--columns id=qid has no effect on logs"),
        (["--unjudged", "incorrect"], "--unjudged incorrect has no effect on logs"),
        (["--unused-judgments", "ignore"], "--unused-judgments ignore has no effect on logs"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_what_changes_nothing_about_logs_is_refused(words, why, folders, run) -> None:
    code, out, err = run("evaluate", folders["failed"], *words)
    assert (code, out) == (2, "")
    assert why in err


def test_logs_are_called_by_their_files_where_each_run_has_one(folders, run) -> None:
    _, out, _ = run("evaluate", folders["two"], "-m", "accuracy", "--name-by", "file", "-f", "csv")
    assert [line.split(",")[0] for line in out.splitlines()] == ["run", "a_t.eval", "b_t.eval"]
    code, _, err = run("evaluate", folders["suite"], "-m", "accuracy", "--name-by", "file")
    assert code == 2
    assert "--name-by file: a is made of several logs" in err


def test_a_run_is_said_to_have_the_questions_it_was_asked(tmp_path, run) -> None:
    """Red before: the questions of tasks it has no log of were counted too."""
    for task, samples in (("a", [sample("q1", 1), sample("q1", 2)]), ("b", [sample("q1"), sample("q2"), sample("q3")])):
        (tmp_path / f"{task}.json").write_bytes(json_log(samples, header(task=task, model=f"m{task}")))
    assert "assay: ma: 1 question × 2 samples" in run("evaluate", str(tmp_path))[2]
