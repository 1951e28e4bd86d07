"""Discriminative power: how many of the pairs of runs a measure can tell apart.

Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006: a significance test for every pair of runs, the
achieved significance levels (ASL) sorted into a curve. The tests are the paired bootstrap and the randomised Tukey HSD
(Carterette, TOIS 2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.native import permute
from assay.reliability.resample import Sums, close_sums, undefined_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.reliability.resample import Problem, Whole

ALPHAS = (0.01, 0.05)
METHODS = ("bootstrap", "tukey")
PURPOSE = "discrimination"
CLOSE = 1e-9
"""Two statistics nearer than this, relatively, are equal: the resample that repeats the data must count."""
RESAMPLE = "a bootstrap resample of the topics"
HELD = 1 << 22
"""Numbers a round of resamples may hold."""


@dataclass(frozen=True)
class Discrimination:
    """The tests of all pairs under one measure."""

    method: str
    trials: int
    pairs: list[tuple[str, str]]
    differences: list[float]
    levels: list[float]
    """The achieved significance level of each pair."""

    def separated(self, alpha: float = 0.05) -> float:
        """The share of pairs whose difference is significant."""
        return sum(level <= alpha for level in self.levels) / len(self.levels)

    def half_difference(self, alpha: float = 0.05) -> float | None:
        """The difference from which at least half of the pairs are separated; None where it is never half."""
        return half_point([abs(d) for d in self.differences], [level <= alpha for level in self.levels])

    @property
    def curve(self) -> list[float]:
        """The levels of all pairs, largest first, as the ASL curves of the paper are drawn."""
        return sorted(self.levels, reverse=True)

    def as_dict(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "trials": self.trials,
            "pairs": len(self.pairs),
            "separated": {str(alpha): self.separated(alpha) for alpha in ALPHAS},
            "half_difference": {str(alpha): self.half_difference(alpha) for alpha in ALPHAS},
            "asl": self.curve,
        }


def half_point(differences: Sequence[float], separated: Sequence[bool]) -> float | None:
    """The smallest difference at which the best-fitting rising share of separated pairs reaches one half.

    The rising share is the isotonic regression of separated (0 or 1) on the difference, by pooling adjacent violators.

    >>> half_point([0.01, 0.02, 0.03, 0.04], [False, True, False, True])
    0.02
    >>> half_point([0.1, 0.2], [False, False]) is None
    True
    """
    pools: list[tuple[float, int, int]] = []
    ordered = sorted(zip(differences, separated, strict=True))
    for difference, same in groupby(ordered, key=itemgetter(0)):
        here = [apart for _, apart in same]
        pool = (difference, sum(here), len(here))
        while pools and pools[-1][1] * pool[2] >= pool[1] * pools[-1][2]:
            start, hits, size = pools.pop()
            pool = (start, hits + pool[1], size + pool[2])
        pools.append(pool)
    return next((start for start, hits, size in pools if 2 * hits >= size), None)


def _pairs(runs: Sequence[str]) -> tuple[np.ndarray, np.ndarray, list[tuple[str, str]]]:
    first, second = np.triu_indices(len(runs), 1)
    return first, second, [(runs[x], runs[y]) for x, y in zip(first.tolist(), second.tolist(), strict=True)]


def bootstrap(problem: Problem, measure: Sums | Whole, *, trials: int = 1000, seed: int = 0) -> Discrimination:
    """Achieved significance levels by the paired bootstrap, one resample of the topics serving all pairs.

    A mean over topics uses the studentised statistic of Sakai (2006): t(w*) of the differences shifted to mean zero against
    t(z). A ratio such as c@1, or a measure of the whole run, is resampled whole: |d* - d| against |d|. Levels carry the +1
    correction and are never zero.
    """
    first, second, names = _pairs(problem.runs)
    if isinstance(measure, Sums) and len(measure.of) == 1 and measure.count is None and is_mean(measure.close):
        table = problem.columns[measure.of[0]]
        unit = measure.close(1, 1)[1]
        differences, exceeded = _studentised(table[first] - table[second], trials, seed)
        differences = differences / (unit * problem.topics)
    else:
        differences, exceeded = _shifted(problem, measure, first, second, trials, seed)
    levels = (exceeded + 1) / (trials + 1)
    return Discrimination("bootstrap", trials, names, differences.tolist(), levels.tolist())


def is_mean(close: Callable[..., Any]) -> bool:
    """Whether a closing formula of one column is a plain mean: its value on one topic and on two of the same agree.

    >>> is_mean(lambda n, s: (s, 10 * n)), is_mean(lambda n, s: (s, 10)), is_mean(lambda n, s: (s * s, n * n))
    (True, False, False)
    """
    (a, b), (c, d), (e, f) = close(1, 3), close(2, 6), close(1, 6)
    return a * d == b * c and 2 * a * f == b * e


def _studentised(table: np.ndarray, trials: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """(sums of differences, how many resamples reach the observed |t|) for table[pair, topic] of integer differences."""
    pairs, topics = table.shape
    largest = max(1, int(abs(table).max()))
    shrink = 1
    # Squares are added up too: drop digits beyond what 62 bits can hold.
    while (largest // shrink + 1) ** 2 * topics >= 1 << 62:
        shrink *= 10
    small = np.rint(table / shrink).astype(np.int64) if shrink > 1 else table
    observed = small.sum(axis=1)
    deviation = _deviation(observed.astype(float), (small.astype(float) ** 2).sum(axis=1), topics)
    statistic = _ratio(abs(observed) / topics, deviation)
    both = np.concatenate([small, small * small]).T
    exceeded = np.zeros(pairs, np.int64)
    for start, step in _rounds(trials, 2 * pairs):
        sums = permute.bootstrap_sums(both, trials=step, first=start, seed=seed, purpose=PURPOSE).astype(float)
        resampled, squares = sums[:, :pairs], sums[:, pairs:]
        shifted = abs(resampled - observed) / topics
        values = _ratio(shifted, _deviation(resampled, squares, topics))
        exceeded += (values >= statistic * (1 - CLOSE)).sum(axis=0)
    return table.sum(axis=1).astype(float), exceeded


def _deviation(sums: np.ndarray, squares: np.ndarray, topics: int) -> np.ndarray:
    left = squares - sums * sums / topics
    # What cancels to nothing in the last digits is nothing.
    left = np.where(left <= 1e-12 * squares, 0.0, left)
    return np.sqrt(left / max(1, topics - 1))


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """top/bottom, with 0/0 = 0 and x/0 infinite: a constant difference is beyond doubt, no difference is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(top == 0, 0.0, top / bottom)


