"""Draw the marks of layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assay.figures.palette import EDGES, PATTERNS
from assay.reports.model import Json
from assay.reports.svg_charts.scales import Bands, Linear, shown
from assay.reports.svg_charts.surfaces import SHAPES, Box, Paper, n, shortened
from assay.reports.svg_charts.vega_spec import Layer

Scale = Linear | Bands
Look = Callable[[Json, str], str]
"""Return the colour of a row; the second argument is the default."""

DASHES = ("", "4 2", "2 1", "1 1", "1 2 4 2", "6 2", "3 3", "1 4")
POINT = 0.55
"""Size of points relative to that of Vega-Lite, whose points are large."""
DEFAULTS = {"rule": 1.0, "line": 2.0}
BASELINES = {"top": 0.8, "middle": 0.33, "bottom": -0.2, "alphabetic": 0.0}
ANCHORS = {"left": "start", "center": "middle", "right": "end"}


class Marks:
    """Draw layers onto a surface whose corner is that of the plot.

    roles   by colour, the role of the palette that it has in this chart: some have a pattern and an edge
    """

    def __init__(
        self,
        x: Scale,
        y: Scale,
        surface: Paper,
        styles: Json,
        colours: dict[int, Look],
        roles: dict[str, tuple[str, str]] | None = None,
    ) -> None:
        self.x: Scale = x
        self.y: Scale = y
        self.surface: Paper = surface
        self.width: float = surface.width
        self.height: float = surface.height
        self.styles: Json = styles
        self.colours: dict[int, Look] = colours
        self.roles: dict[str, tuple[str, str]] = roles or {}

    def layer(self, place: int, layer: Layer, text_size: float, ink: str) -> None:
        style = self.styles.get(layer.mark.get("style", ""), {})
        colour = self.colours.get(place, lambda _, default: default)
        default = style.get("color", ink)
        if layer.mark["type"] == "text":
            self._texts(layer, style, default, text_size)
            return
        draw = {"line": self._lines, "area": self._areas, "point": self._points, "rule": self._rules}
        draw.get(layer.mark["type"], self._boxes)(layer, style, colour, default)

    def _at(self, layer: Layer, row: Json, channel: str) -> float | None:
        """Return a row's position along a channel; None without an encoding or value."""
        channel_encoding = layer.encoding.get(channel)
        if channel_encoding is None:
            return None
        if "value" in channel_encoding:
            return self._value(channel_encoding["value"])
        scale = self.x if channel[0] == "x" else self.y
        value = channel_encoding["datum"] if "datum" in channel_encoding else row.get(channel_encoding["field"])
        if value is None:
            return None
        return scale.middle(str(value)) if isinstance(scale, Bands) else scale(value)

    def _value(self, value: Any) -> float:
        """Return pixels: a number, or an offset from the end of an axis."""
        if not isinstance(value, dict):
            return float(value)
        side, _, less = str(value["expr"]).partition("-")  # pyright: ignore[reportUnknownArgumentType]
        return {"width": self.width, "height": self.height}[side.strip()] - float(less or 0)

    def _lines(self, layer: Layer, style: Json, colour: Look, default: str) -> None:
        by = [
            layer.encoding[c]["field"]
            for c in ("color", "detail", "strokeDash")
            if "field" in layer.encoding.get(c, {})
        ]
        curves: dict[tuple[Any, ...], list[Json]] = {}
        for row in layer.rows:
            curves.setdefault(tuple(row[name] for name in by), []).append(row)
        dashes = _in_turn(layer, "strokeDash", DASHES)
        stroke = _stroke(layer, style)
        opacity = style.get("strokeOpacity", 1)
        order = layer.encoding.get("order", {}).get("field")
        for rows in curves.values():
            ordered = sorted(rows, key=lambda row: row[order]) if order else rows
            if not order and isinstance(self.x, Linear):
                ordered = sorted(rows, key=lambda row: row[layer.encoding["x"]["field"]])
            places = [(self._at(layer, row, "x"), self._at(layer, row, "y")) for row in ordered]
            known = [(x, y) for x, y in places if x is not None and y is not None]
            dash = dashes(rows[0]) or " ".join(map(str, style.get("strokeDash", [])))
            path = _path(known, layer.mark.get("interpolate", "linear"))
            faint = f' stroke-opacity="{opacity}"' if opacity != 1 else ""
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            self.surface.path(
                path, f' fill="none" stroke="{colour(rows[0], default)}" stroke-width="{stroke}"{dashed}{faint}'
            )

    def _areas(self, layer: Layer, style: Json, colour: Look, default: str) -> None:
        """Draw the area between y and y2, one per colour."""
        surfaces: dict[str, list[tuple[float, float, float]]] = {}
        for row in layer.rows:
            x, y, y2 = (self._at(layer, row, name) for name in ("x", "y", "y2"))
            if x is not None and y is not None and y2 is not None:
                surfaces.setdefault(colour(row, default), []).append((x, y, y2))
        for fill, places in surfaces.items():
            places.sort()
            edge = [(x, y) for x, y, _ in places] + [(x, y2) for x, _, y2 in reversed(places)]
            self.surface.path(
                f"{_path(edge, 'linear')}Z", f' fill="{fill}" fill-opacity="{style.get("fillOpacity", 1)}"'
            )

    def _points(self, layer: Layer, style: Json, colour: Look, default: str) -> None:
        shapes = _in_turn(layer, "shape", SHAPES)
        alike: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for row in layer.rows:
            x, y = self._at(layer, row, "x"), self._at(layer, row, "y")
            if x is not None and y is not None:
                alike.setdefault((colour(row, default), shapes(row) or layer.mark.get("shape", "circle")), []).append(
                    (x, y)
                )
        area = POINT * layer.mark.get("size", 34)
        for (fill, shape), places in alike.items():
            self.surface.symbols(places, shape, area, fill, style.get("stroke", ""), style.get("strokeWidth", 1))

    def _texts(self, layer: Layer, style: Json, default: str, size: float) -> None:
        mark, encoding = layer.mark, layer.encoding["text"]
        size = style.get("fontSize", mark.get("fontSize", size))
        rise = BASELINES[mark.get("baseline", "middle")] * size + mark.get("dy", 0)
        anchor = ANCHORS[mark.get("align", "center")]
        halo = mark.get("style", "").endswith("label")
        for row in layer.rows:
            x, y = self._at(layer, row, "x"), self._at(layer, row, "y")
            x = self.width / 2 if x is None else x
            y = self.height / 2 if y is None else y
            value = row[encoding["field"]]
            words = shown(value, encoding["format"]) if "format" in encoding else str(value)
            for line, part in enumerate(words.split(mark.get("lineBreak", "\0"))):
                fitting = shortened(part, size, mark.get("limit", 1e9))
                self.surface.text(
                    x, y + rise + line * (size + 2), fitting, size, default, anchor,
                    dx=mark.get("dx", 0), bold=style.get("fontWeight") == 600, halo=halo,
                )  # fmt: skip

    def _rules(self, layer: Layer, style: Json, colour: Look, default: str) -> None:
        dash = " ".join(map(str, style.get("strokeDash", [])))
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        stroke = _stroke(layer, style)
        faint = f' stroke-opacity="{style["strokeOpacity"]}"' if "strokeOpacity" in style else ""
        paths: dict[str, list[str]] = {}
        for row in layer.rows:
            x, y, x2, y2 = (self._at(layer, row, name) for name in ("x", "y", "x2", "y2"))
            if any(
                row.get(layer.encoding[c]["field"]) is None
                for c in ("x", "y", "x2", "y2")
                if "field" in layer.encoding.get(c, {})
            ):
                continue
            left = 0.0 if x is None else x
            right = (self.width if x is None else x) if x2 is None else x2
            top = 0.0 if y is None else y
            bottom = (self.height if y is None else y) if y2 is None else y2
            paths.setdefault(colour(row, default), []).append(f"M{n(left)} {n(top)}L{n(right)} {n(bottom)}")
        for stroke_colour, d in paths.items():
            self.surface.path("".join(d), f' stroke="{stroke_colour}" stroke-width="{stroke}"{faint}{dashed}')

    def _boxes(self, layer: Layer, style: Json, colour: Look, default: str) -> None:
        opacity = f' fill-opacity="{style["fillOpacity"]}"' if "fillOpacity" in style else ""
        alike: dict[str, list[Box]] = {}
        stacks: dict[Any, float] = {}
        order = layer.encoding.get("order", {}).get("field")
        for row in sorted(layer.rows, key=lambda row: row[order]) if order else layer.rows:
            across, down = self._side(layer, row, "x", stacks), self._side(layer, row, "y", stacks)
            if across is not None and down is not None and across[0] != across[1]:
                (left, right), (top, bottom) = sorted(across), sorted(down)
                alike.setdefault(colour(row, default), []).append((left, top, right, bottom))
        for fill, places in alike.items():
            filling, edge = self.roles.get(fill, ("", ""))
            self.surface.boxes(places, fill, opacity, filling, edge)

    def _side(self, layer: Layer, row: Json, channel: str, stacks: dict[Any, float]) -> tuple[float, float] | None:
        """Return the start and end of a box along one axis."""
        encoding = layer.encoding.get(channel)
        scale, whole = (self.x, self.width) if channel == "x" else (self.y, self.height)
        if encoding is None:
            return 0.0, whole
        value = row.get(encoding["field"])
        if value is None:
            return None
        if isinstance(scale, Bands):
            left, width = scale.left(str(value)), scale.width
            offset = layer.encoding.get("xOffset") if channel == "x" else None
            if offset:
                inside = Bands(tuple(offset["sort"]), left, left + width)
                return inside.left(row[offset["field"]]), inside.left(row[offset["field"]]) + inside.width
            return left, left + width
        other = layer.encoding.get(f"{channel}2")
        if other is not None:
            return scale(value), scale(row[other["field"]])
        before = 0.0
        if "order" in layer.encoding:
            key = row[layer.encoding["y" if channel == "x" else "x"]["field"]]
            before = stacks.get(key, 0.0)
            stacks[key] = before + value
        return scale(before), scale(before + value)


