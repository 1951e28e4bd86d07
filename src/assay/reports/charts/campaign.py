"""Charts about many runs at once and about the evaluation itself: intervals, rankings, stability, swaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.reports.charts.ranked import Rows, level_line, quantity, shown, spec
from assay.reports.model import Chart, Json


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
    place: Json = {
        "field": "run",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelLimit": 170, "domain": False, "ticks": False, "grid": len(data) <= 60},
    }
    across: Json = {"field": "value", "type": "quantitative", "title": measure, "scale": {"zero": False, "nice": True}}
    colour: Json = {
        "field": "tier",
        "type": "nominal",
        "sort": None,
        "title": "tier",
        "scale": {"domain": tiers},
        "legend": {"orient": "top"} if several and len(tiers) <= 8 else None,
    }
    tooltip = [
        shown("run", "run"),
        shown("value", measure, ".4f"),
        shown("low", "from", ".4f"),
        shown("high", "to", ".4f"),
        *([shown("tier", "tier")] if several else []),
    ]
    layers: list[Json] = [
        {
            "mark": {"type": "rule", "strokeWidth": 1.5},
            "encoding": {"y": place, "x": {**across, "field": "low"}, "x2": {"field": "high"}, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 44, "opacity": 1},
            "encoding": {"y": place, "x": across, "color": colour, "tooltip": tooltip},
        },
    ]
    body = spec(
        {"runs": data}, layers, height=max(90, 16 * len(data)), data={"name": "runs"}
    )  # a row of sixteen pixels keeps 129 names legible
    return Chart(id, title or f"{measure} with intervals", body, caption, alt)


def _measure_lines(
    data_name: str, axes: Json, names: Sequence[str], tooltip: list[Json], interpolate: str = "linear"
) -> list[Json]:
    colour: Json = {
        "field": "measure",
        "type": "nominal",
        "title": None,
        "sort": list(names),
        "scale": {"domain": list(names)},
    }
    source: Json = {"data": {"name": data_name}}
    return [
        {**source, "mark": {"type": "line", "interpolate": interpolate}, "encoding": {**axes, "color": colour}},
        {
            **source,
            "mark": {"type": "point", "filled": True, "size": 42},
            "encoding": {**axes, "color": colour, "shape": colour, "tooltip": tooltip},
        },
    ]


def stability_curves(
    id: str,
    curves: Mapping[str, Sequence[tuple[float, float, float]]],
    caption: str,
    alt: str,
    title: str = "Stability: minority rate and ties",
    level: float = 0.01,
) -> Chart:
    """Minority rate against proportion of ties as fuzziness grows (002 Figure 2; 003 Figures 4, 8, 12).

    Low and left is better. `curves` give per measure the rows fuzziness, minority rate, proportion of ties.
    """
    data: Rows = [
        {"measure": name, "fuzziness": fuzziness, "rate": rate, "ties": ties}
        for name, points in curves.items()
        for fuzziness, rate, ties in points
    ]
    lines, layers = level_line("y", [(level, f"{level:.0%}")])
    axes: Json = {
        "x": {
            "field": "ties",
            "type": "quantitative",
            "title": "Proportion of ties",
            "scale": {"zero": False, "nice": True},
            "axis": {"format": ".0%", "grid": False},
        },
        "y": {
            "field": "rate",
            "type": "quantitative",
            "title": "Minority rate",
            "scale": {"zero": True},
            "axis": {"format": ".1%"},
        },
        "order": {"field": "fuzziness", "type": "quantitative"},
    }
    tooltip = [
        shown("measure", "measure"),
        shown("fuzziness", "fuzziness", ".2f"),
        shown("rate", "minority rate", ".2%"),
        shown("ties", "ties", ".2%"),
    ]
    layers += _measure_lines("curves", axes, list(curves), tooltip)
    return Chart(id, title, spec({"curves": data, "lines": lines}, layers, height=320), caption, alt)


def swap_curves(
    id: str,
    curves: Mapping[str, Sequence[tuple[float, float | None, int]]],
    caption: str,
    alt: str,
    title: str = "Swap rate by difference",
    level: float = 0.05,
) -> Chart:
    """How often two sets of topics contradict each other, by the difference seen (003 Figures 5, 6, 9, 10, 13).

    `curves` give per measure the rows lower edge of the bin, swap rate (None where the bin is empty), comparisons.
    """
    data: Rows = [
        {"measure": name, "from": edge, "rate": rate, "comparisons": size}
        for name, points in curves.items()
        for edge, rate, size in points
        if rate is not None
    ]
    lines, layers = level_line("y", [(level, f"{level:.0%}")])
    axes: Json = {
        "x": {
            "field": "from",
            "type": "quantitative",
            "title": "Difference on the first subset (lower edge of its bin)",
            "axis": {"format": ".2f", "grid": False},
        },
        "y": {
            "field": "rate",
            "type": "quantitative",
            "title": "Swap rate",
            "scale": {"zero": True},
            "axis": {"format": ".0%"},
        },
    }
    tooltip = [
        shown("measure", "measure"),
        shown("from", "difference from", ".2f"),
        shown("rate", "swap rate", ".2%"),
        shown("comparisons", "comparisons", ",d"),
    ]
    layers += _measure_lines("curves", axes, list(curves), tooltip)
    return Chart(id, title, spec({"curves": data, "lines": lines}, layers, height=320), caption, alt)


def significance_curves(
    id: str,
    curves: Mapping[str, Sequence[float]],
    caption: str,
    alt: str,
    title: str = "Achieved significance levels",
    levels: Sequence[float] = (0.01, 0.05),
    highest: float = 0.15,
) -> Chart:
    """Run pairs in order of their achieved significance level; a curve that meets .05 further right discriminates more.

    `curves` give per measure the pairs' p-values, in any order; those above `highest` lie outside the plot.
    """
    data: Rows = [
        {"measure": name, "pair": place, "p": p}
        for name, values in curves.items()
        for place, p in enumerate(sorted(values), start=1)
        if p <= highest
    ]
    lines, layers = level_line("y", [(at, f"{at:g}") for at in levels])
    whole: Json = {"grid": False, "format": "d", "tickMinStep": 1}
    axes: Json = {
        "x": {"field": "pair", "type": "quantitative", "title": "Run pairs, by significance", "axis": whole},
        "y": quantity("p", "Achieved significance level", (0, highest), format=".2f"),
    }
    colour: Json = {
        "field": "measure",
        "type": "nominal",
        "title": None,
        "sort": list(curves),
        "scale": {"domain": list(curves)},
    }
    source: Json = {"data": {"name": "curves"}}
    tooltip = [shown("measure", "measure"), shown("pair", "pairs up to here", "d"), shown("p", "level", ".4f")]
    layers += [
        {**source, "mark": {"type": "line"}, "encoding": {**axes, "color": colour, "strokeDash": colour}},
        {**source, "mark": {"type": "point", "style": "hit", "size": 50}, "encoding": {**axes, "tooltip": tooltip}},
    ]
    return Chart(id, title, spec({"curves": data, "lines": lines}, layers, height=300), caption, alt)


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
    data: Rows = [
        {"row": row, "column": column, "tau": values.get((row, column), values.get((column, row)))}
        for row in measures
        for column in measures
    ]
    order = list(measures)
    cell: Json = {
        "x": {
            "field": "column",
            "type": "nominal",
            "sort": order,
            "title": None,
            "axis": {"orient": "top", "labelAngle": -40, "domain": False, "ticks": False},
        },
        "y": {
            "field": "row",
            "type": "nominal",
            "sort": order,
            "title": None,
            "axis": {"domain": False, "ticks": False},
        },
        "tooltip": [shown("row", "measure"), shown("column", "with"), shown("tau", coefficient, ".4f")],
    }
    defined = {"filter": "isValid(datum.tau)"}
    layers: list[Json] = [
        {
            "transform": [defined],
            "mark": {"type": "rect"},
            "encoding": {
                **cell,
                "color": {
                    "field": "tau",
                    "type": "quantitative",
                    "title": coefficient,
                    "scale": {"domain": [0, 1], "clamp": True, "range": "heatmap"},
                    "legend": {"orient": "right", "gradientLength": 120},
                },
            },
        },
        {
            "transform": [defined],
            "mark": {"type": "text"},
            "encoding": {
                **cell,
                "text": {"field": "tau", "format": ".2f"},
                # The ramp is the same on every background, so the ink on it is too.
                "color": {"condition": {"test": "datum.tau > 0.6", "value": "#ffffff"}, "value": "#1d2430"},
            },
        },
        {
            "transform": [{"filter": "!isValid(datum.tau)"}, {"calculate": "'n/a'", "as": "none"}],
            "mark": {"type": "text"},
            "encoding": {**cell, "text": {"field": "none"}},
        },
    ]
    side = 46 * len(order)
    # `widest` keeps the page from stretching the cells over its whole width.
    body = spec(
        {"pairs": data},
        layers,
        width=side,
        height=30 * len(order),
        data={"name": "pairs"},
        usermeta={"widest": side + 240},
    )
    return Chart(id, title, body, caption, alt)


def topic_differences(id: str, caption: str, alt: str, title: str = "Topic by topic") -> Chart:
    """An empty chart for two runs the reader chooses: rows of topic, a, b and difference are filled in on the page."""
    bars: dict[str, Any] = {
        "mark": {"type": "bar"},
        "encoding": {
            "x": {
                "field": "topic",
                "type": "nominal",
                "sort": {"field": "difference", "order": "descending"},
                "title": "Topic, by difference",
                "axis": {"labelAngle": -90, "labelLimit": 90, "labelOverlap": True},
                "scale": {"paddingInner": 0.2},
            },
            "y": {
                "field": "difference",
                "type": "quantitative",
                "title": "Difference",
                "scale": {"zero": True, "nice": True},
                "axis": {"format": "+.2f"},
            },
            "color": {
                "field": "side",
                "type": "nominal",
                "scale": {"domain": ["above", "below"]},
                "legend": None,
            },
            "tooltip": [
                shown("topic", "topic"),
                shown("a", "first run", ".4f"),
                shown("b", "second run", ".4f"),
                shown("difference", "difference", "+.4f"),
            ],
        },
    }
    zero: Json = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0, "type": "quantitative"}}}
    return Chart(id, title, spec({"topics": []}, [bars, zero], height=280, data={"name": "topics"}), caption, alt)
