"""Figures of ranked retrieval, TREC's three tables, two graphs and topic plots; and of known-item search, whose graph is cumulative.

They follow "Common evaluation measures" (appendix of the Tenth Text REtrieval Conference, 2001).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from assay.figures.common import (
    COUNTED,
    AgainstMedian,
    Count,
    TaskFigures,
    against_median,
    characteristics,
    counts,
    differences,
    entered,
    gold_counts,
    median_curve,
    median_ranks,
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
    """Topics that enter the averages."""
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
    """The ranks of the relevant documents of each topic; None where the run lacks the topic."""
    type: str = ""
    """The type in the characteristics, such as automatic or manual; empty without one."""
    corresponding: AgainstMedian | None = None
    """Average precision against the median of the runs of the same type; None where these are all runs, or this run alone."""
    corresponding_runs: int = 0
    """Runs of this type, this one included."""


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


FIGURES = TaskFigures(figures, MEASURES, COLUMNS)

RANKS = 100
"""The last rank of the cumulative curves."""


@dataclass(frozen=True, slots=True)
class KnownItemRunFigures:
    """One run: its summary, the rank of each first right item or None, and its curve."""

    run: str
    characteristics: dict[str, Any]
    topics: int
    mean_reciprocal_rank: float | None
    found_at_1: Count
    found_in_10: Count
    not_found_in_100: Count
    ranks: tuple[int | None, ...]
    cumulative: tuple[float | None, ...]
    """At place k - 1: the percentage of topics whose item is at rank k or better."""


@dataclass(frozen=True, slots=True)
class KnownItemFigures:
    """A campaign: its topics, its runs, and the median run (each item at its median rank)."""

    topics: tuple[str, ...]
    runs: tuple[KnownItemRunFigures, ...]
    median_ranks: tuple[int | None, ...]
    median_cumulative: tuple[float | None, ...]


def cumulative(ranks: Sequence[int | None], upto: int = RANKS) -> list[float | None]:
    """Return the percentage of topics found by rank 1, 2 … `upto`; None is not found.

    >>> cumulative([1, 3, None, 3], upto=3)
    [25.0, 25.0, 75.0]
    """
    at = Counter(ranks)
    totals = accumulate(at[rank] for rank in range(1, upto + 1))
    return [100 * number / len(ranks) if ranks else None for number in totals]


def known_item_figures(scores: Scores) -> KnownItemFigures:
    medians = median_ranks(scores, "Rank")
    return KnownItemFigures(
        tuple(scores.topics),
        tuple(_known_item_run(scores, run) for run in scores.runs),
        tuple(medians),
        tuple(cumulative([medians[i] for i in entered(scores)])),
    )


def _known_item_run(scores: Scores, run: str) -> KnownItemRunFigures:
    ranks: list[Any] = scores.column(run, "Rank")

    def count(measure: str) -> Count:
        value = scores.value(run, measure)
        return Count.of(int(value.value or 0), value.topics)

    reciprocal = scores.value(run, "RR")
    return KnownItemRunFigures(
        run=run, characteristics=characteristics(scores, run),
        topics=reciprocal.topics, mean_reciprocal_rank=reciprocal.value,
        found_at_1=count("Found@1"), found_in_10=count("Found@10"), not_found_in_100=count("NotFound@100"),
        ranks=tuple(ranks),
        cumulative=tuple(cumulative([ranks[i] for i in scores.entering(run)])),
    )  # fmt: skip


KNOWN_ITEM = TaskFigures(known_item_figures, ("RR", "Rank", "Found@1", "Found@10", "NotFound@100"))
