"""Runs in tiers that a test can tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

RULE = (
    "a run is in the best tier whose best run it is not significantly below; "
    "a run significantly below the best of every tier opens a new one"
)


def tiers(order: Sequence[str], below: Callable[[str, str], bool]) -> list[list[str]]:
    """Tiers of the runs, given best first; below(run, anchor) says whether a run is significantly below another.

    Each tier is anchored at its best run, so overlaps do not chain: B may tie with A, and C with B, while C is below A.

    >>> apart = {("c", "a"), ("d", "a"), ("d", "b")}
    >>> tiers(["a", "b", "c", "d"], lambda run, anchor: (run, anchor) in apart)
    [['a', 'b'], ['c', 'd']]
    """
    found: list[list[str]] = []
    for run in order:
        for tier in found:
            if not below(run, tier[0]):
                tier.append(run)
                break
        else:
            found.append([run])
    return found
