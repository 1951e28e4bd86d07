"""Charts of ranked retrieval: recall against precision, of many runs, of one run, and of one topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.figures.ranked import LEVELS, TopicPoint
from assay.reports.charts.marks import (
    MOST_NAMED,
    Rows,
    colour,
    curve_pair,
    hits,
    key,
    layer,
    overlay,
    plot,
    quantity,
    shown,
    spec,
)
from assay.reports.model import Chart, Json

# Where TREC's "Common evaluation measures" says comparisons are best made.
BANDS = (("high\nprecision", 0.0, 0.1, 0.2), ("middle recall", 0.2, 0.5, 0.8), ("high\nrecall", 0.8, 0.9, 1.0))
MEDIAN = "median of all runs (dashed)"
AXES: Json = {
    "x": quantity("recall", "Recall", (0, 1), tickCount=10, format=".1f", grid=False),
    "y": quantity("precision", "Precision", (0, 1), tickCount=5, format=".1f"),
}
TOOLTIP = [shown("run", "run"), shown("recall", "recall", ".1f"), shown("precision", "precision", ".4f")]


def _bands() -> tuple[dict[str, Rows], list[Json]]:
    rows: Rows = [{"from": low, "to": high, "middle": middle, "band": name} for name, low, middle, high in BANDS]
    data = {"bands": rows, "middle": rows[1:-1], "edges": [{"at": row["to"]} for row in rows[:-1]]}
    across: Json = {"x": {"field": "from", "type": "quantitative"}, "x2": {"field": "to"}}
    label: Json = {"x": {"field": "middle", "type": "quantitative"}, "y": {"value": 0}, "text": {"field": "band"}}
    return data, [
        layer("middle", "rect", across, "band"),
        layer("edges", "rule", {"x": {"field": "at", "type": "quantitative"}}, "band-edge"),
        layer("bands", "text", label, "band-label", baseline="top", dy=4, lineBreak="\n"),
    ]


def _curve(name: str, precisions: Sequence[float | None] | None) -> Rows:
    return [
        {"run": name, "recall": level, "precision": value}
        for level, value in zip(LEVELS, precisions or [None] * len(LEVELS), strict=True)
        if value is not None
    ]


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
    named = list(highlighted)[:MOST_NAMED]
    front = [row for name in named for row in _curve(name, curves[name])]
    back = [row for name in curves if name not in named for row in _curve(name, curves[name])]
    middle = _curve(MEDIAN, median)
    data, layers = _bands()
    labels, keys = key(("median",), [MEDIAN])
    data |= {"front": front, "back": back, "median": middle, "median-key": labels if middle else []}
    hue = colour("run", named)
    layers += [
        *overlay(AXES, TOOLTIP, named),
        layer("median", "line", AXES, "median"),
        layer("front", "point", {**AXES, "color": hue, "shape": hue}, size=38),
        hits("median", AXES, TOOLTIP, 120),
        *keys,
    ]
    return Chart(id, title, spec(data, layers, height=380), caption, alt, plot([*front, *middle], "run", AXES))


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
    ours, theirs = _curve(run, precisions), _curve(MEDIAN, median)
    pair, drawn = curve_pair(AXES, TOOLTIP, ours, theirs, points=True)
    body = spec(data | pair, [*layers, *drawn], height=300)
    return Chart(id, title, body, caption, alt, plot([*ours, *theirs], "run", AXES))


def topic_recall_precision(id: str, topic: str, points: Sequence[TopicPoint], caption: str, alt: str) -> Chart:
    """Precision at each relevant document of one topic, and the interpolated line dashed."""
    rows: Rows = [
        {
            "rank": point.rank,
            "found": place,
            "recall": point.recall,
            "precision": point.precision,
            "interpolated": point.interpolated,
        }
        for place, point in enumerate(points, start=1)
    ]
    dashed: Json = {**AXES, "y": {**AXES["y"], "field": "interpolated"}}
    tooltip = [
        shown("rank", "rank", "d"),
        shown("found", "relevant found", "d"),
        shown("recall", "recall", ".4f"),
        shown("precision", "precision", ".4f"),
        shown("interpolated", "interpolated", ".4f"),
    ]
    # The rule gives a value from recall 0 on, where no precision is defined.
    start: Rows = [{name: round(row[name], 4) for name in ("recall", "interpolated")} for row in rows[:1]]
    layers = [
        layer("start", "rule", {**dashed, "x2": {"value": 0}}, "interpolated"),
        layer("points", "line", dashed, "interpolated", interpolate="step-before"),
        layer("points", "line", AXES, "run", strokeWidth=1.25),
        layer("points", "point", {**AXES, "tooltip": tooltip}, "run-point", size=42),
    ]
    body = spec({"points": rows, "start": start}, layers, width=420, height=260)
    return Chart(id, f"Topic {topic}", body, caption, alt)
