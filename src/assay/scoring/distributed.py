"""Score runs one by one: in this process, on the workers of an executor, or from a store of earlier scores.

A worker receives the location of the gold, the settings and paths of runs; it returns scores. It reads the gold once per job.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import NamedTuple

from assay.errors import AssayError, InputError, UsageError
from assay.io.sources import CHUNK, Source, is_remote, path_of
from assay.parallel.prefetch import ahead
from assay.parallel.worker_retries import run_chunks

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

    Work = tuple[str | None, list[RunScores] | None, Any]

MAX_FILES_PER_CHUNK = 64


class Job(NamedTuple):
    """The input of a worker: where to read the gold, and which measures to compute."""

    token: str
    """Identifies the job; a worker caches the gold of its last job."""
    gold: Source
    digest: str | None
    """The digest of the gold's bytes, which every worker verifies; None where the gold is pickled."""
    task: str
    settings: Mapping[str, Any]
    measures: Sequence[str]
    known: frozenset[str] | None
    """Digests of files whose scores the store has; None without a store."""


_golds: dict[str, tuple[Any, list[Measure]]] = {}
"""In a worker: the gold and the measures of the current job."""
_reading = Lock()


def _cache(job: Job, gold: Any, measures: list[Measure]) -> None:
    _golds.clear()
    _golds[job.token] = gold, measures


def _gold(job: Job) -> tuple[Any, list[Measure]]:
    with _reading:
        cached = _golds.get(job.token)
        if cached is None:
            # Imported here: `evaluate` imports this module.
            from assay.scoring.evaluate import chosen, read_gold

            gold = read_gold(_expected(job), task=job.task, **job.settings)
            cached = gold, chosen(job.measures, gold.task)
            _cache(job, *cached)
        return cached


def _expected(job: Job) -> Source:
    """Return the source of the gold; raise InputError where its bytes differ from those the job began with."""
    if job.digest is None:
        return job.gold
    gold, digest = _fixed(job.gold)
    if digest != job.digest:
        raise InputError(
            f"{gold.name}: a worker reads other bytes. Fix: give every worker the same gold, and do not change it while runs are scored."
        )
    return gold


def _fixed(source: Source) -> tuple[Source, str]:
    """Return a source and its digest; a remote file is fetched once, so that the bytes match the digest."""
    from assay.scoring.store import digest_of

    if source.path is not None and is_remote(source.path):
        with source.opened() as stream:
            data = b"".join(iter(lambda: stream.read(CHUNK), b""))
        source = Source(source.name, data=data, label=source.label)
    return source, digest_of(source)


class _NameTrackingSource(Source):
    """A source that records whether a run without a tag took its file's name."""

    def __init__(self, source: Source) -> None:
        super().__init__(source.name, path=source.path, data=source.data, label=source.label)
        self.named_run = False

    @property
    def stem(self) -> str:
        self.named_run = True
        return super().stem


def score_files(job: Job, files: Sequence[Source]) -> list[Work]:
    """Score files on a worker: for each its digest, scores (None where stored) and use of its name."""
    return [score_file(job, file) for file in files]


def score_file(job: Job, file: Source, again: bool = False) -> Work:
    """Score one file; with `again`, even where the store has it."""
    before = content = None
    if job.known is not None:
        from assay.scoring.store import digest_of_text

        before = file.state
        file, content = _fixed(file)
        content = content if file.label is None else digest_of_text(f"{content} {file.label}")
        if content in job.known and not again:
            return content, None, None
    source = _NameTrackingSource(file)
    gold, measures = _gold(job)
    scored = gold.score(source, measures)
    if content is not None and source.state != before:
        raise InputError(f"{source.name}: changed while it was read. Fix: evaluate again.")
    return content, scored, {"file": source.name, "asked": source.named_run}


def _portable(source: Source) -> Source:
    """Return a source without cached content and with an absolute path, to be pickled."""
    path = source.path if source.path is None or is_remote(source.path) else os.path.abspath(source.path)
    return Source(source.name, path=path, data=source.data, label=source.label)


def evaluate_separately(
    gold: Any, origin: Source | None, read: TaskGold, sources: Sequence[Source], measures: list[Measure] | None,
    table: Callable[..., Scores], store: Any, executor: Executor | None,
) -> Scores | None:  # fmt: skip
    """Return the table of runs scored one by one; None where that is impossible and there is no store.

    gold       `assay.scoring.evaluate.Gold`; `origin` is its source, `read` the task's gold
    measures   None for the default ones
    table      makes the table from the sources, the runs of each, and the measures
    store      a folder or a `Store`
    executor   whose workers score the runs
    """
    from assay.scoring.evaluate import chosen, read_gold

    task, settings = gold.task, gold.settings
    problem = why_together(task, read, settings, origin, measures)
    if problem is None and origin is not None:
        problem = unreadable([origin, *sources], store is not None)
    if problem is not None or origin is None:
        if store is None:
            return None
        raise UsageError(f"`store=…` needs runs that can be scored one by one: {problem}")
    if measures == []:
        raise UsageError("no measure to compute; `measures` names at least one")
    measures = chosen(task.defaults, task) if measures is None else measures
    portable = _portable_settings(settings)
    digest = None
    if origin.is_bytes:
        fixed, digest = _fixed(_portable(origin))
        gold.check_unchanged()
        if fixed.path is None and origin.path is not None:  # it was fetched again
            gold = read_gold(fixed, task=task.name, **portable)
            if gold.topics != read.topics:
                raise InputError(f"{origin.name}: changed since it was read. Fix: read it again.")
    kept = None
    if store is not None and digest is not None:
        from assay.scoring.store import Store

        store = store if isinstance(store, Store) else Store(store)
        kept = store.evaluation(digest, task, settings, measures, read.topics)
    names = [m.name for m in measures]
    job = Job(os.urandom(16).hex(), _portable(origin), digest, task.name, portable, names, kept and kept.known)
    with _reading:
        _cache(job, gold, measures)
    warnings: list[str] = []
    work = _ScoringPass(job, kept, read.topics, warnings)
    try:
        scores = table(sources, work.runs(sources, executor, task.ahead), measures)
    finally:
        with _reading:
            _golds.pop(job.token, None)
    if store is not None and kept is not None:
        store.read, store.scored = work.remembered, len(sources) - work.remembered
        kept.finish([(run, content, number) for run, (content, number) in zip(scores.runs, work.placed, strict=True)])
    scores.run(scores.runs[0]).notes.warnings[:0] = warnings
    return scores


