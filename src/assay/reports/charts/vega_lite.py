"""Building blocks of charts, as pieces of Vega-Lite.

A specification depends on the kind of chart and not on the run (names and values are only in `datasets`), so that a page with a
thousand charts of one kind stores it once. Colours are named by role (`chart_theme`). Charts transform no data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, log10
from typing import Any

from assay.reports.model import Json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.reports.terminal_charts import Bars, Plot

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
MAX_COLOURED_SERIES = 8
"""Series with distinct colours."""
MARKED = "marked"
FEW_TICKS = 4
"""What Vega-Lite is asked for; `svg_charts` draws three to five."""
MAX_NAMED_TOPICS = 60
MAX_TERMINAL_CURVES = 12
"""Curves drawn on a terminal."""

ROOM, LETTERS, LONG_NAME = 0.25, 0.06, 0.3
"""For the name of a curve: room beyond which more is no better, and distance from the curve, relative to the plot's height; length
relative to its width."""

Rows = list[dict[str, Any]]


def spec(datasets: dict[str, Rows], layers: list[Json], *, width: int = 560, height: int = 320, **more: Any) -> Json:
    """Return a layered specification over named inline data."""
    return {"$schema": SCHEMA, "width": width, "height": height, "datasets": datasets, "layer": layers, **more}


def records(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Rows:
    """Return rows of values under their names."""
    return [dict(zip(names, row, strict=True)) for row in rows]


def quantity(name: str, title: str, domain: Sequence[float] | None = None, *, zero: bool = False, **axis: Any) -> Json:
    """Return a numeric axis: over a fixed domain, from zero, or over the data."""
    scale: Json = {"domain": list(domain), "nice": False} if domain else {"zero": zero, "nice": True}
    return {
        "field": name,
        "type": "quantitative",
        "title": title,
        "scale": scale,
        "axis": {"tickCount": FEW_TICKS, **axis},
    }


def directed(title: str, higher_is_better: bool | None) -> str:
    """Return an axis title that says which direction is better, in words: the typeface has no arrows.

    >>> directed("AP", True), directed("Risk", False), directed("length", None)
    ('AP, higher is better', 'Risk, lower is better', 'length')
    """
    if higher_is_better is None:
        return title
    return f"{title}, {'higher' if higher_is_better else 'lower'} is better"


def short(value: float, places: int = 2) -> str:
    """Return a number as a chart writes it, without a leading zero.

    >>> short(0.5), short(-0.25), short(1), short(-0.001)
    ('.50', '−.25', '1.00', '.00')
    """
    text = f"{value:.{places}f}"
    sign = "−" if text.startswith("-") and text.strip("-0.") else ""
    return sign + text.lstrip("-").removeprefix("0")


def category(name: str, title: str | None, **axis: Any) -> Json:
    """Return an axis of names in the order of the data."""
    return {"field": name, "type": "nominal", "sort": None, "title": title, "axis": axis}


def colour(name: str, domain: Sequence[str], scale: str | None = None, **more: Any) -> Json:
    """Return a colour per value of a field, from a named scale or from the theme's hues."""
    chosen: Json = {"domain": list(domain), **({"range": scale} if scale else {})}
    return {"field": name, "type": "nominal", "title": None, "sort": list(domain), "scale": chosen, **more}


def tooltip(*lines: Sequence[str]) -> list[Json]:
    """Return a tooltip of lines (field, title) or, for numbers, (field, title, format)."""
    kinds: Iterable[Json] = (
        {"type": "quantitative", "format": line[2]} if line[2:] else {"type": "nominal"} for line in lines
    )
    return [{"field": line[0], "title": line[1], **kind} for line, kind in zip(lines, kinds, strict=True)]


def layer(data: str, mark: str, encoding: Json, style: str | None = None, **more: Any) -> Json:
    """Return one mark over one dataset."""
    drawn: Json = {"type": mark, **({"style": style} if style else {}), **more}
    if mark == "point" and style != "hit":
        drawn["filled"] = True
    return {"data": {"name": data}, "mark": drawn, "encoding": encoding}


