"""Plain data behind the pages of list questions (001 §3.2): mean accuracy, and the difference from the median."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.figures.against_median import AgainstMedian, against_median

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


@dataclass(frozen=True, slots=True)
class Figures:
    """A campaign of list questions."""

    topics: tuple[str, ...]
    runs: tuple[RunFigures, ...]


def figures(scores: Scores) -> Figures:
    """The figures of every run, from a table with `MEASURES`."""
    return Figures(tuple(scores.topics), tuple(_run(scores, run) for run in scores.runs))


def _run(scores: Scores, run: str) -> RunFigures:
    accuracy = scores.value(run, "ListAccuracy").value
    graphs = ("InstanceF",) if accuracy is None else ("ListAccuracy", "InstanceF")
    return RunFigures(
        run=run,
        characteristics=dict(scores.run(run).notes.characteristics or {}),
        questions=scores.value(run, "InstanceP").topics,
        mean_accuracy=accuracy,
        mean_precision=scores.value(run, "InstanceP").value,
        mean_recall=scores.value(run, "InstanceR").value,
        mean_f=scores.value(run, "InstanceF").value,
        against_median=tuple(against_median(scores, run, measure) for measure in graphs),
    )
