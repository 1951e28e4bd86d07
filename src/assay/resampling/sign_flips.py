"""Sign flips of all runs at once: the one distribution behind p-values, intervals and corrections that agree.

One random sign a topic (or cluster of topics) mirrors every run's value about the topic's mean, so that the difference of
any two runs changes its sign there. A difference is studentised by its own spread. Σd² over topics is the same under all
flips, so that with m the mean difference over u topics

    t² = (u - 1) r/(1 - r),    r = u m²/Σd²,

grows with r alone, which lies between 0 and 1 and needs no error to divide by: differences that are all equal have r = 1,
no difference at all has r = 0. Values are `Resampler.linear`: the values themselves, or the measure plus each topic's
influence on it (Romano and Wolf, "Exact and approximate stepdown methods for multiple hypothesis testing", JASA 2005;
Janssen, "Studentized permutation tests for non-i.i.d. hypotheses", Statistics & Probability Letters 1997).

Over few units Σd² is itself a matter of luck: of many pairs one has almost equal differences by chance, its r is close to 1 under
many flips, and the largest r of all pairs says little about the others. Under `SMALL_UNITS` units every pair of a family
gets a constant more, r = u m²/(Σd² + c), c the median of Σd² over the pairs (Tusher, Tibshirani and Chu, PNAS 2001, add one to
the standard error). c is the same under all flips, so that the test stays exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor
from typing import Any

import numpy as np

from assay.core import resample as kernels
from assay.resampling.arithmetic import added
from assay.resampling.integer_scaling import Floats, Integers, to_integers
from assay.resampling.pair_moments import pair_moments
from assay.resampling.resamplers import AT_ONCE, local, slices

PURPOSE = "randomisation"
EXACT_UNITS = 16
"""All 2^16 flips are enumerated for two runs that differ on no more units than this."""
SMALL_UNITS = 12
"""Over fewer units all flips are enumerated for any number of runs, and r has a constant in its denominator (see above)."""
MANY_UNITS = 64
"""The least p of a pair that differs on as many units is below that of any number of resamples."""
CACHED = 10
"""Of what fits the memory, one part in so many stays in the cache: numbers that are gone through several times at once."""
CLOSE = 1e-9
"""Statistics within this distance differ only by rounding."""


def t_of(r: Any, units: int) -> Floats:
    """The t that goes with r over so many units; infinite where r is 1.

    >>> float(t_of(0.5, 5))
    2.0
    """
    r = np.asarray(r, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return np.sqrt((units - 1) * r / np.maximum(1 - r, 0.0))


def r_of(t: Any, units: int) -> Floats:
    """The r that goes with t over so many units."""
    square = np.asarray(t, dtype=np.float64) ** 2
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(square), square / (units - 1 + square), 1.0)


@dataclass
class _PairMoments:
    """Pairs of runs, and what was found of them."""

    a: Integers
    b: Integers
    sums: Floats
    """Σd"""
    scales: Floats
    """1/(uΣd²), or 0"""
    shares: Floats
    """Σd²/(Σd² + c)"""
    largest: Floats | None = None
    """The largest r of any of them, under each flip."""


class SignFlips:
    """Joint sign flips of runs' linear values: units × runs."""

    def __init__(
        self, linear: Floats, *, resamples: int, seed: int = 0, threads: int | None = None, sampled: bool = False
    ) -> None:
        self.linear = linear
        runs = linear.shape[1]
        self.units: int = linear.shape[0]
        whole, self._scale = to_integers(linear, self.units)
        # A value common to all runs drops out of every difference; without it counts are small, and several are added at a time.
        whole -= whole.min()
        self._whole = whole
        differing = np.flatnonzero((whole != whole[:, :1]).any(axis=1))
        self.differing: int = len(differing)
        small = self.units < SMALL_UNITS and not sampled
        few = self.differing <= EXACT_UNITS if runs == 2 else 2**self.differing <= resamples
        self.every: bool = (small or few) and not sampled
        """Whether all flips there are were made, the data as it is among them; never so where they are to be `sampled`."""
        self._units = None if not self.every else np.arange(self.units) if small else differing
        self.count: int = resamples if self._units is None else 2 ** len(self._units)
        self.constant: float = 0.0
        """c, in squares of the values: 0 until `steady` sets it for a family."""
        self._options: dict[str, Any] = {"trials": resamples, "seed": seed, "purpose": PURPOSE, "threads": threads}
        self._threads = threads
        self._last: _PairMoments | None = None
        self._known_moments: tuple[Integers, Integers, Floats, Floats] | None = None

    @cached_property
    def _sums(self) -> Floats:
        """The sums of all runs under each flip: runs × flips."""
        return self._sums_of(self._whole)

    @cached_property
    def _signs(self) -> Floats:
        """The sum of the signs of each flip."""
        return self._sums_of(np.ones((self.units, 1), dtype=np.int64))[0]

    def _sums_of(self, whole: Integers) -> Floats:
        """The sums of some runs' integers under each flip: runs × flips."""
        if self._units is not None:
            part = np.zeros((1, whole.shape[1]), dtype=np.int64)
            for unit in self._units.tolist():
                part = np.concatenate([part, part + whole[unit]])
        else:
            # Matrix products of many values are faster than sums of packed ones.
            large = whole.size >= kernels.LARGE
            part = (
                kernels.half_sums(whole, **self._options) if large else added(kernels.half_sums, whole, **self._options)
            )
        part *= -2
        part += whole.sum(axis=0)
        return np.ascontiguousarray(part.T, dtype=np.float64)

    def drop_sums(self) -> None:
        """Free the sums under flips."""
        for name in ("_sums", "_signs", "centred"):
            vars(self).pop(name, None)
        self._last = self._known_moments = None

    def steady(self, a: Integers, b: Integers) -> None:
        """Set c for these pairs, where they are a family of several over few units."""
        if self.units < SMALL_UNITS and len(a) > 1:
            self.constant = float(np.median(self._squares(a, b))) / self._scale**2
            self._last = None

    @cached_property
    def centred(self) -> SignFlips:
        """The flips of the values less each run's mean, by the same signs and with the same c."""
        if self._whole.size >= kernels.LARGE and not self.every:
            return _CentredFlips(self)
        values = self.linear - self.linear.mean(axis=0)
        values[:, (self._whole == self._whole[0]).all(axis=0)] = 0.0  # not what rounding leaves of it
        options = {name: self._options[name] for name in ("seed", "threads")}
        flips = SignFlips(values, resamples=self._options["trials"], **options, sampled=True)
        flips.constant = self.constant
        return flips

    def shares(self, a: Integers, b: Integers) -> Floats:
        """Σd²/(Σd² + c) of each pair: what turns its r into that of a family, and 1 without c."""
        if not self.constant:
            return np.ones(len(a))
        squares = self._squares(a, b)
        return squares / (squares + self.constant * self._scale**2)

    def _sums_and_squares(self, a: Integers, b: Integers) -> tuple[Floats, Floats]:
        """Σd and Σd² of each pair, in integers; those of the last pairs are kept."""
        known = self._known_moments
        if known is None or not (np.array_equal(known[0], a) and np.array_equal(known[1], b)):
            known = self._known_moments = (a, b, *pair_moments(self._whole, a, b))
        return known[2], known[3]

    def _squares(self, a: Integers, b: Integers) -> Floats:
        """Σd² of each pair, in integers."""
        return self._sums_and_squares(a, b)[1]

    def errors(self, a: Integers, b: Integers) -> Floats:
        """The standard error of each mean difference."""
        sums, squares = self._sums_and_squares(a, b)
        spread = np.maximum(squares - sums * sums / self.units, 0.0)
        # Nearly equal differences leave only rounding.
        close = np.flatnonzero(spread < 1e-6 * squares)
        for at in close.tolist():
            d = self._whole[:, a[at]] - self._whole[:, b[at]]
            spread[at] = float(((d - d.mean()) ** 2).sum())
        return np.sqrt(spread / (self.units * (self.units - 1))) / self._scale

    def _parts(self, a: Integers, b: Integers) -> Iterator[tuple[slice, Floats, Integers, Integers]]:
        """Pairs in slices, with the sums of their runs under each flip, and the pairs by their places among these runs.

        One slice has all pairs, unless these are about as many as the runs and the sums too many to hold: 10,000 runs against
        a baseline need no more memory than 200.
        """
        runs = self._whole.shape[1]
        if "_sums" in vars(self) or runs * self.count <= AT_ONCE or len(a) > 2 * runs:
            yield slice(0, len(a)), self._sums, a, b
            return
        for here in slices(len(a), self.count):
            taking_part, first, second = local(a[here], b[here])
            assert second is not None, "pairs have a second run"
            yield here, self._sums_of(self._whole[:, taking_part]), first, second

    def seen(self, a: Integers, b: Integers) -> Floats:
        """r of each pair of runs as it is."""
        known = self._of(a, b)
        return np.minimum(known.sums**2 * known.scales, 1.0)

    def _of(self, a: Integers, b: Integers) -> _PairMoments:
        """Return the cached statistics of these pairs: tests and corrections ask for the same ones one after the other."""
        last = self._last
        if last is None or not (np.array_equal(last.a, a) and np.array_equal(last.b, b)):
            sums, scales = self._moments(a, b)
            last = self._last = _PairMoments(a, b, sums, scales, self.shares(a, b))
        return last

    def _moments(self, a: Integers, b: Integers) -> tuple[Floats, Floats]:
        """Σd, and 1/(uΣd²) or 0, of each pair."""
        sums, squares = self._sums_and_squares(a, b)
        squares = self.units * squares
        return sums, np.divide(1.0, squares, out=np.zeros(len(squares)), where=squares > 0)

    def flipped(self, a: Integers, b: Integers) -> Iterator[tuple[slice, Floats]]:
        """Blocks of pairs, with r of each pair under each flip: pairs × flips."""
        known = self._of(a, b)
        for part, sums, first, second in self._parts(a, b):
            for within in slices(len(first), max(self.count, self.units)):
                stars = sums[first[within]]
                stars -= sums[second[within]]
                stars *= stars
                here = slice(part.start + within.start, part.start + within.stop)
                stars *= known.scales[here][:, None]
                yield here, stars

    def p(self, r: Floats, a: Integers, b: Integers) -> Floats:
        """The share of flips of each pair by itself whose r reaches the pair's own."""
        counts, _ = self._reached(r - CLOSE, a, b)
        return self.share(counts)

    def _reached(self, bounds: Floats | None, a: Integers, b: Integers) -> tuple[Integers, Floats]:
        """How many flips reach each pair's bound, and the largest r (with c) under each flip."""
        known = self._of(a, b)
        counts, largest = np.zeros(0 if bounds is None else len(a), dtype=np.int64), np.zeros(self.count)
        for here, sums, first, second in self._parts(a, b):
            shares = known.shares[here]
            at = None if bounds is None else bounds[here] * shares
            reached, high = kernels.flipped(sums, first, second, known.scales[here] * shares, at, self._threads)
            if bounds is not None:
                counts[here] = reached
            np.maximum(largest, high, out=largest)
        known.largest = largest
        return counts, largest

    def critical(self, levels: Floats, a: Integers, b: Integers) -> Floats:
        """Return the value that r of each pair by itself must exceed to be significant at its level."""
        bounds = np.empty(len(a))
        for here, stars in self.flipped(a, b):
            for i, level in enumerate(levels[here].tolist()):
                bounds[here.start + i] = self.exceeded(stars[i], level)
        return bounds

    def maxima(self, a: Integers, b: Integers, others: Sequence[SignFlips] = ()) -> Floats:
        """The largest r (with c) over these pairs under each flip, and over `others`' measures."""
        known = self._of(a, b)
        largest = self._reached(None, a, b)[1] if known.largest is None else known.largest
        largest = largest.copy() if others else largest
        for other in others:
            np.maximum(largest, r_of(t_of(other.maxima(a, b), other.units), self.units), out=largest)
        return largest

    def share(self, reached: Any) -> Floats:
        """Counts of flips that reach something as p-values: never 0, the data being one of the flips there could be."""
        reached = np.asarray(reached, dtype=np.float64)
        return reached / self.count if self.every else (reached + 1) / (self.count + 1)

    def exceeded(self, stars: Floats, level: float) -> float:
        """The value that a statistic exceeds exactly where its p among these flips is at most `level`."""
        place = floor(level * self.count + CLOSE) + 1 if self.every else floor(level * (self.count + 1) + CLOSE)
        place = min(max(place, 1), len(stars))
        return float(np.partition(stars, len(stars) - place)[len(stars) - place]) + CLOSE

    def least_p(self, a: Integers, b: Integers) -> Floats:
        """The smallest p each pair can have: two flips of 2^m are as extreme as a run that wins wherever the two differ."""
        # A pair differs on at least Σd²/max d² units; the p of more than these is rounded to that of a resample.
        most = float(np.ptp(self._whole, axis=1).max()) ** 2
        differing = np.floor(self._squares(a, b) / most * (1 - CLOSE)) if most else np.zeros(len(a))
        counted = np.flatnonzero(differing < MANY_UNITS)
        for here in slices(len(counted), CACHED * self.units):
            at = counted[here]
            differing[at] = (self._whole[:, a[at]] != self._whole[:, b[at]]).sum(axis=0)
        p = 2.0 ** (1 - np.minimum(differing, 1000))
        return np.minimum(p if self.every else np.maximum(p, 1 / (self.count + 1)), 1.0)


class _CentredFlips(SignFlips):
    """The flips of a large table less each run's mean: Σ±(v - m) = Σ±v - mΣ±1.

    Sums of 1,000 runs on 12,000 topics under 10,000 flips need no second matrix product, which takes a third of the comparison.
    """

    def __init__(self, flips: SignFlips) -> None:
        super().__init__(flips.linear[:1], resamples=flips.count, sampled=True)
        self._flips, self.units, self.constant, self._scale = flips, flips.units, flips.constant, flips._scale
        self._whole = flips._whole

    @cached_property
    def _sums(self) -> Floats:
        means = self._whole.sum(axis=0) / self.units
        return self._flips._sums - means[:, None] * self._flips._signs

    def _sums_and_squares(self, a: Integers, b: Integers) -> tuple[Floats, Floats]:
        sums, squares = self._flips._sums_and_squares(a, b)
        centred = squares - sums * sums / self.units
        # Equal differences leave only rounding.
        return np.zeros(len(a)), np.where(centred > 1e-12 * squares, centred, 0.0)
