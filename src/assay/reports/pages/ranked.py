"""The pages of ranked retrieval: TREC's Tables I to III, both graphs, a plot per topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.analyses.campaign.result import CampaignResults
from assay.figures.common import AgainstMedian, natural
from assay.figures.ranked import LEVELS, RankedFigures, RankedRunFigures, topic_points
from assay.reports import model
from assay.reports.charts import ranked as charts
from assay.reports.model import (
    Block,
    BlockRow,
    Json,
    Panels,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
    TableRow,
    averaged,
    counted,
    numbers,
)  # fmt: skip
from assay.reports.pages.page_parts import (
    against_median,
    coloured_runs,
    describe_run,
    facts,
    page_id,
    page_of,
    topic_section,
    topic_table,
)

Labelled = tuple[str, float | None]
HAS_AVERAGES = True


def meta(figures: RankedFigures) -> list[tuple[str, str]]:
    """Return the number of relevant documents for the report's header."""
    return [("Relevant documents", str(sum(figures.relevant)))]


def sections(figures: RankedFigures, campaign: CampaignResults) -> list[Section]:
    return [Section("curves-section", "Recall and precision", (averaged(overlay(figures, campaign)),))]


def overlay(figures: RankedFigures, campaign: CampaignResults) -> model.Chart:
    ordered = [figures.runs[i] for i in campaign.order]
    several = len(ordered) > 1
    named, which = coloured_runs(campaign)
    return charts.recall_precision_overlay(
        "recall-precision",
        {run.run: run.recall_levels for run in ordered},
        named,
        f"Interpolated precision at 11 standard recall levels, averaged over topics: {which}"
        f"{', the median run dashed' if several else ''}. At recall r, the highest precision at any recall ≥ r. "
        f"Compare within the bands 0 to 0.2, 0.2 to 0.8 and 0.8 to 1. {campaign.method}",
        f"Recall-precision {'curves' if several else 'curve'} of {counted(len(ordered), 'run')}, falling from left to right; "
        f"{ordered[0].run} begins at precision {model.number(ordered[0].recall_levels[0]).text}.",
        median=figures.median_levels if several else None,
    )


def run_page(figures: RankedFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    tables = (_summary(prefix, run, campaign), _recall_levels(prefix, run), _document_levels(prefix, run))
    blocks: list[Block] = [BlockRow(tables, (1.15, 1, 1.1))]
    several = len(figures.runs) > 1
    curve = charts.run_recall_precision(
        f"{prefix}-curve",
        run.run,
        run.recall_levels,
        figures.median_levels if several else None,
        f"Recall-precision graph of {run.run}{' and of the median run' if several else ''}: interpolated precision at "
        f"11 standard recall levels, averaged over {counted(run.topics, 'topic')}. {campaign.method}",
        f"Recall-precision graph of {run.run}, from {model.number(run.recall_levels[0]).text} at recall 0 "
        f"to {model.number(run.recall_levels[-1]).text} at recall 1.",
    )
    graph = averaged(curve)
    histogram = against_median(
        f"{prefix}-histogram",
        campaign,
        run.run,
        AgainstMedian("AP", run.topic_average_precision, figures.median, run.difference),
        "average precision",
        title=f"Average precision histogram{', all runs' if run.corresponding else ''}",
    )
    if run.corresponding is not None:
        corresponding = against_median(
            f"{prefix}-histogram-corresponding",
            campaign,
            run.run,
            run.corresponding,
            "average precision",
            f"{run.corresponding_runs} {run.type} runs",
            f"Average precision histogram, {run.type} runs",
        )
        blocks += [graph, BlockRow((histogram, corresponding))]
    else:
        blocks.append(BlockRow((graph, histogram)) if several else graph)
    plots, table = _topic_plots(figures, campaign, run, prefix), _topics(figures, campaign, run, prefix)
    return page_of(campaign, position, blocks, topic_section(campaign, position, plots, table))


def _summary(prefix: str, run: RankedRunFigures, campaign: CampaignResults) -> Table:
    described = describe_run(campaign, run.run)
    rows = (
        ("Run", model.text(f"{run.run}, {described}" if described else run.run)),
        ("Number of topics", model.count(run.topics)),
        Span("Total number of documents over all topics"),
        ("Retrieved", model.count(run.retrieved)),
        ("Relevant", model.count(run.relevant)),
        ("Rel_ret", model.count(run.relevant_retrieved)),
    )
    caption = f"What {run.run} retrieved in all. {campaign.method}"
    return facts(f"{prefix}-table-1", rows, caption, "I. Summary statistics")


def _recall_levels(prefix: str, run: RankedRunFigures) -> Table:
    rows = [(f"{level:.2f}", value) for level, value in zip(LEVELS, run.recall_levels, strict=True)]
    last = ("Average precision over all relevant docs", "non-interpolated", run.average_precision)
    title, caption = "II. Recall level precision averages", f"Interpolated precision of {run.run}, averaged over"
    return _averages(f"{prefix}-table-2", title, "Recall", rows, last, f"{caption} {counted(run.topics, 'topic')}.")


def _document_levels(prefix: str, run: RankedRunFigures) -> Table:
    rows = [(f"At {cutoff} docs", value) for cutoff, value in run.cutoffs]
    meaning = "R-Precision (precision after R docs retrieved, where R is the number of relevant documents)"
    title, caption = "III. Document level averages", f"Precision of {run.run}, averaged over"
    last = (meaning, "Exact", run.r_precision)
    return _averages(f"{prefix}-table-3", title, "Documents", rows, last, f"{caption} {counted(run.topics, 'topic')}.")


def _averages(
    id: str, title: str, first: str, rows: list[Labelled], last: tuple[str, str, float | None], caption: str
) -> Table:
    """Return precision at each level and, below a heading, its summary."""
    meaning, label, value = last
    cells: list[TableRow] = [(model.text(name), model.number(precision)) for name, precision in rows]
    cells += [Span(meaning), (model.text(label), model.number(value))]
    return averaged(Table(id, title, (TableColumn(first), *numbers("Precision")), tuple(cells), caption))


class TopicPlots(Sequence[model.Chart]):
    """A run's plot of every topic, each drawn on access: the plots of all runs would fill the memory."""

    def __init__(self, figures: RankedFigures, run: RankedRunFigures, prefix: str, order: Sequence[int]) -> None:
        self.figures: RankedFigures = figures
        self.run: RankedRunFigures = run
        self.prefix: str = prefix
        self.order: Sequence[int] = order

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, number: int) -> model.Chart:  # pyright: ignore[reportIncompatibleMethodOverride] - no slices
        position = self.order[number]
        topic, relevant = self.figures.topics[position], self.figures.relevant[position]
        points = topic_points(self.run.ranks[position] or (), relevant)
        id, alt = self._named(number)
        return charts.topic_recall_precision(id, topic, points, "", alt)

    def _named(self, number: int) -> tuple[str, str]:
        """Return the id and the alternative text of a plot."""
        position = self.order[number]
        topic, relevant = self.figures.topics[position], self.figures.relevant[position]
        retrieved = len(self.run.ranks[position] or ())
        alt = f"Topic {topic}: {retrieved} of {relevant} relevant documents found."
        return f"{self.prefix}-topic-{number + 1}", alt

    def by_column(self) -> Iterator[tuple[str, str, Json]]:
        """Yield id, alternative text and data of every plot."""
        for number, position in enumerate(self.order):
            ranks = self.run.ranks[position] or ()
            yield *self._named(number), charts.topic_columns(ranks, self.figures.relevant[position])


