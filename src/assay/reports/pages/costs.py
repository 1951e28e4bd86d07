"""What the runs of a campaign cost, against how good they are."""

from __future__ import annotations

from collections.abc import Sequence

from assay.figures.cost import Spending
from assay.reports import model
from assay.reports.charts import leaderboard as charts
from assay.reports.model import Block, averaged, counted
from assay.reports.pages.campaign import Campaign

MOST_NAMES = 8
"""Runs that a sentence names."""


def against_cost(campaign: Campaign, found: Spending) -> list[Block]:
    """What a run's value costs, and which runs nobody beats for less."""
    main = campaign.measures[0]
    rows: list[tuple[str, float, float, float | None, float | None]] = []
    for i in campaign.order:
        run, value = campaign.runs[i], main.values[i]
        if run in found.costs and value is not None:
            low, high = main.intervals[i] or (None, None) if main.intervals else (None, None)
            rows.append((run, found.costs[run], value, low, high))
    said = cost_sentence(main.name, found)
    caption = [
        f"{main.name} of every run with its interval, against what it costs. The runs that nobody beats at the same cost or "
        "less stand out and are joined.",
        "The axis of costs is logarithmic." if found.wide else "",
        f"Left out, for want of a value or of a known cost: {_listed(found.unknown)}." if found.unknown else "",
        campaign.interval_rule,
        campaign.how,
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


def cost_sentence(measure: str, found: Spending) -> str:
    """Which runs nobody beats for less."""
    if len(found.frontier) == 1:
        return f"No run has a better {measure} than {found.frontier[0]}, and none costs less."
    return f"By {measure}, no run beats {_listed(found.frontier, 'or')} at the same cost or less."


def _listed(names: Sequence[str], last: str = "and") -> str:
    """Names as a sentence has them, the first of many.

    >>> _listed(["a"]), _listed(["a", "b", "c"], "or"), _listed(list("abcdefghijk"))
    ('a', 'a, b or c', 'a, b, c, d, e, f, g, h and 3 more')
    """
    shown = [*names[:MOST_NAMES], *([f"{len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else [])]
    return (
        shown[0]
        if len(shown) == 1
        else f"{', '.join(shown[:-1])} {last if len(names) <= MOST_NAMES else 'and'} {shown[-1]}"
    )
