"""Understandability-biased measures: a relevant document gains only as far as its reader understands it.

They need a second file of judgments (`--understandability`): how easy each document is to understand, a whole number from 0. The numbers
are those of ubire, the program of CLEF eHealth; docs/understandability.md lists where they are not.
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.measures.define import measure
from assay.measures.parameters import above_0, integer, number, positive, share
from assay.measures.parameters import gains as gain_table
from assay.measures.views.understandability import UnderstandableView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from assay.measures.views.ranked import RankedView

ZUCCON = "G. Zuccon, Understandability Biased Evaluation for Information Retrieval, ECIR 2016; as ubire (CLEF eHealth)"
NOT_JUDGED = "where no document of the topic is judged for understandability"
DECLARED: dict[str, Any] = {"undefined": NOT_JUDGED, "cite": ZUCCON, "needs": "understandability"}


def worth(text: str) -> dict[int, float] | float:
    """the worth of each grade of understandability, from 0 to 1, as in 1:0.4,2:0.8,3:1; or the highest grade, by which grades are divided

    >>> worth("1:0.4,2:0.8,3:1"), worth("100")
    ({1: 0.4, 2: 0.8, 3: 1.0}, 100.0)
    """
    if ":" not in text:
        return above_0(text)
    table = gain_table(text)
    if not all(0 <= value <= 1 for value in table.values()):
        raise ValueError("expected worths from 0 to 1, as in 1:0.4,2:0.8,3:1")
    return table


def _biased_rbp(
    view: RankedView, p: float, cut: int | None, rel: int | None, worth_of: Callable[[int], float]
) -> float | None:
    """Return (1 - p) Σ p^(r-1)·worth over the relevant documents; those not judged for understandability gain nothing."""
    if not isinstance(view, UnderstandableView) or not view.is_judged:
        return None
    total = 0.0
    for rank, understood in view.relevant_understood(rel):
        if cut is not None and rank > cut:
            break
        if understood is not None:
            total += p ** (rank - 1) * worth_of(understood)
    return (1.0 - p) * total


@measure("uRBP", parameters={"easy": number, "p": share, "cut": positive, "rel": integer}, **DECLARED)
def understandability_biased_rbp(
    view: RankedView, easy: float, p: float = 0.8, cut: int | None = None, rel: int | None = None
) -> float | None:
    """Rank-biased precision where only documents that are relevant and easy to understand gain: (1 - p) Σ p^(r-1) over these.

    A document is easy from a grade of understandability of `easy` on: 2 of 0 to 3 at CLEF eHealth 2015, 50 of 0 to 100 in 2016. p is .8
    as there.

    >>> view = UnderstandableView.of([1, 1, 0, 1], understood=[3, 1, 3, 2])
    >>> understandability_biased_rbp(view, easy=2, p=0.5)  # .5·(1 + 0 + 0 + .125)
    0.5625
    """
    return _biased_rbp(view, p, cut, rel, lambda grade: 1.0 if grade >= easy else 0.0)


@measure("uRBPgr", parameters={"worth": worth, "p": share, "cut": positive, "rel": integer}, **DECLARED)
def graded_understandability_biased_rbp(
    view: RankedView, worth: dict[int, float] | float, p: float = 0.8, cut: int | None = None, rel: int | None = None
) -> float | None:
    """Rank-biased precision where a relevant document gains the worth of its understandability: (1 - p) Σ p^(r-1)·worth.

    CLEF eHealth 2015 had `worth=1:0.4,2:0.8,3:1`, and 2016 `worth=100`: the grade over 100. A grade of 0 is worth 0.

    >>> view = UnderstandableView.of([1, 1, 0, 1], understood=[3, 1, 3, 2])
    >>> graded_understandability_biased_rbp(view, {1: 0.4, 2: 0.8, 3: 1.0}, p=0.5)  # .5·(1 + .5·.4 + 0 + .125·.8)
    0.65
    """

    def worth_of(grade: int) -> float:
        if isinstance(worth, dict):
            value = worth.get(grade, 0.0 if grade == 0 else None)
            if value is None:
                raise UsageError(
                    f"a document has understandability {grade}, which has no worth. Fix: give {grade}:WORTH too."
                )
            return value
        if grade > worth:
            raise UsageError(
                f"a document has understandability {grade}, above worth={worth:g}; write the highest grade of the scale"
            )
        return grade / worth

    return _biased_rbp(view, p, cut, rel, worth_of)
