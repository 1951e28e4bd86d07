"""Consistency bars of a reliability diagram: where a calibrated system's points would lie.

A point off the diagonal may be chance. Bröcker and Smith (Increasing the reliability of reliability diagrams, Weather and
Forecasting 2007) draw as many answers as there are from the confidences stated, with replacement, let each be right with the
probability it states, and look how often the answers of each bin are right; from the 5% to the 95% quantile of that reaches
the bin's bar. A point within its bar is no evidence against calibration, and of ten calibrated bins one lies outside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.core.resample_reference import block, uniform
from assay.random import purpose_key

PURPOSE = "consistency"
LEVEL = 0.9
MAX_DRAWN_ANSWERS, MIN_RESAMPLES, MAX_RESAMPLES = 1_000_000, 200, 1000
"""Answers times resamples, and how many resamples there are at the least and at the most."""
MAX_BLOCK = 2_000_000
Bar = tuple[float, float]


def consistency_bars(confidence: Any, place: Any, bins: int, seed: int, level: float = LEVEL) -> list[Bar | None]:
    """Return, by bin, the accuracy interval of a calibrated system; None for an empty bin.

    confidence   of each answer
    place        the bin of each answer
    bins         how many there are
    seed         of the resamples
    level        the share of resamples within a bar

    A hundred coins, of which the middle nine tenths show heads between 42 and 58 times, but for the resamples' own chance:

    >>> [(low, high)] = consistency_bars(np.full(100, 0.5), np.zeros(100, dtype=int), 1, seed=0)
    >>> 0.4 < low < 0.44 and 0.56 < high < 0.6
    True
    """
    n = len(confidence)
    trials = int(np.clip(MAX_DRAWN_ANSWERS // n, MIN_RESAMPLES, MAX_RESAMPLES))
    # Answers in the order of their bins: what is drawn of a bin then stands between two of its edges.
    order = np.argsort(place, kind="stable")
    stated, bin_at = np.asarray(confidence, dtype=np.float64)[order], np.asarray(place)[order]
    shares = np.empty((trials, bins))
    key = purpose_key(seed, PURPOSE)
    step = max(1, MAX_BLOCK // (2 * n))
    for first in range(0, trials, step):
        count = min(step, trials - first)
        drawn = uniform(block(key, first, count, 2 * n))
        chosen = np.minimum((drawn[:, :n] * n).astype(np.int64), n - 1)
        cell = (bin_at[chosen] + bins * np.arange(count)[:, None]).ravel()
        right = (drawn[:, n:] < stated[chosen]).ravel()
        sizes = np.bincount(cell, minlength=count * bins)
        with np.errstate(invalid="ignore"):  # a resample may leave a bin empty
            rates = np.bincount(cell, right, minlength=count * bins) / sizes
        shares[first : first + count] = rates.reshape(count, bins)
    bars: list[Bar | None] = []
    for column in shares.T:
        known = column[~np.isnan(column)]
        ends = np.quantile(known, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf") if len(known) else None
        bars.append(None if ends is None else (float(ends[0]), float(ends[1])))
    return bars
