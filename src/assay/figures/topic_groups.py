"""Topics grouped by the values of a gold field, or by combinations of several fields.

A suite is a table whose field `task` has several values. A run without any result for a task did not take part in it: its value
there is undefined, never 0, whatever a single missing question counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import UsageError
from assay.figures.common import natural
from assay.table.scores import TASK_FIELD, Scores

CROSS = " × "
"""Between the names, and the values, of fields that are crossed."""
NOTHING = "none"
"""The group of topics without a value of the field."""


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """The topics with one value of a field, or with one combination of values."""

    values: tuple[str | None, ...]
    topics: tuple[str, ...]

    @property
    def label(self) -> str:
        """The values, joined for display."""
        return CROSS.join(NOTHING if value is None else value for value in self.values)


def fields_of(by: str | Sequence[str]) -> tuple[str, ...]:
    """Return one field or several as a tuple, each at most once.

    >>> fields_of("type"), fields_of(["type", "lang"])
    (('type',), ('type', 'lang'))
    """
    fields = (by,) if isinstance(by, str) else tuple(by)
    if not fields:
        raise UsageError("`by=[]`: expected a field of the gold, or several")
    if len(set(fields)) < len(fields):
        raise UsageError(f"`by={CROSS.join(fields)!r}`: each field may be given once")
    return fields


def groups(scores: Scores, by: str | Sequence[str]) -> list[TopicGroup]:
    """Return the topics of each value of a field, or of each combination, in natural order."""
    fields = fields_of(by)
    for field in fields:
        if field not in scores.fields:
            known = ", ".join(scores.fields) or "none at all"
            raise UsageError(f"the gold has no field {field!r}; it has {known}")
    topics_by_values: dict[tuple[str | None, ...], list[str]] = {}
    columns = [[None if value is None else str(value) for value in scores.fields[field]] for field in fields]
    for topic, *values in zip(scores.topics, *columns, strict=True):
        topics_by_values.setdefault(tuple(values), []).append(topic)
    topic_groups = [TopicGroup(values, tuple(topics)) for values, topics in topics_by_values.items()]
    return sorted(topic_groups, key=lambda group: [(value is None, natural(value or "")) for value in group.values])


def tasks(scores: Scores) -> list[TopicGroup]:
    """Return the tasks of a suite; none where the table is not a suite."""
    return groups(scores, TASK_FIELD) if scores.is_suite else []


def took_part(scores: Scores, run: str, topics: Sequence[str]) -> bool:
    """Return whether a run has a result for any of the topics."""
    missing = scores.run(run).missing
    return not all(missing[place] for place in scores.places(topics))


def absent(scores: Scores, run: str) -> set[str]:
    """Return the topics of those tasks of a suite for which a run has no result."""
    return {topic for task in tasks(scores) if not took_part(scores, run, task.topics) for topic in task.topics}
