"""How an answer is held against the gold. The rule used is stated in the output, word for word.

exact       equal to a gold answer after normalisation
patterns    matched by one of the question's regular expressions
letter      the option the answer names is the gold one
judgments   what an assessor said, in a judgments file; `judgments-lenient` also accepts unsupported answers
auto        patterns where the gold has any, letter where every gold answer is a letter, exact otherwise
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from assay.errors import FormatError, InputError, UsageError
from assay.formats.answers import Judgment, plain
from assay.formats.rows import CORRECT, INCORRECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assay.formats.answers import GoldQuestion

    Verdict = tuple[int, str | None]
    Judge = Callable[[GoldQuestion, str, str | None], Verdict]
    """An answer's text and document to CORRECT or INCORRECT, and the class of a correct one."""

NIL = "NIL"
RULES = ("auto", "exact", "patterns", "letter", "judgments", "judgments-lenient")

NORMALISED = "after Unicode NFKC, case folding, removal of punctuation and collapse of white space"
DESCRIPTIONS = {
    "exact": f"exact match {NORMALISED}; where the gold names documents and the answer another one, it is unsupported "
    "and incorrect",
    "patterns": "regular expressions of the gold, searched anywhere in the answer, case ignored; for questions without "
    f"any, exact match {NORMALISED}",
    "letter": "the option letter of the answer: all of it, what it begins with before ) ] . or :, or what follows "
    "'answer is'; an answer without a letter is incorrect",
    "judgments": "the judgments file; unsupported and inexact are incorrect",
    "judgments-lenient": "the judgments file; unsupported is correct, inexact incorrect",
    "judged": "as judged in the file",
    "yes/no": "yes where the value is above 0.5, no where it is below, unanswered at exactly 0.5",
    "squad": "SQuAD's exact match (lower case, no punctuation, no a, an, the); an empty prediction is correct where "
    "the question has no answer and unanswered where it has one",
}

_PUNCTUATION = {code for code in range(0x3000) if unicodedata.category(chr(code)).startswith("P")}
_NO_PUNCTUATION = dict.fromkeys(_PUNCTUATION)


def normalise(text: str) -> str:
    """The form in which texts are compared.

    >>> normalise("  The “Eiffel  Tower”! "), normalise("Ｐaris") == normalise("PARIS")
    ('the eiffel tower', True)
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_NO_PUNCTUATION).split())


_ARTICLES = re.compile(r"\b(a|an|the)\b")
_ASCII_PUNCTUATION = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))


def squad_normalise(text: str) -> str:
    """SQuAD's own form: lower case, without ASCII punctuation, articles and extra white space.

    >>> squad_normalise("The  Eiffel-Tower.")
    'eiffeltower'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_ASCII_PUNCTUATION)).split())


def squad_overlap(gold: str, predicted: str) -> float:
    """SQuAD's F1: the words two texts share; where either has none, whether both have none.

    1 of 2 words in 2: precision and recall 1/2.

    >>> squad_overlap("the Eiffel Tower", "Eiffel tours")
    0.5
    """
    wanted, found = squad_normalise(gold).split(), squad_normalise(predicted).split()
    if not wanted or not found:
        return float(wanted == found)
    shared = sum((Counter(wanted) & Counter(found)).values())
    return 2 * shared / (len(wanted) + len(found))


_WHOLE_LETTER = re.compile(r"\s*[\(\[\"'*]*([A-Za-z])[\)\]\"'*.:]*\s*$")
_LEADING_LETTER = re.compile(r"\s*[\(\[*]*([A-Za-z])[\)\].:]")
_NAMED_LETTER = re.compile(r"answer(?:\s+is)?\s*:?\s*[\(\[*]*([A-Za-z])\b(?!')", re.IGNORECASE)


def letter_of(text: str) -> str | None:
    """The option an answer names, or None.

    >>> letter_of("b"), letter_of("(C) Paris"), letter_of("The answer is (D)."), letter_of("Paris")
    ('B', 'C', 'D', None)
    """
    found = _WHOLE_LETTER.match(text) or _LEADING_LETTER.match(text) or _NAMED_LETTER.search(text)
    return found.group(1).upper() if found else None


def choose_rule(rule: str, questions: Sequence[GoldQuestion], judgments: bool) -> str:
    """The rule that `auto` stands for with this gold; others as they are."""
    if rule not in RULES:
        raise UsageError(f"unknown judging rule {rule!r}; expected one of {', '.join(RULES)}")
    if rule.startswith("judgments") and not judgments:
        raise UsageError(f"--judging {rule} needs --judgments FILE")
    if rule != "auto":
        return rule
    if judgments:
        return "judgments"
    if any(question.patterns for question in questions):
        return "patterns"
    texts = [plain(answer.text).strip() for question in questions for answer in question.answers]
    if texts and all(len(text) == 1 and text.isascii() and text.isalpha() for text in texts):
        return "letter"
    return "exact"


