"""Scores that somebody else computed: a table read from a file, or an array. There is no gold to join, and no run."""

from __future__ import annotations

from typing import Any, NoReturn

from assay.errors import UsageError
from assay.policies import FOR_TOPICS, FOR_UNDEFINED
from assay.settings import LEFT_OUT, NO_VALUE, Settings, one_of, option
from assay.tasks import Task


class ScoreSettings(Settings):
    """The choices of a table of scores."""

    missing: str = option("skip", one_of(*FOR_TOPICS), LEFT_OUT)
    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)


def _refuse(*_: Any) -> NoReturn:
    raise UsageError(
        "scores that are there already are not evaluated: `assay.read_scores` or `assay.scores` takes them"
    )


TASK = Task(
    name="scores",
    title="Scores",
    noun="topic",
    headline="score",
    defaults=(),
    settings=ScoreSettings,
    read=_refuse,
    join=_refuse,
)
