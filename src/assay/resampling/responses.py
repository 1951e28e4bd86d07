"""The response matrix of item analysis: topics × runs, NaN where a run has no value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.measures.measure import Measure
from assay.resampling.arithmetic import Floats
from assay.table import missing_topics
from assay.table.scores import Scores

RIGHT = "accuracy"
"""The measure whose value on a question is whether it was answered rightly."""


@dataclass(frozen=True)
class Responses:
    """Topics × runs."""

    topics: list[str]
    runs: list[str]
    noun: str
    measure: str
    values: Floats
    """NaN where a run has nothing that counts: the instrument failed, or the policies leave the topic out."""
    higher_is_better: bool

    @property
    def binary(self) -> bool:
        """Whether every cell that has a value is right or wrong, and nothing between."""
        return bool(np.isin(self.values[np.isfinite(self.values)], (0.0, 1.0)).all())

    @property
    def absent(self) -> int:
        """Cells without a value."""
        return int(np.isnan(self.values).sum())


def responses(scores: Scores, measure: str | Measure | None = None) -> Responses:
    """Each run's value on each topic under the table's policies.

    Questions that end right or wrong count 1 where they are right and 0 where they are wrong or unanswered, or the share of
    right samples; of anything else the value of `measure`, which must have one per topic. Without a measure, right or wrong
    where the table knows it, else its headline measure or its first with values by topic.
    """
    wanted = _wanted(scores, measure)
    columns = [_right(scores, run) if wanted is None else _valued(scores, run, wanted) for run in scores.runs]
    values = np.array(columns, dtype=np.float64).reshape(len(columns), len(scores.topics)).T
    known: Any = np.isfinite(values).any(axis=1)
    if len(columns) < 2 or known.sum() < 2:
        noun = scores.task.noun
        found = f"{len(columns)} and {int(known.sum())}"
        raise InputError(
            f"items are judged by how runs differ on them: expected at least 2 runs and 2 {noun}s, found {found}"
        )
    return Responses(
        [topic for topic, there in zip(scores.topics, known.tolist(), strict=True) if there],
        list(scores.runs),
        scores.task.noun,
        RIGHT if wanted is None else wanted.name,
        values[known],
        wanted is None or wanted.declaration.higher_is_better is not False,
    )


def _wanted(scores: Scores, measure: str | Measure | None) -> Measure | None:
    """The measure whose values are looked at; None for right or wrong."""
    knows = all("correct" in scores.run(run).columns for run in scores.runs)
    if measure is None:
        if knows:
            return None
        ordered = sorted(scores.measures, key=lambda one: one.name != scores.task.headline)
        found = [one for one in ordered if one.level == "topic" and one.average != "sum"]
        if not found:
            raise UsageError(
                f"no measure of this table has a value per {scores.task.noun}: name one that has, as `measure=`"
            )
        return next((one for one in found if one.declaration.higher_is_better is not None), found[0])
    wanted = scores.measure(measure)
    if wanted.name == RIGHT and knows:
        return None
    if wanted.level != "topic":
        other = f"; {RIGHT} has: whether it was answered rightly" if knows else ""
        raise UsageError(
            f"{wanted.name} has no value per {scores.task.noun}, so none can be told from the others{other}"
        )
    return wanted


def _right(scores: Scores, run: str) -> list[float]:
    given = scores.run(run)
    column, counts = given.columns["correct"], given.samples
    return _placed(
        scores, scores.entering(run), lambda i: (column[i] or 0) / (1 if counts is None else max(counts[i], 1))
    )


def _valued(scores: Scores, run: str, measure: Measure) -> list[float]:
    (places,) = missing_topics.entering(scores, [run], measure)
    column = missing_topics.counted(scores, run, measure)
    return _placed(scores, places, lambda i: column[i] or 0.0)


def _placed(scores: Scores, places: Sequence[int], value: Any) -> list[float]:
    found = [float("nan")] * len(scores.topics)
    for i in places:
        found[i] = value(i)
    return found
