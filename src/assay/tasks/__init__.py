"""The kinds of evaluation: each module declares its `Task`, or several that share gold and runs."""

from __future__ import annotations

from importlib import import_module

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, dataclass_transform

    from assay.io.sources import Source
    from assay.measures.measure import Measure
    from assay.settings import Settings
    from assay.table.notes import Notes

    class Views(Protocol):
        """One run joined with the gold: an iterable of views, one per topic of the gold, in its order."""

        name: str
        """The run's tag, or its file's name."""
        file: str | None
        missing: Sequence[bool]
        """For each topic, whether the run lacks it."""
        notes: Notes

        def __iter__(self) -> Iterator[Any]: ...

        def column(self, name: str) -> Sequence[Any]:
            """Return an ingredient (correct, confidence …) for every topic."""
            ...

    @dataclass_transform(kw_only_default=True)
    class Declared: ...
else:
    Declared = object


class TaskGold:
    """The gold as read by a task."""

    topics: list[str]
    """In byte order."""
    fields: Mapping[str, Sequence[Any]] = {}
    """By name, what the gold says of each topic: type, cluster, language …"""
    arrivals: Sequence[int] | None = None
    """Per topic, its place in the order of the file; None where that is not known."""
    runs: Sequence[Source] = ()
    """Runs in the file of the gold."""
    warnings: Sequence[str] = ()
    """Warnings, shown once."""
    names_runs = False
    """Whether it names the runs and their files."""

    def for_measures(self, measures: Sequence[Measure], settings: Any) -> TaskGold:
        """Return the gold for runs that need only these measures and the task's columns."""
        del measures, settings
        return self


class QuestionsGold(TaskGold):
    """Gold that is a list of questions, each with an id and fields."""

    def __init__(self, name: str, questions: Sequence[Any]) -> None:
        self.name = name
        self.questions: list[Any] = sorted(
            questions, key=lambda question: question.id.encode("utf-8", "surrogateescape")
        )
        self.topics: list[str] = [question.id for question in self.questions]
        self.index: dict[str, int] = {topic: i for i, topic in enumerate(self.topics)}
        places = {question.id: i for i, question in enumerate(questions)}
        self.arrivals: Sequence[int] | None = [places[topic] for topic in self.topics]
        names = dict.fromkeys(name for question in self.questions for name in question.fields)
        self.fields: Mapping[str, Sequence[Any]] = {
            name: [question.fields.get(name) for question in self.questions] for name in names
        }


class Task(Declared):
    """One kind of evaluation. Attributes are given by keyword; those with a default below are optional.

    A dataclass would cost 16 ms of import.
    """

    name: str
    title: str
    """The title of its report."""
    noun: str
    """The word for its topics: topic, question or problem."""
    recognised: str = ""
    """A warning for gold that could also be of another task, with a place for the gold's name."""
    headline: str
    """The default measure for ranking and comparing runs."""
    defaults: tuple[str, ...]
    """The default measures."""
    more: Callable[[Any, Sequence[Any], Any], tuple[str, ...]] | None = None
    """(gold, runs, settings): the default measures, where they depend on the runs."""
    settings: type[Settings]
    read: Callable[[Any, Sequence[Source], Any], Any]
    """(gold, runs, settings): the gold of a source (None where the runs have their own), a `TaskGold`."""
    judged: bool = False
    """Whether runs may have their own gold."""
    pooled: bool = False
    """Whether all files together are one gold with its runs."""
    join: Callable[[Any, Source, Any], Sequence[Any]]
    """(gold, source, settings): the runs of one source joined with the gold, a list of `Views`."""
    check: Callable[[Any, Any], None] | None = None
    """(gold, settings): checks after all runs have been joined, such as unused judgments."""
    one_run: Callable[[Mapping[Any, Any]], bool] = staticmethod(lambda runs: False)
    """Whether a mapping is one run, and not several by name."""
    one_table: Callable[[Any, Any], bool] = staticmethod(lambda runs, columns: False)
    """(runs, columns): whether a list of dicts is one table of records, and not several runs."""
    columns: tuple[str, ...] = ()
    """Ingredients shown for every topic."""
    ahead: bool = False
    """Whether threads prefetch runs: only the C core releases the GIL."""
    second_table: bool = False
    """Whether its figures have a table to print below the scores."""

    def __init__(self, **attributes: Any) -> None:
        for name in attributes.keys() - Task.__annotations__.keys():
            raise TypeError(f"a task has no attribute {name!r}")
        vars(self).update(attributes)
        for name in Task.__annotations__:
            if not hasattr(self, name):
                raise TypeError(f"the task {attributes.get('name')!r} lacks {name!r}")

    def but(self, **changed: Any) -> Task:
        """Return a copy with some attributes changed."""
        return Task(**{**vars(self), **changed})

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name,)

    def __repr__(self) -> str:
        return f"<task {self.name}>"


TASKS = {
    "ranked": "ranked.TASK",
    "outcomes": "outcomes.task.TASK",
    "known-item": "ranked.KNOWN_ITEM",
    "filtering": "filtering.TASK",
    "qa": "answer_lists.QA",
    "list": "answer_lists.LIST",
    "context": "answer_lists.CONTEXT",
    "nuggets": "nuggets.TASK",
    "generation": "generation.TASK",
    "preferences": "preferences.TASK",
    "judgment-groups": "preferences.JUDGMENT_GROUPS",
    "sampled": "sampled_pools.TASK",
    "diversity": "diversity.TASK",
    "pairwise": "pairwise.TASK",
    "scores": "scores.TASK",
}
"""The registry: the module and the declaration of each task."""


def get(name: str) -> Task:
    """Return the task of that name."""
    if name not in TASKS:
        raise UsageError(f"`task={name!r}`: expected one of {', '.join(TASKS)}")
    module, _, attribute = TASKS[name].rpartition(".")
    return getattr(import_module(f"assay.tasks.{module}"), attribute)


def every() -> list[Task]:
    """Return all tasks, in the order of the registry."""
    return [get(name) for name in TASKS]
