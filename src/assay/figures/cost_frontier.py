"""What runs cost, and which of them nobody beats for less: score against cost.

What a run costs is what its log tells of its answers, on average over the questions (dollars, tokens, seconds), or what an
organiser says of it under a name such as cost, price or size. Of several, what most runs have is taken.
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
"""What logs tell of an answer, and in what it may be counted; the first is what people mean by cost."""
NAMES = ("cost", "price", "size", "parameters")
"""What organisers call the cost of a run."""
LEAST = 0.1
"""What the cheapest run costs at least in the unit chosen, so that three digits tell runs apart."""
WIDE = 20
"""How many times as much the dearest run costs as the cheapest, from which on an axis is logarithmic."""
SMALLEST = 0.001
"""Below it three digits show 0, which has no logarithm."""
_NUMBER = re.compile(r"\$?\s*(\d+(?:\.\d+)?)\s*([KMBT]?)", re.IGNORECASE)
_TIMES = {"": 1.0, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


@dataclass(frozen=True, slots=True)
class CostFrontier:
    """What the runs cost, and which of them are worth it."""

    label: str
    """What is counted: Dollars per 1,000 questions."""
    costs: dict[str, float]
    """Of the runs with a value whose cost is known."""
    frontier: tuple[str, ...]
    """The runs that nobody beats at the same cost or less, the cheapest first."""
    unknown: tuple[str, ...]
    """The other runs."""
    wide: bool
    """Whether the costs differ by so much that their logarithms should be drawn."""


def spending(
    scores: Scores, measure: str | Measure, headline: Mapping[str, float | None] | None = None
) -> CostFrontier | None:
    """What the runs cost against a measure; None where nobody knows it of two runs, or it is the same of all, and of a measure
    that has neither better nor worse.

    scores    the table
    measure   one of its measures
    headline  by run, the number that the leaderboard shows; the table's own value where left out
    """
    higher_is_better = scores.measure(measure).declaration.higher_is_better
    if higher_is_better is None:
        return None
    shown = scores.mean(measure) if headline is None else headline
    values = {run: value if higher_is_better else -value for run, value in shown.items() if value is not None}
    found = [*_used(scores), *_said(scores)]
    known = [(label, {run: costs[run] for run in values if run in costs}) for label, costs in found]
    told = [one for one in known if len(set(one[1].values())) > 1]
    if not told:
        return None
    label, costs = max(told, key=lambda one: len(one[1]))  # the first of those that as many runs have
    least = min(costs.values())
    wide = least >= SMALLEST and max(costs.values()) / least > WIDE
    rest = tuple(run for run in scores.runs if run not in costs)
    return CostFrontier(label, costs, frontier(costs, values), rest, wide)


def frontier(costs: Mapping[str, float], values: Mapping[str, float]) -> tuple[str, ...]:
    """The runs such that no other is as good for less, or better for as much; the cheapest first.

    >>> frontier({"a": 1, "b": 2, "c": 3, "d": 2}, {"a": 0.5, "b": 0.7, "c": 0.6, "d": 0.7})
    ('a', 'b', 'd')
    """
    kept: list[str] = []
    for run in sorted(costs, key=lambda run: (costs[run], -values[run])):
        last = kept[-1] if kept else None
        equal = last is not None and (costs[run], values[run]) == (costs[last], values[last])
        if last is None or equal or values[run] > values[last]:
            kept.append(run)
    return tuple(kept)


def _used(scores: Scores) -> list[tuple[str, dict[str, float]]]:
    """What the logs tell, by what it is counted in; by run, the mean over the questions of which they tell it."""
    views: list[Any] = [scores.run(run).views for run in scores.runs]
    if scores.task.name != "outcomes" or None in views:
        return []
    usage: list[Mapping[str, Sequence[Any]]] = [getattr(one, "slots", one).usage for one in views]
    kinds = [kind for kind in UNITS if any(kind in one for one in usage)]
    table = extended(scores, kinds)
    found: list[tuple[str, dict[str, float]]] = []
    for kind in kinds:
        columns = {run: [cell for cell in table.column(run, kind) if cell is not None] for run in table.runs}
        costs = {run: sum(cells) / len(cells) for run, cells in columns.items() if cells}
        found.append(_scaled(kind, costs, scores.task.noun))
    return found


def _scaled(kind: str, costs: dict[str, float], noun: str) -> tuple[str, dict[str, float]]:
    """Costs in the first unit in which the cheapest run costs something to speak of."""
    least = min((cost for cost in costs.values() if cost > 0), default=1.0)
    label, times = next((unit for unit in UNITS[kind] if least * unit[1] >= LEAST), UNITS[kind][-1])
    return label.format(noun), {run: cost * times for run, cost in costs.items()}


def _said(scores: Scores) -> list[tuple[str, dict[str, float]]]:
    """What an organiser says of the runs in numbers, by its name."""
    described = {run: characteristics(scores, run) for run in scores.runs}
    names = dict.fromkeys(name for one in described.values() for name in one)
    wanted = sorted((name for name in names if name.casefold() in NAMES), key=lambda name: NAMES.index(name.casefold()))
    found: list[tuple[str, dict[str, float]]] = []
    for name in wanted:
        read = {run: number for run, one in described.items() if (number := _number(one.get(name))) is not None}
        # 7 beside 70B: nobody can tell whether the first is seven, or seven thousand million.
        if len({bool(suffix) for _, suffix in read.values()}) == 1:
            label = f"{name[:1].upper()}{name[1:]}"
            found.append((label, {run: amount * _TIMES[suffix] for run, (amount, suffix) in read.items()}))
    return found


def _number(said: object) -> tuple[float, str] | None:
    """A number that is not negative, and the letter it is counted in; None of anything else.

    >>> _number(0.25), _number("$3"), _number("70B"), _number("large"), _number(True), _number(-1)
    ((0.25, ''), (3.0, ''), (70.0, 'B'), None, None, None)
    """
    if isinstance(said, int | float) and not isinstance(said, bool):
        return (float(said), "") if said >= 0 else None
    found = _NUMBER.fullmatch(said.strip()) if isinstance(said, str) else None
    return None if found is None else (float(found[1]), found[2].upper())
