"""Score runs against gold: `evaluate`, `read_gold` and the class `Gold`."""

from __future__ import annotations

import os
from operator import attrgetter

from assay.errors import InputError, UsageError, shorten_list
from assay.parameters import public
from assay.scoring.run_scoring import score_run
from assay.settings import NAME_BY, checked
from assay.table import missing_topics
from assay.table.run_scores import RunScores, each
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Executor
    from typing import Any, Unpack

    from assay.io.sources import Source
    from assay.measures.measure import Measure
    from assay.parameters import ScoringSettings, TaskSettings
    from assay.scoring.store import Store
    from assay.settings import Settings
    from assay.tasks import Task, TaskGold, Views

    Progress = Callable[[int, int], None]


@public
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
    **settings: Unpack[TaskSettings],
) -> Scores:
    """Score runs against gold and return the score table.

    gold       a path, bytes, nested dicts {topic: {document: grade}}, {topic: {documents}}, (topic, document, grade) tuples
               or a data frame; {question: answer} for answers, or None for runs with outcomes of their own. Tables of
               outcomes, logs of a harness, folders of logs and judged generated answers are such runs too; they may be
               given in place of gold
    runs       one run or several: a path, folder or glob, a list of them, a data frame, a list of dicts with an id each,
               {run: run}, {topic: {document: score}}, {topic: [documents]} or (topic, document, score) tuples; leave out
               where the table of the gold has them
    measures   names such as "AP", "nDCG@10", "P(rel=2)@5", groups of them ("estimators"), or the values of `assay.measures`;
               default: those of the task
    task       the kind of evaluation; detected from the gold by default
    name_by    name a run by its `tag` or its `file`
    keep       keep the joined runs, so that a report can compute more; False saves memory
    store      a folder of earlier scores (`assay.Store`): only new files are scored, and the table has numbers alone
    executor   a concurrent.futures.Executor whose workers read and score the runs; the table has numbers alone. Runs that
               must be scored together are scored in this process
    progress   called with the number of sources done and the number of all
    settings   settings of the task, such as `missing`, `undefined`, `depth`, `level` (see `assay.Settings`); for tables
               `columns`, as in {"id": "task_id"} or "id=task_id"

    Returns `assay.Scores`, which prints as a table. Raises UsageError where a measure, task or setting is unknown or does not
    fit, FormatError with file and line where a file is malformed, InputError where a source cannot be used.

    >>> evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d1": 3.2}}}, ["AP"])["AP"]
    {'r': 1.0}
    """
    read = read_gold(gold, task=task, runs=runs, **settings)
    more_runs = None if read.holds_runs else runs
    return read.evaluate(
        more_runs, measures, name_by=name_by, keep=keep, store=store, executor=executor, progress=progress
    )


@public
def read_gold(gold: Any, *, task: str | None = None, runs: Any = None, **settings: Unpack[TaskSettings]) -> Gold:
    """Read gold once, to score runs against it many times, as in a training loop.

    gold       as in `evaluate`
    task       the kind of evaluation; detected from the gold by default
    runs       with `gold=None`: the runs, which have their own outcomes
    settings   settings of the task, such as `level` or `depth`

    Returns `assay.Gold`. Raises UsageError where the task or a setting is unknown, FormatError with file and line where the gold
    is malformed, InputError where it cannot be used.

    >>> gold = read_gold({"q1": {"d1": 1}})
    >>> gold.evaluate({"q1": {"d1": 3.2}}, "RR")["RR"]
    {'run': 1.0}
    """
    from assay.formats.recognition import refuse_unknown
    from assay.io.sources import GOLD_DATA, is_iterated_once, path_of, source_of
    from assay.tasks import get
    from assay.tasks.judged_runs import in_place_of_gold, judged_answers, judged_rankings

    source = None if gold is None else source_of(gold)
    if source is not None and source.path is None and source is not gold:
        source.name = GOLD_DATA
    judged: list[Source] = []
    passed_over: list[str] = []
    if source is not None and task in (None, "outcomes"):
        judged, passed_over = in_place_of_gold(source, runs, settings.get("columns"))
    answers = judged_answers(source) if source is not None and not judged and task in (None, "generation") else []
    if answers:
        judged = [*answers, *(run_sources(runs, get("generation")) if runs is not None else ())]
    rankings: list[Source] = []
    if source is not None and not judged and task in (None, "ranked", "known-item"):
        rankings = judged = judged_rankings(
            source, lambda: run_sources(runs, get("ranked")) if runs is not None else []
        )
    source = None if judged else source
    of_runs = "generation" if answers else "ranked" if rankings else None
    kind = get(task or of_runs or _task_of(source, settings.get("columns")))
    known = kind.settings.options()
    for name, value in settings.items():
        if name not in known:
            raise UsageError(_unknown_setting(name, value, kind))
    if source is None and not kind.judged and not rankings:
        raise UsageError(
            f"`gold=None`: the task {kind.name!r} needs gold; only outcomes and generated answers may be judged already"
        )
    if kind.pooled and source is not None:
        judged, source = (
            [*run_sources(gold if path_of(gold) is not None else [source], kind), *run_sources(runs or [], kind)],
            None,
        )
    choices = kind.settings(**settings)
    seen = [(file, file.state) for file in (source, *map(source_of, choices.files().values())) if file is not None]
    beside = judged or (run_sources(runs, kind, choices) if source is None else [])
    try:
        read = kind.read(source, beside, choices)
    except InputError:
        if task is None and source is not None:
            refuse_unknown(source, runs is None)
        raise
    if kind.recognised and task is None and source is not None:
        read.warnings = [kind.recognised.format(source.name), *read.warnings]
    # A pipe or an iterator cannot be read again.
    argument = source if source is not None and (source.is_stream or is_iterated_once(gold)) else gold
    return Gold(kind, choices, read, source, beside, passed_over, seen, (argument, task, runs, settings))


