"""Standard errors by formula, from sums that may be those of the data or of every resample of it.

`add` takes columns, a row per unit, and returns their sums: one row for the data, a row for each resample.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.resampling.integers import Floats, Integers

Add = Callable[[Any], Floats]


def error_of_means(sums: Floats, sizes: Floats | None, add: Add) -> Floats:
    """The root of u/(u-1) Σ(s - μm)² over (Σm)², of u units with sum s of m topics; without sizes every m is 1."""
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
    # What cancellation leaves of a sum of squares is rounding, and a spread of rounding is no spread.
    spread = np.where(spread > 1e-13 * squares, spread, 0.0)
    return np.sqrt(spread * (units / (units - 1))) / m


def errors_of_sums(
    table: Integers, sizes: Integers, scales: Integers, close: Callable[[Any, Any], Floats], a: Integers, b: Integers | None,
    add: Add,
) -> Floats:  # fmt: skip
    """By linearisation (the delta method), of a formula `close(n, sums)` on a table of units × runs × ingredients.

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
    # Slopes that cancel leave rounding; a spread that small beside its parts is none.
    spread = np.where(spread > 1e-12 * parts, spread, 0.0)
    return np.sqrt(spread * (units / (units - 1)))


def _slopes(sums: Floats, scales: Integers, close: Callable[[Any, Any], Floats]) -> Floats:
    """Derivatives of the measure by each ingredient's sum and, last, by n: central differences."""
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
