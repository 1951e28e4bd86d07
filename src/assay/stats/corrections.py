"""Many comparisons at once: p-values adjusted so that the whole family errs no more than one test would.

holm     family-wise error, any dependence (Holm 1979)
bh       false discovery rate (Benjamini and Hochberg 1995)
tukey    family-wise error over all pairs by randomisation: the largest difference between any two runs when every
         topic's scores are shuffled among the runs (Carterette, TOIS 2012; Sakai, Laboratory Experiments, 2018)

A correction is a function and its declaration; commands, outputs and sentences follow. One `of` p-values takes those of
the pairs that are compared; one `of` runs looks at all pairs of the runs at once, whichever are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats, Integers, slack
from assay.resampling.samples import Sample

P_VALUES, RUNS = "p-values", "runs"
NONE = "none"


@dataclass(frozen=True)
class Correction:
    """A declared correction."""

    name: str
    label: str
    """What sentences call it."""
    of: str
    """p-values → adjusted p-values; or runs: a sample → the null distribution of its largest difference."""
    family_wise: bool
    """Whether it keeps the chance of any error at all, so that each of m tests has a share of the level."""
    function: Callable[..., Any]


_DECLARED: dict[str, Correction] = {}


def declared() -> Mapping[str, Correction]:
    """Every correction by name, in the order in which outputs list them.

    >>> list(declared())
    ['holm', 'bh', 'tukey']
    """
    return _DECLARED


def correction(
    name: str, *, label: str, of: str = P_VALUES, family_wise: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a correction."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        _DECLARED[name] = Correction(name, label, of, family_wise, function)
        return function

    return declare


@correction("holm", label="Holm")
def holm(p: Sequence[float] | Floats) -> Floats:
    """Holm's step-down: the i-th smallest of m p-values times m - i + 1, never below an earlier one.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    return _stepped(p, lambda values: np.maximum.accumulate(values * np.arange(len(values), 0, -1)))


@correction("bh", label="Benjamini-Hochberg", family_wise=False)
def benjamini_hochberg(p: Sequence[float] | Floats) -> Floats:
    """Benjamini and Hochberg's step-up: the i-th smallest of m p-values times m/i, never above a later one.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    return _stepped(p, lambda v: np.minimum.accumulate((v * (len(v) / np.arange(1, len(v) + 1)))[::-1])[::-1])


def _stepped(p: Sequence[float] | Floats, steps: Callable[[Floats], Floats]) -> Floats:
    """p-values adjusted in ascending order, at most 1, in the order they came in."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(steps(values[order]), 1.0)
    return adjusted


@dataclass(frozen=True)
class Tukey:
    """Randomised Tukey HSD: the null distribution of the largest difference between any two runs."""

    ranges: Floats
    """The range of the runs' values under each shuffle, ascending."""
    values: Floats
    resamples: int

    def p(self, a: Integers, b: Integers) -> Floats:
        """Adjusted p of each pair: (1 + shuffles whose range reaches the difference)/(1 + shuffles)."""
        seen = np.abs(self.values[a] - self.values[b])
        reached = len(self.ranges) - np.searchsorted(self.ranges, seen - slack(self.values), side="left")
        return (1 + reached) / (self.resamples + 1)

    def critical(self, alpha: float) -> float:
        """The difference two runs must reach to be called different at this level."""
        return float(np.quantile(self.ranges, 1 - alpha, method="higher"))

    def least_p(self, units: int) -> float:
        """Of the shuffles of r runs, (r(r-1))^(1-u) find the same two runs at the ends on all u units."""
        runs = len(self.values)
        return (runs * (runs - 1)) ** float(1 - units)


@correction("tukey", label="Tukey HSD", of=RUNS)
def tukey_hsd(sample: Sample, *, resamples: int = 10_000, seed: int = 0, threads: int | None = None) -> Tukey:
    """Randomised Tukey HSD, paired by topic. The same seed gives the same answer on any number of threads.

    Two runs: half of all shuffles keep or mirror the difference, so p approaches the randomisation test's.

    >>> from assay.resampling.samples import Mean
    >>> sample = Mean(np.array([[0.5, 0.25], [0.75, 0.25], [0.5, 0.25]]))
    >>> tukey = tukey_hsd(sample, resamples=9999, seed=1)
    >>> bool(abs(tukey.p(np.array([0]), np.array([1]))[0] - 2 / 2**3) < 0.02)
    True
    """
    ranges = sample.shuffled_ranges(resamples, seed, threads)
    # An undefined measure under some shuffle counts as the largest range: it never makes a pair look different.
    return Tukey(np.sort(np.where(np.isfinite(ranges), ranges, np.inf)), sample.values(), resamples)


def share_significant(p: Sequence[float] | Floats, levels: Sequence[float] = (0.01, 0.05)) -> dict[float, float]:
    """The share of pairs significant at each level, as Sakai reports it for the runs of NTCIR-4 QAC2.

    >>> share_significant([0.001, 0.03, 0.2, 0.009])
    {0.01: 0.5, 0.05: 0.75}
    """
    values = np.asarray(p, dtype=np.float64)
    return {level: float(np.count_nonzero(values < level)) / len(values) for level in levels} if len(values) else {}
