"""Gold and runs → views × measures → the score table: `evaluate`, and the one path behind it."""

from __future__ import annotations

import os
from operator import attrgetter

from assay.errors import InputError, UsageError, shorten_list
from assay.scoring.run_scoring import score_run
from assay.settings import checked
from assay.table import missing_topics
from assay.table.repeats import each
from assay.table.run_names import NAME_BY, named_apart
from assay.table.run_scores import RunScores
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Executor
    from typing import Any

    from assay.io.sources import Source
    from assay.measures.measure import Measure
    from assay.scoring.store import Store
    from assay.settings import Settings
    from assay.tasks import Task, TaskGold, Views

    Progress = Callable[[int, int], None]


def evaluate(
    gold: Any,
    runs: Any = None,
    measures: Iterable[str | Measure] | str | Measure | None = None,
    *,
    task: str | None = None,
    name_by: str = "tag",
    keep: bool = True,
    store: str | os.PathLike[str] | Store | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Scores:
    """Score runs against gold.

    gold       a path, bytes, nested dicts {topic: {document: grade}} or a data frame; {question: answer} for answers,
               and None for runs of answers that carry their own outcomes; a log of a harness, a folder of logs, or
               generated answers with what was judged of them are such runs and stand in its place
    runs       one run or several: a path, folder or glob, a list of them, a data frame, {run: run} or
               {topic: {document: score}}; left out where the gold's own table holds them
    measures   names such as "AP", "nDCG@10", "P(rel=2)@5", groups of them ("estimators"), or the values of `assay.measures`; the
               task's own where left out
    task       detected from the gold where left out
    name_by    call a run by its `tag`, or by its `file`
    keep       hold on to what the runs were scored from, so that a report can compute more; False saves memory
    store      a folder that remembers scores, so that only runs it has not seen are scored; the table holds numbers alone
    executor   any concurrent.futures.Executor, whose workers open the runs and send their scores back: the same table, which
               holds numbers alone; runs that have to be looked at together are scored here
    progress   called with the number of sources done and of all
    settings   the choices of the task, as `missing`, `undefined`, `depth`, `level`: `assay.Settings` and its kinds;
               of tables `columns`, as in {"id": "task_id"} or "id=task_id"

    >>> evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d1": 3.2}}}, ["AP"])["AP"]
    {'r': 1.0}
    """
    read = read_gold(gold, task=task, runs=runs, **settings)
    given = None if read.holds_runs else runs
    return read.evaluate(given, measures, name_by=name_by, keep=keep, store=store, executor=executor, progress=progress)


def read_gold(gold: Any, *, task: str | None = None, runs: Any = None, **settings: Any) -> Gold:
    """Gold read once, to evaluate against as often as a training loop likes.

    gold       as `evaluate` takes it
    task       detected from the gold where left out
    runs       with `gold=None`: the runs that carry their own
    settings   the choices of the task, as `level` or `depth`

    >>> gold = read_gold({"q1": {"d1": 1}})
    >>> gold.evaluate({"q1": {"d1": 3.2}}, "RR")["RR"]
    {'run': 1.0}
    """
    from assay.formats.recognition import task_of
    from assay.io.sources import path_of, source_of
    from assay.settings import listed
    from assay.tasks import get
    from assay.tasks.judged_runs import in_place_of_gold, judged_answers

    source = None if gold is None else source_of(gold)
    if source is not None and source.path is None and source is not gold:
        source.name = "<gold>"
    judged: list[Source] = []
    passed_over: list[str] = []
    if source is not None and task in (None, "outcomes"):
        judged, passed_over = in_place_of_gold(source, runs, settings.get("columns"))
    answers = judged_answers(source) if source is not None and not judged and task in (None, "generation") else []
    if answers:
        judged = [*answers, *(run_sources(runs, get("generation")) if runs is not None else ())]
    source = None if judged else source
    kind = get(task or ("generation" if answers else "outcomes" if source is None else task_of(source)))
    known = kind.settings.options()
    for name, value in settings.items():
        if name not in known:
            raise UsageError(f"`{name}={value!r}`: the task {kind.name!r} has no such setting; it has {listed(known)}")
    if source is None and not kind.judged:
        raise UsageError(
            f"`gold=None`: the task {kind.name!r} needs gold; only outcomes and generated answers can come already judged"
        )
    if kind.pooled and source is not None:
        judged, source = (
            [*run_sources(gold if path_of(gold) is not None else [source], kind), *run_sources(runs or [], kind)],
            None,
        )
    choices = kind.settings(**settings)
    seen = [(file, file.state) for file in (source, *map(source_of, choices.files().values())) if file is not None]
    beside = judged or (run_sources(runs, kind) if source is None else [])
    read = kind.read(source, beside, choices)
    if kind.recognised and task is None and source is not None:
        read.warnings = [kind.recognised.format(source.name), *read.warnings]
    given = source if source is not None and source.is_stream else gold
    return Gold(kind, choices, read, source, beside, passed_over, seen, (given, task, runs, settings))


def _read_again(
    gold: Any, task: str | None, runs: Any, settings: dict[str, Any], seen: list[tuple[Source, Any]]
) -> Gold:
    found = read_gold(gold, task=task, runs=runs, **settings)
    found._seen = seen  # pyright: ignore[reportPrivateUsage]
    found.check_unchanged()
    return found


def scores_of(
    first: Any, runs: Any = None, measures: Any = None, *, task: str | None = None, executor: Any = None,
    **settings: Any,
) -> Scores:  # fmt: skip
    """What a verb was given: a score table as it is, or gold and runs to score."""
    if not isinstance(first, Scores):
        return evaluate(first, runs, measures, task=task, executor=executor, **settings)
    if runs is not None or task is not None or settings:
        raise UsageError("give a score table, or gold and runs with their settings, not both")
    return first


class Gold:
    """Gold that was read: `evaluate(runs, measures)` scores runs against it."""

    def __init__(
        self, task: Task, settings: Settings, gold: TaskGold, source: Source | None, runs: list[Source],
        passed_over: Sequence[str] = (), seen: Sequence[tuple[Source, Any]] = (), given: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        self.task = task
        self.settings = settings
        self._gold = gold
        self._source = source
        """Where it was read from; None where it came with the runs."""
        self._runs = runs
        """Runs that were read with it."""
        self._passed_over = passed_over
        """Files beside them that are no runs."""
        self._seen = seen
        """The files it was read from, each with its state before it was read."""
        self._given = given
        """The arguments of `read_gold`."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was read from. Where it is loaded, it is read again; a file that has changed is an error."""
        return _read_again, (*self._given, list(self._seen))

    def __deepcopy__(self, memo: dict[int, Any]) -> Gold:
        return self  # nothing changes it

    def check_unchanged(self) -> None:
        """Refuse to go on where others are to read the files it was read from, and would not read the same."""
        for file, state in self._seen:
            if file.state != state:
                raise InputError(f"{file.name}: was changed since it was read; read it again")

    @property
    def topics(self) -> list[str]:
        """The topics' ids, in byte order."""
        return self._gold.topics

    @property
    def holds_runs(self) -> bool:
        """Whether the runs were read with it: they carry their own outcomes."""
        return bool(self._runs)

    def __repr__(self) -> str:
        name = self._source.name if self._source else "the runs"
        return f"<gold of {name}: {self.task.title.lower()}, {len(self.topics)} {self.task.noun}s>"

    def evaluate(
        self,
        runs: Any = None,
        measures: Iterable[str | Measure] | str | Measure | None = None,
        *,
        name_by: str = "tag",
        keep: bool = True,
        store: str | os.PathLike[str] | Store | None = None,
        executor: Executor | None = None,
        progress: Progress | None = None,
    ) -> Scores:
        """Score runs, as `assay.evaluate` does: the one way from sources to a table.

        runs       as `evaluate` takes them
        measures   as `evaluate` takes them
        name_by    call a run by its `tag`, or by its `file`
        keep       hold on to what the runs were scored from, so that a report can compute more; False saves memory
        store      a folder that remembers scores; the table holds numbers alone
        executor   whose workers score the runs; the table holds numbers alone
        progress   called with the number of sources done and of all
        """
        checked("name_by", name_by, NAME_BY)
        task, gold, settings = self.task, self._gold, self.settings
        sources = run_sources(runs, task) if runs is not None else self._runs or list(gold.runs)
        if not sources:
            raise UsageError("no runs given; expected at least one")
        from assay.measures.registry import expand_groups

        wanted = None if measures is None else chosen(expand_groups(measures, task.name), task)
        if store is not None or executor is not None:
            from assay.scoring.distributed import evaluated

            found = evaluated(
                self, self._source, gold, sources, wanted,
                lambda sources, runs, measures: self._table(sources, runs, measures, name_by, progress), store, executor,
            )  # fmt: skip
            if found is not None:
                return found

        if wanted is None and task.more is None:
            wanted = chosen(task.defaults, task)
        kept = keep or task.second_table
        seen = gold if kept or wanted is None else gold.for_measures(wanted, settings)

        def join(source: Source) -> Sequence[Any]:
            return _joined(task, seen, settings, kept, source)

        joined = map(join, sources)
        if task.ahead and len(sources) > 1:
            from assay.parallel.prefetch import ahead

            joined = ahead(join, sources)
        if wanted is None and task.more is not None:
            held = list(joined)
            wanted = chosen(task.more(gold, [views for several in held for views in several], settings), task)
            joined = iter(held)
        if not wanted:
            raise UsageError("no measure to compute; `measures` names at least one")
        runs_of = ([score_run(views, wanted, task.columns, kept) for views in one] for one in joined)
        return self._table(sources, runs_of, wanted, name_by, progress)

    def score(self, source: Source, measures: Sequence[Measure]) -> list[RunScores]:
        """The numbers alone of the runs of one source."""
        gold = self._gold.for_measures(measures, self.settings)
        joined = self.task.join(gold, source, self.settings)
        return [score_run(views, measures, self.task.columns, keep=False) for views in joined]

    def _table(
        self, sources: Sequence[Source], found: Iterable[list[RunScores]], measures: Sequence[Measure], name_by: str,
        progress: Progress | None,
    ) -> Scores:  # fmt: skip
        """The runs of every source under names of their own, checked against the policies."""
        task, gold, settings = self.task, self._gold, self.settings
        scored: list[RunScores] = []
        origins: list[Source] = []
        for number, (source, runs) in enumerate(zip(sources, found, strict=True), 1):
            scored += runs
            origins += [source] * len(runs)
            if progress is not None:
                progress(number, len(sources))
        if task.check is not None:
            task.check(gold, settings)
        if name_by == "file" and gold.names_runs:
            origins = _files_of(scored, sources)
        if name_by == "file" or len(set(map(attrgetter("name"), scored))) < len(scored):
            scored = named_apart(scored, origins, name_by)
        if self._passed_over:
            few = shorten_list(list(map(os.path.basename, self._passed_over)))
            many = len(self._passed_over)
            said = f"{many} {'file is no log' if many == 1 else 'files are no logs'} that assay knows: left out ({few})"
            scored[0].notes.warnings.insert(0, said)
        scored[0].notes.warnings[:0] = gold.warnings
        scores = Scores(task, settings, gold.topics, measures, scored, gold.fields)
        missing_topics.check(scores)
        for measure in measures:
            if measure.level != "topic" and not measure.declaration.ours:
                scores.mean(measure)  # a measure of a user's own fails here, with its name, or nowhere
        return scores


def _joined(task: Task, gold: TaskGold, settings: Settings, keep: bool, source: Source) -> Sequence[Any]:
    """The runs of a source. What measures do not see is let go of at once where nobody is to keep it: of many runs, all wait for
    the last before it is known which measures suit them."""
    found = task.join(gold, source, settings)
    for views in () if keep else found:
        if hasattr(views, "let_go"):
            views.let_go()
    return found


def _files_of(runs: Sequence[RunScores], logs: Sequence[Source]) -> list[Source]:
    """The log of every run, where each is of one log alone."""
    known = {log.name: log for log in logs}
    for run in runs:
        if run.file not in known:
            raise UsageError(f"`name_by='file'`: {run.name} is of several logs ({run.file}), and none can name it")
    return [known[run.file] for run in runs if run.file is not None]


def extended(scores: Scores, measures: Iterable[str | Measure] = (), columns: Iterable[str] = ()) -> Scores:
    """The table with more measures and columns, computed from the runs it was made from where it lacks them."""
    known = {m.name for m in scores.measures}
    more = [m for m in chosen(measures, scores.task) if m.name not in known]
    runs: list[RunScores] = []
    for name in scores.runs:
        run = scores.run(name)
        parts = {each(part) if m.level == "whole" and run.samples is not None else part for m in more for part in m.of}
        held = {m.name for m in more if m.level == "topic"} | parts | set(columns)
        if held <= set(run.columns):
            runs.append(run)
            continue
        if run.views is None:
            raise UsageError(f"{name}: this table holds its numbers alone, and no {', '.join(sorted(held))}")
        found = score_run(run.views, more, tuple(columns))
        runs.append(run.but(columns={**found.columns, **run.columns}))
    return scores.with_runs(runs, [*scores.measures, *more])


def table(task: Task, gold: TaskGold, runs: Iterable[Views], measures: Sequence[Measure], settings: Settings) -> Scores:
    """The score table of runs that are joined already."""
    return Scores(task, settings, gold.topics, measures, [score_run(views, measures) for views in runs], gold.fields)


def chosen(names: Iterable[str | Measure] | str | Measure, task: Task) -> list[Measure]:
    """The measures named, one or several, each once."""
    from assay.measures.registry import resolve

    found: dict[str, Measure] = {}
    for name in [names] if isinstance(names, str) or not hasattr(names, "__iter__") else names:  # type: ignore[union-attr]
        wanted = resolve(name, task.name)  # type: ignore[arg-type]
        found.setdefault(wanted.name, wanted)
    return list(found.values())


def run_sources(runs: Any, task: Task) -> list[Source]:
    """The runs a caller handed over; only the task can tell one mapping of answers from several runs.

    Data alone has no label: a name inside it comes first, as in a file, and then `run`.
    """
    from assay.formats.object_ids import check_unique, id_text
    from assay.io.sources import Source, expand, path_of, source_of

    path = path_of(runs)
    if path is not None:
        return _found_by(path, expand([path]))
    if isinstance(runs, (bytes, bytearray)):
        return [Source("run", data=bytes(runs))]
    if hasattr(runs, "columns") or not hasattr(runs, "__iter__"):
        return [Source("run", data=runs)]
    if hasattr(runs, "items"):
        entries: dict[Any, Any] = dict(runs)
        if task.one_run(entries):
            return [Source("run", data=entries)]
        names = [id_text(name, "name of a run") for name in entries]
        check_unique(names, "run", "runs")
        return [source_of(run, name) for name, run in zip(names, entries.values(), strict=True)]
    found: list[Source] = []
    for run in runs:
        at = path_of(run)
        found += _found_by(at, expand([at])) if at else [source_of(run)]
    return found


def _found_by(argument: str, sources: list[Source]) -> list[Source]:
    """Return the sources, marked with the argument they were found by."""
    for source in sources:
        source.argument = argument
    return sources
