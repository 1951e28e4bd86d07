"""The pages of list questions and of definition questions: means, each measure against the median, and every question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from assay.figures.common import Figures
from assay.reports import model
from assay.reports.model import Block, Cell, Column, Document, Page, Table
from assay.reports.pages.assembly import assemble
from assay.reports.pages.campaign import (
    Campaign,
    Frame,
    against_median,
    by_topic,
    by_topic_section,
    facts,
    page_id,
    run_page,
)

Counts = Mapping[Column, Callable[[Any], Sequence[int]]]
"""Columns of the table by question that stand before the measures, and what a run has in them."""


def question_pages(
    figures: Figures,
    campaign: Campaign,
    frame: Frame,
    names: Mapping[str, str],
    means: Callable[[Any], Iterable[tuple[str, Cell]]],
    counts: Counts | None = None,
) -> Document:
    """The campaign's report, or one participant's pages. `names` are what the measures of the graphs are called."""

    def page(position: int) -> Page:
        run, prefix = figures.runs[position], page_id(position)
        rows = [("Run ID", model.text(run.run)), ("Num questions", model.count(run.questions)), *means(run)]
        caption = f"Means of {run.run} over the questions. {campaign.how}"
        blocks: list[Block] = [facts(f"{prefix}-table", rows, caption)]
        if len(figures.runs) > 1:
            blocks += [
                against_median(
                    f"{prefix}-median-{graph.measure}", campaign, run.run, figures.topics, graph, names[graph.measure]
                )
                for graph in run.against_median
            ]
        table = _by_question(prefix, figures, run, campaign, names, counts or {})
        return run_page(campaign, position, blocks, by_topic_section(campaign, position, table))

    return assemble(frame, campaign, page)


def _by_question(
    prefix: str, figures: Figures, run: Any, campaign: Campaign, names: Mapping[str, str], counts: Counts
) -> Table:
    columns = [Column("Question"), *counts]
    for graph in run.against_median:
        name = names[graph.measure]
        columns += [
            Column(f"{name[0].upper()}{name[1:]}", numeric=True),
            Column("Median", numeric=True),
            Column("Difference", numeric=True),
        ]
    counted = [count(run) for count in counts.values()]
    rows = by_topic(
        (
            model.text(topic),
            *(model.count(column[i]) for column in counted),
            *(
                cell
                for graph in run.against_median
                for cell in (
                    model.number(graph.values[i]),
                    model.number(graph.medians[i]),
                    model.number(graph.differences[i], signed=True),
                )
            ),
        )
        for i, topic in enumerate(figures.topics)
    )
    caption = f"Values of {run.run}, the median of {model.counted(len(figures.runs), 'run')}, and their difference. "
    return Table(f"{prefix}-questions", "By question", tuple(columns), rows, caption + campaign.how, sortable=True)
