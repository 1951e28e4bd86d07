"""The option an answer names is the gold one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assay.judging.known import WRONG

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assay.formats.answers import GoldQuestion
    from assay.judging.known import Judge, RightAnswer
    from assay.measures.answer_view import Judged

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


def letters_of(known: Iterable[RightAnswer]) -> dict[str, Judged]:
    """By letter the verdict on an answer that names it."""
    found: dict[str, Judged] = {}
    for right in known:
        letter = letter_of(right.text)
        if letter is not None:
            found.setdefault(letter, right.verdict)
    return found


def all_letters(known: Iterable[RightAnswer]) -> bool:
    """Whether there are right answers, every one a single letter."""
    texts = [right.text.strip() for right in known]
    return bool(texts) and all(len(text) == 1 and text.isascii() and text.isalpha() for text in texts)


def by_letter(letters: Mapping[str, Mapping[str, Judged]]) -> Judge:
    """`letters` are those of each question; an answer without one is wrong."""

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Judged:
        letter = letter_of(text)
        return WRONG if letter is None else letters[question.id].get(letter, WRONG)

    return judge
