"""What a kind of evaluation is: one `Task` a module, declared once, at its end; everything else about it follows.

read(gold, runs, settings)     the gold of a source (None where the runs carry their own): a `TaskGold`
join(gold, source, settings)   the runs of one source joined with the gold: a list of `Views`
check(gold, settings)          what can be seen only after every run has been joined (judgments nobody needed)
more(gold, runs, settings)     the measures computed unless asked, where they depend on what the runs hold
"""

from __future__ import annotations

from importlib import import_module

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, TypeVar

    from assay.formats.sources import Source
    from assay.notes import Notes
    from assay.settings import Settings

    Entry = TypeVar("Entry", bound=Any)

    class Views(Protocol):
        """One run as a task hands it on: an iterable of views, one per topic of the gold, in its order."""

        name: str
        """What the run calls itself (its tag), or its file's name."""
        file: str | None
        missing: Sequence[bool]
        """Per topic: whether the run has nothing for it."""
        notes: Notes

        def __iter__(self) -> Iterator[Any]: ...

        def column(self, name: str) -> Sequence[Any]:
            """An ingredient (correct, confidence …) for every topic."""
            ...


class TaskGold:
    """What is right, as a task read it."""

    topics: list[str]
    """In byte order."""
    fields: Mapping[str, Sequence[Any]] = {}
    """What the gold says of each topic beside its answer: type, cluster, language …"""
    runs: Sequence[Source] = ()
    """Runs that the gold's own file holds."""


class Task:
    """One kind of evaluation."""

    __slots__ = (
        "ahead", "check", "columns", "defaults", "figures", "headline", "join", "more", "name", "noun", "one_run", "pages", "read",
        "settings", "title",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        *,
        title: str,
        noun: str,
        headline: str,
        defaults: tuple[str, ...],
        settings: type[Settings],
        read: Callable[[Source | None, Sequence[Source], Any], Any],
        join: Callable[[Any, Source, Any], Sequence[Any]],
        figures: str | None,
        pages: str,
        one_run: Callable[[Mapping[Any, Any]], bool] = lambda runs: False,
        more: Callable[[Any, Sequence[Any], Any], tuple[str, ...]] | None = None,
        check: Callable[[Any, Any], None] | None = None,
        columns: tuple[str, ...] = (),
        ahead: bool = False,
    ) -> None:
        self.name = name
        self.title = title
        """What a report of it is called."""
        self.noun = noun
        """What its topics are called: topic, question or problem."""
        self.headline = headline
        """The measure that ranks the runs, and is compared, unless another is asked for."""
        self.defaults = defaults
        self.settings = settings
        self.read = read
        self.join = join
        self.one_run = one_run
        """Whether a mapping is one run, rather than several by name; never so where runs are read from files alone."""
        self.figures = figures
        """The module that makes the data of its tables and graphs, if it has any of its own."""
        self.pages = pages
        """The module that lays them out."""
        self.more = more
        self.check = check
        self.columns = columns
        """Ingredients worth showing for every topic."""
        self.ahead = ahead
        """Whether runs are joined by threads that run ahead: where the core does the work, which lets go of the interpreter."""

    def __repr__(self) -> str:
        return f"<task {self.name}>"


MODULES = {
    "ranked": "ranked",
    "outcomes": "outcomes",
    "known-item": "known_item",
    "filtering": "filtering",
    "qa": "qa",
    "list": "list",
    "context": "context",
    "nuggets": "nuggets",
    "preferences": "preferences",
    "judgment-groups": "judgment_groups",
    "scores": "scores",
}
"""The registry: a line a task."""


def needed(gold: Source | None) -> Source:
    """The gold of a task that cannot do without."""
    if gold is None:
        raise UsageError("`gold=None`: this task needs gold; only runs of outcomes can come already judged")
    return gold


def in_byte_order(entries: Sequence[Entry]) -> list[Entry]:
    """Topics in the byte order of their ids."""
    return sorted(entries, key=lambda entry: entry.id.encode("utf-8", "surrogateescape"))


def fields_of(entries: Sequence[Any]) -> dict[str, list[Any]]:
    """By field what each topic says."""
    names = dict.fromkeys(name for entry in entries for name in entry.fields)
    return {name: [entry.fields.get(name) for entry in entries] for name in names}


def get(name: str) -> Task:
    """The task of that name."""
    if name not in MODULES:
        raise UsageError(f"`task={name!r}`: expected one of {', '.join(MODULES)}")
    return import_module(f"assay.tasks.{MODULES[name]}").TASK


def every() -> list[Task]:
    """All tasks, in the order of the registry."""
    return [get(name) for name in MODULES]
