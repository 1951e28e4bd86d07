"""What is known of questions: gold, judgments, patterns and support; what is refused, and on which line."""

from __future__ import annotations

import json

import pytest

from assay.errors import FormatError, InputError
from assay.formats.answers import questions
from assay.formats.answers.questions import read_patterns, read_support
from assay.io.sources import Source


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
        ('{"id": "q1", "answers": ["y"]}', "question 'q1' is already on line 1"),
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


def test_judgments_may_not_contradict_each_other() -> None:
    one = {"id": "q1", "text": "Paris", "judgment": "correct", "class": 1}
    assert [j.judgment for j in questions.read_judgments(source(lines(one, one)))] == ["correct", "correct"]
    with pytest.raises(FormatError, match=r"file:2: 'Paris' to question 'q1' is inexact here and correct on line 1"):
        questions.read_judgments(source(lines(one, {**one, "judgment": "inexact"})))
    with pytest.raises(FormatError, match=r"file:1: Invalid enum value 'fine'"):
        questions.read_judgments(source(lines({**one, "judgment": "fine"})))


class TestPatterns:
    def test_number_then_expression_to_the_end_of_the_line(self):
        text = "# TREC\n894  5\\s+feet |\\bfive feet\\b\n\n894 60 inches\r\n895 NIL\n"
        first, second = read_patterns(source(text))
        assert (first.id, first.line, first.patterns) == ("894", 2, ["5\\s+feet |\\bfive feet\\b", "60 inches"])
        assert (second.nil, second.patterns) == (True, [])

    def test_the_same_pattern_twice_is_one_pattern(self):
        (question,) = read_patterns(source("1 a\n1 b\n1 a\n"))
        assert question.patterns == ["a", "b"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1 ok\n2 (unclosed\n", r"^file:2: '\(unclosed' is no regular expression"),
            ("1 ok\n2\n", r"^file:2: question '2' has no pattern"),
            ("# nothing\n", r"^file: is empty"),
        ],
    )
    def test_bad_patterns_name_their_line(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_patterns(source(text))

    def test_support(self):
        assert read_support(source("1 d1 d2\n1 d3\n"), {"1"}) == {"1": {"d1", "d2", "d3"}}
        with pytest.raises(FormatError, match=r"^file:2: question '7' is not in the gold"):
            read_support(source("1 d1\n7 d1\n"), {"1"})
        with pytest.raises(FormatError, match=r"^file:1: question '1' has no document"):
            read_support(source("1\n"), {"1"})


def test_a_question_that_should_be_declined_needs_no_answer() -> None:
    declined = {"should_decline": True}
    text = lines({"id": "q1", **declined}, {"id": "q2", "answer": "a", **declined}, {"id": "q3", "answer": "b"})
    first, second, third = questions.read_questions(source(text, "gold.jsonl"))
    assert [(q.nil, q.fields) for q in (first, second, third)] == [
        (True, declined),
        (False, declined),
        (False, {}),
    ]
    with pytest.raises(FormatError, match=r"gold.jsonl:1: Expected `bool`, got `str`"):
        questions.read_questions(source(b'{"id": "q1", "should_decline": "maybe"}\n', "gold.jsonl"))
    with pytest.raises(FormatError, match=r'has no answers; expected "answers", .* or "should_decline": true'):
        questions.read_questions(source(b'{"id": "q1", "should_decline": false}\n', "gold.jsonl"))
