"""The resampling kernels: the compiled ones where there is a core, their numpy twin where there is none.

Sums of integer columns under shuffles, label swaps and bootstrap draws (`permute.c`) take a table of 64-bit integers (rows
are topics or other units that are resampled together) and return one row of column sums per trial. Trial b depends on
nothing but the key and b, and integer sums do not depend on the order of addition, so the answer is the same on any number
of threads and with or without the compiled core.

Subsets of topics, and the pairs of runs compared on them (`resample.c`), are laid out trial by trial along the last axis, so
that a pair is compared over many trials at once. `ROUND` trials at most in one call: the compiled counters are ten bits wide.
Threads are started here, one a part of the trials or pairs; the core has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core import binding
from assay.core import resample_reference as twin
from assay.core.resample_reference import EDGES, LEVELS, Table
from assay.errors import UsageError
from assay.parallel.executors import cores, in_parts
from assay.random import purpose_key

CHUNK = 4096
DRAWS = 1 << 24
"""Trials, and draws, a twin works on at once: enough for numpy, few enough for the memory."""
ROUND = 1000
LARGE, PRODUCT_TRIALS = 1 << 22, 256
"""Half sums of so many values are matrix products, over so many trials at once."""
PARTS = 16
"""Parts of the trials for each thread: one that is held up does not hold up the rest."""
KINDS = 3
"""All comparisons; with opposite signs on the two subsets; with exactly one difference of zero."""
Tally = tuple[np.ndarray, np.ndarray]
"""outcomes[pair, 20] and edges[22, 3]."""


def shuffled_sums(
    table: Table, *, trials: int, seed: int, purpose: str, first: int = 0, threads: int | None = None
) -> Table:
    """Return column sums after shuffling every row on its own: trials × columns.

    >>> sums = shuffled_sums(np.array([[1, 2], [10, 20]]), trials=200, seed=1, purpose="doc")
    >>> sorted({tuple(row) for row in sums.tolist()})
    [(11, 22), (12, 21), (21, 12), (22, 11)]
    """
    return _sums("shuffled_sums", table, trials, seed, purpose, first, threads)


def bootstrap_sums(
    table: Table, *, trials: int, seed: int, purpose: str, first: int = 0, threads: int | None = None
) -> Table:
    """Return column sums of as many rows as there are, drawn with replacement: trials × columns.

    >>> sums = bootstrap_sums(np.array([[1], [10]]), trials=200, seed=1, purpose="doc")
    >>> sorted(set(sums[:, 0].tolist()))
    [2, 11, 20]
    """
    return _sums("bootstrap_sums", table, trials, seed, purpose, first, threads)


def half_sums(
    table: Table, *, trials: int, seed: int, purpose: str, first: int = 0, threads: int | None = None
) -> Table:
    """Return column sums of random rows, each drawn with probability one half: trials × columns.

    >>> sums = half_sums(np.array([[1], [10]]), trials=200, seed=1, purpose="doc")
    >>> sorted(set(sums[:, 0].tolist()))
    [0, 1, 10, 11]
    """
    return _sums("half_sums", table, trials, seed, purpose, first, threads)


def bootstrap_rows(rows: int, *, trial: int, seed: int, purpose: str) -> NDArray[np.int64]:
    """Return the rows that a trial of `bootstrap_sums` draws.

    >>> picks = bootstrap_rows(3, trial=4, seed=1, purpose="doc")
    >>> table = np.array([[1], [10], [100]])
    >>> bool(table[picks].sum() == bootstrap_sums(table, trials=1, first=4, seed=1, purpose="doc")[0, 0])
    True
    """
    key = purpose_key(seed, purpose)
    if binding.LIBRARY is None or rows == 0:
        return twin.picks(twin.starts(key, trial, 1), [rows] * rows)[0]
    out = np.empty(rows, dtype=np.uint32)
    if binding.LIBRARY.assay_bootstrap_rows(rows, key, trial, out.ctypes.data) != 0:
        raise MemoryError(f"no memory to draw {rows} topics")
    return out.astype(np.int64)


def _sums(name: str, table: Table, trials: int, seed: int, purpose: str, first: int, threads: int | None) -> Table:
    values = np.ascontiguousarray(table, dtype=np.int64)
    rows, columns = values.shape
    key = purpose_key(seed, purpose)
    for parameter, value, most in (("resamples", first + trials, 1 << 62), ("threads", threads or 1, (1 << 31) - 1)):
        if not 0 <= value <= most:
            raise UsageError(f"`{parameter}={value}`: expected a whole number of at most {most}")
    if rows == 0 or columns == 0 or trials == 0:
        return np.zeros((trials, columns), dtype=np.int64)
    parts = in_parts(_sums_of, (name, values, key, threads), first, trials)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _sums_of(shared: tuple[str, Table, int, int | None], span: tuple[int, int]) -> Table:
    """Return the sums of a span of trials, in this process or on a worker."""
    name, values, key, threads = shared
    first, trials = span
    rows, columns = values.shape
    if name == "half_sums" and rows * columns >= LARGE:
        return _half_products(values, key, first, trials)
    if binding.LIBRARY is None:
        chunk = min(CHUNK, max(64, DRAWS // rows))
        states = [twin.starts(key, at, min(chunk, first + trials - at)) for at in range(first, first + trials, chunk)]
        return np.concatenate([getattr(twin, name)(values, some) for some in states])
    out = np.empty((trials, columns), dtype=np.int64)
    function, threads = getattr(binding.LIBRARY, f"assay_{name}"), cores() if threads is None else threads

    def add(start: int, end: int) -> None:
        if function(values.ctypes.data, rows, columns, key, first + start, end - start, out[start:].ctypes.data) != 0:
            raise MemoryError(f"no memory for {trials} resamples of {rows} × {columns} values")

    _spread(add, trials, PARTS * threads, threads)
    return out


def _spread(work: Callable[[int, int], None], count: int, parts: int, threads: int) -> None:
    """Call `work(start, end)` for each part of a count, on some threads."""
    parts = max(1, min(parts, count))
    spans = [(count * part // parts, count * (part + 1) // parts) for part in range(parts)]
    if min(threads, parts) < 2:
        for span in spans:
            work(*span)
        return
    with ThreadPoolExecutor(min(threads, parts)) as pool:
        list(pool.map(lambda span: work(*span), spans))


def _half_products(values: Table, key: int, first: int, trials: int) -> Table:
    """Half sums as matrix products: 1,000 sums of 12,000 × 1,000 scores take 1.1 s instead of 3.8 s.

    Values are split into parts whose sums stay below 2⁵³ (2²⁴ in single precision), so that products are exact in any order and on
    any number of threads.
    """
    rows, columns = values.shape
    low, high = int(values.min()), int(values.max())
    kind, bits = (np.float32, 24) if low >= 0 and high < 1 << (24 - rows.bit_length()) else (np.float64, 53)
    bits -= rows.bit_length()
    parts = [values] if low >= 0 and high < 1 << bits else [values & ((1 << bits) - 1), values >> bits]
    reals = [part.astype(kind) for part in parts]
    out = np.empty((trials, columns), dtype=np.int64)
    for at in range(0, trials, PRODUCT_TRIALS):
        end = min(at + PRODUCT_TRIALS, trials)
        taken = twin.taken(twin.starts(key, first + at, end - at), rows).astype(kind)
        sums = [(taken @ part).astype(np.int64) for part in reals]
        out[at:end] = sums[0] if len(sums) == 1 else sums[0] + (sums[1] << bits)
    return out


def subsets(key: int, first: int, trials: int, topics: int, size: int, sets: int) -> NDArray[np.bool_]:
    """Return `sets` disjoint random subsets of `size` topics for each trial from `first` on: chosen[trial, set, topic].

    The draw is `random.Stream.sample`: a smaller subset of a trial is part of a larger one, and the first subset does
    not depend on whether a second is drawn.
    """
    marks = [size * (number + 1) for number in range(sets)]
    chosen = np.stack([drawn.copy() for drawn in twin.drawn_topics(key, first, trials, topics, marks)], axis=1)
    chosen[:, 1:] ^= chosen[:, :-1].copy()
    return chosen


def blocks_of(table: np.ndarray, width: int) -> np.ndarray:
    """Return a table of topics × columns as blocks of `width` columns, the last padded with zeros.

    >>> blocks_of(np.array([[1, 2, 3], [4, 5, 6]]), 2).tolist()
    [[[1, 2], [4, 5]], [[3, 0], [6, 0]]]
    """
    topics, columns = table.shape
    padded = np.zeros((topics, -(-columns // width) * width), table.dtype)
    padded[:, :columns] = table
    return np.ascontiguousarray(padded.reshape(topics, -1, width).transpose(1, 0, 2))


class Blocked:
    """Integer columns of topics, topics × columns, as the core adds them up: in blocks of 8.

    >>> table = Blocked(np.array([[1, 0], [1, 1], [0, 1]]))
    >>> table.drawn(purpose_key(1, "doc"), 0, 4, [1, 3])[1].tolist()
    [[2, 2, 2, 2], [2, 2, 2, 2]]
    """

    def __init__(self, table: Table) -> None:
        self.table: NDArray[np.int64] = np.ascontiguousarray(table, np.int64)
        self.blocks: NDArray[Any] = blocks_of(self.table, 8)

    def drawn(self, key: int, first: int, trials: int, marks: Sequence[int]) -> np.ndarray:
        """sums[mark, column, trial] over the first topics of each trial's draw, so many as `marks` say, rising."""
        if binding.LIBRARY is None:
            return twin.drawn(self.table, key, first, trials, marks)
        topics, columns = self.table.shape
        places = np.array(marks, np.int32)
        sums = np.empty((len(places), columns, trials), np.int64)
        where = (self.blocks.ctypes.data, columns, key, first, trials, topics, places.ctypes.data, len(places))
        if columns and binding.LIBRARY.assay_drawn(*where, sums.ctypes.data) != 0:
            raise MemoryError(f"no memory to add up {columns} columns")
        return sums


