"""What is read of a specification before anything is drawn: its layers, the scales they share, and what it asks too much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from assay.reports.model import Json
from assay.reports.svg_charts.scales import Bands, Linear, nice, union

KEYS = {"$schema", "width", "height", "datasets", "layer", "usermeta"}
MARKS = {"rule", "line", "area", "point", "bar", "rect", "text"}
CHANNELS = {
    "x", "y", "x2", "y2", "color", "shape", "strokeDash", "detail", "order", "xOffset", "text", "tooltip",
}  # fmt: skip
SCALE = {"domain", "nice", "zero", "range", "clamp", "paddingInner", "paddingOuter", "padding", "type"}
AXIS = {
    "format", "grid", "tickCount", "tickMinStep", "labelAngle", "labelLimit", "labelOverlap", "labels", "ticks", "domain",
    "orient",
}  # fmt: skip
MARK = {
    "type", "style", "filled", "size", "strokeWidth", "interpolate", "align", "baseline", "dx", "dy", "lineBreak", "limit",
    "cornerRadiusEnd", "opacity", "fontSize",
}  # fmt: skip


class UnsupportedSpec(Exception):
    """A specification uses what is not drawn here."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One mark over its rows."""

    mark: Json
    encoding: Json
    rows: list[Json]


def layers_of(spec: Json) -> list[Layer]:
    """The layers that stand still: those that only answer the mouse are for the page."""
    _known("specification", spec, KEYS)
    made: list[Layer] = []
    for one in spec["layer"]:
        mark, encoding = one["mark"], one.get("encoding", {})
        if mark.get("style") == "hit":
            continue
        _known("layer", one, {"data", "mark", "encoding"})
        _known("mark", mark, MARK)
        _known("encoding", encoding, CHANNELS)
        if mark["type"] not in MARKS:
            raise UnsupportedSpec(f"mark {mark['type']}")
        for name in ("x", "y"):
            axis = encoding.get(name, {}).get("axis") or {}
            _known("axis", axis, AXIS)
            if "~" in axis.get("format", ""):
                raise UnsupportedSpec(f"format {axis['format']}")
            scale = encoding.get(name, {}).get("scale", {})
            _known("scale", scale, SCALE)
            if scale.get("type", "point") != "point":
                raise UnsupportedSpec(f"scale {scale['type']}")
        named = one.get("data", {}).get("name")
        # What a reader marks on the page has no data until somebody does.
        made.append(Layer(mark, encoding, spec["datasets"].get(named, []) if named else [{}]))
    return made


def _known(what: str, given: Iterable[str], known: set[str]) -> None:
    unknown = set(given) - known
    if unknown:
        raise UnsupportedSpec(f"{what}: {', '.join(sorted(unknown))}")


def first(layers: list[Layer], channel: str, key: str) -> Any:
    """What the first layer that says anything about it says of a channel."""
    return next((one.encoding[channel][key] for one in layers if key in one.encoding.get(channel, {})), None)


def names_of(layers: list[Layer], channel: str) -> tuple[str, ...]:
    """The names along an axis, in the order they shall stand."""
    sort = first(layers, channel, "sort")
    if isinstance(sort, list):
        return tuple(map(str, sort))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    rows = [(row, one.encoding[channel]["field"]) for one in layers if channel in one.encoding for row in one.rows]
    if isinstance(sort, dict):
        down = sort["order"] == "descending"
        rows = sorted(rows, key=lambda row: row[0][sort["field"]], reverse=down)
    return tuple(dict.fromkeys(str(row[field]) for row, field in rows))


def is_named(layers: list[Layer], channel: str) -> bool:
    return first(layers, channel, "type") == "nominal"


def band_scale(layers: list[Layer], channel: str, start: float, end: float) -> Bands:
    """Names along an axis: bars touch their bands' edges, points stand in the middle."""
    scale = first(layers, channel, "scale") or {}
    names = names_of(layers, channel)
    if scale.get("type") == "point" or all(one.mark["type"] not in ("bar", "rect") for one in layers):
        return Bands(names, start, end, 1 - 1e-9, scale.get("padding", 0.5))
    squares = any(one.mark["type"] == "rect" for one in layers)
    inner = scale.get("paddingInner", 0.0 if squares else 0.1)
    return Bands(names, start, end, inner, scale.get("paddingOuter", inner / 2))


def linear_scale(layers: list[Layer], channel: str, start: float, end: float) -> Linear:
    """Numbers along an axis: over the domain that is given, or over what there is."""
    scale = next((s for one in layers if (s := one.encoding.get(channel, {}).get("scale"))), {})
    if "domain" in scale:
        return Linear(scale["domain"][0], scale["domain"][1], start, end)
    low, high = union(_values(layers, channel))
    if scale.get("zero"):
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = (low - 0.5, high + 0.5) if low else (0.0, 1.0)
    low, high = nice(low, high) if scale.get("nice", True) else (low, high)
    return Linear(low, high, start, end)


def _values(layers: list[Layer], channel: str) -> list[float]:
    found: list[float] = []
    for one in layers:
        if one.mark["type"] == "bar" and channel in one.encoding and "order" in one.encoding:
            found += stacked_ends(one, channel)
            continue
        for name in (channel, f"{channel}2"):
            said = one.encoding.get(name, {})
            if "field" in said:
                found += [row[said["field"]] for row in one.rows if row.get(said["field"]) is not None]
            elif "datum" in said:
                found.append(said["datum"])
    return found


def stacked_ends(layer: Layer, channel: str) -> list[float]:
    """How far the stacks of a layer reach."""
    other = "y" if channel == "x" else "x"
    totals: dict[Any, float] = {}
    for row in layer.rows:
        key = row[layer.encoding[other]["field"]]
        totals[key] = totals.get(key, 0.0) + row[layer.encoding[channel]["field"]]
    return [0.0, *totals.values()]
