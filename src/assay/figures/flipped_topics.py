"""Questions whose outcome or value differs between two runs, to read after a change."""

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
    >>> found = flips(assay.evaluate({"q1": "Paris", "q2": "Oslo"}, runs), "old", "new", "c@1")
    >>> found.worse, found.better
    ((FlippedTopic(topic='q1', before='right', after='wrong'),), (FlippedTopic(topic='q2', before='declined', after='right'),))
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
