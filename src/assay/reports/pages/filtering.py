"""The pages of filtering: summary, graphs against the median, and utility over time for adaptive runs."""

from __future__ import annotations

from collections.abc import Sequence

from assay.analyses.campaign.result import CampaignResults
from assay.figures.common import AgainstMedian, RunsFigures
from assay.figures.filtering import FilteringRunFigures
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts.tracks import period_graph
from assay.reports.model import Block, BlockRow, Cell, Chart, RunPage, Section, Table, TableColumn, counted, numbers
from assay.reports.pages.page_parts import (
    DIGITS,
    against_median,
    beside_medians,
    facts,
    median_cells,
    page_id,
    page_of,
    topic_section,
    topic_table,
    traits,
)


def run_page(figures: RunsFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    blocks: list[Block] = [_table(prefix, run, campaign)]
    among = _peers(run)
    several = f" of {_kind(run) or 'corresponding'} runs" if run.against_all else ""
    beside = run.against_all or (None,) * len(run.against_median)
    for graph, overall in zip(run.against_median, beside, strict=True):
        name, charts = graph.measure, list[Chart]()
        if run.peers > 1:
            title = f"{in_words(name)} against the median{several}"
            charts.append(against_median(f"{prefix}-median-{name}", campaign, run.run, graph, peers=among, title=title))
        if overall is not None:
            title = f"{in_words(name)} against the median of all runs"
            charts.append(against_median(f"{prefix}-median-all-{name}", campaign, run.run, overall, title=title))
        blocks += [BlockRow(tuple(charts))] if len(charts) > 1 else charts
    more = [Section(f"{prefix}-periods", "Over time", _periods(prefix, run, campaign))] if run.periods else []
    topics = topic_section(campaign, position, _topics(prefix, figures, run, campaign, among))
    return page_of(campaign, position, blocks, topics, *more)


def peer_graphs(figures: RunsFigures, position: int) -> tuple[Sequence[AgainstMedian], str]:
    """Return a run's graphs against the median of the corresponding runs, and these runs in words."""
    run = figures.runs[position]
    return run.against_median, _peers(run)


def _peers(run: FilteringRunFigures) -> str:
    return counted(run.peers, f"{_kind(run)} run".strip())


def _kind(run: FilteringRunFigures) -> str:
    """Return type and subtask in words; empty if characteristics name neither."""
    return " ".join(filter(None, [run.type, run.subtask]))


def _table(prefix: str, run: FilteringRunFigures, campaign: CampaignResults) -> Table:
    rows: list[tuple[str, Cell]] = [("Run ID", model.text(run.run))]
    rows += [(label, model.text(value)) for label, value in traits(campaign, run.run)]
    rows += [
        ("Number of topics", model.count(run.topics)),
        ("Total retrieved", model.count(run.retrieved)),
        ("Relevant retrieved", model.count(run.relevant_retrieved)),
        ("Macro average recall", model.number(run.macro_recall, DIGITS)),
        ("Macro average precision", model.number(run.macro_precision, DIGITS)),
        ("Mean T10SU", model.number(run.mean_t10su, DIGITS)),
        ("Mean F-Beta", model.number(run.mean_f_beta, DIGITS)),
        ("Zero returns", model.count(run.zero_returns)),
    ]
    return facts(f"{prefix}-table", rows, f"Totals of {run.run} and its means over topics. {campaign.method}")


def _topics(
    prefix: str, figures: RunsFigures, run: FilteringRunFigures, campaign: CampaignResults, peers: str
) -> Table:
    """Return the values behind the bars of the graphs."""
    graphs, overall = run.against_median, run.against_all
    rows = (
        (model.text(topic), *median_cells(graphs, i), *(model.number(graph.medians[i]) for graph in overall))
        for i, topic in enumerate(figures.topics)
    )
    caption = f"Values of {run.run} on each topic, the median of {peers}, and their difference."
    caption += f" Last, the median of all {model.counted(len(figures.runs), 'run')}." if overall else ""
    medians = numbers(*(f"Median of all, {in_words(graph.measure)}" for graph in overall))
    heads = [*beside_medians([in_words(graph.measure) for graph in graphs]), *medians]
    return topic_table(campaign, f"{prefix}-topic-table", "By topic", heads, rows, caption)


def _periods(prefix: str, run: FilteringRunFigures, campaign: CampaignResults) -> tuple[Block, ...]:
    periods = run.periods or ()
    table = Table(
        f"{prefix}-period-table",
        "Utility by period",
        (TableColumn("Period"), *numbers("Mean T10U", "Mean T10SU", "Retrieved", "Relevant", "Relevant retrieved")),
        tuple(
            (
                model.text(p.label),
                *(model.number(mean, DIGITS) for mean in (p.mean_t10u, p.mean_t10su)),
                *(model.count(total) for total in (p.retrieved, p.relevant, p.relevant_retrieved)),
            )
            for p in periods
        ),
        f"Means over topics, each period with its own relevant documents. {campaign.method}",
    )
    caption = f"of {run.run} in each period of the stream, with that period's own relevant documents. {campaign.method}"
    charts: list[Chart] = []
    for name, means in (("T10U", [p.mean_t10u for p in periods]), ("T10SU", [p.mean_t10su for p in periods])):
        values = list(zip([p.label for p in periods], means, strict=True))
        alt = f"Mean {in_words(name)} of {run.run} over {model.counted(len(periods), 'period')}."
        charts.append(period_graph(f"{prefix}-{name.lower()}", values, name, f"Mean {in_words(name)} {caption}", alt))
    return table, BlockRow(tuple(charts))
