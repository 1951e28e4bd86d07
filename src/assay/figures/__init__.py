"""Plain data behind each task's tables and graphs: one module per task, with

MEASURES, COLUMNS    what a score table must hold: measures, and ingredient columns of the task
figures(scores)      a frozen dataclass of numbers, texts and tuples, ready for JSON
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from assay.scoring import extended
from assay.table import Scores
from assay.tasks import Task


def module_of(task: Task) -> ModuleType | None:
    """The module of a task's figures; None where it has none of its own."""
    return None if task.figures is None else import_module(task.figures)


def figures_of(scores: Scores) -> Any:
    """A task's figures, with whatever the table lacks for them computed first."""
    module = module_of(scores.task)
    return None if module is None else module.figures(extended(scores, module.MEASURES, module.COLUMNS))
