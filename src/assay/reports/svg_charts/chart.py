"""A whole chart as SVG: the plot in its frame of axes, titles and legend."""

from __future__ import annotations

from math import ceil, cos, radians, sin
from typing import Any

from assay.reports.model import Json
from assay.reports.svg_charts.marks import DASHES, SHAPES, Look, Marks, Scale, n, point, shortened, text
from assay.reports.svg_charts.scales import Bands, Linear, shown, text_width, ticks
from assay.reports.svg_charts.vega_spec import (  # fmt: skip
    Layer,
    UnsupportedSpec,
    band_scale,
    first,
    is_named,
    layers_of,
    linear_scale,
)

PAD = 4.0
TICK = 4.0
LABEL_LIMIT = 180.0
SYMBOL = 22.0
"""Width of a legend's symbol."""
PIXELS_PER_TICK = 40.0
"""Pixels per tick of an axis without `tickCount`."""


def drawn(spec: Json, width: float, config: Json, height: float | None = None) -> str:
    """Return a chart as SVG, `width` pixels wide, or raise `UnsupportedSpec`.

    config   colours and sizes: `chart_theme.paper_configuration()`
    height   of the plot, overriding the specification's
    """
    return Frame(spec, width, config, height).svg()


def layered(spec: Json, width: float, config: Json, height: float | None = None) -> list[str]:
    """Return two pictures to overlay: the axes, which charts may share, and the marks."""
    return Frame(spec, width, config, height).pictures()


