"""Closing formulas, (n, *sums) → (numerator, denominator), on arrays: in floating point, or exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from assay.resampling.integers import SCALE, Floats

Formula = Callable[..., Any]

SAFE = 1 << 56
"""Results below this leave room for what a comparison multiplies them by."""


def mean(n: Any, total: Any) -> tuple[Any, Any]:
    """An average over n topics."""
    return total, n


def total(n: Any, total: Any) -> tuple[Any, Any]:
    """A count that is summed over topics."""
    del n
    return total, 1


def geometric(n: Any, logs: Any) -> tuple[Any, Any]:
    """A geometric mean, from the sum of logarithms."""
    return np.exp(logs / n), 1


def closed(formula: Formula, n: Any, sums: Sequence[Any]) -> Floats:
    """The formula's values in floating point; not a number where the denominator is 0.

    >>> closed(mean, np.array([4, 0]), [np.array([2, 0])]).tolist()
    [0.5, nan]
    """
    shape = np.broadcast_shapes(np.shape(n), *(np.shape(s) for s in sums))
    with np.errstate(divide="ignore", invalid="ignore"):
        try:
            top, bottom = formula(n, *sums)
        except (ValueError, TypeError):
            # A formula with a condition in it takes one set of sums at a time.
            flat = [np.broadcast_to(part, shape).ravel().tolist() for part in (n, *sums)]
            pairs = [formula(*row) or (0, 0) for row in zip(*flat, strict=True)]
            top, bottom = (np.array([pair[i] for pair in pairs], dtype=object).reshape(shape) for i in (0, 1))
        top, bottom = np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
        result = np.broadcast_to(np.where(bottom != 0, top / np.where(bottom != 0, bottom, 1.0), np.nan), shape)
    return np.where(np.isfinite(result), result, np.nan)


def quotients(formula: Formula, n: Any, sums: Sequence[Any], size: int, largest: Sequence[int]) -> tuple[Any, Any]:
    """The formula's exact values as (numerators, denominators), the latter one integer where all share it.

    A denominator of 0 is undefined. `largest` are the largest sums there can be over `size` topics.
    """
    shape = np.broadcast_shapes(np.shape(n), *(np.shape(s) for s in sums))
    if vectorises(formula, size, tuple(largest)):
        top, bottom = formula(n, *(column.astype(np.int64, copy=False) for column in sums))
        top = np.broadcast_to(top, shape)
    else:
        top, bottom = _singly(formula, [np.broadcast_to(np.asarray(part, np.int64), shape) for part in (n, *sums)])
    if np.ndim(bottom) == 0:
        return (-top, -int(bottom)) if bottom < 0 else (top, int(bottom))
    bottoms = np.broadcast_to(bottom, shape)
    common = int(bottoms.item(0))
    if (bottoms == common).all():
        return (-top, -common) if common < 0 else (top, common)
    return np.where(bottoms < 0, -top, top), abs(bottoms)


def rounded(values: Floats) -> tuple[Any, Any]:
    """Values that are no quotients of integers, as such: rounded once, to 10⁻¹²."""
    known = np.isfinite(values)
    top = np.rint(np.where(known, values, 0.0) * SCALE).astype(np.int64)
    return (top, SCALE) if known.all() else (top, np.where(known, SCALE, 0))


@lru_cache(maxsize=256)
def vectorises(formula: Formula, size: int, largest: tuple[int, ...]) -> bool:
    """Whether a closing formula gives on arrays what it gives on integers, with room to spare in 64 bits.

    It is tried on a grid of sums up to the largest there can be.
    """
    grid = list(product(*(sorted({0, 1, most // 2, most}) for most in largest)))
    if all(most <= size for most in largest):
        # Questions that end one way or another: their counts add up to no more than all of them.
        grid = [cell for cell in grid if sum(cell) <= size]
    try:
        single = [formula(size, *cell) for cell in grid]
        tops, bottoms = formula(size, *np.array(grid, np.int64).T.reshape(len(largest), len(grid)))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return False
    if not all(isinstance(part, int) and abs(part) < SAFE for pair in single for part in pair):
        return False
    tops, bottoms = (np.broadcast_to(part, len(grid)).tolist() for part in (tops, bottoms))
    return [tuple(pair) for pair in single] == list(zip(tops, bottoms, strict=True))


def _singly(formula: Formula, parts: Sequence[Any]) -> tuple[Any, Any]:
    """The formula called once for each distinct combination of sums, in Python's own integers."""
    cells, where = np.unique(np.stack([part.ravel() for part in parts]), axis=1, return_inverse=True)
    results = [formula(*map(int, cell)) or (0, 0) for cell in cells.T]
    if not all(isinstance(part, int) for pair in results for part in pair):
        results = [(round(top / bottom * SCALE), SCALE) if bottom else (0, 0) for top, bottom in results]
    wide = max((abs(part) for pair in results for part in pair), default=0) >= 1 << 63
    table = np.array(results, object if wide else np.int64).T[:, where.ravel()]
    return table[0].reshape(parts[0].shape), table[1].reshape(parts[0].shape)
