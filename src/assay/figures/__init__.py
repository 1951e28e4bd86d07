"""Plain data behind each task's tables and graphs: one module per task, with

MEASURES, COLUMNS    what a score table must hold: measures, and ingredient columns of the task
figures(scores)      a frozen dataclass of numbers, texts and tuples, ready for JSON

and, where the task has tables of its own on the terminal,

table(figures, measures)      a second table below the scores: header and rows, or None
measures_for(scores, table)   what the tables `by` and `rankings` show unless asked
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from assay.scoring import chosen, extended
from assay.table import Scores
from assay.tasks import Task


def module_of(task: Task) -> ModuleType | None:
    """The module of a task's figures; None where it has none of its own."""
    return None if task.figures is None else import_module(task.figures)


def figures_of(scores: Scores) -> Any:
    """A task's figures, with whatever the table lacks for them computed first."""
    module = module_of(scores.task)
    return None if module is None else module.figures(extended(scores, module.MEASURES, module.COLUMNS))


def with_measures_for(scores: Scores, table: str) -> Scores:
    """The table with the measures that its task shows `by` a field, or in `rankings`; as it is where the task has none."""
    module = module_of(scores.task)
    if not hasattr(module, "measures_for"):
        return scores
    names: tuple[str, ...] = module.measures_for(scores, table)  # type: ignore[union-attr]
    more = extended(scores, names)
    return more.with_runs((more.run(run) for run in more.runs), chosen(names, scores.task))


def second_table(scores: Scores, measures: bool) -> tuple[list[str], list[list[Any]]] | None:
    """What the reports of the track are about, below the scores; `measures`: whether somebody asked for some of them.

    None where the task has no such table, or the runs nothing to put into it.
    """
    module: Any = module_of(scores.task)
    return module.table(figures_of(scores), measures)
