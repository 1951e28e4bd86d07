"""The critical difference: the smallest difference of two runs that a test on these topics finds significant.

The swap method says how large a difference must be for another set of topics of that size to agree. A test says how
large it must be not to be chance on this set. Both are shown for the number of topics there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.resampling.columns import Columns
from assay.resampling.sign_flips import SignFlips, t_of

RESAMPLES = 2_000


@dataclass(frozen=True)
class Critical:
    """Medians over the pairs of runs: half the width of the interval of a difference."""

    alone: float
    """Of a pair by itself."""
    together: float
    """Of every pair at once, by max-T."""


def critical(columns: Columns, *, confidence: float = 0.95, seed: int = 0) -> Critical | None:
    """Return the difference at which two runs differ significantly, as in `assay compare`; None with too few topics.

    >>> import assay
    >>> values = [[0.1 * i, 0.1 * i + 0.05 * (i % 3)] for i in range(9)]
    >>> scores = assay.scores(values)
    >>> found = critical(Columns.of(scores, scores.measures[0]))
    >>> round(found.alone, 3)  # t(.975, 8) = 2.306 standard errors of .0144
    0.033
    """
    from scipy.special import stdtrit

    shared = columns.shared()
    if len(shared.places) < 2 or len(columns.runs) < 2 or not shared.resampler.can("add"):
        return None
    linear = shared.resampler.linear
    if not np.isfinite(linear).all():
        return None
    a, b = np.triu_indices(len(columns.runs), 1)
    flips = SignFlips(linear, resamples=RESAMPLES, seed=seed)
    covariance = np.atleast_2d(np.cov(linear.T))
    squares = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
    error = float(np.median(np.sqrt(np.maximum(squares, 0.0) / flips.units)))
    alpha = 1 - confidence
    largest = float(t_of(np.minimum(flips.exceeded(flips.maxima(a, b), alpha), 1.0), flips.units))
    together = largest * error
    if not np.isfinite(together) or not error:
        return None
    return Critical(float(stdtrit(flips.units - 1, 1 - alpha / 2)) * error, together)
