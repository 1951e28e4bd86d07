"""What is resampled: the scores of several runs on the same topics, at each of the three levels of measure.

    Means    a value per topic, averaged                          AP, nDCG, RR
    Ratios   a formula on sums of ingredients                     c@1, accuracy, F
    Whole    a function of all topics at once                     CWS, AUROC, ECE

All three answer the same questions, in arrays with a column per run, so that intervals and tests need not know which
one they hold. A resample draws topics with replacement; where topics come in clusters (questions on one passage) it
draws whole clusters, and a mean is then the ratio of two sums. Undefined is NaN inside this package, None outside it.
"""

from __future__ import annotations

from operator import itemgetter

import numpy as np

from assay.native.permute import bootstrap_rows, bootstrap_sums, half_rows, half_sums, shuffled_sums
from assay.stats.exact import column_sums, scaled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from assay.stats.exact import Floats, Integers

    Formula = Callable[..., Any]

BOOTSTRAP, RANDOMISATION, TUKEY = "bootstrap", "randomisation", "tukey"


def slack(values: Floats) -> float:
    """How close two differences of such values must be to count as equal.

    They are quotients of integers, which floating point only approximates.
    """
    finite = values[np.isfinite(values)]
    return 1e-12 * max(1.0, float(np.abs(finite).max(initial=0.0)))


def cluster_codes(clusters: Sequence[Any] | None, topics: int) -> Integers:
    """The unit each topic belongs to, numbered from 0 in order of appearance; without clusters every topic is its own.

    >>> cluster_codes(["p1", "p2", "p1"], 3).tolist()
    [0, 1, 0]
    """
    if clusters is None:
        return np.arange(topics, dtype=np.int64)
    number: dict[Any, int] = {}
    return np.array([number.setdefault(cluster, len(number)) for cluster in clusters], dtype=np.int64)


def _by_unit(table: Any, codes: Integers, units: int) -> Any:
    if units == len(codes):
        return np.asarray(table)
    sums = np.zeros((units, *np.shape(table)[1:]), dtype=np.asarray(table).dtype)
    np.add.at(sums, codes, table)
    return sums


