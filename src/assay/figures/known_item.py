"""Figures of known-item search: the summary and the cumulative graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from assay.figures.common import Count, characteristics, entered, median_ranks
from assay.table.scores import Scores

MEASURES = ("RR", "Rank", "Found@1", "Found@10", "NotFound@100")
COLUMNS = ()
RANKS = 100
"""How far the cumulative curves go."""


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
    """At place k - 1: the percentage of topics whose item stands at rank k or better."""


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


def figures(scores: Scores) -> KnownItemFigures:
    medians = median_ranks(scores, "Rank")
    return KnownItemFigures(
        tuple(scores.topics),
        tuple(_run(scores, run) for run in scores.runs),
        tuple(medians),
        tuple(cumulative([medians[i] for i in entered(scores)])),
    )


def _run(scores: Scores, run: str) -> KnownItemRunFigures:
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
