"""Draw subsets of topics, value every run on them, compare every pair: exact counts for any measure of any level.

One subset per trial serves all pairs of runs and all measures. The papers draw afresh for each pair; the expectation is
the same, measures are compared on the same subsets, and the cost is a fraction.

A measure enters in one of two forms. `Sums` has integer columns that add up and a closing formula that returns
numerator and denominator: counts as they are, per-topic values scaled once to integers. `Whole` is recomputed from
its columns, and its value scaled. From there on all is integers, so the counts depend on nothing but the seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.execution import run_chunks
from assay.native import resample as kernels
from assay.random import purpose_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

SCALE = 10**12
"""What per-topic values are multiplied by where no small denominator makes them all integers."""
SMALL = 1000
"""The largest denominator that is looked for: P@10 is in tenths, RR over five answers in sixtieths."""
PURPOSE = "reliability"
CACHE = 1 << 18
"""Bytes that the values of one round may take: more of them, and comparing pairs waits for memory."""


class UndefinedError(InputError):
    """A measure has no value for some run on some topics."""

    measure = ""


@dataclass(frozen=True)
class Sums:
    """A measure of integer sums: `close(n, *sums of the columns named in of)` is (numerator, denominator)."""

    name: str
    of: tuple[str, ...]
    close: Callable[..., Any]
    count: str | None = None
    """The column that says which topics enter, where not all do."""


@dataclass(frozen=True)
class Whole:
    """A measure recomputed from its columns: `function(*columns of the chosen topics)` is a number or None."""

    name: str
    columns: list[list[list[Any]]]
    """columns[run][ingredient][topic]"""
    function: Callable[..., float | None]
    entering: list[list[bool]] | None = None
    """entering[run][topic], where not all topics enter."""

    def value(self, run: int, topics: Sequence[int]) -> float | None:
        """The value of one run on some topics, in the order given."""
        if self.entering is not None:
            flags = self.entering[run]
            topics = [t for t in topics if flags[t]]
        if not topics:
            return None
        return self.function(*([column[t] for t in topics] for column in self.columns[run]))


@dataclass
class Problem:
    """All that is resampled at once."""

    runs: list[str]
    topics: int
    measures: list[Sums | Whole]
    columns: dict[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])
    """Integer columns[name][run, topic] that the measures of sums name."""

    @property
    def pairs(self) -> int:
        return len(self.runs) * (len(self.runs) - 1) // 2

    def undefined(self, measure: str, run: int, where: str) -> UndefinedError:
        """A value that does not exist cannot be compared, and leaving it out would compare runs on different topics."""
        error = UndefinedError(
            f"{measure} is undefined for the run {self.runs[run]!r} on {where}; "
            "use larger subsets (--size), another measure, or leave the run out"
        )
        error.measure = measure
        return error

    @cached_property
    def largest(self) -> dict[str, int]:
        """The largest absolute value in each column."""
        return {name: int(abs(column).max()) for name, column in self.columns.items()}

    def vectorises(self, measure: Sums, size: int) -> bool:
        """Whether the closing formula of a measure may be called on arrays of sums over `size` topics."""
        return vectorises(measure.close, size, tuple(self.largest[name] * size for name in measure.of))

    @cached_property
    def bits(self) -> tuple[list[str], np.ndarray]:
        """The columns that hold nothing but zeros and ones, as bit sets."""
        names = [name for name, column in self.columns.items() if not ((column != 0) & (column != 1)).any()]
        rows = np.concatenate([self.columns[n] for n in names]) if names else np.zeros((0, self.topics))
        return names, kernels.pack(rows)

    @cached_property
    def values(self) -> tuple[list[str], np.ndarray]:
        """The other columns, a row per topic."""
        names = [name for name in self.columns if name not in self.bits[0]]
        rows = np.concatenate([self.columns[n] for n in names]) if names else np.zeros((0, self.topics))
        return names, np.ascontiguousarray(rows.T, np.int64)


@dataclass
class Counts:
    """What all trials of one measure add up to."""

    outcomes: np.ndarray
    """outcomes[pair, 0:10] how often the first run of the pair is better at f = .01 … .10, [10:20] the second."""
    edges: np.ndarray
    """edges[0] all comparisons, [1] with a difference other than 0, [2:22] of at least .01 … .20; by kind."""
    highest: float | None
    """The highest value any run had on any subset."""
    trials: int

    def __add__(self, other: Counts) -> Counts:
        seen = [h for h in (self.highest, other.highest) if h is not None]
        return Counts(
            self.outcomes + other.outcomes,
            self.edges + other.edges,
            max(seen, default=None),
            self.trials + other.trials,
        )


def to_integers(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Per-topic values as integers, with the scale: a small common denominator where there is one, else 10¹².

    >>> to_integers(np.array([[0.1, 0.3]]))[1], to_integers(np.array([[2.0, 3.0]]))[1]
    (10, 1)
    >>> integers, scale = to_integers(np.array([[0.4797, 2 ** -0.5]]))
    >>> integers.tolist(), scale
    ([[479700000000, 707106781187]], 1000000000000)
    """
    distinct = np.unique(values)
    largest = max(abs(float(distinct[0])), abs(float(distinct[-1])), 1.0)
    # 200 times a sum of all topics must stay within 63 bits; only very large values or very many topics ask for less.
    room = (1 << 62) / (200 * largest * values.shape[-1])
    if room < 1:
        raise InputError(f"scores as large as {largest:g} cannot be added up exactly; divide them by a constant")
    for scale in range(1, min(SMALL, int(room)) + 1):
        for part in (distinct[:50], distinct):
            near = part * scale
            if (abs(near - np.rint(near)) > 1e-9).any():
                break
        else:
            return np.rint(values * scale).astype(np.int64), scale
    scale = SCALE
    while scale > room:
        scale //= 10
    return np.rint(values * scale).astype(np.int64), scale


