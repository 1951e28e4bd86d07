"""Anchor items: choose a few questions that represent all, and test how well they rank held-out runs.

Anchor points (Vivek et al., Anchor Points: Benchmarking Models with Much Fewer Examples, EACL 2024; Polo et al., tinyBenchmarks,
ICML 2024): k-means clusters items by the runs' values on them, starting at equal steps of difficulty (no randomness). The item
nearest to each centre is kept, weighted by the size of its cluster. A run's score is the weighted mean over the kept items.

Quality is measured on held-out runs: half of the runs choose the items, which rank the other half; over several splits, each in
both directions. The baseline is as many random items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.random import stream
from assay.resampling.arithmetic import Floats
from assay.settings import Kind, checked
from assay.stats.rank_correlation import kendall_tau_b

MIN_RUNS = 6
"""Half of fewer runs cannot be ranked."""
HALVES = 10
"""Splits of the runs into halves, each used in both directions."""
INNER = 3
"""Splits among the choosing runs, to choose the number of items."""
DRAWS = 10
"""Random choices per half."""
ROUNDS = 25
ROUNDING = 12
"""Decimals to which two scores are compared."""
SIZES = (5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000)
"""The numbers of items that "auto" tries."""


@dataclass(frozen=True)
class AnchorQuality:
    """How well kept items score runs that did not choose them: means over halves."""

    tau: float | None
    """Kendall's tau-b between the rankings by the kept items and by all."""
    error: float
    """The mean absolute difference of a run's score from its score on all items."""
    largest: float
    """The largest such difference, averaged over halves."""
    others_tau: float | None
    """The same tau with the items not kept, which share no data with the kept ones."""
    others_error: float


@dataclass(frozen=True)
class Anchors:
    """The positions of the items to keep, their weights, and their quality for held-out runs."""

    items: list[int]
    weights: list[float]
    chosen: AnchorQuality
    random: AnchorQuality
    target: float | None
    """The tau that the size was chosen for; None if the size was given."""
    reached: bool
    """Whether a size reaches it among all runs; otherwise half of the items are kept."""
    sizes: list[int]
    """The number of items kept by each half of the runs."""
    halves: int


