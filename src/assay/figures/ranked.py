"""Figures of a ranked run: TREC's three tables, two graphs and topic plots.

They follow "Common evaluation measures" (appendix of the Tenth Text REtrieval Conference, 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from assay.figures.common import (
    COUNTED,
    AgainstMedian,
    against_median,
    characteristics,
    counts,
    differences,
    gold_counts,
    median_curve,
    run_type,
)
from assay.table.scores import Scores

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
LEVELS = tuple(level / 10 for level in range(11))
MEASURES = (*COUNTED, "AP", "Rprec", *(f"P@{cutoff}" for cutoff in CUTOFFS), *(f"IPrec@{level}" for level in LEVELS))
COLUMNS = ("relevant_ranks",)


@dataclass(frozen=True, slots=True)
class TopicPoint:
    """A retrieved relevant document: its rank, recall, precision, interpolated precision."""

    rank: int
    recall: float
    precision: float
    interpolated: float


@dataclass(frozen=True, slots=True)
class RankedRunFigures:
    """One run: Tables I to III, and the graphs' values by topic. None means undefined."""

    run: str
    topics: int
    """How many topics enter the averages."""
    retrieved: int
    relevant: int
    relevant_retrieved: int
    recall_levels: tuple[float | None, ...]
    average_precision: float | None
    cutoffs: tuple[tuple[int, float | None], ...]
    r_precision: float | None
    topic_average_precision: tuple[float | None, ...]
    difference: tuple[float | None, ...]
    """Average precision minus the median, topic by topic."""
    ranks: tuple[tuple[int, ...] | None, ...]
    """Where the relevant documents of each topic stand; None where the run lacks the topic."""
    type: str = ""
    """Automatic or manual, or whatever the characteristics say; empty where they say nothing."""
    corresponding: AgainstMedian | None = None
    """Average precision against the median of the runs of the same type; None where these are all runs, or this run alone."""
    corresponding_runs: int = 0
    """How many runs are of this type, this one among them."""


@dataclass(frozen=True, slots=True)
class RankedFigures:
    """A campaign: its topics with their relevant documents, its runs, and the median run."""

    topics: tuple[str, ...]
    relevant: tuple[int, ...]
    runs: tuple[RankedRunFigures, ...]
    median: tuple[float | None, ...]
    """The median of the runs' average precision on each topic."""
    median_levels: tuple[float | None, ...]
    """The median of the runs' averages at each recall level."""


def figures(scores: Scores) -> RankedFigures:
    precision = {run: scores.column(run, "AP") for run in scores.runs}
    medians = median_curve(precision.values())
    types = {run: run_type(characteristics(scores, run)) for run in scores.runs}
    by_type: dict[str, list[str]] = {}
    for run, kind in types.items():
        by_type.setdefault(kind, []).append(run)
    runs = tuple(_run(scores, run, precision[run], medians, types[run], by_type[types[run]]) for run in scores.runs)
    levels = median_curve(run.recall_levels for run in runs)
    return RankedFigures(tuple(scores.topics), gold_counts(scores, "NumRel"), runs, medians, levels)


def topic_points(ranks: Sequence[int], relevant: int) -> tuple[TopicPoint, ...]:
    """Return the plot of a topic: interpolated precision is the highest at any recall ≥ r.

    >>> [point.interpolated for point in topic_points([2, 3, 4, 16], 4)]
    [0.75, 0.75, 0.75, 0.25]
    """
    points = [(rank, place / relevant, place / rank) for place, rank in enumerate(ranks, start=1)]
    highest = list(accumulate((precision for _, _, precision in reversed(points)), max))
    return tuple(TopicPoint(*point, lifted) for point, lifted in zip(points, reversed(highest), strict=True))


def _run(
    scores: Scores,
    run: str,
    precision: list[float | None],
    medians: Sequence[float | None],
    kind: str,
    peers: list[str],
) -> RankedRunFigures:
    ranks: list[Any] = scores.column(run, "relevant_ranks")
    missing = scores.run(run).missing

    def value(measure: str) -> float | None:
        return scores.value(run, measure).value

    correspond = kind and 1 < len(peers) < len(scores.runs)
    retrieved, relevant, hits = counts(scores, run)
    return RankedRunFigures(
        run=run, topics=scores.value(run, "AP").topics, retrieved=retrieved, relevant=relevant, relevant_retrieved=hits,
        recall_levels=tuple(value(f"IPrec@{level}") for level in LEVELS),
        cutoffs=tuple((cutoff, value(f"P@{cutoff}")) for cutoff in CUTOFFS),
        average_precision=value("AP"), r_precision=value("Rprec"), topic_average_precision=tuple(precision),
        difference=tuple(differences(precision, medians)),
        ranks=tuple(None if gone or at is None else tuple(at) for gone, at in zip(missing, ranks, strict=True)),
        type=kind, corresponding=against_median(scores, run, "AP", peers) if correspond else None,
        corresponding_runs=len(peers) if kind else 0,
    )  # fmt: skip
