"""The pages of context questions: the rank of the first correct answer to each question of each series."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults
from assay.figures.common import natural
from assay.figures.questions import ContextFigures, ContextRunFigures
from assay.reports import model
from assay.reports.charts.tracks import series_alive
from assay.reports.model import BlockRow, Chart, RunPage, Table, TableColumn, numbers
from assay.reports.pages.page_parts import page_id, page_of, rank_cell, topic_table


def run_page(figures: ContextFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    alive = BlockRow((_alive(prefix, run, campaign), _graph(prefix, figures, run, campaign)), (1, 2))
    blocks = (_series(prefix, run, campaign), alive, _questions(prefix, figures, run, campaign))
    return page_of(campaign, position, blocks)


def _graph(prefix: str, figures: ContextFigures, run: ContextRunFigures, campaign: CampaignResults) -> Chart:
    curves = {
        other.run: [(place, share) for place, share in enumerate(other.alive, start=1) if share is not None]
        for other in figures.runs
    }
    others = f", the other {model.counted(len(curves) - 1, 'run')} in grey" if len(curves) > 1 else ""
    last = curves[run.run][-1:]
    ends = f", ending at {last[0][1]:.0%} after question {last[0][0]}" if last else ""
    return series_alive(
        f"{prefix}-alive-graph",
        run.run,
        curves,
        f"Share of the series of {run.run} whose questions up to this one were all answered{others}. {campaign.method}",
        f"Curve of the share of series still alive of {run.run}{ends}.",
    )


def _series(prefix: str, run: ContextRunFigures, campaign: CampaignResults) -> Table:
    """Return a table with a row per series and a column per place in it."""
    longest = max((len(series.questions) for series in run.series), default=0)
    rows = tuple(
        (
            model.text(series.series),
            *(rank_cell(question.rank) for question in series.questions),
            *(model.text("") for _ in range(longest - len(series.questions))),
            model.count(series.alive),
        )
        for series in sorted(run.series, key=lambda series: natural(series.series))
    )
    columns = (
        TableColumn("Series"),
        *numbers(*(chr(ord("a") + place) if place < 26 else str(place + 1) for place in range(longest))),
        TableColumn("Answered first", "questions answered before the first that was not", numeric=True),
    )
    caption = f"Rank at which {run.run} returned the first correct answer of each question."
    return Table(f"{prefix}-series", "Ranks by series", columns, rows, f"{caption} {campaign.method}")


def _alive(prefix: str, run: ContextRunFigures, campaign: CampaignResults) -> Table:
    rows = tuple((model.text(str(place)), model.percent(share, 1)) for place, share in enumerate(run.alive, start=1))
    columns = (TableColumn("After question"), *numbers("Series alive"))
    caption = f"Share of series whose questions up to this one were all answered, of those that long. {campaign.method}"
    return Table(f"{prefix}-alive", "Series still alive", columns, rows, caption)


def _questions(prefix: str, figures: ContextFigures, run: ContextRunFigures, campaign: CampaignResults) -> Table:
    medians = dict(zip(figures.topics, figures.median_ranks, strict=True))
    median = TableColumn("Median rank", "says little with few runs", numeric=True)
    return topic_table(
        campaign,
        f"{prefix}-questions",
        "By question",
        (*numbers("Rank"), median, *numbers("Instance F")),
        (
            (
                model.text(question.id),
                rank_cell(question.rank),
                rank_cell(medians[question.id]),
                model.number(question.instance_f),
            )
            for series in run.series
            for question in series.questions
        ),
        f"Rank at which {run.run} returned the first correct answer, the median of "
        f"{model.counted(len(campaign.runs), 'run')}, and F over distinct right answers.",
    )
