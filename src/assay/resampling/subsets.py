"""Draw subsets of topics, value every run on them, compare every pair: exact counts for any measure of any level.

One subset per trial serves all pairs of runs and all measures. The papers draw afresh for each pair; the expectation is
the same, measures are compared on the same subsets, and the cost is a fraction. Values are quotients of integers, so
the counts depend on nothing but the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from assay.errors import UndefinedError, UsageError
from assay.execution import run_chunks
from assay.random import purpose_key
from assay.resampling import kernels
from assay.resampling.arithmetic import Integers
from assay.resampling.samples import Sample

PURPOSE = "reliability"
CACHE = 1 << 18
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
    samples: dict[str, Sample]
    """By the measure's name."""
    noun: str = "topic"

    @property
    def topics(self) -> int:
        return next(iter(self.samples.values())).topics

    def __reduce__(self) -> tuple[Any, ...]:
        # What is packed is packed again where it arrives.
        return Subsets, (self.runs, self.samples, self.noun)

    def only(self, names: Iterable[str]) -> Subsets:
        """The same with some of the measures."""
        return Subsets(self.runs, {name: self.samples[name] for name in names}, self.noun)

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
        for name, sample in self.samples.items():
            used[name] = []
            for part in sample.parts:
                at = place.setdefault(part.tobytes(), len(columns))
                if at == len(columns):
                    columns.append(part)
                used[name].append(at)
        return columns, used

    @cached_property
    def _packed(self) -> tuple[list[int], Any, list[int], Any]:
        """The columns that hold nothing but zeros and ones, as bit sets; the others, a row per topic."""
        columns = self._columns[0]
        bits = [i for i, column in enumerate(columns) if not ((column != 0) & (column != 1)).any()]
        rest = [i for i in range(len(columns)) if i not in bits]
        none = np.zeros((0, self.topics))
        packed, rows = (np.concatenate([none, *(columns[i] for i in part)]) for part in (bits, rest))
        return bits, kernels.pack(packed), rest, np.ascontiguousarray(rows.T, np.int64)

    def seconds(self, size: int, sets: int) -> float:
        """Roughly what a trial takes, to cut the work into chunks of about a second."""
        adding = 2e-11 * len(self._columns[0]) * len(self.runs) * self.topics
        return sets * (sum(s.seconds(size) for s in self.samples.values()) + adding + 3e-9 * size)

    def _sums(self, masks: Any) -> list[Any]:
        """sums[column][set, run, trial]"""
        bits, packed, rest, values = self._packed
        runs = len(self.runs)
        sums: dict[int, Any] = {}
        for which, add, columns in ((bits, kernels.add_bits, packed), (rest, kernels.add_values, values)):
            if which:
                added = add(columns, masks)
                sums.update({at: added[:, i * runs : (i + 1) * runs] for i, at in enumerate(which)})
        return [sums[at] for at in range(len(sums))]

    def _rounds(self, first: int, trials: int) -> Iterator[tuple[int, int]]:
        """A span in pieces whose values stay in the second-level cache, and whose subsets stay within a few megabytes."""
        values = 2 * len(self.runs) * (8 if self._packed[2] else 4)
        subsets = self.topics // 4 + 1
        step = min(512, kernels.ROUND, max(64, CACHE // values // 64 * 64), max(16, (1 << 22) // subsets))
        for start in range(first, first + trials, step):
            yield start, min(step, first + trials - start)

    def count(self, work: tuple[int, int, int, tuple[int, int]]) -> dict[str, Counts]:
        """The counts of every measure over (size, sets, seed, span of trials); spans may be added in any order."""
        size, sets, seed, span = work
        key = purpose_key(seed, PURPOSE)
        tallies = {name: kernels.tally(len(self.runs)) for name in self.samples}
        highest: dict[str, float] = {}
        used = self._columns[1]
        for first, trials in self._rounds(*span):
            masks = kernels.subsets(key, first, trials, self.topics, size, sets)
            sums = self._sums(masks)
            for name, sample in self.samples.items():
                top, bottom = sample.on_subsets(size, [sums[at] for at in used[name]], masks)
                if missing := first_undefined(bottom):
                    where = f"a random subset of {size} {self.noun}s (trial {first + missing[2]})"
                    raise undefined(name, self.runs[missing[1]], where)
                kernels.pairs(top, bottom, tallies[name])
                best = float((top / bottom).max() if isinstance(bottom, np.ndarray) else int(top.max()) / bottom)
                highest[name] = max(best, highest.get(name, best))
        return {name: Counts(*tally, highest.get(name), span[1]) for name, tally in tallies.items()}


def first_undefined(bottom: Any) -> tuple[int, ...] | None:
    """Where the first denominator of zero stands, if there is one."""
    if isinstance(bottom, np.ndarray):
        return next((tuple(int(i) for i in at) for at in np.argwhere(bottom == 0)), None)
    return None if bottom else (0, 0, 0)


def count(
    subsets: Subsets, size: int, trials: int, *, seed: int = 0, swap: bool = True, executor: Executor | None = None,
    workers: int = 1, progress: Callable[[int], None] | None = None,
) -> dict[str, Counts]:  # fmt: skip
    """The counts of every measure over all trials, wherever the work runs.

    `workers` is how many pieces the work is cut into at least; `progress` hears how many trials each of them did.
    """
    sets = 2 if swap else 1
    if size < 1 or sets * size > subsets.topics:
        raise UsageError(f"cannot draw {sets} x {size} of {subsets.topics} {subsets.noun}s without drawing one twice")
    chunk = max(1, min(int(1 / subsets.seconds(size, sets)), -(-trials // workers)))
    spans = [(size, sets, seed, (first, min(chunk, trials - first))) for first in range(0, trials, chunk)]
    done: dict[str, Counts] = {}
    for span, part in zip(spans, run_chunks(Subsets.count, spans, executor, shared=subsets), strict=True):
        for name, one in part.items():
            done[name] = done[name].plus(one) if name in done else one
        part.clear()
        if progress is not None:
            progress(span[3][1])
    return done
