"""The required difference on more topics than two disjoint sets can be drawn from.

Runs with a true difference δ differ by δ + e on one set of n topics, and by δ + e' on another. If δ has variance τ² over the
pairs and e has s²/n, both normal, the difference on the second set given d on the first is normal with mean h·d and variance
(1 + h)·s²/n, h = n/(n + k) and k = s²/τ²: Kelley's regression to the mean (Fundamentals of Statistics, 1947), with h growing
in n by the Spearman-Brown formula. The probability of a swap is then

    Φ(-steepness · d · g(n)),   g(n) = √n · h/√(1 + h),   steepness = 1/s.

Voorhees and Buckley (SIGIR 2002) fit log(rate) linearly in n for each bin; by this formula its slope flattens with n, so the
line underestimates later rates. Here steepness and k are fitted to all bins and sizes at once, near the allowed rate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, hypot, inf, sqrt
from statistics import NormalDist
from typing import Any

from assay.stats.stability import BINS, Swap

REACH = 4
"""How many times the largest measured size an extrapolation may reach; Voorhees and Buckley went to twice."""
INTERVAL_CONFIDENCE = 0.95
"""Of the interval around an extrapolated difference."""
WIDTH = 0.5
"""Width of the Gaussian weight of a rate in the fit, by the distance of its normal quantile from the allowed rate's."""
STEP = 2 ** (1 / 8)
"""The grid of k has this ratio, from 1/256 to 128 times the largest size."""
NORMAL = NormalDist()
Measured = Sequence[tuple[int, Swap]]


@dataclass(frozen=True)
class Curve:
    """Swap rates by difference and size: Φ(-steepness · difference · growth(size))."""

    steepness: float
    half: float
    """k, the number of topics at which h = 1/2."""
    scatter: float = 0.0
    """The residual standard deviation of the rates' normal quantiles, near the allowed rate."""

    def growth(self, size: int) -> float:
        """√n · h/√(1 + h)."""
        h = size / (size + self.half)
        return sqrt(size) * h / sqrt(1 + h)

    def rate(self, difference: float, size: int) -> float:
        """Return the swap rate.

        Without regression to the mean the second difference has variance 2/n around the first, so on 2 topics a
        difference of 1 is one standard deviation.

        >>> round(Curve(1.0, 0.0).rate(1.0, 2), 4)
        0.1587
        """
        return NORMAL.cdf(-self.steepness * difference * self.growth(size))

    def crossing(self, size: int, wrong: Fraction) -> float:
        """Return the difference with the allowed rate.

        >>> round(Curve(1.0, 0.0).crossing(2, Fraction(1, 20)), 3)
        1.645
        """
        slope = self.steepness * self.growth(size)
        return max(0.0, _quantile(wrong)) / slope if slope > 0 else inf


@dataclass(frozen=True)
class Extrapolation:
    """The required difference at a size that cannot be measured, with the fitted curve."""

    size: int
    required_difference: float | None
    """The curve is monotone, so this is also the difference from which the rate stays allowed."""
    interval: tuple[float | None, float | None] | None
    """Its interval over other topics of the same kind; an end is None if no difference up to .20 reaches it."""
    curve: Curve
    points: list[list[tuple[int, float]]]
    """For each bin, (size, swap rate) as measured."""

    @property
    def required_difference_stays(self) -> float | None:
        return self.required_difference

    def fitted(self, k: int, size: int) -> float:
        """Return the curve's rate in the middle of a bin."""
        return self.curve.rate(_middle(k), size)

    def to_dict(self) -> dict[str, Any]:
        required = {name: getattr(self, name) for name in ("size", "required_difference", "required_difference_stays")}
        trust = {"interval": None if self.interval is None else list(self.interval), "confidence": INTERVAL_CONFIDENCE}
        rates = [
            {
                "from": k / 100,
                "points": [{"size": size, "rate": rate} for size, rate in points],
                "rate": self.fitted(k, self.size) if k < BINS - 1 else None,
            }
            for k, points in enumerate(self.points)
        ]
        return {**required, **trust, "curve": vars(self.curve), "fits": rates}


