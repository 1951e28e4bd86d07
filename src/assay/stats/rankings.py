"""How alike measures rank the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

from assay.stats.correlation import kendall_tau_b


def agreement(rankings: Mapping[str, Sequence[float | None]]) -> dict[tuple[str, str], float | None]:
    """Kendall's tau-b between each two rankings, upwards being better in all, over the runs both have a value for.

    >>> agreement({"AP": [0.3, 0.2, 0.1], "RR": [0.9, None, 1.0]})["AP", "RR"]
    -1.0
    """
    found: dict[tuple[str, str], float | None] = {}
    for x, y in combinations_with_replacement(rankings, 2):
        both = [(a, b) for a, b in zip(rankings[x], rankings[y], strict=True) if a is not None and b is not None]
        found[x, y] = kendall_tau_b([a for a, _ in both], [b for _, b in both]) if len(both) > 1 else None
    return found
