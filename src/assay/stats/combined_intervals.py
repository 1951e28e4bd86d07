"""The interval of a mean or a difference of estimates, from the interval or the standard error of each.

Zou and Donner, "Construction of confidence limits about effect measures: a general approach", Statistics in Medicine 2008.
From intervals (MOVER): how far an estimate's own interval reaches on a side stands for z standard errors on that side, so that skewed
intervals, as those of proportions near 0 or 1, give a skewed interval of what is made of them.
From standard errors: Student's t with the degrees of freedom of Welch, "The generalization of 'Student's' problem when several
different population variances are involved", Biometrika 1947.
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


def mean_interval(values: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the ends of the mean of independent estimates, one per task (the first axis).

    >>> ends = mean_interval(np.array([1.0, 0.6]), np.array([0.8, 0.5]), np.array([1.0, 0.7]))
    >>> [round(float(end), 4) for end in ends]  # .8 - √(.2² + .1²)/2, .8 + √(0 + .1²)/2
    [0.6882, 0.85]
    """
    mean, count = values.mean(axis=0), len(values)
    below, above = (np.sqrt(np.sum(reach**2, axis=0)) / count for reach in (values - low, high - values))
    return mean - below, mean + above


EDGE = 1e-9
"""How near to an end of its range a value has no log-odds."""


def welch_interval(
    mean: float, errors: Floats, units: NDArray[np.int64], limits: tuple[float | None, float | None], confidence: float
) -> tuple[float, float]:
    """Return mean ± t · standard error for the mean of independent estimates with these standard errors, one per task.

    On the scale of log-odds for a measure with two ends (`limits`). By hand, 11 units each with a standard error of .1:
    freedom (.02)²/(2·.0001/10) = 20, t = 2.086, standard error √.02/2.

    >>> [round(end, 4) for end in welch_interval(0.5, np.array([0.1, 0.1]), np.array([11, 11]), (None, None), 0.95)]
    [0.3525, 0.6475]
    """
    from scipy.special import expit, logit, stdtrit

    varied = errors > 0
    variances = errors[varied] ** 2
    freedom = variances.sum() ** 2 / np.sum(variances**2 / (units[varied] - 1))
    half = float(stdtrit(freedom, (1 + confidence) / 2)) * float(np.sqrt(variances.sum())) / len(errors)
    low, high = limits
    if low is None or high is None or not EDGE < (share := (mean - low) / (high - low)) < 1 - EDGE:
        return mean - half, mean + half
    reach = half / (high - low) / (share * (1 - share))
    first, last = (low + (high - low) * float(expit(logit(share) + side * reach)) for side in (-1, 1))
    return first, last
