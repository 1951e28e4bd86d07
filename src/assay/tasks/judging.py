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
from assay.formats.jsonl import plain
from assay.formats.judgments import Judgment
from assay.formats.patterns import compiled
from assay.formats.questions import NIL
from assay.formats.rows import CORRECT, INCORRECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assay.formats.questions import GoldAnswer, GoldQuestion

    Verdict = tuple[int, str | None]
    Judge = Callable[[GoldQuestion, str, str | None], Verdict]
    """An answer's text and document to CORRECT or INCORRECT, and the class of a correct one."""

ACCEPTED = {"judgments": ("correct",), "judgments-lenient": ("correct", "unsupported")}
"""What counts as right in a judgments file."""
RULES = ("auto", "exact", "patterns", "letter", *ACCEPTED)

NORMALISED = (
    "after Unicode NFKC, case folding, removal of punctuation (but for the sign and the inner marks of a number) and "
    "collapse of white space"
)
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
_IN_NUMBERS = re.compile(r"(?<=\d)[./:](?=\d)|(?<!\w)\.(?=\d)|(?<![^\s(])[-\u2212](?=\.?\d)")
_KEPT = {".": "\ue000", "/": "\ue001", ":": "\ue002", "-": "\ue003", "\u2212": "\ue003"}
_BACK = {ord("\ue000"): ".", ord("\ue001"): "/", ord("\ue002"): ":", ord("\ue003"): "-"}


def normalise(text: str) -> str:
    """The form in which texts are compared. Numbers keep what tells them apart; a text of marks alone is as it is.

    >>> normalise("  The “Eiffel  Tower”! "), normalise("Ｐaris") == normalise("PARIS")
    ('the eiffel tower', True)
    >>> normalise("-1,000.5 °C."), normalise("+")
    ('-1000.5 °c', '+')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = _IN_NUMBERS.sub(lambda mark: _KEPT[mark.group()], folded)
    bare = kept.translate(_NO_PUNCTUATION).translate(_BACK)
    return " ".join((bare if bare.strip() else folded).split())


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
_NAMED_LETTER = re.compile(
    r"(?i:\banswers?\b(?:\s+(?:is|are))?\s*:?\s*(?:(?:option|choice)\s+)?)"
    r"(?:[(\[*]+([A-Za-z])\b|([A-Z])\b(?!')|([a-z])(?=\W*$|[.,;:)\]*]))"
)
"""A small letter that words follow, as in "the answer is a guess", names no option."""


def letter_of(text: str) -> str | None:
    """The option an answer names, or None.

    >>> letter_of("b"), letter_of("(C) Paris"), letter_of("The answer is (D)."), letter_of("Paris")
    ('B', 'C', 'D', None)
    """
    found = _WHOLE_LETTER.match(text) or _LEADING_LETTER.match(text) or _NAMED_LETTER.search(text)
    return next(filter(None, found.groups())).upper() if found else None


def choose_rule(rule: str, questions: Sequence[GoldQuestion], judgments: bool) -> str:
    """The rule that `auto` stands for with this gold; others as they are."""
    if rule not in RULES:
        raise UsageError(f"unknown judging rule {rule!r}; expected one of {', '.join(RULES)}")
    if rule.startswith("judgments") and not judgments:
        raise UsageError(f"`judging={rule!r}` needs `judgments=FILE`")
    if rule != "auto":
        return rule
    if judgments:
        return "judgments"
    if any(question.patterns for question in questions):
        return "patterns"
    texts = [plain(answer.text).strip() for question in questions for answer in _right(question)]
    if texts and all(len(text) == 1 and text.isascii() and text.isalpha() for text in texts):
        return "letter"
    return "exact"


def judge_by(rule: str, gold: str, questions: Sequence[GoldQuestion], judgments: Iterable[Judgment]) -> Judge:
    """The judge of a rule. `gold` is the name of the gold's file, for messages."""
    if rule in ("exact", "letter"):
        _check(rule, gold, questions)
        return _remember(_exact() if rule == "exact" else _letter())
    if rule == "patterns":
        return _remember(_patterns(gold, questions))
    return _remember(_judged(judgments, ACCEPTED[rule]))


def _check(rule: str, gold: str, questions: Sequence[GoldQuestion]) -> None:
    """A question that no answer can match under the rule would be wrong for everybody, and nobody would know."""
    for question in questions:
        texts = [plain(answer.text) for answer in _right(question)]
        if rule == "letter":
            texts = [text for text in texts if letter_of(text) is not None]
        if not texts and not question.nil:
            wanted = "an answer that is a letter" if rule == "letter" else "an answer"
            raise FormatError(
                gold, question.line or None, f"question {question.id!r}: `judging={rule!r}` needs {wanted} in the gold"
            )


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


