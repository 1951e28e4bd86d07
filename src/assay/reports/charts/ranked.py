"""Charts of ranked retrieval and diversity: curves of many runs, one run, one topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from operator import sub, truediv

from assay.figures.ranked import LEVELS, TopicPoint
from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json

# TREC's "Common evaluation measures" recommends to compare runs within these bands.
BANDS = (("high\nprecision", 0.0, 0.1, 0.2), ("middle recall", 0.2, 0.5, 0.8), ("high\nrecall", 0.8, 0.9, 1.0))
MEDIAN = "median of all runs"
HIGH = 0.8
"""Above this precision, a curve would cross the names of the bands."""
AXES: Json = {
    "x": vega_lite.quantity("recall", "Recall", (0, 1), format=".1f", grid=False),
    "y": vega_lite.quantity("precision", "Precision, higher is better", (0, 1), format=".1f"),
}
TOOLTIP = vega_lite.tooltip(("run", "run"), ("recall", "recall", ".1f"), ("precision", "precision", ".3f"))

Levels = Sequence[float | None]
"""Precision at each of the eleven recall levels."""


def _bands(curves: vega_lite.Rows) -> tuple[dict[str, vega_lite.Rows], list[Json]]:
    """Return the bands of recall, labelled at their top, or at the bottom where a curve is high."""
    rows: vega_lite.Rows = []
    for name, low, middle, high in BANDS:
        inside = [row["precision"] for row in curves if low <= row["recall"] <= high]
        foot = max(inside, default=0.0) > HIGH and min(inside, default=0.0) > 1 - HIGH
        rows.append({"from": low, "to": high, "middle": middle, "named": 0.16 if foot else 1.0, "band": name})
    data = {"bands": rows, "middle": rows[1:-1], "edges": [{"at": row["to"]} for row in rows[:-1]]}
    across: Json = {"x": {"field": "from", "type": "quantitative"}, "x2": {"field": "to"}}
    place: Json = {"x": {"field": "middle", "type": "quantitative"}, "y": {**AXES["y"], "field": "named"}}
    label: Json = {**place, "text": {"field": "band"}}
    return data, [
        vega_lite.layer("middle", "rect", across, "band"),
        vega_lite.layer("edges", "rule", {"x": {"field": "at", "type": "quantitative"}}, "band-edge"),
        vega_lite.layer("bands", "text", label, "band-label", baseline="top", dy=4, lineBreak="\n"),
    ]


def _curve(name: str, precisions: Levels | None) -> vega_lite.Rows:
    levels = zip(LEVELS, precisions or [None] * len(LEVELS), strict=True)
    return vega_lite.records(
        ("run", "recall", "precision"), ((name, at, value) for at, value in levels if value is not None)
    )


def recall_precision_overlay(
    id: str,
    curves: Mapping[str, Levels],
    highlighted: Sequence[str],
    caption: str,
    alt: str,
    median: Levels | None = None,
) -> Chart:
    """Draw every run's 11-level curve; up to eight `highlighted` ones in colour, the rest grey."""
    rows = {name: _curve(name, levels) for name, levels in curves.items()}
    coloured, overlaid = vega_lite.front_and_back(rows, highlighted)
    front, middle = overlaid["front"], _curve(MEDIAN, median)
    data, layers = _bands([*front, *overlaid["back"], *middle])
    data |= {**overlaid, "median": middle}
    hue = vega_lite.colour("run", coloured)
    keys = {"keys": [[MEDIAN, "median"]]} if middle else {}
    layers += [
        *vega_lite.overlay(AXES, TOOLTIP, coloured),
        vega_lite.layer("median", "line", AXES, "median"),
        vega_lite.layer("front", "point", {**AXES, "color": hue, "shape": hue}, size=38),
        vega_lite.hits("median", AXES, TOOLTIP, 120),
    ]
    drawing = vega_lite.plot([*front, *middle], "run", AXES)
    return Chart(
        id, "Recall-precision curves", vega_lite.spec(data, layers, height=380, usermeta=keys), caption, alt, drawing
    )


def run_recall_precision(id: str, run: str, precisions: Levels, median: Levels | None, caption: str, alt: str) -> Chart:
    """Draw one run's 11-level curve against the median of all runs."""
    ours, theirs = _curve(run, precisions), _curve(MEDIAN, median)
    data, layers = _bands([*ours, *theirs])
    pair, drawn = vega_lite.curve_pair(AXES, TOOLTIP, ours, theirs, points=True, falling=True)
    body = vega_lite.spec(data | pair, [*layers, *drawn], height=300)
    return Chart(id, "Recall-precision graph", body, caption, alt, vega_lite.plot([*ours, *theirs], "run", AXES))


