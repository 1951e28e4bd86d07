"""From the score table to integer columns: which topics enter, what stands for the missing, what is scaled."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay import policies
from assay.aggregation import AVERAGES
from assay.errors import InputError, UsageError
from assay.studies.resample import Problem, Sums, Whole, close_sums, mean, to_integers, total, undefined_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.measures.declare import Measure
    from assay.table import Scores

CLOSING = {"mean": mean, "sum": total}


def problem_of(scores: Scores, measures: Sequence[str] | None = None) -> Problem:
    """What resampling needs of a score table, under the table's own policies for missing and undefined topics."""
    wanted = list(scores.measures) if measures is None else [scores.measure(name) for name in measures]
    if not wanted:
        raise UsageError("no measure to study: name one with -m")
    if len(scores.runs) < 2:
        found = f"only {scores.runs[0]!r}" if scores.runs else "none"
        raise InputError(f"reliability compares pairs of runs and needs at least 2, found {found}; give more runs")
    mask = np.zeros((len(scores.runs), len(scores.topics)), bool)
    for run, places in enumerate(policies.entering(scores, scores.runs)):
        mask[run, list(places)] = True
    topics = np.flatnonzero(mask.all(axis=0))
    if len(topics) < 2:
        raise InputError(f"reliability needs at least 2 topics that all runs share, found {len(topics)}")
    entering = mask[:, topics]
    build = _Builder(scores, topics, entering)
    studied = [build.measure(m) for m in wanted]
    return Problem(list(scores.runs), len(topics), studied, build.columns)


def topic_values(problem: Problem, measure: Sums | Whole) -> np.ndarray:
    """values[topic, run] whose mean is the run's value and whose spread is its sampling variance.

    For a mean over topics these are the topic's own values. For a ratio of sums such as c@1 they are the jackknife's
    pseudo-values, n·M - (n - 1)·M without the topic, which for a mean are the same thing.
    """
    if isinstance(measure, Whole):
        raise UsageError(
            f"{measure.name} has no value per topic, so its variance over topics is not defined; plan with another "
            "measure, or state a variance with --variance"
        )
    if measure.count is not None:
        raise InputError(
            f"{measure.name} has no value for some run and topic; a plan needs them all: "
            "--missing zero or common, --undefined zero"
        )
    n = problem.topics
    columns = {name: problem.columns[name] for name in measure.of}
    sums = {name: column.sum(axis=1, keepdims=True) for name, column in columns.items()}
    whole = _divided(problem, measure, n, sums)
    without = _divided(problem, measure, n - 1, {name: sums[name] - column for name, column in columns.items()})
    return (n * whole - (n - 1) * without).T


def _divided(problem: Problem, measure: Sums, n: int, sums: dict[str, np.ndarray]) -> np.ndarray:
    top, bottom = close_sums(problem, measure, n, sums)
    if missing := undefined_at(bottom):
        raise problem.undefined(measure.name, missing[0], f"{n} topics")
    return np.asarray(top / bottom, float)


class _Builder:
    """Collects the integer columns the measures share."""

    def __init__(self, scores: Scores, topics: np.ndarray, entering: np.ndarray) -> None:
        self.scores = scores
        self.topics = topics
        self.entering = entering
        self.columns: dict[str, np.ndarray] = {}

    def measure(self, measure: Measure) -> Sums | Whole:
        if measure.level == "topic":
            return self._average(measure)
        if measure.level == "sums":
            for name in measure.of:
                self._ingredient(name)
            if measure.of and self.entering.all():
                return Sums(measure.name, measure.of, measure.bound())
            return Sums(measure.name, measure.of, measure.bound(), self._count(self.entering))
        columns = [[self._cells(run, name) for name in measure.of] for run in self.scores.runs]
        return Whole(measure.name, columns, measure.bound(), self._flags(self.entering))

    def _cells(self, run: str, name: str) -> list[Any]:
        known = {m.name: m for m in self.scores.measures if m.level == "topic"}
        column = (
            policies.counted(self.scores, run, known[name]) if name in known else self.scores.run(run).columns[name]
        )
        return [column[int(i)] for i in self.topics]

    def _ingredient(self, name: str) -> None:
        if name not in self.columns:
            rows = [[cell or 0 for cell in self._cells(run, name)] for run in self.scores.runs]
            column = np.array(rows)
            if not np.issubdtype(column.dtype, np.integer) and (column != np.rint(column)).any():
                raise InputError(
                    f"the column {name!r} holds values that are not whole numbers, so it does not add up exactly"
                )
            column = np.where(self.entering, column, 0).astype(np.int64)
            # Zeros and ones travel to the workers with every chunk: keep them small.
            self.columns[name] = column.astype(np.int8) if abs(column).max() <= 1 else column

    def _count(self, entering: np.ndarray) -> str:
        """The column that counts the topics that enter; measures with the same holes share it."""
        for name, column in self.columns.items():
            if name.startswith("n of ") and (column == entering).all():
                return name
        name = f"n of {len(self.columns)}"
        self.columns[name] = entering.astype(np.int8)
        return name

    def _flags(self, entering: np.ndarray) -> list[list[bool]] | None:
        return None if entering.all() else entering.tolist()

    def _average(self, measure: Measure) -> Sums | Whole:
        rows = [self._cells(run, measure.name) for run in self.scores.runs]
        undefined = np.array([[cell is None for cell in row] for row in rows])
        values = np.array([[0.0 if cell is None else float(cell) for cell in row] for row in rows])
        entering = self.entering
        if policies.leaves_out_undefined(self.scores.settings, measure):
            entering = entering & ~undefined
        if measure.average not in CLOSING:
            return Whole(
                measure.name, [[row] for row in values.tolist()], AVERAGES[measure.average], self._flags(entering)
            )
        integers, scale = to_integers(np.where(entering, values, 0.0))
        column = f"values of {measure.name}"
        self.columns[column] = integers
        count = None if entering.all() else self._count(entering)
        return Sums(measure.name, (column,), partial(CLOSING[measure.average], scale=scale), count)