def judge_by(rule: str, gold: str, questions: Sequence[GoldQuestion], judgments: Iterable[Judgment]) -> Judge:
    """The judge of a rule. `gold` is the name of the gold's file, for messages."""
    if rule == "exact":
        return _remember(_exact())
    if rule == "patterns":
        return _remember(_patterns(gold, questions))
    if rule == "letter":
        return _remember(_letter())
    return _remember(_judged(judgments, rule == "judgments-lenient"))


def _remember(judge: Judge) -> Judge:
    """The same answers come again and again from many runs: judge each once; and NIL by the gold alone."""
    seen: dict[tuple[str, str, str | None], Verdict] = {}

    def remembered(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        key = (question.id, text, doc)
        verdict = seen.get(key)
        if verdict is None:
            if text.strip() == NIL:
                verdict = (CORRECT, NIL) if question.nil else (INCORRECT, None)
            else:
                verdict = judge(question, text, doc)
            seen[key] = verdict
        return verdict

    return remembered


def class_of(text: str, cls: object) -> str:
    """What makes two answers the same: their class, or their normalised text where they have none."""
    return f"class {plain(cls)}" if cls is not None else f"text {normalise(text)}"


def known_classes(question: GoldQuestion) -> set[str]:
    """The distinct right answers a gold question names."""
    if question.answers:
        return {class_of(plain(answer.text), answer.cls) for answer in question.answers if answer.grade > 0}
    return {f"pattern {pattern}" for pattern in question.patterns}


def _exact() -> Judge:
    prepared: dict[str, dict[str, tuple[str, set[str]]]] = {}

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        gold = prepared.get(question.id)
        if gold is None:
            gold = prepared[question.id] = {
                normalise(plain(answer.text)): (class_of(plain(answer.text), answer.cls), {*map(plain, answer.docs)})
                for answer in question.answers
                if answer.grade > 0
            }
        found = gold.get(normalise(text))
        if found is None or (doc is not None and found[1] and doc not in found[1]):
            return INCORRECT, None
        return CORRECT, found[0]

    return judge


def _patterns(name: str, questions: Sequence[GoldQuestion]) -> Judge:
    exact = _exact()
    compiled: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for question in questions:
        for pattern in question.patterns:
            try:
                expression = re.compile(pattern, re.IGNORECASE)
            except re.error as problem:
                raise FormatError(name, question.line, f"pattern {pattern!r} is broken: {problem}") from None
            compiled.setdefault(question.id, []).append((pattern, expression))

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        if question.id not in compiled:
            return exact(question, text, doc)
        for pattern, expression in compiled[question.id]:
            if expression.search(text):
                verdict = exact(question, text, doc) if question.answers else (INCORRECT, None)
                return verdict if verdict[0] == CORRECT else (CORRECT, f"pattern {pattern}")
        return INCORRECT, None

    return judge


def _letter() -> Judge:
    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        letter = letter_of(text)
        for answer in question.answers:
            if letter is not None and letter_of(plain(answer.text)) == letter:
                return CORRECT, class_of(plain(answer.text), answer.cls)
        return INCORRECT, None

    return judge


def _judged(judgments: Iterable[Judgment], lenient: bool) -> Judge:
    right = {"correct", "unsupported"} if lenient else {"correct"}
    known = {(plain(j.id), plain(j.text), None if j.doc is None else plain(j.doc)): j for j in judgments}

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        found = known.get((question.id, text, doc)) or known.get((question.id, text, None))
        if found is None:
            with_document = f" with document {doc!r}" if doc is not None else ""
            raise InputError(
                f"question {question.id!r}: the answer {text!r}{with_document} has no judgment; "
                "add it to the judgments file, or judge by --judging exact"
            )
        return (CORRECT, class_of(text, found.cls)) if found.judgment in right else (INCORRECT, None)

    return judge


def read_refusals(name: str, content: bytes) -> re.Pattern[str]:
    """Patterns of refusals, one a line, # for comments; matched anywhere in an answer, case ignored."""
    patterns: list[str] = []
    for line, raw in enumerate(content.split(b"\n"), 1):
        try:
            text = raw.decode("utf-8-sig" if line == 1 else "utf-8").strip()
            if text and not text.startswith("#"):
                re.compile(text)
                patterns.append(text)
        except (re.error, UnicodeDecodeError) as problem:
            raise FormatError(name, line, f"is no regular expression: {problem}") from None
    if not patterns:
        raise InputError(f"{name}: holds no patterns; expected a regular expression a line")
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