def mean(n: Any, total: Any, *, scale: int) -> tuple[Any, Any]:
    """The closing formula of an average over topics: the scaled sum over n·scale."""
    return total, n * scale


def total(n: Any, total: Any, *, scale: int) -> tuple[Any, Any]:
    """The closing formula of a count that is summed over topics."""
    del n
    return total, scale


@lru_cache(maxsize=256)
def vectorises(close: Callable[..., Any], size: int, largest: tuple[int, ...]) -> bool:
    """Whether a closing formula gives on arrays what it gives on integers, with room to spare in 64 bits.

    It is tried on a grid of sums up to the largest there can be.
    """
    grid = list(product(*(sorted({0, 1, most // 2, most}) for most in largest)))
    if all(most <= size for most in largest):
        # Questions that end one way or another: their counts add up to no more than all of them.
        grid = [cell for cell in grid if sum(cell) <= size]
    try:
        single = [close(size, *cell) for cell in grid]
        tops, bottoms = close(size, *np.array(grid, np.int64).T.reshape(len(largest), len(grid)))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return False
    if not all(isinstance(part, int) and abs(part) < 1 << 56 for pair in single for part in pair):
        return False
    tops, bottoms = (np.broadcast_to(part, len(grid)).tolist() for part in (tops, bottoms))
    return [tuple(pair) for pair in single] == list(zip(tops, bottoms, strict=True))


def _close_singly(close: Callable[..., Any], n: np.ndarray, sums: Sequence[np.ndarray]) -> tuple[np.ndarray, Any]:
    """The closing formula called once for each distinct combination of sums, in Python's own integers."""
    stacked = np.stack([n.ravel(), *(column.ravel() for column in sums)])
    cells, where = np.unique(stacked, axis=1, return_inverse=True)
    results = [close(*map(int, cell)) or (0, 0) for cell in cells.T]
    if not all(isinstance(part, int) for pair in results for part in pair):
        results = [(round(top / bottom * SCALE), SCALE) if bottom else (0, 0) for top, bottom in results]
    wide = max((abs(part) for pair in results for part in pair), default=0) >= 1 << 63
    table = np.array(results, object if wide else np.int64).T[:, where.ravel()]
    return table[0].reshape(n.shape), table[1].reshape(n.shape)


def close_sums(
    problem: Problem, measure: Sums, size: int, sums: dict[str, np.ndarray]
) -> tuple[np.ndarray, int | np.ndarray]:
    """The values of a measure as (numerators, denominators), the latter one integer where all share it.

    A denominator of 0 is undefined.
    """
    columns = [sums[name] for name in measure.of]
    n: Any = size if measure.count is None else sums[measure.count].astype(np.int64)
    shape = next(iter(sums.values())).shape
    if problem.vectorises(measure, size):
        top, bottom = measure.close(n, *(column.astype(np.int64, copy=False) for column in columns))
        top = np.broadcast_to(top, shape)
    else:
        n = np.broadcast_to(np.asarray(n, np.int64), shape)
        top, bottom = _close_singly(measure.close, n, columns)
    if np.ndim(bottom) == 0:
        return (-top, -int(bottom)) if bottom < 0 else (top, int(bottom))
    bottoms: np.ndarray = np.broadcast_to(bottom, shape)
    common = int(bottoms.item(0))
    if (bottoms == common).all():
        return (-top, -common) if common < 0 else (top, common)
    return np.where(bottoms < 0, -top, top), abs(bottoms)


def _recompute(problem: Problem, measure: Whole, masks: np.ndarray) -> tuple[np.ndarray, int | np.ndarray]:
    """As `close_sums`, for a measure of whole runs: each value rounded once, to 10⁻¹²."""
    chosen = kernels.unpack(masks, problem.topics)
    trials, sets, _ = chosen.shape
    top = np.zeros((sets, len(problem.runs), trials), np.int64)
    bottom = np.full_like(top, SCALE)
    for trial, one in np.ndindex(trials, sets):
        topics = np.flatnonzero(chosen[trial, one]).tolist()
        for run in range(len(problem.runs)):
            value = measure.value(run, topics)
            if value is None:
                bottom[one, run, trial] = 0
            else:
                top[one, run, trial] = round(value * SCALE)
    return (top, SCALE) if (bottom == SCALE).all() else (top, bottom)


def count_trials(problem: Problem, size: int, sets: int, seed: int, span: tuple[int, int]) -> list[Counts]:
    """The counts of every measure over the trials of a span; spans may be added in any order."""
    key = purpose_key(seed, PURPOSE)
    tallies = [kernels.tally(len(problem.runs)) for _ in problem.measures]
    highest: list[float | None] = [None] * len(problem.measures)
    for first, trials in _rounds(problem, *span):
        masks = kernels.subsets(key, first, trials, problem.topics, size, sets)
        sums = _add_columns(problem, masks)
        for i, measure in enumerate(problem.measures):
            if isinstance(measure, Sums):
                top, bottom = close_sums(problem, measure, size, sums)
            else:
                top, bottom = _recompute(problem, measure, masks)
            if missing := undefined_at(bottom):
                raise problem.undefined(
                    measure.name, missing[1], f"a random subset of {size} topics (trial {first + missing[2]})"
                )
            kernels.pairs(top, bottom, tallies[i])
            best = float((top / bottom).max() if isinstance(bottom, np.ndarray) else int(top.max()) / bottom)
            seen = highest[i]
            highest[i] = best if seen is None else max(best, seen)
    return [Counts(*tally, high, span[1]) for tally, high in zip(tallies, highest, strict=True)]


def undefined_at(bottom: int | np.ndarray) -> tuple[int, ...] | None:
    """Where the first denominator of zero stands, if there is one."""
    if isinstance(bottom, np.ndarray):
        return next((tuple(int(i) for i in at) for at in np.argwhere(bottom == 0)), None)
    return None if bottom else (0, 0, 0)


def _add_columns(problem: Problem, masks: np.ndarray) -> dict[str, np.ndarray]:
    runs = len(problem.runs)
    sums: dict[str, np.ndarray] = {}
    for (names, packed), add in ((problem.bits, kernels.add_bits), (problem.values, kernels.add_values)):
        if names:
            added = add(packed, masks)
            sums.update({name: added[:, i * runs : (i + 1) * runs] for i, name in enumerate(names)})
    return sums


def _rounds(problem: Problem, first: int, trials: int) -> Iterator[tuple[int, int]]:
    """A span in pieces whose values stay in the second-level cache, and whose subsets stay within a few megabytes."""
    width = 8 if problem.values[0] else 4
    values = 2 * len(problem.runs) * width
    subsets = problem.topics // 4 + 1
    step = min(512, kernels.ROUND, max(64, CACHE // values // 64 * 64), max(16, (1 << 22) // subsets))
    for start in range(first, first + trials, step):
        yield start, min(step, first + trials - start)


def seconds_per_trial(problem: Problem, size: int, sets: int) -> float:
    """A rough cost, to cut the work into chunks of about a second."""
    whole = [m for m in problem.measures if isinstance(m, Whole)]
    sums = len(problem.measures) - len(whole)
    adding = 2e-11 * len(problem.columns) * len(problem.runs) * problem.topics
    native = sets * (1.5e-9 * sums * problem.pairs + adding + 3e-9 * size)
    return native + 6e-7 * len(whole) * len(problem.runs) * sets * size


def count(
    problem: Problem,
    size: int,
    trials: int,
    *,
    seed: int = 0,
    swap: bool = True,
    executor: Executor | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Counts]:
    """The counts of every measure over all trials, wherever the work runs.

    `workers` is how many pieces the work is cut into at least; `progress` hears how many trials each of them did.
    """
    sets = 2 if swap else 1
    if size < 1 or sets * size > problem.topics:
        raise UsageError(f"cannot draw {sets} x {size} of {problem.topics} topics without drawing one twice")
    chunk = max(1, min(int(1 / seconds_per_trial(problem, size, sets)), -(-trials // workers)))
    spans = [(first, min(chunk, trials - first)) for first in range(0, trials, chunk)]
    work = partial(count_trials, problem, size, sets, seed)
    done: list[Counts] | None = None
    for span, part in zip(spans, run_chunks(work, spans, executor), strict=True):
        done = part if done is None else [a + b for a, b in zip(done, part, strict=True)]
        if progress is not None:
            progress(span[1])
    return done or []