def topic_recall_precision(id: str, topic: str, points: Sequence[TopicPoint], caption: str, alt: str) -> Chart:
    """Draw precision at each relevant document of a topic, and interpolated precision dashed."""
    formats = {"rank": "d", "found": "d", "recall": ".3f", "precision": ".3f", "interpolated": ".3f"}
    numbered = enumerate(points, start=1)
    rows = vega_lite.records(
        tuple(formats), ((p.rank, place, p.recall, p.precision, p.interpolated) for place, p in numbered)
    )
    dashed: Json = {**AXES, "y": {**AXES["y"], "field": "interpolated"}}
    tooltip = vega_lite.tooltip(
        *((name, "relevant found" if name == "found" else name, form) for name, form in formats.items())
    )
    # Interpolated precision is defined from recall 0 on.
    start: vega_lite.Rows = [{name: round(row[name], 4) for name in ("recall", "interpolated")} for row in rows[:1]]
    layers = [
        vega_lite.layer("start", "rule", {**dashed, "x2": {"value": 0}}, "interpolated"),
        vega_lite.layer("points", "line", dashed, "interpolated", interpolate="step-before"),
        vega_lite.layer("points", "line", AXES, "run", strokeWidth=1.25),
        vega_lite.layer("points", "point", {**AXES, "tooltip": tooltip}, "run-point", size=42),
    ]
    body = vega_lite.spec({"points": rows, "start": start}, layers, width=420, height=260)
    return Chart(id, f"Topic {topic}", body, caption, alt)


def topic_columns(ranks: Sequence[int], relevant: int) -> Json:
    """Return the data of `topic_recall_precision` by column, computed from the ranks.

    A report has a plot for every run and topic; most are never opened.

    >>> topic_columns([2, 3], 4)["points"]  # doctest: +NORMALIZE_WHITESPACE
    [2, {'rank': {'rises': [2, 1]}, 'found': 'count', 'recall': {'over': 4}, 'precision': {'over': 'rank'},
         'interpolated': {'highest': 'precision'}}]
    """
    if not ranks:
        return {"points": [0, {}], "start": [0, {}]}
    steps = [ranks[0], *map(sub, ranks[1:], ranks)]
    points: Json = {"rank": {"rises": steps}, "found": "count", "recall": {"over": relevant}}
    points |= {"precision": {"over": "rank"}, "interpolated": {"highest": "precision"}}
    highest = max(map(truediv, count(1), ranks))
    start = {"recall": [round(1 / relevant, 4)], "interpolated": [round(highest, 4)]}
    return {"points": [len(ranks), points], "start": [1, start]}


RANK_AXES: Json = {
    "x": vega_lite.quantity("rank", "Rank", tickMinStep=1, format="d", grid=False),
    "y": vega_lite.quantity("recall", "Subtopic recall, higher is better", (0, 1), format=".1f"),
}
RANK_AXES["x"]["scale"] = {"zero": False, "nice": False}
RANK_TOOLTIP = vega_lite.tooltip(("run", "run"), ("rank", "rank", "d"), ("recall", "subtopic recall", ".3f"))

ByRank = Sequence[float | None]
"""Subtopic recall at rank 1, 2, …"""


def _rank_curve(name: str, recalls: ByRank | None) -> vega_lite.Rows:
    points = ((name, rank, recall) for rank, recall in enumerate(recalls or (), 1) if recall is not None)
    return vega_lite.records(("run", "rank", "recall"), points)


def recall_overlay(
    id: str,
    curves: Mapping[str, ByRank],
    highlighted: Sequence[str],
    caption: str,
    alt: str,
    median: ByRank | None = None,
) -> Chart:
    """Draw every run's curve: up to eight `highlighted` ones in colour, the rest in grey."""
    rows = {name: _rank_curve(name, recalls) for name, recalls in curves.items()}
    coloured, data = vega_lite.front_and_back(rows, highlighted)
    data["median"] = middle = _rank_curve(MEDIAN, median)
    layers = [
        *vega_lite.overlay(RANK_AXES, RANK_TOOLTIP, coloured),
        vega_lite.layer("median", "line", RANK_AXES, "median"),
        vega_lite.hits("median", RANK_AXES, RANK_TOOLTIP, 120),
    ]
    drawing = vega_lite.plot([*data["front"], *middle], "run", RANK_AXES)
    keys = {"keys": [[MEDIAN, "median"]]} if middle else {}
    body = vega_lite.spec(data, layers, height=360, usermeta=keys)
    return Chart(id, "Subtopic recall by rank", body, caption, alt, drawing)


def run_recall(id: str, run: str, recalls: ByRank, median: ByRank | None, caption: str, alt: str) -> Chart:
    """Draw one run's curve against the median of all runs."""
    ours, theirs = _rank_curve(run, recalls), _rank_curve(MEDIAN, median)
    data, layers = vega_lite.curve_pair(RANK_AXES, RANK_TOOLTIP, ours, theirs, points=True, falling=False)
    drawing = vega_lite.plot([*ours, *theirs], "run", RANK_AXES)
    return Chart(id, "Subtopic recall by rank", vega_lite.spec(data, layers, height=300), caption, alt, drawing)
