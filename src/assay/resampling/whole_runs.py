"""A measure that only the whole run has: every resample computes it anew, in Python or by a kernel of the core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from operator import itemgetter
from typing import Any

import numpy as np

from assay.core import binding
from assay.core import resample as kernels
from assay.core.resample_reference import unpack
from assay.core.whole_runs import LONGEST, Answers, measured
from assay.measures.calibration import bin_of
from assay.parallel.executors import in_parts
from assay.random import stream
from assay.resampling.arithmetic import Formula
from assay.resampling.integer_scaling import Floats, Integers, rounded, scale_of
from assay.resampling.resamplers import BOOTSTRAP, Resampler

GROUPS = "jackknife groups"
MOST = 500
"""Times a measure of a whole run is computed anew to see what each part of it adds."""


class WholeRunResampler(Resampler):
    """Run-level measures: columns[run][ingredient] is a list over topics, and the function of those lists.

    `mask`, runs × topics, says which topics enter each run's measure, where not all do. `kernel` is what the core calls
    the measure, where it has it, and the measure's parameters.

    >>> best = WholeRunResampler(max, [[[1, 2]], [[3, 1]]])
    >>> best.values().tolist()
    [2.0, 3.0]
    """

    CAN = ("pair",)

    def __init__(
        self, function: Formula, columns: Sequence[Sequence[Sequence[Any]]], clusters: Sequence[Any] | None = None,
        mask: Any = None, kernel: tuple[str, Mapping[str, Any]] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(len(columns[0][0]), len(columns), clusters)
        self.function, self.columns, self.mask, self.kernel = function, columns, mask, kernel
        self.members = None
        if self.units < self.topics:
            self.members = [np.flatnonzero(self.codes == unit) for unit in range(self.units)]

    def __getstate__(self) -> dict[str, Any]:
        # What is prepared for the core stays here: who gets the rest may have none.
        return {name: value for name, value in vars(self).items() if name != "_answers"}

    def can(self, what: str) -> bool:
        """A mask leaves each run topics of its own."""
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
        # itemgetter gathers in C, which is most of the work where there are many topics.
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
        """Every run's measure on the topics of each draw: draws × runs."""
        if self._answers is not None and self.kernel is not None:
            return measured(self.kernel[0], self._answers, draws, threads)
        return np.array([self._all_at(topics.tolist()) for topics in draws])

    def values(self) -> Floats:
        return np.array(self._all_at(range(self.topics)))

    def bootstrap(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        if not _travels(self.function):
            return self.drawn(seed, range(resamples), threads)
        return np.concatenate(in_parts(partial(_drawn, threads), (self, seed), 0, resamples))

    def drawn(self, seed: int, trials: Sequence[int], threads: int | None = None) -> Floats:
        """All runs' values on the topics that some trials draw with replacement."""
        draws = (kernels.bootstrap_rows(self.units, trial=t, seed=seed, purpose=BOOTSTRAP) for t in trials)
        return self._on((self._topics_of(units) for units in draws), threads)

    def jackknife(self) -> Floats:
        """Without each unit in turn, or of many without each of 500 groups of them (Kott 2001, the delete-a-group
        jackknife): every one is computed from all that is left."""
        dealt = stream(0, GROUPS, 0).sample(range(self.units), self.units) if self.units > MOST else range(self.units)
        everyone, groups = np.arange(self.units), [list(dealt[start::MOST]) for start in range(min(MOST, self.units))]
        return self._on(self._topics_of(np.delete(everyone, group)) for group in groups)

    def seconds(self, size: int) -> float:
        return (6e-7 if self._answers is None else 6e-9) * self.runs * size

    @cached_property
    def _rounding(self) -> int:
        # From the data as it is, never from a subset: all subsets are rounded alike, whoever draws them.
        return scale_of(self.values())

    def on_subsets(self, size: int, sums: Sequence[Any], masks: Any) -> tuple[Any, Any]:
        del size, sums
        chosen = unpack(masks, self.topics)
        trials, sets, _ = chosen.shape
        drawn = (np.flatnonzero(chosen[trial, one]) for trial, one in np.ndindex(trials, sets))
        values = self._on(drawn, threads=1).reshape(trials, sets, self.runs)
        return rounded(values.transpose(1, 2, 0), self._rounding)


def _drawn(threads: int | None, shared: tuple[WholeRunResampler, int], span: tuple[int, int]) -> Floats:
    resampler, seed = shared
    return resampler.drawn(seed, range(span[0], sum(span)), threads)


def _travels(function: Any) -> bool:
    """Whether a worker would know a function: that of a plugin, or made on the spot, it would not."""
    import pickle

    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


class JointResampler(WholeRunResampler):
    """A measure that one calculation gives to all runs at once: a function from the topics' weights to values by name.

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
    """Answers for the kernels of the core; None where only its Python function will do.

    columns      of each run: correct, answered and confidence, and what else the measure has
    parameters   of the measure
    mask         runs × questions, which of them enter; all where left out

    Two right answers at .5 and .9, a question that is not answered, and a wrong answer at .5: the highest comes first, and the two
    that are tied end their group together. A code is four times the question, two where it is right and one where a group ends.

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
    given = (answered != 0) & enters
    stated = given & ~np.isnan(confidence)
    bins = parameters.get("bins", 0)
    order = np.zeros(correct.shape, np.uint32)
    place = np.full(correct.shape, bins, np.int32)
    for run in range(len(correct)):
        # What is not answered sorts last, after answers without a confidence.
        ranked = np.lexsort((-confidence[run], ~stated[run], ~given[run]))
        sorted_ = confidence[run][ranked]
        ends = np.append(sorted_[1:] != sorted_[:-1], True)
        ends[max(stated[run].sum() - 1, 0)] = True
        order[run] = 4 * ranked + 2 * correct[run][ranked] + ends
        if bins:
            place[run, given[run]] = bins + 1
            place[run, stated[run]] = bin_of(confidence[run][stated[run]], bins, parameters["closed"])
    return Answers(
        order=order, stated=stated.sum(axis=1), answered=given.sum(axis=1),
        positive=(stated & (confidence > 0)).sum(axis=1), enters=None if mask is None else enters.astype(np.uint8),
        bin=place, hit=np.where(stated, correct, 1.0), confidence=np.where(stated, confidence, 0.0), bins=bins,
    )  # fmt: skip
