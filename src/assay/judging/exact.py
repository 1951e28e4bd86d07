"""Equal to a gold answer after normalisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.judging.known import WRONG, equal
from assay.measures.answer_view import UNSUPPORTED, Judged

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from assay.formats.answers import GoldQuestion
    from assay.judging.known import Judge, RightAnswer


def supports(doc: str | None, docs: Collection[str]) -> bool:
    """Whether a document supports an answer: no doubt where none is named, by the answer or by the gold.

    >>> supports("d1", {"d1", "d2"}), supports("d3", {"d1", "d2"}), supports(None, {"d1"}), supports("d3", ())
    (True, False, True, True)
    """
    return doc is None or not docs or doc in docs


def by_exact_match(known: Mapping[str, Sequence[RightAnswer]], support: Mapping[str, set[str]]) -> Judge:
    """Of several equal gold answers, one that the document supports.

    The documents of `support`, where it knows the question, stand in for the gold's own.
    """

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Judged:
        same = equal(known[question.id], text)
        for right in same:
            if supports(doc, support.get(question.id) or right.docs):
                return right.verdict
        return Judged(UNSUPPORTED, same[0].verdict.cls, same[0].verdict.grade) if same else WRONG

    return judge
