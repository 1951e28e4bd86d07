"""Runs on the frontier of value and cost, in many draws at once."""

from __future__ import annotations

import numpy as np

from assay.figures.cost_frontier import frontier
from assay.stats.cost_frontier import on_frontier


def dominated(value: float, cost: float, others: list[tuple[float, float]]) -> bool:
    """Whether another run is at least as good and cheaper, or better at the same cost."""
    return any((v >= value and c < cost) or (v > value and c == cost) for v, c in others)


def test_every_run_of_boards_with_ties_by_the_definition() -> None:
    rng = np.random.default_rng(5)
    values, costs = rng.integers(0, 4, (500, 6)) / 4, rng.integers(1, 5, (500, 6)).astype(float)
    found = on_frontier(values, costs)
    for members, value, cost in zip(found.tolist(), values.tolist(), costs.tolist(), strict=True):
        runs = list(zip(value, cost, strict=True))
        assert members == [not dominated(*run, runs) for run in runs]
        names = [str(i) for i in range(6)]
        by_name = frontier(dict(zip(names, cost, strict=True)), dict(zip(names, value, strict=True)))
        assert {names[i] for i in range(6) if members[i]} == set(by_name)


def test_a_run_without_a_value_or_a_cost_is_not_on_it_and_beats_nothing() -> None:
    values, costs = np.array([[np.nan, 0.5, 0.4]]), np.array([[1.0, np.nan, 3.0]])
    assert on_frontier(values, costs).tolist() == [[False, False, True]]
