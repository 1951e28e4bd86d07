"""Plain data behind each task's tables and graphs: one module per task, with

MEASURES, COLUMNS    what a score table must hold: measures, and ingredient columns of the task
figures(scores)      a frozen dataclass of numbers, texts and tuples, ready for JSON
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def module_of(task: str) -> ModuleType:
    """The figures of a task: known-item → figures.known_item."""
    return import_module(f"assay.figures.{task.replace('-', '_')}")
