"""Corrections for multiple comparisons: max-T, step-down max-T, Holm, Benjamini-Hochberg and Tukey's HSD.

maxt       family-wise error: the largest |t| of any pair under joint sign flips (Westfall and Young 1993; single step)
stepdown   the same, each pair against those not yet told apart only (Romano and Wolf, JASA 2005)
holm       family-wise error, any dependence (Holm 1979)
bh         false discovery rate (Benjamini and Hochberg 1995)
tukey      family-wise error over all pairs by randomisation: the largest difference between any two runs when every
           topic's scores are shuffled among the runs (Carterette, TOIS 2012; Sakai, Laboratory Experiments, 2018)

A correction is a function and its declaration; commands, outputs and sentences follow. Each gives an adjusted p per pair and
what an interval needs to say the same as it. One `of` p-values gives the level of each pair's own interval; one `of`
flips what r (see `resampling/sign_flips.py`) must exceed; one `of` runs looks at all pairs of the runs, and gives the difference
that two of them must exceed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats, Integers, slack
from assay.resampling.integer_scaling import SCALE
from assay.resampling.resamplers import Resampler
from assay.resampling.sign_flips import CLOSE, SMALL_UNITS, SignFlips

P_VALUES, FLIPS, RUNS = "p-values", "flips", "runs"
NONE = "none"


@dataclass(frozen=True)
class Adjustment:
    """A correction for multiple comparisons, as it was declared."""

    name: str
    label: str
    """What sentences call it."""
    of: str
    """P_VALUES, FLIPS or RUNS."""
    family_wise: bool
    """Whether it keeps the chance of any error at all, so that each of m tests has a share of the level."""
    function: Callable[..., Any]


_DECLARED: dict[str, Adjustment] = {}


def declared() -> Mapping[str, Adjustment]:
    """Every correction by name, in the order in which outputs list them.

    >>> list(declared())
    ['maxt', 'stepdown', 'holm', 'bh', 'tukey']
    """
    return _DECLARED


def adjustment(
    name: str, *, label: str, of: str = P_VALUES, family_wise: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a correction."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        _DECLARED[name] = Adjustment(name, label, of, family_wise, function)
        return function

    return declare


Adjusted = tuple[Floats, Floats]
"""Adjusted p-values, and what goes with them (see above)."""


@adjustment("maxt", label="max-T", of=FLIPS)
def max_t(
    flips: SignFlips, r: Floats, a: Integers, b: Integers, alpha: float = 0.05, others: Sequence[SignFlips] = ()
) -> Adjusted:
    """The share of flips whose largest r over all pairs (and all measures, with `others`) reaches the pair's own.

    Over few units, r has the family's constant c in its denominator (see `resampling/sign_flips.py`).

    Three topics that all say the same have 8 flips, of which 2 keep every difference:

    >>> flips = SignFlips(np.array([[3.0, 2.0, 0.0]] * 3), resamples=100)
    >>> a, b = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> max_t(flips, flips.seen(a, b), a, b)[0].tolist()
    [0.25, 0.25, 0.25]
    """
    largest = flips.maxima(a, b, others)
    reached = len(largest) - np.searchsorted(np.sort(largest), r - CLOSE, side="left")
    return flips.share(reached), np.full(len(a), flips.exceeded(largest, alpha))


@adjustment("stepdown", label="step-down max-T", of=FLIPS)
def step_down(
    flips: SignFlips, r: Floats, a: Integers, b: Integers, alpha: float = 0.05, others: Sequence[SignFlips] = ()
) -> Adjusted:
    """Pairs in the order of their r, each against the largest r of itself and the pairs that come after it.

    No p is below an earlier one. Pairs that are not significant have the last step's critical value in common.
    """
    shares = flips.shares(a, b)
    order = np.argsort(r, kind="stable")
    adjusted, critical = np.empty(len(r)), np.empty(len(r))
    largest = flips.maxima(a[:0], b[:0], others)
    for i in order.tolist():
        for _, stars in flips.flipped(a[i : i + 1], b[i : i + 1]):
            np.maximum(largest, stars[0] * shares[i], out=largest)
        adjusted[i] = flips.share(np.count_nonzero(largest >= r[i] - CLOSE))
        critical[i] = flips.exceeded(largest, alpha)
    adjusted[order[::-1]] = np.maximum.accumulate(adjusted[order[::-1]])
    failed = adjusted > alpha
    if failed.any():
        first = order[::-1][np.argmax(failed[order[::-1]])]
        critical[failed] = critical[first]
    return adjusted, critical


def adjust_flips(
    function: Callable[..., Adjusted], flips: SignFlips, r: Floats, a: Integers, b: Integers, alpha: float,
    others: Sequence[SignFlips] = (),
) -> Adjusted:  # fmt: skip
    """The larger p-value and critical r of two null distributions: flips of the values, and of the values less each run's mean.

    Where two groups of runs are far from each other, flips of the values correlate all pairs across the gap, which then seem to be one
    comparison: printed intervals missed in .087 of cases instead of .05 (benchmarks/inference.py). Centred by run, pairs are
    as correlated as their noise is. Over few units flips of the values are exact, and the centred ones cost power.
    """
    as_is = function(flips, r, a, b, alpha, others)
    if flips.units < SMALL_UNITS:
        return as_is
    centred = function(flips.centred, r, a, b, alpha, [other.centred for other in others])
    return np.maximum(as_is[0], centred[0]), np.maximum(as_is[1], centred[1])


@adjustment("holm", label="Holm")
def holm(p: Sequence[float] | Floats, alpha: float = 0.05) -> Adjusted:
    """Holm's step-down: the i-th smallest of m p-values times m - i + 1, never below an earlier one.

    The level of the i-th is α/(m - i + 1); those not significant share the level of the first of them.

    >>> [column.round(4).tolist() for column in holm([0.01, 0.04, 0.03])]
    [[0.03, 0.06, 0.06], [0.0167, 0.025, 0.025]]
    """
    return _stepped(p, alpha, lambda v: np.maximum.accumulate(v * np.arange(len(v), 0, -1)), _holm_levels)


def _holm_levels(rejected: int, m: int, alpha: float) -> Floats:
    return alpha / np.maximum(m - np.minimum(np.arange(m), rejected), 1)


@adjustment("bh", label="Benjamini-Hochberg", family_wise=False)
def benjamini_hochberg(p: Sequence[float] | Floats, alpha: float = 0.05) -> Adjusted:
    """Benjamini and Hochberg's step-up: the i-th smallest of m p-values times m/i, never above a later one.

    The level of the R that are significant is Rα/m (Benjamini and Yekutieli, JASA 2005), of the others (R + 1)α/m.

    >>> [column.round(4).tolist() for column in benjamini_hochberg([0.01, 0.04, 0.5])]
    [[0.03, 0.06, 0.5], [0.0167, 0.0333, 0.0333]]
    """

    def steps(values: Floats) -> Floats:
        return np.minimum.accumulate((values * (len(values) / np.arange(1, len(values) + 1)))[::-1])[::-1]

    return _stepped(p, alpha, steps, _bh_levels)


def _bh_levels(rejected: int, m: int, alpha: float) -> Floats:
    return alpha / max(m, 1) * np.minimum(np.where(np.arange(m) < rejected, rejected, rejected + 1), m)


def _stepped(
    p: Sequence[float] | Floats, alpha: float, steps: Callable[[Floats], Floats], levels: Callable[..., Floats]
) -> Adjusted:
    """p-values adjusted in ascending order, at most 1, and levels, in the order they came in."""
    values = np.asarray(p, dtype=np.float64)
    if not len(values):  # nothing was tested
        return values, values.copy()
    order = np.argsort(values, kind="stable")
    adjusted, level = np.empty_like(values), np.empty_like(values)
    adjusted[order] = np.minimum(steps(values[order]), 1.0)
    level[order] = levels(int(np.count_nonzero(adjusted <= alpha)), len(values), alpha)
    return adjusted, level


@dataclass(frozen=True)
class Tukey:
    """Randomised Tukey HSD: the null distribution of the largest difference between any two runs."""

    ranges: Floats
    """The range of the runs' values under each shuffle, ascending."""
    values: Floats
    resamples: int
    scale: int = SCALE

    def p(self, a: Integers, b: Integers) -> Floats:
        """Adjusted p of each pair: (1 + shuffles whose range reaches the difference)/(1 + shuffles)."""
        seen = np.abs(self.values[a] - self.values[b])
        reached = len(self.ranges) - np.searchsorted(self.ranges, seen - slack(self.values, self.scale), side="left")
        return (1 + reached) / (self.resamples + 1)

    def critical(self, alpha: float) -> float:
        """The difference two runs must exceed to be called different at this level; infinite where no p is as small."""
        place = floor(alpha * (self.resamples + 1) + CLOSE)
        difference = float(self.ranges[len(self.ranges) - place]) if place >= 1 else float("inf")
        return difference + slack(self.values, self.scale)

    def least_p(self, units: int) -> float:
        """Of the shuffles of r runs, (r(r-1))^(1-u) find the same two runs at the ends on all u units."""
        runs = len(self.values)
        return (runs * (runs - 1)) ** float(1 - units)


