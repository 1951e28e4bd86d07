"""Gold of questions: what is taken, what is refused and on which line."""

from __future__ import annotations

import json

import pytest

from assay.errors import FormatError, InputError
from assay.formats import questions
from assay.formats.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


def lines(*objects: object) -> str:
    return "".join(json.dumps(o) + "\n" for o in objects)


def test_gold_keeps_fields_it_does_not_know() -> None:
    text = lines(
        {
            "id": 7,
            "type": "factoid",
            "answers": ["Paris", {"text": "Lutetia", "class": "a", "docs": ["d7"]}],
            "lang": "fr",
        },
        {"id": "q2", "nil": True, "cluster": 3},
        {"id": "q3", "answer": 42, "patterns": ["^4"]},
    )
    first, second, third = questions.read_questions(source(text))
    assert first.id == "7"
    assert [a.text for a in first.answers] == ["Paris", "Lutetia"]
    assert first.answers[1].cls == "a"
    assert first.fields == {"type": "factoid", "lang": "fr"}
    assert (second.nil, second.fields, second.line) == (True, {"cluster": "3"}, 2)
    assert (third.answers[0].text, third.patterns) == (42, ["^4"])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "q1", "answers": ["y"]}', "question 'q1' stands already on line 1"),
        ('{"id": "q2"}', "question 'q2' has no answers"),
        ('{"id": "q2", "answers": []}', "question 'q2' has no answers"),
        ('{"id": "q2", "answers": [{"class": "a"}]}', "missing required field `text`"),
        ('{"id": "q2", "nil": "yes"}', "Expected `bool`, got `str` - at `$.nil`"),
    ],
)
def test_a_bad_line_of_gold_is_named(line, problem) -> None:
    with pytest.raises(FormatError) as caught:
        questions.read_questions(source('{"id": "q1", "answers": ["x"]}\n' + line, "gold.jsonl"))
    assert str(caught.value).startswith("gold.jsonl:2: ")
    assert problem in str(caught.value)


def test_nil_may_be_the_gold_answer() -> None:
    found = questions.read_questions(
        source(lines({"id": "a", "answer": "NIL"}, {"id": "b", "answers": ["NIL"]}, {"id": "c", "answer": "x"}))
    )
    assert [question.nil for question in found] == [True, True, False]


def test_gold_without_answers_from_python() -> None:
    with pytest.raises(InputError, match="question 'a' has no answers"):
        questions.gold_from_python(Source("gold", data={"a": None}))
