"""The true difference that a test would find 4 times in 5, on as many topics that vary as these do.

Right or wrong: the share of questions on which two runs disagree is held at ψ = (m + 1)/(n + 2), m of n being seen. For a true
difference δ one run alone is right with probability (ψ + δ)/2, the other with (ψ - δ)/2, and the test's verdict follows from
their counts. The smallest δ with power .8 is found by bisection; where ψ leaves no room for it, all disagreements go one
way and ψ grows with δ. The power is summed over the binomial distributions: exact, and the same for every seed.

Other values: with s the standard error and t what Student's statistic must exceed, δ/s is the noncentrality with which
the noncentral t exceeds t with probability .8. A sample's standard error is below the true one more often than above it, so that
s is raised to its median-unbiased estimate, √(f / median of χ² with f degrees of freedom): by 3% over 12 topics, 1% over 34.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from assay.resampling.arithmetic import Floats, Integers

POWER = 0.8
DEVIATIONS = 8.0
"""Standard deviations of the number of disagreements that the sum covers."""
HALVINGS = 15
"""Bisections of a difference between 0 and 1: to 3e-5."""
MAX_INVERTED_T = 1000.0
"""Beyond it the noncentral t is taken for a shifted one."""


@dataclass(frozen=True)
class LeadRule:
    """What the lead of one run, its wins less its losses, needs to be significant; every condition must hold.

    level        the two-sided binomial p-value is at most this
    r            lead²/(n · disagreements) exceeds this (see `resampling/sign_flips.py`)
    difference   lead/n exceeds this
    """

    level: float = 1.0
    r: float = 0.0
    difference: float = 0.0

    def least_leads(self, disagreements: Integers, n: int) -> Integers:
        """Return the smallest significant lead for each number of disagreements; more than these where there is none.

        Five disagreements of one kind have p = 1/16, six have 1/32:

        >>> LeadRule(level=0.05).least_leads(np.array([5, 6, 20]), 50).tolist()
        [7, 6, 10]
        """
        leads = _least_binomial_leads(disagreements, self.level)
        with np.errstate(over="ignore"):
            by_r = np.floor(np.sqrt(min(self.r, 2.0) * n * disagreements)).astype(np.int64) + 1
        by_difference = int(min(np.floor(n * self.difference), n)) + 1
        return np.maximum(np.maximum(leads, by_r), by_difference)


def _least_binomial_leads(disagreements: Integers, level: float) -> Integers:
    """The smallest lead whose two-sided binomial p-value is at most `level`."""
    from scipy.special import bdtrc

    # Wins from half of the disagreements, where p is about 1, to one more than all of them.
    few, many = disagreements // 2, disagreements + 1
    while (many - few > 1).any():
        middle = (few + many) // 2
        significant = 2 * bdtrc(middle - 1, disagreements, 0.5) <= level
        few, many = np.where(significant, few, middle), np.where(significant, middle, many)
    return np.maximum(2 * many - disagreements, 1)


@lru_cache(maxsize=4096)
def detectable_share(n: int, disagreements: int, rule: LeadRule) -> float | None:
    """Return the difference of two shares of right answers that is found 4 times in 5; None where there is none.

    n               questions
    disagreements   on how many of them one of the two runs alone was right
    """
    share = (disagreements + 1) / (n + 2)
    if _power(1.0, 1.0, n, rule) < POWER:
        return None
    low, high = (0.0, share) if _power(share, share, n, rule) >= POWER else (share, 1.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _power(middle, max(share, middle), n, rule) < POWER:
            low = middle
        else:
            high = middle
    return high


def _power(difference: float, share: float, n: int, rule: LeadRule) -> float:
    """The probability that the better run's lead is significant, where runs disagree on this share of questions."""
    from scipy.special import bdtrc

    counts, probabilities, wins = _disagreements(share, n, rule)
    significant = np.where(wins <= counts, bdtrc(np.minimum(wins, counts) - 1, counts, (1 + difference / share) / 2), 0)
    return float(probabilities @ significant)


@lru_cache(maxsize=8)
def _disagreements(share: float, n: int, rule: LeadRule) -> tuple[Integers, Floats, Integers]:
    """Numbers of disagreements, their probabilities, and the wins among them that are significant."""
    expected, room = n * share, DEVIATIONS * np.sqrt(n * share * (1 - share)) + 1
    counts = np.arange(max(int(expected - room), 0), min(int(expected + room) + 1, n) + 1)
    return counts, _binomial(counts, n, share), (counts + rule.least_leads(counts, n) + 1) // 2


def _binomial(counts: Integers, n: int, share: float) -> Floats:
    """The binomial probabilities of these counts."""
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(n + 1) - gammaln(counts + 1) - gammaln(n - counts + 1)
    return np.exp(ways + xlogy(counts, share) + xlog1py(n - counts, -share))


def detectable_shift(critical: float, error: float, units: int) -> float:
    """Return the difference that is found 4 times in 5, where one of `critical` is significant.

    Half a standard deviation takes 34 topics at 5%, the textbooks' example: t(.975, 33) = 2.0345 is exceeded 4 times in 5.

    >>> error = 1 / 34**0.5 / median_unbiased(33)
    >>> 0.49 < detectable_shift(2.0345 * error, error, 34) < 0.5
    True
    """
    if error <= 0:
        return critical
    return error * median_unbiased(units - 1) * _noncentrality(round(critical / error, 9), units - 1)


@lru_cache(maxsize=4096)
def median_unbiased(freedom: int) -> float:
    """Return what a standard error is multiplied by so that it is too low as often as too high.

    >>> round(median_unbiased(11), 4)  # the median of χ² with 11 degrees of freedom is 10.341
    1.0314
    """
    from scipy.special import chdtri

    return float(np.sqrt(freedom / chdtri(freedom, 0.5)))


@lru_cache(maxsize=4096)
def _noncentrality(t: float, freedom: int) -> float:
    from scipy.special import nctdtrinc, stdtrit

    # Of millions of standard errors scipy's inverse does not return.
    delta = float(nctdtrinc(freedom, 1 - POWER, t)) if t < MAX_INVERTED_T else np.nan
    return delta if delta > t else t + float(stdtrit(freedom, POWER))
