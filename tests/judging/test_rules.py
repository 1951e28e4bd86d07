"""Which rule is taken."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.formats.questions import GoldAnswer, GoldQuestion
from assay.judging import rules
from assay.judging.known import Known
from assay.judging.rules import DESCRIPTIONS, FOR_LISTS, LENIENT_RULE, RULES, JudgingSettings


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


def choose(rule: str, *questions: GoldQuestion, judged: bool = False, allowed=RULES) -> str:
    patterns = any(question.patterns for question in questions)
    return rules.choose(rule, [Known(question) for question in questions], judged, patterns, allowed)


def test_auto_takes_what_the_gold_calls_for() -> None:
    assert choose("auto", question("Paris")) == "exact"
    assert choose("auto", question("A"), question("c")) == "letter"
    assert choose("auto", question("A"), question("c"), allowed=FOR_LISTS) == "exact"
    assert choose("auto", question("A"), question("Paris")) == "exact"
    assert choose("auto", question("A"), question(patterns=["x"])) == "patterns"
    assert choose("auto", question("A"), judged=True) == "judgments"
    assert choose("exact", question("A")) == "exact"


def test_what_cannot_be_chosen() -> None:
    with pytest.raises(UsageError, match="`judging='fuzzy'`: expected one of auto, exact"):
        JudgingSettings(judging="fuzzy")
    with pytest.raises(UsageError, match="needs `judgments=FILE`"):
        choose("judgments")
    with pytest.raises(UsageError, match="`judging='letter'`: expected one of auto, exact, patterns, judgments;"):
        rules.check("letter", FOR_LISTS)


def test_every_rule_is_described() -> None:
    assert {*RULES} - {"auto", LENIENT_RULE} == set(DESCRIPTIONS)
