"""Which rule is taken, and what each makes of an answer."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, UsageError
from assay.formats.answers.questions import GoldAnswer, GoldQuestion
from assay.matching import rules
from assay.matching.answer_key import AnswerKey
from assay.matching.known_answers import KeyQuestion
from assay.matching.rules import DESCRIPTIONS, FOR_LISTS, LENIENT_RULE, RULES, JudgingSettings, letter_of


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


def choose(rule: str, *questions: GoldQuestion, judged: bool = False, allowed=RULES) -> str:
    patterns = any(question.patterns for question in questions)
    return rules.choose(rule, [KeyQuestion(question) for question in questions], judged, patterns, allowed)


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
        AnswerKey("gold", [], JudgingSettings(judging="letter"), FOR_LISTS)


def test_every_rule_is_described() -> None:
    assert {*RULES} - {"auto", LENIENT_RULE} == set(DESCRIPTIONS)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Paris", True),
        ("  paris. ", True),
        ("PARIS!", True),
        ("Ｐａｒｉｓ", True),  # full-width letters
        ("“Paris”", True),
        ("Paris, France", False),
        ("Pari", False),
        ("", False),
    ],
)
def test_exact_match_after_normalisation(verdict, text, right) -> None:
    assert verdict("exact", question("Paris"), text) == ("correct" if right else "incorrect")


def test_accents_and_case_outside_ascii(verdict) -> None:
    assert verdict("exact", question("Straße"), "STRASSE") == "correct"
    assert verdict("exact", question("Málaga"), "Ma\u0301laga") == "correct"
    assert verdict("exact", question("Málaga"), "Malaga") == "incorrect"


def test_an_answer_with_another_document_is_unsupported(verdict) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Paris", docs=["d7"])])
    assert verdict("exact", asked, "Paris", "d7") == "correct"
    assert verdict("exact", asked, "Paris", "d8") == "unsupported"
    assert verdict("exact", asked, "Paris") == "correct", "no document was named, so none is wrong"
    assert verdict("exact", question("Paris"), "Paris", "d8") == "correct", "the gold names no documents"


@pytest.mark.parametrize(
    ("gold", "text", "right"),
    [
        ("15", "1.5", False),
        ("5", "-5", False),
        ("-5", "\N{MINUS SIGN}5", True),
        ("5", ".5", False),
        ("12", "1/2", False),
        ("1000", "1,000.", True),
        ("1990-1995", "1990–1995", True),
        ("Apollo 11", "apollo-11", False),
        ("U.S.", "us", True),
        ("*", "/", False),
        ("*", " * ", True),
    ],
)
def test_numbers_and_marks_keep_what_tells_them_apart(verdict, gold, text, right) -> None:
    assert verdict("exact", question(gold), text) == ("correct" if right else "incorrect")


def test_the_same_text_from_several_documents(verdict) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Paris", docs=["d1"]), GoldAnswer("paris", docs=["d2"])])
    found = [verdict("exact", asked, "Paris", doc) for doc in ("d1", "d2", "d3")]
    assert found == ["correct", "correct", "unsupported"]


def test_patterns_search_and_ignore_case(verdict, key) -> None:
    asked = question(patterns=[r"^par+is\b", "lut[eè]c"])
    assert verdict("patterns", asked, "PARRIS, France") == "correct"
    assert verdict("patterns", asked, "ancient Lutecia") == "correct"
    assert verdict("patterns", asked, "not paris") == "incorrect"
    found = key("patterns", asked)
    classes = {found.judge("q1", text, None).cls for text in ("Paris", "Lutecia")}
    assert len(classes) == 2, "each pattern is a class of its own"


def test_a_broken_pattern_names_its_line(key) -> None:
    with pytest.raises(FormatError, match=r"gold:1: '\(' is no regular expression"):
        key("patterns", question(patterns=["("]))


def test_patterns_fall_back_to_exact_match(verdict) -> None:
    assert verdict("patterns", question("Paris"), "paris") == "correct"


def test_a_pattern_stands_for_the_gold_answer_it_finds(key) -> None:
    asked = question("Paris", patterns=["paris", "Lutetia"])
    found = key("patterns", asked)
    classes = [found.judge("q1", text, None).cls for text in ("Paris", "city of Paris", "Lutetia")]
    assert classes[0] == classes[1] != classes[2]
    assert found.known["q1"].classes["strict"].keys() == set(classes)
    assert len(key("exact", asked).known["q1"].classes["strict"]) == 1
    wide = question("Paris", "Berlin", patterns=["r"])
    found = key("patterns", wide)
    assert len({found.judge("q1", text, None).cls for text in ("Paris", "berlin")}) == 2, "an equal text goes first"


def test_a_document_that_does_not_support_the_question(verdict) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Victor Hugo", docs=["d1"])], ["Hugo"])
    found = [verdict("patterns", asked, "old Hugo", doc) for doc in ("d1", "d2", None)]
    assert found == ["correct", "unsupported", "correct"]


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("(b)", "B"),
        ("b.", "B"),
        ("**C**", "C"),
        ("D) because it is", "D"),
        ("E: both", "E"),
        ("The answer is (F).", "F"),
        ("I think so. Answer: G", "G"),
        ("the ANSWER IS h", "H"),
        ("the answer is c, I think", "C"),
        ("Answers: I", "I"),
        ("The correct answer is option J", "J"),
        ("The answer is a guess", None),
        ("unanswerable B", None),
        ("Paris", None),
        ("A man a plan", None),
        ("The answer isn't known", None),
        ("", None),
        ("42", None),
    ],
)
def test_the_letter_of_an_answer(text, letter) -> None:
    assert letter_of(text) == letter


def test_letters(verdict) -> None:
    assert verdict("letter", question("B"), "(b) Rome") == "correct"
    assert verdict("letter", question("B"), "C") == "incorrect"
    assert verdict("letter", question("B"), "no idea") == "incorrect"
