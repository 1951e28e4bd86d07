"""Campaigns of questions: what is right is in the gold, and not every system finds it."""

from __future__ import annotations

import json

from assay.demo.gallery_questions import context, generation, lists, nuggets, qa


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_answers_are_correct_unsupported_or_incorrect_and_some_questions_have_none() -> None:
    judged = lines(qa(2001)["judgments.jsonl"])
    assert {one["judgment"] for one in judged} == {"correct", "unsupported", "incorrect"}
    assert {one["id"] for one in judged if one["text"] == "NIL" and one["judgment"] == "correct"} >= {
        "atlantis-capital"
    }


def test_lists_hold_what_is_right_and_what_is_not() -> None:
    made = lists(2001)
    right = {one["id"]: {*one["answers"]} for one in lines(made["gold.jsonl"])}
    given = [text in right[one["id"]] for one in lines(made["runs/patterns.jsonl"]) for text in one["answers"]]
    assert {*given} == {True, False}
    assert all(1 < len(answers) <= 6 for answers in right.values())


def test_series_have_four_questions_each() -> None:
    names = [one["id"] for one in lines(context(2001)["gold.jsonl"])]
    assert names == [f"{series}{place}" for series in range(1, 13) for place in "abcd"]


def test_a_nugget_that_is_found_stands_in_the_answer() -> None:
    made = nuggets(2001)
    texts = {(one["id"], n["id"]): n["text"] for one in lines(made["gold.jsonl"]) for n in one["nuggets"]}
    for answer in lines(made["runs/insight.jsonl"]):
        held = [
            name for (question, name), text in texts.items() if question == answer["id"] and text in answer["answer"]
        ]
        assert sorted(held) == sorted(answer["nuggets"])


def test_a_generated_answer_says_what_it_holds_and_some_of_it_is_not_supported() -> None:
    made = generation(2001)
    answers = lines(made["assignments.jsonl"])
    for answer in answers:
        held = [one["text"] for one in answer["nuggets"] if one["assignment"] != "not_support"]
        assert answer["answer_text"] == (" ".join(held) or "Nothing was found.")
    grades = {
        citation["support"]
        for row in lines(made["support.jsonl"])
        for sentence in row["sentences"]
        for citation in sentence["citations"]
    }
    assert grades == {0, 1, 2}
    # Support was judged on two questions of three.
    assert 3 * len(lines(made["support.jsonl"])) == 2 * len(answers)
