"""Questions worth reading first: what two runs made of each, where one was sure and wrong, where all were.

A question answered several times counts by what its samples did most often. A question that a run leaves out counts as the
table's policy has it; one that failed counts nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from assay.errors import UsageError
from assay.figures.common import natural
from assay.scoring.evaluate import extended
from assay.table.repeats import each
from assay.table.scores import FAILED, Scores

RIGHT, WRONG, DECLINED = "right", "wrong", "declined"
OUTCOMES = (RIGHT, WRONG, DECLINED)
PARTLY, UNDECIDED, FAILS, LEFT_OUT = "partly right", "undecided", "failed", "left out"
ENDINGS = (*OUTCOMES, PARTLY, UNDECIDED, FAILS, LEFT_OUT)
"""How a question may end: as it counts, or why it does not."""
INGREDIENTS = ("correct", "incorrect", "unanswered")
GRADED = ("right", "wrong", "unanswered", "partial")
"""The same of runs with partial credit, which is neither right nor wrong."""
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


@dataclass(frozen=True, slots=True)
class ReadingList:
    """The questions of a campaign that are worth reading first."""

    runs: int
    """How many runs there are."""
    sure: float
    """From which confidence on a wrong answer is told apart."""
    everybody_wrong: tuple[tuple[str, int], ...]
    """Questions that no run got right, with how many gave a wrong answer."""
    confidently_wrong: dict[str, tuple[Mistake, ...]]
    """By run, the surest first."""
    right_only_here: dict[str, tuple[str, ...]]
    """By run."""


def outcomes_of(scores: Scores, run: str) -> list[str | None]:
    """right, wrong or declined for every question; None where the run has none, or its samples are undecided."""
    return _outcomes(_with_ingredients(scores, [run]), run)


def _outcomes(table: Scores, run: str) -> list[str | None]:
    """The same of a table that has its ingredients."""
    return [end if end in OUTCOMES else None for end in _endings(table, run, INGREDIENTS)]


def endings(scores: Scores) -> dict[str, list[str]]:
    """By run, how every question ended, in a word of `ENDINGS`; with partial credit too."""
    _check_task(scores)
    graded = any(getattr(scores.run(run).views, "graded", False) for run in scores.runs)
    names = GRADED if graded else INGREDIENTS
    table = extended(scores, (), names)
    return {run: _endings(table, run, names) for run in table.runs}


def _endings(table: Scores, run: str, names: Sequence[str]) -> list[str]:
    columns = [table.column(run, name) for name in names]
    states = table.status(run, names[0])
    return [_ended(tuple(counts), state) for *counts, state in zip(*columns, states, strict=True)]


@cache
def _ended(counts: tuple[float | None, ...], state: str) -> str:
    """What happened most often; of a draw, of failures alone, and where the question does not enter, that it is so."""
    most = max(count or 0 for count in counts)
    # Without partial credit there is one count less.
    best = [outcome for outcome, count in zip(ENDINGS, counts, strict=False) if count == most]
    if most:
        return best[0] if len(best) == 1 else UNDECIDED
    return FAILS if state == FAILED else LEFT_OUT


def _with_ingredients(scores: Scores, runs: Sequence[str]) -> Scores:
    """The table with the outcomes of some runs, or a refusal in words."""
    _check_task(scores)
    table = extended(scores, (), INGREDIENTS)
    for run in runs:
        if not {*INGREDIENTS} <= {*table.run(run).columns}:
            raise UsageError(
                f"{run}: some answers have partial credit; `right_from=0.5` says from which score one is right"
            )
    return table


def _check_task(scores: Scores) -> None:
    if scores.task.name != "outcomes":
        raise UsageError(f"the task {scores.task.name!r} has no questions that end right, wrong or declined")


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


def reading(scores: Scores, sure: float = SURE) -> ReadingList | None:
    """The lists of all runs at once, each run looked at once; None where credit is partial, which is neither right nor wrong.

    scores   a table of outcomes
    sure     from which confidence on a wrong answer is told apart
    """
    _check_task(scores)
    table = extended(scores, (), (*INGREDIENTS, "confidence"))
    if any(not {*INGREDIENTS} <= {*table.run(run).columns} for run in table.runs):
        return None
    ended = {run: _outcomes(table, run) for run in table.runs}
    counted = [Counter(ends) for ends in zip(*ended.values(), strict=True)]
    mistakes = {run: _mistakes(table, run, ends, sure) for run, ends in ended.items()}
    alone = {run: _alone(table.topics, ends, counted) for run, ends in ended.items()}
    return ReadingList(len(ended), sure, _nobody(table.topics, counted), mistakes, alone)


def confidently_wrong(scores: Scores, run: str | None = None, sure: float = SURE) -> tuple[Mistake, ...]:
    """The wrong answers of a run, or of all, that were given with much confidence; the surest first.

    scores   a table of outcomes
    run      one of its runs; all where left out
    sure     from which confidence on
    """
    wanted = scores.runs if run is None else [run]
    table = extended(_with_ingredients(scores, wanted), (), ("confidence",))
    found = [one for name in wanted for one in _mistakes(table, name, _outcomes(table, name), sure)]
    return tuple(sorted(found, key=_surest))


def _surest(one: Mistake) -> tuple[object, ...]:
    return -one.confidence, natural(one.topic), one.run


def _mistakes(table: Scores, run: str, ended: Sequence[str | None], sure: float) -> tuple[Mistake, ...]:
    stated = _confidence_when_wrong(table, run)
    found = [
        Mistake(topic, run, confidence)
        for topic, end, confidence in zip(table.topics, ended, stated, strict=True)
        if end == WRONG and confidence is not None and confidence >= sure
    ]
    return tuple(sorted(found, key=_surest))


def _confidence_when_wrong(scores: Scores, run: str) -> list[float | None]:
    """How sure a run was of its wrong answer; of several samples the mean over those that are wrong."""
    one = scores.run(run)
    if one.samples is None:
        return list(one.columns["confidence"])
    names = each("confidence"), each("incorrect")
    if not {*names} <= {*one.columns}:
        one = extended(scores.with_runs([one]), (), names).run(run)
    cells = zip(*(one.columns[name] for name in names), strict=True)
    stated = [[c for c, bad in zip(*cell, strict=True) if bad and c is not None] for cell in cells]  # type: ignore[arg-type]
    return [sum(values) / len(values) if values else None for values in stated]


def right_only_here(scores: Scores, run: str) -> tuple[str, ...]:
    """The questions that this run got right, and no other did; none where it is alone.

    scores   a table of outcomes
    run      one of its runs
    """
    scores.run(run)
    table = _with_ingredients(scores, scores.runs)
    ended = {name: _outcomes(table, name) for name in table.runs}
    return _alone(table.topics, ended[run], [Counter(ends) for ends in zip(*ended.values(), strict=True)])


def _alone(
    topics: Sequence[str], own: Sequence[str | None], counted: Sequence[Mapping[str | None, int]]
) -> tuple[str, ...]:
    if counted and sum(counted[0].values()) == 1:
        return ()
    every = zip(topics, own, counted, strict=True)
    return tuple(topic for topic, end, ends in every if end == RIGHT and ends[RIGHT] == 1)


def everybody_wrong(scores: Scores) -> tuple[tuple[str, int], ...]:
    """The questions that no run got right and at least two answered, with how many gave a wrong answer, the most first.

    That is where the gold is often mistaken.
    """
    table = _with_ingredients(scores, scores.runs)
    columns = [_outcomes(table, run) for run in table.runs]
    return _nobody(table.topics, [Counter(ends) for ends in zip(*columns, strict=True)])


def _nobody(topics: Sequence[str], counted: Sequence[Mapping[str | None, int]]) -> tuple[tuple[str, int], ...]:
    found = [
        (topic, ends[WRONG])
        for topic, ends in zip(topics, counted, strict=True)
        if RIGHT not in ends and ends.get(WRONG, 0) > 1
    ]
    return tuple(sorted(found, key=lambda one: (-one[1], natural(one[0]))))
