"""Judgments files; what contradicts the gold is in test_one_judge."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.answers.questions import GoldAnswer, GoldQuestion
from assay.matching.rules import JudgingSettings


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


def judged(text: str, judgment: str, **more) -> dict:
    return {"text": text, "judgment": judgment, **more}


def test_what_was_said(verdict) -> None:
    said = {"a": "correct", "b": "unsupported", "c": "inexact", "d": "incorrect"}
    file = [judged(*pair) for pair in said.items()]
    for rule in ("judgments", "judgments-lenient"):
        assert {text: verdict(rule, question("x"), text, None, file) for text in said} == said
    assert verdict("judgments", question("x"), "e", None, file) is None, "nobody judged it"


def test_a_judgment_of_a_document_goes_before_one_of_the_text(verdict) -> None:
    file = [judged("a", "incorrect", doc="d1"), judged("a", "correct")]
    assert verdict("judgments", question("x"), "a", "d1", file) == "incorrect"
    assert verdict("judgments", question("x"), "a", "d2", file) == "correct"
    assert verdict("judgments", question("x"), "a", None, file) == "correct"


def test_white_space_around_a_text_is_no_part_of_it(verdict) -> None:
    assert verdict("judgments", question("x"), "a ", None, [judged(" a", "correct")]) == "correct"


def test_a_judged_text_has_the_class_of_the_equal_gold_answer(key) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Rome", "r"), GoldAnswer("Roma", "r"), GoldAnswer("Milan")])
    file = [judged("roma", "correct"), judged("Rome", "correct", **{"class": "r"}), judged("Oslo", "unsupported")]
    found = key("judgments", asked, file)
    assert {side: len(classes) for side, classes in found.known["q1"].classes.items()} == {"strict": 2, "lenient": 3}
    assert found.judge("q1", "roma", None).cls == found.judge("q1", "Rome", None).cls == "class r"


def test_judgments_nobody_needed(key) -> None:
    found = key("judgments", question("x"), [judged("a", "correct"), judged("a", "correct"), judged("b", "correct")])
    settings = JudgingSettings()
    found.judge("q1", "a", None)
    with pytest.raises(FormatError, match=r":3: judges the answer 'b' to question 'q1', which no run gave; correct it"):
        found.check_used(settings)
    found.check_used(JudgingSettings(unused_judgments="ignore"))
    for text in "ab":
        found.judge("q1", text, "d1")
    found.check_used(settings)
    with pytest.raises(FormatError, match="judges the answer 'a'"):  # the next runs begin anew
        found.check_used(settings)


def test_no_other_rule_needs_them(key) -> None:
    found = key("exact", question("x"), [judged("a", "correct")])
    assert found.judge("q1", "a", None).judgment == "incorrect"
    found.check_used(JudgingSettings())