def _shifted(
    problem: Problem, measure: Sums | Whole, first: np.ndarray, second: np.ndarray, trials: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    observed = _whole_values(problem, measure)
    differences = observed[first] - observed[second]
    exceeded = np.zeros(len(first), np.int64)
    for start, step in _rounds(trials, len(first)):
        values = _resampled_values(problem, measure, start, step, seed)
        shifted = values[:, first] - values[:, second] - differences
        exceeded += (abs(shifted) >= abs(differences) * (1 - CLOSE)).sum(axis=0)
    return differences, exceeded


def _whole_values(problem: Problem, measure: Sums | Whole) -> np.ndarray:
    """Each run's value on all topics."""
    if isinstance(measure, Sums):
        sums = {name: problem.columns[name].sum(axis=1) for name in problem.columns}
        return _divide(problem, measure, sums)
    topics = np.arange(problem.topics)
    return np.array([_recompute(problem, measure, run, topics) for run in range(len(problem.runs))])


def _resampled_values(problem: Problem, measure: Sums | Whole, start: int, step: int, seed: int) -> np.ndarray:
    """values[trial, run] of as many topics as there are, drawn with replacement."""
    runs = len(problem.runs)
    if isinstance(measure, Sums):
        names = list(dict.fromkeys([*measure.of, *([measure.count] if measure.count else [])]))
        table = np.concatenate([problem.columns[name] for name in names]).T
        sums = permute.bootstrap_sums(table, trials=step, first=start, seed=seed, purpose=PURPOSE)
        columns = {name: sums[:, i * runs : (i + 1) * runs] for i, name in enumerate(names)}
        return _divide(problem, measure, columns)
    values = np.empty((step, runs))
    for trial in range(step):
        topics = permute.bootstrap_rows(problem.topics, trial=start + trial, seed=seed, purpose=PURPOSE)
        values[trial] = [_recompute(problem, measure, run, topics) for run in range(runs)]
    return values


def _divide(problem: Problem, measure: Sums, sums: dict[str, np.ndarray]) -> np.ndarray:
    top, bottom = close_sums(measure, problem.topics, sums)
    if missing := undefined_at(bottom):
        raise problem.undefined(measure.name, missing[-1], RESAMPLE)
    return np.asarray(top / bottom, float)


def _recompute(problem: Problem, measure: Whole, run: int, topics: np.ndarray) -> float:
    value = measure.value(run, topics.tolist())
    if value is None:
        raise problem.undefined(measure.name, run, RESAMPLE)
    return value


def _rounds(trials: int, width: int) -> list[tuple[int, int]]:
    step = max(1, min(trials, HELD // max(1, width)))
    return [(start, min(step, trials - start)) for start in range(0, trials, step)]
