"""Which run's value is marked as the best: one that is alone at the top, among values over the same topics."""

from __future__ import annotations

from assay.table import missing_topics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.measures.measure import Measure
    from assay.table.run_scores import Cell, Value
    from assay.table.scores import Scores

SHOWN_DIGITS = 4
"""Values that look the same in a table are a tie."""


def best_run(scores: Scores, summary: Mapping[str, Mapping[str, Value]], measure: Measure) -> str | None:
    """Return the run with the best value of a measure; None for ties, or values over different topics."""
    values = {run: numbers[measure.name] for run, numbers in summary.items() if numbers[measure.name].value is not None}
    place = best_place([value.value for value in values.values()], measure.declaration.higher_is_better)
    if place is None or len({value.topics for value in values.values()}) > 1:
        return None
    first, *others = missing_topics.entering(scores, values, measure)
    return None if any(first != other and list(first) != list(other) for other in others) else list(values)[place]


def best_place(values: Sequence[Cell], higher_is_better: bool | None) -> int | None:
    """Return the place of the best value; None without a direction or two values, or for ties.

    >>> best_place([0.5, 0.25, None], True), best_place([0.5, 0.25], False), best_place([0.50001, 0.50002], True)
    (0, 1, None)
    """
    known = {place: _shown(value) for place, value in enumerate(values) if value is not None}
    if higher_is_better is None or len(known) < 2:
        return None
    top = max(known.values()) if higher_is_better else min(known.values())
    places = [place for place, value in known.items() if value == top]
    return places[0] if len(places) == 1 else None


def _shown(value: float) -> float:
    return round(value, SHOWN_DIGITS) if isinstance(value, float) else value


def legend(directions: Sequence[bool | None]) -> str:
    """Return the line that explains the stars of a table, from the directions of its measures.

    >>> legend([True, True])
    '* highest value; `assay compare` says whether it is really better.'
    """
    if not directions:
        return ""
    kinds = set(directions)
    what = "highest" if kinds == {True} else "lowest" if kinds == {False} else "best"
    return f"* {what} value; `assay compare` says whether it is really better."
