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

ROOM = 2
"""Items for each thread that may be begun before their results are asked for: of runs, no more than these are in memory."""


def ahead(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """function(item) for each item in order, by as many threads as there are cores, while the caller goes on.

    Whoever asks for a result that is not there yet is one of these threads: it works, and does not wait.

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
    """What is to be done, and by whom. A helper that finds nothing to begin leaves, and is called again when there is."""

    def __init__(self, function: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self._function, self._items = function, items
        self._threads = min(os.cpu_count() or 1, len(items))
        self._lock = allocate_lock()
        self._begun = self._asked = self._helpers = 0
        self._results: dict[int, tuple[Any, BaseException | None]] = {}
        self._waiting = [allocate_lock() for _ in items]
        for one in self._waiting:
            one.acquire()

    def result(self, number: int) -> Any:
        """Of the item of that number; results are asked for in order."""
        with self._lock:
            self._asked = number
            called = min(self._threads - 1, self._limit() - self._begun) - self._helpers
            self._helpers += max(0, called)
        for _ in range(called):
            start_new_thread(self._help, ())
        while number not in self._results and (own := self._begin()) is not None:
            self._do(own)
            problem = self._results[own][1]
            if problem is not None and not isinstance(problem, Exception):
                raise problem  # an interruption is of the caller, and not of this item
        self._waiting[number].acquire()
        result, problem = self._results.pop(number)
        if problem is not None:
            raise problem
        return result

    def stop(self) -> None:
        """Nothing more is begun."""
        with self._lock:
            self._begun = len(self._items)

    def _limit(self) -> int:
        return min(len(self._items), self._asked + ROOM * self._threads)

    def _begin(self, leaving: bool = False) -> int | None:
        """The number of the next item, which is the caller's from now on; None where there is none."""
        with self._lock:
            if self._begun < self._limit():
                self._begun += 1
                return self._begun - 1
            self._helpers -= leaving
            return None

    def _do(self, number: int) -> None:
        try:
            self._results[number] = self._function(self._items[number]), None
        except BaseException as problem:  # noqa: BLE001 - raised where the result is asked for
            self._results[number] = None, problem
        self._waiting[number].release()

    def _help(self) -> None:
        while (number := self._begin(leaving=True)) is not None:
            self._do(number)
