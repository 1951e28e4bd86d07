"""Cost of the runs against their scores."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults
from assay.errors import shorten_list
from assay.figures.cost_frontier import CostFrontier
from assay.reports import model
from assay.reports.charts import runs as charts
from assay.reports.model import Block, averaged, counted

MAX_NAMED_RUNS = 8
"""Runs named in a sentence."""


def against_cost(campaign: CampaignResults, spending: CostFrontier) -> list[Block]:
    """Draw scores against costs, and name the runs that no cheaper run beats."""
    main = campaign.measures[0]
    rows: list[tuple[str, float, float, float | None, float | None]] = []
    for i in campaign.order:
        run, value = campaign.runs[i], main.values[i]
        if run in spending.costs and value is not None:
            low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
            rows.append((run, spending.costs[run], value, low, high))
    sentence = cost_sentence(main.name, spending)
    unknown = shorten_list(spending.unknown, MAX_NAMED_RUNS, last=" and ")
    caption = [
        f"{main.name} of every run with its interval, against its cost. Runs that no other run beats at the same cost or "
        "less are highlighted and joined.",
        "The axis of costs is logarithmic." if spending.wide else "",
        f"Not drawn, because score or cost is unknown: {unknown}." if unknown else "",
        campaign.interval_rule,
        campaign.method,
    ]
    chart = charts.score_and_cost(
        "cost",
        rows,
        spending.frontier,
        main.name,
        spending.label,
        spending.wide,
        " ".join(filter(None, caption)),
        f"Dots: {main.name} against {spending.label[:1].lower()}{spending.label[1:]} of {counted(len(rows), 'run')}. {sentence}",
    )
    return [averaged(model.Note(sentence)), averaged(chart)]


def cost_sentence(measure: str, spending: CostFrontier) -> str:
    """Name the runs that no cheaper run beats."""
    if len(spending.frontier) == 1:
        return f"{spending.frontier[0]} has the best {measure} and the lowest cost."
    return f"Best {measure} for the money: {shorten_list(spending.frontier, MAX_NAMED_RUNS, last=' and ')}."