class Means:
    """Topic-level measures: topics × runs.

    >>> sample = Means(np.array([[0.5, 0.25], [0.75, 0.25]]))
    >>> sample.values().tolist()
    [0.625, 0.25]
    """

    def __init__(self, values: Floats, clusters: Sequence[Any] | None = None) -> None:
        self.topics, self.runs = values.shape
        per_topic, self.scale = scaled(values)
        self.per_topic = per_topic
        """The scores of single topics, as exact integers."""
        codes = cluster_codes(clusters, self.topics)
        self.units = int(codes.max(initial=-1)) + 1
        self.table: Integers = _by_unit(per_topic, codes, self.units)
        self.sizes: Integers = _by_unit(np.ones(self.topics, dtype=np.int64), codes, self.units)

    def values(self) -> Floats:
        """Every run's mean."""
        return self.table.sum(axis=0) / (self.topics * self.scale)

    def bootstrap(self, trials: int, seed: int, threads: int | None = None) -> Floats:
        """Every run's mean on each resample: trials × runs."""
        columns = np.column_stack([self.table, self.sizes])
        sums = bootstrap_sums(columns, trials=trials, seed=seed, purpose=BOOTSTRAP, threads=threads)
        return sums[:, :-1] / (sums[:, -1:] * float(self.scale))

    def errors(self, a: Integers, b: Integers | None) -> Floats:
        """The standard error of each difference of means (of each mean, without b)."""
        return self._error(self._moments(a, b).sum(axis=0)[None], len(a))[0]

    def bootstrap_errors(self, a: Integers, b: Integers | None, trials: int, seed: int, threads: int | None) -> Floats:
        """The same standard errors within each resample: trials × pairs."""
        columns = self._moments(a, b)
        sums = column_sums(bootstrap_sums, columns, trials=trials, seed=seed, purpose=BOOTSTRAP, threads=threads)
        return self._error(sums, len(a))

    def _moments(self, a: Integers, b: Integers | None) -> Floats:
        """Per unit: its difference s and s²; of clusters also s·m, the number of topics m, and m²."""
        sums = (self.table[:, a] - (0 if b is None else self.table[:, b])) / self.scale
        if self.units == self.topics:
            return np.hstack([sums, sums * sums])
        sizes = self.sizes.astype(np.float64)[:, None]
        return np.hstack([sums, sums * sums, sums * sizes, sizes, sizes * sizes])

    def _error(self, sums: Floats, pairs: int) -> Floats:
        """Standard error of the ratio of sums s/m: the root of u/(u-1) Σ(s - μm)² over (Σm)², in u units."""
        s, squares = sums[:, :pairs], sums[:, pairs : 2 * pairs]
        if self.units == self.topics:
            products, m, m_squares = s, float(self.topics), float(self.topics)
        else:
            products, m, m_squares = sums[:, 2 * pairs : 3 * pairs], sums[:, -2:-1], sums[:, -1:]
        mean = s / m
        spread = squares - 2 * mean * products + mean * mean * m_squares
        # What cancellation leaves of a sum of squares is rounding, and a spread of rounding is no spread.
        spread = np.where(spread > 1e-13 * squares, spread, 0.0)
        return np.sqrt(spread * (self.units / (self.units - 1))) / m

    def jackknife(self) -> Floats:
        """Every run's mean without each unit in turn: units × runs."""
        return (self.table.sum(axis=0) - self.table) / ((self.topics - self.sizes)[:, None] * float(self.scale))

    def swapped(self, trials: int, seed: int, threads: int | None = None) -> Swaps:
        """The labels of each pair of runs exchanged at random, unit by unit."""
        options: dict[str, Any] = {"seed": seed, "purpose": RANDOMISATION, "threads": threads}
        return Swaps(self, half_sums(self.table, trials=trials, **options), self.table.sum(axis=0))

    def difference(self, first: Integers, second: Integers) -> Integers:
        """A statistic that orders as the difference of means does, exact: the difference of sums."""
        return first - second

    def differing(self, a: int, b: int) -> Any:
        """The units on which two runs differ: positions in `table` of both runs' columns."""
        return np.flatnonzero(self.table[:, a] != self.table[:, b])

    def shuffled_ranges(self, trials: int, seed: int, threads: int | None = None) -> Floats:
        """The range of the runs' means after their scores are shuffled within each unit, for each trial."""
        sums = shuffled_sums(self.table, trials=trials, seed=seed, purpose=TUKEY, threads=threads)
        return (sums.max(axis=1) - sums.min(axis=1)) / float(self.topics * self.scale)


class Swaps:
    """What the two runs of any pair add up to when labels are exchanged on a random half of the units.

    With V the sums over the exchanged units, run a gets S(a) - V(a) + V(b): one set of exchanges serves every pair.
    """

    def __init__(self, sample: Means | Ratios, part: Integers, whole: Integers) -> None:
        self.sample = sample
        self.part = part
        self.whole = whole

    def differences(self, a: Integers, b: Integers) -> Any:
        """The difference of each pair under each exchange: trials × pairs."""
        moved = self.part[:, b] - self.part[:, a]
        return self.sample.difference(self.whole[a] + moved, self.whole[b] - moved)