def hits(data: str, encoding: Json, tooltip: list[Json], size: int = 90) -> Json:
    """Return invisible points that give a line tooltips."""
    return layer(data, "point", {**encoding, "tooltip": tooltip}, "hit", size=size)


def named_lines(data: str, axes: Json, by: str, names: Sequence[str], tooltip: list[Json], **line: Any) -> list[Json]:
    """Return lines in distinct colours, with points in distinct shapes."""
    hue = colour(by, names)
    points = {**axes, "color": hue, "shape": hue, "tooltip": tooltip}
    return [layer(data, "line", {**axes, "color": hue}, **line), layer(data, "point", points, size=42)]


def level_lines(values: Sequence[tuple[float, str]]) -> tuple[Rows, list[Json]]:
    """Return rows and layers of horizontal reference lines, labelled at their end outside the plot."""
    rows: Rows = [{"at": at, "label": label} for at, label in values]
    place: Json = {"y": {"field": "at", "type": "quantitative"}}
    label: Json = {**place, "x": {"value": {"expr": "width - 0"}}, "text": {"field": "label"}}
    return rows, [
        layer("lines", "rule", place, "reference"),
        layer("lines", "text", label, "reference-label", align="left", dx=5),
    ]


def reach(labels: Iterable[str]) -> Json:
    """Return the `usermeta` that leaves room for labels to the right of the plot."""
    return {"reach": max((6.0 * len(label) + 8 for label in labels), default=0.0)}


def label_of(name: str, axes: Json, *, falling: bool) -> list[Json]:
    """Return the layers that label a curve, from the datasets of `labelled`.

    Above a falling curve there is room to the right, below it to the left; the reverse where it rises.
    """
    sides = {"above": ("left" if falling else "right", -10), "below": ("right" if falling else "left", 11)}
    place: Json = {channel: {**axes[channel]} for channel in ("x", "y")}
    return [
        layer(
            f"{name}-{side}",
            "text",
            {**place, "text": {"field": "label"}},
            f"{name}-label",
            align=align,
            dy=dy,
            limit=150,
        )
        for side, (align, dy) in sides.items()
    ]


