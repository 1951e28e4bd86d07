"""An executor that loses workers."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future


class Flaky(Executor):
    """Loses the worker of every chunk `times` times before doing it."""

    def __init__(self, times):
        self.times = times
        self.lost = {}
        self.submissions = 0

    def submit(self, fn, /, *args, **kwargs):
        self.submissions += 1
        future = Future()
        self.lost[args] = self.lost.get(args, 0) + 1
        if self.lost[args] <= self.times:
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future
