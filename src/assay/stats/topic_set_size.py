"""Design: how many topics a test needs, and how small a difference the one at hand can show.

Sakai, "Topic set size design", Information Retrieval Journal 19 (2016): three answers, by the paired t-test, by
one-way ANOVA over several runs, and by the width of a confidence interval.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, sqrt
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.measures.engines.bisection import smallest_count, smallest_number
from assay.resampling.arithmetic import Floats
from assay.settings import Kind, checked

MOST = 10**9
"""A plan that asks for more topics than this is no plan."""


def keep_best(matrix: Floats, drop: float) -> Any:
    """Which columns of matrix[topic, run] have a mean of at least the `drop` quantile of the means.

    >>> keep_best(np.array([[0.1, 0.2, 0.3, 0.4, 0.5]]), 0.25).tolist()
    [1, 2, 3, 4]
    """
    checked("drop_worst", drop, Kind(float, "a share of the runs, from 0 to below 1", low=0, below=1))
    means = matrix.mean(axis=0)
    # A mean equal to the quantile may differ from it in the last bit.
    return np.flatnonzero(means >= np.quantile(means, drop) - 1e-12)


def power_of_t(topics: float, difference: float, variance: float, alpha: float) -> float:
    """The chance that a two-sided paired t-test over n topics shows a true difference.

    1 - P(-t ≤ T' ≤ t), T' noncentral t with n - 1 degrees of freedom and noncentrality √n · difference/σ of
    differences.
    """
    from scipy.special import nctdtr, stdtrit

    if topics < 2:
        return 0.0
    freedom = topics - 1
    limit = float(stdtrit(freedom, 1 - alpha / 2))
    away = sqrt(topics / variance) * difference
    upper = 1 - float(nctdtr(freedom, away, limit))
    lower = float(nctdtr(freedom, away, -limit))
    # Where the lower tail underflows the library may give nan for what is 0.
    return min(1.0, max(0.0, upper) + (lower if lower == lower else 0.0))


def power_of_anova(topics: float, difference: float, variance: float, runs: int, alpha: float) -> float:
    """The chance that one-way ANOVA over `runs` runs finds an effect when best and worst differ by `difference`.

    P(F' ≥ F(alpha)), F' noncentral with m - 1 and m(n - 1) degrees of freedom and noncentrality n ·
    difference²/(2σ²): the least favourable case, all other runs in the middle.
    """
    from scipy.special import fdtri, ncfdtr

    if topics < 2:
        return 0.0
    between, within = runs - 1, runs * (topics - 1)
    limit = float(fdtri(between, within, 1 - alpha))
    return 1 - float(ncfdtr(between, within, topics * difference**2 / (2 * variance), limit))


def expected_width(topics: float, variance: float, alpha: float) -> float:
    """The expected width of the 1 - alpha interval of a mean difference over n topics.

    2 t(n - 1; alpha) E(√V)/√n, with E(√V) = σ √2 Γ(n/2)/(√(n - 1) Γ((n - 1)/2)).
    """
    from scipy.special import gammaln, stdtrit

    if topics < 2:
        return inf
    freedom = topics - 1
    root = exp(float(gammaln(topics / 2) - gammaln(freedom / 2))) * sqrt(2 / freedom) * sqrt(variance)
    return 2 * float(stdtrit(freedom, 1 - alpha / 2)) * root / sqrt(topics)


def topics_for_t(difference: float, variance: float, alpha: float, power: float) -> int:
    """The fewest topics with which the paired t-test reaches `power` for a true difference.

    A difference of half a standard deviation at the usual .05 and .8 takes 34 topics, as every textbook's table has it:

    >>> topics_for_t(0.5, 1.0, 0.05, 0.8)
    34
    """
    return _fewest(lambda n: power_of_t(n, difference, variance, alpha) >= power)


def topics_for_anova(difference: float, variance: float, runs: int, alpha: float, power: float) -> int:
    """The fewest topics with which one-way ANOVA over `runs` runs reaches `power`.

    Three groups with Cohen's f = .25, so best and worst f·√(2m) = .612 standard deviations apart, take 53 each, 159
    in all:

    >>> topics_for_anova(0.25 * 6 ** 0.5, 1.0, 3, 0.05, 0.8)
    53
    """
    return _fewest(lambda n: power_of_anova(n, difference, variance, runs, alpha) >= power)


def topics_for_width(width: float, variance: float, alpha: float) -> int:
    """The fewest topics whose expected interval of a difference is at most `width` wide."""
    return _fewest(lambda n: expected_width(n, variance, alpha) <= width)


def _fewest(enough: Callable[[int], bool]) -> int:
    """The smallest number of topics, at least 2, that is enough; enough stays enough."""
    high = 2
    while not enough(high):
        if high > MOST:
            raise UsageError(f"more than {MOST:,} topics would be needed; ask for a larger difference")
        high *= 2
    return max(2, smallest_count(enough, high // 2, high))


def smallest_difference(enough: Callable[[float], bool]) -> float:
    """The smallest positive difference that is enough, to 12 digits."""
    high = 1.0
    while not enough(high):
        high *= 2
        if high > MOST:
            raise UsageError("no difference, however large, reaches that power; use more topics")
    return smallest_number(enough, 0.0, high, 60)
