"""Plain data behind the pages of definition questions: mean F and pyramid F, and the difference from the median."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.figures.against_median import AgainstMedian, graphs
from assay.figures.of_runs import Figures, of_runs

if TYPE_CHECKING:
    from assay.table import Scores

MEASURES = ("NuggetF", "NuggetP", "NuggetR", "PyramidF", "PyramidR")
"""What a score table must hold for `figures`."""
COLUMNS = ("returned", "vital_returned", "length")


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One run: its means; per question its nuggets and length; its values against the median run."""

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


def figures(scores: Scores) -> Figures:
    """The figures of every run, from a table with `MEASURES` and `COLUMNS`."""
    return of_runs(scores, _run)


def _run(scores: Scores, run: str) -> RunFigures:
    def value(measure: str) -> float | None:
        return scores.value(run, measure).value

    def counts(column: str) -> tuple[int, ...]:
        return tuple(int(cell or 0) for cell in scores.column(run, column))

    return RunFigures(
        run=run,
        characteristics=dict(scores.run(run).notes.characteristics or {}),
        questions=scores.value(run, "NuggetP").topics,
        mean_f=value("NuggetF"),
        mean_precision=value("NuggetP"),
        mean_recall=value("NuggetR"),
        mean_pyramid_f=value("PyramidF"),
        mean_pyramid_recall=value("PyramidR"),
        nuggets_returned=counts("returned"),
        vital_returned=counts("vital_returned"),
        length=counts("length"),
        against_median=graphs(scores, run, ("NuggetF", "PyramidF")),
    )
