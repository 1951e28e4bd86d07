"""The pages of list and definition questions: means, measures against the median, every question."""

from __future__ import annotations

from typing import Any

from assay.analyses.campaign.result import CampaignResults
from assay.figures.common import AgainstMedian, RunsFigures
from assay.figures.questions import NuggetRunFigures
from assay.reports import model
from assay.reports.model import Cell, RunPage, Table, TableColumn
from assay.reports.pages.page_parts import (
    beside_medians,
    median_cells,
    page_id,
    question_page,
    topic_table,
)

NAMES = {"ListAccuracy": "accuracy", "InstanceF": "instance F", "NuggetF": "nugget F", "PyramidF": "pyramid F"}
"""The names of the measures in graphs."""
ANSWER_COLUMNS = {
    TableColumn("Nuggets", "nuggets returned", numeric=True): "nuggets_returned",
    TableColumn("Vital", "vital nuggets returned", numeric=True): "vital_returned",
    TableColumn("Length", "in non-white characters", numeric=True): "length",
}
"""The columns of definition questions before the measures, and their figures."""


def run_page(figures: RunsFigures, campaign: CampaignResults, position: int) -> RunPage:
    run = figures.runs[position]
    rows = [("Run ID", model.text(run.run)), ("Num questions", model.count(run.questions)), *_means(run)]
    table = _by_question(page_id(position), figures, run, campaign)
    return question_page(campaign, position, rows, run.against_median, NAMES, table)


def _means(run: Any) -> list[tuple[str, Cell]]:
    if isinstance(run, NuggetRunFigures):
        pyramid = [("pyramid F", run.mean_pyramid_f), ("pyramid recall", run.mean_pyramid_recall)]
        means = [("F", run.mean_f), ("precision", run.mean_precision), ("recall", run.mean_recall), *pyramid]
        return [(f"Mean {name}", model.number(mean)) for name, mean in means]
    hint = "" if run.mean_accuracy is not None else "no question has a target"
    means = [("precision", run.mean_precision), ("recall", run.mean_recall), ("F", run.mean_f)]
    return [
        ("Mean accuracy", model.number(run.mean_accuracy, hint=hint)),
        *((f"Mean instance {name}", model.number(mean)) for name, mean in means),
    ]


def _by_question(prefix: str, figures: RunsFigures, run: Any, campaign: CampaignResults) -> Table:
    counts = ANSWER_COLUMNS if isinstance(run, NuggetRunFigures) else {}
    counted = [getattr(run, name) for name in counts.values()]
    graphs: tuple[AgainstMedian, ...] = run.against_median
    heads = beside_medians([NAMES[graph.measure] for graph in graphs])
    rows = (
        (
            model.text(topic),
            *(model.count(column[i]) for column in counted),
            *median_cells(graphs, i),
        )
        for i, topic in enumerate(figures.topics)
    )
    caption = f"Values of {run.run}, the median of {model.counted(len(figures.runs), 'run')}, and their difference."
    return topic_table(campaign, f"{prefix}-questions", "By question", [*counts, *heads], rows, caption)