def labelled(
    name: str,
    label: str,
    axes: Json,
    curve: Rows,
    others: Sequence[Rows],
    *,
    falling: bool,
    other_labels: Rows | None = None,
) -> dict[str, Rows]:
    """Place a curve's label at the point with most room, away from the height of other labels."""
    x, y = axes["x"]["field"], axes["y"]["field"]
    datasets: dict[str, Rows] = {f"{name}-above": [], f"{name}-below": []}
    if not curve:
        return datasets
    # A name begins in one half of the plot and reads towards the other.
    half = len(curve) // 2
    first, last = curve[half // 3 : half + 1], curve[half:-1]
    long = LONG_NAME * (curve[-1][x] - curve[0][x])
    best = -1.0
    for side, rightwards in (("above", falling), ("below", not falling)):
        for point in first if rightwards else last:
            at = point[y] + (LETTERS if side == "above" else -LETTERS)
            ends = (point[x], point[x] + long) if rightwards else (point[x] - long, point[x])
            passed = [row[y] for rows in others for row in rows if ends[0] <= row[x] <= ends[1]]
            label_heights = [row[y] for row in other_labels or ()]
            apart = [1 - at, at, *(abs(value - at) for value in (*passed, *label_heights))]
            room = min(*apart, ROOM)
            if room > best:
                best = room
                datasets = {key: [] for key in datasets} | {
                    f"{name}-{side}": [{x: point[x], y: point[y], "label": label}]
                }
    return datasets


def curve_pair(
    axes: Json, tooltip: list[Json], ours: Rows, theirs: Rows, *, points: bool, falling: bool, **line: Any
) -> tuple[dict[str, Rows], list[Json]]:
    """Return datasets and layers of a run's curve and the median's, each with its label."""
    layers: list[Json] = []
    curves = {"run": ours, "median": theirs}
    for name in ("median", "run"):
        layers.append(layer(name, "line", axes, name, **line))
        if points:
            layers.append(layer(name, "point", {**axes, "tooltip": tooltip}, f"{name}-point", size=46))
        else:
            layers.append(hits(name, axes, tooltip))
    data: dict[str, Rows] = dict(curves)
    labels: Rows = []
    for name, rows in curves.items():
        others = [other for key, other in curves.items() if key != name]
        label = rows[0]["run"] if rows else ""
        places = labelled(name, label, axes, rows, others, falling=falling, other_labels=labels)
        labels += [row for rows_of_place in places.values() for row in rows_of_place]
        data |= places
        layers += label_of(name, axes, falling=falling)
    return data, layers


def overlay(axes: Json, tooltip: list[Json], coloured: Sequence[str], *, dashed: bool = False) -> list[Json]:
    """Return layers: `front` curves in colour, `back` in grey, the `marked` one on top."""
    hue = colour("run", coloured)
    front = {**axes, "color": hue, **({"strokeDash": hue} if dashed else {})}
    return [
        layer("back", "line", {**axes, "detail": {"field": "run"}}, "others"),
        layer("front", "line", front, strokeWidth=2.25),
        layer(MARKED, "line", axes, "marked", strokeWidth=3.5),
        *(hits(name, axes, tooltip, 70) for name in ("back", "front")),
    ]


def front_and_back(rows: Mapping[str, Rows], highlighted: Sequence[str]) -> tuple[list[str], dict[str, Rows]]:
    """Return the names of the coloured curves, at most eight, and the datasets of an `overlay`."""
    coloured = list(highlighted)[:MAX_COLOURED_SERIES]
    front = [row for name in coloured for row in rows.get(name, ())]
    back = [row for name in rows if name not in coloured for row in rows[name]]
    return coloured, {"front": front, "back": back, MARKED: []}


def round_end(values: Iterable[float]) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that no value exceeds: charts of one kind then share an axis.

    >>> round_end([0.3, -0.42]), round_end([])
    (0.5, 1.0)
    """
    most = max(map(abs, values), default=0.0) or 1.0
    power = 10.0 ** floor(log10(most))
    return round(next(unit * power for unit in (1, 2, 5, 10) if unit * power >= most - 1e-12), 12)


def difference_bars(unit: str, title: str, lines: Sequence[Sequence[str]], axis: Json, end: float) -> list[Json]:
    """Return bars up and down from zero, as far as `end`, one per topic, over dataset `topics`."""
    height = quantity("difference", title, (-end, end), format="+.2f")
    bars: Json = {
        "x": {"field": "topic", "type": "nominal", **axis},
        "y": height,
        "color": colour("side", ["above", "below"], "sides", legend=None),
        "tooltip": tooltip(("topic", unit), *lines, ("difference", "difference", "+.3f")),
    }
    zero: Json = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0, "type": "quantitative"}}}
    return [layer("topics", "bar", bars), zero]


NAMED_TOPICS: Json = {"labelAngle": -90, "labelLimit": 90, "labelOverlap": True}


def plot(rows: Rows, by: str, axes: Json, *, line: float | None = None, log: bool = False) -> Plot:
    """Return the curves of a dataset for the terminal, from the same rows and axes."""
    from assay.reports.terminal_charts import Plot

    x, y = axes["x"], axes["y"]
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        curves.setdefault(row[by], []).append((row[x["field"]], row[y["field"]]))
    few = dict(list(curves.items())[:MAX_TERMINAL_CURVES])
    return Plot(few, x["title"], y["title"], line, log)


def bars(rows: Rows, label: str, series: str, value: str, title: str) -> Bars:
    """Return the bars of a dataset for the terminal."""
    from assay.reports.terminal_charts import Bars

    return Bars(tuple((row[label], row[series], row[value]) for row in rows), title)
