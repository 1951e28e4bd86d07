"""The charts of the report as Vega-Lite specifications, with their data inline and nothing fetched.

Each function takes plain data and returns a `Chart`. A specification depends on the kind of chart and not on the run it
shows (names and values live in `datasets` only), so that a page with a thousand charts of one kind holds it once.
Charts of answers and streams are in `track_charts`, those of many runs and of the evaluation itself in `curves`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.reports.model import Chart, Json

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
LEVELS = tuple(level / 10 for level in range(11))
# Where 001 §2.2 says comparisons are best made.
BANDS = (("high\nprecision", 0.0, 0.2), ("middle recall", 0.2, 0.8), ("high\nrecall", 0.8, 1.0))
MANY_TOPICS = 60
MEDIAN = "median of all runs (dashed)"

Rows = list[dict[str, Any]]


def spec(datasets: dict[str, Rows], layers: list[Json], *, width: int = 560, height: int = 320, **more: Any) -> Json:
    """A layered specification over named inline data."""
    return {"$schema": SCHEMA, "width": width, "height": height, "datasets": datasets, "layer": layers, **more}


def quantity(name: str, title: str, domain: Sequence[float] | None = None, **axis: Any) -> Json:
    scale: Json = {"domain": list(domain), "nice": False} if domain else {"zero": False, "nice": True}
    return {"field": name, "type": "quantitative", "title": title, "scale": scale, "axis": axis}


def shown(field: str, title: str, form: str | None = None) -> Json:
    """One line of a tooltip."""
    if form is None:
        return {"field": field, "type": "nominal", "title": title}
    return {"field": field, "type": "quantitative", "title": title, "format": form}


def level_line(field_axis: str, values: Sequence[tuple[float, str]]) -> tuple[Rows, list[Json]]:
    """Reference lines parallel to an axis, labelled at their start: rows, and the layers that draw dataset `lines`."""
    rows: Rows = [{"at": at, "label": label} for at, label in values]
    other = "x" if field_axis == "y" else "y"
    place: Json = {field_axis: {"field": "at", "type": "quantitative"}}
    label: Json = {other: {"value": 4 if other == "x" else 8}, "text": {"field": "label"}}
    return rows, [
        {"data": {"name": "lines"}, "mark": {"type": "rule", "style": "reference"}, "encoding": place},
        {
            "data": {"name": "lines"},
            "mark": {"type": "text", "style": "reference-label", "align": "left", "dy": -6},
            "encoding": {**place, **label},
        },
    ]


def _bands() -> tuple[dict[str, Rows], list[Json]]:
    rows: Rows = [{"from": low, "to": high, "middle": (low + high) / 2, "band": name} for name, low, high in BANDS]
    edges: Rows = [{"at": high} for _, _, high in BANDS[:-1]]
    across: Json = {"x": {"field": "from", "type": "quantitative"}, "x2": {"field": "to"}}
    return {"bands": rows, "edges": edges}, [
        {
            "data": {"name": "bands"},
            "transform": [{"filter": "datum.from > 0 && datum.to < 1"}],
            "mark": {"type": "rect", "style": "band"},
            "encoding": across,
        },
        {
            "data": {"name": "edges"},
            "mark": {"type": "rule", "style": "band-edge"},
            "encoding": {"x": {"field": "at", "type": "quantitative"}},
        },
        {
            "data": {"name": "bands"},
            "mark": {"type": "text", "style": "band-label", "baseline": "top", "dy": 4, "lineBreak": "\n"},
            "encoding": {
                "x": {"field": "middle", "type": "quantitative"},
                "y": {"value": 0},
                "text": {"field": "band"},
            },
        },
    ]


def _recall_axes() -> Json:
    return {
        "x": quantity("recall", "Recall", (0, 1), tickCount=10, format=".1f", grid=False),
        "y": quantity("precision", "Precision", (0, 1), tickCount=5, format=".1f"),
    }


def _curve_rows(name: str, precisions: Sequence[float | None]) -> Rows:
    return [
        {"run": name, "recall": level, "precision": value}
        for level, value in zip(LEVELS, precisions, strict=True)
        if value is not None
    ]


CURVE_TOOLTIP = [shown("run", "run"), shown("recall", "recall", ".1f"), shown("precision", "precision", ".4f")]


def recall_precision_overlay(
    id: str,
    curves: Mapping[str, Sequence[float | None]],
    highlighted: Sequence[str],
    caption: str,
    alt: str,
    title: str = "Recall-precision curves",
    median: Sequence[float | None] | None = None,
) -> Chart:
    """Every run's 11-level curve; up to eight `highlighted` ones in colour with their own shapes, the rest in grey."""
    named = list(highlighted)[:8]
    front: Rows = [row for name in named for row in _curve_rows(name, curves[name])]
    back: Rows = [row for name in curves if name not in named for row in _curve_rows(name, curves[name])]
    data, layers = _bands()
    data |= {"front": front, "back": back, "median": _curve_rows(MEDIAN, median or [None] * 11)}
    axes = _recall_axes()
    colour: Json = {"field": "run", "type": "nominal", "title": None, "scale": {"domain": named}, "sort": named}
    layers += [
        {
            "data": {"name": "back"},
            "mark": {"type": "line", "style": "others"},
            "encoding": {**axes, "detail": {"field": "run"}},
        },
        {"data": {"name": "median"}, "mark": {"type": "line", "style": "median"}, "encoding": axes},
        {
            "data": {"name": "front"},
            "mark": {"type": "line", "strokeWidth": 2.25},
            "encoding": {**axes, "color": colour},
        },
        {
            "data": {"name": "front"},
            "mark": {"type": "point", "filled": True, "size": 38},
            "encoding": {**axes, "color": colour, "shape": {**colour, "scale": {"domain": named}}},
        },
    ]
    layers += [
        {
            "data": {"name": name},
            "mark": {"type": "point", "style": "hit", "size": 120},
            "encoding": {**axes, "tooltip": CURVE_TOOLTIP},
        }
        for name in ("back", "median", "front")
    ]
    return Chart(id, title, spec(data, [*layers, *series_key("median")], height=380), caption, alt)


