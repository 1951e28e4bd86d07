"""Figures of list questions: mean accuracy, and the difference from the median."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.figures.common import AgainstMedian, RunsFigures, characteristics, graphs, values_of
from assay.table.scores import Scores

MEASURES = ("ListAccuracy", "InstanceP", "InstanceR", "InstanceF")
COLUMNS = ()


@dataclass(frozen=True, slots=True)
class ListRunFigures:
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


def figures(scores: Scores) -> RunsFigures:
    return RunsFigures.of(scores, _run)


def _run(scores: Scores, run: str) -> ListRunFigures:
    return ListRunFigures(
        run=run,
        characteristics=characteristics(scores, run),
        questions=scores.value(run, "InstanceP").topics,
        against_median=graphs(scores, run, ("ListAccuracy", "InstanceF")),
        **values_of(
            scores,
            run,
            mean_accuracy="ListAccuracy",
            mean_precision="InstanceP",
            mean_recall="InstanceR",
            mean_f="InstanceF",
        ),
    )
