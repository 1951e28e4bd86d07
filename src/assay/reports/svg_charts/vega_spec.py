"""Read a Vega-Lite specification: layers, shared scales, unsupported features."""

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
    "cornerRadiusEnd", "opacity", "fontSize", "shape",
}  # fmt: skip


class UnsupportedSpec(Exception):
    """A specification uses Vega-Lite features that are not supported here."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One mark over its rows."""

    mark: Json
    encoding: Json
    rows: list[Json]
    data: str = ""


def layers_of(spec: Json) -> list[Layer]:
    """Return the layers without those for tooltips."""
    _known("specification", spec, KEYS)
    layers: list[Layer] = []
    for layer in spec.get("layer", ()):
        mark, encoding = layer["mark"], layer.get("encoding", {})
        if mark.get("style") == "hit":
            continue
        _known("layer", layer, {"data", "mark", "encoding"})
        _known("mark", mark, MARK)
        _known("encoding", encoding, CHANNELS)
        if mark["type"] not in MARKS:
            raise UnsupportedSpec(f"mark {mark['type']}")
        for name in ("x", "y"):
            _known("axis", encoding.get(name, {}).get("axis") or {}, AXIS)
            scale = encoding.get(name, {}).get("scale", {})
            _known("scale", scale, SCALE)
            if scale.get("type", "point") not in ("point", "log"):
                raise UnsupportedSpec(f"scale {scale['type']}")
        named = layer.get("data", {}).get("name")
        # `marked` has no data: the page fills it.
        layers.append(Layer(mark, encoding, spec["datasets"].get(named, []) if named else [{}], named or ""))
    return layers


def _known(what: str, names: Iterable[str], known: set[str]) -> None:
    unknown = set(names) - known
    if unknown:
        raise UnsupportedSpec(f"{what}: {', '.join(sorted(unknown))}")


def first(layers: list[Layer], channel: str, key: str) -> Any:
    """Return a channel's setting from the first layer that has it."""
    return next((layer.encoding[channel][key] for layer in layers if key in layer.encoding.get(channel, {})), None)


def names_of(layers: list[Layer], channel: str) -> tuple[str, ...]:
    """Return the names along an axis in order."""
    sort = first(layers, channel, "sort")
    if isinstance(sort, list):
        return tuple(map(str, sort))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    rows = [
        (row, layer.encoding[channel]["field"]) for layer in layers if channel in layer.encoding for row in layer.rows
    ]
    if isinstance(sort, dict):
        down = sort["order"] == "descending"
        rows = sorted(rows, key=lambda row: row[0][sort["field"]], reverse=down)
    return tuple(dict.fromkeys(str(row[field]) for row, field in rows))


def is_named(layers: list[Layer], channel: str) -> bool:
    return first(layers, channel, "type") == "nominal"


def band_scale(layers: list[Layer], channel: str, start: float, end: float) -> Bands:
    """Return the scale of names: bars touch their bands' edges, points are centred."""
    scale = first(layers, channel, "scale") or {}
    names = names_of(layers, channel)
    if scale.get("type") == "point" or all(layer.mark["type"] not in ("bar", "rect") for layer in layers):
        return Bands(names, start, end, 1 - 1e-9, scale.get("padding", 0.5))
    squares = any(layer.mark["type"] == "rect" for layer in layers)
    inner = scale.get("paddingInner", 0.0 if squares else 0.1)
    return Bands(names, start, end, inner, scale.get("paddingOuter", inner / 2))


def linear_scale(layers: list[Layer], channel: str, start: float, end: float) -> Linear:
    """Return the scale of numbers, over the specified domain or the data."""
    scale = next((s for layer in layers if (s := layer.encoding.get(channel, {}).get("scale"))), {})
    if "domain" in scale:
        return Linear(scale["domain"][0], scale["domain"][1], start, end, scale.get("type") == "log")
    low, high = union(_values(layers, channel))
    if scale.get("zero"):
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = (low - 0.5, high + 0.5) if low else (0.0, 1.0)
    low, high = nice(low, high) if scale.get("nice", True) else (low, high)
    return Linear(low, high, start, end)


def _values(layers: list[Layer], channel: str) -> list[float]:
    values: list[float] = []
    for layer in layers:
        if layer.mark["type"] == "bar" and channel in layer.encoding and "order" in layer.encoding:
            values += stacked_ends(layer, channel)
            continue
        for name in (channel, f"{channel}2"):
            encoding = layer.encoding.get(name, {})
            if "field" in encoding:
                values += [row[encoding["field"]] for row in layer.rows if row.get(encoding["field"]) is not None]
            elif "datum" in encoding:
                values.append(encoding["datum"])
    return values


def stacked_ends(layer: Layer, channel: str) -> list[float]:
    """Return the totals of a layer's stacks, and 0."""
    other = "y" if channel == "x" else "x"
    totals: dict[Any, float] = {}
    for row in layer.rows:
        key = row[layer.encoding[other]["field"]]
        totals[key] = totals.get(key, 0.0) + row[layer.encoding[channel]["field"]]
    return [0.0, *totals.values()]
