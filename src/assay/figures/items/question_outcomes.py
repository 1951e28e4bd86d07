"""Questions worth reading first: outcomes of two runs, confident errors, universal errors, and what changed between two runs.

A question with several samples counts by their most frequent outcome. The table's policy decides what a question without an
answer counts; a failed one is excluded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from assay.errors import UsageError
from assay.figures.common import natural
from assay.scoring.evaluate import extended
from assay.table.run_scores import each
from assay.table.scores import FAILED, Scores

RIGHT, WRONG, DECLINED = "right", "wrong", "declined"
OUTCOMES = (RIGHT, WRONG, DECLINED)
PARTLY, UNDECIDED, FAILS, LEFT_OUT = "partly right", "undecided", "failed", "left out"
ENDINGS = (*OUTCOMES, PARTLY, UNDECIDED, FAILS, LEFT_OUT)
"""The outcomes of a question, and the reasons why it has none."""
INGREDIENTS = ("correct", "incorrect", "unanswered")
GRADED = ("right", "wrong", "unanswered", "partial")
"""The same of runs with partial credit, which is neither right nor wrong."""
SURE = 0.8
"""Confidence from which a wrong answer is a confident error."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """Two runs on the same questions: a table of outcome counts, and each cell's questions."""

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
    """A question that a run got wrong with high confidence."""

    topic: str
    run: str
    confidence: float


@dataclass(frozen=True, slots=True)
class ReadingList:
    """The questions of a campaign that are worth reading first."""

    runs: int
    """The number of runs."""
    sure: float
    """Confidence from which a wrong answer is a confident error."""
    everybody_wrong: tuple[tuple[str, int], ...]
    """Questions that no run got right, with how many gave a wrong answer."""
    confidently_wrong: dict[str, tuple[Mistake, ...]]
    """By run, the surest first."""
    right_only_here: dict[str, tuple[str, ...]]
    """By run."""


def outcomes_of(scores: Scores, run: str) -> list[str | None]:
    """Return right, wrong or declined per question; None where missing or undecided."""
    _check_task(scores)
    table = extended(scores, (), INGREDIENTS)
    if not {*INGREDIENTS} <= {*table.run(run).columns}:
        raise UsageError(
            f"{run}: some answers have partial credit; `right_from=0.5` counts answers of at least that score as right"
        )
    return _outcomes(table, run)


def _outcomes(table: Scores, run: str) -> list[str | None]:
    """Return the outcomes of a run of a table that has the ingredient columns."""
    return [end if end in OUTCOMES else None for end in _endings(table, run, INGREDIENTS)]


def endings(scores: Scores) -> dict[str, list[str]]:
    """Return, by run, each question's outcome as a word of `ENDINGS`; partial credit included."""
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
    """Return the most frequent outcome; a tie, failure or exclusion has its own word."""
    most = max(count or 0 for count in counts)
    # Without partial credit there is one count less.
    best = [outcome for outcome, count in zip(ENDINGS, counts, strict=False) if count == most]
    if most:
        return best[0] if len(best) == 1 else UNDECIDED
    return FAILS if state == FAILED else LEFT_OUT


def _check_task(scores: Scores) -> None:
    if scores.task.name != "outcomes":
        raise UsageError(f"the task {scores.task.name!r} has no questions that end right, wrong or declined")


