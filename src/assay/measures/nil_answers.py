"""Precision and recall of NIL, the answer that the collection has no answer. The sums:

nil_returned    questions to which NIL is returned, anywhere in the list of answers
nil_correct     questions to which NIL is returned and right
nil_questions   questions whose right answer is NIL
"""

from __future__ import annotations

from typing import Any

from assay.measures.define import in_tasks, sums

TREC_2002 = "E. Voorhees, Overview of the TREC 2002 Question Answering Track, TREC 2002"
COUNT: dict[str, Any] = {"task": "outcomes", "average": "sum", "high": None, "cite": TREC_2002}
TASKS = ("outcomes", "context", "list", "qa")


@sums("NIL", of=("nil_returned",), higher_is_better=None, **COUNT)
def nil_returned(n: int, nil_returned: int) -> tuple[int, int]:
    """The number of questions to which NIL is returned; an empty SQuAD prediction is NIL.

    >>> nil_returned(492, 120)
    (120, 1)
    """
    return nil_returned, 1


@sums("NILCorrect", of=("nil_correct",), **COUNT)
def nil_correct(n: int, nil_correct: int) -> tuple[int, int]:
    """The number of questions to which NIL is returned and right.

    >>> nil_correct(492, 38)
    (38, 1)
    """
    return nil_correct, 1


@in_tasks(
    sums, "NILPrecision", TASKS, aliases=("nil_precision",), of=("nil_returned", "nil_correct"),
    undefined="where NIL is never returned", cite=TREC_2002,
)  # fmt: skip
def nil_precision(n: int, nil_returned: int, nil_correct: int) -> tuple[int, int]:
    """NIL correctly returned / NIL returned: how often NIL is right.

    The run in the appendix of TREC 2001 returned NIL 120 times, 38 times correctly:

    >>> top, bottom = nil_precision(492, 120, 38)
    >>> round(top / bottom, 3)
    0.317
    """
    return nil_correct, nil_returned


@in_tasks(
    sums, "NILRecall", TASKS, aliases=("nil_recall",), of=("nil_correct", "nil_questions"),
    undefined="where NIL is no right answer", cite=TREC_2002,
)  # fmt: skip
def nil_recall(n: int, nil_correct: int, nil_questions: int) -> tuple[int, int]:
    """NIL correctly returned / questions whose right answer is NIL.

    3 of 4 questions without an answer get NIL:

    >>> nil_recall(10, 3, 4)
    (3, 4)
    """
    return nil_correct, nil_questions
