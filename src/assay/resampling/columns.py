"""Columns of a score table for resampling: the topics that enter, their values and clusters.

Statistics and analyses read the table through this module only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.measures.define import ANSWERS, RARER_CLASS
from assay.measures.measure import Measure
from assay.resampling.arithmetic import Floats, closed, geometric, mean, total
from assay.resampling.resamplers import MeanResampler, Resampler, SumsResampler
from assay.table import missing_topics
from assay.table.missing_topics import GEOMETRIC_FLOOR
from assay.table.repeats import MAX_MULTIPLE, flattened
from assay.table.run_scores import each
from assay.table.scores import Scores

OUTCOMES = ("correct", "incorrect", "unanswered")
"""The exclusive outcomes of a question."""
MAX_WHOLE_SAMPLES = 40
"""With more samples per topic their common multiple is too large, and topics are weighted by fractions."""
CLOSING = {"mean": mean, "sum": total, "geometric": geometric}


@dataclass(frozen=True)
class Columns:
    """Some runs of a table by one measure."""

    scores: Scores
    measure: Measure
    runs: list[str]
    places: Any
    """Positions in the table of the topics that enter the averages of all of the runs."""
    mask: Any
    """runs × topics: where the measure has a value that enters the run's average."""
    cluster: str | None = None
    """The field that groups topics, or None."""
    clusters: list[Any] | None = None

    @classmethod
    def of(cls, scores: Scores, measure: str | Measure, runs: Sequence[str] | None = None) -> Columns:
        """Return the columns of some runs, by default all, under the table's policies for missing and undefined topics."""
        resolved = scores.measure(measure)
        names = list(scores.runs if runs is None else runs)
        places = np.flatnonzero(_flags(scores, missing_topics.entering(scores, names)).all(axis=0))
        mask = _flags(scores, missing_topics.entering(scores, names, resolved))[:, places]
        return cls(scores, resolved, names, places, mask)

    @property
    def noun(self) -> str:
        """The task's word for a topic."""
        return self.scores.task.noun

    @property
    def average(self) -> str:
        """The unit a run's value is averaged over, in words; empty for topics."""
        return ""

    @cached_property
    def topics(self) -> list[str]:
        return [self.scores.topics[i] for i in self.places.tolist()]

    @property
    def left_out(self) -> int:
        """The number of topics that do not enter: missing from a run, or undefined for one, under the table's policies."""
        return len(self.scores.topics) - len(self.places)

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Per run, the number of topics of the table that it lacks, and on which it is undefined."""
        gaps: list[tuple[int, int]] = []
        for run in map(self.scores.run, self.runs):
            empty = 0
            if self.measure.level == "topic" and None in (column := run.columns[self.measure.name]):
                empty = sum(cell is None and not gone for cell, gone in zip(column, run.missing, strict=True))
            gaps.append((sum(run.missing), empty))
        return gaps

    def shared(self) -> Columns:
        """Return the columns on the topics that enter every run's average, for comparisons."""
        common = self.mask.all(axis=0)
        return Columns(self.scores, self.measure, self.runs, self.places[common], self.mask[:, common])

    def by(self, field: str | None) -> Columns:
        """Return the columns with topics clustered by the value of a field.

        "auto" is the field `cluster` if the gold has one, None no field.
        """
        name = "cluster" if field == "auto" else field
        if name is None or (field == "auto" and name not in self.scores.fields):
            return self
        if name not in self.scores.fields:
            known = ", ".join(self.scores.fields) or "none"
            raise UsageError(f"`cluster={name!r}`: no field {name!r} to resample by; the gold has {known}")
        column = self.scores.fields[name]
        # A topic without a cluster is its own; its position in a tuple equals no cluster's name.
        values = [column[i] if column[i] is not None else (i,) for i in self.places.tolist()]
        if len(set(values)) == len(values):
            return self
        if len(set(values)) < 2:
            raise InputError(f"all {len(values)} {self.noun}s are in one {name}; resampling by {name} needs at least 2")
        return Columns(self.scores, self.measure, self.runs, self.places, self.mask, name, values)

    def cells(self, run: int, name: str) -> list[Any]:
        """Return a column of the run at a position, on the topics that enter."""
        scored, measure = self.scores.run(self.runs[run]), self.measure
        topical = measure.level == "topic" and name == measure.name
        column = missing_topics.counted(self.scores, scored.name, measure) if topical else scored.columns[name]
        return list(column) if len(self.places) == len(column) else [column[i] for i in self.places.tolist()]

    @cached_property
    def counts(self) -> Any:
        """Samples scored per run and topic (runs × topics); None if every run has one of each."""
        by_run = [self.scores.run(run).samples for run in self.runs]
        if all(samples is None for samples in by_run):
            return None
        ones = np.ones(len(self.places), dtype=np.int64)
        rows = [ones if samples is None else np.array(samples)[self.places] for samples in by_run]
        counts = np.array(rows, dtype=np.int64).reshape(len(self.runs), len(self.places))
        return None if (counts == 1).all() else counts

    def _numbers(self, names: Sequence[str]) -> Any:
        """Return topics × runs × columns, 0 where a topic does not enter or has no value."""
        table = np.empty((len(self.runs), len(names), len(self.places)))
        for run, of_run in enumerate(table):
            for column, name in zip(of_run, names, strict=True):
                column[:] = self.cells(run, name)  # None becomes NaN
        np.nan_to_num(table, copy=False)
        table *= self.mask[:, None, :]
        return table.transpose(2, 0, 1)

    def _weighed(self, table: Any) -> Any:
        """Weight the sums over each topic's samples so that all topics weigh the same, and prepend the weight.

        Weights are whole numbers if the numbers of samples have a small common multiple.
        """
        counts = np.maximum(self.counts, 1)
        whole = int(np.lcm.reduce(np.unique(counts))) if counts.max() <= MAX_WHOLE_SAMPLES else MAX_MULTIPLE
        weights = whole // counts if whole < MAX_MULTIPLE else 1 / counts
        unit = whole if whole < MAX_MULTIPLE else 1
        return np.concatenate([unit * self.mask.T[:, :, None], table * weights.T[:, :, None]], axis=2)

    @cached_property
    def resampler(self) -> Resampler:
        """The measure ready to resample."""
        measure, everywhere = self.measure, bool(self.mask.all())
        if measure.level == "whole":
            return self._whole(None if everywhere else self.mask)
        topical = measure.level == "topic"
        table = self._numbers((measure.name,) if topical else measure.of)
        if topical and measure.average == "mean" and everywhere:
            return MeanResampler(table[:, :, 0], self.clusters)
        exact = not topical or measure.average != "geometric"
        if not exact:
            table = np.where(self.mask.T[:, :, None], np.log(np.maximum(table, GEOMETRIC_FLOOR)), 0.0)
        weighed = self.counts is not None and not topical and measure.average != "sum"
        counted = not everywhere or table.shape[2] == 0 or weighed
        if weighed:
            table = self._weighed(table)
        elif counted:
            table = np.concatenate([self.mask.T[:, :, None], table], axis=2)
        formula = CLOSING[measure.average] if topical else measure.bound()
        return SumsResampler(table, formula, self.clusters, counted=counted, exact=exact, linear=topical and exact)

    def _whole(self, mask: Any) -> Resampler:
        """Return the resampler of a measure of the whole run; of several samples per topic, each topic weighs the same."""
        from assay.resampling.whole_runs import JointResampler, WholeRunResampler

        measure, runs = self.measure, range(len(self.runs))
        if measure.declaration.together is not None:
            columns = [self.cells(0, name) for name in measure.of[:-1]]
            return JointResampler(
                measure.declaration.together(*columns, **measure.parameters), self.runs, columns, self.clusters
            )
        if all(self.scores.run(run).samples is None for run in self.runs):
            columns = [[self.cells(run, name) for name in measure.of] for run in runs]
            declared = measure.declaration
            kernel = (declared.kernel, {**declared.defaults, **measure.parameters}) if declared.kernel else None
            return WholeRunResampler(measure.bound(), columns, self.clusters, mask, kernel)
        function = measure.bound()

        def of_samples(*columns: Sequence[Any]) -> float | None:
            return function(*flattened(columns, [len(cells) for cells in columns[0]]))

        return WholeRunResampler(
            of_samples, [[self._each(run, name) for name in measure.of] for run in runs], self.clusters, mask
        )

    def _each(self, run: int, name: str) -> list[tuple[Any, ...]]:
        """Return an ingredient as a tuple of samples per topic."""
        if self.scores.run(self.runs[run]).samples is None:
            return [(cell,) for cell in self.cells(run, name)]
        return self.cells(run, each(name))

    def flat(self, run: int, names: Sequence[str]) -> tuple[list[list[Any]], list[int]]:
        """Return ingredients of a run answer by answer, weighted equally by topic, and the topic of each answer."""
        columns = [self._each(run, name) for name in names]
        counts = [len(cells) for cells in columns[0]]
        *flat, topics = flattened([*columns, [(place,) * count for place, count in enumerate(counts)]], counts)
        return flat, topics

    @cached_property
    def ways(self) -> Any:
        """The ingredients of each outcome that a topic can have, a row per outcome; None if there are many.

        Questions can be correct, incorrect or unanswered, whether or not a run has such a question.
        """
        measure = self.measure
        if measure.level == "topic":
            low, high = measure.declaration.low, measure.declaration.high
            if measure.average != "mean" or low is None or high is None or not self.mask.all():
                return None
            ends = np.array([[low], [high]], dtype=np.float64)
            return ends if np.isin(self._numbers((measure.name,)), ends).all() else None
        # A count is a share of all questions, also of those that it does not count.
        return self._outcomes(ignored=() if measure.average == "sum" else measure.declaration.ignores)

    def _outcomes(self, ignored: Sequence[str] = ()) -> Any:
        """Return the ingredients of each outcome, except ignored ones; None if they do not follow from the outcome."""
        measure = self.measure
        if measure.level != "sums" or not measure.of or not set(measure.of) <= set(OUTCOMES) or self.counts is not None:
            return None
        outcomes = [outcome for outcome in OUTCOMES if outcome not in ignored]
        rows = np.array([[float(name == outcome) for name in measure.of] for outcome in outcomes])
        return np.unique(rows, axis=0)[::-1]

    @cached_property
    def ended(self) -> Any:
        """runs × ways: the number of topics with each outcome."""
        topics = self._numbers((self.measure.name,) if self.measure.level == "topic" else self.measure.of)
        return np.stack([(topics == way).all(axis=2).sum(axis=0) for way in self.ways], axis=1)

    def of_shares(self, shares: Any) -> Floats:
        """Return the measure for given shares of topics by outcome (cases × ways)."""
        n = np.float64(self.ended.sum(axis=1).max())
        sums = shares @ self.ways * n
        return sums[:, 0] / n if self.measure.level == "topic" else closed(self.measure.bound(), n, list(sums.T))

    @cached_property
    def divides_by_outcomes(self) -> bool:
        """Whether the measure's denominator depends on the outcomes, as that of precision does."""
        fixed = self._adds_up or self.measure.declaration.fixed_denominator
        return self._outcomes() is not None and not fixed

    @property
    def _adds_up(self) -> bool:
        """Whether each outcome adds a fixed amount, as in a mean or a count."""
        return self.measure.declaration.mean or self.measure.average == "sum"

    @cached_property
    def answers(self) -> Any:
        """Per run, the number of topics behind its value: all, answered ones, or those of the rarer class, as declared."""
        everything = np.full(len(self.runs), len(self.places))
        if self._outcomes() is not None:
            return self.ended.sum(axis=1)
        counted = self.measure.declaration.counts
        if counted == RARER_CLASS:
            return np.array([self._rarer_class(run) for run in range(len(self.runs))])
        if counted != ANSWERS or self.counts is not None:
            return everything
        return np.array([sum(map(any, self._each(run, "answered"))) for run in range(len(self.runs))])

    def _rarer_class(self, run: int) -> int:
        """Return the number of topics with a right answer, or with a wrong one if these are fewer."""
        columns = self._each(run, "correct"), self._each(run, "answered")
        answers = [list(zip(*cells, strict=True)) for cells in zip(*columns, strict=True)]
        right = sum(any(answered and correct for correct, answered in cells) for cells in answers)
        wrong = sum(any(answered and not correct for correct, answered in cells) for cells in answers)
        return min(right, wrong)

    @cached_property
    def counts_answers(self) -> bool:
        """Whether `answers` counts exactly the questions that each run answers."""
        if self.counts is not None or not all("unanswered" in self.scores.run(run).columns for run in self.runs):
            return False
        answered = [sum(not cell for cell in self.cells(run, "unanswered")) for run in range(len(self.runs))]
        return self.answers.tolist() == answered

    @cached_property
    def answered(self) -> Any:
        """Per run, the number of questions it answers; None for a mean or a count of outcomes."""
        if self._outcomes() is None or self._adds_up:
            return None
        unanswered = np.array([float(name == "unanswered") for name in self.measure.of])
        return len(self.places) - (self._numbers(self.measure.of) == unanswered).all(axis=2).sum(axis=0)

    @cached_property
    def correct(self) -> Any:
        """topics × runs, whether each question was answered correctly; None if the task has no such outcome."""
        if self.counts is not None or not all("correct" in self.scores.run(run).columns for run in self.runs):
            return None
        cells = [self.cells(run, "correct") for run in range(len(self.runs))]
        if not all(cell in (0, 1, None) for row in cells for cell in row):
            return None
        return np.array([[bool(cell) for cell in row] for row in cells]).T


