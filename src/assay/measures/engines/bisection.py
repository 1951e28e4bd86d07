"""Bisection for the smallest number that satisfies a condition."""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def smallest_number(enough: Callable[[float], bool], low: float, high: float, steps: int) -> float:
    """Return the smallest number above `low` and up to `high` that is enough, to (high - low) / 2**steps.

    `enough` is false up to some number and true from there on. `scipy.optimize.brentq` needs a continuous function with a
    root instead of a condition, and its last digits depend on its version.

    >>> round(smallest_number(lambda x: x * x >= 2, 0.0, 2.0, 50), 12)  # √2
    1.414213562373
    """
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def smallest_numbers(enough: Callable[[Any], Any], low: Any, high: Any, steps: int) -> Any:
    """Return `smallest_number` for arrays: `enough` takes and returns one.

    >>> import numpy as np
    >>> smallest_numbers(lambda x: x * x >= [2.0, 4.0], np.zeros(2), np.full(2, 4.0), 40).round(6).tolist()
    [1.414214, 2.0]
    """
    import numpy as np

    for _ in range(steps):
        middle = (low + high) / 2
        reached = enough(middle)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return high


def smallest_count(enough: Callable[[int], bool], low: int, high: int) -> int:
    """Return the smallest whole number above `low` and up to `high` that is enough; `high` is known to be.

    >>> smallest_count(lambda n: n * n >= 50, 1, 16)
    8
    """
    return low + 1 + bisect_left(range(low + 1, high), True, key=enough)
