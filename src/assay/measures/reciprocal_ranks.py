"""Measures derived from reciprocal ranks: NQcorrect@k, Success@k and RR@k from a column of RR."""

from __future__ import annotations

from math import ceil, floor

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assay.measures.measure import Measure

FOLLOWING = ("NQcorrect", "Success", "RR")
"""Measures that depend only on the rank of the first right answer."""
MIN_DECIMALS = 3
"""With this many decimals a number is read as a rounded 1/k: .333 is 1/3, .3 is no reciprocal rank."""
CLOSE = 1e-7
"""Relative rounding error of a number with all its digits; 32-bit floats have seven."""


def source_of(measure: Measure, known: Iterable[Measure]) -> Measure | None:
    """Return the reciprocal rank from which a measure follows: same parameters, no smaller cut; None without one.

    >>> from assay.measures.registry import find
    >>> source_of(find("NQcorrect@5"), [find("AP"), find("RR")]), source_of(find("Success@20"), [find("RR@10")])
    (measure('RR'), None)
    """
    cut = measure.parameters.get("cut")
    if measure.declaration.name not in FOLLOWING or cut is None or measure.condensed:
        return None
    rest = {**measure.parameters, "cut": None}
    for source in known:
        deepest = source.parameters.get("cut")
        alike = source.declaration.name == "RR" and not source.condensed and {**source.parameters, "cut": None} == rest
        if alike and (deepest is None or deepest >= cut):
            return source
    return None


def follow(measure: Measure, value: float | None) -> float | None:
    """Return a measure's value on a topic from the reciprocal rank there; ValueError where that is no reciprocal rank.

    >>> from assay.measures.registry import find
    >>> [follow(find("NQcorrect@5"), value) for value in (1.0, 0.2, 1 / 6, 0.1667, 0.0, None)]
    [1.0, 1.0, 0.0, 0.0, 0.0, None]
    """
    if value is None:
        return None
    cut = int(measure.parameters["cut"])
    first, last = _ranks(float(value))
    if first <= cut < last:
        raise ValueError(f"{value!r} is rounded too far to tell whether its rank is at most {cut}")
    if first > cut:
        return 0.0
    return float(value) if measure.declaration.name == "RR" else 1.0


def follow_by_topic(
    measure: Measure, source: str, cells: Mapping[str, float | None], run: str
) -> dict[str, float | None]:
    """Return `follow` of a run's values of `source` by topic; raise InputError with the run and the topic."""
    values: dict[str, float | None] = {}
    for topic, cell in cells.items():
        try:
            values[topic] = follow(measure, cell)
        except ValueError as problem:
            raise InputError(f"{run}, topic {topic}: {source} {problem}; {measure.name} follows from it") from None
    return values


def _ranks(value: float) -> tuple[float, float]:
    """Return the lowest and the highest rank whose reciprocal rounds to this value; both infinite for 0."""
    if value == 0:
        return float("inf"), float("inf")
    decimals = len(repr(value).partition(".")[2]) if "e" not in repr(value) else 0
    room = max(0.5 * 10.0**-decimals if decimals >= MIN_DECIMALS else 0.0, CLOSE * abs(value))
    if not 0 < value <= 1 + CLOSE:
        raise ValueError(f"{value!r} is not a reciprocal rank; expected 0 or 1/k")
    first = max(1, ceil(1 / (value + room) - CLOSE))
    last = float("inf") if value <= room else floor(1 / (value - room) + CLOSE)
    if first > last:
        raise ValueError(f"{value!r} is not a reciprocal rank; expected 0 or 1/k")
    return first, last
