"""Swap: how large a difference must be on one set of topics before another set of the same size agrees.

Voorhees and Buckley, "The effect of topic set size on retrieval experiment error", SIGIR 2002; Sakai's stricter rule
and his table of sensitivity (NTCIR-4 2004), as Peñas and Rodrigo (ACL 2011) used it for c@1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any

from assay.resampling.subsets import Counts

RULES = ("original", "sakai")
"""original: a swap is two differences of opposite sign. sakai: exactly one difference of zero is a swap too."""
BINS = 21
WRONG = Fraction(1, 20)
"""The swap rate that 95% confidence allows."""


@dataclass(frozen=True)
class Bin:
    """The comparisons whose difference on the first subset is in [from, from + .01), the last bin open above."""

    start: float
    comparisons: int
    swaps: int

    @property
    def rate(self) -> float | None:
        return self.swaps / self.comparisons if self.comparisons else None

    def to_dict(self) -> dict[str, float | int | None]:
        return {"from": self.start, "comparisons": self.comparisons, "swaps": self.swaps, "rate": self.rate}


@dataclass(frozen=True)
class Swap:
    """The swap rates of one measure at one size, and the row of the sensitivity table they give."""

    rule: str
    bins: list[Bin]
    zero: Bin
    """The part of bin 0 whose difference is exactly 0: it decides nothing, and a required difference leaves it out."""
    wrong: Fraction
    required_difference: float | None
    """Lower edge of the first non-empty bin whose rate is within the error allowed; None where there is none."""
    required_difference_stays: float | None
    """Lower edge of the first non-empty bin from which every non-empty bin is within it."""
    highest: float | None
    relative: float | None
    """The required difference over the highest value seen."""
    sensitivity: float | None
    """The share of comparisons on the first subset that reach the required difference."""

    @property
    def comparisons(self) -> int:
        return sum(b.comparisons for b in self.bins)

    def to_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "bins": [b.to_dict() for b in self.bins],
            "zero_differences": {"comparisons": self.zero.comparisons, "swaps": self.zero.swaps},
            "comparisons": self.comparisons,
            "required_difference": self.required_difference,
            "required_difference_stays": self.required_difference_stays,
            "highest": self.highest,
            "relative": self.relative,
            "sensitivity": self.sensitivity,
        }


def swap(counts: Counts, *, rule: str = "original", wrong: Fraction = WRONG) -> Swap:
    """The swap rates by bin, and what they require.

    100 comparisons of .00-.01, half of them swapped, and 100 of .01-.02, 5 of them swapped, require a difference of
    .01, which half of the comparisons reach:

    >>> import numpy as np
    >>> from assay.resampling.subsets import Counts
    >>> reached = np.array([[200, 55, 0], [200, 55, 0], [100, 5, 0]] + [[0, 0, 0]] * 19)
    >>> result = swap(Counts(np.zeros((1, 20), int), reached, 0.5, 200))
    >>> result.required_difference, result.relative, result.sensitivity
    (0.01, 0.02, 0.5)
    """
    cumulated = [[int(cell) for cell in row] for row in counts.edges]
    reached = [row[0] for row in cumulated]
    swapped = [row[1] + (row[2] if rule == "sakai" else 0) for row in cumulated]

    def between(low: int, high: int, start: int) -> Bin:
        beyond = (reached[high], swapped[high]) if high < len(reached) else (0, 0)
        return Bin(start / 100, reached[low] - beyond[0], swapped[low] - beyond[1])

    bins = [between(0, 2, 0)] + [between(k + 1, k + 2, k) for k in range(1, BINS)]
    decided = [between(1, 2, 0), *bins[1:]]
    first, stays = required(decided, wrong)
    total = reached[0]
    return Swap(
        rule=rule,
        bins=bins,
        zero=between(0, 1, 0),
        wrong=wrong,
        required_difference=first,
        required_difference_stays=stays,
        highest=counts.highest,
        relative=first / counts.highest
        if first is not None and counts.highest is not None and counts.highest > 0
        else None,
        sensitivity=None if first is None else (reached[round(100 * first) + 1] if first else total) / total,
    )


def required(bins: Sequence[Bin], wrong: Fraction) -> tuple[float | None, float | None]:
    """(required_difference, required_difference_stays) of bins from which differences of exactly 0 are left out."""
    filled = [(b.start, b.swaps * wrong.denominator <= b.comparisons * wrong.numerator) for b in bins if b.comparisons]
    return first_believed(filled), first_lasting(filled)


def first_believed(filled: Sequence[tuple[float, bool]]) -> float | None:
    """The first edge that is believed.

    >>> first_believed([(0.0, False), (0.01, True), (0.02, False)])
    0.01
    """
    return next((start for start, good in filled if good), None)


def first_lasting(filled: Sequence[tuple[float, bool]]) -> float | None:
    """The first edge from which all are believed.

    >>> first_lasting([(0.0, True), (0.01, False), (0.02, True)])
    0.02
    """
    lasting: float | None = None
    for start, good in reversed(filled):
        if not good:
            break
        lasting = start
    return lasting


@dataclass(frozen=True)
class Fit:
    """log(swap rate) = intercept + slope · size, for one bin."""

    start: float
    points: list[tuple[int, float]]
    """(size, swap rate) for each size at which the bin saw a swap."""
    intercept: float | None
    slope: float | None
    r_squared: float | None

    def rate(self, size: int) -> float | None:
        """The rate the line gives; where there is no line, the rate measured at the largest size."""
        if self.intercept is None or self.slope is None:
            return self.points[-1][1] if self.points else None
        return min(1.0, exp(self.intercept + self.slope * size))

    def to_dict(self, size: int) -> dict[str, Any]:
        return {
            "from": self.start,
            "points": [{"size": at, "rate": rate} for at, rate in self.points],
            "intercept": self.intercept,
            "slope": self.slope,
            "r_squared": self.r_squared,
            "rate": self.rate(size),
        }


@dataclass(frozen=True)
class Extrapolation:
    """The required difference at a size that could not be measured, with the fits that give it."""

    size: int
    required_difference: float | None
    required_difference_stays: float | None
    fits: list[Fit]

    def to_dict(self) -> dict[str, Any]:
        return {
            "size": self.size,
            "required_difference": self.required_difference,
            "required_difference_stays": self.required_difference_stays,
            "fits": [fit.to_dict(self.size) for fit in self.fits],
        }


REACH = 4
"""How many times the largest measured size an extrapolation may reach; Voorhees and Buckley went to twice."""


def extrapolate(measured: Sequence[tuple[int, Swap]], size: int) -> Extrapolation | None:
    """The required difference at `size` topics, from the swap rates measured at several smaller sizes.

    Voorhees and Buckley (2002) fit an exponential per bin; here the logarithm of the rate is fitted linearly in the
    size by least squares, over the sizes at which the bin saw a swap, where these are three or more. None below three
    sizes, and None for a size more than 4 times the largest: a line is not to be believed that far.
    """
    measured = sorted(measured, key=lambda pair: pair[0])
    if len(measured) < 3 or size > REACH * measured[-1][0]:
        return None
    fits = [_fit(measured, k) for k in range(BINS)]
    wrong = float(measured[-1][1].wrong)
    filled = [(fit.start, rate <= wrong) for fit in fits if (rate := fit.rate(size)) is not None]
    return Extrapolation(size, first_believed(filled), first_lasting(filled), fits)


def _decided(result: Swap, k: int) -> Bin:
    """Bin k without the differences of exactly 0."""
    one = result.bins[k]
    if k:
        return one
    return Bin(one.start, one.comparisons - result.zero.comparisons, one.swaps - result.zero.swaps)


def _fit(measured: Sequence[tuple[int, Swap]], k: int) -> Fit:
    bins = [(size, _decided(result, k)) for size, result in measured]
    seen = [(size, b.rate) for size, b in bins if b.rate is not None]
    points = [(size, rate) for size, rate in seen if rate > 0]
    start = k / 100
    if len(points) < 3:
        return Fit(start, seen[-1:], None, None, None)
    sizes, logs = [float(size) for size, _ in points], [log(rate) for _, rate in points]
    middle, level = sum(sizes) / len(sizes), sum(logs) / len(logs)
    spread = sum((s - middle) ** 2 for s in sizes)
    slope = sum((s - middle) * (y - level) for s, y in zip(sizes, logs, strict=True)) / spread
    around = sum((y - level) ** 2 for y in logs)
    left = sum((y - level - slope * (s - middle)) ** 2 for s, y in zip(sizes, logs, strict=True))
    return Fit(start, points, level - slope * middle, slope, 1 - left / around if around > 0 else 1.0)