def _task_of(gold: Source | None, columns: Any) -> str:
    """Return the task of a gold; runs without gold, and tables whose columns are named, are of outcomes."""
    from assay.formats.recognition import task_of
    from assay.tasks.judged_runs import is_named_table

    return "outcomes" if gold is None or is_named_table(gold, columns) else task_of(gold)


def _unknown_setting(name: str, value: Any, kind: Task) -> str:
    """Say of which tasks a setting is, or which settings a task has."""
    from assay.settings import listed
    from assay.tasks import every

    homes = [task.name for task in every() if name in task.settings.options()]
    if homes:
        return (
            f"`{name}={value!r}`: is a setting of the task {shorten_list(homes, 10, last=' or ')}; this is {kind.name}"
        )
    known = listed(kind.settings.options())
    return f"`{name}={value!r}`: unknown setting of the task {kind.name!r}; settings are {known}"


def _read_again(
    gold: Any, task: str | None, runs: Any, settings: dict[str, Any], seen: list[tuple[Source, Any]]
) -> Gold:
    reread = read_gold(gold, task=task, runs=runs, **settings)
    reread._seen = seen  # pyright: ignore[reportPrivateUsage]
    reread.check_unchanged()
    return reread


def scores_of(
    first: Any, runs: Any = None, measures: Any = None, *, task: str | None = None, executor: Any = None,
    **settings: Unpack[ScoringSettings],
) -> Scores:  # fmt: skip
    """Return a score table as it is, or score the gold and runs given instead."""
    if not isinstance(first, Scores):
        return evaluate(first, runs, measures, task=task, executor=executor, **settings)
    if runs is not None or task is not None or settings:
        raise UsageError("give a score table, or gold and runs with their settings, not both")
    return first