@adjustment("tukey", label="Tukey HSD", of=RUNS)
def tukey_hsd(resampler: Resampler, *, resamples: int = 10_000, seed: int = 0, threads: int | None = None) -> Tukey:
    """Randomised Tukey HSD, paired by topic. The same seed gives the same answer on any number of threads.

    Two runs: half of all shuffles keep or mirror the difference, so p approaches the randomisation test's.

    >>> from assay.resampling.resamplers import MeanResampler
    >>> resampler = MeanResampler(np.array([[0.5, 0.25], [0.75, 0.25], [0.5, 0.25]]))
    >>> tukey = tukey_hsd(resampler, resamples=9999, seed=1)
    >>> bool(abs(tukey.p(np.array([0]), np.array([1]))[0] - 2 / 2**3) < 0.02)
    True
    """
    ranges = resampler.shuffled_ranges(resamples, seed, threads)
    # An undefined measure under some shuffle counts as the largest range: it never makes a pair look different.
    return Tukey(np.sort(np.where(np.isfinite(ranges), ranges, np.inf)), resampler.values(), resamples, resampler.scale)


def share_significant(p: Sequence[float] | Floats, levels: Sequence[float] = (0.01, 0.05)) -> dict[float, float]:
    """The share of pairs significant at each level, as Sakai reports it for the runs of NTCIR-4 QAC2.

    >>> share_significant([0.001, 0.03, 0.2, 0.009])
    {0.01: 0.5, 0.05: 0.75}
    """
    values = np.asarray(p, dtype=np.float64)
    return {level: float(np.count_nonzero(values <= level)) / len(values) for level in levels} if len(values) else {}
