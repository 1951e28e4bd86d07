"""One small pure function per measure. A measure sees a view and returns a number, or None where it is undefined.

Every measure can be imported by its name and then takes its parameters as it is written:

>>> from assay.measures import AP, P, nDCG
>>> [AP, nDCG@10, P(rel=2)@5]
[measure('AP'), measure('nDCG@10'), measure('P(rel=2)@5')]

A name that Python does not allow gives way to that of the measure's function: c@1 is `c_at_1`, F0.5u is `f05u`.
A value means the measure of that name in the task it is used in (`assay.measures.declare.resolve`): `RR` scores rankings
of documents, and ranked answers in the task qa.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.measures.naming import Measure

MODULES = {
    "ranked": ("ranked", "interpolated", "graded", "sets"),
    "preferences": ("preferences",),
    "judgment-groups": ("judgment_groups",),
    "outcomes": ("outcomes", "validation", "confidence", "calibration", "several_answers", "squad", "verification"),
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


def __getattr__(name: str) -> Measure:
    from importlib.machinery import PathFinder

    # `from assay.measures import ranked` asks here first; a module that is not imported yet is no measure.
    if name.startswith("_") or PathFinder.find_spec(f"{__name__}.{name}", __path__):
        raise AttributeError(name)
    from assay.measures.declare import value

    found = value(name)
    if found is None:
        raise AttributeError(f"module 'assay.measures' has no measure {name!r}")
    return found


def __dir__() -> list[str]:
    from assay.measures.declare import declarations, python_name

    return sorted({*globals(), *map(python_name, declarations())})
