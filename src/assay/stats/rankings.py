"""How alike measures rank the runs."""

from __future__ import annotations

from itertools import combinations_with_replacement

from assay.stats import correlation
from assay.stats.correlation import kendall_tau_b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


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


def alike(
    x: str, first: Mapping[str, float | None], y: str, second: Mapping[str, float | None]
) -> dict[str, Any] | None:
    """How alike two rankings of runs are, by all three coefficients, the second being the reference; None below 2 runs.

    >>> alike("AP", {"a": 0.3, "b": 0.2}, "RR", {"a": 0.9, "b": 0.5, "c": 1.0})["tau_b"]
    1.0
    """
    shared = [run for run, value in first.items() if value is not None and second.get(run) is not None]
    if len(shared) < 2:
        return None
    one, two = ([float(ranking[run] or 0) for run in shared] for ranking in (first, second))
    return {"x": x, "y": y, "runs": len(shared), **correlation.agreement(one, two)}
