"""The pages of list questions: mean accuracy, and each question's difference from the median."""

from __future__ import annotations

from assay.figures.common import Figures
from assay.figures.list import RunFigures
from assay.reports.model import Cell, Document, number
from assay.reports.pages.campaign import Campaign, Frame
from assay.reports.pages.questions import question_pages

NAMES = {"ListAccuracy": "accuracy", "InstanceF": "instance F"}


def pages(figures: Figures, campaign: Campaign, frame: Frame) -> Document:
    """The campaign's report, or one participant's pages."""
    return question_pages(figures, campaign, frame, NAMES, _means)


def _means(run: RunFigures) -> list[tuple[str, Cell]]:
    hint = "" if run.mean_accuracy is not None else "no question has a target"
    return [
        ("Mean accuracy", number(run.mean_accuracy, hint=hint)),
        ("Mean instance precision", number(run.mean_precision)),
        ("Mean instance recall", number(run.mean_recall)),
        ("Mean instance F", number(run.mean_f)),
    ]
