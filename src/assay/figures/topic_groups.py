"""Topics by what the gold says of them: the values of a field, or the combinations of several.

A suite is a table whose field `task` has several values. A run that has nothing of a whole task did not take part in it: its
value there is not 0, whatever a single question left out counts.
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
"""What a topic is called that has no value of a field."""


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """The topics with one value of a field, or with one combination of values."""

    values: tuple[str | None, ...]
    topics: tuple[str, ...]

    @property
    def label(self) -> str:
        """What a person calls it."""
        return CROSS.join(NOTHING if value is None else value for value in self.values)


def fields_of(by: str | Sequence[str]) -> tuple[str, ...]:
    """One field, or several, as a caller names them; each once.

    >>> fields_of("type"), fields_of(["type", "lang"])
    (('type',), ('type', 'lang'))
    """
    named = (by,) if isinstance(by, str) else tuple(by)
    if not named:
        raise UsageError("`by=[]`: expected a field of the gold, or several")
    if len(set(named)) < len(named):
        raise UsageError(f"`by={CROSS.join(named)!r}`: a field is crossed with others, not with itself")
    return named


def groups(scores: Scores, by: str | Sequence[str]) -> list[TopicGroup]:
    """The topics of each value of a field, or of each combination there is, in the natural order of the values."""
    named = fields_of(by)
    for field in named:
        if field not in scores.fields:
            known = ", ".join(scores.fields) or "none at all"
            raise UsageError(f"the gold has no field {field!r}; it has {known}")
    found: dict[tuple[str | None, ...], list[str]] = {}
    columns = [[None if value is None else str(value) for value in scores.fields[field]] for field in named]
    for topic, *values in zip(scores.topics, *columns, strict=True):
        found.setdefault(tuple(values), []).append(topic)
    made = [TopicGroup(values, tuple(topics)) for values, topics in found.items()]
    return sorted(made, key=lambda group: [(value is None, natural(value or "")) for value in group.values])


def tasks(scores: Scores) -> list[TopicGroup]:
    """The tasks of a suite; none where the table is no suite."""
    return groups(scores, TASK_FIELD) if scores.is_suite else []


def took_part(scores: Scores, run: str, topics: Sequence[str]) -> bool:
    """Whether a run has a result for any of the topics."""
    missing = scores.run(run).missing
    return not all(missing[place] for place in scores.places(topics))


def absent(scores: Scores, run: str) -> set[str]:
    """The topics of the tasks of a suite that a run has nothing of."""
    return {topic for task in tasks(scores) if not took_part(scores, run, task.topics) for topic in task.topics}