def run_recall_precision(
    id: str,
    run: str,
    precisions: Sequence[float | None],
    median: Sequence[float | None] | None,
    caption: str,
    alt: str,
    title: str = "Recall-precision graph",
) -> Chart:
    """One run's 11-level curve against the median of all runs."""
    data, layers = _bands()
    ours = _curve_rows(run, precisions)
    theirs = _curve_rows(MEDIAN, median or [None] * 11)
    data |= {"run": ours, "median": theirs}
    axes = _recall_axes()
    for name in ("median", "run"):
        layers += [
            {"data": {"name": name}, "mark": {"type": "line", "style": name}, "encoding": axes},
            {
                "data": {"name": name},
                "mark": {"type": "point", "filled": True, "style": f"{name}-point", "size": 46},
                "encoding": {**axes, "tooltip": CURVE_TOOLTIP},
            },
        ]
    return Chart(id, title, spec(data, [*layers, *series_key("run", "median")], height=300), caption, alt)


def series_key(*names: str) -> list[Json]:
    """Name the series in the plot's upper right corner, in their own colours: no legend to look up."""
    return [
        {
            "data": {"name": name},
            "transform": [
                {"aggregate": [{"op": "min", "field": "run", "as": "label"}]},
                {"filter": "isValid(datum.label)"},
            ],
            "mark": {"type": "text", "style": f"{name}-label", "align": "right", "baseline": "top", "limit": 240},
            "encoding": {
                "x": {"value": {"expr": "width - 6"}},
                "y": {"value": 32 + 16 * row},
                "text": {"field": "label"},
            },
        }
        for row, name in enumerate(names)
    ]


