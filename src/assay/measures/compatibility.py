"""Compatibility: how close a ranking comes to an ideal one."""

from __future__ import annotations

from assay.measures.define import measure
from assay.measures.parameters import share
from assay.measures.ranked import NO_RELEVANT
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CLARKE = "C. Clarke, A. Vtyurina and M. Smucker, Assessing Top-k Preferences, ACM TOIS 39(3), 2021"


def yes_or_no(text: str) -> bool:
    """True or False"""
    if text not in ("True", "False"):
        raise ValueError("expected True or False")
    return text == "True"


def _overlap(shared_from: Sequence[int], p: float, depth: int) -> float:
    """Rank-biased overlap of two lists to a depth, given the depth from which each document is in both.

    Σ p^(d-1)·|shared at d|/d over Σ p^(d-1).

    >>> _overlap([1, 3], 0.5, 3)  # (1 + .5·(1/2) + .25·(2/3))/1.75
    0.8095238095238095
    """
    score = weights = 0.0
    weight, shared, at = 1.0, 0, 0
    joining = sorted(shared_from)
    for d in range(1, depth + 1):
        while at < len(joining) and joining[at] == d:
            at += 1
            shared += 1
        score += weight * shared / d
        weights += weight
        weight *= p
    return score / weights


@measure("Compat", parameters={"p": share, "normalize": yes_or_no}, undefined=NO_RELEVANT, cite=CLARKE)
def compatibility(view: RankedView, p: float = 0.95, normalize: bool = True) -> float | None:
    """Rank-biased overlap with the ideal ranking, over the most that so short an ideal allows (`normalize=True`).

    The ideal ranking has every document of a grade above 0, highest first; within a grade those of the run in the run's order,
    then those it lacks: of all ideal rankings the one that is closest. Both are compared to the depth of the longer.

    >>> round(compatibility(RankedView.of([0, 1]), p=0.5), 9)  # shared 0 of 1, 1 of 2; the ideal has 1 of 1, 1 of 2: .25/1.25
    0.2
    """
    grades = view.judgments.grades[: view.judgments.at_least(1)]
    if not grades:
        return None
    depth = max(view.num_ret, len(grades))
    place = {grade: at for at, grade in reversed(list(enumerate(grades, 1)))}
    shared_from: list[int] = []
    for rank, gain in view.gained():
        grade = int(gain)
        shared_from.append(max(rank, place[grade]))
        place[grade] += 1
    score = _overlap(shared_from, p, depth)
    return score / _overlap(range(1, len(grades) + 1), p, depth) if normalize else score
