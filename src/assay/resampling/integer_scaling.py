"""Numbers as integers, which add up to the same in any order: at a scale that follows from them, within 64 bits, or refused."""

from __future__ import annotations

from math import ceil, log10
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
SMALLISH = 1e-3
"""Values that are all smaller than this are multiplied by more."""
FINEST = 10**18
"""The largest scale: it fits 64 bits itself."""
SMALLEST = 1e-12
"""Of values that are all smaller than this the finest scale would keep fewer than six digits."""
ROUNDING = 2.0**-44
"""Values closer together than this part of the largest of all are the same but for rounding."""
ROOM = 2.0**61
"""Sums stay under this, so that a difference of two of them still fits 64 bits."""


def to_integers(values: NDArray[Any], topics: int) -> tuple[Integers, int]:
    """Values of single topics as integers, with the scale: a small common denominator where there is one, else 10¹².

    A difference of .3 - .2 then equals one of .2 - .1, and three times 1/30 equals 3/30, as neither does in floating
    point. Values that are all small, and runs whose values on a topic differ by less than such integers show, get a
    finer scale; what fits into 64 bits at none is refused.

    >>> to_integers(np.array([[0.1, 0.3]]), 2)[1], to_integers(np.array([[2.0, 3.0]]), 2)[1]
    (10, 1)
    >>> integers, scale = to_integers(np.array([[0.4797, 2 ** -0.5]]), 2)
    >>> integers.tolist(), scale
    ([[479700000000, 707106781187]], 1000000000000)
    >>> integers, scale = to_integers(np.array([[0.5, 0.5000000000001]]), 2)
    >>> integers.tolist(), scale
    ([[50000000000000, 50000000000010]], 100000000000000)
    """
    values = np.asarray(values, dtype=np.float64)
    largest = float(np.abs(values).max(initial=0.0))
    if 0 < largest < SMALLEST:
        raise InputError(f"scores no larger than {largest:g} cannot be added up exactly; multiply them by a constant")
    # 200 times a sum of all topics must stay within 63 bits; only very large values or very many topics ask for less.
    bound = largest if 0 < largest < SMALLISH else max(largest, 1.0)
    room = (1 << 62) / (200 * bound * max(topics, 1))
    if not room >= 1:
        raise InputError(f"scores as large as {largest:g} cannot be added up exactly; divide them by a constant")
    noise = ROUNDING * largest
    scale = _denominator(values, min(SMALL, int(room)), noise) or _within(_digits(largest), room)
    whole = np.rint(values * scale)
    if _merges(values, whole, noise):
        # What is compared subset by subset falls back on Python's own integers, so that a few bits of room are enough.
        scale = _within(10 ** ceil(-log10(noise)), 25 * room)
        whole = np.rint(values * scale)
        if (differ := _merged_runs(values, whole, noise)) > 0:
            raise InputError(
                f"scores of two runs differ by {differ:g} at most, which is too little to add up exactly over {topics} "
                f"topics beside scores of {largest:g}; subtract what they have in common, and multiply by a constant"
            )
    return whole.astype(np.int64), scale


def _digits(largest: float) -> int:
    """The scale for values up to the largest: 10¹², or what keeps twelve digits of values that are all small."""
    return SCALE if not 0 < largest < SMALLISH else SCALE * 10 ** ceil(-log10(largest))


def _within(scale: int, room: float) -> int:
    """The scale, or the power of ten below it that leaves room."""
    while scale > min(room, FINEST):
        scale //= 10
    return scale


def _denominator(values: Floats, most: int, noise: float) -> int | None:
    """The smallest number up to `most` that makes integers of all values; only what is no more than noise becomes 0."""
    if _whole(values, noise):
        return 1
    distinct = np.unique(values)
    few = distinct[np.linspace(0, len(distinct) - 1, 8).astype(np.int64)]
    # Eight of the values rule out nearly all candidates at once.
    near = np.arange(1, most + 1)[:, None] * few
    candidates = np.flatnonzero((np.abs(near - np.rint(near)) <= 1e-9).all(axis=1)) + 1
    return next((scale for scale in candidates.tolist() if _whole(distinct * scale, noise * scale)), None)


def _whole(values: Floats, noise: float) -> bool:
    near = np.rint(values)
    return bool(((np.abs(values - near) <= 1e-9) & ((near != 0) | (np.abs(values) <= noise))).all())


def _merges(values: Floats, whole: Floats, noise: float) -> bool:
    """Whether two values of one topic are the same integer although more than rounding is between them."""
    if not (values != whole).any():
        return False
    order = np.argsort(values, axis=1, kind="stable")
    ascending, steps = np.take_along_axis(values, order, 1), np.take_along_axis(whole, order, 1)
    first = np.ones(values.shape, dtype=bool)
    first[:, 1:] = steps[:, 1:] != steps[:, :-1]
    lowest = np.maximum.accumulate(np.where(first, ascending, -np.inf), axis=1)
    return bool((ascending - lowest > noise).any())


def _merged_runs(values: Floats, whole: Floats, noise: float) -> float:
    """By how much runs differ that are the same in integers on every topic; 0 where it is no more than noise."""
    _, where = np.unique(whole, axis=1, return_inverse=True)
    where = where.ravel()
    groups = [values[:, where == group] for group in np.flatnonzero(np.bincount(where) > 1)]
    apart = max((float(np.ptp(group, axis=1).max()) for group in groups), default=0.0)
    return apart if apart > noise else 0.0


def rounded(values: Floats, scale: int = SCALE) -> tuple[Any, Any]:
    """Values that are no quotients of integers, as such: rounded once, to 10⁻¹² unless their scale is another.

    >>> rounded(np.array([0.5])), rounded(np.array([1e8]))
    ((array([500000000000]), 1000000000000), (array([100000000000000000000], dtype=object), 1000000000000))
    """
    known = np.isfinite(values)
    with np.errstate(over="ignore"):
        near = np.rint(np.where(known, values, 0.0) * float(scale))
    if not np.isfinite(near).all():
        raise InputError(f"values as large as {np.abs(values[known]).max():g} cannot be compared exactly")
    wide = float(np.abs(near).max(initial=0.0)) >= ROOM
    top = np.array([int(value) for value in near.flat], object).reshape(near.shape) if wide else near.astype(np.int64)
    return (top, scale) if known.all() else (top, np.where(known, scale, 0))


def scale_of(values: Floats) -> int:
    """The scale that `rounded` wants for a measure with such values: 10¹², or more where they are all small.

    >>> scale_of(np.array([0.5, np.nan])) == 10**12, scale_of(np.array([4e-6])) == 10**18
    (True, True)
    """
    return _within(_digits(float(np.abs(values[np.isfinite(values)]).max(initial=0.0))), FINEST)


def times(integers: Any, factor: int) -> Any:
    """Integers, or an array of them, times another; Python's own where 64 bits would overflow.

    >>> times(np.array([1 << 62]), 4).tolist() == [1 << 64], times(3, 4)
    (True, 12)
    """
    if isinstance(integers, np.ndarray) and int(np.abs(integers).max(initial=0)) * factor >= 1 << 63:
        return integers.astype(object) * factor
    return integers * factor
