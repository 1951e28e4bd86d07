"""simple-evals: scores inside of pages, and what they lost."""

from __future__ import annotations

import pytest
from log_reading import edited, read_log, reader_and_rows, states
from made_logs import simple_evals

from assay.errors import FormatError
from assay.formats.answers.rows import RowTexts


def test_expected_of_the_real_file(shared_data) -> None:
    [path] = shared_data("harness_logs", "simple_evals").glob("*_allresults.json")
    name, [rows] = reader_and_rows(path)
    assert (name, rows.name, rows.task) == ("simple-evals", "made-a", "simpleqa")
    assert states(rows) == "C 5, I 3", "correct 0.625"
    [warning] = rows.warnings
    assert (
        "37.5% were not attempted, says the log as a whole; by question they cannot be told from incorrect" in warning
    )
    asked = "What is the capital of Norway?"
    assert rows.texts_of("1", 1) == RowTexts(asked, "Oslo", asked, "I am not sure about that.")


def test_a_made_log(tmp_path) -> None:
    [rows] = read_log(simple_evals(tmp_path))
    assert (rows.ids, states(rows), rows.warnings) == (list("012345"), "C 4, I 2", [])
    [rows] = read_log(simple_evals(tmp_path, "careful"))
    assert "33.3% were not attempted" in rows.warnings[0]


@pytest.mark.parametrize(
    ("name", "task", "run"),
    [
        ("mmlu_gpt-4o_20250101_101010_allresults.json", "mmlu", "gpt-4o"),
        ("mmlu_my_model_20250101_101010_DEBUG_allresults.json", "mmlu", "my_model"),
        ("healthbench_hard_o3_20250101_101010_allresults.json", "healthbench_hard", "o3"),
        ("saved.json", "simple-evals", "saved"),
    ],
)
def test_names_come_from_the_file(tmp_path, name, task, run) -> None:
    [rows] = read_log(simple_evals(tmp_path).rename(tmp_path / name))
    assert (rows.task, rows.name) == (task, run)


def test_scores_may_be_numbers(tmp_path) -> None:
    def grade(content) -> None:
        for place, score in enumerate(["1.0", "0.0", "0.25", "None"]):
            content["htmls"][place] = content["htmls"][place].rpartition("<p>")[0] + f"<p>Score: {score}</p>"

    [rows] = read_log(edited(simple_evals(tmp_path), grade))
    assert states(rows) == "C 2, I 2, E 1, G 1"
    assert rows.problems == {3: "its score is None"}


def test_the_last_score_of_a_page_counts(tmp_path) -> None:
    def claim(content) -> None:
        content["htmls"][2] = "<p>Score: True</p>" + content["htmls"][2]

    [rows] = read_log(edited(simple_evals(tmp_path), claim))
    assert states(rows) == "C 4, I 2"


def test_a_page_without_a_score(tmp_path) -> None:
    with pytest.raises(FormatError, match=r"htmls\[2\]: has no `Score:`"):
        read_log(edited(simple_evals(tmp_path), lambda content: content["htmls"].__setitem__(2, "<p>?</p>")))
    with pytest.raises(FormatError, match=r"htmls\[2\]: question '2' is scored 'Maybe'"):
        read_log(edited(simple_evals(tmp_path), lambda content: content["htmls"].__setitem__(2, "<p>Score: Maybe</p>")))


def test_repeated_prompts_are_said(tmp_path) -> None:
    def repeat(content) -> None:
        content["htmls"] *= 2
        content["convos"] *= 2

    [rows] = read_log(edited(simple_evals(tmp_path), repeat))
    assert len(set(rows.ids)) == 12
    assert "6 of 12 prompts repeat another" in rows.warnings[0]


def test_without_conversations(tmp_path) -> None:
    [rows] = read_log(edited(simple_evals(tmp_path), lambda content: content.pop("convos")))
    assert states(rows) == "C 4, I 2"
    assert rows.texts_of("0", 1) == RowTexts(gold="Paris")


def test_a_conversation_of_one_turn_has_no_texts(tmp_path) -> None:
    [rows] = read_log(edited(simple_evals(tmp_path), lambda content: content["convos"][0].pop()))
    assert (rows.texts[0], rows.texts[1]) == (None, "Oslo")
