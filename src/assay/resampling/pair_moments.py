"""Sums and sums of squares of the differences of many pairs of runs, exact in integers.

Of 1,000 runs there are 499,500 pairs; their differences on 12,000 topics fill 48 GB and take minutes. Σd² of all pairs follows from
one Gram matrix of the runs: Σ(x - y)² = Σx² + Σy² - 2Σxy.
"""

from __future__ import annotations

import numpy as np

from assay.resampling.integer_scaling import Floats, Integers

GRAM_CELLS = 1 << 26
"""Pairs × topics from which the Gram matrix is used; below, differences take less than a second."""
BLOCK = 1 << 22
"""Pairs × topics whose differences are held at once."""


def pair_moments(values: Integers, a: Integers, b: Integers) -> tuple[Floats, Floats]:
    """Return Σd and Σd² of each pair of columns, d being the first less the second.

    values   units × runs, whose sums fit 64 bits

    >>> [column.tolist() for column in pair_moments(np.array([[3, 1], [5, 2]]), np.array([0]), np.array([1]))]
    [[5.0], [13.0]]
    """
    if len(a) * len(values) >= GRAM_CELLS and len(a) > 4 * values.shape[1]:
        totals = values.sum(axis=0)
        return (totals[a] - totals[b]).astype(np.float64), _squares_by_gram(values, a, b)
    sums, squares = np.empty(len(a)), np.empty(len(a))
    step = max(1, BLOCK // max(len(values), 1))
    for at in range(0, len(a), step):
        d = (values[:, a[at : at + step]] - values[:, b[at : at + step]]).astype(np.float64)
        sums[at : at + step], squares[at : at + step] = d.sum(axis=0), np.einsum("up,up->p", d, d)
    return sums, squares


def _squares_by_gram(values: Integers, a: Integers, b: Integers) -> Floats:
    """Return Σd² of each pair from Gram matrices of the values' parts, whose products are exact.

    x = Σ xᵢ 2^(bits·i), so that Σd² = Σᵢⱼ 2^(bits·(i + j)) Σdᵢdⱼ. The inner sums are integers below 2⁵⁵; they are carried into digits that
    are not negative before they are added as floating-point numbers, so that nothing cancels.
    """
    from_zero = values - values.min(axis=1, keepdims=True)
    bits = (53 - len(values).bit_length()) // 2
    parts: list[Floats] = []
    while not parts or from_zero.any():
        parts.append((from_zero & ((1 << bits) - 1)).astype(np.float64))
        from_zero >>= bits
    digits = np.zeros((2 * len(parts) - 1, len(a)), dtype=np.int64)
    for i, first in enumerate(parts):
        for j, second in enumerate(parts[i:], i):
            gram = (first.T @ second).astype(np.int64)
            squares = np.diagonal(gram)
            inner = squares[a] + squares[b] - gram[a, b] - gram[b, a]
            digits[i + j] += inner if i == j else 2 * inner
    for i in range(len(digits) - 1):
        digits[i + 1] += digits[i] >> bits
        digits[i] &= (1 << bits) - 1
    total = np.zeros(len(a))
    for digit in digits[::-1]:
        total = total * float(1 << bits) + digit
    return total
