"""Executors of threads, processes or a Dask cluster, and the one that resampling draws its trials on."""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

from assay.errors import UsageError
from assay.parallel.worker_retries import run_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager
    from typing import Any, TypeVar

    Chunk = TypeVar("Chunk")
    Result = TypeVar("Result")

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
