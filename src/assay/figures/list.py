"""Plain data behind the pages of list questions : mean accuracy, and the difference from the median."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.figures.against_median import AgainstMedian, graphs
from assay.figures.of_runs import Figures, of_runs

if TYPE_CHECKING:
    from assay.table import Scores

MEASURES = ("ListAccuracy", "InstanceP", "InstanceR", "InstanceF")
"""What a score table must hold for `figures`."""
COLUMNS = ()


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One run: its means, and its values against the median run."""

    run: str
    characteristics: dict[str, Any]
    questions: int
    mean_accuracy: float | None
    """None where no question has a target number."""
    mean_precision: float | None
    mean_recall: float | None
    mean_f: float | None
    against_median: tuple[AgainstMedian, ...]
    """Accuracy where there are targets, and F."""


def figures(scores: Scores) -> Figures:
    """The figures of every run, from a table with `MEASURES`."""
    return of_runs(scores, _run)


def _run(scores: Scores, run: str) -> RunFigures:
    return RunFigures(
        run=run,
        characteristics=dict(scores.run(run).notes.characteristics or {}),
        questions=scores.value(run, "InstanceP").topics,
        mean_accuracy=scores.value(run, "ListAccuracy").value,
        mean_precision=scores.value(run, "InstanceP").value,
        mean_recall=scores.value(run, "InstanceR").value,
        mean_f=scores.value(run, "InstanceF").value,
        against_median=graphs(scores, run, ("ListAccuracy", "InstanceF")),
    )
