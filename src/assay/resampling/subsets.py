"""Draw subsets of topics, value every run on them, compare every pair: exact counts for any measure of any level.

One subset per trial serves all pairs of runs and all measures, and one shuffle of the topics the subsets of all sizes. The papers
draw afresh for each pair; the expectation is the same, measures are compared on the same subsets, and the cost is a fraction.
Values are quotients of integers, so the counts depend on nothing but the seed.
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
from assay.parallel.executors import run_chunks
from assay.random import purpose_key
from assay.resampling.arithmetic import Integers
from assay.resampling.resamplers import Resampler

PURPOSE = "reliability"
CACHE = 1 << 19
"""Bytes that the values of one round may take: more of them, and comparing pairs waits for memory."""


def undefined(measure: str, run: str, where: str) -> UndefinedError:
    """What to say of a value that does not exist."""
    error = UndefinedError(
        f"{measure} is undefined for the run {run!r} on {where}; use larger subsets, another measure, or leave the run out"
    )
    error.measure = measure
    return error


@dataclass
class Counts:
    """What all trials of one measure add up to."""

    outcomes: Integers
    """outcomes[pair, 0:10] how often the first run of the pair is better at f = .01 … .10, [10:20] the second."""
    edges: Integers
    """edges[0] all comparisons, [1] with a difference other than 0, [2:22] of at least .01 … .20; by kind."""
    highest: float | None
    """The highest value any run had on any subset."""
    trials: int

    def plus(self, other: Counts) -> Counts:
        """Both together, in the memory of this one: of a thousand runs it is a lot."""
        seen = [h for h in (self.highest, other.highest) if h is not None]
        np.add(self.outcomes, other.outcomes, out=self.outcomes)
        return Counts(
            self.outcomes, self.edges + other.edges, max(seen, default=None), self.trials + other.trials
        )  # fmt: skip


@dataclass(eq=False)
class Subsets:
    """Samples of the same runs and topics by several measures, to be valued on the same subsets of the topics."""

    runs: list[str]
    resamplers: dict[str, Resampler]
    """By the measure's name."""
    noun: str = "topic"

    @property
    def topics(self) -> int:
        return next(iter(self.resamplers.values())).topics

    def __reduce__(self) -> tuple[Any, ...]:
        # What is packed is packed again where it arrives.
        return Subsets, (self.runs, self.resamplers, self.noun)

    def only(self, names: Iterable[str]) -> Subsets:
        """The same with some of the measures."""
        return Subsets(self.runs, {name: self.resamplers[name] for name in names}, self.noun)

    @cached_property
    def named_pairs(self) -> list[tuple[str, str]]:
        """Every pair of runs, once for all measures."""
        return list(combinations(self.runs, 2))

    @property
    def pairs(self) -> int:
        return len(self.runs) * (len(self.runs) - 1) // 2

    @cached_property
    def _columns(self) -> tuple[list[Integers], dict[str, list[int]]]:
        """The columns that are added up, equal ones once, and which of them each measure uses."""
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
    def _packed(self) -> list[tuple[list[int], kernels.Blocked]]:
        """Which columns are added up together, those that hold nothing but zeros and ones and the others, and how they are laid out."""
        columns = self._columns[0]
        bits = [i for i, column in enumerate(columns) if not ((column != 0) & (column != 1)).any()]
        rest = [i for i in range(len(columns)) if i not in bits]
        together = [part for part in (bits, rest) if part]
        return [(part, kernels.Blocked(np.concatenate([columns[i] for i in part]).T)) for part in together]

    @cached_property
    def _totals(self) -> list[Integers]:
        """The sums of all topics: totals[column][run]."""
        return [column.sum(axis=1) for column in self._columns[0]]

    def seconds(self, size: int, sets: int) -> float:
        """Roughly what a trial takes, to cut the work into chunks of about a second."""
        adding = 2e-11 * len(self._columns[0]) * len(self.runs) * self.topics
        return sets * (sum(s.seconds(size) for s in self.resamplers.values()) + adding + 3e-9 * size)

    def seconds_alone(self, size: int, sets: int) -> float:
        """Roughly what a trial takes of work that holds the interpreter, so that threads would wait for each other."""
        if binding.LIBRARY is None:
            return self.seconds(size, sets)
        return sets * sum(resampler.seconds(size) for resampler in self.resamplers.values() if not resampler.parts)

    def _sums(self, key: int, first: int, trials: int, sizes: Sequence[int], sets: int) -> Iterator[list[Any]]:
        """For each size, sums[column][set, run, trial]: of the first topics of a shuffle, and of as many that follow."""
        marks = sorted({size * (number + 1) for size in sizes for number in range(sets)} - {self.topics}) or [
            self.topics
        ]
        runs = len(self.runs)
        upto: dict[int, dict[int, Any]] = {self.topics: {at: sums[:, None] for at, sums in enumerate(self._totals)}}
        for which, table in self._packed:
            for mark, sums in zip(marks, table.drawn(key, first, trials, marks), strict=True):
                parts = {at: sums[i * runs : (i + 1) * runs] for i, at in enumerate(which)}
                upto.setdefault(mark, {}).update(parts)
        for size in sizes:
            found: list[Any] = []
            for at in range(len(self._totals)):
                one = np.broadcast_to(upto[size][at], (runs, trials))
                both = np.empty((sets, runs, trials), one.dtype)
                both[0] = one
                if sets == 2:
                    np.subtract(upto[2 * size][at], one, out=both[1], casting="same_kind")
                found.append(both)
            yield found

    def _rounds(self, first: int, trials: int) -> Iterator[tuple[int, int]]:
        """A span in pieces whose values stay in the second-level cache, and whose subsets stay within a few megabytes."""
        wide = any(not table.bits for _, table in self._packed)
        values = 2 * len(self.runs) * (8 if wide else 4)
        subsets = self.topics // 4 + 1
        step = min(kernels.ROUND // 64 * 64, max(64, CACHE // values // 64 * 64), max(16, (1 << 22) // subsets))
        for start in range(first, first + trials, step):
            yield start, min(step, first + trials - start)

    def count(self, work: CountingTask) -> list[dict[str, Counts]]:
        """For each size the counts of every measure; spans of trials may be added in any order."""
        key, runs, sets = purpose_key(work.seed, PURPOSE), len(self.runs), work.sets
        found = [
            {name: Counts(*kernels.tally(runs, size in work.pairwise), None, work.trials) for name in self.resamplers}
            for size in work.sizes
        ]
        drawn = any(not resampler.parts for resampler in self.resamplers.values())
        for first, trials in self._rounds(work.first, work.trials):
            every = self._sums(key, first, trials, work.sizes, sets)
            for size, sums, counts in zip(work.sizes, every, found, strict=True):
                masks = kernels.subsets(key, first, trials, self.topics, size, sets) if drawn else None
                for name, resampler in self.resamplers.items():
                    top, bottom = resampler.on_subsets(size, [sums[at] for at in self._columns[1][name]], masks)
                    if missing := first_undefined(bottom):
                        where = f"a random subset of {size} {self.noun}s (trial {first + missing[2]})"
                        raise undefined(name, self.runs[missing[1]], where)
                    one = counts[name]
                    kernels.pairs(top, bottom, (one.outcomes, one.edges))
                    best = float((top / bottom).max() if isinstance(bottom, np.ndarray) else int(top.max()) / bottom)
                    one.highest = best if one.highest is None else max(best, one.highest)
        return found


@dataclass(frozen=True)
class CountingTask:
    """What one worker counts: subsets of these sizes, one or two of each, over a span of trials."""

    sizes: tuple[int, ...]
    pairwise: tuple[int, ...]
    """The sizes at which every pair has counts of its own."""
    sets: int
    seed: int
    first: int
    trials: int


def first_undefined(bottom: Any) -> tuple[int, ...] | None:
    """Where the first denominator of zero stands, if there is one."""
    if isinstance(bottom, np.ndarray):
        return next((tuple(int(i) for i in at) for at in np.argwhere(bottom == 0)), None)
    return None if bottom else (0, 0, 0)


def count(subsets: Subsets, size: int, trials: int, **options: Any) -> dict[str, Counts]:
    """The counts of every measure on subsets of one size, as `count_sizes` has them."""
    return count_sizes(subsets, [size], [size], trials, **options)[size]


def count_sizes(
    subsets: Subsets, sizes: Sequence[int], pairwise: Sequence[int], trials: int, *, seed: int = 0, swap: bool = True,
    executor: Executor | None = None, workers: int = 1, progress: Callable[[int], None] | None = None,
) -> dict[int, dict[str, Counts]]:  # fmt: skip
    """By size, the counts of every measure over all trials, wherever the work runs.

    Pairs have counts of their own at the sizes that are `pairwise`, and none at the others. `workers` is how many pieces the work
    is cut into at least; `progress` hears how many trials each of them did, those of each size.
    """
    sets = 2 if swap else 1
    for size in sizes:
        if size < 1 or sets * size > subsets.topics:
            raise UsageError(
                f"cannot draw {sets} x {size} of {subsets.topics} {subsets.noun}s without drawing one twice"
            )
    seconds = sum(subsets.seconds(size, sets) for size in sizes)
    chunk = max(1, min(int(1 / seconds), -(-trials // workers)))
    spans = [
        CountingTask(tuple(sizes), tuple(pairwise), sets, seed, first, min(chunk, trials - first))
        for first in range(0, trials, chunk)
    ]
    done: dict[int, dict[str, Counts]] = {size: {} for size in sizes}
    for span, parts in zip(spans, run_chunks(Subsets.count, spans, executor, shared=subsets), strict=True):
        for size, part in zip(sizes, parts, strict=True):
            for name, one in part.items():
                done[size][name] = done[size][name].plus(one) if name in done[size] else one
            part.clear()
        if progress is not None:
            progress(span.trials * len(sizes))
    return done
