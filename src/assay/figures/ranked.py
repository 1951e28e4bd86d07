"""Plain data behind the pages of a ranked run (001 §2): the three tables, the two graphs and the plot of each topic."""

from __future__ import annotations

from dataclasses import dataclass

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One run: Tables I to III, and per topic what the graphs need. None means undefined; `ranks` None, topic missing."""

    run: str
    topics: int
    retrieved: int
    relevant: int
    relevant_retrieved: int
    recall_levels: tuple[float | None, ...]
    average_precision: float | None
    cutoffs: tuple[tuple[int, float | None], ...]
    r_precision: float | None
    topic_average_precision: tuple[float | None, ...]
    difference: tuple[float | None, ...]
    ranks: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """A campaign: its topics with their number of relevant documents, its runs, and the median of the runs on each topic."""

    topics: tuple[str, ...]
    relevant: tuple[int, ...]
    runs: tuple[RunFigures, ...]
    median: tuple[float | None, ...]
    median_levels: tuple[float | None, ...]
