"""Charts of a comparison: the leaderboard as dots, leads with their intervals, intervals of ranks."""

from __future__ import annotations

from collections.abc import Sequence

from assay.figures.measure_names import in_words
from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json

ROW = 22
"""Height of a run's row, in pixels."""
TIED, BELOW, LEADER = "tied", "below", "leader"
STYLES = {LEADER: "leader-point", TIED: "leader-point", BELOW: "below-point"}
"""Filled: not told apart from the leader. Hollow: significantly below."""
KEYS = {"tied": "cannot be told from the leader", "below": "significantly below it"}

Placed = tuple[str, float, float | None, float | None, str]
"""Run, value, low, high, group: leader, tied, below or nothing."""


def leaderboard(
    id: str, rows: Sequence[Placed], measure: str, better: bool | None, caption: str, alt: str, places: int = 3
) -> Chart:
    """Draw each run's value and interval, best first; the values, with so many decimals, are in a separate column."""
    return _dots(
        id,
        rows,
        measure,
        f"{in_words(measure)} of every run",
        vega_lite.directed(in_words(measure), better),
        caption,
        alt,
        places,
    )


def leads(id: str, rows: Sequence[Placed], measure: str, leader: str, caption: str, alt: str, places: int = 3) -> Chart:
    """Draw how far each run is behind the leader, with the intervals that hold together; an interval on 0 is no difference."""
    title = f"{in_words(measure)}: lead of {leader}"
    return _dots(id, rows, measure, title, title, caption, alt, places, zero_line=True)


def _dots(
    id: str, rows: Sequence[Placed], measure: str, title: str, across: str, caption: str, alt: str, places: int,
    *, zero_line: bool = False
) -> Chart:  # fmt: skip
    from assay.reports.terminal_charts import Intervals

    data = vega_lite.records(("run", "value", "low", "high", "group"), rows)
    for row in data:
        row["label"] = vega_lite.short(row["value"], places)
    axes: Json = {"y": _names(data), "x": vega_lite.quantity("value", across, zero=True)}
    ends: Json = {**axes, "x": {**axes["x"], "field": "low"}, "x2": {"field": "high"}}
    numbers = (("value", in_words(measure), ".3f"), ("low", "from", ".3f"), ("high", "to", ".3f"))
    tooltip = vega_lite.tooltip(("run", "run"), *numbers)
    datasets: dict[str, vega_lite.Rows] = {"ends-key": [row for row in data if row["low"] is not None]}
    layers: list[Json] = [_zero("x")] if zero_line else []
    layers.append(vega_lite.layer("ends-key", "rule", ends, "interval"))
    for group, style in (("", "leader-point"), (BELOW, "below-point")):
        name = "below" if group else "runs"
        datasets[name] = [row for row in data if (row["group"] == BELOW) == bool(group)]
        layers.append(vega_lite.layer(name, "point", {**axes, "tooltip": tooltip}, style, size=95))
    column: Json = {"y": axes["y"], "x": {"value": {"expr": "width - 0"}}, "text": {"field": "label"}}
    datasets["column-key"] = data
    layers.append(vega_lite.layer("column-key", "text", column, "value-label", align="right", dx=46))
    shown = [name for name in ("tied", "below") if any(row["group"] == name for row in data)]
    keys = [[KEYS[name], STYLES[name]] for name in shown]
    body = vega_lite.spec(
        datasets, layers, height=max(60, ROW * len(data)), usermeta={"reach": 50, **({"keys": keys} if keys else {})}
    )
    drawing = Intervals(tuple((row["run"], row["value"], row["low"], row["high"]) for row in data), title)
    return Chart(id, title, body, caption, alt, drawing)


def rank_intervals(id: str, rows: Sequence[tuple[str, int, int, int]], caption: str, alt: str) -> Chart:
    """Draw the interval of each run's rank: `rows` are a run, its place, and the ends."""
    from assay.reports.terminal_charts import Intervals

    data = vega_lite.records(("run", "place", "low", "high"), rows)
    for row in data:
        row["label"] = str(row["low"]) if row["low"] == row["high"] else f"{row['low']}–{row['high']}"
    last = max((row["high"] for row in data), default=1)
    across = vega_lite.quantity("place", "Rank, 1 is the best", (0.5, last + 0.5), format="d", tickMinStep=1)
    axes: Json = {"y": _names(data), "x": across}
    ends: Json = {**axes, "x": {**across, "field": "low"}, "x2": {"field": "high"}}
    tooltip = vega_lite.tooltip(("run", "run"), ("place", "rank", "d"), ("low", "from", "d"), ("high", "to", "d"))
    column: Json = {"y": axes["y"], "x": {"value": {"expr": "width - 0"}}, "text": {"field": "label"}}
    layers = [
        vega_lite.layer("ranks", "rule", ends, "interval"),
        vega_lite.layer("ranks", "point", {**axes, "tooltip": tooltip}, "leader-point", size=95),
        vega_lite.layer("ranks", "text", column, "value-label", align="right", dx=52),
    ]
    body = vega_lite.spec({"ranks": data}, layers, height=max(60, ROW * len(data)), usermeta={"reach": 56})
    drawing = Intervals(tuple((run, place, low, high) for run, place, low, high in rows), "rank")
    return Chart(id, "Ranks with their intervals", body, caption, alt, drawing)


def _names(data: vega_lite.Rows) -> Json:
    return vega_lite.category(
        "run", None, labelLimit=170, domain=False, ticks=False, grid=False, labelOverlap=len(data) > 60
    )


def _zero(channel: str) -> Json:
    return {"mark": {"type": "rule", "style": "zero"}, "encoding": {channel: {"datum": 0, "type": "quantitative"}}}
