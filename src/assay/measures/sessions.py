"""Measures of a session of queries: the series of questions in context, each answered by a ranking.

The gain of a right answer is its grade, strictly judged, for the first answer of a class. A run's number is the mean over series:
the sum over all questions, over the number of series. A series whose first question is excluded counts too (`missing="skip"`, or
some of the questions); in resamples a series counts as often as its first question was drawn.
"""

from __future__ import annotations

from math import log

from assay.measures.define import whole
from assay.measures.parameters import log_base, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Graded = Sequence[Sequence[tuple[int, int]]]

JARVELIN = (
    "K. Järvelin, S. Price, L. Delcambre and M. Lykke Nielsen, Discounted Cumulated Gain Based Evaluation of Multiple-Query "
    "IR Sessions, ECIR 2008"
)
LIPANI = (
    "A. Lipani, B. Carterette and E. Yilmaz, From a User Model for Query Sessions to Session Rank Biased Precision (sRBP), "
    "ICTIR 2019"
)
NO_SERIES = "where no series begins"


def _per_series(
    series: Sequence[str], position: Sequence[int], graded: Graded, worth: Callable[[int, int, int], float]
) -> float | None:  # fmt: skip
    """Return Σ worth(place of the question, rank, grade) over all right answers, over the number of series."""
    begun = sum(1 for place in position if place == 1)
    if not begun:
        return None
    total = 0.0
    for place, answers in zip(position, graded, strict=True):
        for rank, grade in answers:
            total += worth(place, rank, grade)
    return total / max(begun, len(set(series)))


@whole(
    "sDCG", task="context", of=("series", "position", "graded"), parameters={"b": log_base, "bq": log_base}, high=None,
    undefined=NO_SERIES, cite=JARVELIN,
)  # fmt: skip
def session_dcg(
    series: Sequence[str], position: Sequence[int], graded: Graded, b: float = 2.0, bq: float = 4.0
) -> float | None:
    """Discounted cumulative gain of a session, later answers and later questions counting less; the mean over series.

    sDCG = Σ over questions m and ranks n of grade/((1 + log_b n)·(1 + log_bq m)).

    A series of two questions, the first answered at rank 2 and the second at rank 1, both of grade 1: 1/((1 + log2 2)·1) +
    1/(1·(1 + log4 2)) = 1/2 + 1/1.5.

    >>> session_dcg(["s", "s"], [1, 2], [((2, 1),), ((1, 1),)])
    1.1666666666666665
    """
    return _per_series(series, position, graded, lambda m, n, grade: grade / ((1 + log(n, b)) * (1 + log(m, bq))))


@whole(
    "sRBP", task="context", of=("series", "position", "graded"), parameters={"b": share, "p": share}, undefined=NO_SERIES, cite=LIPANI
)  # fmt: skip
def session_rbp(
    series: Sequence[str], position: Sequence[int], graded: Graded, b: float, p: float = 0.9
) -> float | None:
    """Rank-biased precision of a session: the share of right answers seen by a reader; the mean over series.

    Readers continue with p, mostly down the list where b is near 1, mostly to the next question where b is near 0.

    sRBP = (1 - p) Σ_m ((p - b·p)/(1 - b·p))^(m-1) Σ_n (b·p)^(n-1)·right(m, n), 1 for a right answer of whatever grade. b = 1 is RBP
    of the first question alone.

    With p = .5 and b = .5 the first list is left for the second with .25/.75, and a rank for the next with .25; the first question
    is answered at rank 2 and the second at rank 1: .5·(.25 + 1/3).

    >>> session_rbp(["s", "s"], [1, 2], [((2, 1),), ((1, 1),)], b=0.5, p=0.5) == 0.5 * (0.25 + 1 / 3)
    True
    """
    if b * p == 1:
        return _per_series(series, position, graded, lambda m, n, grade: 0.0)
    onwards, down = (p - b * p) / (1 - b * p), b * p
    seen = _per_series(series, position, graded, lambda m, n, grade: onwards ** (m - 1) * down ** (n - 1))
    return None if seen is None else (1 - p) * seen
