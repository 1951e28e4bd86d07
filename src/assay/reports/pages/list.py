"""The pages of list questions (001 §3.2): mean accuracy, and each question's difference from the median."""

from __future__ import annotations

from assay.figures.list import Figures, RunFigures
from assay.reports import model
from assay.reports.model import Block, Column, Page, Report, Section, Table, TableRow
from assay.reports.pages.campaign import LABEL_VALUE, Campaign, Frame, against_median, assemble, by_topic, page_id

NAMES = {"ListAccuracy": "accuracy", "InstanceF": "instance F"}


def pages(figures: Figures, campaign: Campaign, frame: Frame) -> Report:
    """The campaign's report, or one participant's pages."""
    meta = (("Questions", str(len(figures.topics))),)
    return assemble(frame, campaign, meta, lambda position: _run_page(figures, campaign, position))


def _run_page(figures: Figures, campaign: Campaign, position: int) -> Page:
    run, prefix = figures.runs[position], page_id(position)
    blocks: list[Block] = [_table(prefix, run, campaign.how)]
    if len(figures.runs) > 1:
        blocks += [
            against_median(
                f"{prefix}-median-{graph.measure}",
                campaign,
                run.run,
                NAMES[graph.measure],
                list(zip(figures.topics, graph.values, graph.medians, graph.differences, strict=True)),
            )
            for graph in run.against_median
        ]
    sections = (
        Section(f"{prefix}-summary", "Evaluation report", tuple(blocks)),
        Section(f"{prefix}-topics", "Question by question", (_questions(prefix, figures, run, campaign),)),
    )
    return Page(prefix, run.run, "", sections, campaign.header(run.run))


def _table(prefix: str, run: RunFigures, how: str) -> Table:
    rows: tuple[TableRow, ...] = (
        (model.text("Run ID"), model.text(run.run)),
        (model.text("Num questions"), model.count(run.questions)),
        (
            model.text("Mean accuracy"),
            model.number(run.mean_accuracy, hint="" if run.mean_accuracy is not None else "no question has a target"),
        ),
        (model.text("Mean instance precision"), model.number(run.mean_precision)),
        (model.text("Mean instance recall"), model.number(run.mean_recall)),
        (model.text("Mean instance F"), model.number(run.mean_f)),
    )
    caption = f"Means of {run.run} over the questions. {how}"
    return Table(f"{prefix}-table", "Summary statistics", LABEL_VALUE, rows, caption, show_header=False)


def _heading(measure: str) -> str:
    name = NAMES[measure]
    return f"{name[0].upper()}{name[1:]}"


def _questions(prefix: str, figures: Figures, run: RunFigures, campaign: Campaign) -> Table:
    columns = [Column("Question")]
    for graph in run.against_median:
        name = _heading(graph.measure)
        columns += [Column(name, numeric=True), Column("Median", numeric=True), Column("Difference", numeric=True)]
    rows = by_topic(
        (
            model.text(topic),
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
    caption += campaign.how
    return Table(f"{prefix}-questions", "By question", tuple(columns), rows, caption, sortable=True)
