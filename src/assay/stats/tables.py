"""From the score table to what is resampled: which topics enter, and at which level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay import policies
from assay.aggregation import GEOMETRIC_FLOOR
from assay.errors import InputError, UsageError
from assay.stats.samples import Means, Ratios, Whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from assay.measures.declare import Measure
    from assay.stats.samples import Sample
    from assay.table import RunScores, Scores


@dataclass(frozen=True)
class Prepared:
    """The scores of some runs on the topics all of them have, ready to be resampled."""

    sample: Sample
    topics: list[str]
    left_out: int
    """Topics of the table that do not enter: missing from a run, or undefined for one, under the table's policies."""
    cluster: str | None
    """The field that says which topics belong together, or None."""
    noun: str
    """What the table's topics are called."""
    correct: Any
    """topics × runs, whether each question was answered correctly; None where the task has no such outcome."""


def prepare(scores: Scores, measure: Measure, runs: Sequence[str], cluster: str | None = "auto") -> Prepared:
    """The sample behind a comparison of runs, on the topics they share."""
    columns = [scores.run(run) for run in runs]
    _have_topics_in_common(scores, columns)
    shared = [set(places) for places in policies.entering(scores, runs, measure)]
    chosen = sorted(set[int].intersection(*shared))
    topics = [scores.topics[i] for i in chosen]
    if len(topics) < 2:
        raise InputError(_too_few(measure, runs, topics))
    field, clusters = _clusters(scores, cluster, chosen)
    if clusters is not None and len(set(clusters)) < 2:
        raise InputError(f"all {len(topics)} topics are in one {field}; resampling by {field} needs at least 2")
    sample = _sample(scores, measure, columns, chosen, clusters)
    return Prepared(
        sample, topics, len(scores.topics) - len(topics), field, scores.task.noun, _correct(columns, chosen)
    )


def gaps(scores: Scores, run: str, measure: Measure) -> tuple[int, int]:
    """On how many topics of the table a run is missing, and on how many it is there but undefined."""
    missing = scores.run(run).missing
    if measure.level != "topic":
        return sum(missing), 0
    column = scores.run(run).columns[measure.name]
    return sum(missing), sum(cell is None and not gone for cell, gone in zip(column, missing, strict=True))


def _have_topics_in_common(scores: Scores, columns: Sequence[RunScores]) -> None:
    present = ~np.array([run.missing for run in columns], dtype=bool)
    common = present.astype(np.int64) @ present.T.astype(np.int64)
    for run, own in zip(columns, common.diagonal().tolist(), strict=True):
        if own == 0:
            raise InputError(f"{run.name} has no results for any of the {len(scores.topics)} topics; leave it out")
    apart = np.argwhere(common == 0)
    if len(apart):
        a, b = (columns[i] for i in apart[0])
        counts = (len(scores.topics) - sum(a.missing), len(scores.topics) - sum(b.missing))
        raise InputError(
            f"{a.name} and {b.name} have no topic in common ({counts[0]} and {counts[1]} topics); "
            "runs are compared topic by topic, so they must be of the same test set"
        )


def _too_few(measure: Measure, runs: Sequence[str], topics: Sequence[str]) -> str:
    who = " and ".join(runs) if len(runs) == 2 else f"these {len(runs)} runs"
    if not topics:
        return f"there is no topic on which {measure.name} is defined for {who}; a comparison needs at least 2"
    return f"{who} share one topic with a value of {measure.name} ({topics[0]}); a comparison needs at least 2"


def _clusters(scores: Scores, cluster: str | None, chosen: Sequence[int]) -> tuple[str | None, list[Any] | None]:
    if cluster is None:
        return None, None
    name = "cluster" if cluster == "auto" else cluster
    if name not in scores.fields:
        if cluster == "auto":
            return None, None
        known = ", ".join(scores.fields) or "none"
        raise UsageError(f"no field {name!r} to resample by; the gold has {known}")
    column = scores.fields[name]
    # A topic without a cluster stands alone; its position cannot be equal to any cluster's name.
    values = [column[i] if column[i] is not None else (i,) for i in chosen]
    return (name, values) if len(set(values)) < len(values) else (None, None)


def _sample(
    scores: Scores, measure: Measure, columns: Sequence[RunScores], chosen: Sequence[int], clusters: list[Any] | None
) -> Sample:
    if measure.level == "whole":
        parts = [[[run.columns[name][i] for i in chosen] for name in measure.of] for run in columns]
        return Whole(measure.bound(), parts, clusters)
    if measure.level == "sums":
        cells = [[run.columns[name] for name in measure.of] for run in columns]
    else:
        cells = [[policies.counted(scores, run.name, measure)] for run in columns]
    table = np.array(
        [[[column[i] or 0 for column in of_run] for of_run in cells] for i in chosen], dtype=np.float64
    ).reshape(len(chosen), len(columns), len(cells[0]))
    if measure.level == "sums":
        return Ratios(table, closing(measure.bound()), clusters)
    if measure.average == "mean":
        return Means(table[:, :, 0], clusters)
    if measure.average == "sum":
        return Ratios(table, lambda n, total: total + 0.0, clusters)
    return Ratios(np.log(np.maximum(table, GEOMETRIC_FLOOR)), lambda n, logs: np.exp(logs / n), clusters)


def closing(formula: Callable[..., tuple[Any, Any]]) -> Callable[..., Any]:
    """A closing formula (n, *sums) → (numerator, denominator) as a function of arrays; NaN where the denominator is 0.

    >>> half = closing(lambda n, correct: (correct, n))
    >>> half(np.array([4, 0]), np.array([2, 0])).tolist()
    [0.5, nan]
    """

    def value(n: Any, *sums: Any) -> Any:
        try:
            top, bottom = formula(n, *sums)
        except (ValueError, TypeError):
            # A formula with a condition in it takes one set of sums at a time.
            shape = np.broadcast_shapes(np.shape(n), *(np.shape(s) for s in sums))
            flat = [np.broadcast_to(part, shape).ravel().tolist() for part in (n, *sums)]
            pairs = [formula(*row) for row in zip(*flat, strict=True)]
            top = np.array([pair[0] for pair in pairs], dtype=object).reshape(shape)
            bottom = np.array([pair[1] for pair in pairs], dtype=object).reshape(shape)
        top, bottom = np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
        return np.where(bottom != 0, top / np.where(bottom != 0, bottom, 1.0), np.nan)

    return value


def _correct(columns: Sequence[RunScores], chosen: Sequence[int]) -> Any:
    if not all("correct" in run.columns for run in columns):
        return None
    cells = [[run.columns["correct"][i] for run in columns] for i in chosen]
    if not all(cell in (0, 1, None) for row in cells for cell in row):
        return None
    return np.array([[bool(cell) for cell in row] for row in cells])
