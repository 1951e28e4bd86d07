"""Intervals of proportions: mid-p for right or wrong; Dirichlet for right, wrong or unanswered.

A run's questions end in one of a few ways, and the measure is a formula on their counts. Where all 20 of 20 are right,
nothing in the sample varies and no resampling of it ever shows a wrong answer; these intervals are made for that.

Two ways have the mid-p interval: an end is the share for which as many successes as were seen or more (fewer), those seen
counted by half, have a probability of .025 (Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
Medicine 1998, method 6). Over all true shares it covers .950 or more on average and .912 at the least, for 2 to 1,000 questions;
Jeffreys' interval falls to .899, Wilson's to .84.

The shares of three ways or more are given a Dirichlet distribution, each way's count plus one half (Jeffreys' prior), and the interval
is the middle of what the formula makes of it. As in Brown, Cai and DasGupta ("Interval estimation for a binomial
proportion", Statistical Science 2001), a way seen at most once may also be one that never happens, and one never seen is taken for
one that was seen once more than not at all.

In clusters questions are worth less than as many on their own: counts are divided by the design effect, how much more the
measure varies by cluster than it would by question, and by (t/z)² for the few clusters it is known from (Korn and
Graubard, Survey Methodology 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats

DRAWS = 20_000
RARE = 1.0
"""A way counted at most this often may have the share 0."""
FEW = 20
MAX_NEWTON_STEPS = 60
"""Five are enough except for fractions of a success."""
MID_P, DIRICHLET = "mid-p", "Dirichlet"

Formula = Callable[[Floats], Floats]
"""From shares (draws × ways) to values."""


def interval(counts: Sequence[float] | Floats, formula: Formula, confidence: float = 0.95) -> tuple[float, float]:
    """Return the ends of the interval; the estimate is always inside.

    Twenty of twenty right: half of p^20 is .025 at .05^(1/20).

    >>> def accuracy(shares):
    ...     return shares[:, 0]
    >>> [round(end, 4) for end in interval([20, 0], accuracy)], round(0.05 ** (1 / 20), 4)
    ([0.8609, 1.0], 0.8609)
    """
    low, high = intervals(counts, formula, np.array([confidence]))[0].tolist()
    return low, high


def intervals(counts: Sequence[float] | Floats, formula: Formula, confidences: Floats) -> Floats:
    """Return the ends of the interval at each confidence, confidences × 2: the shares are drawn once for all."""
    counts = np.asarray(counts, dtype=np.float64)
    if not counts.sum():
        return np.full((len(confidences), 2), np.nan)
    tails = np.concatenate([(1 - confidences) / 2, (1 + confidences) / 2])
    if len(counts) == 2:
        first = mid_p(counts[0], counts[1], tails)
        ends = formula(np.column_stack([first, 1 - first])).reshape(2, -1)
        return np.sort(ends, axis=0).T
    weights = [np.array(each) for each in product(*map(_weights, counts.tolist())) if any(each)]
    estimate = float(formula(counts[None] / counts.sum())[0])
    ends = np.array([_ends(each, formula, tails) for each in weights])
    low, high = np.split(np.where(np.isfinite(ends), ends, estimate), 2, axis=1)
    return np.stack([np.minimum(low.min(axis=0), estimate), np.maximum(high.max(axis=0), estimate)], axis=1)


def _weights(count: float) -> tuple[float, ...]:
    """Return the Dirichlet weights that a way's share may have."""
    if count > RARE:
        return (count + 0.5,)
    return (1.0 if count == 0 else count + 0.5, 0.0)


def _ends(weights: Floats, formula: Formula, tails: Floats) -> Floats:
    possible = weights > 0
    shares = np.zeros((DRAWS, len(weights)))
    # A generator of its own: the draws are the same for every run, machine and seed.
    shares[:, possible] = np.random.Generator(np.random.PCG64(0)).standard_gamma(
        weights[possible], (DRAWS, int(possible.sum()))
    )
    shares /= shares.sum(axis=1, keepdims=True)
    values = formula(shares)
    values = values[np.isfinite(values)]
    return np.quantile(values, tails) if len(values) else np.full(len(tails), np.nan)


def mid_p(successes: float, failures: float, tails: Floats) -> Floats:
    """Return the share at which each tail is the mid-p probability of so many successes or more; counts need not be whole.

    Newcombe (1998), table I: 81 of 263, and 0 of 20.

    >>> tails = np.array([0.025, 0.975])
    >>> mid_p(81, 182, tails).round(4).tolist(), mid_p(0, 20, tails).round(4).tolist()
    ([0.2544, 0.3658], [0.0, 0.1391])
    """
    from scipy.special import betainc, betaincinv, betaln

    def at_least(count: float, share: Floats) -> tuple[Floats, Floats]:
        """P(X >= count) of a binomial, and its slope in the share: an incomplete beta function."""
        a, b = count, successes + failures + 1 - count
        if a <= 0 or b <= 0:
            return np.full(len(share), float(a <= 0)), np.zeros(len(share))
        return betainc(a, b, share), np.exp((a - 1) * np.log(share) + (b - 1) * np.log1p(-share) - betaln(a, b))

    # Without a success every share has a tail of a half or more, without a failure of a half or less.
    none, all_of_them = (successes == 0) & (tails <= 0.5), (failures == 0) & (tails >= 0.5)
    wanted = ~(none | all_of_them)
    # Newton's method from Jeffreys' quantile, which is close.
    share = np.clip(betaincinv(successes + 0.5, failures + 0.5, tails), 1e-300, 1 - 2**-53)
    for _ in range(MAX_NEWTON_STEPS):
        (reached, slope), (exceeded, other) = at_least(successes, share), at_least(successes + 1, share)
        step = ((reached + exceeded) / 2 - tails) / np.maximum((slope + other) / 2, 1e-300)
        share = np.clip(share - step, share / 2, np.minimum((1 + share) / 2, 1 - 2**-53))
        if (np.abs(step) < 1e-9 * share)[wanted].all():  # the steps are quadratic: what remains is rounding
            break
    return np.where(none, 0.0, np.where(all_of_them, 1.0, share))


def worth(
    topics: int, clusters: int, by_cluster: float, by_topic: float, confidence: float = 0.95, rare: float = np.inf
) -> float:
    """Return the share of its questions that a sample in clusters is worth, from the variance by cluster and by question.

    `rare` is how many questions did not end the usual way. If these are worth fewer than 20 questions on their own, they hardly show
    how they come together: the design effect is then taken for at least the root of a cluster's size. Of 1,000 questions in 50 clusters,
    95% of them right, intervals held the share in .936 of cases without this (benchmarks/inference.py).

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
        # All questions that count are in one cluster: the variation between clusters is unknown.
        effect = topics - 1.0
    if rare < FEW * effect:
        effect = max(effect, float(np.sqrt(size)))
    tail = (1 + confidence) / 2
    return float(ndtri(tail) / stdtrit(clusters - 1, tail)) ** 2 / effect


def unvaried(value: float, topics: int, low: float, high: float, confidence: float = 0.95) -> tuple[float, float]:
    """An interval of a value that no topic varies about, in a measure from `low` to `high`: as of a proportion of topics.

    >>> unvaried(1.0, 20, 0.0, 1.0)[1], round(unvaried(1.0, 20, 0.0, 1.0)[0], 2)
    (1.0, 0.86)
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
