"""Draw subsets of topics, score every run on them, compare every pair: exact counts for any measure.

One subset per trial serves all pairs of runs and all measures, and one shuffle of the topics serves all sizes. The papers draw
anew for each pair; the expectation is the same, at a fraction of the cost. Values are quotients of integers, so the counts
depend only on the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from assay.core import binding
from assay.core import resample as kernels
from assay.errors import UndefinedError, UsageError
from assay.parallel.worker_retries import run_chunks
from assay.random import purpose_key
from assay.resampling.arithmetic import Integers
from assay.resampling.resamplers import Resampler

PURPOSE = "reliability"
SUBSETS = 1 << 26
"""Bytes for the subsets of a round, where these are drawn one by one."""
CACHE = 1 << 19
"""Bytes for the values of a round; more would not stay in the second-level cache."""


def undefined(measure: str, run: str, where: str) -> UndefinedError:
    """Return the error for an undefined value."""
    error = UndefinedError(
        f"{measure} is undefined for the run {run!r} on {where}; use larger subsets or another measure, or omit the run"
    )
    error.measure = measure
    return error


@dataclass
class Counts:
    """Counts of one measure over all trials."""

    outcomes: Integers
    """outcomes[pair, 0:10]: how often the first run of the pair is better at f = .01 … .10; [10:20]: the second."""
    edges: Integers
    """By kind, edges[0]: all comparisons; [1]: those with a difference other than 0; [2:22]: of at least .01 … .20."""
    highest: float | None
    """The highest value of any run on any subset."""
    trials: int

    def plus(self, other: Counts) -> Counts:
        """Return the sum of both, reusing this one's memory, which is large for a thousand runs."""
        seen = [h for h in (self.highest, other.highest) if h is not None]
        np.add(self.outcomes, other.outcomes, out=self.outcomes)
        return Counts(self.outcomes, self.edges + other.edges, max(seen, default=None), self.trials + other.trials)


