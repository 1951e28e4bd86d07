"""A measure topic by topic against the median run: the bar chart of several tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.figures.median import differences, median_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.table import Scores


@dataclass(frozen=True, slots=True)
class AgainstMedian:
    """A run's values in one measure, the median over runs, and the differences; None where undefined."""

    measure: str
    values: tuple[float | None, ...]
    medians: tuple[float | None, ...]
    differences: tuple[float | None, ...]

    @property
    def above(self) -> int:
        """On how many topics the run is better than the median run."""
        return sum(1 for difference in self.differences if difference is not None and difference > 0)


def against_median(scores: Scores, run: str, measure: str, peers: Sequence[str] | None = None) -> AgainstMedian:
    """A run against the median of its peers (all runs unless named), itself among them."""
    values = scores.column(run, measure)
    medians = median_values(scores, measure, peers)
    return AgainstMedian(measure, tuple(values), tuple(medians), tuple(differences(values, medians)))


def graphs(scores: Scores, run: str, measures: Sequence[str]) -> tuple[AgainstMedian, ...]:
    """A run's graphs in those of the measures that it has a value for."""
    return tuple(against_median(scores, run, name) for name in measures if scores.value(run, name).value is not None)
