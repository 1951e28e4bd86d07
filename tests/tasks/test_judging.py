"""How answers are held against gold."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, InputError, UsageError
from assay.formats.judgments import Judgment
from assay.formats.questions import GoldAnswer, GoldQuestion
from assay.formats.rows import CORRECT, INCORRECT
from assay.tasks import judging


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


def verdict(rule: str, asked: GoldQuestion, text: str, doc: str | None = None, judgments=()) -> int:
    return judging.judge_by(rule, "gold", [asked], judgments)(asked, text, doc)[0]


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
def test_exact_match_after_normalisation(text, right) -> None:
    assert verdict("exact", question("Paris"), text) == (CORRECT if right else INCORRECT)


def test_accents_and_case_outside_ascii() -> None:
    assert verdict("exact", question("Straße"), "STRASSE") == CORRECT
    assert verdict("exact", question("Málaga"), "Ma\u0301laga") == CORRECT
    assert verdict("exact", question("Málaga"), "Malaga") == INCORRECT


def test_an_unsupported_answer_is_incorrect() -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Paris", docs=["d7"])])
    assert verdict("exact", asked, "Paris", "d7") == CORRECT
    assert verdict("exact", asked, "Paris", "d8") == INCORRECT
    assert verdict("exact", asked, "Paris") == CORRECT, "no document was named, so none is wrong"
    assert verdict("exact", question("Paris"), "Paris", "d8") == CORRECT, "the gold names no documents"


def test_patterns_search_and_ignore_case() -> None:
    asked = question(patterns=[r"^par+is\b", "lut[eè]c"])
    assert verdict("patterns", asked, "PARRIS, France") == CORRECT
    assert verdict("patterns", asked, "ancient Lutecia") == CORRECT
    assert verdict("patterns", asked, "not paris") == INCORRECT
    judge = judging.judge_by("patterns", "gold", [asked], [])
    assert judge(asked, "Paris", None)[1] != judge(asked, "Lutecia", None)[1], "each pattern is a class of its own"


def test_a_broken_pattern_names_its_line() -> None:
    with pytest.raises(FormatError, match=r"gold:1: '\(' is no regular expression"):
        judging.judge_by("patterns", "gold", [question(patterns=["("])], [])


def test_patterns_fall_back_to_exact_match() -> None:
    assert verdict("patterns", question("Paris"), "paris") == CORRECT


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
    assert judging.letter_of(text) == letter


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
def test_numbers_and_marks_keep_what_tells_them_apart(gold, text, right) -> None:
    assert verdict("exact", question(gold), text) == (CORRECT if right else INCORRECT)


def test_the_same_text_from_several_documents() -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Paris", docs=["d1"]), GoldAnswer("paris", docs=["d2"])])
    assert [verdict("exact", asked, "Paris", doc) for doc in ("d1", "d2", "d3")] == [CORRECT, CORRECT, INCORRECT]


def test_a_pattern_stands_for_the_gold_answer_it_finds() -> None:
    asked = question("Paris", patterns=["paris", "Lutetia"])
    judge = judging.judge_by("patterns", "gold", [asked], [])
    classes = [judge(asked, text, None)[1] for text in ("Paris", "city of Paris", "Lutetia")]
    assert classes[0] == classes[1] != classes[2]
    assert judging.known_classes(asked, "patterns") == set(classes)
    assert len(judging.known_classes(asked, "exact")) == 1
    wide = question("Paris", "Berlin", patterns=["r"])
    judge = judging.judge_by("patterns", "gold", [wide], [])
    assert judge(wide, "Paris", None)[1] != judge(wide, "berlin", None)[1], (
        "an equal text goes before what a pattern finds"
    )


def test_a_judged_text_has_the_class_of_the_equal_gold_answer() -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Rome", "r"), GoldAnswer("Roma", "r"), GoldAnswer("Milan")])
    file = [judged("roma", "correct"), judged("Rome", "correct", cls="r"), judged("Oslo", "unsupported")]
    assert len(judging.known_classes(asked, "judgments", file)) == 2
    assert len(judging.known_classes(asked, "judgments-lenient", file)) == 3
    judge = judging.judge_by("judgments", "gold", [asked], file)
    assert judge(asked, "roma", None) == judge(asked, "Rome", None)


def test_a_rule_the_gold_cannot_serve_is_refused() -> None:
    with pytest.raises(FormatError, match="gold:1: question 'q1': `judging='letter'` needs an answer that is a letter"):
        judging.judge_by("letter", "gold", [question("Paris")], [])
    with pytest.raises(FormatError, match="gold:1: question 'q1': `judging='exact'` needs an answer in the gold"):
        judging.judge_by("exact", "gold", [question(patterns=["x"])], [])


def test_an_answer_worth_nothing_is_wrong_under_every_rule() -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("A"), GoldAnswer("B", grade=0)])
    assert [verdict(rule, asked, "B") for rule in ("letter", "exact")] == [INCORRECT, INCORRECT]


def test_letters() -> None:
    assert verdict("letter", question("B"), "(b) Rome") == CORRECT
    assert verdict("letter", question("B"), "C") == INCORRECT
    assert verdict("letter", question("B"), "no idea") == INCORRECT


def judged(text: str, judgment: str, doc: str | None = None, cls: str | None = None) -> Judgment:
    return Judgment("q1", text, judgment, doc, cls)


def test_judgments_strict_and_lenient() -> None:
    file = [judged("a", "correct"), judged("b", "unsupported"), judged("c", "inexact"), judged("d", "incorrect")]
    strict = [verdict("judgments", question("x"), text, None, file) for text in "abcd"]
    lenient = [verdict("judgments-lenient", question("x"), text, None, file) for text in "abcd"]
    assert strict == [CORRECT, INCORRECT, INCORRECT, INCORRECT]
    assert lenient == [CORRECT, CORRECT, INCORRECT, INCORRECT]


def test_a_judgment_of_a_document_goes_before_one_of_the_text() -> None:
    file = [judged("a", "incorrect", "d1"), judged("a", "correct")]
    assert verdict("judgments", question("x"), "a", "d1", file) == INCORRECT
    assert verdict("judgments", question("x"), "a", "d2", file) == CORRECT


def test_an_answer_nobody_judged_is_an_error() -> None:
    with pytest.raises(InputError, match=r"question 'q1': the answer 'b' with document 'd' has no judgment"):
        verdict("judgments", question("x"), "b", "d", [judged("a", "correct")])


def test_nil_is_judged_by_the_gold_whatever_the_rule() -> None:
    for rule in ("exact", "patterns", "letter", "judgments"):
        assert verdict(rule, question(nil=True), "NIL") == CORRECT
        assert verdict(rule, question("x"), "NIL") == INCORRECT
    assert verdict("exact", question(nil=True), "Paris") == INCORRECT


def test_auto_takes_what_the_gold_calls_for() -> None:
    assert judging.choose_rule("auto", [question("Paris")], False) == "exact"
    assert judging.choose_rule("auto", [question("A"), question("c")], False) == "letter"
    assert judging.choose_rule("auto", [question("A"), question("Paris")], False) == "exact"
    assert judging.choose_rule("auto", [question("A"), question(patterns=["x"])], False) == "patterns"
    assert judging.choose_rule("auto", [question("A")], True) == "judgments"
    assert judging.choose_rule("exact", [question("A")], False) == "exact"
    with pytest.raises(UsageError, match="unknown judging rule 'fuzzy'"):
        judging.choose_rule("fuzzy", [], False)
    with pytest.raises(UsageError, match="needs `judgments=FILE`"):
        judging.choose_rule("judgments", [], False)


def test_every_rule_is_described() -> None:
    assert {*judging.RULES} - {"auto"} <= set(judging.DESCRIPTIONS)


def test_refusals() -> None:
    refuses = judging.read_refusals("refusals.txt", b"# words of refusal\n\nI (do not|don't) know\n^unsure$\n")
    assert [refuses(t) for t in ("Well, i don't KNOW.", "unsure", "unsure?", "Paris")] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(FormatError, match=r"refusals.txt:2: '\(' is no regular expression"):
        judging.read_refusals("refusals.txt", b"ok\n(\n")
    refuses = judging.read_refusals("refusals.txt", b"(a)\\1\n(?i)(b)\\1\n")
    assert [refuses(t) for t in ("aa", "BB", "ab")] == [True, True, False], "a line knows nothing of the others' groups"
    with pytest.raises(InputError, match="holds no patterns"):
        judging.read_refusals("refusals.txt", b"# nothing\n")


@pytest.mark.parametrize(
    ("gold", "predicted", "exact", "overlap"),
    [
        ("the Normans", "Normans", True, 1.0),
        ("Normans", "the norman kings", False, 0.0),
        ("in the 10th and 11th centuries", "10th and 11th centuries", False, 2 * 4 / (4 + 5)),
        ("Denmark, Iceland and Norway", "Denmark Iceland Norway", False, 2 * 3 / 7),
        ("a", "the", True, 1.0),  # both normalise to nothing
        ("a b", "", False, 0.0),
        ("x x y", "x", False, 2 * 1 / 4),
    ],
)
def test_squad_scores_by_hand(gold, predicted, exact, overlap) -> None:
    assert (judging.squad_normalise(gold) == judging.squad_normalise(predicted)) == exact
    assert judging.squad_overlap(gold, predicted) == pytest.approx(overlap)
