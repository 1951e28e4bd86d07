"""Tiers of a leaderboard: groups of runs, none of which is significantly worse than the best of its group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

TIER_RULE = (
    "a new tier starts where a run is significantly worse than the tier's best; it is no level: "
    "runs within a tier may differ, and equal runs may stand in different tiers"
)


def tiers(order: Sequence[int], below: Callable[[int, int], bool]) -> list[list[int]]:
    """Group runs, given best first, into tiers; below(run, best) says whether a run is significantly below another.

    A tier ends at the first run that is below its best, so that no run stands in a better tier than one above it.

    >>> apart = {(2, 0), (3, 0), (4, 2)}
    >>> tiers([0, 1, 2, 3, 4], lambda run, best: (run, best) in apart)
    [[0, 1], [2, 3], [4]]
    """
    groups: list[list[int]] = []
    for run in order:
        if groups and not below(run, groups[-1][0]):
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups
