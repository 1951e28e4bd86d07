"""The answer key: which rule can serve which gold, and NIL."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.answers.questions import GoldAnswer, GoldQuestion
from assay.formats.answers.rows import digest_of


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


def test_a_rule_the_gold_cannot_serve_is_refused(key) -> None:
    with pytest.raises(FormatError, match="gold:1: question 'q1': `judging='letter'` needs an answer that is a letter"):
        key("letter", question("Paris"))
    with pytest.raises(FormatError, match="gold:1: question 'q1': `judging='exact'` needs an answer in the gold"):
        key("exact", question(patterns=["x"]))
    with pytest.raises(FormatError, match="gold:1: question 'q1': `judging='patterns'` needs a pattern or an answer"):
        key("patterns", question())


def test_an_answer_worth_nothing_is_wrong_under_every_rule(verdict) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("A"), GoldAnswer("B", grade=0)])
    assert [verdict(rule, asked, "B") for rule in ("letter", "exact")] == ["incorrect", "incorrect"]


def test_nil_is_judged_by_the_gold_whatever_the_rule(verdict) -> None:
    for rule in ("exact", "patterns", "letter", "judgments"):
        said = [{"text": "other", "judgment": "incorrect"}] if rule == "judgments" else None
        assert verdict(rule, question(nil=True), "NIL", None, said) == "correct"
        assert verdict(rule, question("x"), " NIL ", None, said) == "incorrect"
    assert verdict("exact", question(nil=True), "Paris") == "incorrect"


def test_nil_where_nobody_knows_an_answer(verdict) -> None:
    """That an answer is unsupported, or wrong, does not show that there is one: an assessor must say."""
    for judgment in ("unsupported", "incorrect"):
        said = [{"text": "x", "judgment": judgment}]
        assert verdict("judgments", question(), "NIL", None, said) is None
        said.append({"text": "NIL", "judgment": "incorrect"})
        assert verdict("judgments", question(), "NIL", None, said) == "incorrect"


def test_what_nil_is_worth(key) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("NIL", grade=3)], nil=True)
    found = key("exact", asked)
    right = found.judge("q1", "NIL", "d1")
    assert (right.cls, right.grade, right.nil) == ("NIL", 3, True)
    assert found.known["q1"].classes == {"strict": {"NIL": 3}, "lenient": {"NIL": 3}}


def test_an_answer_is_judged_once(key) -> None:
    found = key("exact", question("Paris"))
    assert found.judge("q1", "Paris", None) is found.judge("q1", "Paris", None)
    assert found.judge("q1", "Rome", "d1") is found.judge("q1", "Rome", "d1")


def test_verdicts_are_remembered_and_long_answers_are_not(key) -> None:
    """Red before: every completion was held for as long as the table was."""
    right = "a long way " * 40
    made = key("exact", question(right, "Paris"))
    for _ in range(2):
        verdicts = [
            made.judge("q1", text, doc) for text in (right, right.upper(), right + "x", "Paris") for doc in (None, "d")
        ]
    assert [verdict.judgment for verdict in verdicts] == ["correct"] * 4 + ["incorrect"] * 2 + ["correct"] * 2
    held = [answer[0] if isinstance(answer, tuple) else answer for answer in made.known["q1"].seen]
    assert len(held) == 8
    assert max(map(len, held)) <= 200
    # Who gives the digest for the answer does not get its verdict.
    assert made.judge("q1", digest_of(right).hex(), None).judgment == "incorrect"
