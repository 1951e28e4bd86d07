"""Run chunks of work on any `concurrent.futures.Executor`, or in this process.

A chunk is a picklable argument, its function is deterministic, and results are in the order of the chunks: they do not depend on
the number of workers, nor on workers that die.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Executor, Future
    from contextlib import AbstractContextManager
    from typing import Any, TypeVar

    Chunk = TypeVar("Chunk")
    Result = TypeVar("Result")

NOTHING = object()
RETRIES = 3
WINDOW = 256
"""Chunks handed out at a time, so that a million of them do not wait in memory."""


def run_chunks(
    function: Callable[..., Result], chunks: Iterable[Chunk], executor: Executor | None = None, *, shared: Any = NOTHING
) -> Iterator[Result]:
    """Yield `function` of each chunk, in order; retry chunks of dead workers, at last in this process.

    `shared`, if given, is the function's first argument, before the chunk; a worker receives it once, not with every chunk.
    An error raised by the function itself is raised at once and not retried.

    >>> list(run_chunks(abs, [-1, 2, -3])), list(run_chunks(pow, [1, 2, 3], shared=2))
    ([1, 2, 3], [2, 4, 8])
    """
    common = () if shared is NOTHING else (shared,)
    if executor is None:
        yield from (function(*common, chunk) for chunk in chunks)
        return
    from collections import deque

    sent, forget = _send(function, common, executor)
    pending: deque[tuple[Chunk, Future[Result] | None]] = deque()

    def oldest() -> Result:
        chunk, future = pending[0]
        for _ in range(RETRIES):
            if future is None:
                break
            try:
                return future.result()
            except BaseException as problem:
                if not worker_died(problem):
                    raise
            future = _submit(executor, (*sent, chunk))
            pending[0] = chunk, future
        return function(*common, chunk)

    def finished() -> Result:
        result = oldest()
        pending.popleft()  # only now: an interruption while it was waited for has cancelled it with the others
        return result

    try:
        for chunk in chunks:
            pending.append((chunk, _submit(executor, (*sent, chunk))))
            if len(pending) >= WINDOW:
                yield finished()
        while pending:
            yield finished()
    finally:
        for _, future in pending:
            if future is not None:
                future.cancel()
        forget()


_lent: ContextVar[Executor | None] = ContextVar("lent", default=None)
"""The executor of resampling, set once instead of being passed through all the statistics."""
PARTS = 16
"""Number of chunks of the trials of one resampling."""


@contextmanager
def lent(executor: Executor | None) -> Generator[None]:
    """Draw trials on an executor inside a `with` block; None changes nothing.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool, lent(pool):
    ...     in_parts(lambda shared, span: [*shared[span[0] : sum(span)]], "abcdef", 0, 6)
    [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]
    """
    before = _lent.set(_lent.get() if executor is None else executor)
    try:
        yield
    finally:
        _lent.reset(before)


def in_parts(function: Callable[[Any, tuple[int, int]], Result], shared: Any, first: int, trials: int) -> list[Result]:
    """Return `function(shared, (first, count))` of spans of the trials, in order, on the executor of `lent`.

    Without one, all trials are one span in this process. The result of a trial must depend on its number alone.
    """
    executor = _lent.get()
    if executor is None or trials < 2:
        return [function(shared, (first, trials))]
    size = max(1, -(-trials // PARTS))
    spans = [(at, min(size, first + trials - at)) for at in range(first, first + trials, size)]
    return list(run_chunks(function, spans, executor, shared=shared))


def _submit(executor: Executor, work: tuple[Any, ...]) -> Future[Any] | None:
    try:
        return executor.submit(*work)
    except RuntimeError:  # a broken or closed pool takes no more work; what is left is done here
        return None


def _send(
    function: Callable[..., Any], common: tuple[Any, ...], executor: Executor
) -> tuple[tuple[Any, ...], Callable[[], Any]]:
    """Send the shared argument; return what to submit before each chunk, and a clean-up function."""
    share: Any = getattr(executor, "share", None)
    if common and share is not None:
        return (function, share(*common)), lambda: None
    client: Any = getattr(executor, "_client", None)
    if common and hasattr(client, "scatter"):
        return (function, client.scatter(*common, broadcast=True, hash=False)), lambda: None
    pools = sys.modules.get("concurrent.futures.process")
    if not common or pools is None or not isinstance(executor, pools.ProcessPoolExecutor):
        return (function, *common), lambda: None
    import pickle
    from tempfile import mkstemp

    handle, path = mkstemp(prefix="assay-")
    with open(handle, "wb") as file:
        pickle.dump(common[0], file, pickle.HIGHEST_PROTOCOL)
    return (_with_file, path, function), lambda: os.unlink(path)


_held: dict[str, Any] = {}
"""In a process of a pool: the shared argument of the current work, by its file."""


def _with_file(path: str, function: Callable[..., Any], chunk: Any) -> Any:
    if path not in _held:
        import pickle

        _held.clear()
        with open(path, "rb") as file:
            _held[path] = pickle.load(file)
    return function(_held[path], chunk)


def worker_died(problem: BaseException) -> bool:
    """Return whether an error means a lost worker, not faulty work."""
    from concurrent.futures import BrokenExecutor, CancelledError

    lost = {"KilledWorker", "CommClosedError", "FutureCancelledError", "LostWorkerError"}
    kinds = BrokenExecutor | CancelledError | ConnectionError | EOFError | TimeoutError
    return isinstance(problem, kinds) or type(problem).__name__ in lost


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers(
    kind: str = "local", *, count: int | None = None, processes: bool = False, scheduler: str | None = None
) -> AbstractContextManager[Executor | None]:
    """Return a context manager of an executor: `local` threads or processes, or a Dask cluster.

    Threads suit the compiled kernels, which release the interpreter lock; `processes=True` suits Python functions.
    Without a scheduler's address Dask starts a cluster on this machine. A cluster that cannot do the work, at the start or
    midway, is an InputError within seconds.

    >>> with workers("local", count=2) as executor:
    ...     list(run_chunks(abs, [-1, -2], executor))
    [1, 2]
    """
    if kind not in {"local", "dask"}:
        raise UsageError(f"`executor={kind!r}`: expected local or dask")
    if scheduler is not None and kind != "dask":
        raise UsageError(f"`scheduler={scheduler!r}` goes with `executor='dask'`")
    count = count or cores()
    if kind == "dask":
        return _cluster(count, scheduler)
    if count == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

    if not processes:
        return ThreadPoolExecutor(count)
    from multiprocessing import get_context

    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=leave_with_parent)


def leave_with_parent() -> None:
    """End this process of a pool when its parent is killed.

    A worker that waits for work would not notice, because the workers hold both ends of the pipe of the work.
    """
    from multiprocessing import connection, parent_process
    from threading import Thread

    parent = parent_process()

    def leave() -> None:
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    Thread(target=leave, daemon=True).start()


def _cluster(count: int, scheduler: str | None) -> AbstractContextManager[Executor]:
    from importlib.util import find_spec

    if find_spec("distributed") is None:
        raise UsageError("`executor='dask'` needs dask.distributed: pip install 'assay-eval[dask]'")
    from assay.parallel.dask_client import checked_address, connected

    return connected(None if scheduler is None else checked_address(scheduler), count)
