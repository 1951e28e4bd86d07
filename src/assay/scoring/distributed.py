"""Runs scored one by one, each where it lies: by this process, by any executor's workers, or by a store that remembers.

What travels to a worker is the name of the gold, the choices, and paths of runs; what comes back are scores. A worker
reads the gold once.
"""

from __future__ import annotations

import os
from threading import Lock

from assay.errors import AssayError, InputError, UsageError
from assay.io.sources import CHUNK, Source, is_remote, path_of
from assay.parallel.executors import run_chunks
from assay.parallel.prefetch import ahead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor
    from typing import Any

    from assay.measures.measure import Measure
    from assay.scoring.store import Evaluation
    from assay.settings import Settings
    from assay.table.run_scores import RunScores
    from assay.table.scores import Scores
    from assay.tasks import Task, TaskGold

    Place = tuple[str, str | None, Any, str | None]
    Work = tuple[str | None, list[RunScores] | None, Any]

MANY = 64
"""The most files a worker is handed at once."""


class Job:
    """What every worker has to know: how to read the gold and what to compute of a run."""

    def __init__(
        self, gold: Place, digest: str | None, task: str, settings: Mapping[str, Any], measures: Sequence[str],
        known: frozenset[str] | None,
    ) -> None:  # fmt: skip
        self.token = os.urandom(16).hex()
        """Which job this is: the gold that a worker holds is that of the last one."""
        self.gold = gold
        self.digest = digest
        """Of the gold's bytes, which every worker has to find; None where it travels itself."""
        self.task = task
        self.settings = settings
        self.measures = measures
        self.known = known
        """Digests of files whose scores a store has; None where there is no store, and no digest is wanted."""


_held: dict[str, tuple[Any, list[Measure]]] = {}
"""In a worker: the gold and the measures of the job under way."""
_reading = Lock()


def _hold(job: Job, gold: Any, measures: list[Measure]) -> None:
    _held.clear()
    _held[job.token] = gold, measures


def _gold(job: Job) -> tuple[Any, list[Measure]]:
    with _reading:
        found = _held.get(job.token)
        if found is None:
            # Imported here: `evaluate` hands its work to this module, whose workers read the gold as it does.
            from assay.scoring.evaluate import chosen, read_gold

            gold = read_gold(_expected(job), task=job.task, **job.settings)
            found = gold, chosen(job.measures, gold.task)
            _hold(job, *found)
        return found


def _expected(job: Job) -> Source:
    """The gold, which has to be on a worker what it was where the work began."""
    if job.digest is None:
        return _source(job.gold)
    place, digest = _fixed(job.gold)
    if digest != job.digest:
        raise InputError(
            f"{place[0]}: a worker finds other bytes there; expected the same gold everywhere, and no change while runs are scored"
        )
    return _source(place)


def _source(place: Place) -> Source:
    name, path, data, label = place
    return Source(name, path=path, data=data, label=label)


def _fixed(place: Place) -> tuple[Place, str]:
    """A place to read what has this digest: what lies elsewhere is fetched once, so that it cannot change in between."""
    from assay.scoring.store import digest_of

    name, path, _, label = place
    if path is not None and is_remote(path):
        with _source(place).opened() as stream:
            place = name, None, b"".join(iter(lambda: stream.read(CHUNK), b"")), label
    return place, digest_of(_source(place))


class _NameTrackingSource(Source):
    """A source that notes whether a run was called by its file, for want of a tag."""

    __slots__ = ("asked",)

    def __init__(self, *place: Any) -> None:
        name, path, data, label = place
        super().__init__(name, path=path, data=data, label=label)
        self.asked = False

    @property
    def stem(self) -> str:
        self.asked = True
        return super().stem


def score_places(job: Job, places: Sequence[Place]) -> list[Work]:
    """On a worker: of each file its digest, its runs' scores (None where the store has them), and what depends on its name."""
    return [score_place(job, place) for place in places]