def topic_recall_precision(
    id: str, topic: str, ranks: Sequence[int], relevant: int, caption: str, alt: str, title: str = ""
) -> Chart:
    """Precision at each relevant document of one topic, and the interpolated line dashed (001 §1).

    The data are the ranks themselves; recall is found/relevant, precision found/rank, and the dashed line at recall r
    the highest precision at any recall ≥ r.
    """
    rows: Rows = [{"found": found, "rank": rank, "relevant": relevant} for found, rank in enumerate(ranks, start=1)]
    points: list[Json] = [
        {"calculate": "datum.found / datum.relevant", "as": "recall"},
        {"calculate": "datum.found / datum.rank", "as": "precision"},
        {
            "window": [{"op": "max", "field": "precision", "as": "interpolated"}],
            "sort": [{"field": "recall", "order": "descending"}],
            "frame": [None, 0],
        },
    ]
    axes = _recall_axes()
    dashed: Json = {**axes, "y": {**axes["y"], "field": "interpolated"}}
    tooltip = [
        shown("rank", "rank", "d"),
        shown("found", "relevant found", "d"),
        shown("relevant", "relevant in all", "d"),
        shown("recall", "recall", ".4f"),
        shown("precision", "precision", ".4f"),
        shown("interpolated", "interpolated", ".4f"),
    ]
    layers: list[Json] = [
        # The rule gives a value from recall 0 on, where no precision is defined.
        {
            "transform": [{"filter": "datum.found == 1"}, {"calculate": "0", "as": "start"}],
            "mark": {"type": "rule", "style": "dashed"},
            "encoding": {**dashed, "x2": {"field": "start"}},
        },
        {"mark": {"type": "line", "style": "dashed", "interpolate": "step-before"}, "encoding": dashed},
        {"mark": {"type": "line", "style": "run", "strokeWidth": 1.25}, "encoding": axes},
        {
            "mark": {"type": "point", "filled": True, "style": "run-point", "size": 42},
            "encoding": {**axes, "tooltip": tooltip},
        },
    ]
    body = spec({"points": rows}, layers, width=420, height=260, data={"name": "points"}, transform=points)
    return Chart(id, title or f"Topic {topic}", body, caption, alt)


def difference_from_median(
    id: str,
    rows: Sequence[tuple[str, float | None, float | None, float | None]],
    measure: str,
    caption: str,
    alt: str,
    title: str,
    unit: str = "topic",
) -> Chart:
    """A bar per topic, up where the run is better than the median of all runs on it (001 Figures 2 and 4).

    `rows` are topic, value, median, difference. More than sixty topics cannot be named: bars stand in order of size.
    """
    data: Rows = [
        {
            "topic": topic,
            "value": value,
            "median": median,
            "difference": difference,
            "side": "above" if difference > 0 else "below",
        }
        for topic, value, median, difference in rows
        if difference is not None
    ]
    many = len(data) > MANY_TOPICS
    topics: Json = {
        "field": "topic",
        "type": "nominal",
        "title": f"{unit.capitalize()}s, in order of difference" if many else unit.capitalize(),
        "sort": {"field": "difference", "order": "descending"} if many else None,
        "axis": {"labels": False, "ticks": False}
        if many
        else {"labelAngle": -90, "labelLimit": 90, "labelOverlap": True},
        "scale": {"paddingInner": 0.1 if many else 0.28},
    }
    height: Json = {
        "field": "difference",
        "type": "quantitative",
        "title": f"Difference from the median, {measure}",
        "scale": {"zero": True, "nice": True},
        "axis": {"format": "+.2f"},
    }
    bars: Json = {
        "data": {"name": "topics"},
        "mark": {"type": "bar"},
        "encoding": {
            "x": topics,
            "y": height,
            "color": {
                "field": "side",
                "type": "nominal",
                "scale": {"domain": ["above", "below"]},
                "legend": None,
            },
            "tooltip": [
                shown("topic", unit),
                shown("value", measure, ".4f"),
                shown("median", "median", ".4f"),
                shown("difference", "difference", "+.4f"),
            ],
        },
    }
    zero: Json = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0, "type": "quantitative"}}}
    return Chart(id, title, spec({"topics": data}, [bars, zero], height=280), caption, alt)
