"""Resample measures of a whole run: each resample recomputes them, in Python or by a kernel of the core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from operator import itemgetter
from typing import Any

import numpy as np

from assay.core import binding
from assay.core import resample as kernels
from assay.core.whole_runs import LONGEST, Answers, measured
from assay.measures.calibration import bin_of
from assay.parallel.executors import in_parts
from assay.random import stream
from assay.resampling.arithmetic import Formula
from assay.resampling.integer_scaling import Floats, Integers, rounded, scale_of
from assay.resampling.resamplers import BOOTSTRAP, Resampler

GROUPS = "jackknife groups"
MAX_GROUPS = 500
"""The most groups of units of the jackknife."""


class WholeRunResampler(Resampler):
    """Run-level measures: columns[run][ingredient] is a list over topics, and the function of those lists.

    `mask` (runs × topics) flags the topics that enter each run's measure, if not all do. `kernel` is the core's name of the
    measure, if it has it, and the measure's parameters.

    >>> best = WholeRunResampler(max, [[[1, 2]], [[3, 1]]])
    >>> best.values().tolist()
    [2.0, 3.0]
    """

    CAN: tuple[str, ...] = ("pair",)

    def __init__(
        self, function: Formula, columns: Sequence[Sequence[Sequence[Any]]], clusters: Sequence[Any] | None = None,
        mask: Any = None, kernel: tuple[str, Mapping[str, Any]] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(len(columns[0][0]), len(columns), clusters)
        self.function: Formula = function
        self.columns: Sequence[Sequence[Sequence[Any]]] = columns
        self.mask: Any = mask
        self.kernel: tuple[str, Mapping[str, Any]] | None = kernel
        self.members: list[Integers] | None = None
        if self.units < self.topics:
            self.members = [np.flatnonzero(self.codes == unit) for unit in range(self.units)]

    def __getstate__(self) -> dict[str, Any]:
        # The prepared answers are not pickled: the receiver may lack the core.
        return {name: value for name, value in vars(self).items() if name != "_answers"}

    def can(self, what: str) -> bool:
        """Nothing pairwise with a mask, under which runs have different topics."""
        return super().can(what) and self.mask is None

    def _value(self, columns: Sequence[Sequence[Any]]) -> float:
        result = self.function(*columns) if len(columns[0]) else None
        return float("nan") if result is None else float(result)

    def _topics_of(self, units: Integers) -> Integers:
        if self.members is None:
            return units
        return np.concatenate([np.empty(0, np.int64), *(self.members[unit] for unit in units.tolist())])

    def _at(self, topics: Sequence[int], run: int) -> float:
        if self.mask is not None:
            topics = [t for t in topics if self.mask[run][t]]
        # itemgetter gathers in C, which is most of the work with many topics.
        if len(topics) < 2:
            return self._value([[column[i] for i in topics] for column in self.columns[run]])
        gather = itemgetter(*topics)
        return self._value([list(gather(column)) for column in self.columns[run]])

    def _all_at(self, topics: Sequence[int]) -> list[float]:
        return [self._at(topics, run) for run in range(self.runs)]

    @cached_property
    def _answers(self) -> Answers | None:
        if self.kernel is None or self.units * int(self.sizes.max(initial=0)) >= LONGEST:
            return None
        return prepared(self.columns, self.kernel[1], self.mask)

    def _on(self, draws: Iterable[Integers], threads: int | None = None) -> Floats:
        """Return every run's measure on the topics of each draw: draws × runs."""
        if self._answers is not None and self.kernel is not None:
            return measured(self.kernel[0], self._answers, draws, threads)
        return np.array([self._all_at(topics.tolist()) for topics in draws])

    def values(self) -> Floats:
        return np.array(self._all_at(range(self.topics)))

    def bootstrap(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        if not _is_picklable(self.function):
            return self.drawn(seed, range(resamples), threads)
        return np.concatenate(in_parts(partial(_drawn, threads), (self, seed), 0, resamples))

    def drawn(self, seed: int, trials: Sequence[int], threads: int | None = None) -> Floats:
        """Return all runs' values on the topics that some trials draw with replacement."""
        draws = (kernels.bootstrap_rows(self.units, trial=t, seed=seed, purpose=BOOTSTRAP) for t in trials)
        return self._on((self._topics_of(units) for units in draws), threads)

    def jackknife(self) -> Floats:
        """Return the values without each unit, or each of 500 groups (delete-a-group, Kott 2001)."""
        dealt = (
            stream(0, GROUPS, 0).sample(range(self.units), self.units) if self.units > MAX_GROUPS else range(self.units)
        )
        everyone, groups = (
            np.arange(self.units),
            [list(dealt[start::MAX_GROUPS]) for start in range(min(MAX_GROUPS, self.units))],
        )
        return self._on(self._topics_of(np.delete(everyone, group)) for group in groups)

    def seconds(self, size: int) -> float:
        return (6e-7 if self._answers is None else 6e-9) * self.runs * size

    @cached_property
    def _rounding(self) -> int:
        # From all the data, never from a subset, so that all workers round alike.
        return scale_of(self.values())

    def on_subsets(self, size: int, sums: Sequence[Any], chosen: Any) -> tuple[Any, Any]:
        del size, sums
        trials, sets, _ = chosen.shape
        drawn = (np.flatnonzero(chosen[trial, number]) for trial, number in np.ndindex(trials, sets))
        values = self._on(drawn, threads=1).reshape(trials, sets, self.runs)
        return rounded(values.transpose(1, 2, 0), self._rounding)


def _drawn(threads: int | None, shared: tuple[WholeRunResampler, int], span: tuple[int, int]) -> Floats:
    resampler, seed = shared
    return resampler.drawn(seed, range(span[0], sum(span)), threads)


def _is_picklable(function: Any) -> bool:
    """Whether a function can be pickled for a worker process; functions of plugins and closures cannot."""
    import pickle

    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


class JointResampler(WholeRunResampler):
    """A measure computed for all runs at once: a function from the topics' weights to values by run.

    >>> fit = lambda weights=None: {"a": sum(weights), "b": -sum(weights)}
    >>> JointResampler(fit, ["b", "a"], [[0, 0, 0]]).values().tolist()
    [-3, 3]
    """

    def __init__(
        self, fit: Any, runs: Sequence[str], columns: Sequence[Sequence[Any]], clusters: Sequence[Any] | None = None
    ) -> None:
        super().__init__(fit, [columns for _ in runs], clusters)
        self.names = runs

    def _all_at(self, topics: Sequence[int]) -> list[float]:
        values = self.function(weights=np.bincount(np.asarray(topics, dtype=np.int64), minlength=self.topics))
        return [values.get(name, float("nan")) for name in self.names]


def prepared(
    columns: Sequence[Sequence[Sequence[Any]]], parameters: Mapping[str, Any], mask: Any = None
) -> Answers | None:
    """Return answers sorted and binned for the kernels of the core; None if only the Python function applies.

    columns      of each run: correct, answered, confidence, and further ingredients of the measure
    parameters   of the measure
    mask         runs × questions, those that enter; by default all

    Two right answers at .5 and .9, an unanswered question, and a wrong answer at .5: the highest comes first, and the tied two
    end their group together. A code is four times the question, plus two if it is right, plus one at the end of a group.

    >>> answers = prepared([[[1, 0, 0, 1], [1, 0, 1, 1], [0.5, None, 0.5, 0.9]]], {"ties": "expected"})
    >>> answers is None or answers.order[0, :3].tolist()
    [15, 2, 9]
    """
    if binding.LIBRARY is None or parameters.get("ties", "expected") != "expected":
        return None
    correct, answered, confidence = (np.array([run[i] for run in columns], np.float64) for i in range(3))
    if not np.isin(correct, (0, 1)).all() or np.isnan(answered).any():
        return None
    enters = np.ones(correct.shape, bool) if mask is None else np.asarray(mask, bool)
    is_answered = (answered != 0) & enters
    stated = is_answered & ~np.isnan(confidence)
    bins = parameters.get("bins", 0)
    order = np.zeros(correct.shape, np.uint32)
    place = np.full(correct.shape, bins, np.int32)
    for run in range(len(correct)):
        # Unanswered questions sort last, after answers without a confidence.
        ranked = np.lexsort((-confidence[run], ~stated[run], ~is_answered[run]))
        sorted_ = confidence[run][ranked]
        ends = np.append(sorted_[1:] != sorted_[:-1], True)
        ends[max(stated[run].sum() - 1, 0)] = True
        order[run] = 4 * ranked + 2 * correct[run][ranked] + ends
        if bins:
            place[run, is_answered[run]] = bins + 1
            place[run, stated[run]] = bin_of(confidence[run][stated[run]], bins, parameters["closed"])
    return Answers(
        order=order, stated=stated.sum(axis=1), answered=is_answered.sum(axis=1),
        positive=(stated & (confidence > 0)).sum(axis=1), enters=None if mask is None else enters.astype(np.uint8),
        bin=place, hit=np.where(stated, correct, 1.0), confidence=np.where(stated, confidence, 0.0), bins=bins,
    )  # fmt: skip
