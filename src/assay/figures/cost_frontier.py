"""The cost of runs, and the runs on the cost-score frontier.

A run's cost is the mean usage over its questions in its log or table (dollars, tokens, seconds), or a characteristic named cost, price,
size or parameters. Of several, the one that most runs have is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.figures.common import characteristics
from assay.measures.measure import Measure
from assay.scoring.evaluate import extended
from assay.table.scores import Scores

UNITS = {
    "cost": (("Dollars per {}", 1), ("Dollars per 1,000 {}s", 1_000), ("Dollars per 1,000,000 {}s", 1_000_000)),
    "tokens": (("Tokens per {}", 1),),
    "latency": (("Seconds per {}", 1), ("Milliseconds per {}", 1_000)),
}
"""By kind of usage in logs, the units it may be shown in."""
NAMES = ("cost", "price", "size", "parameters")
"""Characteristics with the cost of a run."""
MIN_SHOWN_COST = 0.1
"""The unit is chosen so that the cheapest run costs at least this, and three digits distinguish runs."""
LOG_AXIS_RATIO = 20
"""Ratio of the highest to the lowest cost above which the axis is logarithmic."""
MIN_LOG_COST = 0.001
"""Lower costs would print as 0, which has no logarithm."""
_NUMBER = re.compile(r"\$?\s*(\d+(?:\.\d+)?)\s*([KMBT]?)", re.IGNORECASE)
_TIMES = {"": 1.0, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


@dataclass(frozen=True, slots=True)
class CostFrontier:
    """The costs of the runs, and the runs that no other beats at the same cost or less."""

    label: str
    """The unit, as in Dollars per 1,000 questions."""
    costs: dict[str, float]
    """Of the runs with a value whose cost is known."""
    frontier: tuple[str, ...]
    """The runs that no other run beats at the same cost or less, the cheapest first."""
    unknown: tuple[str, ...]
    """The other runs."""
    wide: bool
    """Whether the axis of costs should be logarithmic."""


def spending(
    scores: Scores, measure: str | Measure, headline: Mapping[str, float | None] | None = None
) -> CostFrontier | None:
    """Return the cost frontier by a measure.

    None where fewer than two runs have a cost, where all costs are equal, or where the measure has no direction.
    """
    higher_is_better = scores.measure(measure).declaration.higher_is_better
    if higher_is_better is None:
        return None
    headline_values = scores.mean(measure) if headline is None else headline
    values = {run: value if higher_is_better else -value for run, value in headline_values.items() if value is not None}
    candidates = [*_usage_costs(scores), *_described_costs(scores)]
    known = [(label, {run: costs[run] for run in values if run in costs}) for label, costs in candidates]
    varying = [item for item in known if len(set(item[1].values())) > 1]
    if not varying:
        return None
    label, costs = max(varying, key=lambda item: len(item[1]))  # the first of those that as many runs have
    least = min(costs.values())
    wide = least >= MIN_LOG_COST and max(costs.values()) / least > LOG_AXIS_RATIO
    rest = tuple(run for run in scores.runs if run not in costs)
    return CostFrontier(label, costs, frontier(costs, values), rest, wide)


def frontier(costs: Mapping[str, float], values: Mapping[str, float]) -> tuple[str, ...]:
    """Return the runs that no other beats at the same cost or less, the cheapest first.

    >>> frontier({"a": 1, "b": 2, "c": 3, "d": 2}, {"a": 0.5, "b": 0.7, "c": 0.6, "d": 0.7})
    ('a', 'b', 'd')
    """
    best: list[str] = []
    for run in sorted(costs, key=lambda run: (costs[run], -values[run])):
        last = best[-1] if best else None
        equal = last is not None and (costs[run], values[run]) == (costs[last], values[last])
        if last is None or equal or values[run] > values[last]:
            best.append(run)
    return tuple(best)


def _usage_costs(scores: Scores) -> list[tuple[str, dict[str, float]]]:
    """Return the usage in the logs by unit and run, averaged over the questions that have it."""
    views: list[Any] = [scores.run(run).views for run in scores.runs]
    if scores.task.name != "outcomes" or None in views:
        return []
    usage: list[Mapping[str, Sequence[Any]]] = [
        getattr(usage_of_run, "slots", usage_of_run).usage for usage_of_run in views
    ]
    kinds = [kind for kind in UNITS if any(kind in usage_of_run for usage_of_run in usage)]
    table = extended(scores, kinds)
    costs_by_unit: list[tuple[str, dict[str, float]]] = []
    for kind in kinds:
        columns = {run: [cell for cell in table.column(run, kind) if cell is not None] for run in table.runs}
        costs = {run: sum(cells) / len(cells) for run, cells in columns.items() if cells}
        costs_by_unit.append(_scaled(kind, costs, scores.task.noun))
    return costs_by_unit


def _scaled(kind: str, costs: dict[str, float], noun: str) -> tuple[str, dict[str, float]]:
    """Convert costs to the first unit in which the cheapest run costs at least MIN_SHOWN_COST."""
    least = min((cost for cost in costs.values() if cost > 0), default=1.0)
    label, times = next((unit for unit in UNITS[kind] if least * unit[1] >= MIN_SHOWN_COST), UNITS[kind][-1])
    return label.format(noun), {run: cost * times for run, cost in costs.items()}


def _described_costs(scores: Scores) -> list[tuple[str, dict[str, float]]]:
    """Return the numeric costs among the runs' characteristics, by name and run."""
    described = {run: characteristics(scores, run) for run in scores.runs}
    names = dict.fromkeys(name for traits in described.values() for name in traits)
    cost_names = sorted(
        (name for name in names if name.casefold() in NAMES), key=lambda name: NAMES.index(name.casefold())
    )
    costs_by_name: list[tuple[str, dict[str, float]]] = []
    for name in cost_names:
        read = {run: number for run, traits in described.items() if (number := _number(traits.get(name))) is not None}
        # 7 beside 70B may be 7 or 7B.
        if len({bool(suffix) for _, suffix in read.values()}) == 1:
            label = f"{name[:1].upper()}{name[1:]}"
            costs_by_name.append((label, {run: amount * _TIMES[suffix] for run, (amount, suffix) in read.items()}))
    return costs_by_name


def _number(value: object) -> tuple[float, str] | None:
    """Parse a non-negative number and its suffix letter; None of anything else.

    >>> _number(0.25), _number("$3"), _number("70B"), _number("large"), _number(True), _number(-1)
    ((0.25, ''), (3.0, ''), (70.0, 'B'), None, None, None)
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value), "") if value >= 0 else None
    match = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return None if match is None else (float(match[1]), match[2].upper())
