"""Scale numbers to 64-bit integers, whose sums do not depend on the order of addition."""

from __future__ import annotations

from math import ceil, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SCALE = 10**12
"""The scale of values without a small common denominator."""
SMALL = 1000
"""The largest common denominator tried: P@10 is in tenths, RR over five answers in sixtieths."""
SMALLISH = 1e-3
"""If all values are smaller, the scale is larger."""
FINEST = 10**18
"""The largest power of ten in 64 bits."""
SMALLEST = 1e-12
"""If all values are smaller, even the largest scale would keep fewer than six digits."""
ROUNDING = 2.0**-44
"""Values that differ by less than this part of the largest are equal up to rounding."""
ROOM = 2.0**61
"""Sums stay below this, so that their differences fit 64 bits."""


def to_integers(values: NDArray[Any], topics: int) -> tuple[Integers, int]:
    """Return topics' values as integers, with the scale: a small common denominator, else 10¹².

    .3 - .2 then equals .2 - .1, and three times 1/30 equals 3/30, unlike in floating point. If all values are small, or runs
    would become equal, the scale is larger; values that fit 64 bits at no scale are refused.

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
    # 200 times a sum over all topics must fit 63 bits.
    bound = largest if 0 < largest < SMALLISH else max(largest, 1.0)
    room = (1 << 62) / (200 * bound * max(topics, 1))
    if not room >= 1:
        raise InputError(f"scores as large as {largest:g} cannot be added up exactly; divide them by a constant")
    noise = ROUNDING * largest
    scale = _denominator(values, min(SMALL, int(room)), noise) or _within(_digits(largest), room)
    whole = np.rint(values * scale)
    if _merges(values, whole, noise):
        # Comparisons on subsets fall back to Python integers, so less room is enough.
        scale = _within(10 ** ceil(-log10(noise)), 25 * room)
        whole = np.rint(values * scale)
        if (differ := _merged_runs(values, whole, noise)) > 0:
            raise InputError(
                f"scores of two runs differ by {differ:g} at most, too little to add up exactly over {topics} topics with "
                f"scores up to {largest:g}. Fix: subtract a constant, and multiply by another."
            )
    return whole.astype(np.int64), scale


def _digits(largest: float) -> int:
    """Return the scale for values up to the largest: 10¹², or more to keep twelve digits of small values."""
    return SCALE if not 0 < largest < SMALLISH else SCALE * 10 ** ceil(-log10(largest))


def _within(scale: int, room: float) -> int:
    """Return the scale, reduced by powers of ten until it fits."""
    while scale > min(room, FINEST):
        scale //= 10
    return scale


def _denominator(values: Floats, most: int, noise: float) -> int | None:
    """Return the smallest common denominator up to `most`, under which only noise becomes 0."""
    if _whole(values, noise):
        return 1
    distinct = np.unique(values)
    few = distinct[np.linspace(0, len(distinct) - 1, 8).astype(np.int64)]
    # Checking eight values first rules out nearly all candidates.
    near = np.arange(1, most + 1)[:, None] * few
    candidates = np.flatnonzero((np.abs(near - np.rint(near)) <= 1e-9).all(axis=1)) + 1
    return next((scale for scale in candidates.tolist() if _whole(distinct * scale, noise * scale)), None)


def _whole(values: Floats, noise: float) -> bool:
    near = np.rint(values)
    return bool(((np.abs(values - near) <= 1e-9) & ((near != 0) | (np.abs(values) <= noise))).all())


def _merges(values: Floats, whole: Floats, noise: float) -> bool:
    """Whether two values of one topic that differ by more than rounding become the same integer."""
    if not (values != whole).any():
        return False
    order = np.argsort(values, axis=1, kind="stable")
    ascending, steps = np.take_along_axis(values, order, 1), np.take_along_axis(whole, order, 1)
    first = np.ones(values.shape, dtype=bool)
    first[:, 1:] = steps[:, 1:] != steps[:, :-1]
    lowest = np.maximum.accumulate(np.where(first, ascending, -np.inf), axis=1)
    return bool((ascending - lowest > noise).any())


def _merged_runs(values: Floats, whole: Floats, noise: float) -> float:
    """Return the largest difference of runs that become equal on every topic; 0 if it is noise."""
    _, where = np.unique(whole, axis=1, return_inverse=True)
    where = where.ravel()
    groups = [values[:, where == group] for group in np.flatnonzero(np.bincount(where) > 1)]
    largest = max((float(np.ptp(group, axis=1).max()) for group in groups), default=0.0)
    return largest if largest > noise else 0.0


def rounded(values: Floats, scale: int = SCALE) -> tuple[Any, Any]:
    """Return real values as quotients of integers, rounded to the scale.

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
    """Return the scale of `rounded` for a measure with such values: 10¹², or more if all are small.

    >>> scale_of(np.array([0.5, np.nan])) == 10**12, scale_of(np.array([4e-6])) == 10**18
    (True, True)
    """
    return _within(_digits(float(np.abs(values[np.isfinite(values)]).max(initial=0.0))), FINEST)


def times(integers: Any, factor: int) -> Any:
    """Multiply integers, or an array of them; in Python integers if 64 bits would overflow.

    >>> times(np.array([1 << 62]), 4).tolist() == [1 << 64], times(3, 4)
    (True, 12)
    """
    if isinstance(integers, np.ndarray) and int(np.abs(integers).max(initial=0)) * factor >= 1 << 63:
        return integers.astype(object) * factor
    return integers * factor
