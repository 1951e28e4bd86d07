"""Numbers that can be added up in any order: scores as 64-bit integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SCALE = 10**12
"""What values are multiplied by where no small denominator makes them all integers."""
SMALL = 1000
"""The largest denominator that is looked for: P@10 is in tenths, RR over five answers in sixtieths."""
ROOM = 2.0**61
"""Sums stay under this, so that a difference of two of them still fits 64 bits."""


def to_integers(values: NDArray[Any], topics: int) -> tuple[Integers, int]:
    """Values of single topics as integers, with the scale: a small common denominator where there is one, else 10¹².

    A difference of .3 - .2 then equals one of .2 - .1, and three times 1/30 equals 3/30, as neither does in floating
    point.

    >>> to_integers(np.array([[0.1, 0.3]]), 2)[1], to_integers(np.array([[2.0, 3.0]]), 2)[1]
    (10, 1)
    >>> integers, scale = to_integers(np.array([[0.4797, 2 ** -0.5]]), 2)
    >>> integers.tolist(), scale
    ([[479700000000, 707106781187]], 1000000000000)
    """
    values = np.asarray(values, dtype=np.float64)
    largest = max(float(np.abs(values).max(initial=0.0)), 1.0)
    # 200 times a sum of all topics must stay within 63 bits; only very large values or very many topics ask for less.
    room = (1 << 62) / (200 * largest * max(topics, 1))
    if not room >= 1:
        raise InputError(f"scores as large as {largest:g} cannot be added up exactly; divide them by a constant")
    scale = _denominator(values, min(SMALL, int(room)))
    if scale is None:
        scale = SCALE
        while scale > room:
            scale //= 10
    return np.rint(values * scale).astype(np.int64), scale


def _denominator(values: Floats, most: int) -> int | None:
    """The smallest number up to `most` that makes integers of all values."""
    if _whole(values):
        return 1
    distinct = np.unique(values)
    few = distinct[np.linspace(0, len(distinct) - 1, 8).astype(np.int64)]
    # Eight of the values rule out nearly all candidates at once.
    near = np.arange(1, most + 1)[:, None] * few
    candidates = np.flatnonzero((np.abs(near - np.rint(near)) <= 1e-9).all(axis=1)) + 1
    return next((scale for scale in candidates.tolist() if _whole(distinct * scale)), None)


def _whole(values: Floats) -> bool:
    return bool((np.abs(values - np.rint(values)) <= 1e-9).all())


def added(kernel: Callable[..., Integers], table: Integers, **options: Any) -> Integers:
    """Resampled sums of integer columns. Small counts share 64 bits, several columns to one, and are told apart again.

    >>> added(lambda table: table.sum(axis=0)[None], np.array([[1, 2], [3, 4]])).tolist()
    [[4, 6]]
    """
    rows, width = table.shape
    bits = (int(table.max(initial=0)) * max(rows, 1)).bit_length()
    if width < 2 or 2 * bits > 62 or int(table.min(initial=0)) < 0:
        return kernel(table, **options)
    together = 62 // max(bits, 1)
    padded = np.zeros((rows, -(-width // together) * together), dtype=np.int64)
    padded[:, :width] = table
    shifts = bits * np.arange(together, dtype=np.int64)
    sums = kernel((padded.reshape(rows, -1, together) << shifts).sum(axis=2), **options)
    apart = (sums[:, :, None] >> shifts) & ((1 << bits) - 1)
    return apart.reshape(len(sums), -1)[:, :width]


def added_reals(kernel: Callable[..., Integers], columns: Floats, **options: Any) -> Floats:
    """Resampled sums of real columns, through integers: each column at the finest power of two that leaves room."""
    biggest = np.abs(columns).max(axis=0, initial=0.0) * max(len(columns), 1)
    whole = np.all(columns == np.rint(columns), axis=0)
    if bool(np.all(whole)) and float(biggest.max(initial=0.0)) < ROOM:
        return added(kernel, columns.astype(np.int64), **options).astype(np.float64)
    exponent = np.floor(np.log2(ROOM / np.where(biggest > 0, biggest, 1.0)))
    scale = np.where(whole & (biggest < ROOM), 1.0, np.exp2(np.minimum(exponent, 900.0)))
    return kernel(np.rint(columns * scale).astype(np.int64), **options) / scale


def slack(values: Floats) -> float:
    """How close two differences of such values must be to count as equal.

    They are quotients of integers, which floating point only approximates.
    """
    finite = values[np.isfinite(values)]
    return 1e-12 * max(1.0, float(np.abs(finite).max(initial=0.0)))
