"""The few shapes all charts are made of, as pieces of Vega-Lite.

A specification depends on the kind of chart and not on the run it shows (names and values live in `datasets` only), so that
a page with a thousand charts of one kind holds it once. It names roles for its colours (`themes`), and transforms nothing:
what is drawn stands in the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from assay.reports.model import Json
from assay.reports.terminal_charts import Bars, Plot

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
MOST_NAMED = 8
"""Series that get a colour of their own."""
MARKED = "marked"
MANY_TOPICS = 60
MOST_IN_TEXT = 12
"""Curves that letters on a terminal keep apart."""

ROOM, LETTERS, LONG_NAME = 0.25, 0.06, 0.3
"""Of a plot's height, beyond which more room makes no better place for a curve's name, and how far it stands from the curve;
of its width, how long it is."""

Rows = list[dict[str, Any]]


def spec(datasets: dict[str, Rows], layers: list[Json], *, width: int = 560, height: int = 320, **more: Any) -> Json:
    """A layered specification over named inline data."""
    return {"$schema": SCHEMA, "width": width, "height": height, "datasets": datasets, "layer": layers, **more}


def records(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Rows:
    """Rows of values under their names."""
    return [dict(zip(names, row, strict=True)) for row in rows]


def quantity(name: str, title: str, domain: Sequence[float] | None = None, *, zero: bool = False, **axis: Any) -> Json:
    """A numeric axis: over a fixed domain, from zero, or over what there is."""
    scale: Json = {"domain": list(domain), "nice": False} if domain else {"zero": zero, "nice": True}
    return {"field": name, "type": "quantitative", "title": title, "scale": scale, "axis": axis}


def category(name: str, title: str | None, **axis: Any) -> Json:
    """An axis of names in the order of the data."""
    return {"field": name, "type": "nominal", "sort": None, "title": title, "axis": axis}


def colour(name: str, domain: Sequence[str], scale: str | None = None, **more: Any) -> Json:
    """A colour for each value of a field, from a named scale of the theme or from its hues in turn."""
    chosen: Json = {"domain": list(domain), **({"range": scale} if scale else {})}
    return {"field": name, "type": "nominal", "title": None, "sort": list(domain), "scale": chosen, **more}


def shown(field: str, title: str, form: str | None = None) -> Json:
    """One line of a tooltip."""
    if form is None:
        return {"field": field, "type": "nominal", "title": title}
    return {"field": field, "type": "quantitative", "title": title, "format": form}


def layer(data: str, mark: str, encoding: Json, style: str | None = None, **more: Any) -> Json:
    """One mark over one dataset."""
    drawn: Json = {"type": mark, **({"style": style} if style else {}), **more}
    if mark == "point" and style != "hit":
        drawn["filled"] = True
    return {"data": {"name": data}, "mark": drawn, "encoding": encoding}


def hits(data: str, encoding: Json, tooltip: list[Json], size: int = 90) -> Json:
    """Unseen points that answer the mouse where a line has none."""
    return layer(data, "point", {**encoding, "tooltip": tooltip}, "hit", size=size)


def named_lines(data: str, axes: Json, by: str, names: Sequence[str], tooltip: list[Json], **line: Any) -> list[Json]:
    """Lines in colours of their own, with points in shapes of their own."""
    hue = colour(by, names)
    points = {**axes, "color": hue, "shape": hue, "tooltip": tooltip}
    return [layer(data, "line", {**axes, "color": hue}, **line), layer(data, "point", points, size=42)]


def level_lines(values: Sequence[tuple[float, str]]) -> tuple[Rows, list[Json]]:
    """Horizontal reference lines, labelled at their start: rows, and the layers that draw dataset `lines`."""
    rows: Rows = [{"at": at, "label": label} for at, label in values]
    place: Json = {"y": {"field": "at", "type": "quantitative"}}
    label: Json = {**place, "x": {"value": 4}, "text": {"field": "label"}}
    return rows, [
        layer("lines", "rule", place, "reference"),
        layer("lines", "text", label, "reference-label", align="left", dy=-6),
    ]


def label_of(name: str, axes: Json, *, falling: bool) -> list[Json]:
    """The layers that name a curve beside it, from the datasets `NAME-above` and `NAME-below` of `labelled`.

    Above a falling curve there is room to the right, below it to the left; and the other way round where it rises.
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
    name: str, label: str, axes: Json, curve: Rows, others: Sequence[Rows], *, falling: bool, taken: Rows | None = None
) -> dict[str, Rows]:
    """Where a curve is named: at that one of its points which has the most room above it or below, and not where another
    name is `taken` to stand at the same height."""
    x, y = axes["x"]["field"], axes["y"]["field"]
    made: dict[str, Rows] = {f"{name}-above": [], f"{name}-below": []}
    if not curve:
        return made
    # A name begins in the half of the plot from which it reads towards the other.
    half = len(curve) // 2
    first, last = curve[half // 3 : half + 1], curve[half:-1]
    long = LONG_NAME * (curve[-1][x] - curve[0][x])
    best = -1.0
    for side, rightwards in (("above", falling), ("below", not falling)):
        for point in first if rightwards else last:
            at = point[y] + (LETTERS if side == "above" else -LETTERS)
            ends = (point[x], point[x] + long) if rightwards else (point[x] - long, point[x])
            passed = [row[y] for rows in others for row in rows if ends[0] <= row[x] <= ends[1]]
            named = [row[y] for row in taken or ()]
            apart = [1 - at, at, *(abs(value - at) for value in (*passed, *named))]
            room = min(*apart, ROOM)
            if room > best:
                best = room
                made = {key: [] for key in made} | {f"{name}-{side}": [{x: point[x], y: point[y], "label": label}]}
    return made


def curve_pair(
    axes: Json, tooltip: list[Json], ours: Rows, theirs: Rows, *, points: bool, falling: bool, **line: Any
) -> tuple[dict[str, Rows], list[Json]]:
    """A run's curve and the median run's over the share of everything, each named beside itself: datasets and layers."""
    layers: list[Json] = []
    curves = {"run": ours, "median": theirs}
    for name in ("median", "run"):
        layers.append(layer(name, "line", axes, name, **line))
        if points:
            layers.append(layer(name, "point", {**axes, "tooltip": tooltip}, f"{name}-point", size=46))
        else:
            layers.append(hits(name, axes, tooltip))
    data: dict[str, Rows] = dict(curves)
    taken: Rows = []
    for name, rows in curves.items():
        others = [other for key, other in curves.items() if key != name]
        label = rows[0]["run"] if rows else ""
        places = labelled(name, label, axes, rows, others, falling=falling, taken=taken)
        taken += [row for found in places.values() for row in found]
        data |= places
        layers += label_of(name, axes, falling=falling)
    return data, layers


def overlay(axes: Json, tooltip: list[Json], named: Sequence[str], *, dashed: bool = False) -> list[Json]:
    """Curves of many runs: those of dataset `front` in colours of their own, those of `back` in grey; the one that a reader
    points at, in dataset `marked`, over all of them."""
    hue = colour("run", named)
    front = {**axes, "color": hue, **({"strokeDash": hue} if dashed else {})}
    return [
        layer("back", "line", {**axes, "detail": {"field": "run"}}, "others"),
        layer("front", "line", front, strokeWidth=2.25),
        layer(MARKED, "line", axes, "marked", strokeWidth=3.5),
        *(hits(name, axes, tooltip, 70) for name in ("back", "front")),
    ]


def difference_bars(unit: str, title: str, tooltip: list[Json], axis: Json) -> list[Json]:
    """Bars up and down from zero, one a topic, over dataset `topics`."""
    height = quantity("difference", title, zero=True, format="+.2f")
    bars: Json = {
        "x": {"field": "topic", "type": "nominal", **axis},
        "y": height,
        "color": colour("side", ["above", "below"], "sides", legend=None),
        "tooltip": [shown("topic", unit), *tooltip, shown("difference", "difference", "+.4f")],
    }
    zero: Json = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0, "type": "quantitative"}}}
    return [layer("topics", "bar", bars), zero]


NAMED_TOPICS: Json = {"labelAngle": -90, "labelLimit": 90, "labelOverlap": True}


def plot(rows: Rows, by: str, axes: Json, *, line: float | None = None, log: bool = False) -> Plot:
    """The curves of a dataset as a terminal draws them, from the same rows and axes."""
    x, y = axes["x"], axes["y"]
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        curves.setdefault(row[by], []).append((row[x["field"]], row[y["field"]]))
    few = dict(list(curves.items())[:MOST_IN_TEXT])
    return Plot(few, x["title"], y["title"], line, log)


def bars(rows: Rows, label: str, series: str, value: str, title: str) -> Bars:
    """The bars of a dataset as a terminal draws them."""
    return Bars(tuple((row[label], row[series], row[value]) for row in rows), title)
