"""The pages of diversity: summary, measures at ndeval's cutoffs, subtopic recall by rank, each topic."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults
from assay.figures.diversity import CUTOFFS, DEPTH, DiversityFigures, DiversityRunFigures
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts import ranked as charts
from assay.reports.model import (
    Block,
    BlockRow,
    Chart,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
    TableRow,
    averaged,
    counted,
    numbers,
)
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

HAS_AVERAGES = True


def meta(figures: DiversityFigures) -> list[tuple[str, str]]:
    """Return the number of subtopics for the report's header."""
    return [("Subtopics", str(sum(figures.subtopics)))]


def sections(figures: DiversityFigures, campaign: CampaignResults) -> list[Section]:
    ordered = [figures.runs[i] for i in campaign.order]
    several = len(ordered) > 1
    named, which = coloured_runs(campaign)
    chart = charts.recall_overlay(
        "subtopic-recall",
        {run.run: run.recall_by_rank for run in ordered},
        named,
        f"The share of a topic's subtopics that the first documents cover, averaged over topics: {which}"
        f"{', the median run dashed' if several else ''}. {campaign.method}",
        f"{'Curves' if several else 'Curve'} of {counted(len(ordered), 'run')}, rising from left to right; {ordered[0].run} "
        f"covers {model.number(ordered[0].recall_by_rank[-1]).text} of the subtopics by rank {DEPTH}.",
        median=figures.median_by_rank if several else None,
    )
    return [Section("subtopics-section", "Subtopics covered", (averaged(chart),))]


def run_page(figures: DiversityFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    several = len(figures.runs) > 1
    blocks: list[Block] = [
        BlockRow((_summary(prefix, run, figures, campaign), _measures(prefix, run, campaign)), (1, 1.3))
    ]
    curve = averaged(_curve(prefix, figures, run, campaign))
    histogram = against_median(f"{prefix}-histogram", campaign, run.run, run.against_median)
    blocks.append(BlockRow((curve, histogram)) if several else curve)
    return page_of(
        campaign, position, blocks, topic_section(campaign, position, _topics(prefix, figures, run, campaign))
    )


def _summary(prefix: str, run: DiversityRunFigures, figures: DiversityFigures, campaign: CampaignResults) -> Table:
    described = describe_run(campaign, run.run)
    rows = (
        ("Run", model.text(f"{run.run}, {described}" if described else run.run)),
        ("Number of topics", model.count(run.topics)),
        ("Subtopics with a relevant document", model.count(sum(figures.subtopics))),
        Span("Total number of documents over all topics"),
        ("Retrieved", model.count(run.retrieved)),
        ("Relevant to any subtopic", model.count(run.relevant)),
        ("Of these retrieved", model.count(run.relevant_retrieved)),
    )
    caption = f"What {run.run} retrieved in all. {campaign.method}"
    return facts(f"{prefix}-table-1", rows, caption, "I. Summary statistics")


def _measures(prefix: str, run: DiversityRunFigures, campaign: CampaignResults) -> Table:
    rows: list[TableRow] = [(model.text(name), *map(model.number, values)) for name, values in run.at_cutoffs]
    rows.append(Span("Over the whole ranking"))
    rows += [
        (model.text(name), *(model.text(""),) * (len(CUTOFFS) - 1), model.number(value)) for name, value in run.whole
    ]
    columns = (TableColumn("Measure"), *numbers(*(f"@{cut}" for cut in CUTOFFS)))
    caption = f"The measures of ndeval for {run.run}, averaged over {counted(run.topics, 'topic')}. {campaign.method}"
    return averaged(Table(f"{prefix}-table-2", "II. Diversity and novelty", columns, tuple(rows), caption))


def _curve(prefix: str, figures: DiversityFigures, run: DiversityRunFigures, campaign: CampaignResults) -> Chart:
    several = len(figures.runs) > 1
    return charts.run_recall(
        f"{prefix}-curve",
        run.run,
        run.recall_by_rank,
        figures.median_by_rank if several else None,
        f"The share of a topic's subtopics that the first documents of {run.run} cover"
        f"{', and that of the median run' if several else ''}, averaged over {counted(run.topics, 'topic')}. {campaign.method}",
        f"Curve of {run.run}, from {model.number(run.recall_by_rank[0]).text} at rank 1 to "
        f"{model.number(run.recall_by_rank[-1]).text} at rank {DEPTH}.",
    )


def _topics(prefix: str, figures: DiversityFigures, run: DiversityRunFigures, campaign: CampaignResults) -> Table:
    graph = run.against_median
    hints = {
        "Subtopics": "subtopics with a relevant document",
        "Covered": f"of these, covered by the first {DEPTH} documents",
        graph.measure: "of this run",
        "Median": "median of all runs on this topic",
        "Difference": f"{in_words(graph.measure)} minus median",
    }
    columns = zip(
        figures.topics, figures.subtopics, run.topic_recall, graph.values, graph.medians, graph.differences, strict=True
    )
    absent = model.missing("the run has no results that count on this topic")
    rows = (
        (
            model.text(topic),
            model.count(subtopics),
            absent if recall is None else model.count(round(recall * subtopics)),
            model.number(value),
            model.number(median),
            model.number(difference, signed=True),
        )
        for topic, subtopics, recall, value, median, difference in columns
    )
    return topic_table(
        campaign,
        f"{prefix}-topic-table",
        f"{in_words(graph.measure)} by topic",
        [TableColumn(label, hint, numeric=True) for label, hint in hints.items()],
        rows,
        f"{in_words(graph.measure)} of {run.run} on each topic, and the median of {counted(len(figures.runs), 'run')} on it.",
    )
