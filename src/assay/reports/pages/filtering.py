"""The pages of filtering (001 §4): Table 5, the median graph, and for adaptive runs utility over time periods."""

from __future__ import annotations

from assay.figures.filtering import Figures, RunFigures
from assay.reports import model
from assay.reports.charts import tracks as track_charts
from assay.reports.model import Block, Column, Page, Report, Row, Section, Table, TableRow
from assay.reports.pages.campaign import LABEL_VALUE, Campaign, Frame, against_median, assemble, page_id

DIGITS = 3
"""As 001 prints them."""


def pages(figures: Figures, campaign: Campaign, frame: Frame) -> Report:
    """The campaign's report, or one participant's pages."""
    meta = (("Topics", str(len(figures.topics))),)
    return assemble(frame, campaign, meta, lambda position: _run_page(figures, campaign, position))


def _run_page(figures: Figures, campaign: Campaign, position: int) -> Page:
    run, prefix = figures.runs[position], page_id(position)
    blocks: list[Block] = [_table(prefix, run, campaign)]
    peers = sum(other.subtask == run.subtask for other in figures.runs)
    among = f"{peers} {run.subtask} runs" if run.subtask else f"{peers} runs"
    if peers > 1:
        blocks += [
            against_median(
                f"{prefix}-median-{graph.measure}",
                campaign,
                run.run,
                graph.measure,
                list(zip(figures.topics, graph.values, graph.medians, graph.differences, strict=True)),
                among,
            )
            for graph in run.against_median
        ]
    sections = [Section(f"{prefix}-summary", "Evaluation report", tuple(blocks))]
    if run.periods:
        sections.append(Section(f"{prefix}-periods", "Over time", _periods(prefix, run, campaign)))
    return Page(prefix, run.run, "", tuple(sections), campaign.header(run.run))


def _table(prefix: str, run: RunFigures, campaign: Campaign) -> Table:
    described = dict(campaign.header(run.run))
    rows: list[TableRow] = [(model.text("Run ID"), model.text(run.run))]
    rows += [(model.text(label), model.text(value)) for label, value in described.items()]
    rows += [
        (model.text("Number of topics"), model.count(run.topics)),
        (model.text("Total retrieved"), model.count(run.retrieved)),
        (model.text("Relevant retrieved"), model.count(run.relevant_retrieved)),
        (model.text("Macro average recall"), model.number(run.macro_recall, DIGITS)),
        (model.text("Macro average precision"), model.number(run.macro_precision, DIGITS)),
        (model.text("Mean T10SU"), model.number(run.mean_t10su, DIGITS)),
        (model.text("Mean F-Beta"), model.number(run.mean_f_beta, DIGITS)),
        (model.text("Zero returns"), model.count(run.zero_returns)),
    ]
    caption = f"Totals of {run.run} and its means over topics. {campaign.how}"
    return Table(f"{prefix}-table", "Summary statistics", LABEL_VALUE, tuple(rows), caption, show_header=False)


def _periods(prefix: str, run: RunFigures, campaign: Campaign) -> tuple[Block, ...]:
    periods = run.periods or ()
    table = Table(
        f"{prefix}-period-table",
        "Utility by period",
        (
            Column("Period"),
            Column("Mean T10U", numeric=True),
            Column("Mean T10SU", numeric=True),
            Column("Retrieved", numeric=True),
            Column("Relevant", numeric=True),
            Column("Relevant retrieved", numeric=True),
        ),
        tuple(
            (
                model.text(period.label),
                model.number(period.mean_t10u, DIGITS),
                model.number(period.mean_t10su, DIGITS),
                model.count(period.retrieved),
                model.count(period.relevant),
                model.count(period.relevant_retrieved),
            )
            for period in periods
        ),
        f"Means over topics, each period with its own relevant documents. {campaign.how}",
    )
    said = f"of {run.run} in each period of the stream, with that period's own relevant documents. {campaign.how}"
    graphs = Row(
        (
            track_charts.period_graph(
                f"{prefix}-t10u",
                [(period.label, period.mean_t10u) for period in periods],
                "T10U",
                f"Mean T10U {said}",
                f"Mean T10U of {run.run} over {model.counted(len(periods), 'period')}.",
            ),
            track_charts.period_graph(
                f"{prefix}-t10su",
                [(period.label, period.mean_t10su) for period in periods],
                "T10SU",
                f"Mean T10SU {said}",
                f"Mean T10SU of {run.run} over {model.counted(len(periods), 'period')}.",
            ),
        )
    )
    return (table, graphs)
