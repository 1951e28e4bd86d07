"""Intervals of differences of macro means, from each pair's interval on every task.

How far a pair's interval on a task reaches is squared, added over tasks and rooted, on either side (Zou and Donner; see
`stats/combined_intervals.py`). In a task of 20 questions that two runs all answered alike, their difference may still be up to .16:
flips of what was seen would take it for 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from assay.resampling.arithmetic import Floats
from assay.stats.combined_intervals import mean_interval

ITERATIONS = 60
"""Steps at most; about ten are enough."""
PRECISION = 1e-10
"""Of the normal quantile at which an interval reaches 0."""


class TaskIntervals(Protocol):
    """The intervals of pairs of runs on one task, or on several: ends are pairs, or tasks × pairs."""

    def ends(self, z: Floats) -> tuple[Floats, Floats]:
        """The ends at each pair's normal quantile."""
        ...


@dataclass(frozen=True)
class CombinedTasks:
    """Each pair's interval of the macro mean, from its intervals on the tasks."""

    tasks: Sequence[TaskIntervals]
    differences: Floats
    """Tasks × pairs."""
    largest_z: float
    """The largest normal quantile that the tasks' intervals are made for."""
    replaces_flips: bool = False

    def ends(self, z: Floats) -> tuple[Floats, Floats]:
        both = [task.ends(z) for task in self.tasks]
        low, high = (np.concatenate([np.atleast_2d(ends[side]) for ends in both]) for side in (0, 1))
        return mean_interval(self.differences, low, high)

    @cached_property
    def z(self) -> Floats:
        """The quantile at which each interval reaches 0, from below; by false position (the Illinois rule)."""
        mean = self.differences.mean(axis=0)
        size = np.abs(mean)
        near, far = np.zeros(len(mean)), np.full(len(mean), self.largest_z)
        short, beyond = -size, self._reach(far, mean) - size
        never, kept = beyond < 0, np.zeros(len(mean))
        for _ in range(ITERATIONS):
            if ((far - near <= PRECISION) | never).all():
                break
            gap = np.where(beyond > short, beyond - short, 1.0)
            middle = np.clip(near - short / gap * (far - near), near, far)
            value = self._reach(middle, mean) - size
            inside = value < 0
            # An end that is kept twice counts half, or it would be kept for long.
            beyond = np.where(inside, np.where(kept > 0, beyond / 2, beyond), value)
            short = np.where(inside, value, np.where(kept < 0, short / 2, short))
            near, far = np.where(inside, middle, near), np.where(inside, far, middle)
            kept = np.where(inside, 1.0, -1.0)
        return np.where(never, self.largest_z, near)

    def _reach(self, z: Floats, mean: Floats) -> Floats:
        """How far the intervals at z reach from the difference towards 0."""
        low, high = self.ends(z)
        return np.where(mean > 0, mean - low, high - mean)
