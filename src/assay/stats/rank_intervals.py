"""Simultaneous confidence intervals of ranks, from tests of all pairs.

The rank of one of k runs lies between 1 + the number of runs significantly better and k - the number significantly worse. Where the
tests keep the chance of any error at α, all intervals hold all ranks with a probability of 1 - α (Mogstad, Romano, Shaikh and
Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024). Equal runs share the ranks from 1 + the number truly better to
k - the number truly worse, and an interval holds them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


def rank_intervals(winners: Any, losers: Any, runs: int) -> tuple[Counts, Counts]:
    """Return the best and the worst rank of each run.

    winners, losers   the positions of the runs of each significant pair
    runs              how many there are

    The first of four runs beats the last two, and the second the last:

    >>> low, high = rank_intervals([0, 0, 1], [2, 3, 3], 4)
    >>> low.tolist(), high.tolist()
    ([1, 1, 2, 3], [2, 3, 4, 4])
    """
    winners, losers = (np.asarray(runs_of, dtype=np.int64) for runs_of in (winners, losers))
    return 1 + np.bincount(losers, minlength=runs), runs - np.bincount(winners, minlength=runs)


def places(values: Sequence[float] | NDArray[np.float64]) -> list[int]:
    """Return the place of each value, largest first; equal values share the better place.

    >>> places([0.5, 0.7, 0.5, 0.1])
    [2, 1, 2, 4]
    """
    descending = np.sort(-np.asarray(values, dtype=np.float64))
    return (1 + np.searchsorted(descending, -np.asarray(values), side="left")).tolist()
