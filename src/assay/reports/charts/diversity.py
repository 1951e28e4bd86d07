"""Charts of diversity: subtopic recall by rank, of many runs and of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json

MEDIAN = "median of all runs"
AXES: Json = {
    "x": vega_lite.quantity("rank", "Rank", tickMinStep=1, format="d", grid=False),
    "y": vega_lite.quantity("recall", "Subtopic recall", (0, 1), format=".1f", tickCount=5),
}
AXES["x"]["scale"] = {"zero": False, "nice": False}
TOOLTIP = vega_lite.tooltip(("run", "run"), ("rank", "rank", "d"), ("recall", "subtopic recall", ".4f"))

ByRank = Sequence[float | None]
"""Subtopic recall at rank 1, 2, …"""


def _curve(name: str, recalls: ByRank | None) -> vega_lite.Rows:
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
    coloured = list(highlighted)[: vega_lite.MAX_COLOURED_SERIES]
    front = [row for name in coloured for row in _curve(name, curves[name])]
    back = [row for name in curves if name not in coloured for row in _curve(name, curves[name])]
    middle = _curve(MEDIAN, median)
    data: dict[str, vega_lite.Rows] = {"front": front, "back": back, vega_lite.MARKED: [], "median": middle}
    layers = [
        *vega_lite.overlay(AXES, TOOLTIP, coloured),
        vega_lite.layer("median", "line", AXES, "median"),
        vega_lite.hits("median", AXES, TOOLTIP, 120),
    ]
    drawing = vega_lite.plot([*front, *middle], "run", AXES)
    return Chart(id, "Subtopic recall by rank", vega_lite.spec(data, layers, height=360), caption, alt, drawing)


def run_recall(id: str, run: str, recalls: ByRank, median: ByRank | None, caption: str, alt: str) -> Chart:
    """Draw one run's curve against the median of all runs."""
    ours, theirs = _curve(run, recalls), _curve(MEDIAN, median)
    data, layers = vega_lite.curve_pair(AXES, TOOLTIP, ours, theirs, points=True, falling=False)
    drawing = vega_lite.plot([*ours, *theirs], "run", AXES)
    return Chart(id, "Subtopic recall by rank", vega_lite.spec(data, layers, height=300), caption, alt, drawing)