class Frame:
    """The layout of a chart: axes, legend, plot."""

    def __init__(self, spec: Json, width: float, config: Json, height: float | None) -> None:
        self.layers = layers_of(spec)
        self.config, self.outer = config, width
        self.axis, self.small = config["axis"], config["axis"]["labelFontSize"]
        self.legends = _legends(self.layers)
        tall = float(height or spec["height"])
        self.top_legend = 20.0 * len(self._rows_of_legend()) if self._legend_side() == "top" else 0.0
        right = self._right_legend()
        left = self._left(tall)
        above, below = self._across(width - left - right - 2 * PAD, tall)
        self.left, self.above, self.below, self.right = PAD + left, PAD + self.top_legend + above, below, right
        # Half of the last label of a horizontal axis is outside the plot.
        spare = 0.0 if right or is_named(self.layers, "x") else 8.0
        self.width, self.height = max(20.0, width - self.left - right - PAD - spare), tall
        self.x, self.y = self._scale("x", 0, self.width), self._scale("y", tall, 0)

    def _scale(self, channel: str, start: float, end: float) -> Scale:
        if is_named(self.layers, channel):
            return band_scale(self.layers, channel, min(start, end), max(start, end))
        return linear_scale(self.layers, channel, start, end)

    def _labels(self, channel: str, scale: Scale, room: float) -> list[tuple[float, str]]:
        """Return the places and labels of an axis; names that would overlap are omitted."""
        axis = first(self.layers, channel, "axis") or {}
        if axis.get("labels") is False:
            return []
        limit = axis.get("labelLimit", LABEL_LIMIT)
        if isinstance(scale, Bands):
            apart = axis.get("labelAngle") == -90 or channel == "y"
            every = max(1, ceil((self.small + 1) / scale.step)) if apart and axis.get("labelOverlap", True) else 1
            return [(scale.middle(name), shortened(name, self.small, limit)) for name in scale.names[::every]]
        count = axis.get("tickCount", ceil(room / PIXELS_PER_TICK))
        places = ticks(scale.low, scale.high, count, axis.get("tickMinStep", 0.0))
        step = places[1] - places[0] if len(places) > 1 else 0.0
        labels = [(scale(place), shown(place, axis.get("format"), step)) for place in places]
        # Omit labels that would touch: keep every second, every third.
        wide = max((text_width(label, self.small) + 5 for _, label in labels), default=0.0) if channel == "x" else 0.0
        return labels[:: max(1, ceil(wide * len(labels) / max(room, 1.0)))]

    def _left(self, tall: float) -> float:
        """Return the width of the vertical axis."""
        if "y" not in {channel for layer in self.layers for channel in layer.encoding}:
            return 0.0
        labels = self._labels("y", self._scale("y", tall, 0), tall)
        wide = max((text_width(label, self.small) for _, label in labels), default=0.0)
        lines = len(self._title_y(tall))
        return wide + TICK + 4 + (lines * (self.axis["titleFontSize"] + 2) + 6 if lines else 0)

    def _title_y(self, tall: float) -> list[str]:
        """Return the title of the vertical axis, in two lines where the axis is short."""
        title, size = first(self.layers, "y", "title"), self.axis["titleFontSize"]
        if not title:
            return []
        words, room = str(title).split(), tall + 2 * size
        if text_width(title, size) <= room or len(words) < 2:
            return [title]
        cuts = [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]
        return list(min(cuts, key=lambda cut: max(len(line) for line in cut)))

    def _above_plot(self, tall: float) -> float:
        """Return how far labels beside points reach above the plot."""
        heights = [0.0]
        scale = self._scale("y", tall, 0)
        for layer in self.layers:
            field = layer.encoding.get("y", {}).get("field")
            if layer.mark["type"] == "text" and field and isinstance(scale, Linear):
                tops = [scale(row[field]) + layer.mark.get("dy", 0) for row in layer.rows if row.get(field) is not None]
                heights += [-top for top in tops]
        return max(heights)

    def _across(self, room: float, tall_plot: float) -> tuple[float, float]:
        """Return the heights of the horizontal axis above and below the plot."""
        axis = first(self.layers, "x", "axis") or {}
        labels = self._labels("x", self._scale("x", 0, max(room, 20.0)), room)
        angle = axis.get("labelAngle", 0)
        lean, upright = abs(sin(radians(angle))), cos(radians(angle))
        tall = max((text_width(label, self.small) * lean for _, label in labels), default=0.0)
        takes = (tall + max(upright, 0.3) * self.small if labels else 0.0) + TICK + 4
        title = self.axis["titleFontSize"] + 8 if first(self.layers, "x", "title") else 0
        # Text above a high point, and half of the highest label, are outside the plot.
        spare = PAD + max(0.5 * self.small, self._above_plot(tall_plot))
        return (takes + title, PAD) if axis.get("orient") == "top" else (spare, takes + title + PAD)

    def svg(self) -> str:
        return self._picture(*self._axis_x(), *self._axis_y(), self._marks(), *self._legend())

    def pictures(self) -> list[str]:
        return [self._picture(*self._axis_x(), *self._axis_y()), self._picture(self._marks(), *self._legend())]

    def _picture(self, *body: str) -> str:
        whole = self.above + self.height + self.below
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{n(self.outer)}" height="{n(whole)}" '
            f'viewBox="0 0 {n(self.outer)} {n(whole)}" font-family="{self.config["font"]}">'
            f'<g transform="translate({n(self.left)} {n(self.above)})">{"".join(body)}</g></svg>'
        )

    def _axis_x(self) -> list[str]:
        axis, look = first(self.layers, "x", "axis") or {}, self.axis
        labels = self._labels("x", self.x, self.width)
        top = axis.get("orient") == "top"
        base, away = (0.0, -1) if top else (self.height, 1)
        parts: list[str] = []
        if axis.get("grid", isinstance(self.x, Linear)):
            parts.append(_strokes([f"M{n(at)} 0V{n(self.height)}" for at, _ in labels], look["gridColor"]))
        if axis.get("ticks", True) and labels:
            parts.append(_strokes([f"M{n(at)} {n(base)}v{n(away * TICK)}" for at, _ in labels], look["tickColor"]))
        if axis.get("domain", True):
            parts.append(_strokes([f"M0 {n(base)}H{n(self.width)}"], look["domainColor"]))
        angle, edge = axis.get("labelAngle", 0), base + away * (TICK + 4)
        for at, label in labels:
            if angle:
                anchor, shift = ("start", 0) if top else ("end", 0.3 * self.small)
                # The end of a label is below its tick; steeper labels are lower.
                fall = 0 if top else 0.75 * self.small * cos(radians(angle))
                turn = f' transform="rotate({angle} {n(at + shift)} {n(edge + fall)})"'
                parts.append(text(at + shift, edge + fall, label, self.small, look["labelColor"], anchor, turn))
            else:
                fall = 0 if top else 0.75 * self.small
                parts.append(text(at, edge + fall, label, self.small, look["labelColor"], "middle"))
        title = first(self.layers, "x", "title")
        if title:
            at = -self.above + PAD + self.top_legend + 9 if top else self.height + self.below - PAD - 3
            parts.append(text(self.width / 2, at, title, look["titleFontSize"], look["titleColor"], "middle"))
        return parts

    def _axis_y(self) -> list[str]:
        if "y" not in {channel for layer in self.layers for channel in layer.encoding}:
            return []
        axis, look = first(self.layers, "y", "axis") or {}, self.axis
        labels = self._labels("y", self.y, self.height)
        parts: list[str] = []
        if axis.get("grid", isinstance(self.y, Linear)):
            parts.append(_strokes([f"M0 {n(at)}H{n(self.width)}" for at, _ in labels], look["gridColor"]))
        if axis.get("ticks", True):
            parts.append(_strokes([f"M0 {n(at)}h{n(-TICK)}" for at, _ in labels], look["tickColor"]))
        if axis.get("domain", True):
            parts.append(_strokes([f"M0 0V{n(self.height)}"], look["domainColor"]))
        for at, label in labels:
            parts.append(text(-TICK - 4, at + 0.33 * self.small, label, self.small, look["labelColor"], "end"))
        size = look["titleFontSize"]
        for row, line in enumerate(self._title_y(self.height)):
            place = -self.left + PAD + 8 + row * (size + 2)
            turn = f' transform="rotate(-90 {n(place)} {n(self.height / 2)})"'
            fitting = shortened(line, size, self.height + self.above + self.below)
            parts.append(text(place, self.height / 2, fitting, size, look["titleColor"], "middle", turn))
        return parts

    def _marks(self) -> str:
        colours = {place: _colours(layer, self.config["range"]) for place, layer in enumerate(self.layers)}
        known = {place: look for place, look in colours.items() if look is not None}
        marks = Marks(self.x, self.y, self.width, self.height, self.config["style"], known)
        inks = {"text": self.config["text"]["color"], "rule": self.config["rule"]["color"]}
        return "".join(
            marks.layer(
                place, layer, self.config["text"]["fontSize"], inks.get(layer.mark["type"], self.config["bar"]["color"])
            )
            for place, layer in enumerate(self.layers)
        )

    def _legend_side(self) -> str:
        return "" if self.legends is None else self.legends[1].get("orient", "right")

    def _rows_of_legend(self) -> list[list[str]]:
        """Wrap the names of a legend on top into lines."""
        rows: list[list[str]] = [[]]
        used = 0.0
        for name in _domain(self.legends[0]) if self.legends else []:
            wide = SYMBOL + text_width(name, self.small) + 12
            if rows[-1] and used + wide > self.outer - 60:
                rows.append([])
                used = 0.0
            rows[-1].append(name)
            used += wide
        return rows

    def _right_legend(self) -> float:
        if self.legends is None or self._legend_side() != "right":
            return 0.0
        colour = self.legends[0]
        if colour["type"] == "quantitative":
            return 30.0 + text_width(colour["title"], self.small)
        return SYMBOL + 14 + max((text_width(self._named(name), self.small) for name in _domain(colour)), default=0.0)

    def _named(self, name: str) -> str:
        return shortened(name, self.small, min(self.config["legend"]["labelLimit"], self.outer / 3))

    def _legend(self) -> list[str]:
        if not self.legends:
            return []
        colour = self.legends[0]
        if colour["type"] == "quantitative":
            return self._gradient(*self.legends)
        if self._legend_side() == "top":
            parts: list[str] = []
            for row, names in enumerate(self._rows_of_legend()):
                x, y = 0.0, -self.above + PAD + 8 + 20.0 * row
                for name in names:
                    parts += self._entry(colour, name, x, y)
                    x += SYMBOL + text_width(name, self.small) + 12
            return parts
        return [
            part
            for row, name in enumerate(_domain(colour))
            for part in self._entry(colour, name, self.width + 14, 8 + (self.small + 5) * row)
        ]

    def _entry(self, scale: Json, name: str, x: float, y: float) -> list[str]:
        """Return a legend's symbol, drawn like the marks, and its name."""
        place = _domain(scale).index(name)
        hues = _range(scale, self.config["range"])
        hue = hues[place % len(hues)]
        using = [layer for layer in self.layers if layer.encoding.get("color", {}).get("field") == scale["field"]]
        kinds = {layer.mark["type"] for layer in using}
        parts: list[str] = []
        if "line" in kinds or "rule" in kinds:
            dashed = any("strokeDash" in layer.encoding for layer in using) and DASHES[place % len(DASHES)]
            dash = f' stroke-dasharray="{dashed}"' if dashed else ""
            parts.append(f'<path d="M{n(x)} {n(y)}h16" stroke="{hue}" stroke-width="2"{dash}/>')
        if "point" in kinds:
            shape = SHAPES[place % len(SHAPES)] if any("shape" in layer.encoding for layer in using) else "circle"
            parts.append(f'<path d="{point(x + 8, y, shape, 40)}" fill="{hue}"/>')
        if "bar" in kinds:
            parts.append(f'<path d="M{n(x + 3)} {n(y - 5)}h10v10h-10Z" fill="{hue}"/>')
        colour = self.config["legend"]["labelColor"]
        return [*parts, text(x + SYMBOL, y + 0.33 * self.small, self._named(name), self.small, colour)]

    def _gradient(self, scale: Json, legend: Json) -> list[str]:
        """Return a colour ramp from the lowest to the highest value."""
        ramp, tall, x = (
            _range(scale, self.config["range"]),
            float(legend.get("gradientLength", 120)),
            self.width + 16,
        )
        low, high = scale["scale"]["domain"]
        soft = self.config["legend"]["titleColor"]
        part = tall / 40
        parts = [text(x, 8, scale["title"], self.small, soft)]
        parts += [
            f'<path d="M{n(x)} {n(16 + tall - (step + 1) * part)}h12v{n(part + 0.3)}h-12Z" fill="{_mixed(ramp, (step + 0.5) / 40)}"/>'
            for step in range(40)
        ]
        for place in ticks(low, high, 4):
            at = 16 + tall * (1 - (place - low) / (high - low))
            parts.append(text(x + 16, at + 0.33 * self.small, f"{place:g}", self.small, soft))
        return parts


