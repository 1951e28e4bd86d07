"""Measures of series of questions, where later ones lean on earlier ones (TREC 2001 context task)."""

from __future__ import annotations

from assay.measures.declare import whole
from assay.measures.parameters import positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TREC_2001 = (
    "E. Voorhees, Overview of the TREC 2001 Question Answering Track, TREC 2001; "
    "Common Evaluation Measures, appendix of the TREC 2001 proceedings"
)


@whole(
    "Alive", task="context", of=("series", "position", "found"), parameters={"cut": positive},
    undefined="where no series has that many questions", cite=TREC_2001,
)  # fmt: skip
def series_alive(series: Sequence[str], position: Sequence[int], found: Sequence[int], cut: int) -> float | None:
    """The share of series still alive after question `cut`: all of its first `cut` questions have a right answer.

    Over the series that have at least that many questions.

    >>> series_alive(["1", "1", "2", "2"], [1, 2, 1, 2], [1, 0, 1, 1], cut=2)  # series 1 fails at its second question
    0.5
    """
    long_enough = {name for name, place in zip(series, position, strict=True) if place == cut}
    if not long_enough:
        return None
    failed = {name for name, place, right in zip(series, position, found, strict=True) if place <= cut and not right}
    return len(long_enough - failed) / len(long_enough)
