"""Resampling kernels: sums of integer columns under shuffles, label swaps and bootstrap draws.

Each function takes a table of 64-bit integers (rows are topics or other units that are resampled together) and returns
one row of column sums per trial. Trial b depends on nothing but the key and b, and integer sums do not depend on the
order of addition, so the answer is the same on any number of threads and with or without the compiled core.
"""

from __future__ import annotations

import numpy as np

from assay.execution import cores
from assay.native import library
from assay.native.streams import following, mix, starts
from assay.random import GAMMA, purpose_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    Table = NDArray[np.int64]
    Words = NDArray[np.uint64]

NARROW = 4096
"""Dice with at most so many sides are rolled with 16 random bits each, larger ones with 32."""
CHUNK = 4096
DRAWS = 1 << 24
"""Trials, and draws, a twin works on at once: enough for numpy, few enough for the memory."""


def shuffled_sums(
    table: Table, *, trials: int, seed: int, purpose: str, first: int = 0, threads: int | None = None
) -> Table:
    """Column sums after shuffling every row on its own: trials × columns.

    >>> sums = shuffled_sums(np.array([[1, 2], [10, 20]]), trials=200, seed=1, purpose="doc")
    >>> sorted({tuple(row) for row in sums.tolist()})
    [(11, 22), (12, 21), (21, 12), (22, 11)]
    """
    return _call("assay_shuffled_sums", _shuffled_twin, table, trials, seed, purpose, first, threads)


def bootstrap_sums(
    table: Table, *, trials: int, seed: int, purpose: str, first: int = 0, threads: int | None = None
) -> Table:
    """Column sums of as many rows as there are, drawn with replacement: trials × columns.

    >>> sums = bootstrap_sums(np.array([[1], [10]]), trials=200, seed=1, purpose="doc")
    >>> sorted(set(sums[:, 0].tolist()))
    [2, 11, 20]
    """
    return _call("assay_bootstrap_sums", _bootstrap_twin, table, trials, seed, purpose, first, threads)


def half_sums(
    table: Table, *, trials: int, seed: int, purpose: str, first: int = 0, threads: int | None = None
) -> Table:
    """Column sums of a random part of the rows, each in it with probability one half: trials × columns.

    >>> sums = half_sums(np.array([[1], [10]]), trials=200, seed=1, purpose="doc")
    >>> sorted(set(sums[:, 0].tolist()))
    [0, 1, 10, 11]
    """
    return _call("assay_half_sums", _half_twin, table, trials, seed, purpose, first, threads)


def bootstrap_rows(rows: int, *, trial: int, seed: int, purpose: str) -> NDArray[np.int64]:
    """The rows that trial draws with replacement: the very draw whose sums `bootstrap_sums` returns.

    >>> picks = bootstrap_rows(3, trial=4, seed=1, purpose="doc")
    >>> table = np.array([[1], [10], [100]])
    >>> bool(table[picks].sum() == bootstrap_sums(table, trials=1, first=4, seed=1, purpose="doc")[0, 0])
    True
    """
    key = purpose_key(seed, purpose)
    if library.LIBRARY is None or rows == 0:
        return _picks(starts(key, trial, 1), [rows] * rows)[0]
    out = np.empty(rows, dtype=np.uint32)
    if library.LIBRARY.assay_bootstrap_rows(rows, key, trial, out.ctypes.data) != 0:
        raise MemoryError(f"no memory to draw {rows} topics")
    return out.astype(np.int64)


def half_rows(rows: int, *, trial: int, seed: int, purpose: str) -> NDArray[np.bool_]:
    """Which rows that trial takes: the very choice whose sums `half_sums` returns."""
    return _taken(starts(purpose_key(seed, purpose), trial, 1), rows)[0]


