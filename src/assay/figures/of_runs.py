"""The figures of tasks whose campaign is no more than its runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.table import Scores


@dataclass(frozen=True, slots=True)
class Figures:
    """A campaign: its topics, and the figures of each run."""

    topics: tuple[str, ...]
    runs: tuple[Any, ...]


def of_runs(scores: Scores, figures_of: Callable[[Scores, str], Any]) -> Figures:
    """The figures of every run."""
    return Figures(tuple(scores.topics), tuple(figures_of(scores, run) for run in scores.runs))
