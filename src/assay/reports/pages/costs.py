"""What the runs of a campaign cost, against how good they are."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults
from assay.errors import shorten_list
from assay.figures.cost_frontier import CostFrontier
from assay.reports import model
from assay.reports.charts import runs as charts
from assay.reports.model import Block, averaged, counted

MOST_NAMES = 8
"""Runs that a sentence names."""


def against_cost(campaign: CampaignResults, found: CostFrontier) -> list[Block]:
    """What a run's value costs, and which runs nobody beats for less."""
    main = campaign.measures[0]
    rows: list[tuple[str, float, float, float | None, float | None]] = []
    for i in campaign.order:
        run, value = campaign.runs[i], main.values[i]
        if run in found.costs and value is not None:
            low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
            rows.append((run, found.costs[run], value, low, high))
    said = cost_sentence(main.name, found)
    unknown = shorten_list(found.unknown, MOST_NAMES, last=" and ")
    caption = [
        f"{main.name} of every run with its interval, against what it costs. The runs that nobody beats at the same cost or "
        "less stand out and are joined.",
        "The axis of costs is logarithmic." if found.wide else "",
        f"Left out, for want of a value or of a known cost: {unknown}." if unknown else "",
        campaign.interval_rule,
        campaign.method,
    ]
    chart = charts.score_and_cost(
        "cost",
        rows,
        found.frontier,
        main.name,
        found.label,
        found.wide,
        " ".join(filter(None, caption)),
        f"Dots: {main.name} against {found.label[:1].lower()}{found.label[1:]} of {counted(len(rows), 'run')}. {said}",
    )
    return [averaged(model.Note(said)), averaged(chart)]


def cost_sentence(measure: str, found: CostFrontier) -> str:
    """Which runs nobody beats for less."""
    if len(found.frontier) == 1:
        return f"No run has a better {measure} than {found.frontier[0]}, and none costs less."
    return (
        f"By {measure}, no run beats {shorten_list(found.frontier, MOST_NAMES, last=' or ')} at the same cost or less."
    )
