"""Measures of a whole run on resamples of its questions, by the compiled core (`whole_runs.c`); without it their Python functions serve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core import binding
from assay.parallel.executors import workers
from assay.parallel.worker_retries import run_chunks

AT_ONCE = 1 << 16
"""Questions drawn by the trials that are handed to the core together."""
LONGEST = 1 << 26
"""Draws of a trial from which counts of pairs would no longer be exact as doubles."""


@dataclass(frozen=True)
class Answers:
    """The answers of several runs to the same questions, runs × questions each, as `assay.h` describes them."""

    order: NDArray[np.uint32]
    stated: NDArray[np.int64]
    answered: NDArray[np.int64]
    positive: NDArray[np.int64]
    enters: NDArray[np.uint8] | None
    bin: NDArray[np.int32]
    hit: NDArray[np.float64]
    confidence: NDArray[np.float64]
    bins: int

    def described(self) -> Any:
        """Return the struct of addresses for the core, which keeps no copy."""
        by_rank = (self.order, self.stated, self.answered, self.positive)
        by_question = (self.enters, self.bin, self.hit, self.confidence)
        places = [None if array is None else array.ctypes.data for array in (*by_rank, *by_question)]
        return binding.Answers(*places, *self.order.shape, self.bins)


def measured(name: str, answers: Answers, draws: Iterable[Any], threads: int | None = None) -> NDArray[np.float64]:
    """Return the measure of every run on the questions of each trial: trials × runs, NaN where it is undefined."""
    parts = _together(draws)
    first = next(parts, None)
    if first is None:
        return np.empty((0, len(answers.order)))
    second = next(parts, None)
    if second is None:
        return _measured((name, answers), first)
    with workers("local", count=threads) as executor:
        every = chain((first, second), parts)
        return np.concatenate(list(run_chunks(_measured, every, executor, shared=(name, answers))))


def _together(draws: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield the draws in lists large enough for one call of the core."""
    held: list[Any] = []
    size = 0
    for drawn in draws:
        held.append(drawn)
        size += len(drawn)
        if size >= AT_ONCE:
            yield held
            held, size = [], 0
    if held:
        yield held


def _measured(shared: tuple[str, Answers], draws: list[Any]) -> NDArray[np.float64]:
    name, answers = shared
    drawn = np.concatenate(draws).astype(np.int32)
    ends = np.cumsum([len(draw) for draw in draws], dtype=np.int64)
    out = np.empty((len(draws), len(answers.order)))
    assert binding.LIBRARY is not None, "answers are prepared only where there is a core"
    which = binding.WHOLES.index(name)
    places = drawn.ctypes.data, ends.ctypes.data
    if binding.LIBRARY.assay_whole(answers.described(), which, *places, len(draws), out.ctypes.data) != 0:
        raise MemoryError(f"no memory for {len(draws)} resamples of {answers.order.shape[1]} questions")
    return out
