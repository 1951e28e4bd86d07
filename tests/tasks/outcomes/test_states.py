"""Failures, answers that could not be extracted, and partial credit under the settings."""

from __future__ import annotations

import pytest
from sampled_tables import joined, log_rows, scored

import assay
from assay.errors import InputError, UsageError
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, UNANSWERED
from assay.table.notes import Notes
from assay.tasks.outcomes.gold import OutcomeSettings
from assay.tasks.outcomes.states import apply_settings

COUNTS = ["questions", "correct", "incorrect", "unanswered"]
RUN = {"q0": "C", "q1": "I", "q2": "N", "q3": "E"}


@pytest.mark.parametrize(
    ("failed", "expected"),
    [("skip", [3, 1, 1, 1]), ("incorrect", [4, 1, 2, 1]), ("unanswered", [4, 1, 1, 2])],
)
@pytest.mark.parametrize("samples", [1, 3])
def test_what_failures_count(failed, expected, samples):
    scores = scored({"r": {q: cell * samples for q, cell in RUN.items()}}, [*COUNTS, "c@1"], failed=failed)
    n, *counts = (scores[name]["r"] for name in COUNTS)
    assert (n, counts) == (expected[0], [samples * count for count in expected[1:]])
    questions, right, _, unanswered = expected
    assert scores["c@1"]["r"] == pytest.approx((right + unanswered * right / questions) / questions)


def test_a_failure_earns_no_credit_for_declining():
    """Red before: an API error counted as an abstention, which c@1 pays for."""
    assert scored({"r": {"q0": "C", "q1": "E"}}, ["c@1"])["c@1"]["r"] == 1.0
    assert scored({"r": {"q0": "C", "q1": "N"}}, ["c@1"])["c@1"]["r"] == 0.75


def test_failures_may_be_an_error():
    with pytest.raises(InputError, match=r"r\.log: question 'q3' failed \(API error\); `failed='skip'`"):
        scored({"r": RUN}, ["accuracy"], failed="error")
    with pytest.raises(InputError, match=r"question 'q0 \(sample 2\)' and 1 more failed"):
        scored({"r": {"q0": "CEE"}}, ["accuracy"], failed="error")
    assert scored({"r": {"q0": "C"}}, ["accuracy"], failed="error")["accuracy"]["r"] == 1.0


def test_failures_are_named():
    scores = scored({"r": {"q0": "CE", "q1": "EEE"}}, ["accuracy"])
    [said] = [line for line in scores.remarks() if "failed" in line]
    assert said.startswith("r: 4 samples errored in the harness (q0 (sample 2): API error; ")
    assert said.endswith("…); excluded (`failed=`)")
    [once] = [line for line in scored({"r": RUN}, ["accuracy"], failed="unanswered").remarks() if "failed" in line]
    assert once == ("r: 1 question errored in the harness (q3: API error); counted as unanswered (`failed=`)")
    assert scores.to_dict()["runs"][0]["failures"]["q1 (sample 3)"] == "API error"


def unparsed(value):
    return {"value": value, "kind": "unparsed"}


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("scored", [2, 1, 1, 0]), ("unanswered", [2, 0, 0, 2]), ("incorrect", [2, 0, 2, 0]), ("failed", [0, 0, 0, 0])],
)
def test_answers_that_could_not_be_extracted(choice, expected):
    scores = scored({"r": {"q0": [unparsed("C")], "q1": [unparsed("I")]}}, COUNTS, unparsed=choice)
    if choice == "scored":
        assert "r: 2 questions unparsed (how these count: `unparsed=`)" in scores.remarks()
    assert [scores[name]["r"] for name in COUNTS] == expected


def test_unparsed_failures_then_follow_the_choice_of_failures():
    scores = scored({"r": {"q0": [unparsed("I")], "q1": "C"}}, COUNTS, unparsed="failed", failed="unanswered")
    assert [scores[name]["r"] for name in COUNTS] == [2, 1, 0, 1]


@pytest.mark.parametrize(("least", "right"), [(0.25, 4), (0.5, 3), (0.75, 2), (1.0, 1)])
def test_the_score_from_which_an_answer_is_right(least, right):
    cells = {f"q{i}": [value] for i, value in enumerate([0.0, 0.25, 0.5, 0.75, 1.0])}
    scores = scored({"r": {**cells, "q5": "N"}}, COUNTS, right_from=least)
    assert [scores[name]["r"] for name in COUNTS] == [6, right, 5 - right, 1]
    [said] = [line for line in scores.remarks() if "partial credit" in line]
    assert said == (
        f"r: {right - 1} of 3 answers with partial credit have a score of {least:g} or more and count as correct, the others as "
        "incorrect (`right_from=`)"
    )


