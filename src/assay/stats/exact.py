"""Numbers that can be added up in any order: scores as 64-bit integers."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

DECIMALS = 12
ROOM = 2.0**61
"""Sums stay under this, so that a difference of two of them still fits 64 bits."""


def scaled(values: NDArray[Any]) -> tuple[Integers, int]:
    """Scores as integers, and the power of ten they were multiplied by.

    Whole numbers stay as they are; other scores are taken at 12 decimals, or as many as leave room for their sum. A
    difference of .3 - .2 then equals one of .2 - .1, which it does not in floating point.

    >>> table, scale = scaled(np.array([[0.3, 0.2], [0.2, 0.1]]))
    >>> (table[:, 0] - table[:, 1]).tolist(), scale
    ([100000000000, 100000000000], 1000000000000)
    """
    as_float = np.asarray(values, dtype=np.float64)
    biggest = float(np.abs(as_float).max(initial=0.0)) * max(len(as_float), 1)
    if biggest < ROOM and bool(np.all(as_float == np.rint(as_float))):
        return as_float.astype(np.int64), 1
    decimals = DECIMALS
    while decimals > 0 and biggest * 10.0**decimals >= ROOM:
        decimals -= 1
    return np.rint(as_float * 10.0**decimals).astype(np.int64), 10**decimals


def column_sums(kernel: Callable[..., Integers], columns: Floats, **options: Any) -> Floats:
    """Resampled sums of real columns, through integers: each column at the finest power of two that leaves room.

    Small counts share 64 bits, several columns to one, and are told apart again after summing.
    """
    rows, width = columns.shape
    biggest = np.abs(columns).max(axis=0, initial=0.0) * max(rows, 1)
    whole = np.all(columns == np.rint(columns), axis=0)
    if width > 1 and bool(np.all(whole)) and float(columns.min(initial=0.0)) >= 0:
        bits = int(biggest.max(initial=1.0)).bit_length()
        if 2 * bits <= 62:
            return _packed_sums(kernel, columns.astype(np.int64), bits, **options).astype(np.float64)
    exponent = np.floor(np.log2(ROOM / np.where(biggest > 0, biggest, 1.0)))
    scale = np.where(whole & (biggest < ROOM), 1.0, np.exp2(np.minimum(exponent, 900.0)))
    return kernel(np.rint(columns * scale).astype(np.int64), **options) / scale


def _packed_sums(kernel: Callable[..., Integers], columns: Integers, bits: int, **options: Any) -> Integers:
    rows, width = columns.shape
    together = 62 // bits
    padded = np.zeros((rows, -(-width // together) * together), dtype=np.int64)
    padded[:, :width] = columns
    shifts = bits * np.arange(together, dtype=np.int64)
    packed = (padded.reshape(rows, -1, together) << shifts).sum(axis=2)
    sums = kernel(packed, **options)
    apart = (sums[:, :, None] >> shifts) & ((1 << bits) - 1)
    return apart.reshape(len(sums), -1)[:, :width]
