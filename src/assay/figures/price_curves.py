"""Who leads, by what a wrong answer costs: right 1, declined 0, wrong -t/(1-t), the mean over questions.

At t a system breaks even that answers when it is right with a probability of t: at 0 a wrong answer costs nothing and the
mean is accuracy, at 1/2 as much as a right one brings, and more beyond. Every mean is a line over x = t/(1-t), so that
the places where the leader changes are fractions and found exactly.
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
    """From one price to the next nobody does better than these runs; no run where declining everything does."""

    start: Fraction
    end: Fraction
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crossing:
    """The price at which two runs do equally well: `before` is ahead where an error costs less, `after` where more."""

    at: Fraction
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Prices:
    """The curve of every run, and who leads where."""

    curves: dict[str, tuple[tuple[float, float], ...]]
    leads: tuple[Lead, ...]


def score(right: int, wrong: int, declined: int, t: Fraction) -> Fraction:
    """The mean over questions at one price.

    >>> score(6, 2, 2, Fraction(1, 2)), score(6, 2, 2, Fraction(3, 4))
    (Fraction(2, 5), Fraction(0, 1))
    """
    return Fraction(right - wrong * t / (1 - t)) / (right + wrong + declined)


def places_of(scores: Scores) -> list[int]:
    """The questions that all runs were asked, by where they stand: who leads is asked of the same ones."""
    return sorted(set.intersection(*({*scores.entering(run)} for run in scores.runs)))


def counted(scores: Scores, right: str = "correct", wrong: str = "incorrect") -> list[Counted]:
    """Every run's right, wrong and declined questions, of those that all runs were asked.

    A question weighs the same whatever its number of samples. `right` and `wrong` are the columns that say so.
    """
    places = places_of(scores)
    found: list[Counted] = []
    for name in scores.runs:
        run = scores.run(name)
        counts = run.samples or [1] * len(scores.topics)
        n, (good, bad) = repeats.added([run.columns[right], run.columns[wrong]], counts, places)
        found.append((name, good, bad, n - good - bad))
    return found


def right_to_decline(scores: Scores) -> list[bool]:
    """Per question: whether declining it is right, so that whoever declines everything has it right.

    The gold says so (`should_decline`); of SQuAD's, a question without an answer. NIL is an answer elsewhere.
    """
    field = scores.fields.get("should_decline")
    if field is not None:
        return [cell == "true" for cell in field]
    gold = getattr(scores.run(scores.runs[0]).views, "gold", None)
    if getattr(gold, "kind", None) == "squad":
        return [not known for known in gold.known]  # type: ignore[union-attr]
    return [False] * len(scores.topics)


def worth_of_declining(scores: Scores) -> Fraction:
    """The mean of a system that declines everything, at any price: the share of questions that should be declined."""
    flags, places = right_to_decline(scores), places_of(scores)
    return Fraction(sum(flags[place] for place in places), len(places) or 1)


def prices(runs: Sequence[Counted], declining: Fraction = ZERO) -> Prices | None:
    """The curves and leaders of runs; None where none of them has a question. `declining` is the mean of declining everything."""
    asked = [run for run in runs if sum(run[1:])]
    if not asked:
        return None
    curves: dict[str, tuple[tuple[float, float], ...]] = {}
    for name, right, wrong, declined in asked:
        points = ((t, score(right, wrong, declined, t)) for t in GRID)
        curves[name] = tuple((float(t), float(value)) for t, value in points if value >= LOWEST)
    return Prices(curves, tuple(leads(asked, declining)))


def leads(runs: Sequence[Counted], declining: Fraction = ZERO) -> list[Lead]:
    """Who leads from which price to which, from 0 to 1, by the upper hull of the runs' lines and that of declining everything.

    >>> [(str(one.start), str(one.end), one.runs) for one in leads([("bold", 6, 4, 0), ("shy", 5, 1, 4)])]
    [('0', '1/4', ('bold',)), ('1/4', '5/6', ('shy',)), ('5/6', '1', ())]
    """
    lines: dict[tuple[Fraction, Fraction], list[str]] = {(declining, ZERO): []}
    for name, right, wrong, declined in runs:
        whole = right + wrong + declined
        lines.setdefault((Fraction(right, whole), Fraction(wrong, whole)), []).append(name)
    # Of those equally right the one with fewer errors leads as soon as an error costs anything.
    now = max(lines, key=lambda line: (line[0], -line[1]))
    start = Fraction(0)
    found: list[Lead] = []
    while True:
        crossings = [
            ((now[0] - other[0]) / (now[1] - other[1]), other[1], other) for other in lines if other[1] < now[1]
        ]
        if not crossings:
            return [*found, Lead(start, Fraction(1), tuple(lines[now]))]
        x, _, after = min(crossings)
        end = x / (1 + x)
        found.append(Lead(start, end, tuple(lines[now])))
        now, start = after, end


def crossings(runs: Sequence[Counted]) -> list[Crossing]:
    """Where each two runs change places, cheapest first; pairs of which one is ahead at every price have no such place.

    Runs that meet at a price of 0, equally often right, do not cross there: the one with fewer errors is ahead ever after.

    >>> [(str(one.at), one.before, one.after) for one in crossings([("bold", 6, 4, 0), ("shy", 5, 1, 4)])]
    [('1/4', 'bold', 'shy')]
    """
    lines = [
        (name, Fraction(right, n), Fraction(wrong, n))
        for name, right, wrong, declined in runs
        if (n := right + wrong + declined)
    ]
    found: list[Crossing] = []
    for one, other in combinations(lines, 2):
        (before, right, wrong), (after, fewer, less) = sorted((one, other), key=lambda line: -line[1])
        if right > fewer and wrong > less:
            x = (right - fewer) / (wrong - less)
            found.append(Crossing(x / (1 + x), before, after))
    return sorted(found, key=lambda crossing: crossing.at)