class Gold:
    """Gold that has been read; `assay.read_gold` returns it, and its method `evaluate` scores runs against it.

    `task` and `settings` are those it was read with, `topics` are the ids of its topics. It pickles as its source, which is read
    again where it is loaded; InputError where the file has changed.

    >>> import assay
    >>> gold = assay.read_gold({"q1": {"d1": 1}})
    >>> gold.topics, gold.evaluate({"q1": {"d1": 3.2}}, "AP")["AP"]
    (['q1'], {'run': 1.0})
    """

    def __init__(
        self, task: Task, settings: Settings, gold: TaskGold, source: Source | None, runs: list[Source],
        passed_over: Sequence[str] = (), seen: Sequence[tuple[Source, Any]] = (), arguments: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        self.task = task
        self.settings = settings
        self._gold = gold
        self._source = source
        """Its source; None where the runs have their own outcomes."""
        self._runs = runs
        """Runs read with it."""
        self._passed_over = passed_over
        """Files among the runs that are not logs."""
        self._seen = seen
        """The files it was read from, with their state before reading."""
        self._arguments = arguments
        """The arguments of `read_gold`."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the source; loading reads it again and refuses a changed file."""
        return _read_again, (*self._arguments, list(self._seen))

    def __deepcopy__(self, memo: dict[int, Any]) -> Gold:
        return self  # immutable

    def check_unchanged(self) -> None:
        """Raise InputError where a file it was read from has changed."""
        for file, state in self._seen:
            if file.state != state:
                raise InputError(f"{file.name}: changed since it was read. Fix: read it again.")

    @property
    def topics(self) -> list[str]:
        """The topics' ids, in byte order."""
        return self._gold.topics

    @property
    def holds_runs(self) -> bool:
        """Whether the runs were read with it, because they have their own outcomes."""
        return bool(self._runs)

    def __repr__(self) -> str:
        name = self._source.name if self._source else "the runs"
        return f"<gold of {name}: {self.task.title.lower()}, {len(self.topics)} {self.task.noun}s>"

    @public
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
        """Score runs; the parameters, the result and the errors are those of `assay.evaluate`."""
        checked("name_by", name_by, NAME_BY)
        task, gold, settings = self.task, self._gold, self.settings
        sources = run_sources(runs, task, settings) if runs is not None else self._runs or list(gold.runs)
        if not sources:
            raise UsageError("no runs given; expected at least one")
        from assay.measures.registry import expand_groups

        resolved = None if measures is None else chosen(expand_groups(measures, task.name), task)
        _check_needs(resolved or (), settings)
        if store is not None or executor is not None:
            from assay.scoring.distributed import evaluate_separately

            scores = evaluate_separately(
                self, self._source, gold, sources, resolved,
                lambda sources, runs, measures: self._table(sources, runs, measures, name_by, progress), store, executor,
            )  # fmt: skip
            if scores is not None:
                return scores

        if resolved is None and task.more is None:
            resolved = chosen(task.defaults, task)
        kept = keep or task.second_table
        seen = gold if kept or resolved is None else gold.for_measures(resolved, settings)

        def join(source: Source) -> Sequence[Any]:
            return _joined(task, seen, settings, kept, source)

        joined = map(join, sources)
        if task.ahead and len(sources) > 1:
            from assay.parallel.prefetch import ahead

            joined = ahead(join, sources)
        if resolved is None and task.more is not None:
            views_by_source = list(joined)
            resolved = chosen(
                task.more(gold, [views for several in views_by_source for views in several], settings), task
            )
            joined = iter(views_by_source)
        if not resolved:
            raise UsageError("no measure to compute; `measures` names at least one")
        runs_of = (
            [score_run(views, resolved, task.columns, kept) for views in views_of_source] for views_of_source in joined
        )
        return self._table(sources, runs_of, resolved, name_by, progress)

    def score(self, source: Source, measures: Sequence[Measure]) -> list[RunScores]:
        """Score the runs of one source, without keeping their views."""
        gold = self._gold.for_measures(measures, self.settings)
        joined = self.task.join(gold, source, self.settings)
        return [score_run(views, measures, self.task.columns, keep=False) for views in joined]

    def _table(
        self, sources: Sequence[Source], results: Iterable[list[RunScores]], measures: Sequence[Measure], name_by: str,
        progress: Progress | None,
    ) -> Scores:  # fmt: skip
        """Collect the runs of all sources under unique names, and apply the checks of task and settings."""
        task, gold, settings = self.task, self._gold, self.settings
        scored: list[RunScores] = []
        origins: list[Source] = []
        for number, (source, runs) in enumerate(zip(sources, results, strict=True), 1):
            scored += runs
            origins += [source] * len(runs)
            if progress is not None:
                progress(number, len(sources))
        if task.check is not None:
            task.check(gold, settings)
        if name_by == "file" and gold.names_runs:
            origins = _files_of(scored, sources)
        if name_by == "file" or len(set(map(attrgetter("name"), scored))) < len(scored):
            from assay.table.run_names import make_names_unique

            scored = make_names_unique(scored, origins, name_by)
        if self._passed_over:
            few = shorten_list(list(map(os.path.basename, self._passed_over)))
            many = len(self._passed_over)
            remark = (
                f"{many} {'file is not a known log' if many == 1 else 'files are not known logs'} and ignored ({few})"
            )
            scored[0].notes.warnings.insert(0, remark)
        scored[0].notes.warnings[:0] = gold.warnings
        scores = Scores(task, settings, gold.topics, measures, scored, gold.fields, gold.arrivals)
        missing_topics.check(scores)
        for measure in measures:
            if measure.level != "topic" and not measure.declaration.ours:
                scores.mean(measure)  # a user-defined measure fails here, with its name
        return scores


def _joined(task: Task, gold: TaskGold, settings: Settings, keep: bool, source: Source) -> Sequence[Any]:
    """Join the runs of a source with the gold; without `keep`, drop the texts at once to save memory."""
    joined = task.join(gold, source, settings)
    for views in () if keep else joined:
        if hasattr(views, "let_go"):
            views.let_go()
    return joined


def _check_needs(measures: Sequence[Measure], settings: Settings) -> None:
    """Refuse a measure whose second file of judgments is not given."""
    for measure in measures:
        needed = measure.declaration.needs
        if needed and getattr(settings, needed, None) is None:
            raise UsageError(f"measure {measure.name!r} needs judgments of {needed}: give them as `{needed}=FILE`")


def _files_of(runs: Sequence[RunScores], logs: Sequence[Source]) -> list[Source]:
    """Return the log of every run; refuse runs made of several logs."""
    known = {log.name: log for log in logs}
    for run in runs:
        if run.file not in known:
            raise UsageError(
                f"`name_by='file'`: {run.name} is made of several logs ({run.file}), so that no file can name it"
            )
    return [known[run.file] for run in runs if run.file is not None]


def extended(scores: Scores, measures: Iterable[str | Measure] = (), columns: Iterable[str] = ()) -> Scores:
    """Return the table with more measures and columns, computed from the views where it lacks them."""
    known = {m.name for m in scores.measures}
    more = [m for m in chosen(measures, scores.task) if m.name not in known]
    runs: list[RunScores] = []
    for name in scores.runs:
        run = scores.run(name)
        parts = {each(part) if m.level == "whole" and run.samples is not None else part for m in more for part in m.of}
        needed = {m.name for m in more if m.level == "topic"} | parts | set(columns)
        if needed <= set(run.columns):
            runs.append(run)
            continue
        if run.views is None:
            raise UsageError(f"{name}: this table has its numbers alone, without {', '.join(sorted(needed))}")
        scored = score_run(run.views, more, tuple(columns))
        runs.append(run.but(columns={**scored.columns, **run.columns}))
    return scores.with_runs(runs, [*scores.measures, *more])


def table(task: Task, gold: TaskGold, runs: Iterable[Views], measures: Sequence[Measure], settings: Settings) -> Scores:
    """Return the score table of joined runs."""
    scored = [score_run(views, measures) for views in runs]
    return Scores(task, settings, gold.topics, measures, scored, gold.fields, gold.arrivals)


def chosen(names: Iterable[str | Measure] | str | Measure, task: Task) -> list[Measure]:
    """Return the measures named, one or several, without duplicates."""
    from assay.measures.registry import resolve

    measures: dict[str, Measure] = {}
    for name in [names] if isinstance(names, str) or not hasattr(names, "__iter__") else names:  # type: ignore[union-attr]
        measure = resolve(name, task.name)  # type: ignore[arg-type]
        measures.setdefault(measure.name, measure)
    return list(measures.values())


def run_sources(runs: Any, task: Task, settings: Settings | None = None) -> list[Source]:
    """Return the sources of the runs given; the task decides whether a mapping or a list of dicts is one run or several.

    Data in memory has no label; it is named by its tag, or else `run`.
    """
    from assay.io.heads import is_rows
    from assay.io.sources import expand, is_iterated_once, path_of, source_of, source_of_data

    path = path_of(runs)
    if path is not None:
        return _with_argument(path, expand([path]))
    runs = list(iter(runs)) if is_iterated_once(runs) else runs
    if isinstance(runs, (bytes, bytearray)) or is_rows(runs):
        return [source_of_data(runs, "run")]
    if hasattr(runs, "columns") or not hasattr(runs, "__iter__"):
        return [source_of_data(runs, "run")]
    if hasattr(runs, "items"):
        entries: dict[Any, Any] = dict(runs)
        if task.one_run(entries):
            return [source_of_data(entries, "run")]
        from assay.formats.object_ids import check_unique, id_text

        names = [id_text(name, "name of a run") for name in entries]
        check_unique(names, "run", "runs")
        return [source_of(run, name) for name, run in zip(names, entries.values(), strict=True)]
    if task.one_table(runs, getattr(settings, "columns", None)):
        return [source_of_data(list(runs), "run")]
    sources: list[Source] = []
    for run in runs:
        at = path_of(run)
        sources += _with_argument(at, expand([at])) if at else [source_of(run)]
    return sources


def _with_argument(argument: str, sources: list[Source]) -> list[Source]:
    """Record in the sources the argument that listed them."""
    for source in sources:
        source.argument = argument
    return sources
