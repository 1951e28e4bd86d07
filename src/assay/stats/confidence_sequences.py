"""Confidence sequences: intervals of a mean that are valid after every observation, however often one looks.

An ordinary 95% interval is right 95 times of 100 at one look chosen beforehand. A confidence sequence is right at all looks
at once with that probability, so one may stop when one likes. These are the hedged capital intervals of Waudby-Smith and
Ramdas ("Estimating means of bounded random variables by betting", Journal of the Royal Statistical Society B 86, 2024, §4.2):
for every mean m one bettor bets, on each value x in turn, that values lie above m, and another that they lie below. Where m
is true neither is likely to win: the chance that a capital of 1 ever reaches 2/α is at most α/2 (Ville's inequality). What
remains are the means against which neither has.

    capital above m      Π (1 + min(λ, c/m) (x - m)),  c = 1/2,  and mirrored below
    bet                  λ(t) = √(2 log(2/α) / (s²(t-1) t log(1 + t)))
    spread so far        s²(t) = (1/4 + Σ(x(i) - u(i))²)/(t + 1),  u(t) = (1/2 + Σ x(i))/(t + 1)

The assumption is that each value, given those before, has the same expectation: topics in random order, a log whose traffic
does not change (`drift_p` tests it). Values may otherwise be as they like, between bounds that are known beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.resampling.arithmetic import Floats, Integers
from assay.settings import CONFIDENCE, Kind, checked

NUMBER = Kind(float, "a number")
MOST = 0.5
"""The share of the capital that may be lost on one value: c."""
CELLS = 1024
"""Means between the ends of the interval whose bettors are watched. Capital falls (rises) with m, so the set that remains is
an interval, and its ends are taken at the last mean that is refuted: outwards, by less than 1/200 of the width at the time."""
BLOCK = 256
PERMUTATIONS = 999
"""Random orders of the topics that a test of drift draws."""
AT_ONCE = 1 << 20
"""Differences that are processed together."""
ROUNDING = 1e-9
"""What floating point may add to the logarithm of a capital."""


@dataclass(frozen=True)
class ConfidenceSequence:
    """What is known after each observation: element t - 1 after t of them."""

    estimate: Floats
    """The mean so far, clipped to the interval."""
    low: Floats
    high: Floats
    """Intervals never grow: each is part of the one before. Not a number once no mean is left."""
    confidence: float
    empty: int | None
    """After how many observations no mean was left: the values do not have one expectation, or what confidence leaves room
    for has happened. None where one is left."""

    def excludes(self, value: float) -> int | None:
        """After how many observations the interval lay beside a value; None where it still holds it.

        value   a mean
        """
        return _first((self.low > value) | (self.high < value))

    def to_dict(self) -> dict[str, Any]:
        """As plain data; None where no mean is left."""
        columns = {"estimate": self.estimate, "low": self.low, "high": self.high}
        lists = {name: [None if x != x else x for x in column.tolist()] for name, column in columns.items()}
        return {**lists, "confidence": self.confidence, "empty": self.empty}


@dataclass(frozen=True)
class SequenceComparison:
    """Two runs on the same topics, one topic after another."""

    difference: ConfidenceSequence
    """Of a - b."""
    first: int | None
    """After how many topics the interval excluded 0, as it does ever after; None where it has not."""
    higher: str | None
    """Which has the higher values, `a` or `b`; None where undecided."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"difference": self.difference.to_dict(), "first": self.first, "higher": self.higher}


def confidence_sequence(
    values: Any, *, low: float = 0.0, high: float = 1.0, confidence: float = 0.95
) -> ConfidenceSequence:
    """The mean of values that come in one by one: an interval after each, all of them right at once.

    values       in the order in which they came
    low          what no value can be below
    high         what no value can be above
    confidence   that the mean is in all the intervals

    Two ones refute a mean of 0 and hardly more: against m the capital is (1 + 6.525 (1 - m)) (1 + 4.636 (1 - m)), which is
    2/.05 = 40 at m = .034. It takes ten to refute one half.

    >>> found = confidence_sequence([1.0] * 12)
    >>> found.low[:2].round(2).tolist(), found.high[:2].tolist(), found.excludes(0.5)
    ([0.0, 0.03], [1.0, 1.0], 10)
    """
    checked("confidence", confidence, CONFIDENCE)
    x = _within(values, low, high, "values")
    ends = np.array(list(_intervals((x - low) / (high - low), 1 - confidence)))
    least = low + (high - low) * np.maximum.accumulate(ends[:, 0])
    most = low + (high - low) * np.minimum.accumulate(ends[:, 1])
    empty = _first(least >= most)
    if empty is not None:
        least[empty - 1 :] = most[empty - 1 :] = np.nan
    mean = np.cumsum(x) / np.arange(1, len(x) + 1)
    return ConfidenceSequence(np.clip(mean, least, most), least, most, confidence, empty)


def compare_sequence(
    a: Any, b: Any, *, low: float = 0.0, high: float = 1.0, confidence: float = 0.95
) -> SequenceComparison:
    """Which of two runs has the higher mean, asked after every topic.

    a            values of the one run, topic by topic as they came
    b            values of the other on the same topics
    low          what no value can be below
    high         what no value can be above
    confidence   that no interval of the difference excludes the truth

    >>> sequence = compare_sequence([1.0, 1.0, 0.0] * 20, [0.0, 0.0, 0.5] * 20)
    >>> sequence.first, sequence.higher, float(sequence.difference.estimate[-1])
    (20, 'a', 0.5)
    """
    checked("confidence", confidence, CONFIDENCE)
    values_a, values_b = _within(a, low, high, "a"), _within(b, low, high, "b")
    if len(values_a) != len(values_b):
        raise InputError(
            f"two runs are compared on the same topics; a has {len(values_a)} values, b has {len(values_b)}"
        )
    sequence = confidence_sequence(values_a - values_b, low=low - high, high=high - low, confidence=confidence)
    first = sequence.excludes(0.0)
    return SequenceComparison(sequence, first, None if first is None else "a" if sequence.low[first - 1] > 0 else "b")


