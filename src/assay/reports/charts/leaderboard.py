"""Charts of many runs at once: their values with intervals, two of them topic by topic, and how alike measures rank them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.reports.charts.marks import (
    NAMED_TOPICS,
    Rows,
    category,
    colour,
    difference_bars,
    layer,
    quantity,
    shown,
    spec,
)
from assay.reports.model import NOT_AVAILABLE, Chart, Json

DARK_FROM = 0.6
"""From this agreement on, the ramp is too dark for dark ink."""


def leaderboard_intervals(
    id: str,
    rows: Sequence[tuple[str, float | None, float | None, float | None, str]],
    measure: str,
    caption: str,
    alt: str,
    title: str = "",
) -> Chart:
    """Each run's value with its interval, best first, coloured by tier. `rows` are run, value, low, high, tier."""
    data: Rows = [
        {"run": run, "value": value, "low": low, "high": high, "tier": tier}
        for run, value, low, high, tier in rows
        if value is not None
    ]
    tiers = list(dict.fromkeys(row["tier"] for row in data))
    several = len(tiers) > 1
    place = category("run", None, labelLimit=170, domain=False, ticks=False, grid=len(data) <= 60)
    across = quantity("value", measure)
    legend: Json | None = {"orient": "top"} if several and len(tiers) <= 8 else None
    hue = {**colour("tier", tiers, "tiers", legend=legend), "title": "tier"}
    tooltip = [
        shown("run", "run"),
        shown("value", measure, ".4f"),
        shown("low", "from", ".4f"),
        shown("high", "to", ".4f"),
        *([shown("tier", "tier")] if several else []),
    ]
    ends = {"y": place, "x": {**across, "field": "low"}, "x2": {"field": "high"}, "color": hue}
    dots = {"y": place, "x": across, "color": hue, "tooltip": tooltip}
    layers = [layer("runs", "rule", ends, strokeWidth=1.5), layer("runs", "point", dots, size=44, opacity=1)]
    body = spec({"runs": data}, layers, height=max(90, 16 * len(data)))  # a row of sixteen pixels keeps names legible
    return Chart(id, title or f"{measure} with intervals", body, caption, alt)


def agreement(
    id: str,
    measures: Sequence[str],
    values: Mapping[tuple[str, str], float | None],
    caption: str,
    alt: str,
    title: str = "Agreement of the rankings",
    coefficient: str = "Kendall's tau-b",
) -> Chart:
    """How alike two measures rank the runs: a cell per pair, dark where they agree."""
    data: dict[str, Rows] = {"pale": [], "dark": [], "none": []}
    for row in measures:
        for column in measures:
            tau = values.get((row, column), values.get((column, row)))
            kind = "none" if tau is None else "dark" if tau > DARK_FROM else "pale"
            said = NOT_AVAILABLE if tau is None else f"{tau:.2f}"
            data[kind].append({"row": row, "column": column, "tau": tau, "text": said})
    axis: Json = {"domain": False, "ticks": False}
    side = {"type": "nominal", "sort": list(measures), "title": None}
    cell: Json = {
        "x": {"field": "column", **side, "axis": {"orient": "top", "labelAngle": -40, **axis}},
        "y": {"field": "row", **side, "axis": axis},
        "tooltip": [shown("row", "measure"), shown("column", "with"), shown("tau", coefficient, ".4f")],
    }
    shade: Json = {
        "field": "tau",
        "type": "quantitative",
        "title": coefficient,
        "scale": {"domain": [0, 1], "clamp": True, "range": "heatmap"},
        "legend": {"orient": "right", "gradientLength": 120},
    }
    text: Json = {**cell, "text": {"field": "text"}}
    layers = [
        *(layer(name, "rect", {**cell, "color": shade}) for name in ("pale", "dark")),
        layer("pale", "text", text, "ink-on-pale"),
        layer("dark", "text", text, "ink-on-dark"),
        layer("none", "text", text),
    ]
    width = 46 * len(measures)
    # `widest` keeps the page from stretching the cells over its whole width.
    body = spec(data, layers, width=width, height=30 * len(measures), usermeta={"widest": width + 240})
    return Chart(id, title, body, caption, alt)


def topic_differences(id: str, caption: str, alt: str, title: str = "Topic by topic", unit: str = "topic") -> Chart:
    """An empty chart for two runs the reader chooses: rows of topic, a, b and difference are filled in on the page."""
    axis: Json = {
        "sort": {"field": "difference", "order": "descending"},
        "title": f"{unit.capitalize()}, by difference",
        "axis": NAMED_TOPICS,
        "scale": {"paddingInner": 0.2},
    }
    tooltip = [shown("a", "first run", ".4f"), shown("b", "second run", ".4f")]
    layers = difference_bars(unit, "Difference", tooltip, axis)
    return Chart(id, title, spec({"topics": []}, layers, height=280), caption, alt)
