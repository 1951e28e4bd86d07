"""The arithmetic of resampling: sums of integers, formulas that close them to a measure, their errors.

A closing formula is (n, *sums) → (numerator, denominator), on arrays in floating point, or exactly. Standard errors take
`add`, a function from columns (a row per unit) to their sums: a row for the data, or a row per resample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from math import isfinite, nan
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.resampling.integer_scaling import ROOM, SCALE, Floats, Integers

Formula = Callable[..., Any]
Add = Callable[[Any], Floats]

SAFE = {np.int32: 1 << 24, np.int64: 1 << 56}
"""Results of formulas below this leave room for intermediate values and the products of a comparison."""


def added(kernel: Callable[..., Integers], table: Integers, **options: Any) -> Integers:
    """Return resampled sums of integer columns, packing several columns of small counts into 64 bits.

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
    unpacked = (sums[:, :, None] >> shifts) & ((1 << bits) - 1)
    return unpacked.reshape(len(sums), -1)[:, :width]


def added_reals(kernel: Callable[..., Integers], columns: Floats, **options: Any) -> Floats:
    """Return resampled sums of real columns, scaled to integers by the largest power of two that fits."""
    whole, scale = scaled(columns)
    if bool(np.all(scale == 1.0)):
        return added(kernel, whole, **options).astype(np.float64)
    return kernel(whole, **options) / scale


def scaled(columns: Floats) -> tuple[Integers, Floats]:
    """Return real columns as integers, and the power of two each was multiplied by: 1 for integers.

    >>> scaled(np.array([[3.0, 0.5], [4.0, 0.25]]))[1].tolist() == [1.0, 2.0**61]
    True
    """
    biggest = np.abs(columns).max(axis=0, initial=0.0) * max(len(columns), 1)
    if not np.isfinite(biggest).all():
        raise InputError("the scores are too large for their squares to be added up; divide them by a constant")
    whole = np.all(columns == np.rint(columns), axis=0)
    exponent = np.floor(np.log2(ROOM / np.where(biggest > 0, biggest, 1.0)))
    scale = np.where(whole & (biggest < ROOM), 1.0, np.exp2(np.minimum(exponent, 900.0)))
    return np.rint(columns * scale).astype(np.int64), scale


def slack(values: Floats, scale: int = SCALE) -> float:
    """Return how close two differences of such values must be to count as equal, given rounding and the scale.

    >>> slack(np.array([0.5, 0.25])), slack(np.array([4e-8]), 10**18)
    (1e-12, 1e-18)
    """
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    return 1e-12 * max(1.0, largest) if scale <= SCALE else max(1 / scale, 2.0**-50 * largest)


def mean(n: Any, total: Any) -> tuple[Any, Any]:
    """Close a mean over n topics."""
    return total, n


def total(n: Any, total: Any) -> tuple[Any, Any]:
    """Close a sum over topics."""
    del n
    return total, 1


def geometric(n: Any, logs: Any) -> tuple[Any, Any]:
    """Close a geometric mean, from the sum of logarithms."""
    return np.exp(logs / n), 1