class Ratios:
    """Sums-level measures: topics × runs × ingredients, and the formula (n, *sums) → value that closes them.

    >>> accuracy = Ratios(np.array([[[1], [0]], [[1], [1]]]), lambda n, correct: correct / n)
    >>> accuracy.values().tolist()
    [1.0, 0.5]
    """

    def __init__(self, ingredients: Any, formula: Formula, clusters: Sequence[Any] | None = None) -> None:
        self.topics, self.runs, self.kinds = ingredients.shape
        per_topic, self.scale = scaled(ingredients)
        self.per_topic = per_topic
        self.formula = formula
        codes = cluster_codes(clusters, self.topics)
        self.units = int(codes.max(initial=-1)) + 1
        self.table: Integers = _by_unit(per_topic, codes, self.units)
        self.sizes: Integers = _by_unit(np.ones(self.topics, dtype=np.int64), codes, self.units)

    def close(self, n: Any, sums: Any) -> Floats:
        """The measure from sums, whose last axis is the ingredients."""
        parts = [sums[..., k] for k in range(self.kinds)]
        if self.scale != 1:
            parts = [part / self.scale for part in parts]
        with np.errstate(divide="ignore", invalid="ignore"):
            result = np.asarray(self.formula(n, *parts), dtype=np.float64)
        result = np.broadcast_to(result, np.shape(sums)[:-1])
        return np.where(np.isfinite(result), result, np.nan)

    def values(self) -> Floats:
        """The measure of every run."""
        return self.close(np.int64(self.topics), self.table.sum(axis=0))

    def _flat(self) -> Integers:
        return self.table.reshape(self.units, -1)

    def _resampled(self, columns: Any, trials: int, seed: int, threads: int | None) -> Floats:
        options: dict[str, Any] = {"trials": trials, "seed": seed, "purpose": BOOTSTRAP, "threads": threads}
        return column_sums(bootstrap_sums, np.asarray(columns, dtype=np.float64), **options)

    def bootstrap(self, trials: int, seed: int, threads: int | None = None) -> Floats:
        """The measure of every run on each resample, computed anew from its sums: trials × runs."""
        sums = self._resampled(np.column_stack([self._flat(), self.sizes]), trials, seed, threads)
        return self._close_rows(sums)

    def _close_rows(self, sums: Floats) -> Floats:
        whole = np.rint(sums).astype(np.int64)
        return self.close(whole[:, -1:], whole[:, :-1].reshape(len(sums), self.runs, self.kinds))

    def errors(self, a: Integers, b: Integers | None) -> Floats:
        """The standard error of each difference by linearisation (the delta method)."""
        return self._errors(a, b, lambda columns: np.asarray(columns, dtype=np.float64).sum(axis=0)[None])[0]

    def bootstrap_errors(self, a: Integers, b: Integers | None, trials: int, seed: int, threads: int | None) -> Floats:
        """The same standard errors within each resample: trials × pairs."""
        return self._errors(a, b, lambda columns: self._resampled(columns, trials, seed, threads))

    def _errors(self, a: Integers, b: Integers | None, add: Callable[[Any], Floats]) -> Floats:
        """With f' the derivatives of the formula, unit i moves the measure by w(i) = Σ f'(k) x(i,k) + f'(n) m(i)."""
        runs = np.unique(a if b is None else np.concatenate([a, b]))
        a, b = np.searchsorted(runs, a), None if b is None else np.searchsorted(runs, b)
        k, r = self.kinds, len(runs)
        x = self.table[:, runs, :].astype(np.float64)
        m = self.sizes.astype(np.float64)
        z = np.concatenate([x, np.broadcast_to(m[:, None, None], (self.units, r, 1))], axis=2)
        sums = add(z.reshape(self.units, -1)).reshape(-1, r, k + 1)
        inside = add((z[..., :, None] * z[..., None, :]).reshape(self.units, -1)).reshape(-1, r, k + 1, k + 1)
        slope = self._slopes(sums)
        first = np.einsum("trk,trk->tr", slope, sums)
        second = np.einsum("trk,trkl,trl->tr", slope, inside, slope)
        gross = np.einsum("trk,trkk->tr", slope * slope, inside)
        if b is None:
            spread = second[:, a] - first[:, a] ** 2 / self.units
            parts = gross[:, a]
        else:
            across = add((z[:, a, :, None] * z[:, b, None, :]).reshape(self.units, -1)).reshape(
                -1, len(a), k + 1, k + 1
            )
            cross = np.einsum("tpk,tpkl,tpl->tp", slope[:, a], across, slope[:, b])
            spread = second[:, a] + second[:, b] - 2 * cross - (first[:, a] - first[:, b]) ** 2 / self.units
            parts = gross[:, a] + gross[:, b]
        # Slopes that cancel leave rounding; a spread that small beside its parts is none.
        spread = np.where(spread > 1e-12 * parts, spread, 0.0)
        return np.sqrt(spread * (self.units / (self.units - 1)))

    def _slopes(self, sums: Floats) -> Floats:
        """Derivatives of the measure by each ingredient's sum and, last, by n: central differences."""
        n = sums[..., -1]
        slopes = np.empty_like(sums)
        for i in range(self.kinds + 1):
            step = 1e-4 * n * (1 if i == self.kinds else self.scale)
            up, down = sums.copy(), sums.copy()
            up[..., i] += step
            down[..., i] -= step
            rise = self.close(up[..., -1], up[..., :-1]) - self.close(down[..., -1], down[..., :-1])
            slopes[..., i] = rise / (2 * step)
        return slopes

    def contributions(self, a: Integers, b: Integers) -> Floats:
        """By how much the outcome on each topic sets a above b: topics × pairs.

        One more of each ingredient moves the measure by so much at the two runs' mean sums; a topic is worth the sum
        over the ingredients in which the runs differ there. Equal outcomes are worth exactly 0.
        """
        whole = self.per_topic.sum(axis=0).astype(np.float64)
        middle = (whole[a] + whole[b]) / 2
        n = np.float64(self.topics)
        worth = np.empty_like(middle)
        for k in range(self.kinds):
            more, less = middle.copy(), middle.copy()
            more[:, k] += 0.5 * self.scale
            less[:, k] -= 0.5 * self.scale
            worth[:, k] = self.close(n, more) - self.close(n, less)
        worth = np.where(np.isfinite(worth), worth, 0.0)
        apart = (self.per_topic[:, a] - self.per_topic[:, b]) / self.scale
        return np.einsum("tpk,pk->tp", apart, worth)

    def jackknife(self) -> Floats:
        """The measure of every run without each unit in turn: units × runs."""
        return self.close((self.topics - self.sizes)[:, None], self.table.sum(axis=0) - self.table)

    def swapped(self, trials: int, seed: int, threads: int | None = None) -> Swaps:
        """The labels of each pair of runs exchanged at random, unit by unit."""
        options: dict[str, Any] = {"trials": trials, "seed": seed, "purpose": RANDOMISATION, "threads": threads}
        part = np.rint(column_sums(half_sums, self._flat().astype(np.float64), **options)).astype(np.int64)
        shape = (trials, self.runs, self.kinds)
        return Swaps(self, part.reshape(shape), self.table.sum(axis=0))

    def difference(self, first: Integers, second: Integers) -> Floats:
        """The difference of the measure between two sets of sums over all topics."""
        n = np.int64(self.topics)
        return self.close(n, first) - self.close(n, second)

    def differing(self, a: int, b: int) -> Any:
        """The units on which two runs differ in any ingredient."""
        return np.flatnonzero((self.table[:, a] != self.table[:, b]).any(axis=1))

    def shuffled_ranges(self, trials: int, seed: int, threads: int | None = None) -> Floats:
        """The range of the measure over the runs after their ingredients are shuffled within each unit."""
        values = self.shuffled(trials, seed, threads)
        return values.max(axis=1) - values.min(axis=1)

    def shuffled(self, trials: int, seed: int, threads: int | None = None) -> Floats:
        """The measure of every run after their ingredients are shuffled within each unit: trials × runs."""
        low = self.table.min(axis=(0, 1))
        shifted = self.table - low
        bits = int(shifted.max(initial=0) * self.units).bit_length() + 1
        options: dict[str, Any] = {"trials": trials, "seed": seed, "purpose": TUKEY, "threads": threads}
        if bits * self.kinds <= 62:
            shifts = bits * np.arange(self.kinds, dtype=np.int64)
            sums = shuffled_sums((shifted << shifts).sum(axis=2), **options)
            apart = (sums[:, :, None] >> shifts) & ((1 << bits) - 1)
        else:
            # The same stream shuffles tables of the same shape alike, so the ingredients of a run stay together.
            apart = np.stack([shuffled_sums(shifted[:, :, k], **options) for k in range(self.kinds)], axis=2)
        return self.close(np.int64(self.topics), apart + low * self.units)


