"""From topic values to one number: the averages, and which topics enter them."""

from __future__ import annotations

from math import exp, log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GEOMETRIC_FLOOR = 1e-5
"""trec_eval's floor: a topic worth 0 would make every geometric mean 0."""


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean, added up in topic order as trec_eval does; None of nothing.

    >>> mean([0.25, 0.75])
    0.5
    """
    total: float = 0
    for value in values:
        total += value
    return total / len(values) if values else None


def total(values: Sequence[float]) -> float | None:
    """The sum, for counts.

    >>> total([2, 3])
    5
    """
    result: float = 0
    for value in values:
        result += value
    return result


def geometric(values: Sequence[float]) -> float | None:
    """The geometric mean, every value raised to at least 1e-5.

    >>> round(geometric([0.25, 1.0]), 12)
    0.5
    """
    logs = 0.0
    for value in values:
        logs += log(max(value, GEOMETRIC_FLOOR))
    return exp(logs / len(values)) if values else None


AVERAGES = {"mean": mean, "sum": total, "geometric": geometric}