def _strokes(paths: list[str], colour: str) -> str:
    return f'<path d="{"".join(paths)}" stroke="{colour}" fill="none"/>' if paths else ""


def _domain(colour: Json) -> list[str]:
    return [str(name) for name in colour["scale"]["domain"]]


def _legends(layers: list[Layer]) -> tuple[Json, Json] | None:
    """Return the first colour encoding with a legend, and the legend's settings."""
    for layer in layers:
        colour = layer.encoding.get("color", {})
        if (
            "field" in colour
            and colour.get("legend", {}) is not None
            and (colour["type"] == "quantitative" or _domain(colour))
        ):
            return colour, colour.get("legend", {})
    return None


def _range(colour: Json, ranges: Json) -> list[str]:
    return list(ranges[colour["scale"].get("range", "category")])


def _colours(layer: Layer, ranges: Json) -> Look | None:
    colour = layer.encoding.get("color")
    if colour is None:
        return None
    if "field" not in colour:
        raise UnsupportedSpec("a colour without a field")
    hues = _range(colour, ranges)
    if colour["type"] == "quantitative":
        low, high = colour["scale"]["domain"]
        return lambda row, _: _mixed(hues, (row[colour["field"]] - low) / (high - low))
    domain = _domain(colour)
    return lambda row, _: hues[domain.index(str(row[colour["field"]])) % len(hues)]


def _mixed(ramp: list[str], share: float) -> str:
    """Interpolate a colour ramp."""
    at = min(max(share, 0.0), 1.0) * (len(ramp) - 1)
    lower = min(int(at), len(ramp) - 2)
    ends: Any = [[int(ramp[place][i : i + 2], 16) for i in (1, 3, 5)] for place in (lower, lower + 1)]
    return "#" + "".join(f"{round(a + (b - a) * (at - lower)):02x}" for a, b in zip(*ends, strict=True))
