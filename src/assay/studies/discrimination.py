"""Discriminative power: how many of the pairs of runs a measure can tell apart.

Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006: a significance test for every pair of runs,
the achieved significance levels (ASL) sorted into a curve. The tests are the paired bootstrap and the randomised Tukey
HSD (Carterette, TOIS 2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import UsageError
from assay.stats.corrections import share_significant, tukey_hsd
from assay.stats.samples import Means, Ratios, slack
from assay.stats.samples import Whole as WholeSample
from assay.studies.resample import Sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.stats.samples import Sample
    from assay.studies.resample import Problem, Whole

ALPHAS = (0.01, 0.05)
METHODS = ("bootstrap", "tukey")
CLOSE = 1e-9
"""Two statistics nearer than this, relatively, are equal: a resample that repeats the data must count."""
AT_ONCE = 2_000_000
"""Resampled statistics held at once."""


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
        """The share of pairs whose level is below `alpha`."""
        return share_significant(self.levels, [alpha])[alpha]

    def half_difference(self, alpha: float = 0.05) -> float | None:
        """The difference from which at least half of the pairs are separated; None where it is never half."""
        return half_point([abs(d) for d in self.differences], [level < alpha for level in self.levels])

    @property
    def curve(self) -> list[float]:
        """The levels of all pairs, largest first, as the ASL curves of the paper are drawn."""
        return sorted(self.levels, reverse=True)

    def as_dict(self) -> dict[str, Any]:
        return {
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


def sample_of(problem: Problem, measure: Sums | Whole) -> Sample:
    """The form in which assay.stats resamples a measure."""
    if not isinstance(measure, Sums):
        if measure.entering is not None:
            raise UsageError(f"{measure.name}: tests of pairs need every run on the same topics; use --missing common")
        return WholeSample(measure.function, measure.columns)
    names = [*([measure.count] if measure.count else []), *measure.of]
    columns = [problem.columns[name] for name in names]
    if measure.count is None and len(names) == 1 and is_mean(measure.close):
        top, bottom = measure.close(1, 1)
        return Means(columns[0].T * (top / bottom))
    return Ratios(np.stack([column.T for column in columns], axis=2), closing(problem, measure))


def is_mean(close: Callable[..., Any]) -> bool:
    """Whether a closing formula of one column is a plain mean: proportional to the sum, and the same on doubled data.

    >>> is_mean(lambda n, s: (s, 10 * n)), is_mean(lambda n, s: (s, 10)), is_mean(lambda n, s: (s * s, n * n))
    (True, False, False)
    """
    (a, b), (c, d), (e, f), (zero, _) = close(1, 3), close(2, 6), close(1, 6), close(1, 0)
    return zero == 0 and a * d == b * c and 2 * a * f == b * e


def closing(problem: Problem, measure: Sums) -> Callable[..., Any]:
    """The closing formula as a function of arrays that returns values, not a number where undefined."""

    def value(n: Any, *sums: Any) -> Any:
        if measure.count is not None:
            n, sums = sums[0], sums[1:]
        if problem.vectorises(measure, problem.topics):
            top, bottom = measure.close(n, *sums)
            return np.asarray(top) / np.asarray(bottom)
        return np.vectorize(_single, otypes=[float])(measure.close, n, *sums)

    return value


def _single(close: Callable[..., Any], n: Any, *sums: Any) -> float:
    top, bottom = close(n, *sums) or (0, 0)
    return top / bottom if bottom else float("nan")


def discriminate(
    problem: Problem, measure: Sums | Whole, method: str, *, trials: int = 1000, seed: int = 0
) -> Discrimination:
    """Every pair of runs tested on all topics; one resample of the topics serves all pairs."""
    if method not in METHODS:
        raise UsageError(f"no method {method!r}; there are {', '.join(METHODS)}")
    first, second = np.triu_indices(len(problem.runs), 1)
    sample = sample_of(problem, measure)
    values = sample.values()
    if not np.isfinite(values).all():
        run = int(np.flatnonzero(~np.isfinite(values))[0])
        raise problem.undefined(measure.name, run, f"all {problem.topics} topics")
    if method == "bootstrap":
        levels = bootstrap_levels(sample, first, second, trials=trials, seed=seed)
    elif isinstance(sample, WholeSample):
        raise UsageError(f"{measure.name} is a measure of whole runs, which the randomised Tukey HSD cannot shuffle")
    else:
        levels = tukey_hsd(sample, trials=trials, seed=seed).p(first, second)
    names = [(problem.runs[x], problem.runs[y]) for x, y in zip(first.tolist(), second.tolist(), strict=True)]
    return Discrimination(method, trials, names, (values[first] - values[second]).tolist(), levels.tolist())


def bootstrap_levels(sample: Sample, a: np.ndarray, b: np.ndarray, *, trials: int, seed: int) -> np.ndarray:
    """Achieved significance levels by the paired bootstrap of Sakai (2006): |t(w*)| against |t(z)|.

    t is the difference over its standard error; w* are resampled differences shifted to mean zero. Without a standard
    error, for measures of whole runs, the difference itself is the statistic. Levels carry the +1 correction and are
    never zero; a resample on which a run's measure is undefined counts as one that reaches the statistic.
    """
    values = sample.values()
    draws = sample.bootstrap(trials, seed)
    levels = np.empty(len(a))
    width = max(1, AT_ONCE // trials)
    room = slack(values)
    for start in range(0, len(a), width):
        x, y = a[start : start + width], b[start : start + width]
        seen = values[x] - values[y]
        away = abs(draws[:, x] - draws[:, y] - seen)
        statistic = abs(seen)
        if not isinstance(sample, WholeSample):
            statistic = _ratio(statistic, sample.errors(x, y), room)
            away = _ratio(away, sample.bootstrap_errors(x, y, trials, seed, None), room)
        reached = ~(away < statistic * (1 - CLOSE))
        levels[start : start + width] = (reached.sum(axis=0) + 1) / (trials + 1)
    return levels


def _ratio(top: np.ndarray, bottom: np.ndarray, room: Any) -> np.ndarray:
    """top/bottom, with 0/0 = 0 and x/0 infinite: a constant difference is beyond doubt, no difference is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(top <= room, 0.0, top / bottom)
