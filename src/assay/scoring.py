"""Views × measures → the score table; and `evaluate`, which gets there from files."""

from __future__ import annotations

import os
from math import isfinite

from assay.errors import AssayError, InputError, UsageError
from assay.table import RunScores, Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType
    from typing import Any, TypeVar

    from assay.formats.sources import Source
    from assay.measures.declare import Measure
    from assay.settings import Settings
    from assay.tasks import Views

    Item = TypeVar("Item")
    Result = TypeVar("Result")


def score_run(views: Views, measures: Sequence[Measure], also: Sequence[str] = ()) -> RunScores:
    """Every measure on every topic of one run, and the ingredient columns of those that have no value per topic.

    `also` names ingredients to keep for their own sake, such as the ranks a plot is made from.
    """
    topic_level = [m for m in measures if m.level == "topic"]
    columns: dict[str, list[Any]] = {m.name: [] for m in topic_level}
    steps = [(m.bound(), columns[m.name].append) for m in topic_level]
    if steps:
        try:
            for view in views:
                for function, append in steps:
                    append(function(view))
        except AssayError:
            raise
        except Exception as problem:
            raise _failed(topic_level, columns, problem) from problem
    for m in topic_level:
        if not m.declaration.function.__module__.startswith("assay."):
            _check_results(m.name, columns[m.name])
    for ingredient in {**{name: None for m in measures for name in m.of}, **dict.fromkeys(also)}:
        columns[ingredient] = views.column(ingredient)
    return RunScores(views.name, views.file, columns, views.missing, views.notes)


def _failed(measures: Sequence[Measure], columns: Mapping[str, Sequence[Any]], problem: Exception) -> InputError:
    """Which measure failed, on which topic and where: the first column that is shorter than the first."""
    counts = [len(columns[m.name]) for m in measures]
    at = next((i for i, count in enumerate(counts) if count < counts[0]), 0)
    import traceback

    place = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{place.filename}:{place.lineno}"
    return InputError(
        f"measure {measures[at].name} failed on topic number {counts[at] + 1}: {where}: {type(problem).__name__}: {problem}"
    )


def _check_results(name: str, column: Sequence[Any]) -> None:
    """A measure of a user's own must return numbers, or None where it is undefined."""
    for i, cell in enumerate(column, 1):
        if cell is not None and not (isinstance(cell, (int, float)) and isfinite(cell)):
            raise InputError(
                f"measure {name} returned {cell!r} on topic number {i}; expected a finite number, or None where undefined"
            )


def table(
    task: ModuleType, gold: Any, runs: Iterable[Views], measures: Sequence[Measure], settings: Settings
) -> Scores:
    """The score table of some runs."""
    scored = [score_run(views, measures) for views in runs]
    return Scores(task.NAME, settings, gold.topics, measures, scored, task.fields(gold))


def chosen(names: Iterable[str | Measure] | None, task: ModuleType) -> list[Measure]:
    """The measures asked for, or the task's own, each once."""
    from assay.measures.declare import find

    found: dict[str, Measure] = {}
    for name in names or task.DEFAULT_MEASURES:
        wanted = find(name, task.NAME) if isinstance(name, str) else name
        found.setdefault(wanted.name, wanted)
    return list(found.values())


def evaluate_sources(
    task: ModuleType,
    gold: Source | None,
    runs: Sequence[Source],
    measures: Sequence[Measure] | None,
    settings: Settings,
    *,
    name_by: str = "tag",
    also: Sequence[str] = (),
    beside: Sequence[Measure] = (),
    tell: Callable[[str], None] = lambda line: None,
    progress: Callable[[int], None] = lambda done: None,
) -> Scores:
    """Score runs against gold. `tell` hears what the user should know, `progress` how many runs are done.

    Without measures, the task's defaults. A task that has `join` reads gold and runs at once: a file of it may hold
    several runs, or runs may carry their own gold, and its defaults depend on what is there. `also` and `beside` are
    columns and measures the runs hold for `Scores.beside`, without being among the table's own.
    """
    settings.check(task.NAME, getattr(task, "OPTIONS", ()))
    if name_by not in ("tag", "file"):
        raise UsageError(f"name_by={name_by!r}: expected tag or file")
    if hasattr(task, "join"):
        judgments, joined = task.join(gold, runs, settings)
        if measures is None:
            measures = chosen(task.default_measures(judgments, [views for _, views in joined], settings), task)
        scored = [score_run(views, _with(measures, beside), (*task.TOPIC_COLUMNS, *also)) for _, views in joined]
        if name_by == "file":
            for run, (source, _) in zip(scored, joined, strict=True):
                run.name = source.label or source.stem
        _settle_names(scored, [source for source, _ in joined], tell)
        return Scores(
            task.NAME, settings, judgments.topics, measures, scored, task.fields(judgments), task.TOPIC_COLUMNS
        )
    if measures is None:
        measures = chosen(None, task)
    if gold is None:
        raise UsageError(f"the task {task.NAME!r} needs gold; only runs of outcomes can come already judged")
    if not runs:
        raise UsageError("no runs given; expected at least one run file")
    judgments = task.read_gold(gold, settings)
    scored: list[RunScores] = []
    for source, views in zip(runs, _ahead(lambda s: task.views(judgments, s, settings), runs), strict=True):
        if name_by == "file" and source.label is None:
            views.name = source.stem
        scored.append(score_run(views, _with(measures, beside), also))
        progress(len(scored))
    _settle_names(scored, runs, tell)
    return Scores(task.NAME, settings, judgments.topics, measures, scored, task.fields(judgments))


def _with(measures: Sequence[Measure], beside: Sequence[Measure]) -> list[Measure]:
    return list({m.name: m for m in [*beside, *measures]}.values())