def compared(scores: Scores, measure: Measure, runs: Sequence[str], cluster: str | None = "auto") -> Columns:
    """Return the columns of runs to compare topic by topic, on the topics they share."""
    columns = Columns.of(scores, measure, runs)
    _check_common_topics(columns)
    columns = columns.shared()
    noun, topics = columns.noun, columns.topics
    who = " and ".join(runs) if len(runs) == 2 else f"these {len(runs)} runs"
    if not topics:
        raise InputError(f"{measure.name} is defined for {who} on no common {noun}; a comparison needs at least 2")
    if len(topics) < 2:
        raise InputError(
            f"{who} share one {noun} with a value of {measure.name} ({topics[0]}); a comparison needs at least 2"
        )
    return columns.by(cluster)


def _check_common_topics(columns: Columns) -> None:
    noun, runs = columns.noun, columns.runs
    present = ~np.array([columns.scores.run(run).missing for run in runs], dtype=bool)
    counts = present.sum(axis=1).tolist()
    if 0 in counts:
        everything = len(columns.scores.topics)
        raise InputError(f"{runs[counts.index(0)]} has no results for any of the {everything} {noun}s. Fix: omit it.")
    if present.all(axis=0).any():  # a topic that all share makes the quadratic check of pairs unnecessary
        return
    common = present.astype(np.int64) @ present.T.astype(np.int64)
    disjoint = np.argwhere(common == 0).tolist()
    if disjoint:
        a, b = disjoint[0]
        raise InputError(
            f"{runs[a]} and {runs[b]} have no {noun} in common ({counts[a]} and {counts[b]} {noun}s); "
            f"runs are compared {noun} by {noun}, so they must be of the same test set"
        )