def anchors(
    values: Floats,
    keep: int | str,
    *,
    target: float = 0.9,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Anchors:
    """Choose items from items × runs: a number, or "auto" for the fewest that keep the ranking of held-out runs.

    With "auto" each half also chooses the size among its own runs, so that the quality covers the whole procedure.
    """
    items, runs = values.shape
    if keep != "auto" and not (isinstance(keep, int) and 1 <= keep < items):
        raise UsageError(f"`keep={keep}`: expected a number from 1 to {items - 1}, or auto")
    least = MIN_RUNS if keep != "auto" else 2 * MIN_RUNS
    if runs < least:
        raise InputError(
            f"`keep={keep}`: half of the runs choose and the other half are ranked; expected at least {least} runs, found {runs}"
        )
    checked("tau", target, Kind(float, "a number above 0 and up to 1, such as 0.9", above=0, high=1))
    splits = list(_halves(runs, HALVES if keep != "auto" else INNER, seed, "anchors"))
    chosen, blind, sizes = list[AnchorQuality](), list[AnchorQuality](), list[int]()
    for number, (fit, test) in enumerate(splits):
        size = keep if isinstance(keep, int) else _smallest(values[:, fit], target, seed)[0]
        sizes.append(size)
        held = _Test(values[:, test])
        chosen.append(held.by(*medoids(values[:, fit], size)))
        for draw in range(DRAWS):
            lot = stream(seed, "blind anchors", number * DRAWS + draw).sample(range(items), size)
            blind.append(held.by(lot, [1 / size] * size))
        if progress is not None:
            progress(number + 1, len(splits) + 1)
    size, reached = (keep, True) if isinstance(keep, int) else _smallest(values, target, seed)
    kept, weights = medoids(values, size)
    if progress is not None:
        progress(len(splits) + 1, len(splits) + 1)
    wanted = target if keep == "auto" else None
    return Anchors(kept, weights, _mean(chosen), _mean(blind), wanted, reached, sizes, len(splits))


def _halves(runs: int, ways: int, seed: int, purpose: str) -> Iterator[tuple[list[int], list[int]]]:
    """Yield splits of the runs into a choosing and a ranked half, in both directions."""
    for way in range(ways):
        first = set(stream(seed, purpose, way).sample(range(runs), runs // 2))
        halves = sorted(first), [run for run in range(runs) if run not in first]
        yield halves
        yield halves[1], halves[0]


def _smallest(values: Floats, target: float, seed: int) -> tuple[int, bool]:
    """Return the fewest items that reach the tau on held-out runs, or half of all items; and whether any did."""
    most = max(1, len(values) // 2)
    for size in SIZES:
        if size >= most:
            break
        taus = [
            _Test(values[:, test]).by(*medoids(values[:, fit], size)).tau
            for fit, test in _halves(values.shape[1], INNER, seed, "sizes of anchors")
        ]
        known = [tau for tau in taus if tau is not None]
        if known and sum(known) / len(known) >= target:
            return size, True
    return most, False


def medoids(values: Floats, size: int) -> tuple[list[int], list[float]]:
    """Return `size` items with weights that add up to 1; missing cells count as the item's mean.

    Of four easy items and two hard ones, one of each kind is kept, with weights of two thirds and one third.

    >>> kept, weights = medoids(np.array([[1.0, 1, 1]] * 4 + [[0, 0, 1]] * 2), 2)
    >>> kept, [round(weight, 4) for weight in weights]
    ([0, 4], [0.6667, 0.3333])
    """
    present = np.isfinite(values)
    means = np.where(present, values, 0.0).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    filled = np.where(present, values, means[:, None])
    order = np.lexsort((filled @ (filled.mean(axis=0) - filled.mean()), means))
    middles = filled[order[((np.arange(size) + 0.5) * len(order) / size).astype(np.int64)]]
    groups = np.zeros(len(filled), dtype=np.int64)
    for _ in range(ROUNDS):
        nearest = _distances(filled, middles).argmin(axis=1)
        if (nearest == groups).all():
            break
        groups = nearest
        counts = np.bincount(groups, minlength=size)
        sums = np.stack([np.bincount(groups, run, minlength=size) for run in filled.T], axis=1)
        middles = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], middles)
    return _representatives(_distances(filled, middles), groups, size)


def _distances(items: Floats, middles: Floats) -> Floats:
    return (items**2).sum(axis=1)[:, None] - 2 * items @ middles.T + (middles**2).sum(axis=1)[None, :]


def _representatives(distances: Floats, groups: Any, size: int) -> tuple[list[int], list[float]]:
    """Return the nearest item of each group, or several of the largest groups if there are fewer groups than `size`."""
    members = {
        int(group): sorted(np.flatnonzero(groups == group).tolist(), key=lambda i: (round(distances[i, group], 9), i))
        for group in np.unique(groups)
    }
    many = dict.fromkeys(members, 1)
    for _ in range(size - len(members)):
        open_ = [group for group in members if many[group] < len(members[group])]
        many[max(open_, key=lambda group: len(members[group]) / many[group])] += 1
    kept = [(i, len(members[g]) / many[g] / len(groups)) for g in members for i in members[g][: many[g]]]
    kept.sort()
    return [i for i, _ in kept], [weight for _, weight in kept]


class _Test:
    """The runs that are held out, and what they reach on all items."""

    def __init__(self, values: Floats) -> None:
        self.present = np.isfinite(values)
        self.values = np.where(self.present, values, 0.0)
        self.sums, self.counts = self.values.sum(axis=0), self.present.sum(axis=0)

    def by(self, kept: list[int], weights: list[float]) -> AnchorQuality:
        """Compare the runs' scores on kept items with those on all items, and on the others."""
        short = _ratio(np.array(weights) @ self.values[kept], np.array(weights) @ self.present[kept])
        everything = _ratio(self.sums, self.counts)
        others = _ratio(self.sums - self.values[kept].sum(axis=0), self.counts - self.present[kept].sum(axis=0))
        known = np.isfinite(short) & np.isfinite(everything) & np.isfinite(others)
        if known.sum() < 2:
            raise InputError(
                "some runs have no value on any of the kept items. Fix: omit these runs, or keep more items."
            )
        short, everything, others = (values[known].round(ROUNDING) for values in (short, everything, others))
        off, away = np.abs(short - everything), np.abs(short - others)
        taus = kendall_tau_b(short, everything), kendall_tau_b(short, others)
        return AnchorQuality(taus[0], float(off.mean()), float(off.max()), taus[1], float(away.mean()))


def _ratio(top: Floats, bottom: Any) -> Floats:
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), np.nan)


def _mean(qualities: list[AnchorQuality]) -> AnchorQuality:
    """Return the means over halves; an undefined tau, where all runs tie, counts 0."""

    def over(name: str) -> float:
        return sum(getattr(quality, name) or 0.0 for quality in qualities) / len(qualities)

    return AnchorQuality(*(over(name) for name in AnchorQuality.__dataclass_fields__))
