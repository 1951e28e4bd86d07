"""promptfoo: runs are providers with prompts, repeats share their variables, errors are no wrong answers."""

from __future__ import annotations

import json

import pytest
from log_reading import by_question, edited, read_log, reader_and_rows, states, told_of_questions
from made_logs import promptfoo

from assay.errors import FormatError, InputError


def results(path) -> list:
    return json.loads(path.read_text())["results"]["results"]


def each(change):
    return lambda content: [change(result) for result in content["results"]["results"]]


def test_expected_of_the_real_file(shared_data) -> None:
    name, runs = reader_and_rows(shared_data("harness_logs", "promptfoo", "results.json"))
    assert name == "promptfoo"
    assert {rows.name: states(rows) for rows in runs} == {
        "made-bold [prompt 0]": "C 10, I 2",
        "made-bold [prompt 1]": "C 12",
        "made-careful [prompt 2]": "C 2, U 10",
        "made-careful [prompt 3]": "C 12",
    }
    for rows in runs:
        assert [every for _, every in by_question(rows).values()] == [2] * 6
        assert (rows.task, rows.tool) == ("capitals", "promptfoo 0.121.20")
        assert set(rows.kinds.values()) <= {"declined"}


def test_the_same_as_lines(shared_data) -> None:
    path = shared_data("harness_logs", "promptfoo", "results.first8.jsonl")
    runs = read_log(path)
    assert {rows.name: states(rows) for rows in runs} == {
        "made-bold [prompt 0]": "C 2", "made-bold [prompt 1]": "C 2",
        "made-careful [prompt 2]": "U 2", "made-careful [prompt 3]": "C 2",
    }  # fmt: skip
    whole = {rows.name: rows for rows in read_log(path.with_name("results.json"))}
    assert all({*rows.ids} < {*whole[rows.name].ids} for rows in runs)
    assert whole["made-careful [prompt 2]"].texts_of(runs[0].ids[0], 2).answer == "I don't know."


@pytest.mark.parametrize(("model", "told"), [("bold", "C 7, I 4, E 1"), ("careful", "C 7, U 4, E 1")])
def test_a_made_log(tmp_path, model, told) -> None:
    [rows] = read_log(promptfoo(tmp_path, model))
    assert (rows.name, states(rows), rows.problems) == (f"made-{model}", told, {11: "error: API error: 429"})
    assert rows.usage["latency"] == [0.04] * 12
    assert (rows.usage["cost"][0], rows.usage["tokens"][0], rows.confidences[0]) == (0.0001, 20.0, 0.9)
    texts = rows.texts_of(rows.ids[0], 1)
    assert (texts.question, texts.prompt, texts.answer) == (
        "country: France\ncapital: Paris", "What is the capital of France?", "Paris",
    )  # fmt: skip


def test_lines_are_numbered(tmp_path) -> None:
    lines = list(map(json.dumps, results(promptfoo(tmp_path))))
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(lines))
    [rows] = read_log(path)
    assert (rows.lines, rows.task, states(rows)) == ([*range(1, 13)], "promptfoo", "C 7, I 4, E 1")
    path.write_text("\n".join([*lines[:2], "{", *lines[2:]]))
    with pytest.raises(FormatError, match=r"results.jsonl:3: broken JSON"):
        read_log(path)


def test_a_component_is_chosen(tmp_path) -> None:
    path = promptfoo(tmp_path, "careful")
    assert [states(rows) for rows in read_log(path, metric="correct")] == ["C 7, U 4, E 1"]
    # Its own score tells, though an assertion of weight 0 always passes; what did not attempt is unanswered there too.
    assert [states(rows) for rows in read_log(path, metric="attempted")] == ["C 7, U 4, E 1"]
    with pytest.raises(InputError, match="has no metric 'tone'; it has correct, attempted"):
        read_log(path, metric="tone")


@pytest.mark.parametrize(
    ("name", "score", "told"),
    [
        ("declined", 1, "U 4"), ("not_attempted", 1, "U 4"), ("unanswered", 1, "U 4"), ("refused", 1, "U 4"), ("abstained", 1, "U 4"),
        ("declined", 0, "I 4"), ("answered", 0, "U 4"), ("attempted", 1, "I 4"), ("is_attempted", 0, "U 4"), ("tone", 0, "I 4"),
    ],
)  # fmt: skip
def test_an_assertion_may_be_named_for_what_is_unanswered(tmp_path, name, score, told) -> None:
    def rename(result) -> None:
        if result["gradingResult"]:
            part = result["gradingResult"]["componentResults"][1]
            part["assertion"]["metric"], part["score"] = name, score

    [rows] = read_log(edited(promptfoo(tmp_path), each(rename)))
    assert states(rows) == f"C 7, {told}, E 1"
    assert set(rows.kinds.values()) <= {"refused" if name == "refused" else "declined"}


