"""What a kind of evaluation is: how gold and run are joined, ordered and handed to the measures.

A task is a module with

    NAME, DEFAULT_MEASURES, DEFAULTS     its name, what it computes unless asked, its own default settings
    read_gold(source, settings)          the gold; `gold.topics` are its topics' ids, in byte order
    views(gold, source, settings)        one run joined with the gold: a `Views`
    fields(gold)                         per topic: type, cluster, language … for --by and resampling
"""

from __future__ import annotations

from importlib import import_module

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType
    from typing import Any, Protocol

    class Views(Protocol):
        """One run as a task hands it on: an iterable of views, one per topic of the gold, in its order."""

        name: str
        """What the run calls itself (its tag), or its file's name."""
        file: str | None
        missing: Sequence[bool]
        """Per topic: whether the run has nothing for it."""
        notes: Mapping[str, Any]
        """What the user should know: topics ignored, answers matched, the rule used."""

        def __iter__(self) -> Iterator[Any]: ...

        def column(self, name: str) -> list[Any]:
            """An ingredient (correct, confidence …) for every topic."""
            ...


MODULES = {
    "ranked": "ranked",
    "outcomes": "outcomes",
    "known-item": "known_item",
    "filtering": "filtering",
    "qa": "qa",
    "list": "list",
    "context": "context",
    "nuggets": "nuggets",
}


def get(name: str) -> ModuleType:
    """The task of that name."""
    if name not in MODULES:
        raise UsageError(f"unknown task {name!r}; expected one of {', '.join(MODULES)}")
    return import_module(f"assay.tasks.{MODULES[name]}")
