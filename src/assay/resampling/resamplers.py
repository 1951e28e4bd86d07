"""A measure ready to resample: the scores of several runs on the same topics, one class per level of measure.

    MeanResampler       a value per topic, averaged              AP, nDCG, RR
    SumsResampler       a formula on sums of ingredients         c@1, accuracy, F
    WholeRunResampler   a function of all topics at once         CWS, AUROC, ECE

All have the same methods, on arrays with a column per run; `can` says which of these a resampler supports:

    add          its resamples are sums of integers, cheap to make by the thousand
    errors       standard errors by formula
    shuffle      scores shuffled among the runs
    differences  what each topic contributes to a difference of two runs
    values       those contributions are differences of values per topic, which a test of differences may take
    pair         runs compared on the same topics
    part         a resampler of some of its runs, which resamples them as the whole does

A resample draws topics with replacement; where topics come in clusters (questions on one passage) it draws whole
clusters, *units* in the code, and a mean is then the ratio of two sums. Undefined is NaN here, None outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from math import floor, log10
from typing import Any

import numpy as np

from assay.core import resample as kernels
from assay.resampling.arithmetic import (
    Formula,
    added,
    added_reals,
    closed,
    error_of_means,
    errors_of_sums,
    quotients,
)
from assay.resampling.integer_scaling import SCALE, Floats, Integers, rounded, scale_of, times, to_integers

Runs = Integers | None
"""The second run of each pair; None for runs by themselves."""

BOOTSTRAP, TUKEY = "bootstrap", "tukey"
AT_ONCE = 2_000_000
"""Resampled differences held at once."""


class Resampler:
    """Base class: topics × runs, in units (topics, or clusters of topics) that are resampled together."""

    CAN: tuple[str, ...] = ()
    held = 1
    """Numbers held for a pair and resample while standard errors are computed."""
    unit = 1
    """The unit of `topic_differences`."""
    scale = SCALE
    """The factor by which values became integers."""

    def __init__(self, topics: int, runs: int, clusters: Sequence[Any] | None) -> None:
        self.topics: int = topics
        self.runs: int = runs
        self.codes: Integers = cluster_codes(clusters, topics)
        self.units: int = int(self.codes.max(initial=-1)) + 1
        self.sizes: Integers = np.bincount(self.codes, minlength=self.units)
        """Topics in each unit."""

    def can(self, what: str) -> bool:
        """Whether the resampler supports an operation of the list above."""
        return what in self.CAN

    def _cannot(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"a resampler of kind {type(self).__name__} cannot do this; ask can({what!r}) first")

    def values(self) -> Floats:
        """The measure of every run."""
        raise NotImplementedError

    def bootstrap(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        """The measure of every run on each resample, computed anew: resamples × runs."""
        raise NotImplementedError

    def jackknife(self) -> Floats:
        """The measure of every run without each unit in turn: units × runs."""
        raise NotImplementedError

    @cached_property
    def linear(self) -> Floats:
        """Every run's measure spread over the units: units × runs, each column with the measure as its mean.

        A value per topic is spread as it is. Any other measure is the measure itself plus the unit's influence, (u - 1)
        times what leaving the unit out takes away (the jackknife; Efron and Tibshirani 1993, chapter 11). NaN
        throughout where leaving out a unit leaves the measure undefined.
        """
        without, values = self.jackknife(), self.values()
        # Along contiguous memory numpy adds in pairs, whose rounding does not grow with the topics; u - 1 multiplies it.
        linear = values + (len(without) - 1) * (np.ascontiguousarray(without.T).mean(axis=1) - without)
        # Without the rounding that u - 1 multiplies, equal outcomes of two runs are equal here.
        largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
        noise = 32 * len(without) * np.finfo(np.float64).eps * largest
        return np.round(linear, floor(-log10(noise))) if noise else linear

    @property
    def flippable(self) -> Floats:
        """The values whose signs are flipped: `linear`, or the totals of clusters where these are cheap.

        A cluster's total changes its sign when two runs change places on its topics. Its influence on a ratio, which has the ratio
        times the cluster's size taken away, does not: over 8 to 30 unequal clusters it rejects 7 to 9% of true hypotheses instead
        of 3 to 4% (benchmarks/inference.py).
        """
        return self.linear

    @property
    def pseudo_values(self) -> Floats:
        """The jackknife's pseudo-values, units × runs; their mean is the bias-corrected measure."""
        without = self.jackknife()
        return len(without) * self.values() - (len(without) - 1) * without

    def errors(self, a: Integers, b: Runs) -> Floats:
        """The standard error of each difference (of each run's own measure, without b)."""
        raise self._cannot("errors")

    def bootstrap_errors(self, a: Integers, b: Runs, resamples: int, seed: int, threads: int | None) -> Floats:
        """The same standard errors within each resample: resamples × pairs."""
        raise self._cannot("errors")

    def studentised(self, a: Integers, b: Runs, drawn: Floats, room: float, seed: int, threads: int | None) -> Floats:
        """Return each resampled difference less the data's, over its standard error: pairs × resamples.

        `drawn` is the bootstrap's, runs × resamples. What is no farther than `room` is exactly 0.
        """
        stars = apart(drawn, a, b) - apart(self.values()[:, None], a, b)
        within = self.bootstrap_errors(a, b, drawn.shape[1], seed, threads).T
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.abs(stars) <= room, 0.0, stars / within)

    def shuffled_ranges(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        """The range of the measure over the runs after their scores are shuffled within each unit, for each shuffle."""
        raise self._cannot("shuffle")

    def topic_differences(self, a: Integers, b: Integers) -> Any:
        """Return each topic's part in the lead of run a over b: topics × pairs, exact where possible."""
        raise self._cannot("differences")

    def topics_entering(self, a: Integers, b: Integers) -> Floats:
        """The divisor of `topic_differences`, per pair or per topic and pair: 1 for values per topic.

        Where they are effects on the measure, it is the number of topics.
        """
        del b
        return np.ones(len(a))

    def value_differences(self, a: Integers, b: Integers) -> Floats:
        """The same as differences of the values themselves, in floating point."""
        raise self._cannot("values")

    def of_runs(self, runs: Integers) -> Resampler:
        """Return the resampler of some of the runs: same topics, same scale, same resamples."""
        raise self._cannot("part")

    @property
    def parts(self) -> list[Integers]:
        """The columns that are added up over a subset of the topics, runs × topics each."""
        return []

    def on_subsets(self, size: int, sums: Sequence[Any], chosen: Any) -> tuple[Any, Any]:
        """The exact measure on subsets: numerators[set, run, subset], and denominators or a common one.

        A denominator of 0 is undefined. `sums` are those of `parts`, `chosen` the subsets as flags[subset, set, topic].
        """
        raise NotImplementedError

    def seconds(self, size: int) -> float:
        """Return roughly the seconds that all runs on one subset take."""
        raise NotImplementedError


def apart(values: Floats, a: Integers, b: Runs) -> Floats:
    """The differences of runs, a row each; the runs a themselves without b."""
    return values[a] if b is None else values[a] - values[b]


def slices(pairs: int, each: int) -> Iterator[slice]:
    """Return slices of so many pairs that `each` numbers of every one fit the memory.

    >>> list(slices(3, AT_ONCE // 2))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    step = max(1, AT_ONCE // max(each, 1))
    for start in range(0, pairs, step):
        yield slice(start, min(start + step, pairs))


def local(a: Integers, b: Runs) -> tuple[Integers, Integers, Runs]:
    """Return the runs of some pairs, each once, and the pairs by their places among these.

    >>> [places.tolist() for places in local(np.array([7, 5]), np.array([2, 2]))]
    [[2, 5, 7], [2, 1], [0, 0]]
    """
    runs, places = np.unique(a if b is None else np.concatenate([a, b]), return_inverse=True)
    return runs, places[: len(a)], None if b is None else places[len(a) :]


def cluster_codes(clusters: Sequence[Any] | None, topics: int) -> Integers:
    """The unit of each topic, numbered from 0 in order of appearance; without clusters its own.

    >>> cluster_codes(["p1", "p2", "p1"], 3).tolist()
    [0, 1, 0]
    """
    if clusters is None:
        return np.arange(topics, dtype=np.int64)
    number: dict[Any, int] = {}
    return np.array([number.setdefault(cluster, len(number)) for cluster in clusters], dtype=np.int64)


class AdditiveResampler(Resampler):
    """Topics × runs × ingredients that add up, as exact integers, and a formula on the sums."""

    CAN: tuple[str, ...] = ("add", "errors", "shuffle", "differences", "pair", "part")

    def __init__(self, ingredients: Any, clusters: Sequence[Any] | None) -> None:
        topics, runs, kinds = ingredients.shape
        self.kinds: int = kinds
        super().__init__(topics, runs, clusters)
        made = [to_integers(ingredients[:, :, k], topics) for k in range(self.kinds)]
        self.per_topic: Integers = (
            np.stack([whole for whole, _ in made], axis=2) if made else ingredients.astype(np.int64)
        )
        self.scales: Integers = np.array([scale for _, scale in made], dtype=np.int64)
        """What each ingredient was multiplied by."""
        self.scale: int = int(self.scales.max(initial=1))
        self.table: Integers = self.per_topic
        """The sums of each unit: units × runs × ingredients."""
        if self.units < self.topics:
            self.table = np.zeros((self.units, runs, self.kinds), dtype=np.int64)
            np.add.at(self.table, self.codes, self.per_topic)

    def close(self, n: Any, sums: Any) -> Floats:
        """The measure from sums over n topics, whose last axis is the ingredients."""
        raise NotImplementedError

    def values(self) -> Floats:
        return self.close(np.int64(self.topics), self.table.sum(axis=0))

    def bootstrap(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        columns = np.column_stack([self.table.reshape(self.units, -1), self.sizes])
        sums = added(kernels.bootstrap_sums, columns, trials=resamples, seed=seed, purpose=BOOTSTRAP, threads=threads)
        return self.close(sums[:, -1:], sums[:, :-1].reshape(resamples, self.runs, self.kinds))

    def of_runs(self, runs: Integers) -> AdditiveResampler:
        part = copy(self)
        vars(part).pop("linear", None)
        part.runs, part.per_topic, part.table = len(runs), self.per_topic[:, runs], self.table[:, runs]
        return part

    def jackknife(self) -> Floats:
        return self.close((self.topics - self.sizes)[:, None], self.table.sum(axis=0) - self.table)

    @property
    def flippable(self) -> Floats:
        if self.units == self.topics:
            return self.linear
        topics = copy(self)
        vars(topics).pop("linear", None)
        topics.codes, topics.units, topics.sizes = np.arange(self.topics), self.topics, np.ones(self.topics, np.int64)
        topics.table = self.per_topic
        totals = np.zeros((self.units, self.runs))
        np.add.at(totals, self.codes, topics.linear)
        return totals * (self.units / self.topics)

    def errors(self, a: Integers, b: Runs) -> Floats:
        return self._errors(a, b, lambda columns: columns.sum(axis=0)[None])[0]

    def bootstrap_errors(self, a: Integers, b: Runs, resamples: int, seed: int, threads: int | None) -> Floats:
        options: dict[str, Any] = {"trials": resamples, "seed": seed, "purpose": BOOTSTRAP, "threads": threads}
        return self._errors(a, b, lambda columns: added_reals(kernels.bootstrap_sums, columns, **options))

    def _errors(self, a: Integers, b: Runs, add: Callable[[Any], Floats]) -> Floats:
        raise NotImplementedError

    def shuffled_ranges(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        values = self.close(np.int64(self.topics), self.shuffled(resamples, seed, threads))
        return values.max(axis=1) - values.min(axis=1)

    def shuffled(self, resamples: int, seed: int, threads: int | None = None) -> Integers:
        """Every run's sums after shuffling: resamples × runs × ingredients, a run's ingredients staying together."""
        options: dict[str, Any] = {"trials": resamples, "seed": seed, "purpose": TUKEY, "threads": threads}
        if self.kinds == 1:
            return kernels.shuffled_sums(self.table[:, :, 0], **options)[:, :, None]
        low = self.table.min(axis=(0, 1))
        shifted = self.table - low
        bits = (int(shifted.max(initial=0)) * self.units).bit_length() + 1
        if bits * self.kinds <= 62:
            shifts = bits * np.arange(self.kinds, dtype=np.int64)
            sums = kernels.shuffled_sums((shifted << shifts).sum(axis=2), **options)
            apart = (sums[:, :, None] >> shifts) & ((1 << bits) - 1)
        else:
            # The same stream shuffles tables of the same shape alike.
            apart = np.stack([kernels.shuffled_sums(shifted[:, :, k], **options) for k in range(self.kinds)], axis=2)
        return apart + low * self.units

    @property
    def parts(self) -> list[Integers]:
        return [self.per_topic[:, :, k].T for k in range(self.kinds)]

    def seconds(self, size: int) -> float:
        del size
        return 1.5e-9 * self.runs * (self.runs - 1) / 2


class MeanResampler(AdditiveResampler):
    """Topic-level measures: topics × runs.

    >>> resampler = MeanResampler(np.array([[0.5, 0.25], [0.75, 0.25]]))
    >>> resampler.values().tolist()
    [0.625, 0.25]
    """

    CAN: tuple[str, ...] = (*AdditiveResampler.CAN, "values")

    def __init__(self, values: Floats, clusters: Sequence[Any] | None = None) -> None:
        super().__init__(values[:, :, None], clusters)
        self.unit: int = self.scale

    def close(self, n: Any, sums: Any) -> Floats:
        return sums[..., 0] / (n * float(self.scale))

    @cached_property
    def linear(self) -> Floats:
        return self.table[:, :, 0] / self.scale if self.units == self.topics else super().linear

    def _errors(self, a: Integers, b: Runs, add: Callable[[Any], Floats]) -> Floats:
        table = self.table[:, :, 0]
        sums = (
            table[:, a] - (0 if b is None else table[:, b])
        ) / self.scale  # what each unit adds to the difference of two runs
        return error_of_means(sums, None if self.units == self.topics else self.sizes.astype(np.float64), add)

    def topic_differences(self, a: Integers, b: Integers) -> Integers:
        return (self.per_topic[:, a] - self.per_topic[:, b])[:, :, 0]

    def value_differences(self, a: Integers, b: Integers) -> Floats:
        values = self.per_topic[:, :, 0] / self.scale
        return values[:, a] - values[:, b]

    def shuffled_ranges(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        sums = self.shuffled(resamples, seed, threads)[:, :, 0]
        return (sums.max(axis=1) - sums.min(axis=1)) / float(self.topics * self.scale)

    def on_subsets(self, size: int, sums: Sequence[Any], chosen: Any) -> tuple[Any, Any]:
        del chosen
        return sums[0], size * self.scale


class SumsResampler(AdditiveResampler):
    """Sums-level measures: topics × runs × ingredients, and the formula (n, *sums) → (numerator, denominator).

    With `counted` the first ingredient is 1 where a topic enters a run's sums, and its sum takes the place of n. A
    formula that is not `exact` gives no quotients of integers; one that is `linear` has one real ingredient, and
    grows with it.

    >>> accuracy = SumsResampler(np.array([[[1], [0]], [[1], [1]]]), lambda n, correct: (correct, n))
    >>> accuracy.values().tolist()
    [1.0, 0.5]
    """

    def __init__(
        self, ingredients: Any, formula: Formula, clusters: Sequence[Any] | None = None, *, counted: bool = False,
        exact: bool = True, linear: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(ingredients, clusters)
        self.formula: Formula = formula
        self.counted: bool = counted
        self.exact: bool = exact and (linear or bool((self.scales == 1).all()))
        self.held: int = (self.kinds + 1) ** 2
        self.largest: list[int] = np.abs(self.per_topic).max(axis=(0, 1), initial=0).tolist()

    def close(self, n: Any, sums: Any) -> Floats:
        parts = [sums[..., k] if s == 1 else sums[..., k] / s for k, s in enumerate(self.scales.tolist())]
        result = closed(self.formula, *((parts[0], parts[1:]) if self.counted else (n, parts)))
        return np.broadcast_to(result, np.shape(sums)[:-1])

    def _errors(self, a: Integers, b: Runs, add: Callable[[Any], Floats]) -> Floats:
        return errors_of_sums(self.table, self.sizes, self.scales, self.close, a, b, add)

    def topic_differences(self, a: Integers, b: Integers) -> Floats:
        """One more of each ingredient moves the measure by so much at the two runs' mean sums; a topic is worth the sum
        over the ingredients in which the runs differ there. Equal outcomes are worth exactly 0.
        """
        whole = self.per_topic.sum(axis=0).astype(np.float64)
        middle = (whole[a] + whole[b]) / 2
        n = np.float64(self.topics)
        half = 0.5 * np.diag(self.scales)
        worth = np.stack([self.close(n, middle + step) - self.close(n, middle - step) for step in half], axis=1)
        worth = np.where(np.isfinite(worth), worth, 0.0)
        return np.einsum("tpk,pk->tp", (self.per_topic[:, a] - self.per_topic[:, b]) / self.scales, worth)

    def topics_entering(self, a: Integers, b: Integers) -> Floats:
        if not self.counted:
            return np.full(len(a), float(self.topics))
        counts = np.count_nonzero(self.per_topic[:, :, 0], axis=0)
        return (counts[a] + counts[b]) / 2

    @cached_property
    def _rounding(self) -> int:
        # From all the data, never from a subset, so that all workers round alike.
        return scale_of(self.values())

    def on_subsets(self, size: int, sums: Sequence[Any], chosen: Any) -> tuple[Any, Any]:
        if not self.exact:
            return rounded(self.close(np.int64(size), np.stack(sums, axis=-1)), self._rounding)
        n, parts, largest = size, sums, self.largest
        if self.counted:
            n, parts, largest = sums[0].astype(np.int64), sums[1:], largest[1:]
        top, bottom = quotients(self.formula, n, parts, size, [most * size for most in largest])
        return top, times(bottom, self.scale)