def test_a_chosen_component_with_partial_credit(tmp_path) -> None:
    def part(result) -> None:
        if result["gradingResult"]:
            result["gradingResult"]["componentResults"][0]["score"] = 0.25

    [rows] = read_log(edited(promptfoo(tmp_path), each(part)), metric="correct")
    assert (states(rows), rows.scores[0]) == ("E 1, G 11", 0.25)

    def nothing(result) -> None:
        if result["gradingResult"]:
            result["gradingResult"]["componentResults"] = result["gradingResult"]["componentResults"][1:]

    path = edited(promptfoo(tmp_path), lambda content: nothing(content["results"]["results"][0]))
    [rows] = read_log(path, metric="correct")
    assert rows.problems[0] == "correct did not score it"


def test_older_logs_do_not_say_why_something_failed(tmp_path) -> None:
    [rows] = read_log(edited(promptfoo(tmp_path), each(lambda result: result.pop("failureReason"))))
    assert states(rows) == "C 7, I 4, E 1"


def test_equal_variables_with_other_assertions_are_other_questions(tmp_path) -> None:
    def other(content) -> None:
        for number, result in enumerate(content["results"]["results"]):
            result["vars"] = {"_run": number, "sessionId": str(number)}
            result["testCase"]["assert"] = [{"type": "icontains", "value": number % 3}]

    [rows] = read_log(edited(promptfoo(tmp_path), other))
    assert [every for _, every in by_question(rows).values()] == [4, 4, 4]


def test_without_a_stated_confidence_the_probability_of_the_answer(tmp_path) -> None:
    path = edited(
        promptfoo(tmp_path),
        each(lambda result: result.update(response={"output": {"a": 1}, "logProbs": [-0.5, -0.25]})),
    )
    [rows] = read_log(path)
    assert rows.confidences[0] == pytest.approx(0.4723665527)
    assert rows.texts[0] is None
    assert rows.texts_of(rows.ids[0], 1).answer == '{"a":1}'


def test_providers_by_name_alone(tmp_path) -> None:
    def older(result) -> None:
        result["provider"] = "openai:gpt"
        del result["promptIdx"]

    [rows] = read_log(edited(promptfoo(tmp_path), each(older)))
    assert rows.name == "openai:gpt"


def test_what_groups_the_questions(tmp_path) -> None:
    fields = told_of_questions(promptfoo(tmp_path)).fields
    assert next(iter(fields.values())) == {"region": "europe"}
    assert len(fields) == 6


def test_several_assertions_of_one_name_count_in_equal_parts(tmp_path) -> None:
    def add(result) -> None:
        if result["gradingResult"]:
            more = {"score": 0.5, "assertion": {"metric": "correct"}}
            result["gradingResult"]["componentResults"] += [more, None, {"score": 1, "assertion": None}]

    [rows] = read_log(edited(promptfoo(tmp_path), each(add)), metric="correct")
    assert rows.scores[:5] == [0.75, 0.75, 0.75, 0.75, 0.25]


def test_prompts_without_numbers_are_told_by_their_words(tmp_path) -> None:
    def unnumbered(content) -> None:
        for number, result in enumerate(content["results"]["results"]):
            del result["promptIdx"]
            result["prompt"]["label"] = "short" if number % 2 else "long"

    runs = read_log(edited(promptfoo(tmp_path), unnumbered))
    assert [rows.name for rows in runs] == ["made-bold [prompt long]", "made-bold [prompt short]"]


@pytest.mark.parametrize(
    ("parts", "confidence"), [([0], 1.0), ([], None), ([0.5], None), (["x"], None), (None, None), ([-1e9], None)]
)
def test_probabilities_that_are_none(tmp_path, parts, confidence) -> None:
    path = edited(promptfoo(tmp_path), each(lambda result: result.update(response={"logProbs": parts})))
    assert read_log(path)[0].confidences == [confidence] * 12
