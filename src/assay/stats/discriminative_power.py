"""Discriminative power: the share of pairs of runs that differ significantly under a measure.

Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006: a significance test for every pair of runs,
the achieved significance levels (ASL) sorted into a curve. The tests are the paired bootstrap and the randomised Tukey
HSD (Carterette, TOIS 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.resampling.arithmetic import Floats, Integers, slack
from assay.resampling.resamplers import AT_ONCE, Resampler
from assay.resampling.subsets import Subsets, undefined
from assay.stats.multiple_comparisons import share_significant, tukey_hsd

ALPHAS = (0.01, 0.05)
METHODS = ("bootstrap", "tukey")
CLOSE = 1e-9
"""Statistics within this relative difference are equal, so that a resample that repeats the data counts."""


@dataclass(frozen=True)
class Discrimination:
    """The tests of all pairs under one measure."""

    method: str
    trials: int
    pairs: list[tuple[str, str]]
    differences: list[float]
    levels: list[float]
    """The achieved significance level of each pair."""

    def separated(self, alpha: float = 0.05) -> float:
        """Return the share of pairs whose level is below `alpha`."""
        return share_significant(self.levels, [alpha])[alpha]

    def half_difference(self, alpha: float = 0.05) -> float | None:
        """Return the difference from which at least half of the pairs are separated, if any."""
        return half_point(np.abs(self.differences), np.asarray(self.levels) < alpha)

    @property
    def curve(self) -> list[float]:
        """The levels of all pairs, largest first, as in the ASL curves of the paper."""
        return sorted(self.levels, reverse=True)

    def to_dict(self) -> dict[str, Any]:
        return {
            "trials": self.trials,
            "pairs": len(self.pairs),
            "separated": {str(alpha): self.separated(alpha) for alpha in ALPHAS},
            "half_difference": {str(alpha): self.half_difference(alpha) for alpha in ALPHAS},
            "asl": self.curve,
        }


def half_point(differences: Sequence[float] | Floats, separated: Any) -> float | None:
    """Return the smallest difference at which the isotonic regression of separated (0 or 1) on it reaches one half.

    >>> half_point([0.01, 0.02, 0.03, 0.04], [False, True, False, True])
    0.02
    >>> half_point([0.1, 0.2], [False, False]) is None
    True
    """
    pools: list[tuple[float, int, int]] = []
    for pool in _grouped(np.asarray(differences, dtype=np.float64), np.asarray(separated, dtype=np.int64)):
        while pools and pools[-1][1] * pool[2] >= pool[1] * pools[-1][2]:
            start, hits, size = pools.pop()
            pool = (start, hits + pool[1], size + pool[2])
        pools.append(pool)
    return next((start for start, hits, size in pools if 2 * hits >= size), None)


def _grouped(differences: Floats, separated: Integers) -> list[tuple[float, int, int]]:
    """Count separated and all pairs by difference.

    Neighbours of which all or none are separated are pooled here: most of half a million pairs.
    """
    if not len(differences):
        return []
    order = np.argsort(differences, kind="stable")
    rising, ordered = differences[order], separated[order]
    starts = np.flatnonzero(np.append(True, rising[1:] != rising[:-1]))
    hits, sizes = np.add.reduceat(ordered, starts), np.diff(np.append(starts, len(rising)))
    share = np.where(hits == 0, 0, np.where(hits == sizes, 1, 2))
    new = np.flatnonzero(np.append(True, (share[1:] != share[:-1]) | (share[1:] == 2)))
    pooled = (rising[starts[new]], np.add.reduceat(hits, new), np.add.reduceat(sizes, new))
    return list(zip(*(column.tolist() for column in pooled), strict=True))


def discriminate(subsets: Subsets, measure: str, method: str, *, resamples: int, seed: int = 0) -> Discrimination:
    """Test every pair of runs by one measure on all topics; one resample of the topics serves all pairs."""
    if method not in METHODS:
        raise UsageError(f"`discrimination={method!r}`: expected some of {', '.join(METHODS)}")
    first, second = np.triu_indices(len(subsets.runs), 1)
    resampler = subsets.resamplers[measure]
    if not resampler.can("pair"):
        raise UsageError(
            f"{measure}: tests of pairs need every run on the same {subsets.noun}s; use `missing='common'`"
        )
    values = resampler.values()
    if not np.isfinite(values).all():
        run = subsets.runs[int(np.flatnonzero(~np.isfinite(values))[0])]
        raise undefined(measure, run, f"all {subsets.topics} {subsets.noun}s")
    if method == "bootstrap":
        levels = bootstrap_levels(resampler, first, second, resamples=resamples, seed=seed)
    elif not resampler.can("shuffle"):
        raise UsageError(f"{measure} is a measure of whole runs; the randomised Tukey HSD needs values per topic")
    else:
        levels = tukey_hsd(resampler, resamples=resamples, seed=seed).p(first, second)
    return Discrimination(
        method, resamples, subsets.named_pairs, (values[first] - values[second]).tolist(), levels.tolist()
    )


def bootstrap_levels(resampler: Resampler, a: Integers, b: Integers, *, resamples: int, seed: int) -> Floats:
    """Return achieved significance levels by the paired bootstrap of Sakai (2006): |t(w*)| against |t(z)|.

    t is the difference over its standard error; w* are resampled differences shifted to mean zero. Without a standard
    error, for measures of whole runs, the difference itself is the statistic. Levels carry the +1 correction and are
    never zero; a resample on which a run's measure is undefined counts as one that reaches the statistic.
    """
    values = resampler.values()
    draws = resampler.bootstrap(resamples, seed)
    levels = np.empty(len(a))
    width = max(1, AT_ONCE // resamples)
    room = slack(values, resampler.scale)
    for start in range(0, len(a), width):
        x, y = a[start : start + width], b[start : start + width]
        seen = values[x] - values[y]
        away = abs(draws[:, x] - draws[:, y] - seen)
        statistic = abs(seen)
        if resampler.can("errors"):
            statistic = _ratio(statistic, resampler.errors(x, y), room)
            away = _ratio(away, resampler.bootstrap_errors(x, y, resamples, seed, None), room)
        reached = ~(away < statistic * (1 - CLOSE))
        levels[start : start + width] = (reached.sum(axis=0) + 1) / (resamples + 1)
    return levels


def _ratio(top: Floats, bottom: Floats, room: float) -> Floats:
    """Return top/bottom, with 0/0 = 0 and x/0 infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(top <= room, 0.0, top / bottom)
