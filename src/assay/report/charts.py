"""The charts of the report as Vega-Lite specifications, with their data inline and nothing fetched.

Each function takes plain data and returns a `Chart`. A specification depends on the kind of chart and not on the run it
shows (names and values live in `datasets` only), so that a page with a thousand charts of one kind holds it once.
Reliability and comparison charts are in `curves`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.report.model import Chart, Json

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
LEVELS = tuple(level / 10 for level in range(11))
# Where 001 §2.2 says comparisons are best made.
BANDS = (("high precision", 0.0, 0.2), ("middle recall", 0.2, 0.8), ("high recall", 0.8, 1.0))
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
            "mark": {"type": "text", "style": "band-label", "baseline": "top", "dy": 4},
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
    return Chart(id, title, spec(data, [*layers, *_key("median")], height=380), caption, alt)


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
    return Chart(id, title, spec(data, [*layers, *_key("run", "median")], height=300), caption, alt)


def _key(*names: str) -> list[Json]:
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
                "y": {"value": 20 + 16 * row},
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
    title: str = "",
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
        "axis": {"labels": False, "ticks": False} if many else {"labelAngle": -90, "labelLimit": 90},
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
    return Chart(
        id, title or f"{measure} against the median", spec({"topics": data}, [bars, zero], height=280), caption, alt
    )


def rank_histogram(
    id: str,
    run: str,
    rows: Sequence[tuple[str, int, int]],
    caption: str,
    alt: str,
    title: str = "Rank of the first correct answer",
    x_title: str = "Rank of the first correct answer",
    y_title: str = "Questions",
) -> Chart:
    """How many questions were answered at each rank, by the run and by the hypothetical median run (001 Figure 3).

    `rows` are a label (`1` … `5`, `not found`), the run's count and the median run's count.
    """
    data: Rows = [
        {"rank": label, "series": series, "name": name, "questions": value}
        for label, ours, median in rows
        for series, name, value in (("run", run, ours), ("median", "median run", median))
    ]
    bars: Json = {
        "data": {"name": "ranks"},
        "mark": {"type": "bar", "cornerRadiusEnd": 1},
        "encoding": {
            "x": {"field": "rank", "type": "nominal", "sort": None, "title": x_title, "axis": {"labelAngle": 0}},
            "xOffset": {"field": "series", "sort": ["run", "median"]},
            "y": {"field": "questions", "type": "quantitative", "title": y_title, "axis": {"tickMinStep": 1}},
            "color": {
                "field": "series",
                "type": "nominal",
                "title": None,
                "scale": {"domain": ["run", "median"]},
                "legend": {"labelExpr": "datum.value == 'run' ? 'this run' : 'median run'", "orient": "top"},
            },
            "tooltip": [shown("name", "run"), shown("rank", "rank"), shown("questions", y_title.lower(), "d")],
        },
    }
    return Chart(id, title, spec({"ranks": data}, [bars], height=260), caption, alt)


def cumulative_found(
    id: str,
    run: str,
    ours: Sequence[tuple[int, float]],
    median: Sequence[tuple[int, float]],
    caption: str,
    alt: str,
    title: str = "Topics found by rank",
) -> Chart:
    """The percentage of topics whose item was found at or before each rank, run and median run (001 Figure 6)."""
    data = {
        name: [{"run": label, "rank": rank, "found": found} for rank, found in points]
        for name, label, points in (("run", run, ours), ("median", "median run", median))
    }
    axes: Json = {
        "x": {
            "field": "rank",
            "type": "quantitative",
            "title": "Rank",
            "scale": {"zero": False, "nice": False},
            "axis": {"tickMinStep": 1, "grid": False},
        },
        "y": quantity("found", "Topics found, cumulative", (0, 1), format=".0%", tickCount=5),
    }
    tooltip = [shown("run", "run"), shown("rank", "rank", "d"), shown("found", "found by then", ".1%")]
    layers: list[Json] = []
    for name in ("median", "run"):
        source: Json = {"data": {"name": name}}
        layers += [
            {**source, "mark": {"type": "line", "style": name, "interpolate": "step-after"}, "encoding": axes},
            {
                **source,
                "mark": {"type": "point", "style": "hit", "size": 90},
                "encoding": {**axes, "tooltip": tooltip},
            },
        ]
    keys = _key("run", "median")
    for row, key in enumerate(keys):
        key["encoding"]["y"] = {"value": {"expr": f"height - {36 - 16 * row}"}}
    return Chart(id, title, spec(data, [*layers, *keys], height=300), caption, alt)


def period_graph(
    id: str,
    rows: Sequence[tuple[str, float | None]],
    measure: str,
    caption: str,
    alt: str,
    title: str = "",
) -> Chart:
    """Mean utility in each period of the stream (001 Figure 5)."""
    data: Rows = [{"period": period, "value": value} for period, value in rows if value is not None]
    encoding: Json = {
        "x": {
            "field": "period",
            "type": "nominal",
            "sort": None,
            "title": "Period (documents)",
            "axis": {"labelAngle": 0, "labelLimit": 130, "grid": False},
            "scale": {"type": "point", "padding": 0.4},
        },
        "y": {"field": "value", "type": "quantitative", "title": f"Mean {measure}", "scale": {"zero": True}},
    }
    layers: list[Json] = [
        {"mark": {"type": "line", "style": "run"}, "encoding": encoding},
        {
            "mark": {"type": "point", "filled": True, "style": "run-point", "size": 60},
            "encoding": {**encoding, "tooltip": [shown("period", "period"), shown("value", measure, ".4f")]},
        },
        {
            "mark": {"type": "text", "dy": -12},
            "encoding": {**encoding, "text": {"field": "value", "format": ".3f"}},
        },
    ]
    body = spec({"periods": data}, layers, height=240, data={"name": "periods"})
    return Chart(id, title or f"Mean {measure} over time", body, caption, alt)


def risk_coverage(
    id: str,
    curves: Mapping[str, Sequence[tuple[float, float]]],
    highlighted: Sequence[str],
    caption: str,
    alt: str,
    title: str = "Risk and coverage",
) -> Chart:
    """Share of wrong answers among the most confident, as more and more questions are answered; lower is better.

    One curve alone needs no name beside it, and its specification is then the same for every run.
    """
    named = list(highlighted)[:8]
    alone = len(curves) == 1 and not named
    rows = {name: [{"run": name, "coverage": x, "risk": y} for x, y in points] for name, points in curves.items()}
    data: dict[str, Rows] = {
        "front": [row for name in named for row in rows[name]],
        "back": [row for name in curves if name not in named for row in rows[name]],
    }
    axes: Json = {
        "x": quantity("coverage", "Coverage (share of questions answered)", (0, 1), format=".0%", grid=False),
        "y": {
            "field": "risk",
            "type": "quantitative",
            "title": "Risk (share of answers that are wrong)",
            "scale": {"zero": True},
            "axis": {"format": ".0%"},
        },
    }
    colour: Json = {"field": "run", "type": "nominal", "title": None, "scale": {"domain": named}, "sort": named}
    tooltip = [shown("run", "run"), shown("coverage", "coverage", ".1%"), shown("risk", "risk", ".2%")]
    layers: list[Json] = [
        {
            "data": {"name": "back"},
            "mark": {"type": "line", "style": "run" if alone else "others"},
            "encoding": {**axes, "detail": {"field": "run"}},
        },
        {
            "data": {"name": "front"},
            "mark": {"type": "line"},
            "encoding": {**axes, "color": colour, "strokeDash": {**colour, "legend": None}},
        },
        *(
            {
                "data": {"name": name},
                "mark": {"type": "point", "style": "hit", "size": 70},
                "encoding": {**axes, "tooltip": tooltip},
            }
            for name in ("back", "front")
        ),
    ]
    if alone:
        layers = [layer for layer in layers if layer["data"]["name"] == "back"]
    return Chart(id, title, spec(data, layers, height=320), caption, alt)


def reliability_diagram(
    id: str,
    bins: Sequence[tuple[float, float, float | None, float | None, int]],
    caption: str,
    alt: str,
    title: str = "Reliability diagram",
) -> Chart:
    """Accuracy within each bin of stated confidence; on the diagonal, a system knows how often it is right.

    `bins` are lower edge, upper edge, mean confidence, accuracy and number of answers; empty bins have None.
    """
    most = max((size for *_, size in bins), default=0) or 1
    data: Rows = [
        {
            "from": low,
            "to": high,
            "confidence": confidence,
            "accuracy": accuracy,
            "answers": size,
            # A strip along the bottom, a quarter of the plot high, shows how many answers each bin holds.
            "base": 0,
            "height": 0.25 * size / most,
        }
        for low, high, confidence, accuracy, size in bins
        if size and confidence is not None and accuracy is not None
    ]
    axes: Json = {
        "x": quantity("confidence", "Stated confidence", (0, 1), format=".1f", grid=False),
        "y": quantity("accuracy", "Accuracy", (0, 1), format=".1f", tickCount=5),
    }
    diagonal: Rows = [{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}]
    source: Json = {"data": {"name": "bins"}}
    tooltip = [
        shown("from", "from", ".2f"),
        shown("to", "to", ".2f"),
        shown("confidence", "mean confidence", ".4f"),
        shown("accuracy", "accuracy", ".4f"),
        shown("answers", "answers", "d"),
    ]
    layers: list[Json] = [
        {
            **source,
            "mark": {"type": "rect", "style": "quiet-bar"},
            "encoding": {
                "x": {**axes["x"], "field": "from"},
                "x2": {"field": "to"},
                "y": {**axes["y"], "field": "base"},
                "y2": {"field": "height"},
                "tooltip": tooltip,
            },
        },
        {"data": {"name": "diagonal"}, "mark": {"type": "line", "style": "reference"}, "encoding": axes},
        {**source, "mark": {"type": "line", "style": "run"}, "encoding": axes},
        {
            **source,
            "mark": {"type": "point", "filled": True, "style": "run-point", "size": 60},
            "encoding": {**axes, "tooltip": tooltip},
        },
    ]
    return Chart(id, title, spec({"bins": data, "diagonal": diagonal}, layers, width=420, height=320), caption, alt)