def _call(
    name: str,
    twin: Callable[..., Table],
    table: Table,
    trials: int,
    seed: int,
    purpose: str,
    first: int,
    threads: int | None,
) -> Table:
    values = np.ascontiguousarray(table, dtype=np.int64)
    rows, columns = values.shape
    key = purpose_key(seed, purpose)
    if rows == 0 or columns == 0 or trials == 0:
        return np.zeros((trials, columns), dtype=np.int64)
    if library.LIBRARY is None:
        chunk = min(CHUNK, max(64, DRAWS // rows))
        chunks = range(first, first + trials, chunk)
        return np.concatenate([twin(values, starts(key, at, min(chunk, first + trials - at))) for at in chunks])
    function: Any = getattr(library.LIBRARY, name)
    out = np.empty((trials, columns), dtype=np.int64)
    status = function(
        values.ctypes.data, rows, columns, key, first, trials, cores() if threads is None else threads, out.ctypes.data
    )
    if status != 0:
        raise MemoryError(f"no memory for {trials} resamples of {rows} × {columns} values")
    return out


# The twin: the same words in the same order, many trials at once.


def _picks(states: Words, sides: list[int]) -> NDArray[np.int64]:
    """Roll every die for every trial: die i of s sides is (r · s) >> bits, rolled again where biased (Lemire 2019)."""
    if not sides:
        return np.empty((len(states), 0), dtype=np.int64)
    if len(sides) + 1 > NARROW:
        return _wide_picks(states, sides)
    words = -(-len(sides) // 4)
    number = np.arange(1, words + 1, dtype=np.uint64)
    drawn = mix(states[:, None] + number * np.uint64(GAMMA))
    states += np.uint64(words * GAMMA & 0xFFFFFFFFFFFFFFFF)
    lanes = (drawn[:, :, None] >> np.array([0, 16, 32, 48], dtype=np.uint64)) & np.uint64(0xFFFF)
    products = lanes.reshape(len(states), -1)[:, : len(sides)] * np.array(sides, dtype=np.uint64)
    thresholds = np.array([(1 << 16) % side for side in sides], dtype=np.uint64)
    biased = (products & np.uint64(0xFFFF)) < thresholds
    for i in np.flatnonzero(biased.any(axis=0)).tolist():
        again = np.flatnonzero(biased[:, i])
        while len(again):
            products[again, i] = (following(states, again) & np.uint64(0xFFFF)) * np.uint64(sides[i])
            again = again[(products[again, i] & np.uint64(0xFFFF)) < thresholds[i]]
    return (products >> np.uint64(16)).astype(np.int64)


def _wide_picks(states: Words, sides: list[int]) -> NDArray[np.int64]:
    everyone = np.arange(len(states))
    picks = np.empty((len(states), len(sides)), dtype=np.int64)
    words = np.zeros_like(states)
    for i, side in enumerate(sides):
        words = words >> np.uint64(32) if i % 2 else following(states, everyone)
        products = (words & np.uint64(0xFFFFFFFF)) * np.uint64(side)
        threshold = np.uint64((1 << 32) % side)
        again = np.flatnonzero((products & np.uint64(0xFFFFFFFF)) < threshold)
        while len(again):
            products[again] = (following(states, again) & np.uint64(0xFFFFFFFF)) * np.uint64(side)
            again = again[(products[again] & np.uint64(0xFFFFFFFF)) < threshold]
        picks[:, i] = products >> np.uint64(32)
    return picks


def _shuffled_twin(table: Table, states: Words) -> Table:
    columns = table.shape[1]
    trials = np.arange(len(states))
    sums = np.zeros((len(states), columns), dtype=np.int64)
    sides = list(range(columns, 1, -1))
    for values in table:
        row = np.tile(values, (len(states), 1))
        picks = _picks(states, sides)
        for i, last in enumerate(range(columns - 1, 0, -1)):
            sums[:, last] += row[trials, picks[:, i]]
            row[trials, picks[:, i]] = row[:, last]
        sums[:, 0] += row[:, 0]
    return sums


def _bootstrap_twin(table: Table, states: Words) -> Table:
    sums = np.zeros((len(states), table.shape[1]), dtype=np.int64)
    for column in _picks(states, [len(table)] * len(table)).T:
        sums += table[column]
    return sums


def _taken(states: Words, rows: int) -> NDArray[np.bool_]:
    number = np.arange(1, (rows + 63) // 64 + 1, dtype=np.uint64)
    words = mix(states[:, None] + number[None, :] * np.uint64(GAMMA))
    bits = (words[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    return bits.reshape(len(states), -1)[:, :rows].astype(bool)


def _half_twin(table: Table, states: Words) -> Table:
    return _taken(states, len(table)).astype(np.int64) @ table