def crossed(scores: Scores, a: str, b: str) -> Crossed:
    """Cross the outcomes of two runs on the same questions: a 3 × 3 table with its questions.

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
    """Return the reading lists of all runs; None if any credit is partial.

    scores   a table of outcomes
    sure     confidence from which a wrong answer is a confident error
    """
    _check_task(scores)
    table = extended(scores, (), (*INGREDIENTS, "confidence"))
    if any(not {*INGREDIENTS} <= {*table.run(run).columns} for run in table.runs):
        return None
    ended = {run: _outcomes(table, run) for run in table.runs}
    counted = [Counter(ends) for ends in zip(*ended.values(), strict=True)]
    mistakes = {run: _mistakes(table, run, ends, sure) for run, ends in ended.items()}
    alone = {run: _alone(table.topics, ends, counted) for run, ends in ended.items()}
    return ReadingList(len(ended), sure, _right_nowhere(table.topics, counted), mistakes, alone)


def _mistakes(table: Scores, run: str, ended: Sequence[str | None], sure: float) -> tuple[Mistake, ...]:
    confidences = _confidence_when_wrong(table, run)
    mistakes = [
        Mistake(topic, run, confidence)
        for topic, end, confidence in zip(table.topics, ended, confidences, strict=True)
        if end == WRONG and confidence is not None and confidence >= sure
    ]
    return tuple(sorted(mistakes, key=lambda mistake: (-mistake.confidence, natural(mistake.topic))))


def _confidence_when_wrong(scores: Scores, run: str) -> list[float | None]:
    """Return the confidence of each wrong answer (the mean over a question's wrong samples)."""
    run_scores = scores.run(run)
    if run_scores.samples is None:
        return list(run_scores.columns["confidence"])
    names = each("confidence"), each("incorrect")
    if not {*names} <= {*run_scores.columns}:
        run_scores = extended(scores.with_runs([run_scores]), (), names).run(run)
    cells = zip(*(run_scores.columns[name] for name in names), strict=True)
    stated = [[c for c, bad in zip(*cell, strict=True) if bad and c is not None] for cell in cells]  # type: ignore[arg-type]
    return [sum(values) / len(values) if values else None for values in stated]


def _alone(
    topics: Sequence[str], outcomes: Sequence[str | None], counted: Sequence[Mapping[str | None, int]]
) -> tuple[str, ...]:
    if counted and sum(counted[0].values()) == 1:
        return ()
    rows = zip(topics, outcomes, counted, strict=True)
    return tuple(topic for topic, end, ends in rows if end == RIGHT and ends[RIGHT] == 1)


def _right_nowhere(topics: Sequence[str], counted: Sequence[Mapping[str | None, int]]) -> tuple[tuple[str, int], ...]:
    """Return the questions that no run got right and several got wrong, the most wrong answers first."""
    questions = [
        (topic, ends[WRONG])
        for topic, ends in zip(topics, counted, strict=True)
        if RIGHT not in ends and ends.get(WRONG, 0) > 1
    ]
    return tuple(sorted(questions, key=lambda question_count: (-question_count[1], natural(question_count[0]))))


GONE = (WRONG, DECLINED)


@dataclass(frozen=True, slots=True)
class FlippedTopic:
    """One question, and its outcome or value before and after."""

    topic: str
    before: str | float
    after: str | float


@dataclass(frozen=True, slots=True)
class FlippedTopics:
    """The questions that changed from one run to another, the largest changes first."""

    worse: tuple[FlippedTopic, ...]
    better: tuple[FlippedTopic, ...]


def flips(scores: Scores, before: str, after: str, measure: str) -> FlippedTopics | None:
    """Return the questions that flipped between right and not right, or whose value changed.

    Values are compared where there are no outcomes. None where the measure has no value on a single question.

    >>> import assay
    >>> runs = {"old": {"q1": "Paris", "q2": None}, "new": {"q1": "Lyon", "q2": "Oslo"}}
    >>> changes = flips(assay.evaluate({"q1": "Paris", "q2": "Oslo"}, runs), "old", "new", "c@1")
    >>> changes.worse, changes.better
    ((FlippedTopic(topic='q1', before='right', after='wrong'),), (FlippedTopic(topic='q2', before='declined', after='right'),))
    """
    if scores.task.name == "outcomes":
        try:
            return _flipped_outcomes(scores, before, after)
        except UsageError:  # partial credit: a score may have changed, and is neither right nor wrong
            pass
    return _changed_values(scores, before, after, measure)


def _flipped_outcomes(scores: Scores, before: str, after: str) -> FlippedTopics:
    table = crossed(scores, before, after)
    cells = {(x, y): table.questions[i][j] for i, x in enumerate(OUTCOMES) for j, y in enumerate(OUTCOMES)}
    worse = [FlippedTopic(topic, RIGHT, now) for now in GONE for topic in sorted(cells[RIGHT, now], key=natural)]
    better = [FlippedTopic(topic, was, RIGHT) for was in GONE for topic in sorted(cells[was, RIGHT], key=natural)]
    return FlippedTopics(tuple(worse), tuple(better))


def _changed_values(scores: Scores, before: str, after: str, measure: str) -> FlippedTopics | None:
    declared = scores.measure(measure)
    if declared.level != "topic":
        return None
    sign = -1 if declared.declaration.higher_is_better is False else 1
    pairs = zip(scores.topics, scores.column(before, declared.name), scores.column(after, declared.name), strict=True)
    changed = [FlippedTopic(topic, x, y) for topic, x, y in pairs if x is not None and y is not None and x != y]
    down = [flipped for flipped in changed if sign * _change(flipped) < 0]
    return FlippedTopics(_largest(down), _largest(flipped for flipped in changed if sign * _change(flipped) > 0))


def _change(flipped: FlippedTopic) -> float:
    return float(flipped.after) - float(flipped.before)


def _largest(flipped: Iterable[FlippedTopic]) -> tuple[FlippedTopic, ...]:
    return tuple(sorted(flipped, key=lambda topic: (-abs(_change(topic)), natural(topic.topic))))
