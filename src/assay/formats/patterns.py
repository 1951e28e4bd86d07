"""TREC answer patterns, and the documents that support an answer.

    patterns    1394 \\bParis\\b              a question number, then a regular expression up to the end of the line
    support     1394 APW19990822.0152 …     a question number, then documents that hold its answer

A question may have several lines. The pattern NIL says that the collection has no answer. # starts a comment line.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from assay.errors import FormatError, InputError
from assay.formats.lines import text_lines
from assay.formats.questions import NIL, GoldQuestion
from assay.formats.readers import reads

if TYPE_CHECKING:
    from collections.abc import Collection

    from assay.formats.sources import Source


def compiled(pattern: str, file: str, line: int | None) -> re.Pattern[str]:
    """A regular expression, or an error that names its place; case is ignored, as TREC's scripts did."""
    try:
        with warnings.catch_warnings():
            # Python's own plans for [[ in expressions are none of the reader's business.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(pattern, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as problem:
        raise FormatError(file, line, f"{pattern!r} is no regular expression: {problem}") from None


@reads("patterns", role="gold", task="qa", yields="TREC answer patterns: a question, then a regular expression, a line")
def read_patterns(source: Source) -> list[GoldQuestion]:
    """The questions of a pattern file, each with its patterns; every pattern has been checked."""
    questions: dict[str, GoldQuestion] = {}
    for line, text in text_lines(source):
        number, *rest = text.split(None, 1)
        if not rest:
            raise FormatError(source.name, line, f"question {number!r} has no pattern; expected a regular expression")
        pattern = rest[0].strip()
        compiled(pattern, source.name, line)
        question = questions.setdefault(number, GoldQuestion(number, line, []))
        if pattern == NIL:
            question.nil = True
        elif pattern not in question.patterns:
            question.patterns.append(pattern)
    if not questions:
        raise InputError(f"{source.name}: is empty; expected lines of a question number and a regular expression")
    return list(questions.values())


@reads("support", role="beside", yields="documents that support answers: a question, then documents, a line")
def read_support(source: Source, known: Collection[str]) -> dict[str, set[str]]:
    """By question: the documents that support an answer to it."""
    support: dict[str, set[str]] = {}
    for line, text in text_lines(source):
        number, *documents = text.split()
        if not documents:
            raise FormatError(source.name, line, f"question {number!r} has no document; expected one or more")
        if number not in known:
            raise FormatError(source.name, line, f"question {number!r} is not in the gold")
        support.setdefault(number, set()).update(documents)
    if not support:
        raise InputError(f"{source.name}: is empty; expected lines of a question number and documents")
    return support
