"""Measures of answer validation: of the answers withheld from unanswered questions, how many were right?"""

from __future__ import annotations

from typing import Any

from assay.measures.accuracy_and_c_at_1 import NO_QUESTIONS, TASK
from assay.measures.define import sums

RODRIGO = "Rodrigo, Peñas and Verdejo, Evaluating Answer Validation in Multistream Question Answering, EVIA 2008"
COUNT: dict[str, Any] = {"task": TASK, "average": "sum", "high": None, "cite": RODRIGO}
CANDIDATES = ("unanswered", "candidate_right", "candidate_wrong")
NO_CANDIDATES = "where questions are unanswered and none of them carries a candidate"


def _known(unanswered: Any, candidate_right: Any, candidate_wrong: Any) -> Any:
    """Return 1 where withheld candidates are known, else 0; by arithmetic, so that it works on arrays."""
    return 1 - (unanswered > 0) * (candidate_right + candidate_wrong == 0)


@sums("rejected_wrongly", aliases=("nuR",), higher_is_better=False, of=("candidate_right",), **COUNT)
def rejected_wrongly(n: int, candidate_right: int) -> tuple[int, int]:
    """nuR, the unanswered questions whose withheld candidate was right.

    >>> rejected_wrongly(10, 2)
    (2, 1)
    """
    return candidate_right, 1


@sums("rejected_rightly", aliases=("nuW",), of=("candidate_wrong",), **COUNT)
def rejected_rightly(n: int, candidate_wrong: int) -> tuple[int, int]:
    """nuW, the unanswered questions whose withheld candidate was wrong.

    >>> rejected_rightly(10, 3)
    (3, 1)
    """
    return candidate_wrong, 1


@sums("rejected_empty", aliases=("nuE",), higher_is_better=None, of=CANDIDATES, **COUNT)
def rejected_empty(n: int, unanswered: int, candidate_right: int, candidate_wrong: int) -> tuple[int, int]:
    """nuE, the unanswered questions without a candidate.

    >>> rejected_empty(10, 6, 2, 3)
    (1, 1)
    """
    return unanswered - candidate_right - candidate_wrong, 1


@sums(
    "validation_recall", task=TASK, of=("correct", *CANDIDATES),
    undefined="where no candidate was right, or " + NO_CANDIDATES, cite=RODRIGO,
)  # fmt: skip
def validation_recall(
    n: int, correct: int, unanswered: int, candidate_right: int, candidate_wrong: int
) -> tuple[int, int]:
    """nac / (nac + nuR): of the right candidates, the share that was let through.

    >>> validation_recall(10, 3, 6, 2, 3)
    (3, 5)
    """
    known = _known(unanswered, candidate_right, candidate_wrong)
    return known * correct, known * (correct + candidate_right)


@sums(
    "validation_F", task=TASK, of=("correct", "incorrect", *CANDIDATES),
    undefined="where precision and recall are both undefined, or " + NO_CANDIDATES, cite=RODRIGO,
)  # fmt: skip
def validation_f(
    n: int, correct: int, incorrect: int, unanswered: int, candidate_right: int, candidate_wrong: int
) -> tuple[int, int]:
    """The harmonic mean of precision nac/(nac+naw) and recall nac/(nac+nuR), that is 2 nac / (2 nac + naw + nuR).

    3 right, 1 wrong, 2 right candidates withheld: precision 3/4, recall 3/5, F = 2·(9/20)/(27/20) = 2/3.

    >>> validation_f(10, 3, 1, 6, 2, 3)
    (6, 9)

    Where nothing that was let through is right, F is 0, as every F here:

    >>> validation_f(10, 0, 4, 6, 2, 3)
    (0, 6)
    """
    known = _known(unanswered, candidate_right, candidate_wrong)
    return known * 2 * correct, known * (2 * correct + incorrect + candidate_right)


@sums(
    "estimated_performance", task=TASK, of=("correct", *CANDIDATES),
    undefined=NO_QUESTIONS + ", or " + NO_CANDIDATES, cite=RODRIGO,
)  # fmt: skip
def estimated_performance(
    n: int, correct: int, unanswered: int, candidate_right: int, candidate_wrong: int
) -> tuple[int, int]:
    """(nac + nuW · nac/n) / n: only what was rejected rightly is worth the accuracy shown.

    >>> top, bottom = estimated_performance(10, 3, 6, 2, 3)
    >>> top / bottom
    0.39
    """
    known = _known(unanswered, candidate_right, candidate_wrong)
    return known * correct * (n + candidate_wrong), known * n * n
