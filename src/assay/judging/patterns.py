"""Found by a regular expression of the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.formats.answers import plain
from assay.formats.patterns import compiled
from assay.judging.exact import by_exact_match, supports
from assay.judging.known import WRONG, equal
from assay.measures.answer_view import CORRECT, UNSUPPORTED, Judged

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from assay.formats.answers import GoldQuestion
    from assay.judging.known import Judge, RightAnswer

    Pattern = tuple[re.Pattern[str], Judged]
    """A regular expression, and the verdict on an answer it finds."""


def compile_patterns(name: str, question: GoldQuestion, known: Sequence[RightAnswer]) -> list[Pattern]:
    """The patterns of a question; a broken one is an error that names its line.

    A pattern stands for the first gold answer it finds, or for a class of its own.
    """
    patterns: list[Pattern] = []
    for text in question.patterns:
        expression = compiled(text, name, question.line or None)
        found = next((right.verdict for right in known if expression.search(right.text)), None)
        patterns.append((expression, found or Judged(CORRECT, f"pattern {text}")))
    return patterns


def by_patterns(
    questions: Sequence[GoldQuestion],
    known: Mapping[str, Sequence[RightAnswer]],
    patterns: Mapping[str, Sequence[Pattern]],
    support: Mapping[str, set[str]],
) -> Judge:
    """The first pattern that matches anywhere in the answer; questions without patterns by exact match.

    What equals a gold answer is of its class, though a pattern found another first.
    """
    exact = by_exact_match(known, support)
    documents = {
        question.id: support.get(question.id) or {plain(doc) for answer in question.answers for doc in answer.docs}
        for question in questions
    }

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Judged | None:
        if not question.patterns:
            return exact(question, text, doc)
        for expression, found in patterns[question.id]:
            if expression.search(text):
                same = equal(known[question.id], text)
                right = same[0].verdict if same else found
                supported = supports(doc, documents[question.id])
                return right if supported else Judged(UNSUPPORTED, right.cls, right.grade)
        return WRONG

    return judge
