"""The pages of list questions and of definition questions: means, each measure against the median, and every question."""

from __future__ import annotations

from typing import Any

from assay.analyses.campaign.result import CampaignResults
from assay.figures.common import AgainstMedian, RunsFigures
from assay.figures.questions import NuggetRunFigures
from assay.reports import model
from assay.reports.model import Block, Cell, RunPage, Table, TableColumn
from assay.reports.pages.page_parts import (
    against_median,
    beside_medians,
    facts,
    median_cells,
    page_id,
    page_of,
    topic_section,
    topic_table,
)

NAMES = {"ListAccuracy": "accuracy", "InstanceF": "instance F", "NuggetF": "nugget F", "PyramidF": "pyramid F"}
"""What the measures of the graphs are called."""
ANSWER_COLUMNS = {
    TableColumn("Nuggets", "nuggets returned", numeric=True): "nuggets_returned",
    TableColumn("Vital", "vital nuggets returned", numeric=True): "vital_returned",
    TableColumn("Length", "in non-white characters", numeric=True): "length",
}
"""What the table of definition questions has before the measures."""


def run_page(figures: RunsFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    rows = [("Run ID", model.text(run.run)), ("Num questions", model.count(run.questions)), *_means(run)]
    caption = f"Means of {run.run} over the questions. {campaign.method}"
    blocks: list[Block] = [facts(f"{prefix}-table", rows, caption)]
    for graph in run.against_median if len(figures.runs) > 1 else ():
        id, name = f"{prefix}-median-{graph.measure}", NAMES[graph.measure]
        blocks.append(against_median(id, campaign, run.run, graph, name))
    table = _by_question(prefix, figures, run, campaign)
    return page_of(campaign, position, blocks, topic_section(campaign, position, table))


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