def _topic_plots(figures: RankedFigures, campaign: CampaignResults, run: RankedRunFigures, prefix: str) -> Panels:
    order = sorted(range(len(figures.topics)), key=lambda i: natural(figures.topics[i]))
    plots = TopicPlots(figures, run, prefix, order)
    return Panels(
        f"{prefix}-topic-plots",
        "Recall and precision on each topic",
        "Topic",
        tuple(figures.topics[i] for i in order),
        plots,
        f"{run.run}: precision at each relevant document found (circles, solid line) and interpolated precision "
        f"(dashed): at recall r, the highest precision at any recall ≥ r. {campaign.method}",
        plots.by_column,
    )


def _topics(figures: RankedFigures, campaign: CampaignResults, run: RankedRunFigures, prefix: str) -> Table:
    hints = {
        "Relevant": "relevant documents in the judgments",
        "Found": "relevant documents retrieved",
        "AP": "average precision",
        "Median AP": "median of all runs on this topic",
        "Difference": "AP minus median",
    }
    ours = (run.ranks, run.topic_average_precision, figures.median, run.difference)
    values: Any = (figures.topics, figures.relevant, *ours)
    peers = run.corresponding and (run.corresponding.medians, run.corresponding.differences)
    beside = list(zip(*peers, strict=True)) if peers else [()] * len(figures.topics)
    columns = [TableColumn(label, hint, numeric=True) for label, hint in hints.items()]
    if peers:
        columns.append(TableColumn(f"Median, {run.type}", f"median of the {run.type} runs on this topic", numeric=True))
        columns.append(TableColumn("Difference", "AP minus that median", numeric=True))
    absent = model.missing("the run has no results that count on this topic")
    rows = (
        (
            model.text(topic),
            model.count(relevant),
            absent if ranks is None else model.count(len(ranks)),
            model.number(precision),
            model.number(median),
            model.number(difference, signed=True),
            *(model.number(value, signed=place > 0) for place, value in enumerate(more)),
        )
        for topic, relevant, ranks, precision, median, difference, more in zip(*values, beside, strict=True)
    )
    return topic_table(
        campaign,
        f"{prefix}-topic-table",
        "Average precision by topic",
        columns,
        rows,
        f"Average precision of {run.run} on each topic, and the median of {counted(len(figures.runs), 'run')} on it"
        f"{f', and of the {run.corresponding_runs} {run.type} runs' if peers else ''}.",
    )
