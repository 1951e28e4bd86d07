"""Which runs and pairs a comparison is about, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from assay.errors import UsageError
from assay.measures.measure import Measure
from assay.resampling.arithmetic import Floats, Integers
from assay.table.scores import Scores


def runs_compared(
    scores: Scores, runs: Sequence[str] | None, baseline: str | None, pairs: Sequence[tuple[str, str]] | None
) -> list[str]:
    """Return the runs that take part, each once, in the table's order."""
    named = list(runs) if runs is not None else list(scores.runs)
    if pairs is not None:
        if baseline is not None:
            raise UsageError(f"`baseline={baseline!r}`: give a baseline or the pairs to compare, not both")
        if any(isinstance(pair, str) or len(pair) != 2 for pair in pairs):
            raise UsageError(f"`pairs={pairs!r}`: expected two names of runs in each, as in [('new', 'old')]")
        named = [run for pair in pairs for run in pair]
        seen: set[frozenset[str]] = set()
        for a, b in pairs:
            if a == b:
                raise UsageError(f"{a}:{b} compares a run with itself")
            if frozenset((a, b)) in seen:
                raise UsageError(f"pair {a}:{b} is given twice")
            seen.add(frozenset((a, b)))
    if baseline is not None:
        named.append(baseline)
    known = {scores.run(run).name for run in named}
    names = [run for run in scores.runs if run in known]
    if len(names) < 2:
        raise UsageError(f"a comparison needs at least 2 runs; there is {', '.join(names) or 'none'}")
    return names


def pair_positions(
    names: Sequence[str], order: Sequence[int], baseline: str | None, pairs: Sequence[tuple[str, str]] | None
) -> tuple[Integers, Integers, bool]:
    """Return the positions of the runs of each pair, best runs first, and whether these are all pairs."""
    place = {name: i for i, name in enumerate(names)}
    if pairs is not None:
        positions = [(place[x], place[y]) for x, y in pairs]
    elif baseline is not None:
        positions = [(i, place[baseline]) for i in order if i != place[baseline]]
    else:
        positions = [(1, 0)] if len(names) == 2 else list(combinations(order, 2))
    table = np.array(positions, dtype=np.int64)
    return table[:, 0], table[:, 1], baseline is None and len(positions) == len(names) * (len(names) - 1) // 2


def best_first(values: Floats, measure: Measure) -> list[int]:
    """Return the positions of the runs, best first; those without a value last."""
    upwards = -values if measure.declaration.higher_is_better is False else values
    return np.argsort(np.where(np.isfinite(upwards), -upwards, np.inf), kind="stable").tolist()
