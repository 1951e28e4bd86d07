"""Found by a regular expression of the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.formats.questions import compiled
from assay.judging.exact import by_exact_match
from assay.judging.known import WRONG, supported
from assay.measures.answer_view import CORRECT, Judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judging.known import Known


def compile_patterns(question: Known, patterns: Sequence[str], gold: str) -> None:
    """Give a question its patterns; a broken one is an error that names its line.

    A pattern stands for the first gold answer it finds, or for a class of its own.
    """
    for text in patterns:
        expression = compiled(text, gold, question.line)
        found = next((right.verdict for right in question.right if expression.search(right.text)), None)
        question.patterns.append((expression, found or Judged(CORRECT, f"pattern {text}")))


def by_patterns(question: Known, text: str, doc: str | None) -> Judged:
    """The first pattern that matches anywhere in the answer; questions without patterns by exact match.

    What equals a gold answer is of its class, though a pattern found another first.
    """
    if not question.patterns:
        return by_exact_match(question, text, doc)
    for expression, found in question.patterns:
        if expression.search(text):
            same = question.equal(text)
            return supported(same[0].verdict if same else found, doc, question.support or question.docs)
    return WRONG
