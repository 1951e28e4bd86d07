"""Scores computed elsewhere: a table read from a file, or an array, without gold and runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from assay.errors import UsageError
from assay.formats.answers.states import STATE
from assay.settings import FOR_TOPICS, FOR_UNDEFINED, LEFT_OUT, NO_VALUE, Settings, one_of, option
from assay.tasks import Task

DIRECTIONS: dict[bool | None, str] = {
    True: "higher is better",
    False: "lower is better",
    None: "neither higher nor lower is better",
}
"""Directions as they are printed."""


class ScoreSettings(Settings):
    """The settings of a table of scores, with the direction of every measure."""

    higher_is_better: dict[str, bool | None]

    missing: str = option("skip", one_of(*FOR_TOPICS), LEFT_OUT)
    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)

    def __init__(self, higher_is_better: Mapping[str, bool | None] | None = None, **choices: Any) -> None:
        super().__init__(**choices)
        vars(self)["higher_is_better"] = dict(higher_is_better or {})

    @property
    def directions(self) -> list[str]:
        """A line per measure: `perplexity: lower is better`."""
        return [f"{name}: {DIRECTIONS[direction]}" for name, direction in self.higher_is_better.items()]

    def as_dict(self) -> dict[str, Any]:
        """Return the choices as plain data, with the direction of every measure."""
        return {**super().as_dict(), "higher_is_better": self.higher_is_better}


def _refuse(*_: Any) -> NoReturn:
    raise UsageError("scores cannot be evaluated. Fix: use `assay.read_scores` or `assay.scores`.")


TASK = Task(
    name="scores",
    title="Scores",
    noun="topic",
    headline="score",
    defaults=(),
    columns=(STATE,),
    settings=ScoreSettings,
    read=_refuse,
    join=_refuse,
)