def extrapolate(measured: Measured, size: int, margin: float | None = None) -> Extrapolation | None:
    """The required difference at `size` topics, from the swap rates measured at several smaller sizes.

    `margin` is half the width of the interval of its logarithm that other topics would make; what the curve misses of
    the rates is added. None below three sizes that saw swaps, and None for a size more than 4 times the largest: a curve
    is not to be believed that far.
    """
    measured = sorted(measured, key=lambda pair: pair[0])
    if len(measured) < 3 or size > REACH * measured[-1][0]:
        return None
    curve = fit(measured)
    if curve is None:
        return None
    ends = None
    if margin is not None:
        target = _quantile(measured[-1][1].wrong)
        missed = NORMAL.inv_cdf((1 + INTERVAL_CONFIDENCE) / 2) * curve.scatter / target if target > 0 else 0.0
        wide = hypot(margin, missed)
        # A value measured is the edge of a bin, so the ends are the edges around them.
        ends = _edge(measured, curve, size, exp(-wide), floor), _edge(measured, curve, size, exp(wide), ceil)
    points = [[(at, b.rate) for at, b in _bins(measured, k) if b.rate is not None] for k in range(BINS)]
    return Extrapolation(size, _edge(measured, curve, size, 1.0, round), ends, curve, points)


def fit(measured: Measured) -> Curve | None:
    """Fit the curve to the measured rates; None if fewer than three sizes had swaps.

    Least squares of the rates' normal quantiles, each weighted by its precision comparisons · φ²/(p(1 - p)) and by its
    distance from the quantile of the allowed rate. The open bin is excluded.
    """
    target = _quantile(measured[-1][1].wrong)
    points: list[tuple[float, int, float, float]] = []
    for k in range(BINS - 1):
        for size, b in _bins(measured, k):
            if 0 < b.swaps < b.comparisons:
                p = b.swaps / b.comparisons
                z = -NORMAL.inv_cdf(p)
                near = exp(-(((z - target) / WIDTH) ** 2) / 2)
                known = b.comparisons * NORMAL.pdf(z) ** 2 / (p * (1 - p))
                points.append((_middle(k), size, z, known * near))
    if len({size for _, size, _, _ in points}) < 3:
        return None
    largest = measured[-1][0]
    fits = [_steepness(points, largest * STEP**step) for step in range(-64, 57)]
    return min(fits, key=lambda pair: pair[0])[1]


def _steepness(points: Sequence[tuple[float, int, float, float]], half: float) -> tuple[float, Curve]:
    """Return the residual sum of squares with this k, and the curve."""
    curve = Curve(1.0, half)
    growth = {size: curve.growth(size) for size in {size for _, size, _, _ in points}}
    products = squares = 0.0
    for middle, size, z, weight in points:
        x = middle * growth[size]
        products += weight * x * z
        squares += weight * x * x
    steepness = products / squares
    left = sum(weight * (z - steepness * middle * growth[size]) ** 2 for middle, size, z, weight in points)
    return left, Curve(steepness, half, sqrt(left / sum(weight for _, _, _, weight in points)))


def _edge(measured: Measured, curve: Curve, size: int, factor: float, to_bin: Callable[[float], int]) -> float | None:
    """Return the edge of the bin at `factor` times the crossing; from .20 the open bin decides.

    The quantile of the open bin is that of the largest size, scaled by the growth of the curve.
    """
    largest, last = measured[-1]
    at = factor * curve.crossing(size, last.wrong)
    if at < 1 and (k := to_bin(100 * at)) < BINS - 1:
        return k / 100
    beyond = last.bins[-1]
    if not beyond.comparisons:
        return None
    seen = -NORMAL.inv_cdf((beyond.swaps + 0.5) / (beyond.comparisons + 1))
    grown = seen * curve.growth(size) / curve.growth(largest) / factor
    return (BINS - 1) / 100 if grown >= _quantile(last.wrong) else None


def _bins(measured: Measured, k: int) -> list[tuple[int, Any]]:
    """Return bin k at each size, without differences of exactly 0."""
    return [(size, result.decided[k]) for size, result in measured]


def _middle(k: int) -> float:
    return (k + 0.5) / 100


def _quantile(wrong: Fraction) -> float:
    return -NORMAL.inv_cdf(float(wrong))