class Whole:
    """Run-level measures: columns[run][ingredient] is a list over topics, and the function of those lists.

    >>> best = Whole(lambda scores: max(scores), [[[1, 2]], [[3, 1]]])
    >>> best.values().tolist()
    [2.0, 3.0]
    """

    def __init__(
        self, function: Formula, columns: Sequence[Sequence[Sequence[Any]]], clusters: Sequence[Any] | None = None
    ):
        self.function = function
        self.columns = columns
        self.runs = len(columns)
        self.topics = len(columns[0][0])
        codes = cluster_codes(clusters, self.topics)
        self.units = int(codes.max(initial=-1)) + 1
        self.sizes = np.bincount(codes, minlength=self.units)
        self.members = (
            [np.flatnonzero(codes == unit).tolist() for unit in range(self.units)] if clusters is not None else None
        )

    def _value(self, columns: Sequence[Sequence[Any]]) -> float:
        result = self.function(*columns)
        return float("nan") if result is None else float(result)

    def _topics_of(self, units: Sequence[int]) -> Sequence[int]:
        return units if self.members is None else [topic for unit in units for topic in self.members[unit]]

    def _at(self, topics: Sequence[int]) -> list[float]:
        # itemgetter gathers in C, which is most of the work where there are many topics.
        if len(topics) < 2:
            return [self._value([[column[i] for i in topics] for column in run]) for run in self.columns]
        gather = itemgetter(*topics)
        return [self._value([list(gather(column)) for column in run]) for run in self.columns]

    def values(self) -> Floats:
        """The measure of every run."""
        return np.array([self._value(run) for run in self.columns])

    def bootstrap(self, trials: int, seed: int, threads: int | None = None) -> Floats:
        """The measure of every run on each resample, computed anew: trials × runs."""
        draws = (bootstrap_rows(self.units, trial=t, seed=seed, purpose=BOOTSTRAP).tolist() for t in range(trials))
        return np.array([self._at(self._topics_of(units)) for units in draws])

    def jackknife(self) -> Floats:
        """The measure of every run without each unit in turn: units × runs."""
        everything = range(self.units)
        return np.array([self._at(self._topics_of([u for u in everything if u != left])) for left in everything])

    def swapped_differences(self, a: int, b: int, trials: int, seed: int) -> Floats:
        """The difference of two runs with labels exchanged on a random half of the units, for each trial."""
        masks = (half_rows(self.units, trial=t, seed=seed, purpose=RANDOMISATION) for t in range(trials))
        return np.array([self.exchanged(a, b, mask) for mask in masks])

    def exchanged(self, a: int, b: int, mask: Any) -> float:
        """The difference of two runs with labels exchanged on the units in the mask."""
        swap = [False] * self.topics
        for topic in self._topics_of(np.flatnonzero(mask).tolist()):
            swap[topic] = True
        one, two = self.columns[a], self.columns[b]
        first = [[y if s else x for x, y, s in zip(p, q, swap, strict=True)] for p, q in zip(one, two, strict=True)]
        second = [[x if s else y for x, y, s in zip(p, q, swap, strict=True)] for p, q in zip(one, two, strict=True)]
        return self._value(first) - self._value(second)


Sample = Means | Ratios | Whole
