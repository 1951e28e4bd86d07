"""Scores written and read back as CSV, JSON and Parquet: every state of a question stays what it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.cli import main
from assay.errors import AssayError
from assay.formats.answers.states import CODES

STATES = {
    "q1": "correct", "q2": "incorrect", "q3": "unanswered", "q4": "declined", "q5": "refused", "q6": "unparsed", "q7": "failed",
    "q8": "no verdict", "q9": "missing", "q10": "correct",
}  # fmt: skip
LINES = [
    {"id": "q1", "outcome": "correct"}, {"id": "q2", "outcome": "incorrect"}, {"id": "q3", "outcome": "unanswered"},
    {"id": "q4", "outcome": "unanswered", "kind": "declined"}, {"id": "q5", "outcome": "unanswered", "kind": "refused"},
    {"id": "q6", "outcome": "unanswered", "kind": "unparsed"}, {"id": "q7", "outcome": "failed"}, {"id": "q8", "outcome": ""},
    {"id": "q10", "outcome": "correct"},
]  # fmt: skip
FORMATS = ["csv", "json", "parquet"]


def table(lines: list[dict], run: str = "m") -> str:
    rows = [f"{run},{line['id']},{line['outcome']},{line.get('kind', '')},{line.get('sample', 1)}" for line in lines]
    return "\n".join(["run,id,outcome,kind,sample", *rows]) + "\n"


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    everything = "".join(f"n,q{number},correct,,1\n" for number in range(1, 11))
    Path("t.csv").write_text(table(LINES) + everything)
    return tmp_path


def written(format: str, source: str = "t.csv", *more: str) -> str:
    name = f"scores.{format}"
    assert main(["evaluate", source, "-f", format, "-o", name, *([] if format == "parquet" else ["-q"]), *more]) == 0
    return name


def states(scores: assay.Scores, run: str = "m") -> dict[str, str]:
    return dict(zip(scores.topics, scores.column(run, "state"), strict=True))


def numbers(scores: assay.Scores) -> list[dict[str, float]]:
    return [scores[name, run] for name in ("correct", "incorrect", "unanswered") for run in scores.runs]


@pytest.mark.parametrize("format", FORMATS)
def test_every_state_of_a_question(here, format, capfd) -> None:
    scores = assay.evaluate("t.csv")
    assert states(scores) == STATES
    read = assay.read_scores(written(format), ["c@1", "accuracy", "precision"])
    assert states(read) == STATES
    assert {*states(read, "n").values()} == {"correct"}
    # 8 count: 2 correct, 1 incorrect, 4 unanswered and 1 missing, which counts as unanswered: c@1 = (2 + 5 · 2/8) / 8.
    assert scores["c@1"]["m"] == read["c@1"]["m"] == pytest.approx((2 + 5 * 2 / 8) / 8)
    assert scores["accuracy"]["m"] == read["accuracy"]["m"] == pytest.approx(2 / 8)
    assert scores["precision"]["m"] == read["precision"]["m"] == pytest.approx(2 / 3)
    assert scores.value("m", "c@1").topics == read.value("m", "c@1").topics == 8
    before, after = (dict(zip(each.topics, each.status("m", "correct"), strict=True)) for each in (scores, read))
    assert after == {**before, "q9": "scored"}, "it has the number that the writer's policy gave it"
    said = read.remarks()
    assert "m: 1 failed, 1 no verdict: excluded, as in the file" in said
    assert "m: 1 topic missing; counted as in the file (`missing=`)" in said


@pytest.mark.parametrize("format", FORMATS)
def test_a_second_round_changes_nothing(here, format) -> None:
    first = assay.read_scores(written(format))
    Path("again.csv").write_text("")
    assert main(["evaluate", "--scores", f"scores.{format}", "-q", "-f", "csv", "-o", "again.csv"]) == 0
    second = assay.read_scores("again.csv")
    assert states(second) == states(first) == STATES
    assert numbers(second) == numbers(first)


@pytest.mark.parametrize("format", FORMATS)
def test_a_policy_of_the_reader_replaces_that_of_the_writer(here, format) -> None:
    read = assay.read_scores(written(format), ["accuracy"], missing="skip")
    # Without the missing question: 2 of 7.
    assert read["accuracy"]["m"] == pytest.approx(2 / 7)
    assert states(read) == STATES
    assert read.run("m").gone == 1


@pytest.mark.parametrize("format", FORMATS)
def test_partial_credit_and_samples_that_differ(here, format) -> None:
    lines = [
        {"id": "q1", "outcome": "correct"}, {"id": "q1", "outcome": "incorrect", "sample": 2},
        {"id": "q2", "outcome": "correct"}, {"id": "q2", "outcome": "correct", "sample": 2},
        {"id": "q3", "outcome": "failed"}, {"id": "q3", "outcome": "failed", "sample": 2},
        {"id": "q4", "outcome": "incorrect"}, {"id": "q4", "outcome": "failed", "sample": 2},
    ]  # fmt: skip
    Path("samples.csv").write_text(table(lines))
    expected = {"q1": "several", "q2": "correct", "q3": "failed", "q4": "incorrect"}
    read = assay.read_scores(written(format, "samples.csv"), ["accuracy"])
    assert states(assay.evaluate("samples.csv")) == states(read) == expected
    # Each question weighs the same: 1/2, 1 and 0.
    assert read["accuracy"]["m"] == pytest.approx(1 / 2)
    Path("partial.csv").write_text(
        table([{"id": "q1", "outcome": 0.5}, {"id": "q2", "outcome": 1}, {"id": "q3", "outcome": "failed"}])
    )
    read = assay.read_scores(written(format, "partial.csv"), ["score"])
    assert states(read) == {"q1": "partial", "q2": "correct", "q3": "failed"}
    assert read["score"]["m"] == 0.75


@pytest.mark.parametrize("format", FORMATS)
def test_a_question_of_a_task_that_was_not_run(here, format) -> None:
    for model, tasks in (("a", ("t", "u")), ("b", ("t",))):
        for task in tasks:
            lines = [{"schema_version": "0.3.0", "evaluation_id": "e", "model_id": model, "evaluation_name": task, "sample_id": "q1",
                      "evaluation": {"score": 1.0, "is_correct": True}}]  # fmt: skip
            Path(f"{model}_{task}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    names = ["a_t.jsonl", "a_u.jsonl", "b_t.jsonl"]
    scores = assay.evaluate(None, names, ["accuracy"])
    assert [*states(scores, "b").values()] == ["correct", "not asked"]
    assert (
        main(
            [
                "evaluate",
                "--judged",
                *names,
                "-f",
                format,
                "-o",
                f"s.{format}",
                *([] if format == "parquet" else ["-q"]),
            ]
        )
        == 0
    )
    read = assay.read_scores(f"s.{format}", ["accuracy"])
    assert [*states(read, "b").values()] == ["correct", "not asked"]
    assert read["accuracy"] == scores["accuracy"] == {"a": 1.0, "b": 1.0}


def test_every_state_is_tried_above() -> None:
    assert {*STATES.values(), "partial", "several", "not asked"} == {*CODES}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("run,topic,state,correct\nm,q1,perhaps,1\n", "s.csv:2: run m: expected a number"),
        (
            '{"runs": [{"run": "m", "topics": {"q1": {"state": "perhaps", "correct": 1}}}]}',
            "state is 'perhaps'; expected one of",
        ),
    ],
)
def test_an_unknown_state_is_refused(here, text, problem) -> None:
    name = "s.csv" if text.startswith("run") else "s.json"
    Path(name).write_text(text)
    with pytest.raises(AssayError, match=problem):
        assay.read_scores(name)


def test_states_of_some_questions_alone_are_not_kept(here) -> None:
    Path("s.csv").write_text("run,topic,state,correct\nm,q1,correct,1\nm,q2,,0\n")
    read = assay.read_scores("s.csv")
    assert read["correct"]["m"] == 0.5
    assert "state" not in read.run("m").columns


def test_numbers_called_state_are_a_measure(here) -> None:
    Path("s.csv").write_text("run,topic,state\nm,q1,1\nm,q2,0\n")
    assert assay.read_scores("s.csv")["state"]["m"] == 0.5
