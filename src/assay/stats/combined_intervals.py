"""The interval of a sum or a difference of estimates, from the interval of each (MOVER).

Zou and Donner, "Construction of confidence limits about effect measures: a general approach", Statistics in Medicine 2008.
How far an estimate's own interval reaches on a side stands for z standard errors on that side, so that skewed
intervals, as those of proportions near 0 or 1, give a skewed interval of what is made of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def difference_interval(
    a: Any, a_ends: tuple[Any, Any], b: Any, b_ends: tuple[Any, Any], correlation: Any = 0.0
) -> tuple[Floats, Floats]:
    """Return the ends of a - b; `correlation` is that of the two estimates, on the same topics say.

    Newcombe's interval of a paired difference by hand: reaches .1 and .2 without correlation add up to √.05.

    >>> low, high = difference_interval(0.8, (0.7, 0.9), 0.5, (0.4, 0.7))
    >>> [round(float(end), 4) for end in (low, high)]  # .3 - √(.1² + .2²), .3 + √(.1² + .1²)
    [0.0764, 0.4414]
    """
    a, b, correlation = (np.asarray(x, dtype=np.float64) for x in (a, b, correlation))
    (a_low, a_high), (b_low, b_high) = a_ends, b_ends
    low = a - b - _reach(a - a_low, b_high - b, correlation)
    high = a - b + _reach(a_high - a, b - b_low, correlation)
    return low, high


def _reach(first: Any, second: Any, correlation: Floats) -> Floats:
    return np.sqrt(np.maximum(first**2 + second**2 - 2 * correlation * first * second, 0.0))


def mean_interval(values: Floats, low: Floats, high: Floats) -> tuple[float, float]:
    """Return the ends of the mean of independent estimates, one per task.

    >>> [round(end, 4) for end in mean_interval(np.array([1.0, 0.6]), np.array([0.8, 0.5]), np.array([1.0, 0.7]))]
    [0.6882, 0.85]
    """
    mean, count = float(np.mean(values)), len(values)
    below, above = (float(np.sqrt(np.sum(reach**2))) / count for reach in (values - low, high - values))
    return mean - below, mean + above
