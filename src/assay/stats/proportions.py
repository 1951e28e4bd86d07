"""Intervals of proportions: Jeffreys and Wilson for right or wrong; Dirichlet for right, wrong or unanswered.

A run's questions end in one of a few ways, and the measure is a formula on their counts. Where all 20 of 20 are right,
nothing in the sample varies and no resampling of it ever shows a wrong answer; these intervals are made for that. The
shares of the ways are given a Dirichlet distribution, each way's count plus one half (Jeffreys' prior), and the interval is
the middle of what the formula makes of it. For two ways that is Jeffreys' interval of a proportion, and its ends are
mended in the same manner for any number of ways (Brown, Cai and DasGupta, "Interval estimation for a binomial proportion",
Statistical Science 2001): a way seen at most once may also be one that never happens, and one never seen is taken for
one that was seen once more than not at all.

In clusters questions are worth less than as many on their own: counts are divided by the design effect, how much more the
measure varies by cluster than it would by question, and by (t/z)² for the few clusters it is known from (Korn and
Graubard, Survey Methodology 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats

DRAWS = 20_000
RARE = 1.0
"""A way seen so often may be one that never happens."""
FEW = 20
JEFFREYS, DIRICHLET = "Jeffreys", "Dirichlet"

Formula = Callable[[Floats], Floats]
"""From shares (draws × ways) to values."""


def interval(counts: Sequence[float] | Floats, formula: Formula, confidence: float = 0.95) -> tuple[float, float]:
    """Return the ends of the interval; the estimate is always inside.

    Twenty of twenty right, one way unseen: from the 2.5% quantile of Beta(20.5, 1), which is .025^(1/20.5), to 1.

    >>> def accuracy(shares):
    ...     return shares[:, 0]
    >>> [round(end, 2) for end in interval([20, 0], accuracy)], round(0.025 ** (1 / 20.5), 2)
    ([0.84, 1.0], 0.84)
    """
    low, high = intervals(counts, formula, np.array([confidence]))[0].tolist()
    return low, high


def intervals(counts: Sequence[float] | Floats, formula: Formula, confidences: Floats) -> Floats:
    """Return the ends of the interval at each confidence, confidences × 2: the shares are drawn once for all."""
    counts = np.asarray(counts, dtype=np.float64)
    if not counts.sum():
        return np.full((len(confidences), 2), np.nan)
    tails = np.concatenate([(1 - confidences) / 2, (1 + confidences) / 2])
    weights = [np.array(each) for each in product(*map(_weights, counts.tolist())) if any(each)]
    estimate = float(formula(counts[None] / counts.sum())[0])
    ends = np.array([_ends(each, formula, tails) for each in weights])
    low, high = np.split(np.where(np.isfinite(ends), ends, estimate), 2, axis=1)
    return np.stack([np.minimum(low.min(axis=0), estimate), np.maximum(high.max(axis=0), estimate)], axis=1)


def _weights(count: float) -> tuple[float, ...]:
    """What a way's share may be distributed by."""
    if count > RARE:
        return (count + 0.5,)
    return (1.0 if count == 0 else count + 0.5, 0.0)


def _ends(weights: Floats, formula: Formula, tails: Floats) -> Floats:
    possible = weights > 0
    if possible.sum() == 2 and len(weights) == 2:
        from scipy.special import betaincinv

        first = betaincinv(weights[0], weights[1], tails)
        low, high = np.split(formula(np.column_stack([first, 1 - first])), 2)
        return np.concatenate([np.minimum(low, high), np.maximum(low, high)])
    shares = np.zeros((DRAWS, len(weights)))
    # A generator of its own: the draws are the same for every run, machine and seed.
    shares[:, possible] = np.random.Generator(np.random.PCG64(0)).standard_gamma(
        weights[possible], (DRAWS, int(possible.sum()))
    )
    shares /= shares.sum(axis=1, keepdims=True)
    values = formula(shares)
    values = values[np.isfinite(values)]
    return np.quantile(values, tails) if len(values) else np.full(len(tails), np.nan)


def wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's interval of a proportion; `z` is the normal point of the confidence.

    >>> [round(end, 2) for end in wilson(0.5, 4, 1.959964)]  # 2 of 4
    [0.15, 0.85]
    """
    z2 = z**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2) * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return min(middle - half, share), max(middle + half, share)


def worth(
    topics: int, clusters: int, by_cluster: float, by_topic: float, confidence: float = 0.95, rare: float = np.inf
) -> float:
    """What part of its questions a sample in clusters is worth, from the measure's variance by cluster and by question.

    `rare` is how many questions did not end the usual way. Fewer than 20 hardly show how they come together: the design
    effect is then taken for at least the root of a cluster's size (benchmarks/inference.py).

    >>> worth(100, 100, 1.0, 1.0)
    1.0
    >>> round(worth(200, 10, 3.0, 1.0), 3)  # a third, times (1.96/2.26)²
    0.25
    """
    if clusters == topics:
        return 1.0
    from scipy.special import ndtri, stdtrit

    size = topics / clusters
    effect = size if by_topic <= 0 else min(max(by_cluster / by_topic, 1.0), topics - 1.0)
    if not np.isfinite(by_cluster):
        # All that counts is in one cluster: nobody knows how the measure varies by cluster.
        effect = topics - 1.0
    if rare < FEW:
        effect = max(effect, float(np.sqrt(size)))
    tail = (1 + confidence) / 2
    return float(ndtri(tail) / stdtrit(clusters - 1, tail)) ** 2 / effect


def unvaried(value: float, topics: int, low: float, high: float, confidence: float = 0.95) -> tuple[float, float]:
    """An interval of a value that no topic varies about, in a measure from `low` to `high`: as of a proportion of topics.

    >>> unvaried(1.0, 20, 0.0, 1.0)[1], round(unvaried(1.0, 20, 0.0, 1.0)[0], 2)
    (1.0, 0.84)
    """
    share = (value - low) / (high - low)
    ends = interval([share * topics, (1 - share) * topics], lambda shares: shares[:, 0], confidence)
    return low + (high - low) * ends[0], low + (high - low) * ends[1]


def spread(counts: Any, formula: Formula) -> float:
    """The variance of the formula over questions on their own, by its slopes (the delta method).

    >>> round(spread(np.array([50, 50]), lambda shares: shares[:, 0]), 6)  # p(1 - p)/n
    0.0025
    """
    counts = np.asarray(counts, dtype=np.float64)
    n = counts.sum()
    if not n:
        return 0.0
    shares, step = counts / n, 1e-6
    steps = step * np.eye(len(counts))
    with np.errstate(invalid="ignore", divide="ignore"):
        up, down = formula((shares + steps) / (1 + step)), formula((shares - steps) / (1 - step))
    slopes = np.nan_to_num((up - down) / (2 * step))
    return float((shares * slopes**2).sum() - (shares * slopes).sum() ** 2) / float(n)
