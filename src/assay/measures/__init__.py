"""One small pure function per measure. A measure sees a view and returns a number, or None where it is undefined."""

from __future__ import annotations

from importlib import import_module

MODULES = {
    "ranked": ("ranked", "graded", "sets"),
    "preferences": ("preferences",),
    "judgment-groups": ("preferences",),
    "outcomes": ("outcomes", "validation", "confidence", "answers", "verification"),
    "known-item": ("known_item",),
    "filtering": ("filtering",),
    "qa": ("qa",),
    "list": ("lists",),
    "context": ("qa", "lists", "context"),
    "nuggets": ("nuggets",),
}
"""Which modules declare the measures of each task. They are imported when a task is first asked for."""

TASKS = tuple(MODULES)


def load(task: str | None = None) -> None:
    """Import the modules that declare a task's measures (all of them without a task)."""
    for name in MODULES if task is None else (task,):
        for module in MODULES.get(name, ()):
            import_module(f"assay.measures.{module}")
