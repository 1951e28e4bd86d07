"""Scores that somebody else computed: a table read from a file, or an array. There is no gold to join, and no run."""

from __future__ import annotations

from assay.errors import UsageError
from assay.settings import Settings, missing_topics, undefined_topics
from assay.tasks import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from assay.formats.sources import Source


class ScoreSettings(Settings):
    """The choices of a table of scores."""

    missing: str = missing_topics("skip")
    undefined: str = undefined_topics("skip")


def read(gold: Source | None, runs: Sequence[Source], settings: ScoreSettings) -> Any:
    raise UsageError(
        "scores that are there already are not evaluated: `assay.read_scores` or `assay.scores` takes them"
    )


def join(gold: Any, source: Source, settings: ScoreSettings) -> list[Any]:
    return []


def one_run(runs: Mapping[Any, Any]) -> bool:
    return False


TASK = Task(
    "scores",
    title="Scores",
    noun="topic",
    headline="score",
    defaults=(),
    settings=ScoreSettings,
    read=read,
    join=join,
    one_run=one_run,
    figures=None,
    pages="assay.reports.pages.scores",
)
