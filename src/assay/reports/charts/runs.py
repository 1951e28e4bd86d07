"""Charts of many runs: leaderboards, costs, agreement, win matrices, differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import floor, log10

from assay.figures.measure_names import in_words
from assay.reports.charts import vega_lite
from assay.reports.charts.labels import MIN_PLOT_WIDTH, name_layers, place_names
from assay.reports.model import NOT_AVAILABLE, Chart, Json

DARK_FROM = 0.6
"""Above this share of the scale, the ramp is too dark for dark ink."""

MAX_NAMED_DOTS = 24
"""With more dots, only the frontier is labelled."""
COST_HEIGHT = 260
WITH, WITHOUT = "all judgments", "without its own team"

Valued = tuple[str, float | None, float | None, float | None, str]
"""Run, value, low, high, tier."""


def leaderboard_intervals(
    id: str, rows: Sequence[Valued], measure: str, caption: str, alt: str, group: str = "tier",
    better: bool | None = None,
) -> Chart:  # fmt: skip
    """Draw each run's value and interval, best first, coloured by the last column (`group`).

    better   whether higher is better
    """
    from assay.reports.terminal_charts import Intervals

    data = vega_lite.records(("run", "value", "low", "high", "tier"), (row for row in rows if row[1] is not None))
    tiers = list(dict.fromkeys(row["tier"] for row in data))
    several = len(tiers) > 1
    place = vega_lite.category("run", None, labelLimit=170, domain=False, ticks=False, grid=len(data) <= 60)
    across = vega_lite.quantity("value", vega_lite.directed(in_words(measure), better), zero=True)
    legend: Json | None = {"orient": "top"} if several and len(tiers) <= 8 else None
    hue = {**vega_lite.colour("tier", tiers, "tiers", legend=legend), "title": group}
    numbers = (("value", in_words(measure)), ("low", "from"), ("high", "to"))
    tooltip = vega_lite.tooltip(("run", "run"), *((name, title, ".3f") for name, title in numbers))
    tooltip += vega_lite.tooltip(("tier", group)) if several else []
    ends = {"y": place, "x": {**across, "field": "low"}, "x2": {"field": "high"}, "color": hue}
    dots = {"y": place, "x": across, "color": hue, "shape": hue, "tooltip": tooltip}
    layers = [
        vega_lite.layer("runs", "rule", ends, strokeWidth=1.5),
        vega_lite.layer("runs", "point", dots, size=44, opacity=1),
    ]
    body = vega_lite.spec(
        {"runs": data}, layers, height=max(90, 16 * len(data))
    )  # a row of sixteen pixels keeps names legible
    drawing = Intervals(
        tuple((row["run"], row["value"], row["low"], row["high"]) for row in data),
        f"{in_words(measure)} with intervals",
    )
    return Chart(id, f"{in_words(measure)} with intervals", body, caption, alt, drawing)


Costed = tuple[str, float, float, float | None, float | None]
"""Run, cost, value, low, high."""


def score_and_cost(
    id: str, rows: Sequence[Costed], unbeaten: Sequence[str], measure: str, label: str, wide: bool, caption: str, alt: str,
    better: bool | None = None,
) -> Chart:  # fmt: skip
    """Draw each run's value and interval against its cost, with the frontier in colour.

    label   what a cost is counted in
    wide    whether the axis of costs is logarithmic
    """
    from assay.reports.terminal_charts import Plot

    data = vega_lite.records(("run", "cost", "value", "low", "high"), rows)
    by_run = {row["run"]: row for row in data}
    front = [by_run[run] for run in unbeaten]
    back = [row for row in data if row["run"] not in unbeaten]
    across = _costs_axis([row["cost"] for row in data], label, wide)
    axes: Json = {
        "x": across,
        "y": vega_lite.quantity("value", vega_lite.directed(in_words(measure), better), zero=True),
    }
    numbers = (
        ("cost", label, ".4~g"),
        ("value", in_words(measure), ".3f"),
        ("low", "from", ".3f"),
        ("high", "to", ".3f"),
    )
    tooltip = vega_lite.tooltip(("run", "run"), *numbers)
    ends: Json = {"x": across, "y": {**axes["y"], "field": "low"}, "y2": {"field": "high"}}
    datasets: dict[str, vega_lite.Rows] = {"front": front, "back": back, vega_lite.MARKED: []}
    datasets["ends-key"] = [row for row in data if row["low"] is not None]
    layers = [
        vega_lite.layer("ends-key", "rule", ends, "zero"),
        vega_lite.layer("front", "line", axes, "run", interpolate="step-after"),
        vega_lite.layer("back", "point", {**axes, "tooltip": tooltip}, "others", size=54, opacity=1),
        vega_lite.layer("front", "point", {**axes, "tooltip": tooltip}, "run-point", size=64, opacity=1),
        vega_lite.layer(vega_lite.MARKED, "point", axes, "marked", size=110, opacity=1),
    ]
    corners = _corners([*front, *back], len(front) if len(data) > MAX_NAMED_DOTS else len(data), across)
    for name, part, style in (("back", back, "dot-label"), ("front", front, "run-label")):
        named, texts = name_layers(name, part, "run", corners, axes, style)
        datasets |= named
        layers += texts
    few = {row["run"]: [(row["cost"], row["value"])] for row in [*front, *back][: vega_lite.MAX_TERMINAL_CURVES]}
    body = vega_lite.spec(datasets, layers, height=COST_HEIGHT)
    return Chart(id, f"{in_words(measure)} against cost", body, caption, alt, Plot(few, label, measure, log_x=wide))


def _costs_axis(costs: Sequence[float], label: str, wide: bool) -> Json:
    """Return the axis of costs, with room for names at either end."""
    low, high = min(costs), max(costs)
    room = 0.06 * (high - low)
    domain = (low / 1.4, high * 2) if wide else (max(0.0, low - room), high + 2 * room)
    form: Json = {"format": "~s"} if high >= 10_000 else {"format": "~g"} if wide else {}
    axis = vega_lite.quantity("cost", label, domain, grid=False, labelOverlap=True, **form)
    return {**axis, "scale": {**axis["scale"], **({"type": "log"} if wide else {})}}


def _corners(rows: vega_lite.Rows, count: int, across: Json) -> dict[str, str | None]:
    """Return the corner of its dot in which the name of each of the first rows is placed."""
    scale: Callable[[float], float] = log10 if "type" in across["scale"] else float
    left, right = map(scale, across["scale"]["domain"])
    ends = [end for row in rows for end in (row["low"], row["value"], row["high"]) if end is not None]
    bottom, top = min(0.0, *ends), max(0.0, *ends)
    dots = [
        (
            MIN_PLOT_WIDTH * (scale(row["cost"]) - left) / (right - left),
            COST_HEIGHT * (top - row["value"]) / ((top - bottom) or 1.0),
        )
        for row in rows
    ]
    names = [row["run"] for row in rows[:count]]
    return dict(zip(names, place_names(dots, names, MIN_PLOT_WIDTH), strict=True))


def agreement(
    id: str, measures: Sequence[str], values: Mapping[tuple[str, str], float | None], caption: str, alt: str
) -> Chart:
    """Draw how alike two measures rank the runs (Kendall's tau-b): dark where they agree."""
    named = {(in_words(x), in_words(y)): value for (x, y), value in values.items()}
    both = {(y, x): value for (x, y), value in named.items()} | named
    titles = ("measure", "with", "Kendall's tau-b")
    return _shaded(id, "Agreement of the rankings", [in_words(name) for name in measures], both, titles, caption, alt)


def win_matrix(id: str, runs: Sequence[str], shares: Mapping[tuple[str, str], float], caption: str, alt: str) -> Chart:
    """Draw the share that each system won of each other: dark where the row's system wins."""
    return _shaded(id, "Win matrix", runs, shares, ("system", "against", "share won"), caption, alt)


def _shaded(
    id: str, title: str, names: Sequence[str], values: Mapping[tuple[str, str], float | None], titles: tuple[str, str, str],
    caption: str, alt: str,
) -> Chart:  # fmt: skip
    """Draw names × names, a shade per value up to 1; `titles` name rows, columns, values."""
    from assay.reports.terminal_charts import Shades

    # The scale begins at 0, or below it at the next fifth if a value is negative.
    low = min([0.0, *(floor(5 * value) / 5 for value in values.values() if value is not None)])
    data: dict[str, vega_lite.Rows] = {"pale": [], "dark": [], "none": []}
    for row in names:
        for column in names:
            value = values.get((row, column))
            kind = "none" if value is None else "dark" if (value - low) / (1 - low) > DARK_FROM else "pale"
            cell_text = vega_lite.short(value) if value is not None else "" if row == column else NOT_AVAILABLE
            data[kind].append({"row": row, "column": column, "value": value, "text": cell_text})
    axis: Json = {"domain": False, "ticks": False}
    side = {"type": "nominal", "sort": list(names), "title": None}
    cell: Json = {
        "x": {"field": "column", **side, "axis": {"orient": "top", "labelAngle": -40, **axis}},
        "y": {"field": "row", **side, "axis": axis},
        "tooltip": vega_lite.tooltip(("row", titles[0]), ("column", titles[1]), ("value", titles[2], ".3f")),
    }
    shade: Json = {
        "field": "value",
        "type": "quantitative",
        "title": titles[2],
        "scale": {"domain": [low, 1], "clamp": True, "range": "heatmap"},
        "legend": {"orient": "right", "gradientLength": 120},
    }
    text: Json = {**cell, "text": {"field": "text"}}
    layers = [
        *(vega_lite.layer(name, "rect", {**cell, "color": shade}) for name in ("pale", "dark")),
        *(vega_lite.layer(name, "text", text, f"ink-on-{name}") for name in ("pale", "dark")),
        vega_lite.layer("none", "text", text),
    ]
    width = 46 * len(names)
    # Cells are not stretched over the whole page, nor squeezed until their numbers overlap.
    least = 34 * len(names) + 90
    sides = {"widest": width + 240, "narrowest": least}
    body = vega_lite.spec(data, layers, width=width, height=30 * len(names), usermeta=sides)
    shades = tuple(tuple(values.get((row, column)) for column in names) for row in names)
    return Chart(id, title, body, caption, alt, Shades(tuple(names), shades, titles[2]))


def topic_differences(id: str, caption: str, alt: str, unit: str) -> Chart:
    """Return an empty chart that the page fills with the differences of two runs by topic."""
    axis: Json = {
        "sort": {"field": "difference", "order": "descending"},
        "title": f"{unit.capitalize()}, by difference",
        "axis": vega_lite.NAMED_TOPICS,
        "scale": {"paddingInner": 0.2},
    }
    lines = (("a", "first run", ".3f"), ("b", "second run", ".3f"))
    layers = vega_lite.difference_bars(unit, "Difference", lines, axis, 1.0)
    return Chart(id, f"{unit.capitalize()} by {unit}", vega_lite.spec({"topics": []}, layers, height=280), caption, alt)


def own_documents(
    id: str, rows: Sequence[tuple[str, float, float]], measure: str, caption: str, alt: str, better: bool | None = None
) -> Chart:
    """Draw each run's value with all judgments and without its own team's unique documents.

    `rows` are a run, and the two values.
    """
    from assay.reports.terminal_charts import Intervals

    pairs = vega_lite.records(("run", "with", "without"), rows)
    dots = [
        {"run": run, "which": which, "value": value}
        for run, *two in rows
        for which, value in zip((WITH, WITHOUT), two, strict=True)
    ]
    place = vega_lite.category("run", None, labelLimit=170, domain=False, ticks=False, grid=len(rows) <= 60)
    across = vega_lite.quantity("value", vega_lite.directed(in_words(measure), better), zero=True)
    ends: Json = {"y": place, "x": {**across, "field": "with"}, "x2": {"field": "without"}}
    points: Json = {
        "y": place, "x": across, "color": vega_lite.colour("which", (WITH, WITHOUT), "against-median", legend={"orient": "top"}),
        "tooltip": vega_lite.tooltip(("run", "run"), ("which", "judged by"), ("value", in_words(measure), ".3f")),
    }  # fmt: skip
    layers = [
        vega_lite.layer("pairs", "rule", ends, "zero"),
        vega_lite.layer("dots", "point", points, size=44, opacity=1),
    ]
    body = vega_lite.spec({"pairs": pairs, "dots": dots}, layers, height=max(90, 16 * len(rows)))
    drawing = Intervals(
        tuple((run, before, min(before, after), max(before, after)) for run, before, after in rows),
        f"{in_words(measure)}, and its change without the documents that only the run's team found",
    )
    return Chart(id, "Had its team taken no part", body, caption, alt, drawing)