def why_together(
    task: Task, gold: TaskGold, settings: Settings, origin: Source | None, measures: Sequence[Measure] | None
) -> str | None:
    """Return why runs must be scored together or here, and what to do; None where each can be scored alone.

    gold       the task's gold; `origin` is its source
    measures   None for the default ones
    """
    if origin is None or gold.names_runs or gold.runs or task.pooled:
        return "these runs are read together with their gold; leave it out"
    if task.second_table:
        return f"the task {task.name!r} shows more of its runs than numbers; leave it out"
    if task.check is not None:
        try:
            task.check(gold, settings)  # settings that pass without runs do not depend on them
        except AssayError as problem:
            return f"a setting depends on all runs: {problem}"
    if measures is None and task.more is not None:
        usual = ", ".join(map(str, task.defaults))
        return f"the default measures depend on all runs. Fix: name measures with `measures=…`, such as {usual}."
    user_measure = next((measure.name for measure in measures or () if not measure.declaration.ours), None)
    if user_measure is not None:
        return f"{user_measure} is a user-defined measure, whose code may change under the same name; omit one of them"
    return None


def unreadable(sources: Sequence[Source], stored: bool) -> str | None:
    """Return the message about a source that workers cannot read or a store cannot identify; None without one."""
    for source in sources:
        if source.is_stream or (stored and not source.is_bytes):
            return f"{source.name}: expected a file, whose bytes can be read again"
    return None


def _portable_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings by name, with absolute paths of files."""
    paths = {name: path for name, file in settings.files().items() if (path := path_of(file)) is not None}
    here = {name: os.path.abspath(path) for name, path in paths.items() if not is_remote(path)}
    return {**vars(settings), **here}


class _ScoringPass:
    """One pass over the sources; counts the stored files and locates each run's scores in the store."""

    def __init__(self, job: Job, kept: Evaluation | None, topics: Sequence[str], warnings: list[str]) -> None:
        self._job = job
        self._kept = kept
        self._topics = topics
        self._warnings = warnings
        self.remembered = 0
        self.placed: list[tuple[str, int]] = []

    def runs(self, sources: Sequence[Source], executor: Executor | None, threaded: bool) -> Iterator[list[RunScores]]:
        """Yield the scores of each source's runs in order; `threaded` says whether threads help."""
        job, files = self._job, list(map(_portable, sources))
        if executor is None and threaded and len(files) > 1:
            work = ahead(lambda file: score_file(job, file), files)
        else:
            many = min(MAX_FILES_PER_CHUNK, max(1, len(files) // 64)) if executor is not None else 1
            chunks = [files[start : start + many] for start in range(0, len(files), many)]
            work = (result for several in run_chunks(score_files, chunks, executor, shared=job) for result in several)
        for file, (content, scored, about) in zip(files, work, strict=True):
            if self._kept is None or content is None:
                yield scored or []
                continue
            runs = self._recalled(self._kept, file, content) if scored is None else None
            self.remembered += runs is not None
            if runs is None:
                if scored is None:
                    now, scored, about = score_file(job, file, again=True)
                    content = now or content  # the file may have changed
                runs = scored or []
                self._kept.put(content, runs, self._topics, about)
            self.placed += [(content, number) for number in range(len(runs))]
            yield runs

    def _recalled(self, kept: Evaluation, file: Source, content: str) -> list[RunScores] | None:
        """Return the stored scores of a file under its present name; None where there are none or they are damaged."""
        from assay.scoring.store import Damaged

        try:
            stored = kept.get(content)
        except Damaged as problem:
            self._warnings.append(kept.damaged(content, file.name, problem))
            return None
        return None if stored is None else _renamed(*stored, file)


def _renamed(runs: list[RunScores], about: Any, source: Source) -> list[RunScores] | None:
    """Update the file name of stored runs; None where a run's name or notes contain the old one."""
    if about["file"] == source.name:
        return runs
    old = os.path.basename(about["file"])
    if about["asked"] or any(old in text for run in runs for text in _texts(vars(run.notes))):
        return None
    return [run.but(file=source.name) if run.file == about["file"] else run for run in runs]


def _texts(notes: Any) -> Iterator[str]:
    """Yield every text in the notes on a run."""
    if isinstance(notes, str):
        yield notes
    elif isinstance(notes, dict):
        for name, value in notes.items():  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(name)
            yield from _texts(value)
    elif isinstance(notes, (list, tuple)):
        for value in notes:  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(value)
