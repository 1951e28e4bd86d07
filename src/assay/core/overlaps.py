"""Count what every two rankings of a topic share, by the compiled core (`overlaps.c`) or its Python twin.

With the core `assay overlap` compares 68 runs × 66 topics × 1,000 documents in 4.2 s of processor time. In numpy, a pair at a time, it
did not end in 9 minutes.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core import binding

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Shared(NamedTuple):
    """Of each pair of rankings, in the order (0, 1), (0, 2), …:

    documents   how many documents both have
    at_shorter  how many documents both have down to the end of the shorter ranking
    ordered     how many pairs of shared documents are in the same order in both
    weighed     Σ terms[d] · X(d), X(d) being the documents that both have down to depth d
    precision   over the shared documents from the second on, in the first ranking's order, the share of those above that the
                second ranking has above too
    """

    documents: Integers
    at_shorter: Integers
    ordered: Integers
    weighed: Floats
    precision: Floats


def count_shared(rankings: Sequence[Sequence[str]], terms: Floats) -> Shared:
    """Count what each two rankings share.

    rankings   documents from the first rank on, each once
    terms      the weight of each depth, from terms[1] to the length of the longest

    >>> shared = count_shared([["a", "b"], ["b", "c", "a"]], np.array([0.0, 1.0, 1.0, 1.0]))
    >>> [column.tolist() for column in shared]  # X = 0, 1, 2
    [[2], [1], [0], [3.0], [0.0]]
    """
    numbers: dict[str, int] = {}
    numbered = [[numbers.setdefault(document, len(numbers)) for document in ranking] for ranking in rankings]
    runs = len(rankings)
    pairs = runs * (runs - 1) // 2
    counts, sums = np.zeros((pairs, 3), np.int64), np.zeros((pairs, 2))
    if binding.LIBRARY is None:
        for pair, (first, second) in enumerate(combinations(numbered, 2)):
            counts[pair], sums[pair] = _counted(first, second, terms.tolist())
    else:
        documents = np.array([number for ranking in numbered for number in ranking], np.int32)
        starts = np.cumsum([0, *map(len, rankings)], dtype=np.int64)
        weights = np.ascontiguousarray(terms, np.float64)
        read = documents.ctypes.data, starts.ctypes.data, runs, len(numbers), weights.ctypes.data
        if binding.LIBRARY.assay_overlaps(*read, counts.ctypes.data, sums.ctypes.data) != 0:
            raise MemoryError(f"no memory for rankings of {len(numbers)} documents")
    return Shared(counts[:, 0], counts[:, 1], counts[:, 2], sums[:, 0], sums[:, 1])


def _counted(
    first: Sequence[int], second: Sequence[int], terms: Sequence[float]
) -> tuple[tuple[int, int, int], tuple[float, float]]:
    """Return the counts and the sums of one pair, added in the order of `overlaps.c`."""
    place = {document: rank for rank, document in enumerate(second)}
    meet = [0] * max(len(first), len(second))
    seen: list[int] = []
    ordered, precision = 0, 0.0
    for rank, document in enumerate(first):
        at = place.get(document)
        if at is None:
            continue
        meet[max(rank, at)] += 1
        above = bisect_left(seen, at)
        ordered += above
        if seen:
            precision += above / len(seen)
        insort(seen, at)
    both, at_shorter, weighed = 0, 0, 0.0
    for depth, more in enumerate(meet, 1):
        both += more
        weighed += both * terms[depth]
        if depth == min(len(first), len(second)):
            at_shorter = both
    return (len(seen), at_shorter, ordered), (weighed, precision)