def closed(formula: Formula, n: Any, sums: Sequence[Any]) -> Floats:
    """Return the formula's values in floating point; NaN where the denominator is 0.

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
    """Return the formula's exact values as (numerators, denominators), the latter one integer if all share it.

    A denominator of 0 is undefined. `largest` are the largest possible sums over `size` topics.
    """
    shape = np.broadcast_shapes(np.shape(n), *(np.shape(s) for s in sums))
    kind = vectorises(formula, size, tuple(largest))
    if kind is not None:
        top, bottom = formula(n, *(column.astype(kind, copy=False) for column in sums))
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


@lru_cache(maxsize=256)
def vectorises(formula: Formula, size: int, largest: tuple[int, ...]) -> type | None:
    """Return the narrowest integer type on whose arrays a closing formula is exact, if any.

    The formula is tried on a grid of sums up to the largest possible.
    """
    grid = list(product(*(sorted({0, 1, most // 2, most}) for most in largest)))
    if all(most <= size for most in largest):
        # Counts of exclusive outcomes add up to at most all questions.
        grid = [cell for cell in grid if sum(cell) <= size]
    for kind, room in SAFE.items():
        try:
            single = [formula(size, *cell) for cell in grid]
            tops, bottoms = formula(size, *np.array(grid, np.int64).T.reshape(len(largest), len(grid)).astype(kind))
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            continue
        safe = all(isinstance(part, int) and abs(part) < room for pair in [*single, largest] for part in pair)
        tops, bottoms = (np.broadcast_to(part, len(grid)).tolist() for part in (tops, bottoms))
        if safe and [tuple(pair) for pair in single] == list(zip(tops, bottoms, strict=True)):
            return kind
    return None


def _singly(formula: Formula, parts: Sequence[Any]) -> tuple[Any, Any]:
    """Call the formula once for each distinct combination of sums, in Python integers."""
    cells, where = np.unique(np.stack([part.ravel() for part in parts]), axis=1, return_inverse=True)
    results = [formula(*map(int, cell)) or (0, 0) for cell in cells.T]
    if not all(isinstance(part, int) for pair in results for part in pair):
        quotients = [top / bottom if bottom else nan for top, bottom in results]
        results = [(round(value * SCALE), SCALE) if isfinite(value * SCALE) else (0, 0) for value in quotients]
    wide = max((abs(part) for pair in results for part in pair), default=0) >= 1 << 63
    table = np.array(results, object if wide else np.int64).T[:, where.ravel()]
    return table[0].reshape(parts[0].shape), table[1].reshape(parts[0].shape)


def error_of_means(sums: Floats, sizes: Floats | None, add: Add) -> Floats:
    """Return √(u/(u-1) Σ(s - μm)²)/Σm, of u units with sum s of m topics; m is 1 without sizes."""
    units, pairs = sums.shape
    if sizes is None:
        total = add(np.hstack([sums, sums * sums]))
        products, m, m_squares = total[:, :pairs], float(units), float(units)
    else:
        m = sizes[:, None]
        total = add(np.hstack([sums, sums * sums, sums * m, m, m * m]))
        products, m, m_squares = total[:, 2 * pairs : 3 * pairs], total[:, -2:-1], total[:, -1:]
    squares = total[:, pairs : 2 * pairs]
    mean = total[:, :pairs] / m
    spread = squares - 2 * mean * products + mean * mean * m_squares
    # Cancellation leaves only rounding: treat such a spread as 0.
    spread = np.where(spread > 1e-13 * squares, spread, 0.0)
    return np.sqrt(spread * (units / (units - 1))) / m


def errors_of_sums(
    table: Integers, sizes: Integers, scales: Integers, close: Callable[[Any, Any], Floats], a: Integers, b: Integers | None,
    add: Add,
) -> Floats:  # fmt: skip
    """Return delta-method standard errors of `close(n, sums)` on units × runs × ingredients.

    With f' the derivatives of the formula, unit i moves the measure by w(i) = Σ f'(k) x(i,k) + f'(n) m(i).
    """
    runs = np.unique(a if b is None else np.concatenate([a, b]))
    a, b = np.searchsorted(runs, a), None if b is None else np.searchsorted(runs, b)
    units, _, k = table.shape
    r = len(runs)
    m = np.broadcast_to(sizes.astype(np.float64)[:, None, None], (units, r, 1))
    z = np.concatenate([table[:, runs, :].astype(np.float64), m], axis=2)
    sums = add(z.reshape(units, -1)).reshape(-1, r, k + 1)
    inside = add((z[..., :, None] * z[..., None, :]).reshape(units, -1)).reshape(-1, r, k + 1, k + 1)
    slope = _slopes(sums, scales, close)
    first = np.einsum("trk,trk->tr", slope, sums)
    second = np.einsum("trk,trkl,trl->tr", slope, inside, slope)
    gross = np.einsum("trk,trkk->tr", slope * slope, inside)
    if b is None:
        spread, parts = second[:, a] - first[:, a] ** 2 / units, gross[:, a]
    else:
        across = add((z[:, a, :, None] * z[:, b, None, :]).reshape(units, -1)).reshape(-1, len(a), k + 1, k + 1)
        cross = np.einsum("tpk,tpkl,tpl->tp", slope[:, a], across, slope[:, b])
        spread = second[:, a] + second[:, b] - 2 * cross - (first[:, a] - first[:, b]) ** 2 / units
        parts = gross[:, a] + gross[:, b]
    # Slopes that cancel leave only rounding: treat such a spread as 0.
    spread = np.where(spread > 1e-12 * parts, spread, 0.0)
    return np.sqrt(spread * (units / (units - 1)))


def _slopes(sums: Floats, scales: Integers, close: Callable[[Any, Any], Floats]) -> Floats:
    """Return the derivatives of the measure by each ingredient's sum and, last, by n, as central differences."""
    n = sums[..., -1]
    slopes = np.empty_like(sums)
    for i, scale in enumerate([*scales.tolist(), 1]):
        step = 1e-4 * n * scale
        up, down = sums.copy(), sums.copy()
        up[..., i] += step
        down[..., i] -= step
        rise = close(up[..., -1], up[..., :-1]) - close(down[..., -1], down[..., :-1])
        slopes[..., i] = rise / (2 * step)
    return slopes
