"""The leading run by the price of a wrong answer: right 1, declined 0, wrong -t/(1-t).

At t, answering breaks even for a probability t of being right: at 0 an error is free and the mean is accuracy, at 1/2 it costs
as much as a right answer earns. Every mean is a line over x = t/(1-t), so the places where the leader changes are exact
fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from assay.table import repeats
from assay.table.scores import Scores

STEPS = 40
"""Points of a curve, from t = 0 on."""
LAST = Fraction(19, 20)
"""Where curves end: at t = 1 a single wrong answer costs everything."""
GRID = tuple(LAST * step / STEPS for step in range(STEPS + 1))
"""Where curves are drawn."""
LOWEST = -1
"""Curves end where a run does worse than this."""

ZERO = Fraction(0)

Counted = tuple[str, int, int, int]
"""A run with its right, wrong and declined questions."""


@dataclass(frozen=True, slots=True)
class Lead:
    """An interval of prices and its leading runs; none where declining everything leads."""

    start: Fraction
    end: Fraction
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crossing:
    """The price at which two runs are equal: `before` leads at lower prices, `after` at higher."""

    at: Fraction
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Prices:
    """The curve of every run, and the leader by price."""

    curves: dict[str, tuple[tuple[float, float], ...]]
    leads: tuple[Lead, ...]


def score(right: int, wrong: int, declined: int, t: Fraction) -> Fraction:
    """Return the mean over questions at one price.

    >>> score(6, 2, 2, Fraction(1, 2)), score(6, 2, 2, Fraction(3, 4))
    (Fraction(2, 5), Fraction(0, 1))
    """
    return Fraction(right - wrong * t / (1 - t)) / (right + wrong + declined)


def places_of(scores: Scores) -> list[int]:
    """Return the places of the questions that were put to all runs."""
    return sorted(set.intersection(*({*scores.entering(run)} for run in scores.runs)))


def counted(scores: Scores, right: str = "correct", wrong: str = "incorrect") -> list[Counted]:
    """Return every run's right, wrong and declined counts over the questions put to all runs.

    A question has the same weight for any number of samples. `right` and `wrong` name the columns.
    """
    places = places_of(scores)
    counts_by_run: list[Counted] = []
    for name in scores.runs:
        run = scores.run(name)
        counts = run.samples or [1] * len(scores.topics)
        n, (good, bad) = repeats.added([run.columns[right], run.columns[wrong]], counts, places)
        counts_by_run.append((name, good, bad, n - good - bad))
    return counts_by_run


def right_to_decline(scores: Scores) -> list[bool]:
    """Return per question whether declining is right: `should_decline`, or SQuAD's no answer.

    NIL is an answer in other tasks.
    """
    field = scores.fields.get("should_decline")
    if field is not None:
        return [cell == "true" for cell in field]
    gold = getattr(scores.run(scores.runs[0]).views, "gold", None)
    if getattr(gold, "kind", None) == "squad":
        return [not known for known in gold.known]  # type: ignore[union-attr]
    return [False] * len(scores.topics)


def worth_of_declining(scores: Scores) -> Fraction:
    """Return the share of questions to decline: the mean of declining everything, at any price."""
    flags, places = right_to_decline(scores), places_of(scores)
    return Fraction(sum(flags[place] for place in places), len(places) or 1)


def prices(runs: Sequence[Counted], declining: Fraction = ZERO) -> Prices | None:
    """Return curves and leaders; None if no run has a question."""
    answering = [run for run in runs if sum(run[1:])]
    if not answering:
        return None
    curves: dict[str, tuple[tuple[float, float], ...]] = {}
    for name, right, wrong, declined in answering:
        points = ((t, score(right, wrong, declined, t)) for t in GRID)
        curves[name] = tuple((float(t), float(value)) for t, value in points if value >= LOWEST)
    return Prices(curves, tuple(leads(answering, declining)))


def leads(runs: Sequence[Counted], declining: Fraction = ZERO) -> list[Lead]:
    """Return the leaders by price from 0 to 1: the upper hull of all lines.

    >>> [(str(lead.start), str(lead.end), lead.runs) for lead in leads([("bold", 6, 4, 0), ("shy", 5, 1, 4)])]
    [('0', '1/4', ('bold',)), ('1/4', '5/6', ('shy',)), ('5/6', '1', ())]
    """
    lines: dict[tuple[Fraction, Fraction], list[str]] = {(declining, ZERO): []}
    for name, right, wrong, declined in runs:
        whole = right + wrong + declined
        lines.setdefault((Fraction(right, whole), Fraction(wrong, whole)), []).append(name)
    # Of those equally right the one with fewer errors leads as soon as an error costs anything.
    leader = max(lines, key=lambda line: (line[0], -line[1]))
    start = Fraction(0)
    intervals: list[Lead] = []
    while True:
        crossings = [
            ((leader[0] - other[0]) / (leader[1] - other[1]), other[1], other)
            for other in lines
            if other[1] < leader[1]
        ]
        if not crossings:
            return [*intervals, Lead(start, Fraction(1), tuple(lines[leader]))]
        x, _, after = min(crossings)
        end = x / (1 + x)
        intervals.append(Lead(start, end, tuple(lines[leader])))
        leader, start = after, end


def crossings(runs: Sequence[Counted]) -> list[Crossing]:
    """Return the prices at which pairs of runs swap places, the lowest first.

    Runs that are equally often right meet at price 0 but do not cross: the one with fewer errors leads at every higher price.

    >>> [(str(swap.at), swap.before, swap.after) for swap in crossings([("bold", 6, 4, 0), ("shy", 5, 1, 4)])]
    [('1/4', 'bold', 'shy')]
    """
    lines = [
        (name, Fraction(right, n), Fraction(wrong, n))
        for name, right, wrong, declined in runs
        if (n := right + wrong + declined)
    ]
    swaps: list[Crossing] = []
    for first, second in combinations(lines, 2):
        (before, right, wrong), (after, fewer, less) = sorted((first, second), key=lambda line: -line[1])
        if right > fewer and wrong > less:
            x = (right - fewer) / (wrong - less)
            swaps.append(Crossing(x / (1 + x), before, after))
    return sorted(swaps, key=lambda swap: swap.at)
