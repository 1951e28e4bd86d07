"""What a kind of evaluation is: one `Task` a module, declared once, at its end; everything else about it follows."""

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

    @dataclass_transform(kw_only_default=True)
    class Declared: ...
else:
    Declared = object


class TaskGold:
    """What is right, as a task read it."""

    topics: list[str]
    """In byte order."""
    fields: Mapping[str, Sequence[Any]] = {}
    """What the gold says of each topic beside its answer: type, cluster, language …"""
    runs: Sequence[Source] = ()
    """Runs that the gold's own file holds."""
    warnings: Sequence[str] = ()
    """What a person should know of it, said once."""
    names_runs = False
    """Whether it says what runs are called, and from which files they are."""

    def for_measures(self, measures: Sequence[Measure], settings: Any) -> TaskGold:
        """The same gold, for runs of which nothing is wanted but these measures and the task's columns."""
        del measures, settings
        return self


class QuestionsGold(TaskGold):
    """Gold that is a list of questions, each with an id and fields."""

    def __init__(self, name: str, questions: Sequence[Any]) -> None:
        self.name = name
        self.questions = sorted(questions, key=lambda question: question.id.encode("utf-8", "surrogateescape"))
        self.topics = [question.id for question in self.questions]
        self.index = {topic: i for i, topic in enumerate(self.topics)}
        names = dict.fromkeys(name for question in self.questions for name in question.fields)
        self.fields = {name: [question.fields.get(name) for question in self.questions] for name in names}


class Task(Declared):
    """One kind of evaluation. Attributes are given by keyword; those that have a value below may be left out.

    This is what `dataclasses` do, without the 16 ms of their import.
    """

    name: str
    title: str
    """What a report of it is called."""
    noun: str
    """What its topics are called: topic, question or problem."""
    recognised: str = ""
    """What is said where the gold alone called for it, of the gold's name, and the same lines could be something else."""
    headline: str
    """The measure that ranks the runs, and is compared, unless another is asked for."""
    defaults: tuple[str, ...]
    """The measures computed unless others are asked for."""
    more: Callable[[Any, Sequence[Any], Any], tuple[str, ...]] | None = None
    """(gold, runs, settings): the same, where they depend on what the runs hold."""
    settings: type[Settings]
    read: Callable[[Any, Sequence[Source], Any], Any]
    """(gold, runs, settings): the gold of a source (None where the runs carry their own), a `TaskGold`."""
    judged: bool = False
    """Whether runs may carry their own gold."""
    pooled: bool = False
    """Whether all files given are one gold, which holds its own runs."""
    join: Callable[[Any, Source, Any], Sequence[Any]]
    """(gold, source, settings): the runs of one source joined with the gold, a list of `Views`."""
    check: Callable[[Any, Any], None] | None = None
    """(gold, settings): what can be seen only after every run has been joined (judgments nobody needed)."""
    one_run: Callable[[Mapping[Any, Any]], bool] = staticmethod(lambda runs: False)
    """Whether a mapping is one run, rather than several by name; never so where runs are read from files alone."""
    columns: tuple[str, ...] = ()
    """Ingredients worth showing for every topic."""
    ahead: bool = False
    """Whether runs are joined by threads that run ahead: where the core does the work, which lets go of the interpreter."""
    second_table: bool = False
    """Whether its figures hold a table worth printing below the scores."""

    def __init__(self, **given: Any) -> None:
        for name in given.keys() - Task.__annotations__.keys():
            raise TypeError(f"a task has no attribute {name!r}")
        vars(self).update(given)
        for name in Task.__annotations__:
            if not hasattr(self, name):
                raise TypeError(f"the task {given.get('name')!r} lacks {name!r}")

    def but(self, **changed: Any) -> Task:
        """A task that differs from this one in some attributes."""
        return Task(**{**vars(self), **changed})

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name,)

    def __repr__(self) -> str:
        return f"<task {self.name}>"


NAMES = (
    "ranked", "outcomes", "known-item", "filtering", "qa", "list", "context", "nuggets", "generation", "preferences",
    "judgment-groups", "sampled", "diversity", "pairwise", "scores",
)  # fmt: skip
"""The registry: each name is that of its module, but for the hyphen and `MODULES`."""
MODULES = {"outcomes": "outcomes.task", "sampled": "sampled_pools"}
"""Modules that are not called as their task."""


def get(name: str) -> Task:
    """The task of that name."""
    if name not in NAMES:
        raise UsageError(f"`task={name!r}`: expected one of {', '.join(NAMES)}")
    return import_module(f"assay.tasks.{MODULES.get(name, name.replace('-', '_'))}").TASK


def every() -> list[Task]:
    """All tasks, in the order of the registry."""
    return [get(name) for name in NAMES]
