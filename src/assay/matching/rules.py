"""The rules that match answers with gold: exact match, patterns, letters; their names, words and settings.

exact       equal to a gold answer after normalisation
patterns    matched by one of the question's regular expressions
letter      the option the answer names is the gold one
judgments   a file of judgments by assessors; `judgments-lenient` also accepts unsupported answers
auto        judgments where there are any, patterns where the gold has any, letter where every gold answer is one,
            exact otherwise
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.errors import UsageError
from assay.matching.normalisation import NORMALISED
from assay.measures.views.answers import CORRECT, INCORRECT, JudgedAnswer
from assay.settings import FILE, Settings, one_of, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.matching.known_answers import Judge, KeyQuestion

_SUPPORT = "where supporting documents are named and the answer names another one, it is unsupported"
DESCRIPTIONS = {
    "exact": f"exact match {NORMALISED}; {_SUPPORT}",
    "patterns": "regular expressions searched anywhere in the answer, case ignored; for questions without any, exact "
    f"match {NORMALISED}; {_SUPPORT}",
    "judgments": "the judgments file",
    "letter": "the option letter of the answer: all of it, what it begins with before ) ] . or :, or what follows "
    "'answer is'; an answer without a letter is incorrect",
}
FOR_LISTS = ("auto", "exact", "patterns", "judgments")
"""Measures of lists report strict and lenient judgments together, and treat a letter as any answer."""
LENIENT_RULE = "judgments-lenient"
RULES = (*FOR_LISTS, "letter", LENIENT_RULE)


class JudgingSettings(Settings):
    """The settings of every task that judges answers."""

    judging: str = option("auto", one_of(*RULES), "how answers are matched with the gold (auto: by the kind of gold)")
    judgments: Any = option(None, FILE, "judgments of answers by assessors, as JSONL")
    unjudged: str = option("error", one_of("error", "incorrect"), "what an answer without a judgment counts (error)")
    unused_judgments: str = option(
        "error", one_of("error", "ignore"), "whether a judgment of an answer that no run gave is an error"
    )
    support: Any = option(None, FILE, "documents that support an answer, beside answer patterns")


def choose(rule: str, known: Collection[KeyQuestion], judged: bool, patterns: bool, allowed: Sequence[str]) -> str:
    """Return the chosen rule; for `auto`, the one for this kind of gold among those the task allows."""
    if rule.startswith("judgments") and not judged:
        raise UsageError(f"`judging={rule!r}` needs `judgments=FILE`")
    if rule != "auto":
        return rule
    if judged:
        return "judgments"
    if patterns:
        return "patterns"
    return "letter" if "letter" in allowed and _all_letters(known) else "exact"


def _all_letters(known: Collection[KeyQuestion]) -> bool:
    """Return whether every right answer is a single letter."""
    texts = [right.text.strip() for question in known for right in question.right]
    return bool(texts) and all(len(text) == 1 and text.isascii() and text.isalpha() for text in texts)


WRONG = JudgedAnswer(INCORRECT)


def by_exact_match(question: KeyQuestion, text: str, doc: str | None) -> JudgedAnswer:
    """Match exactly; of several equal gold answers, take one that the document supports."""
    from assay.matching.known_answers import supported

    verdicts = [supported(right.verdict, doc, question.support or right.docs) for right in question.equal(text)]
    return next((verdict for verdict in verdicts if verdict.judgment == CORRECT), verdicts[0] if verdicts else WRONG)


def compile_patterns(question: KeyQuestion, patterns: Sequence[str], gold: str) -> None:
    """Compile the patterns of a question; an invalid one is an error with its line.

    A pattern has the class of the first gold answer that it matches, else its own class.
    """
    from assay.formats.answers.questions import compile_pattern

    for text in patterns:
        expression = compile_pattern(text, gold, question.line)
        verdict = next((right.verdict for right in question.right if expression.search(right.text)), None)
        question.patterns.append((expression, verdict or JudgedAnswer(CORRECT, f"pattern {text}")))


def by_patterns(question: KeyQuestion, text: str, doc: str | None) -> JudgedAnswer:
    """Match patterns anywhere in the answer, first pattern first; questions without patterns match exactly.

    An answer equal to a gold answer has its class, even if a pattern matches another first.
    """
    from assay.matching.known_answers import supported

    if not question.patterns:
        return by_exact_match(question, text, doc)
    for expression, verdict in question.patterns:
        if expression.search(text):
            same = question.equal(text)
            return supported(same[0].verdict if same else verdict, doc, question.support or question.docs)
    return WRONG


_WHOLE_LETTER = re.compile(r"\s*[\(\[\"'*]*([A-Za-z])[\)\]\"'*.:]*\s*$")
_LEADING_LETTER = re.compile(r"\s*[\(\[*]*([A-Za-z])[\)\].:]")
_NAMED_LETTER = re.compile(
    r"(?i:\banswers?\b(?:\s+(?:is|are))?\s*:?\s*(?:(?:option|choice)\s+)?)"
    r"(?:[(\[*]+([A-Za-z])\b|([A-Z])\b(?!')|([a-z])(?=\W*$|[.,;:)\]*]))"
)
"""A small letter that words follow, as in "the answer is a guess", names no option."""


def letter_of(text: str) -> str | None:
    """Return the option an answer names, or None.

    >>> letter_of("b"), letter_of("(C) Paris"), letter_of("The answer is (D)."), letter_of("Paris")
    ('B', 'C', 'D', None)
    """
    match = _WHOLE_LETTER.match(text) or _LEADING_LETTER.match(text) or _NAMED_LETTER.search(text)
    return next(filter(None, match.groups())).upper() if match else None


def by_letter(question: KeyQuestion, text: str, doc: str | None) -> JudgedAnswer:
    """Match the letter of an answer; an answer without a letter is wrong."""
    letter = letter_of(text)
    same = (right.verdict for right in question.right if letter_of(right.text) == letter)
    return WRONG if letter is None else next(same, WRONG)


JUDGES: Mapping[str, Judge] = {"exact": by_exact_match, "patterns": by_patterns, "letter": by_letter}
