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

UNITS: dict[str, tuple[tuple[str, int], ...]] = {
    "cost": (("Dollars per {}", 1), ("Dollars per 1,000 {}s", 1_000), ("Dollars per 1,000,000 {}s", 1_000_000)),
    "tokens": (("Tokens per {}", 1),),
    "latency": (("Seconds per {}", 1), ("Milliseconds per {}", 1_000)),
    "steps": (("Steps per {}", 1),),
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

    kind: str
    """cost, tokens, latency, or the name of the characteristic."""
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


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of the runs of one kind."""

    kind: str
    """cost, tokens, latency, or the name of the characteristic."""
    label: str
    """The unit."""
    by_run: dict[str, float]
    factor: float = 1.0
    """What a question's cost is multiplied by to be in this unit."""
    table: Scores | None = None
    """A table with the cost of each question as a measure of that name; None where only the run's own cost is known."""


def known_costs(scores: Scores, places: Sequence[int] | None = None) -> list[Costs]:
    """Return each kind of cost that some run has: of logs, tables and then characteristics.

    places   the questions that costs are averaged over; by default all
    """
    return [*_usage_costs(scores, places), *_described_costs(scores)]


def with_usage(scores: Scores) -> Scores:
    """Return the table with the usage of each question among its measures, where it is known."""
    return _usage_table(scores)[0]


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
    known = known_costs(scores)
    by_kind = [
        (item.kind, item.label, {run: item.by_run[run] for run in values if run in item.by_run}) for item in known
    ]
    varying = [item for item in by_kind if len(set(item[2].values())) > 1]
    if not varying:
        return None
    kind, label, costs = max(varying, key=lambda item: len(item[2]))  # the first of those that as many runs have
    least = min(costs.values())
    wide = least >= MIN_LOG_COST and max(costs.values()) / least > LOG_AXIS_RATIO
    rest = tuple(run for run in scores.runs if run not in costs)
    return CostFrontier(kind, label, costs, frontier(costs, values), rest, wide)


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


def _usage_costs(scores: Scores, places: Sequence[int] | None) -> list[Costs]:
    """Return the usage of logs and tables by kind, averaged over the questions that have it."""
    table, kinds = _usage_table(scores)
    costs: list[Costs] = []
    for kind in kinds:
        columns = {run: table.column(run, kind) for run in table.runs}
        chosen = {
            run: column if places is None else [column[place] for place in places] for run, column in columns.items()
        }
        cells = {run: [cell for cell in column if cell is not None] for run, column in chosen.items()}
        means = {run: sum(values) / len(values) for run, values in cells.items() if values}
        least = min((mean for mean in means.values() if mean > 0), default=1.0)
        # The first unit in which the cheapest run costs at least MIN_SHOWN_COST.
        label, times = next((unit for unit in UNITS[kind] if least * unit[1] >= MIN_SHOWN_COST), UNITS[kind][-1])
        by_run = {run: mean * times for run, mean in means.items()}
        costs.append(Costs(kind, label.format(scores.task.noun), by_run, times, table))
    return costs


def _usage_table(scores: Scores) -> tuple[Scores, list[str]]:
    """Return a table with the usage of each question, and its kinds."""
    views: list[Any] = [scores.run(run).views for run in scores.runs]
    if scores.task.name != "outcomes" or None in views:
        return scores, [kind for kind in UNITS if any(m.name == kind and m.level == "topic" for m in scores.measures)]
    usage: list[Mapping[str, Sequence[Any]]] = [
        getattr(usage_of_run, "slots", usage_of_run).usage for usage_of_run in views
    ]
    kinds = [kind for kind in UNITS if any(kind in usage_of_run for usage_of_run in usage)]
    return extended(scores, kinds), kinds


def _described_costs(scores: Scores) -> list[Costs]:
    """Return the numeric costs among the runs' characteristics."""
    described = {run: characteristics(scores, run) for run in scores.runs}
    names = dict.fromkeys(name for traits in described.values() for name in traits)
    cost_names = sorted(
        (name for name in names if name.casefold() in NAMES), key=lambda name: NAMES.index(name.casefold())
    )
    costs_by_name: list[Costs] = []
    for name in cost_names:
        read = {run: number for run, traits in described.items() if (number := _number(traits.get(name))) is not None}
        # 7 beside 70B may be 7 or 7B.
        if len({bool(suffix) for _, suffix in read.values()}) == 1:
            label = f"{name[:1].upper()}{name[1:]}"
            costs_by_name.append(
                Costs(name, label, {run: amount * _TIMES[suffix] for run, (amount, suffix) in read.items()})
            )
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
