"""The resampling kernels: the compiled ones where there is a core, their numpy twin where there is none.

Arrays are laid out trial by trial along the last axis, so that a pair of runs is compared over many trials at once.
`ROUND` trials at most in one call: the compiled counters are ten bits wide.
"""

from __future__ import annotations

import numpy as np

from assay.native import resample_twin as twin
from assay.native.library import LIBRARY

ROUND = 1000
LEVELS = 10
"""Fuzziness .01 … .10."""
EDGES = 22
"""All comparisons, those with a difference other than 0, and those of at least .01 … .20."""
KINDS = 3
"""All comparisons; with opposite signs on the two subsets; with exactly one difference of zero."""
BEST = 9
"""The widest instruction set there is; the tests ask for narrower ones."""


def pack(flags: np.ndarray) -> np.ndarray:
    """Rows of zeros and ones as rows of 64-bit words, topic 0 in the lowest bit.

    >>> pack(np.array([[1, 0, 1]])).tolist()
    [[5]]
    """
    return twin.pack(flags)


def unpack(masks: np.ndarray, topics: int) -> np.ndarray:
    """The reverse of `pack`, along the last axis."""
    return twin.unpack(masks, topics)


def subsets(key: int, first: int, trials: int, topics: int, size: int, sets: int) -> np.ndarray:
    """`sets` disjoint random subsets of `size` topics for each trial from `first` on: masks[trial, set, word].

    The draw is `random.Stream.sample`: a smaller subset of a trial is part of a larger one, and the first subset does
    not depend on whether a second is drawn.
    """
    if LIBRARY is None:
        return twin.subsets(key, first, trials, topics, size, sets)
    masks = np.empty((trials, sets, (topics + 63) // 64), np.uint64)
    if LIBRARY.assay_subsets(key, first, trials, topics, size, sets, masks.ctypes.data) != 0:
        raise MemoryError(f"no memory to draw subsets of {topics} topics")
    return masks


def add_bits(bits: np.ndarray, masks: np.ndarray, limit: int = BEST) -> np.ndarray:
    """How many chosen topics carry a one: sums[set, column, trial] of packed bits[column, word]."""
    if LIBRARY is None:
        return twin.add_bits(bits, masks)
    trials, sets, words = masks.shape
    sums = np.empty((sets, len(bits), trials), np.int32)
    LIBRARY.assay_add_bits(bits.ctypes.data, len(bits), words, masks.ctypes.data, trials, sets, sums.ctypes.data, limit)
    return sums


def add_values(values: np.ndarray, masks: np.ndarray, limit: int = BEST) -> np.ndarray:
    """The sum of the chosen topics: sums[set, column, trial] of int64 values[topic, column]."""
    if LIBRARY is None:
        return twin.add_values(values, masks)
    trials, sets, words = masks.shape
    columns = values.shape[1]
    sums = np.empty((sets, columns, trials), np.int64)
    if (
        LIBRARY.assay_add_values(
            values.ctypes.data, columns, words, masks.ctypes.data, trials, sets, sums.ctypes.data, limit
        )
        != 0
    ):
        raise MemoryError(f"no memory to add up {columns} columns")
    return sums


Tally = tuple[np.ndarray, np.ndarray]
"""outcomes[pair, 20] and edges[22, 3]."""


def tally(runs: int) -> Tally:
    """A tally of nothing yet, for the pairs of some runs."""
    return np.zeros((runs * (runs - 1) // 2, 2 * LEVELS), np.int64), np.zeros((EDGES, KINDS), np.int64)


def pairs(top: np.ndarray, bottom: int | np.ndarray, into: Tally | None = None, limit: int = BEST) -> Tally:
    """Compare every pair of runs on every trial, and add to a tally (a new one unless given).

    `top[set, run, trial]` over one common denominator `bottom`, or over its own `bottom[set, run, trial]`, all
    positive. The narrowest arithmetic that cannot overflow is used; beyond 63 bits it is Python's own integers.
    """
    sets, runs, trials = top.shape
    outcomes, edges = into or tally(runs)
    largest = int(max(abs(top.max()), abs(top.min())))
    results = (outcomes.ctypes.data, edges.ctypes.data, limit)
    if isinstance(bottom, np.ndarray):
        deepest = int(bottom.max())
        fits = max(200 * largest * deepest, 21 * deepest * deepest) < 1 << 63
        if LIBRARY is None or not fits:
            wide = np.int64 if fits else object
            _add(twin.pairs_ratio(top.astype(wide), bottom.astype(wide)), outcomes, edges)
            return outcomes, edges
        top, bottom = np.ascontiguousarray(top, np.int64), np.ascontiguousarray(bottom, np.int64)
        LIBRARY.assay_pairs_ratio(top.ctypes.data, bottom.ctypes.data, runs, trials, sets, *results)
        return outcomes, edges
    need = max(200 * largest, 21 * bottom)
    if LIBRARY is None or need >= 1 << 63:
        _add(twin.pairs(top.astype(np.int64 if need < 1 << 63 else object), bottom), outcomes, edges)
        return outcomes, edges
    small = need < 1 << 31
    top = np.ascontiguousarray(top, np.int32 if small else np.int64)
    kernel = LIBRARY.assay_pairs_int32 if small else LIBRARY.assay_pairs_int64
    kernel(top.ctypes.data, bottom, runs, trials, sets, *results)
    return outcomes, edges


def _add(found: Tally, outcomes: np.ndarray, edges: np.ndarray) -> None:
    outcomes += found[0]
    edges += found[1]
