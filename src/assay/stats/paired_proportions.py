"""Intervals for the difference of two paired proportions: two runs, right or wrong on the same questions.

Tango's score interval (Tango, "Equivalence test and confidence interval for the difference in proportions for the
paired-sample design", Statistics in Medicine 1998). Of n questions run a alone is right on `wins`, run b alone on `losses`.
For a true difference δ the score statistic is

    z(δ) = (wins - losses - nδ) / √(n (2q + δ(1 - δ))),

where q is the maximum-likelihood share of losses given δ: the larger root of
2n q² + ((2n - wins + losses) δ - wins - losses) q - losses δ (1 - δ) = 0. The interval has every δ with |z(δ)| ≤ z.

At δ = 0 the statistic is McNemar's, (wins - losses)/√(wins + losses). The interval has a width where nothing was lost, and
one loss more never raises either end: with z fixed, a run that loses fewer questions never gets a worse verdict.

Scores in [0, 1] count in the same way: gains and losses are the sums of the positive and negative differences, and both and n are
divided by φ = (Σd² + 4)/(Σ|d| + 4), which is 1 where every difference is 0 or ±1. Small differences carry less noise
than whole ones, so φ < 1 makes them count as more questions. The 4 pulls φ towards 1 where few questions differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PRIOR = 4.0
"""Whole differences that φ is pulled towards (see above)."""
HALVINGS = 60
"""Bisections of an interval of length 2: to the last bit of a double."""


def score_statistic(wins: Any, losses: Any, n: Any, difference: Any) -> Floats:
    """Return Tango's z for a supposed true difference; counts need not be whole.

    >>> float(score_statistic(9, 4, 50, 0.0))  # McNemar: (9 - 4)/√13
    1.386750490563073
    """
    wins, losses, n, difference = (np.asarray(x, dtype=np.float64) for x in (wins, losses, n, difference))
    linear = (2 * n - wins + losses) * difference - wins - losses
    constant = -losses * difference * (1 - difference)
    lost = (np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)
    variance = n * np.maximum(2 * lost + difference * (1 - difference), 0.0)
    gap = wins - losses - n * difference
    with np.errstate(divide="ignore", invalid="ignore"):
        z = gap / np.sqrt(variance)
    return np.where(np.abs(gap) <= 1e-12 * n, 0.0, z)


def tango_interval(wins: Any, losses: Any, n: Any, z: Any) -> tuple[Floats, Floats]:
    """Return the ends of Tango's interval at a normal quantile `z`.

    Airway reactivity of 21 patients, 1 against 7 of them (Fagerland, Lydersen and Laake, Statistics in Medicine 2014):

    >>> [round(float(end), 3) for end in tango_interval(1, 7, 21, 1.959964)]
    [-0.517, -0.026]
    """
    wins, losses, n, z = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (wins, losses, n, z)))
    estimate = (wins - losses) / n
    return tuple(_end(wins, losses, n, z, estimate, sign) for sign in (1.0, -1.0))  # type: ignore[return-value]


def _end(wins: Floats, losses: Floats, n: Floats, z: Floats, estimate: Floats, sign: float) -> Floats:
    """Return the lower end for sign 1, the upper end for -1, by bisection between the estimate and the end of the range."""
    inside, outside = estimate.copy(), np.full_like(estimate, -sign)
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        accepted = sign * score_statistic(wins, losses, n, middle) <= z
        inside, outside = np.where(accepted, middle, inside), np.where(accepted, outside, middle)
    return inside


def effective_counts(differences: Floats) -> tuple[Floats, Floats, Floats]:
    """Return gains, losses and n of differences of scores in [0, 1], topics × pairs, as counts for `tango_interval`.

    One gain of 1, one loss of ½, two ties: φ = (1.25 + 4)/(1.5 + 4).

    >>> gains, losses, n = effective_counts(np.array([[1.0], [-0.5], [0.0], [0.0]]))
    >>> phi = 5.25 / 5.5
    >>> [bool(abs(x[0] - y / phi) < 1e-12) for x, y in ((gains, 1), (losses, 0.5), (n, 4))]
    [True, True, True]
    """
    sizes = np.abs(differences)
    phi = ((differences**2).sum(axis=0) + PRIOR) / (sizes.sum(axis=0) + PRIOR)
    gains = np.maximum(differences, 0.0).sum(axis=0)
    return gains / phi, (sizes.sum(axis=0) - gains) / phi, len(differences) / phi
