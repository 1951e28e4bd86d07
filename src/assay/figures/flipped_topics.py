"""Questions that one run gets right and another does not, or on which its value is another: what a person reads after a change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.errors import UsageError
from assay.figures.common import natural
from assay.figures.items.question_outcomes import DECLINED, OUTCOMES, RIGHT, WRONG, crossed
from assay.table.scores import Scores

GONE = (WRONG, DECLINED)


@dataclass(frozen=True, slots=True)
class FlippedTopic:
    """One question, and what became of it before and after: a word, or a value."""

    topic: str
    before: str | float
    after: str | float


@dataclass(frozen=True, slots=True)
class FlippedTopics:
    """The questions that changed from one run to another, those that count most first."""

    worse: tuple[FlippedTopic, ...]
    better: tuple[FlippedTopic, ...]


def flips(scores: Scores, before: str, after: str, measure: str) -> FlippedTopics | None:
    """The questions that flipped: right and no longer right, or right at last; where there are no outcomes, those whose value
    changed. None where the measure has no value on a single question.

    scores    the table both runs are in
    before    the run that was there
    after     the one that is to take its place
    measure   what is looked at where questions are neither right nor wrong

    >>> import assay
    >>> runs = {"old": {"q1": "Paris", "q2": None}, "new": {"q1": "Lyon", "q2": "Oslo"}}
    >>> found = flips(assay.evaluate({"q1": "Paris", "q2": "Oslo"}, runs), "old", "new", "c@1")
    >>> found.worse, found.better
    ((Flip(topic='q1', before='right', after='wrong'),), (Flip(topic='q2', before='declined', after='right'),))
    """
    if scores.task.name == "outcomes":
        try:
            return _outcomes(scores, before, after)
        except UsageError:  # partial credit: a score may have changed, and is neither right nor wrong
            pass
    return _values(scores, before, after, measure)


def _outcomes(scores: Scores, before: str, after: str) -> FlippedTopics:
    table = crossed(scores, before, after)
    cells = {(x, y): table.questions[i][j] for i, x in enumerate(OUTCOMES) for j, y in enumerate(OUTCOMES)}
    worse = [FlippedTopic(topic, RIGHT, now) for now in GONE for topic in sorted(cells[RIGHT, now], key=natural)]
    better = [FlippedTopic(topic, was, RIGHT) for was in GONE for topic in sorted(cells[was, RIGHT], key=natural)]
    return FlippedTopics(tuple(worse), tuple(better))


def _values(scores: Scores, before: str, after: str, measure: str) -> FlippedTopics | None:
    wanted = scores.measure(measure)
    if wanted.level != "topic":
        return None
    sign = -1 if wanted.declaration.higher_is_better is False else 1
    pairs = zip(scores.topics, scores.column(before, wanted.name), scores.column(after, wanted.name), strict=True)
    found = [FlippedTopic(topic, x, y) for topic, x, y in pairs if x is not None and y is not None and x != y]
    down = [one for one in found if sign * _change(one) < 0]
    return FlippedTopics(_largest(down), _largest(one for one in found if sign * _change(one) > 0))


def _change(one: FlippedTopic) -> float:
    return float(one.after) - float(one.before)


def _largest(found: Iterable[FlippedTopic]) -> tuple[FlippedTopic, ...]:
    return tuple(sorted(found, key=lambda one: (-abs(_change(one)), natural(one.topic))))