@dataclass(eq=False)
class Subsets:
    """Resamplers of the same runs and topics by several measures, scored on the same subsets of the topics."""

    runs: list[str]
    resamplers: dict[str, Resampler]
    """By the measure's name."""
    noun: str = "topic"

    @property
    def topics(self) -> int:
        return next(iter(self.resamplers.values())).topics

    def __reduce__(self) -> tuple[Any, ...]:
        # Blocks of columns are not pickled; the worker makes them again.
        return Subsets, (self.runs, self.resamplers, self.noun)

    def only(self, names: Iterable[str]) -> Subsets:
        """Return the subsets with some of the measures."""
        return Subsets(self.runs, {name: self.resamplers[name] for name in names}, self.noun)

    @cached_property
    def named_pairs(self) -> list[tuple[str, str]]:
        """Every pair of runs."""
        return list(combinations(self.runs, 2))

    @property
    def pairs(self) -> int:
        return len(self.runs) * (len(self.runs) - 1) // 2

    @cached_property
    def _columns(self) -> tuple[list[Integers], dict[str, list[int]]]:
        """The distinct columns to add up, and those that each measure uses."""
        place: dict[bytes, int] = {}
        columns: list[Integers] = []
        used: dict[str, list[int]] = {}
        for name, resampler in self.resamplers.items():
            used[name] = []
            for part in resampler.parts:
                at = place.setdefault(part.tobytes(), len(columns))
                if at == len(columns):
                    columns.append(part)
                used[name].append(at)
        return columns, used

    @cached_property
    def _blocked(self) -> kernels.Blocked | None:
        """All columns, as the core adds them up; None where every measure is of whole runs."""
        columns = self._columns[0]
        return kernels.Blocked(np.concatenate(columns).T) if columns else None

    @cached_property
    def _totals(self) -> list[Integers]:
        """The sums over all topics: totals[column][run]."""
        return [column.sum(axis=1) for column in self._columns[0]]

    def seconds(self, size: int, sets: int) -> float:
        """Estimate the seconds of a trial, to split the work into chunks of about a second."""
        adding = 2e-11 * len(self._columns[0]) * len(self.runs) * self.topics
        return sets * (sum(s.seconds(size) for s in self.resamplers.values()) + adding + 3e-9 * size)

    def seconds_alone(self, size: int, sets: int) -> float:
        """Estimate the seconds of a trial that hold the interpreter lock."""
        if binding.LIBRARY is None:
            return self.seconds(size, sets)
        return sets * sum(resampler.seconds(size) for resampler in self.resamplers.values() if not resampler.parts)

    def _sums(self, key: int, first: int, trials: int, sizes: Sequence[int], sets: int) -> Iterator[list[Any]]:
        """Yield by size sums[column][set, run, trial] of the first topics of a shuffle, and of the next."""
        marks = sorted({size * (number + 1) for size in sizes for number in range(sets)} - {self.topics}) or [
            self.topics
        ]
        runs = len(self.runs)
        upto: dict[int, dict[int, Any]] = {self.topics: {at: sums[:, None] for at, sums in enumerate(self._totals)}}
        if self._blocked is not None:
            for mark, sums in zip(marks, self._blocked.drawn(key, first, trials, marks), strict=True):
                drawn = {at: sums[at * runs : (at + 1) * runs] for at in range(len(self._totals))}
                upto.setdefault(mark, {}).update(drawn)
        for size in sizes:
            by_column: list[Any] = []
            for at in range(len(self._totals)):
                first_set = np.broadcast_to(upto[size][at], (runs, trials))
                both = np.empty((sets, runs, trials), first_set.dtype)
                both[0] = first_set
                if sets == 2:
                    np.subtract(upto[2 * size][at], first_set, out=both[1], casting="same_kind")
                by_column.append(both)
            yield by_column

    def _rounds(self, first: int, trials: int, drawn: bool) -> Iterator[tuple[int, int]]:
        """Split a span into rounds whose values fit the second-level cache, and whose subsets, if drawn, fit 64 MB."""
        values = 2 * len(self.runs) * 8
        step = min(kernels.ROUND // 64 * 64, max(64, CACHE // values // 64 * 64))
        if drawn:
            step = min(kernels.ROUND, max(16, SUBSETS // (8 * self.topics)))
        for start in range(first, first + trials, step):
            yield start, min(step, first + trials - start)

    def count(self, work: CountingTask) -> list[dict[str, Counts]]:
        """Return for each size the counts of every measure; spans of trials may be added in any order."""
        key, runs, sets = purpose_key(work.seed, PURPOSE), len(self.runs), work.sets
        by_size = [
            {name: Counts(*kernels.tally(runs, size in work.pairwise), None, work.trials) for name in self.resamplers}
            for size in work.sizes
        ]
        drawn = any(not resampler.parts for resampler in self.resamplers.values())
        for first, trials in self._rounds(work.first, work.trials, drawn):
            every = self._sums(key, first, trials, work.sizes, sets)
            for size, sums, counts in zip(work.sizes, every, by_size, strict=True):
                chosen = kernels.subsets(key, first, trials, self.topics, size, sets) if drawn else None
                for name, resampler in self.resamplers.items():
                    top, bottom = resampler.on_subsets(size, [sums[at] for at in self._columns[1][name]], chosen)
                    if missing := first_undefined(bottom):
                        where = f"a random subset of {size} {self.noun}s (trial {first + missing[2]})"
                        raise undefined(name, self.runs[missing[1]], where)
                    total = counts[name]
                    kernels.pairs(top, bottom, (total.outcomes, total.edges))
                    best = float((top / bottom).max() if isinstance(bottom, np.ndarray) else int(top.max()) / bottom)
                    total.highest = best if total.highest is None else max(best, total.highest)
        return by_size


@dataclass(frozen=True)
class CountingTask:
    """A worker's task: subsets of these sizes, one or two of each, over a span of trials."""

    sizes: tuple[int, ...]
    pairwise: tuple[int, ...]
    """The sizes with counts per pair."""
    sets: int
    seed: int
    first: int
    trials: int


def first_undefined(bottom: Any) -> tuple[int, ...] | None:
    """Return the index of the first zero denominator, if there is one."""
    if isinstance(bottom, np.ndarray):
        return next((tuple(int(i) for i in at) for at in np.argwhere(bottom == 0)), None)
    return None if bottom else (0, 0, 0)


def count(subsets: Subsets, size: int, trials: int, **options: Any) -> dict[str, Counts]:
    """Return the counts of every measure on subsets of one size."""
    return count_sizes(subsets, [size], [size], trials, **options)[size]


def count_sizes(
    subsets: Subsets, sizes: Sequence[int], pairwise: Sequence[int], trials: int, *, seed: int = 0, swap: bool = True,
    executor: Executor | None = None, workers: int = 1, progress: Callable[[int], None] | None = None,
) -> dict[int, dict[str, Counts]]:  # fmt: skip
    """Return by size the counts of every measure over all trials.

    Counts per pair are made at the sizes in `pairwise` only. The work is split into at least `workers` chunks; `progress` is
    called with the trials of each chunk, times the number of sizes.
    """
    sets = 2 if swap else 1
    for size in sizes:
        if size < 1 or sets * size > subsets.topics:
            raise UsageError(f"cannot draw {sets} x {size} of {subsets.topics} {subsets.noun}s without replacement")
    seconds = sum(subsets.seconds(size, sets) for size in sizes)
    chunk = max(1, min(int(1 / seconds), -(-trials // workers)))
    spans = [
        CountingTask(tuple(sizes), tuple(pairwise), sets, seed, first, min(chunk, trials - first))
        for first in range(0, trials, chunk)
    ]
    done: dict[int, dict[str, Counts]] = {size: {} for size in sizes}
    for span, parts in zip(spans, run_chunks(Subsets.count, spans, executor, shared=subsets), strict=True):
        for size, part in zip(sizes, parts, strict=True):
            for name, counts in part.items():
                done[size][name] = done[size][name].plus(counts) if name in done[size] else counts
            part.clear()
        if progress is not None:
            progress(span.trials * len(sizes))
    return done
