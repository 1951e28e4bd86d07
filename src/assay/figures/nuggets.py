"""Figures of definition questions: mean F, pyramid F, the difference from the median."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.figures.common import AgainstMedian, RunsFigures, characteristics, graphs, values_of
from assay.table.scores import Scores

MEASURES = ("NuggetF", "NuggetP", "NuggetR", "PyramidF", "PyramidR")
COLUMNS = ("returned", "vital_returned", "length")


@dataclass(frozen=True, slots=True)
class NuggetRunFigures:
    """One run: its means; nuggets and length per question; its values against the median run."""

    run: str
    characteristics: dict[str, Any]
    questions: int
    mean_f: float | None
    mean_precision: float | None
    mean_recall: float | None
    mean_pyramid_f: float | None
    mean_pyramid_recall: float | None
    nuggets_returned: tuple[int, ...]
    vital_returned: tuple[int, ...]
    length: tuple[int, ...]
    """In non-white characters."""
    against_median: tuple[AgainstMedian, ...]
    """F, and the pyramid's F where nuggets have votes."""


def figures(scores: Scores) -> RunsFigures:
    return RunsFigures.of(scores, _run)


def _run(scores: Scores, run: str) -> NuggetRunFigures:
    returned, vital, length = (tuple(int(cell or 0) for cell in scores.column(run, name)) for name in COLUMNS)
    return NuggetRunFigures(
        run=run,
        characteristics=characteristics(scores, run),
        questions=scores.value(run, "NuggetP").topics,
        nuggets_returned=returned, vital_returned=vital, length=length,
        against_median=graphs(scores, run, ("NuggetF", "PyramidF")),
        **values_of(
            scores, run, mean_f="NuggetF", mean_precision="NuggetP", mean_recall="NuggetR", mean_pyramid_f="PyramidF",
            mean_pyramid_recall="PyramidR",
        ),
    )  # fmt: skip
