"""Charts of answers and streams: ranks, cumulative curves, periods, risk against coverage, reliability diagrams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.reports.charts.ranked import Rows, quantity, series_key, shown, spec
from assay.reports.model import Chart, Json


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
    keys = series_key("run", "median")
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
            "axis": {"labelAngle": -20, "labelLimit": 130, "grid": False},
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
            "encoding": {**axes, "color": colour, "strokeDash": colour},
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
