"""Measures of what lies behind the counts: the answers withheld from unanswered questions, and c@1 test by test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.measures.abstention import NO_QUESTIONS, TASK, c_at_1
from assay.measures.declare import sums, whole

RODRIGO = "Rodrigo, Peñas and Verdejo, Evaluating Answer Validation in Multistream Question Answering, EVIA 2008"
COUNT: dict[str, Any] = {"task": TASK, "average": "sum", "high": None, "cite": RODRIGO}
CANDIDATES = ("unanswered", "candidate_right", "candidate_wrong")
NO_CANDIDATES = "where questions are unanswered and none of them carries a candidate"


def _told(unanswered: Any, candidate_right: Any, candidate_wrong: Any) -> Any:
    """1 where withheld candidates are known, 0 where none is; in arithmetic, so that arrays of counts go through whole."""
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
    told = _told(unanswered, candidate_right, candidate_wrong)
    return told * correct, told * (correct + candidate_right)


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
    told = _told(unanswered, candidate_right, candidate_wrong)
    return told * 2 * correct, told * (2 * correct + incorrect + candidate_right)


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
    told = _told(unanswered, candidate_right, candidate_wrong)
    return told * correct * (n + candidate_wrong), told * n * n


# By cluster: QA4MRE scores each reading test on its own.

QA4MRE = "Peñas et al., Overview of QA4MRE at CLEF 2011: Question Answering for Machine Reading Evaluation"
NO_CLUSTERS = "where a question has no cluster"


def _per_cluster(correct: Sequence[int], unanswered: Sequence[int], cluster: Sequence[str | None]) -> list[float]:
    counts: dict[str, list[int]] = {}
    for right, declined, name in zip(correct, unanswered, cluster, strict=True):
        if name is None:
            return []
        count = counts.setdefault(name, [0, 0, 0])
        count[0] += 1
        count[1] += right
        count[2] += declined
    return [top / bottom for top, bottom in (c_at_1(*count) for count in counts.values())]


@whole("c@1_cluster_mean", task=TASK, of=("correct", "unanswered", "cluster"), undefined=NO_CLUSTERS, cite=QA4MRE)
def c_at_1_cluster_mean(
    correct: Sequence[int], unanswered: Sequence[int], cluster: Sequence[str | None]
) -> float | None:
    """The mean over clusters (a passage and its questions) of c@1 within the cluster.

    Test a: 1 right of 2 answered, c@1 = 0.5. Test b: 1 right, 1 unanswered of 2, c@1 = (1 + 1/2)/2 = 0.75.

    >>> c_at_1_cluster_mean([1, 0, 1, 0], [0, 0, 0, 1], ["a", "a", "b", "b"])
    0.625
    """
    values = _per_cluster(correct, unanswered, cluster)
    return sum(values) / len(values) if values else None


@whole("c@1_cluster_median", task=TASK, of=("correct", "unanswered", "cluster"), undefined=NO_CLUSTERS, cite=QA4MRE)
def c_at_1_cluster_median(
    correct: Sequence[int], unanswered: Sequence[int], cluster: Sequence[str | None]
) -> float | None:
    """The median over clusters of c@1 within the cluster; of an even number, the mean of the two in the middle.

    >>> c_at_1_cluster_median([1, 0, 1, 0, 0], [0, 0, 0, 1, 0], ["a", "a", "b", "b", "c"])
    0.5
    """
    values = sorted(_per_cluster(correct, unanswered, cluster))
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2 if values else None
