"""Work that threads do ahead of who asks for it. Every comparison of runs begins here, so it imports next to nothing."""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")


class _Hatch:
    """Room for one result, which one thread puts there and another takes: whoever is early waits."""

    def __init__(self) -> None:
        self._full, self._empty = allocate_lock(), allocate_lock()
        self._full.acquire()

    def put(self, result: object, problem: BaseException | None = None) -> None:
        self._empty.acquire()
        self._held = result, problem
        self._full.release()

    def take(self) -> Any:
        self._full.acquire()
        result, problem = self._held
        del self._held
        self._empty.release()
        if problem is not None:
            raise problem
        return result

    def leave(self) -> None:
        """Take what is there, if anything, for nobody: who waits to put the next there goes on."""
        if self._full.acquire(blocking=False):
            self._empty.release()


def ahead(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """function(item) for each item in order, by as many threads as there are cores, while the caller goes on.

    >>> list(ahead(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    threads = min(os.cpu_count() or 1, len(items))
    # Thread t does items t, t + threads, …; room for one result each keeps memory at a few runs.
    hatches = [_Hatch() for _ in range(threads)]
    stopped = False

    def work(number: int) -> None:
        for item in items[number::threads]:
            if stopped:
                return
            try:
                hatches[number].put(function(item))
            except BaseException as problem:  # noqa: BLE001 - handed to the caller's thread, which raises it
                hatches[number].put(None, problem)
                return

    for number in range(threads):
        start_new_thread(work, (number,))
    try:
        for i in range(len(items)):
            yield hatches[i % threads].take()
    finally:
        stopped = True
        for hatch in hatches:
            hatch.leave()