def drift_p(values: Floats, a: Integers, b: Integers, *, seed: int = 0) -> Floats:
    """Return for each pair of runs the p-value of a permuted CUSUM: do their differences keep one mean along a log?

    The statistic is the largest |sum of the first t differences - t · mean|; p is the share of random orders of the topics
    in which it is as large.

    values   topics × runs, in the order in which they came
    a, b     the runs of each pair
    seed     of the random orders

    Ten topics won, then ten lost, and the same one after the other:

    >>> drifting, steady = [1.0] * 10 + [0.0] * 10, [1.0, 0.0] * 10
    >>> runs = np.array([drifting, steady, [0.5] * 20]).T
    >>> drift_p(runs, np.array([0, 1]), np.array([2, 2])).tolist()
    [0.002, 1.0]
    """
    rng = np.random.Generator(np.random.PCG64(abs(seed)))
    centred = values - values.mean(axis=0)
    seen = _largest_excursions(centred, a, b) * (1 - ROUNDING) - ROUNDING
    reached = np.zeros(len(a), dtype=np.int64)
    for _ in range(PERMUTATIONS):
        reached += _largest_excursions(centred[rng.permutation(len(values))], a, b) >= seen
    return (1 + reached) / (1 + PERMUTATIONS)


def _largest_excursions(centred: Floats, a: Integers, b: Integers) -> Floats:
    """Return the largest |cumulative sum| of each pair's differences."""
    sums = np.cumsum(centred, axis=0)
    largest = np.empty(len(a))
    size = max(1, AT_ONCE // len(sums))
    for start in range(0, len(a), size):
        here = slice(start, start + size)
        largest[here] = np.abs(sums[:, a[here]] - sums[:, b[here]]).max(axis=0)
    return largest


def _within(values: Any, low: float, high: float, name: str) -> Floats:
    if not (np.isfinite([checked("low", low, NUMBER), checked("high", high, NUMBER)]).all() and low < high):
        raise UsageError(f"`low={low}`, `high={high}`: expected two numbers, the first below the second")
    try:
        x = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected a list of numbers") from None
    if x.ndim != 1 or not len(x):
        raise InputError(f"{name}: expected a list of numbers, one at least; found shape {x.shape}")
    at = _first(~((x >= low) & (x <= high)))
    if at is not None:
        raise InputError(f"{name}: number {at} is {x[at - 1]:g}, outside of `low={low:g}` to `high={high:g}`")
    return x


def _first(flags: Any) -> int | None:
    """Return the place of the first true value, counted from 1."""
    return int(np.argmax(flags)) + 1 if flags.any() else None


def _bets(x: Floats, alpha: float) -> Floats:
    """Return λ(t), from the values before t.

    √(2 log 40 / (1/4 · 1 · log 2)) before the first value:

    >>> _bets(np.array([1.0, 1.0]), 0.05).round(3).tolist()
    [6.525, 4.636]
    """
    t = np.arange(1, len(x) + 1)
    centre = (0.5 + np.cumsum(x)) / (t + 1)
    spread = (0.25 + np.cumsum((x - centre) ** 2)) / (t + 1)
    before = np.concatenate([[0.25], spread[:-1]])
    return np.sqrt(2 * log(2 / alpha) / (before * t * np.log(1 + t)))


def _gains(x: Floats, bets: Floats, means: Floats) -> Floats:
    """Return the logarithm of the factor by which each value (row) multiplies the capital bet above each mean (column)."""
    with np.errstate(divide="ignore"):
        most = MOST / means
    return np.log1p(np.minimum(bets[:, None], most) * (x[:, None] - means))


def _capital(x: Floats, bets: Floats, means: Floats) -> Floats:
    """Yield the logarithm of a capital of 1 after each value, a block at a time to save memory."""
    blocks = range(0, len(x), BLOCK)
    return sum((_gains(x[i : i + BLOCK], bets[i : i + BLOCK], means).sum(axis=0) for i in blocks), np.zeros(len(means)))


def _intervals(x: Floats, alpha: float) -> Iterator[tuple[float, float]]:
    """Return the ends of the interval after each value, for values from 0 to 1.

    A finer grid over what remains takes the place of the old one when half of it is refuted.
    """
    bets, enough = _bets(x, alpha), log(2 / alpha) + ROUNDING
    low, high = 0.0, 1.0
    means = np.linspace(low, high, CELLS + 1)
    above = below = np.zeros(CELLS + 1)
    start = 0
    while start < len(x):
        # Small blocks at first, when intervals shrink fast.
        part = slice(start, min(start + min(max(start, 4), BLOCK), len(x)))
        rising = above + np.cumsum(_gains(x[part], bets[part], means), axis=0)
        falling = below + np.cumsum(_gains(1 - x[part], bets[part], 1 - means), axis=0)
        lows = means[np.maximum((rising >= enough).sum(axis=1) - 1, 0)]
        highs = means[CELLS - np.maximum((falling >= enough).sum(axis=1) - 1, 0)]
        yield from zip(lows.tolist(), highs.tolist(), strict=True)
        low, high = max(low, float(lows.max())), min(high, float(highs.min()))
        above, below, start = rising[-1], falling[-1], part.stop
        if low < high and high - low <= (means[-1] - means[0]) / 2:
            means = np.linspace(low, high, CELLS + 1)
            above = _capital(x[:start], bets[:start], means)
            below = _capital(1 - x[:start], bets[:start], 1 - means)