def test_without_a_threshold_partial_credit_stays_what_it_is():
    rows = log_rows("r", {"q0": ["P"], "q1": ["C"], "q2": ["I"], "q3": ["N"], "q4": ["E"]})
    assert list(apply_settings(rows, OutcomeSettings(), Notes())[0]) == [GRADED, CORRECT, INCORRECT, UNANSWERED, FAILED]
    _, [views], _ = joined(rows)
    assert views.graded
    assert list(views.column("unanswered")) == [0, 0, 0, 1, 0]
    with pytest.raises(UsageError, match=r"r: some answers have partial credit"):
        views.column("correct")


@pytest.mark.parametrize(
    "choice", [{"right_from": 0.5}, {"scorer": "x"}, {"metric": "x"}, {"filter": "x"}, {"merge": True}]
)
def test_choices_that_nothing_asked_for_are_refused(choice, tmp_path):
    (tmp_path / "run.jsonl").write_text('{"id": "q0", "outcome": "correct"}\n')
    with pytest.raises(UsageError, match=r"no answer has partial credit|needs logs of a harness"):
        assay.evaluate(None, str(tmp_path / "run.jsonl"), ["accuracy"], **choice)


def test_rows_are_not_changed_by_the_settings():
    rows = log_rows("r", {"q0": ["E"], "q1": [unparsed("C")]})
    before = list(rows.outcomes)
    apply_settings(rows, OutcomeSettings(failed="incorrect", unparsed="unanswered"), Notes())
    assert rows.outcomes == before


@pytest.mark.parametrize(
    ("counted", "score"), [("scored", 2.5 / 3), ("incorrect", 0.5), ("unanswered", 0.5), ("failed", 0.75)]
)
def test_unparsed_answers_count_whatever_score_they_have(counted, score):
    """Red before: where others had partial credit, an unparsed answer that the log calls right kept its score, and was
    right again from it."""
    run = {"r": {"q0": [unparsed("C")], "q1": "P", "q2": "C"}}
    assert scored(run, ["score"], unparsed=counted)["score"]["r"] == pytest.approx(score)
    right = {"scored": 3 / 3, "incorrect": 2 / 3, "unanswered": 2 / 3, "failed": 2 / 2}[counted]
    assert scored(run, ["accuracy"], unparsed=counted, right_from=0.5)["accuracy"]["r"] == pytest.approx(right)


@pytest.mark.parametrize(
    ("failed", "expected"),
    [("skip", (2, 1, 1, 0)), ("incorrect", (4, 1, 3, 0)), ("unanswered", (4, 1, 1, 2))],
)
def test_questions_a_log_has_no_trace_of_are_the_instruments(failed, expected, tmp_path):
    """The short log was stopped after two of four questions: they are no abstentions of the model."""
    from inspect_logs import header, json_log, sample

    values = {"long": "CICI", "short": "CI"}
    for model, given in values.items():
        samples = [sample(f"q{i}", value=value) for i, value in enumerate(given)]
        (tmp_path / f"{model}.json").write_bytes(json_log(samples, header(model=model)))
    scores = assay.evaluate(str(tmp_path), None, COUNTS, failed=failed)
    assert tuple(scores[name]["short"] for name in COUNTS) == expected
    assert tuple(scores[name]["long"] for name in COUNTS) == (4, 2, 2, 0)
    [said] = [line for line in scores.remarks() if line.startswith("short: its log lacks 2 questions")]
    assert ("excluded" if failed == "skip" else failed) in said


def test_a_log_without_a_trace_of_a_question_may_be_an_error(tmp_path):
    from inspect_logs import header, json_log, sample

    (tmp_path / "long.json").write_bytes(json_log([sample("q0"), sample("q1")], header(model="long")))
    (tmp_path / "short.json").write_bytes(json_log([sample("q0")], header(model="short")))
    with pytest.raises(InputError, match="lacks question 'q1', which other logs have"):
        assay.evaluate(str(tmp_path), failed="error")
