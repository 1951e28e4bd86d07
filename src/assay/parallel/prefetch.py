"""An ordered, bounded, prefetching thread-pool map.

Unlike `concurrent.futures.ThreadPoolExecutor`, the consuming thread computes items itself instead of waiting. Reading and scoring 100
runs of 50,000 lines on two cores takes 0.17 s instead of 0.24 s in a whole process, 0.22 s instead of 0.24 s of processor time.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")

ROOM = 2
"""Items per thread that may be started before their results are consumed: no more runs than these are in memory."""


def ahead(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Yield function(item) for each item in order, computed by as many threads as there are cores.

    The consumer is one of these threads: while its next result is missing, it computes items.

    >>> list(ahead(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    work = _Work(function, items)
    try:
        for number in range(len(items)):
            yield work.result(number)
    finally:
        work.stop()


class _Work:
    """Items, results and helper threads; a helper exits when idle, and `result` starts it again."""

    def __init__(self, function: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self._function, self._items = function, items
        self._threads = min(os.cpu_count() or 1, len(items))
        self._lock = allocate_lock()
        self._begun = self._asked = self._helpers = 0
        self._results: dict[int, tuple[Any, BaseException | None]] = {}
        self._waiting = [allocate_lock() for _ in items]
        for lock in self._waiting:
            lock.acquire()

    def result(self, number: int) -> Any:
        """Return the result of an item; results are consumed in order."""
        with self._lock:
            self._asked = number
            called = min(self._threads - 1, self._limit() - self._begun) - self._helpers
            self._helpers += max(0, called)
        for _ in range(called):
            start_new_thread(self._help, ())
        while number not in self._results and (started := self._begin()) is not None:
            self._do(started)
            problem = self._results[started][1]
            if problem is not None and not isinstance(problem, Exception):
                raise problem  # an interruption belongs to the caller, not to this item
        self._waiting[number].acquire()
        result, problem = self._results.pop(number)
        if problem is not None:
            raise problem
        return result

    def stop(self) -> None:
        """Start no more items."""
        with self._lock:
            self._begun = len(self._items)

    def _limit(self) -> int:
        return min(len(self._items), self._asked + ROOM * self._threads)

    def _begin(self, leaving: bool = False) -> int | None:
        """Return the number of the next item, which the calling thread must compute; None when none may be started."""
        with self._lock:
            if self._begun < self._limit():
                self._begun += 1
                return self._begun - 1
            self._helpers -= leaving
            return None

    def _do(self, number: int) -> None:
        try:
            self._results[number] = self._function(self._items[number]), None
        except BaseException as problem:  # noqa: BLE001 - raised where the result is consumed
            self._results[number] = None, problem
        self._waiting[number].release()

    def _help(self) -> None:
        while (number := self._begin(leaving=True)) is not None:
            self._do(number)
