"""Run chunks of work on an executor, and retry those whose worker died.

A chunk is a picklable argument, its function is deterministic, and results are in the order of the chunks: they do not depend on
the number of workers, nor on workers that die.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future
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


def worker_died(problem: BaseException) -> bool:
    """Return whether an error means a lost worker, not faulty work."""
    from concurrent.futures import BrokenExecutor, CancelledError

    lost = {"KilledWorker", "CommClosedError", "FutureCancelledError", "LostWorkerError"}
    kinds = BrokenExecutor | CancelledError | ConnectionError | EOFError | TimeoutError
    return isinstance(problem, kinds) or type(problem).__name__ in lost


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