def score_place(job: Job, place: Place, again: bool = False) -> Work:
    """The same of one file; `again` whatever the store has."""
    before = content = None
    if job.known is not None:
        from assay.scoring.store import digest_of_text

        before = _source(place).state
        place, content = _fixed(place)
        content = content if place[3] is None else digest_of_text(f"{content} {place[3]}")
        if content in job.known and not again:
            return content, None, None
    source = _NameTrackingSource(*place)
    gold, measures = _gold(job)
    scored = gold.score(source, measures)
    if content is not None and source.state != before:
        raise InputError(f"{source.name}: was changed while it was read; evaluate again")
    return content, scored, {"file": source.name, "asked": source.asked}


def place_of(source: Source) -> Place:
    """A source as it travels: its path is found from any folder of the same file system."""
    path = source.path
    if path is not None and path != "-" and not is_remote(path):
        path = os.path.abspath(path)
    return source.name, path, source.data, source.label


def evaluated(
    gold: Any, origin: Source | None, read: TaskGold, sources: Sequence[Source], measures: list[Measure] | None,
    table: Callable[..., Scores], store: Any, executor: Executor | None,
) -> Scores | None:  # fmt: skip
    """The table of runs that are scored one by one; None where they cannot be, and no store was asked for.

    gold       `assay.scoring.evaluate.Gold`; `origin` is its source, `read` what its task made of it
    measures   those asked for; None for the usual ones
    table      makes a table of the sources, the runs of each, and the measures
    store      a folder, or a `Store`, that remembers scores
    executor   whose workers score the runs
    """
    from assay.scoring.evaluate import chosen, read_gold

    task, settings = gold.task, gold.settings
    problem = together(task, read, settings, origin, measures)
    if problem is None and origin is not None:
        problem = unreadable([origin, *sources], store is not None)
    if problem is not None or origin is None:
        if store is None:
            return None
        raise UsageError(f"`store=…` scores files one by one: {problem}")
    if measures == []:
        raise UsageError("no measure to compute; `measures` names at least one")
    measures = chosen(task.defaults, task) if measures is None else measures
    travelling = _travelling(settings)
    digest = None
    if origin.is_bytes:
        place, digest = _fixed(place_of(origin))
        gold.check_unchanged()
        if place[1] is None and origin.path is not None:  # it was fetched again, and may have changed since it was read
            gold = read_gold(_source(place), task=task.name, **travelling)
            if gold.topics != read.topics:
                raise InputError(f"{origin.name}: was changed since it was read; read it again")
    kept = None
    if store is not None and digest is not None:
        from assay.scoring.store import Store

        store = store if isinstance(store, Store) else Store(store)
        kept = store.evaluation(digest, task, settings, measures, read.topics)
    names = [m.name for m in measures]
    job = Job(place_of(origin), digest, task.name, travelling, names, kept and kept.known)
    with _reading:
        _hold(job, gold, measures)
    said: list[str] = []
    work = _ScoringPass(job, kept, read.topics, said)
    try:
        scores = table(sources, work.runs(sources, executor, task.ahead), measures)
    finally:
        with _reading:
            _held.pop(job.token, None)
    if store is not None and kept is not None:
        store.read, store.scored = work.remembered, len(sources) - work.remembered
        kept.finish([(run, content, number) for run, (content, number) in zip(scores.runs, work.placed, strict=True)])
    scores.run(scores.runs[0]).notes.warnings[:0] = said
    return scores