def _right(question: GoldQuestion) -> list[GoldAnswer]:
    """The right answers a gold question names; NIL is no text to compare with."""
    return [answer for answer in question.answers if answer.grade > 0 and plain(answer.text).strip() != NIL]


def known_classes(question: GoldQuestion, rule: str, judgments: Sequence[Judgment] = ()) -> set[str]:
    """The distinct right answers known to a question: those of the gold, and under a rule that sees more, more."""
    known = {class_of(plain(answer.text), answer.cls) for answer in _right(question)}
    if rule == "patterns":
        known |= {_class_of_pattern(question, pattern) for pattern in question.patterns}
    return known | {_class_of_judgment(question, j) for j in judgments if j.judgment in ACCEPTED.get(rule, ())}


def _class_of_pattern(question: GoldQuestion, pattern: str) -> str:
    """That of a gold answer the pattern finds, or its own."""
    for answer in _right(question):
        if re.search(pattern, plain(answer.text), re.IGNORECASE):
            return class_of(plain(answer.text), answer.cls)
    return f"pattern {pattern}"


def _class_of_judgment(question: GoldQuestion, judgment: Judgment) -> str:
    """The one stated, that of an equal gold answer, or its own."""
    text = plain(judgment.text)
    if judgment.cls is None:
        for answer in _right(question):
            if normalise(plain(answer.text)) == normalise(text):
                return class_of(text, answer.cls)
    return class_of(text, judgment.cls)


def _exact() -> Judge:
    prepared: dict[str, dict[str, list[tuple[str, set[str]]]]] = {}

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        gold = prepared.get(question.id)
        if gold is None:
            gold = prepared[question.id] = {}
            for answer in _right(question):
                right = plain(answer.text)
                same = gold.setdefault(normalise(right), [])
                same.append((class_of(right, answer.cls), {*map(plain, answer.docs)}))
        for cls, docs in gold.get(normalise(text), ()):
            if doc is None or not docs or doc in docs:
                return CORRECT, cls
        return INCORRECT, None

    return judge


def _patterns(name: str, questions: Sequence[GoldQuestion]) -> Judge:
    exact = _exact()
    expressions = {
        question.id: [
            (compiled(pattern, name, question.line or None), _class_of_pattern(question, pattern))
            for pattern in question.patterns
        ]
        for question in questions
    }

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        if not question.patterns:
            return exact(question, text, doc)
        for expression, cls in expressions[question.id]:
            if expression.search(text):
                verdict = exact(question, text, None)
                return verdict if verdict[0] == CORRECT else (CORRECT, cls)
        return INCORRECT, None

    return judge


def _letter() -> Judge:
    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        letter = letter_of(text)
        for answer in _right(question):
            if letter is not None and letter_of(plain(answer.text)) == letter:
                return CORRECT, class_of(plain(answer.text), answer.cls)
        return INCORRECT, None

    return judge


class UnjudgedError(InputError):
    """An answer that the judgments file does not know; whoever read the answer knows where it stands."""

    def __init__(self, question: str, problem: str) -> None:
        self.question = question
        super().__init__(problem)


def _judged(judgments: Iterable[Judgment], right: Sequence[str]) -> Judge:
    known = {(plain(j.id), plain(j.text), None if j.doc is None else plain(j.doc)): j for j in judgments}

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Verdict:
        found = known.get((question.id, text, doc)) or known.get((question.id, text, None))
        if found is None:
            with_document = f" with document {doc!r}" if doc is not None else ""
            raise UnjudgedError(
                question.id,
                f"question {question.id!r}: the answer {text!r}{with_document} has no judgment; "
                "add it to the judgments file, or judge by `judging='exact'`",
            )
        return (CORRECT, _class_of_judgment(question, found)) if found.judgment in right else (INCORRECT, None)

    return judge


def read_refusals(name: str, content: bytes) -> Callable[[str], bool]:
    """Whether a text is a refusal: a pattern a line, # for comments; matched anywhere in an answer, case ignored."""
    patterns: list[re.Pattern[str]] = []
    for line, raw in enumerate(content.split(b"\n"), 1):
        try:
            text = raw.decode("utf-8-sig" if line == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise FormatError(name, line, "is not UTF-8 text") from None
        if text and not text.startswith("#"):
            patterns.append(compiled(text, name, line))
    if not patterns:
        raise InputError(f"{name}: holds no patterns; expected a regular expression a line")
    return lambda text: any(pattern.search(text) for pattern in patterns)