def studied(scores: Scores, measures: str | Measure | Sequence[str | Measure] | None) -> list[Columns]:
    """Return the columns of the measures named; by default of all but counts and measures of a whole run."""
    if measures is None:
        averaged = [m for m in scores.measures if m.level != "whole" and m.average != "sum"]
        chosen = [m for m in averaged if m.declaration.higher_is_better is not None] or scores.measures
    else:
        is_one = isinstance(measures, str) or not hasattr(measures, "__iter__")
        chosen = [scores.measure(name) for name in ([measures] if is_one else measures)]  # type: ignore[list-item]
    if not chosen:
        raise UsageError("no measure to study: name one, as in `measures=AP`")
    if len(scores.runs) < 2:
        listed = f"only {scores.runs[0]!r}" if scores.runs else "none"
        raise InputError(f"a study compares pairs of runs and needs at least 2, found {listed}; give more runs")
    columns = [Columns.of(scores, measure) for measure in chosen]
    noun, topics = columns[0].noun, len(columns[0].places)
    if topics < 2:
        raise InputError(f"a study needs at least 2 {noun}s that all runs share, found {topics}")
    return columns


def _flags(scores: Scores, entering: Sequence[Sequence[int]]) -> Any:
    """Return positions per run as flags, runs × topics."""
    flags = np.zeros((len(entering), len(scores.topics)), dtype=bool)
    for row, places in zip(flags, entering, strict=True):
        row[slice(None) if len(places) == len(row) else list(places)] = True
    return flags