def together(
    task: Task, gold: TaskGold, settings: Settings, origin: Source | None, measures: Sequence[Measure] | None
) -> str | None:
    """Why runs have to be scored together, or here, and what to do about it; None where each can be scored by itself.

    gold       what the task made of the gold; `origin` is where it was read from
    measures   those asked for; None for the usual ones
    """
    if origin is None or gold.names_runs or gold.runs or task.pooled:
        return "these runs are read together with their gold; leave it out"
    if task.second_table:
        return f"the task {task.name!r} shows more of its runs than numbers; leave it out"
    if task.check is not None:
        try:
            task.check(gold, settings)  # what passes before any run was looked at needs none of them
        except AssayError as problem:
            return f"a choice needs a look at all runs: {problem}"
    if measures is None and task.more is not None:
        usual = ", ".join(map(str, task.defaults))
        return f"the usual measures depend on what all runs hold; name some with `measures=…`, as {usual}"
    own = next((one.name for one in measures or () if not one.declaration.ours), None)
    if own is not None:
        return f"{own} is a measure of your own, whose code may change under the same name; leave one of them out"
    return None


def unreadable(sources: Sequence[Source], stored: bool) -> str | None:
    """Which source others could not read, or a store not tell again by its bytes; None where there is none."""
    for source in sources:
        if source.is_stream or (stored and not source.is_bytes):
            return f"{source.name}: expected a file, whose bytes can be read again"
    return None


def _travelling(settings: Settings) -> dict[str, Any]:
    """Choices by name, files among them by paths that hold from any folder."""
    paths = {name: path for name, file in settings.files().items() if (path := path_of(file)) is not None}
    here = {name: os.path.abspath(path) for name, path in paths.items() if not is_remote(path)}
    return {**vars(settings), **here}


class _ScoringPass:
    """One pass over the sources; counts what a store remembered, and where each run's scores lie in it."""

    def __init__(self, job: Job, kept: Evaluation | None, topics: Sequence[str], said: list[str]) -> None:
        self._job = job
        self._kept = kept
        self._topics = topics
        self._said = said
        self.remembered = 0
        self.placed: list[tuple[str, int]] = []

    def runs(self, sources: Sequence[Source], executor: Executor | None, threaded: bool) -> Iterator[list[RunScores]]:
        """Of each source its runs' scores, in order; `threaded` is whether threads of this process are of use."""
        job, places = self._job, list(map(place_of, sources))
        if executor is None and threaded and len(places) > 1:
            work = ahead(lambda place: score_place(job, place), places)
        else:
            many = min(MANY, max(1, len(places) // 64)) if executor is not None else 1
            chunks = [places[start : start + many] for start in range(0, len(places), many)]
            work = (one for several in run_chunks(score_places, chunks, executor, shared=job) for one in several)
        for place, (content, found, about) in zip(places, work, strict=True):
            if self._kept is None or content is None:
                yield found or []
                continue
            runs = self._recalled(self._kept, place, content) if found is None else None
            self.remembered += runs is not None
            if runs is None:
                if found is None:
                    now, found, about = score_place(job, place, again=True)
                    content = now or content  # it may be another file by now
                runs = found or []
                self._kept.put(content, runs, self._topics, about)
            self.placed += [(content, number) for number in range(len(runs))]
            yield runs

    def _recalled(self, kept: Evaluation, place: Place, content: str) -> list[RunScores] | None:
        """The scores of a file as a store has them, called as the file is now; None where the store cannot tell."""
        from assay.scoring.partitions import Damaged

        try:
            found = kept.get(content)
        except Damaged as problem:
            self._said.append(kept.damaged(content, place[0], problem))
            return None
        return None if found is None else _renamed(*found, _source(place))


def _renamed(runs: list[RunScores], about: Any, source: Source) -> list[RunScores] | None:
    """The runs of a file that may have another name now; None where they, or what was noted of them, are called by the old."""
    if about["file"] == source.name:
        return runs
    old = os.path.basename(about["file"])
    if about["asked"] or any(old in text for run in runs for text in _texts(vars(run.notes))):
        return None
    return [run.but(file=source.name) if run.file == about["file"] else run for run in runs]


def _texts(told: Any) -> Iterator[str]:
    """Every text in what was noted of a run."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for name, value in told.items():  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(name)
            yield from _texts(value)
    elif isinstance(told, (list, tuple)):
        for value in told:  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(value)