def _ahead(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """function(item) for each item in order, computed by as many threads as there are cores while the caller goes on.

    The core lets go of the interpreter while it reads and ranks, so threads are enough.
    """
    workers = min(os.cpu_count() or 1, len(items))
    if len(items) < 2:
        yield from map(function, items)
        return
    from queue import Queue
    from threading import Thread

    # Thread w does items w, w + workers, …; room for one result each keeps memory at a few runs.
    results: list[Queue[tuple[Any, BaseException | None]]] = [Queue(maxsize=1) for _ in range(workers)]
    stopped = False

    def work(number: int) -> None:
        for item in items[number::workers]:
            if stopped:
                return
            try:
                results[number].put((function(item), None))
            except BaseException as problem:  # noqa: BLE001 - handed to the caller's thread, which raises it
                results[number].put((None, problem))
                return

    for number in range(workers):
        Thread(target=work, args=(number,), daemon=True).start()
    try:
        for i in range(len(items)):
            result, problem = results[i % workers].get()
            if problem is not None:
                raise problem
            yield result
    finally:
        stopped = True


def _settle_names(runs: Sequence[RunScores], sources: Sequence[Source], tell: Callable[[str], None]) -> None:
    """Give every run a name of its own: its tag, else its file's name, else its folder's, else the whole path."""
    names = [run.name for run in runs]
    clashing = [i for i, name in enumerate(names) if names.count(name) > 1]
    for kind, name_of in NAMES:
        if len(set(names)) == len(names):
            break
        for i in clashing:
            names[i] = name_of(sources[i])
        if len(set(names)) == len(names):
            shared = sorted({runs[i].name for i in clashing})
            called = (
                f"all called {shared[0]!r}" if len(shared) == 1 else f"not alone in their names ({', '.join(shared)})"
            )
            tell(f"{len(clashing)} runs are {called}; naming them by {kind}")
    for i, run in enumerate(runs):
        twice = names.count(names[i]) > 1
        run.name = f"{names[i]}#{names[: i + 1].count(names[i])}" if twice else names[i]


NAMES: list[tuple[str, Callable[[Source], str]]] = [
    ("file name", lambda source: source.stem),
    ("folder", lambda source: os.path.basename(os.path.dirname(os.path.abspath(source.path or "")))),
    ("path", lambda source: source.name),
]
"""What a run may be called by, in turn, while names collide."""


def evaluate(
    gold: Any,
    runs: Any,
    measures: Iterable[str | Measure] | None = None,
    *,
    task: str | None = None,
    name_by: str = "tag",
    also: Sequence[str] = (),
    beside: Sequence[Measure] = (),
    **settings: Any,
) -> Scores:
    """Score runs against gold.

    gold       a path, bytes, nested dicts {topic: {document: grade}} or a data frame; {question: answer} for answers,
               and None for runs of answers that carry their own outcomes
    runs       one run or several: a path, a list of paths, a data frame, {run: run} or {topic: {document: score}}
    measures   names such as "AP", "nDCG@10", "P(rel=2)@5"; the task's default measures where left out
    task       detected from the gold where left out
    also       ingredient columns, and
    beside     measures the table's runs hold without showing them: what a report draws (`Scores.beside`)
    settings   missing, undefined, depth, level, judged_only, seed (see `assay.Settings`)

    >>> evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d1": 3.2}}}, ["AP"]).mean("AP")
    {'r': 1.0}
    """
    from assay.formats.readers import task_of
    from assay.formats.sources import source_of
    from assay.settings import Settings
    from assay.tasks import get

    source = None
    if gold is not None:
        source = source_of(gold, "<gold>" if not isinstance(gold, (str, os.PathLike)) else None)
    if isinstance(measures, str):
        measures = [measures]
    kind = get(task or ("outcomes" if source is None else task_of(source)))
    return evaluate_sources(
        kind,
        source,
        _answer_sources(runs) if hasattr(kind, "join") else _run_sources(runs),
        chosen(measures, kind) if measures is not None else None,
        Settings(**{**kind.DEFAULTS, **settings}),
        name_by=name_by,
        also=also,
        beside=beside,
    )


def _answer_sources(runs: Any) -> list[Source]:
    """The same for runs of answers, of which one is {question: answer} and several are {run: {question: answer}}."""
    from assay.formats.sources import source_of

    if isinstance(runs, dict):
        entries: dict[Any, Any] = runs
        if entries and all(v is None or isinstance(v, (str, int, float, tuple)) for v in entries.values()):
            return [source_of(entries, "run")]
        return [source_of(run, str(name)) for name, run in entries.items()]
    return _run_sources(runs)


def _run_sources(runs: Any) -> list[Source]:
    """The runs a caller handed over, each as a source."""
    from assay.formats.sources import expand, path_of, source_of

    path = path_of(runs)
    if path is not None:
        return expand([path])
    if hasattr(runs, "items") and not hasattr(runs, "columns"):
        entries: dict[Any, Any] = dict(runs)
        values = list(entries.values())
        one_run = (
            values
            and all(isinstance(v, dict) for v in values)
            and not any(isinstance(inner, dict) for v in values for inner in v.values())
        )
        if one_run and any(v for v in values):
            return [source_of(entries, "run")]
        return [source_of(run, str(name)) for name, run in entries.items()]
    is_frame = hasattr(runs, "columns")
    if not is_frame and hasattr(runs, "__iter__") and not isinstance(runs, (bytes, bytearray)):
        several: list[Any] = list(runs)
        paths = [path_of(run) for run in several]
        return [
            source
            for run, at in zip(several, paths, strict=True)
            for source in (expand([at]) if at else [source_of(run)])
        ]
    return [source_of(runs, "run")]
