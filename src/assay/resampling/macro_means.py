"""Columns of a suite: a run's value is the macro mean over tasks, in which each task weighs the same.

Within a task the measure is spread over the questions (`Resampler.linear`). Weighed by (questions in all) / (tasks × questions of the
task), the mean over all questions is the macro mean, and sign flips, the bootstrap and standard errors apply to it as to any mean.
A standard error holds the differences between tasks too, so an interval is a little wide rather than narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.resampling.columns import Columns
from assay.resampling.integer_scaling import Floats, Integers
from assay.resampling.resamplers import MeanResampler, Resampler


class MacroMeanResampler(MeanResampler):
    """The mean over tasks of a measure that is spread over the questions of each task.

    resamplers    the measure of all runs on each task, its questions not clustered
    rows       of each task, the rows of its questions among all
    clusters   which questions are resampled together

    >>> two, four = MeanResampler(np.array([[1.0], [0.0]])), MeanResampler(np.array([[1.0], [1.0], [1.0], [0.0]]))
    >>> MacroMeanResampler([two, four], [np.arange(2), np.arange(2, 6)]).values().tolist()
    [0.625]
    """

    def __init__(
        self, resamplers: Sequence[Resampler], rows: Sequence[Any], clusters: Sequence[Any] | None = None
    ) -> None:
        questions = sum(map(len, rows))
        weighed = np.empty((questions, resamplers[0].runs))
        for resampler, of_task in zip(resamplers, rows, strict=True):
            # Without its only question a task has no value, so nothing but the value itself can be spread.
            spread = resampler.linear if len(of_task) > 1 else resampler.values()
            weighed[of_task] = spread * (questions / (len(rows) * len(of_task)))
        super().__init__(np.nan_to_num(weighed), clusters)
        self._resamplers, self._rows = resamplers, rows
        self._macro = np.mean([resampler.values() for resampler in resamplers], axis=0)
        self._lacking = ~np.isfinite(weighed).all(axis=0)
        self.unit: int = self.scale * questions if self.can("values") else 1

    def can(self, what: str) -> bool:
        by_topic = what in ("values", "differences")
        return super().can(what) and (not by_topic or all(resampler.can(what) for resampler in self._resamplers))

    def values(self) -> Floats:
        return self._macro

    def bootstrap(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        return np.where(np.isfinite(self._macro), super().bootstrap(resamples, seed, threads), np.nan)

    @cached_property
    def linear(self) -> Floats:
        return np.where(self._lacking, np.nan, super().linear)

    def topic_differences(self, a: Integers, b: Integers) -> Any:
        """Return the effect of each question on the macro mean; exactly 0 for equal outcomes."""
        if self.can("values"):
            return super().topic_differences(a, b)
        effects = np.empty((self.topics, len(a)))
        for resampler, rows in zip(self._resamplers, self._rows, strict=True):
            each = len(rows) if resampler.can("values") else 1
            effects[rows] = resampler.topic_differences(a, b) / (resampler.unit * each * len(self._rows))
        return effects

    def topics_entering(self, a: Integers, b: Integers) -> Floats:
        counts = np.empty((self.topics, len(a)))
        for resampler, rows in zip(self._resamplers, self._rows, strict=True):
            counts[rows] = len(self._rows) * (len(rows) if resampler.can("values") else resampler.topics_entering(a, b))
        return counts


@dataclass(frozen=True)
class MacroColumns(Columns):
    """Some runs of a suite by the macro mean of one measure."""

    tasks: tuple[Any, ...] = ()
    """Of each task, the positions of its questions among those that enter."""

    @property
    def average(self) -> str:
        return f"macro mean over {len(self.tasks)} tasks"

    @cached_property
    def resampler(self) -> Resampler:
        resamplers = [
            Columns(self.scores, self.measure, self.runs, self.places[rows], self.mask[:, rows]).resampler
            for rows in self.tasks
        ]
        return MacroMeanResampler(resamplers, self.tasks, self.clusters)

    @cached_property
    def by_task(self) -> list[Columns]:
        """The columns of every task by itself, its questions clustered as in the whole."""
        columns: list[Columns] = []
        for rows in self.tasks:
            clusters = None if self.clusters is None else [self.clusters[row] for row in rows.tolist()]
            several = clusters is not None and len(set(clusters)) < len(clusters)
            clustered = (self.cluster, clusters) if several else (None, None)
            columns.append(
                Columns(self.scores, self.measure, self.runs, self.places[rows], self.mask[:, rows], *clustered)
            )
        return columns

    @cached_property
    def ways(self) -> Any:
        return None  # a mean over tasks is no share of the questions

    @cached_property
    def divides_by_outcomes(self) -> bool:
        return False

    @cached_property
    def correct(self) -> Any:
        return None  # McNemar's test is of the pooled questions

    @cached_property
    def answers(self) -> Any:
        return Columns(self.scores, self.measure, self.runs, self.places, self.mask).answers
