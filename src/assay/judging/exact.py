"""Equal to a gold answer after normalisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.judging.known import WRONG, supported
from assay.measures.answer_view import CORRECT

if TYPE_CHECKING:
    from assay.judging.known import Known
    from assay.measures.answer_view import Judged


def by_exact_match(question: Known, text: str, doc: str | None) -> Judged:
    """Of several equal gold answers, one that the document supports."""
    verdicts = [supported(right.verdict, doc, question.support or right.docs) for right in question.equal(text)]
    return next((verdict for verdict in verdicts if verdict.judgment == CORRECT), verdicts[0] if verdicts else WRONG)
