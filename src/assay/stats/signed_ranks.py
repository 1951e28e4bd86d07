"""Wilcoxon's signed-rank test of many pairs at once."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACT_RANKS = 50
"""From this many differences the p-value is the normal approximation, as in R's wilcox.test."""
CELLS = 1 << 20
"""Differences processed at once, which take at most a hundred megabytes."""


def signed_rank_test(differences: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the p-value of each pair, from topics × pairs of differences.

    >>> signed_rank_test(np.array([[1], [2], [3], [4]])).tolist()  # 2 / 2**4
    [0.125]
    """
    topics, pairs = differences.shape
    step = max(1, CELLS // max(1, topics))
    blocks = [_block(differences[:, at : at + step].T) for at in range(0, pairs, step)]
    return np.concatenate([*blocks, np.empty(0)])


def _block(differences: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Test a few pairs, a row each. Twice the ranks are whole numbers, so sums are exact."""
    pairs, topics = differences.shape
    size = np.abs(differences)
    order = np.argsort(size, axis=1)
    size = np.take_along_axis(size, order, axis=1)
    above = np.take_along_axis(differences > 0, order, axis=1)
    begins = np.concatenate([np.ones((pairs, 1), dtype=bool), size[:, 1:] != size[:, :-1]], axis=1)[:, :topics]
    ends = np.concatenate([begins[:, 1:], np.ones((pairs, 1), dtype=bool)], axis=1)[:, :topics]
    place = np.arange(topics)
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, place, topics)[:, ::-1], axis=1)[:, ::-1]
    zeros = np.count_nonzero(size == 0, axis=1)
    plus = ((first + last + 2 - 2 * zeros[:, None]) * above).sum(axis=1) / 2
    alike = np.where(begins & (size > 0), last - first + 1, 1)
    tied = (alike**3 - alike).sum(axis=1)
    return np.array([_p(*sums, topics) for sums in zip(plus.tolist(), zeros.tolist(), tied.tolist(), strict=True)])


def _p(plus: float, zeros: int, tied: int, topics: int) -> float:
    """Return p from the rank sum of positive differences, the number of zeros, and Σ t³ - t over tied sizes."""
    n = topics - zeros
    if n == 0:
        return 1.0
    if not zeros and not tied and n < EXACT_RANKS:
        return _exact(int(plus), n)
    from scipy.special import ndtr

    variance = n * (n + 1) * (2 * n + 1) / 24 - float(tied) / 48
    corrected = max(abs(plus - n * (n + 1) / 4) - 0.5, 0.0)
    return min(1.0, 2 * float(ndtr(-corrected / np.sqrt(variance)))) if variance > 0 else 1.0


def _exact(plus: int, n: int) -> float:
    """Return twice the share of the 2^n ways to sign ranks 1..n with a positive rank sum as extreme."""
    top = n * (n + 1) // 2
    ways = np.zeros(top + 1, dtype=np.int64)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] += ways[: top + 1 - rank].copy()
    tail = int(ways[: min(plus, top - plus) + 1].sum())
    return min(1.0, 2 * tail / 2**n)
