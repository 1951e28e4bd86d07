"""Campaigns of questions: what is right is in the gold, and not every system finds it."""

from __future__ import annotations

import json

from assay.gallery.questions import context, lists, nuggets, qa


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
