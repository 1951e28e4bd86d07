"""The pages of definition questions: mean F and pyramid F, nuggets by question, and the difference from the median."""

from __future__ import annotations

from assay.figures.common import Figures
from assay.figures.nuggets import RunFigures
from assay.reports.model import Cell, Column, Document, number
from assay.reports.pages.campaign import Campaign, Frame
from assay.reports.pages.questions import Counts, question_pages

NAMES = {"NuggetF": "nugget F", "PyramidF": "pyramid F"}
COUNTS: Counts = {
    Column("Nuggets", "nuggets returned", numeric=True): lambda run: run.nuggets_returned,
    Column("Vital", "vital nuggets returned", numeric=True): lambda run: run.vital_returned,
    Column("Length", "in non-white characters", numeric=True): lambda run: run.length,
}


def pages(figures: Figures, campaign: Campaign, frame: Frame) -> Document:
    """The campaign's report, or one participant's pages."""
    return question_pages(figures, campaign, frame, NAMES, _means, COUNTS)


def _means(run: RunFigures) -> list[tuple[str, Cell]]:
    return [
        ("Mean F", number(run.mean_f)),
        ("Mean precision", number(run.mean_precision)),
        ("Mean recall", number(run.mean_recall)),
        ("Mean pyramid F", number(run.mean_pyramid_f)),
        ("Mean pyramid recall", number(run.mean_pyramid_recall)),
    ]