def roles_of(names: Sequence[str], colours: Sequence[str], edges: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return pattern and edge by colour, for the colours of some roles; `edges` are the colours of the palette."""
    return {
        colour: (PATTERNS.get(name, ""), edges.get(EDGES.get(name, ""), ""))
        for name, colour in zip(names, colours, strict=True)
        if name in PATTERNS or name in EDGES
    }


def _stroke(layer: Layer, style: Json) -> str:
    return n(layer.mark.get("strokeWidth", style.get("strokeWidth", DEFAULTS[layer.mark["type"]])))


def _in_turn(layer: Layer, channel: str, choices: Sequence[str]) -> Callable[[Json], str]:
    """Return a function from a row to its choice, by its place in a channel's domain."""
    encoding = layer.encoding.get(channel)
    if encoding is None:
        return lambda _: ""
    domain = list(encoding["scale"]["domain"])
    return lambda row: choices[domain.index(row[encoding["field"]]) % len(choices)]


def _path(points: Sequence[tuple[float, float]], interpolate: str) -> str:
    if not points:
        return "M0 0"
    commands = f"M{n(points[0][0])} {n(points[0][1])}"
    for x, y in points[1:]:
        if interpolate == "step-after":
            commands += f"H{n(x)}V{n(y)}"
        elif interpolate == "step-before":
            commands += f"V{n(y)}H{n(x)}"
        else:
            commands += f"L{n(x)} {n(y)}"
    return commands
