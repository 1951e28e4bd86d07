"""SQuAD's articles, predictions and probabilities."""

from __future__ import annotations

import json

import pytest

from assay.errors import InputError
from assay.formats.answers import squad
from assay.io.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


def articles(*questions: dict) -> str:
    return json.dumps(
        {"version": "v2.0", "data": [{"title": "T", "paragraphs": [{"context": "c", "qas": list(questions)}]}]}
    )


def test_squad_gold_and_predictions() -> None:
    gold = squad.read_articles(
        source(
            articles(
                {"id": "a", "question": "?", "answers": [{"text": "x", "answer_start": 0}], "is_impossible": False},
                {
                    "id": "b",
                    "question": "?",
                    "answers": [],
                    "plausible_answers": [{"text": "y"}],
                    "is_impossible": True,
                },
            )
        )
    )
    assert [(q.id, q.texts, q.fields["cluster"]) for q in gold] == [("a", ["x"], "T/1"), ("b", [], "T/1")]
    rows = squad.read_predictions(source('{\n "a": "x",\n "b": ""\n}', "pred.json"))
    assert (rows.ids, rows.texts, rows.lines) == (["a", "b"], ["x", ""], [2, 3])
    assert squad.read_na_probabilities(source('{"a": 0.1, "b": 1}')) == {"a": 0.1, "b": 1.0}


@pytest.mark.parametrize(
    ("read", "content", "problem"),
    [
        (squad.read_predictions, '{"a": "x",\n "a": "y"}', "file:2: question 'a' is already on line 1"),
        (squad.read_predictions, '{"a":\n 3}', "file:1: question 'a': 3: expected a text"),
        (squad.read_predictions, '{"a": "x",\n "b" "y"}', "file:2: broken JSON"),
        (squad.read_predictions, "{}", "file: expected predictions as {id: text}"),
        (squad.read_predictions, "[1]", "file: expected predictions as {id: text}"),
        (squad.read_na_probabilities, '{"a": NaN}', "NaN is not a JSON number"),
        (squad.read_na_probabilities, '{"a": 0.2,\n\n "b": 1.2}', "file:3: probability of 'b' 1.2"),
        (squad.read_articles, '{"data": [\n{"paragraphs": [{"qas": [{"id": 3}]}]}]}', "Expected `str`, got `int`"),
        (squad.read_articles, '{"data":\n [', "file:2: broken JSON"),
        (squad.read_articles, '{"data": []}', "file: holds no questions"),
        (
            squad.read_articles,
            articles({"id": "a", "answers": []}),
            "'a' has no answers and is not marked is_impossible",
        ),
        (
            squad.read_articles,
            articles({"id": "a", "is_impossible": True}, {"id": "a", "is_impossible": True}),
            "question 'a' appears twice",
        ),
        (
            squad.read_articles,
            articles({"id": "a", "is_impossible": True}).replace('"id": "a"', '"id": "b", "id": "a"'),
            "file: the key 'id' appears twice in one object",
        ),
    ],
)
def test_bad_squad_files(read, content, problem) -> None:
    with pytest.raises(InputError) as caught:
        read(source(content))
    assert problem in str(caught.value)
