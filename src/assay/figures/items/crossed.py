"""Questions worth reading first: what two runs made of each, where one was sure and wrong, where all were.

A question answered several times counts by what its samples did most often. A question that a run leaves out counts as the
table's policy has it; one that failed counts nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import UsageError
from assay.sampled import each
from assay.scoring import extended
from assay.table import Scores

RIGHT, WRONG, DECLINED = "right", "wrong", "declined"
OUTCOMES = (RIGHT, WRONG, DECLINED)
INGREDIENTS = ("correct", "incorrect", "unanswered")
SURE = 0.8
"""From which confidence on a wrong answer is told apart from others."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """Two runs on the same questions: how often the first ended one way and the second another, and where."""

    a: str
    b: str
    counts: tuple[tuple[int, ...], ...]
    """Rows are what the first run did, columns what the second did: right, wrong, declined."""
    questions: tuple[tuple[tuple[str, ...], ...], ...]
    """The questions of each cell."""
    left_out: tuple[str, ...]
    """Questions that do not enter, failed, or whose samples are undecided."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A question that a run got wrong though it was sure."""

    topic: str
    run: str
    confidence: float


def outcomes_of(scores: Scores, run: str) -> list[str | None]:
    """right, wrong or declined for every question; None where the run has none, or its samples are undecided."""
    table = _with_ingredients(scores, [run])
    return [*map(_usual, zip(*(table.column(run, name) for name in INGREDIENTS), strict=True))]


def _usual(counts: Sequence[float | None]) -> str | None:
    """What happened most often; None of a draw, of failures alone, and where the question does not enter."""
    most = max(count or 0 for count in counts)
    best = [outcome for outcome, count in zip(OUTCOMES, counts, strict=True) if count == most]
    return best[0] if most and len(best) == 1 else None


def _with_ingredients(scores: Scores, runs: Sequence[str]) -> Scores:
    """The table with the outcomes of some runs, or a refusal in words."""
    if scores.task.name != "outcomes":
        raise UsageError(f"the task {scores.task.name!r} has no questions that end right, wrong or declined")
    table = extended(scores, (), INGREDIENTS)
    for run in runs:
        if not {*INGREDIENTS} <= {*table.run(run).columns}:
            raise UsageError(
                f"{run}: some answers have partial credit; `right_from=0.5` says from which score one is right"
            )
    return table


def crossed(scores: Scores, a: str, b: str) -> Crossed:
    """The 3 × 3 table of what two runs made of the same questions, with the questions of each cell.

    scores   a table of outcomes
    a, b     two of its runs

    >>> import assay
    >>> runs = {"a": {"q1": "Paris", "q2": None}, "b": {"q1": "Lyon", "q2": "Oslo"}}
    >>> table = crossed(assay.evaluate({"q1": "Paris", "q2": "Oslo"}, runs), "a", "b")
    >>> table.counts, table.questions[0][1]
    (((0, 1, 0), (0, 0, 0), (1, 0, 0)), ('q1',))
    """
    cells: dict[tuple[str, str], list[str]] = {(x, y): [] for x in OUTCOMES for y in OUTCOMES}
    left_out: list[str] = []
    for topic, x, y in zip(scores.topics, outcomes_of(scores, a), outcomes_of(scores, b), strict=True):
        if x is None or y is None:
            left_out.append(topic)
        else:
            cells[x, y].append(topic)
    questions = tuple(tuple(tuple(cells[x, y]) for y in OUTCOMES) for x in OUTCOMES)
    counts = tuple(tuple(map(len, row)) for row in questions)
    return Crossed(a, b, counts, questions, tuple(left_out))


def confidently_wrong(scores: Scores, run: str | None = None, sure: float = SURE) -> tuple[Mistake, ...]:
    """The wrong answers of a run, or of all, that were given with much confidence; the surest first.

    scores   a table of outcomes
    run      one of its runs; all where left out
    sure     from which confidence on
    """
    found: list[Mistake] = []
    table = _with_ingredients(scores, scores.runs if run is None else [run])
    table = extended(table, (), ("confidence",))
    for name in scores.runs if run is None else [run]:
        ended = outcomes_of(table, name)
        for topic, outcome, stated in zip(table.topics, ended, _confidence_when_wrong(table, name), strict=True):
            if outcome == WRONG and stated is not None and stated >= sure:
                found.append(Mistake(topic, name, stated))
    return tuple(sorted(found, key=lambda one: (-one.confidence, one.topic, one.run)))


def _confidence_when_wrong(scores: Scores, run: str) -> list[float | None]:
    """How sure a run was of its wrong answer; of several samples the mean over those that are wrong."""
    one = scores.run(run)
    if one.samples is None:
        return list(one.columns["confidence"])
    one = extended(scores, (), (each("confidence"), each("incorrect"))).run(run)
    cells = zip(one.columns[each("confidence")], one.columns[each("incorrect")], strict=True)
    stated = [[c for c, bad in zip(*cell, strict=True) if bad and c is not None] for cell in cells]  # type: ignore[arg-type]
    return [sum(values) / len(values) if values else None for values in stated]


def right_only_here(scores: Scores, run: str) -> tuple[str, ...]:
    """The questions that this run got right, and no other did; none where it is alone.

    scores   a table of outcomes
    run      one of its runs
    """
    scores.run(run)
    others = [outcomes_of(scores, other) for other in scores.runs if other != run]
    if not others:
        return ()
    mine = outcomes_of(scores, run)
    every = zip(scores.topics, mine, *others, strict=True)
    return tuple(topic for topic, own, *rest in every if own == RIGHT and RIGHT not in rest)


def everybody_wrong(scores: Scores) -> tuple[tuple[str, int], ...]:
    """The questions that no run got right and at least two answered, with how many gave a wrong answer, the most first.

    That is where the gold is often mistaken.
    """
    columns = [outcomes_of(scores, run) for run in scores.runs]
    counted = ((topic, Counter(ends)) for topic, *ends in zip(scores.topics, *columns, strict=True))
    found = [(topic, ends[WRONG]) for topic, ends in counted if not ends[RIGHT] and ends[WRONG] > 1]
    return tuple(sorted(found, key=lambda one: (-one[1], one[0])))