def tally(runs: int, pairwise: bool = True) -> Tally:
    """Return an empty tally for the pairs of some runs; without `pairwise`, for all of them together."""
    return np.zeros((runs * (runs - 1) // 2 if pairwise else 0, 2 * LEVELS), np.int64), np.zeros(
        (EDGES, KINDS), np.int64
    )


def pairs(top: np.ndarray, bottom: int | np.ndarray, into: Tally | None = None) -> Tally:
    """Compare every pair of runs on every trial, and add to a tally (a new one unless given).

    `top[set, run, trial]` over one common denominator `bottom`, or over its own `bottom[set, run, trial]`, all
    positive. The narrowest arithmetic that cannot overflow is used; beyond 63 bits it is Python's own integers.
    """
    sets, runs, trials = top.shape
    outcomes, edges = into or tally(runs)
    is_ratio = isinstance(bottom, np.ndarray)
    highest, lowest, deepest = int(top.max()), int(top.min()), int(bottom.max()) if is_ratio else bottom
    need = max(200 * max(abs(highest), abs(lowest)), 21 * deepest) * (deepest if is_ratio else 1)
    if binding.LIBRARY is None or need >= 1 << 63:
        wide = np.int64 if need < 1 << 63 else object
        more_outcomes, more_edges = twin.pairs(
            top.astype(wide), bottom.astype(wide) if is_ratio else bottom, bool(len(outcomes))
        )
        outcomes += more_outcomes
        edges += more_edges
        return outcomes, edges
    core = binding.LIBRARY
    if is_ratio:
        top, bottom = (np.ascontiguousarray(part, np.int64) for part in (top, bottom))
        address = outcomes.ctypes.data if len(outcomes) else None
        core.assay_pairs_ratio(top.ctypes.data, bottom.ctypes.data, runs, trials, sets, address, edges.ctypes.data)
        return outcomes, edges
    if sets == 2:
        values = np.ascontiguousarray(top, np.int64)
        core.assay_swaps(values.ctypes.data, runs, trials, deepest, edges.ctypes.data)
    if len(outcomes):
        small = need < 1 << 31
        first = np.ascontiguousarray(top[0], np.int32 if small else np.int64)
        kernel = core.assay_pairs_int32 if small else core.assay_pairs_int64
        kernel(first.ctypes.data, runs, trials, outcomes.ctypes.data)
    return outcomes, edges


def flipped(
    sums: np.ndarray, a: np.ndarray, b: np.ndarray, scales: np.ndarray, bounds: np.ndarray | None = None,
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return how many flips reach each pair's bound, and the largest statistic under each flip.

    The statistic is r = (sums[a] - sums[b])² scale. Without pairs the largest is 0, without bounds there are no counts.

    >>> sums, quarter = np.array([[3.0, -1.0], [1.0, 1.0]]), np.array([0.25])
    >>> [part.tolist() for part in flipped(sums, np.array([0]), np.array([1]), quarter, quarter)]
    [[2], [1.0, 1.0]]
    """
    if binding.LIBRARY is None:
        return twin.flipped(sums, a, b, scales, bounds)
    core, count, threads = binding.LIBRARY, len(a), cores() if threads is None else threads
    # Counts and maxima do not depend on the order: each thread has a part of the pairs.
    largest = [np.zeros(sums.shape[1])]
    counts = np.zeros(0 if bounds is None else count, dtype=np.int64)
    kinds = (np.int64, np.int64, np.float64, np.float64)
    columns = [
        None if column is None else np.ascontiguousarray(column, kind)
        for column, kind in zip((a, b, scales, bounds), kinds, strict=True)
    ]
    columns.append(None if bounds is None else counts)
    sums = np.ascontiguousarray(sums, np.float64)

    def work(start: int, end: int) -> None:
        high = np.zeros(sums.shape[1])
        pairs = [None if column is None else column[start:end].ctypes.data for column in columns]
        core.assay_flipped(sums.ctypes.data, sums.shape[1], *pairs[:4], end - start, pairs[4], high.ctypes.data)
        largest.append(high)

    _spread(work, count, threads, threads)
    return counts, np.max(largest, axis=0)
