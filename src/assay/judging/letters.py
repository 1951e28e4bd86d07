"""The option an answer names is the gold one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assay.judging.known import WRONG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.judging.known import Known
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


def all_letters(known: Iterable[Known]) -> bool:
    """Whether there are right answers, every one a single letter."""
    texts = [right.text.strip() for question in known for right in question.right]
    return bool(texts) and all(len(text) == 1 and text.isascii() and text.isalpha() for text in texts)


def by_letter(question: Known, text: str, doc: str | None) -> Judged:
    """An answer without a letter is wrong."""
    letter = letter_of(text)
    if letter is not None:
        for right in question.right:
            if letter_of(right.text) == letter:
                return right.verdict
    return WRONG
