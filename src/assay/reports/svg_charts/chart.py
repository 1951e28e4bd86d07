"""A whole chart: the plot in its frame of axes, titles and legend, on paper or in a page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, cos, radians, sin
from typing import Any

from assay.figures.palette import RANGES, ROLES
from assay.io.escaping import in_html as escape
from assay.reports.chart_theme import PAGE_STEP
from assay.reports.model import Json
from assay.reports.svg_charts.marks import DASHES, Look, Marks, Scale, roles_of
from assay.reports.svg_charts.scales import Bands, Linear, shown, text_width
from assay.reports.svg_charts.surfaces import SHAPES, Page, Paper, n, point, shortened
from assay.reports.svg_charts.vega_spec import (  # fmt: skip
    Layer,
    UnsupportedSpec,
    band_scale,
    first,
    is_named,
    layers_of,
    linear_scale,
)

SVG = "http://www.w3.org/2000/svg"
PAD = 4.0
TICK = 4.0
LABEL_LIMIT = 180.0
SYMBOL, GAP = 20.0, 14.0
"""Width of a legend's symbol, and the space after its name."""
RAMP_WIDTH = 120.0
PAGE_WIDTH = 640.0
"""The width that a page's picture is laid out for before it is stretched."""
KEYS = {
    "dots": lambda edge, _: (
        "M4 4h0M10 4h0M7 8h0M13 8h0",
        f' stroke="{edge}" stroke-width="1.4" stroke-linecap="round"',
    ),
    "hatching": lambda _, ground: ("M2 9L9 2M7 10L14 3", f' stroke="{ground}" stroke-width="1.4"'),
}
"""Patterns in a legend: path and look, by the colours of edge and ground. Drawn without a definition, which has one place in a page."""


def drawn(spec: Json, width: float, config: Json, height: float | None = None, *, ground: str = "") -> str:
    """Return a chart as SVG, `width` pixels wide, or raise `UnsupportedSpec`.

    config   colours and sizes: `chart_theme.paper_configuration()`
    height   of the plot, overriding the specification's
    ground   the colour of a background
    """
    return Frame(spec, width, config, height).svg(ground)


def layered(spec: Json, width: float, config: Json, height: float | None = None) -> list[str]:
    """Return two pictures to overlay: the axes, which charts may share, and the marks."""
    return Frame(spec, width, config, height).pictures()


@dataclass(frozen=True, slots=True)
class PageChart:
    """A chart for a page, in parts: charts of one kind share the frame and the scales.

    legend   HTML
    frame    SVG of the axes, and `marks` of the rest; `{marks}` in the frame is their place
    scales   by channel, what a script needs to find a row: [low, high, log] or [names, inner, outer, sources of names]
    """

    legend: str
    frame: str
    marks: str
    scales: Json

    @property
    def html(self) -> str:
        return self.legend + self.frame.replace("{marks}", self.marks, 1)


def page_chart(spec: Json, config: Json, id: str) -> PageChart:
    """Return a chart as wide as its place in a page, or raise `UnsupportedSpec`; `id` is unique in the page."""
    return Frame(spec, PAGE_WIDTH, config, None, id).for_page()


class Frame:
    """The layout of a chart: axes, legend, plot. An `id` means that it is for a page."""

    def __init__(self, spec: Json, width: float, config: Json, height: float | None, id: str = "") -> None:
        self.layers: list[Layer] = layers_of(spec)
        self.config: Json = config
        self.outer: float = width
        self.id: str = re.sub(r"\W", "-", id)
        meta = spec.get("usermeta", {})
        self.natural: float | None = meta.get("widest")
        self.reach: float = meta.get("reach", 0.0)
        self.keys: list[tuple[str, str]] = meta.get("keys", [])
        """What the legend has beyond the colours: names and styles of lines or points."""
        self.axis: Json = config["axis"]
        self.small: float = config["axis"]["labelFontSize"]
        self.legend: Json | None = _legend(self.layers)
        tall = float(height or spec["height"])
        legend_height = 0.0 if id else 20.0 * len(self._legend_rows())
        left = self._left(tall)
        right = self._right()
        above, below = self._across(width - left - right - 2 * PAD, tall)
        self.left = PAD + left
        self.above: float = PAD + legend_height + above
        self.below: float = below
        self.right = PAD + right
        if id:
            self.left, self.right = (PAGE_STEP * ceil(side / PAGE_STEP) for side in (self.left, self.right))
        self.width: float = max(20.0, width - self.left - self.right)
        self.height: float = tall
        self.x: Scale = self._scale("x", 0, self.width)
        self.y: Scale = self._scale("y", tall, 0)

    def surface(self) -> Paper:
        ground = self.config["assay"]["ground"]
        return Page(self.width, self.height, ground, self.id) if self.id else Paper(self.width, self.height, ground)

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
        places = scale.ticks(axis.get("tickMinStep", 0.0))
        step = 0.0 if scale.log or len(places) < 2 else places[1] - places[0]
        form = axis.get("format") or ("g" if scale.log else None)
        labels = [(scale(place), shown(place, form, step)) for place in places]
        # Omit labels that would touch: keep every second, every third.
        wide = max((text_width(label, self.small) + 5 for _, label in labels), default=0.0) if channel == "x" else 0.0
        return labels[:: max(1, ceil(wide * len(labels) / max(room, 1.0)))]

    def _has_y(self) -> bool:
        return any("y" in layer.encoding for layer in self.layers)

    def _left(self, tall: float) -> float:
        """Return the width of the vertical axis."""
        if not self._has_y():
            return 0.0
        labels = self._labels("y", self._scale("y", tall, 0), tall)
        return max((text_width(label, self.small) for _, label in labels), default=0.0) + TICK + 4

    def _right(self) -> float:
        """Return the room for what reaches beyond the plot: half of the last label, and texts at its end."""
        return max(self.reach, 0.0 if is_named(self.layers, "x") else 8.0)

    def _title_y(self) -> str:
        return str(first(self.layers, "y", "title") or "")

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
        """Return the heights of the titles and the horizontal axis above and below the plot."""
        axis = first(self.layers, "x", "axis") or {}
        labels = self._labels("x", self._scale("x", 0, max(room, 20.0)), room)
        angle = axis.get("labelAngle", 0)
        lean, upright = abs(sin(radians(angle))), cos(radians(angle))
        tall = max((text_width(label, self.small) * lean for _, label in labels), default=0.0)
        takes = (tall + max(upright, 0.3) * self.small if labels else 0.0) + TICK + 4
        title = self.axis["titleFontSize"] + 8 if first(self.layers, "x", "title") else 0
        # Text above a high point, and half of the highest label, are outside the plot.
        spare = PAD + max(0.5 * self.small, self._above_plot(tall_plot))
        spare += self.axis["titleFontSize"] + 6 if self._title_y() else 0
        return (takes + title, PAD) if axis.get("orient") == "top" else (spare, takes + title + PAD)

    def svg(self, ground: str = "") -> str:
        return self._picture([self._axes(), self._marks()], legend=True, ground=ground)

    def pictures(self) -> list[str]:
        return [self._picture([self._axes()]), self._picture([self._marks()], legend=True)]

    def _picture(self, surfaces: list[Paper], *, legend: bool = False, ground: str = "") -> str:
        whole = self.above + self.height + self.below
        body = "".join(surface.svg() for surface in surfaces)
        above = "".join(self._legend_on_paper()) if legend else ""
        filled = f'<rect width="100%" height="100%" fill="{ground}"/>' if ground else ""
        return (
            f'<svg xmlns="{SVG}" width="{n(self.outer)}" height="{n(whole)}" '
            f'viewBox="0 0 {n(self.outer)} {n(whole)}" font-family="{escape(self.config["font"])}">'
            f'{filled}{above}<g transform="translate({n(self.left)} {n(self.above)})">{body}</g></svg>'
        )

    def for_page(self) -> PageChart:
        whole = self.above + self.height + self.below
        wide = f"{n(self.natural - self.left - self.right)}" if self.natural else "100%"
        sides = f"l{round(self.left / PAGE_STEP)} r{round(self.right / PAGE_STEP)}"
        frame = (
            f'<div class="fluid {sides}"><svg xmlns="{SVG}" width="{wide}" height="{n(whole)}" overflow="visible">'
            f'<g transform="translate(0 {n(self.above)})">{self._axes().svg()}{{marks}}</g></svg></div>'
        )
        scales = {
            "x": self._ends("x", self.x),
            "y": self._ends("y", self.y),
            "width": self.width,
            "height": self.height,
        }
        return PageChart(self._legend_in_page(), frame, self._marks().svg(), scales)

    def _ends(self, channel: str, scale: Scale) -> list[Any]:
        """Return a scale for the page's script; names in the order of the data are read from there, by dataset and field."""
        if isinstance(scale, Linear):
            return [scale.low, scale.high, *([True] if scale.log else [])]
        if isinstance(first(self.layers, channel, "sort"), list):
            return [list(scale.names), round(scale.inner, 6), round(scale.outer, 6)]
        using = [layer for layer in self.layers if layer.data and channel in layer.encoding]
        sources = list(dict.fromkeys((layer.data, layer.encoding[channel]["field"]) for layer in using))
        return [[], round(scale.inner, 6), round(scale.outer, 6), sources]

    def _axes(self) -> Paper:
        surface = self.surface()
        self._axis_x(surface)
        if self._has_y():
            self._axis_y(surface)
        return surface

    def _axis_x(self, surface: Paper) -> None:
        axis, look = first(self.layers, "x", "axis") or {}, self.axis
        labels = self._labels("x", self.x, self.width)
        top = axis.get("orient") == "top"
        base, away = (0.0, -1) if top else (self.height, 1)
        if axis.get("grid", isinstance(self.x, Linear)):
            _strokes(surface, [f"M{n(at)} 0V{n(self.height)}" for at, _ in labels], look["gridColor"])
        if axis.get("ticks", True) and labels:
            _strokes(surface, [f"M{n(at)} {n(base)}v{n(away * TICK)}" for at, _ in labels], look["tickColor"])
        if axis.get("domain", True):
            _strokes(surface, [f"M0 {n(base)}H{n(self.width)}"], look["domainColor"])
        angle, edge = axis.get("labelAngle", 0), base + away * (TICK + 4)
        for at, label in labels:
            if angle:
                anchor, shift = ("start", 0.0) if top else ("end", 0.3 * self.small)
                # The end of a label is below its tick; steeper labels are lower.
                fall = 0 if top else 0.75 * self.small * cos(radians(angle))
                surface.text(at, edge + fall, label, self.small, look["labelColor"], anchor, dx=shift, turn=angle)
            else:
                fall = 0 if top else 0.75 * self.small
                surface.text(at, edge + fall, label, self.small, look["labelColor"], "middle")
        title = first(self.layers, "x", "title")
        if title:
            at = -self.above + PAD + 9 if top else self.height + self.below - PAD - 3
            surface.text(self.width / 2, at, title, look["titleFontSize"], look["titleColor"], "middle")

    def _axis_y(self, surface: Paper) -> None:
        axis, look = first(self.layers, "y", "axis") or {}, self.axis
        labels = self._labels("y", self.y, self.height)
        if axis.get("grid", isinstance(self.y, Linear)):
            _strokes(surface, [f"M0 {n(at)}H{n(self.width)}" for at, _ in labels], look["gridColor"])
        if axis.get("domain", not axis.get("grid", isinstance(self.y, Linear))):
            _strokes(surface, [f"M0 0V{n(self.height)}"], look["domainColor"])
        for at, label in labels:
            surface.text(0, at + 0.33 * self.small, label, self.small, look["labelColor"], "end", dx=-TICK - 2)
        if title := self._title_y():
            size = look["titleFontSize"]
            # Above the axis and upright: it is read without turning one's head, and needs no room beside the plot.
            fitting = shortened(title, size, self.outer - 2 * PAD)
            place = -PAD - max(0.5 * self.small, self._above_plot(self.height)) - 4
            surface.text(0, place, fitting, size, look["titleColor"], dx=PAD - self.left)

    def _marks(self) -> Paper:
        surface = self.surface()
        ranges = self.config["range"]
        colours = {place: _colours(layer, ranges) for place, layer in enumerate(self.layers)}
        known = {place: look for place, look in colours.items() if look is not None}
        marks = Marks(self.x, self.y, surface, self.config["style"], known, self._roles())
        inks = {"text": self.config["text"]["color"], "rule": self.config["rule"]["color"]}
        for place, layer in enumerate(self.layers):
            ink = inks.get(layer.mark["type"], self.config["bar"]["color"])
            marks.layer(place, layer, self.config["text"]["fontSize"], ink)
        return surface

    def _roles(self) -> dict[str, tuple[str, str]]:
        """Return pattern and edge by colour, of the scales that name roles."""
        roles: dict[str, tuple[str, str]] = {}
        for layer in self.layers:
            scale = layer.encoding.get("color", {}).get("scale", {}).get("range", "")
            if scale in RANGES:
                names = [ROLES[role] for role in RANGES[scale]]
                roles |= roles_of(names, self.config["range"][scale], self.config["assay"]["edges"])
        return roles

    # ------------------------------------------------------------ the legend, always above

    def _entries(self) -> list[str]:
        names = _domain(self.legend) if self.legend and self.legend["type"] != "quantitative" else []
        return [*names, *(name for name, _ in self.keys)]

    def _legend_rows(self) -> list[list[str]]:
        """Wrap the names of a legend into lines."""
        if self.legend is None and not self.keys:
            return []
        rows: list[list[str]] = [[]]
        used = 0.0
        for name in self._entries():
            wide = SYMBOL + text_width(self._named(name), self.small) + GAP
            if rows[-1] and used + wide > self.outer - 2 * PAD:
                rows.append([])
                used = 0.0
            rows[-1].append(name)
            used += wide
        return rows

    def _named(self, name: str) -> str:
        return shortened(name, self.small, self.config["legend"]["labelLimit"])

    def _legend_on_paper(self) -> list[str]:
        if not self._legend_rows():
            return []
        colour = self.config["legend"]["labelColor"]
        paper = Paper(self.outer, 20)
        parts: list[str] = []
        if self.legend and self.legend["type"] == "quantitative":
            low, high = self._ends_of_ramp()
            x, base = self.left, PAD + 10
            paper.text(x, base, low, self.small, colour)
            x += text_width(low, self.small) + 4
            parts.append(f'<g transform="translate({n(x)} {n(PAD)})">{self._ramp()}</g>')
            title = f"{high}   {self.legend['title']}"
            paper.text(x + RAMP_WIDTH + 4, base, title, self.small, colour)
        for row, names in enumerate(self._legend_rows()):
            x = self.left if self.left < 80 else PAD
            for name in names:
                parts.append(f'<g transform="translate({n(x)} {n(PAD + 2 + 20 * row)})">{self._swatch(name)}</g>')
                paper.text(x + SYMBOL, PAD + 11 + 20 * row, self._named(name), self.small, colour)
                x += SYMBOL + text_width(self._named(name), self.small) + GAP
        return [*parts, paper.svg()]

    def _legend_in_page(self) -> str:
        if not self._legend_rows():
            return ""
        if self.legend and self.legend["type"] == "quantitative":
            low, high = self._ends_of_ramp()
            ramp = f'<svg xmlns="{SVG}" width="{n(RAMP_WIDTH)}" height="12" aria-hidden="true">{self._ramp()}</svg>'
            return f'<ul class="legend"><li>{low} {ramp} {high}</li><li>{escape(self.legend["title"])}</li></ul>'
        items = (
            f'<li><svg xmlns="{SVG}" width="16" height="12" aria-hidden="true">{self._swatch(name)}</svg> {escape(name)}</li>'
            for name in self._entries()
        )
        return f'<ul class="legend">{"".join(items)}</ul>'

    def _ends_of_ramp(self) -> tuple[str, str]:
        assert self.legend is not None
        low, high = self.legend["scale"]["domain"]
        return shown(low, None, 0.1), shown(high, None, 0.1)

    def _ramp(self) -> str:
        assert self.legend is not None
        ramp, part = _range(self.legend, self.config["range"]), RAMP_WIDTH / 40
        return "".join(
            f'<path d="M{n(step * part)} 1h{n(part + 0.3)}v10h{n(-part - 0.3)}Z" fill="{_mixed(ramp, (step + 0.5) / 40)}"/>'
            for step in range(40)
        )

    def _swatch(self, name: str) -> str:
        """Return a legend's symbol, drawn like the marks, on 16 by 12 pixels."""
        paper, scale = Paper(16, 12), self.legend
        styles = self.config["style"]
        for key, style in self.keys:
            if key == name:
                look = styles[style]
                if style.endswith("-point"):
                    edge = f' stroke="{look["stroke"]}" stroke-width="{look["strokeWidth"]}"'
                    paper.path(point(8, 6, "circle", 45), f' fill="{look["color"]}"{edge}')
                    return paper.svg()
                dash = " ".join(map(str, look.get("strokeDash", [])))
                paper.path(
                    "M0 6h16",
                    f' stroke="{look["color"]}" stroke-width="{look["strokeWidth"]}" stroke-dasharray="{dash}"',
                )
                return paper.svg()
        assert scale is not None
        place = _domain(scale).index(name)
        hues = _range(scale, self.config["range"])
        hue = hues[place % len(hues)]
        using = [layer for layer in self.layers if layer.encoding.get("color", {}).get("field") == scale["field"]]
        kinds = {layer.mark["type"] for layer in using}
        if "line" in kinds or "rule" in kinds:
            dashed = any("strokeDash" in layer.encoding for layer in using) and DASHES[place % len(DASHES)]
            dash = f' stroke-dasharray="{dashed}"' if dashed else ""
            paper.path("M0 6h16", f' stroke="{hue}" stroke-width="2"{dash}')
        if "point" in kinds:
            shape = SHAPES[place % len(SHAPES)] if any("shape" in layer.encoding for layer in using) else "circle"
            paper.path(point(8, 6, shape, 40), f' fill="{hue}"')
        if kinds & {"bar", "rect"}:
            filling, edge = self._roles().get(hue, ("", ""))
            paper.boxes([(1, 1, 15, 11)], hue, edge=edge)
            if filling:
                paper.path(*KEYS[filling](edge, self.config["assay"]["ground"]))
        return paper.svg()


def _strokes(surface: Paper, paths: list[str], colour: str) -> None:
    if paths:
        surface.path("".join(paths), f' stroke="{colour}" fill="none"')


def by_name(spec: Json) -> bool:
    """Return whether the y axis has names, so that the height must not be reduced."""
    kinds = (layer.get("encoding", {}).get("y", {}).get("type") for layer in spec["layer"])
    return next((kind for kind in kinds if kind), None) == "nominal"


def _domain(colour: Json) -> list[str]:
    return [str(name) for name in colour["scale"]["domain"]]


def _legend(layers: list[Layer]) -> Json | None:
    """Return the first colour encoding with a legend."""
    for layer in layers:
        colour = layer.encoding.get("color", {})
        has_legend = "field" in colour and colour.get("legend", {}) is not None
        if has_legend and (colour["type"] == "quantitative" or _domain(colour)):
            return colour
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
        return lambda row, _: _mixed(hues, (row[colour["field"]] - low) / ((high - low) or 1.0))
    domain = _domain(colour)
    return lambda row, _: hues[domain.index(str(row[colour["field"]])) % len(hues)]


def _mixed(ramp: list[str], share: float) -> str:
    """Interpolate a colour ramp."""
    at = min(max(share, 0.0), 1.0) * (len(ramp) - 1)
    lower = min(int(at), len(ramp) - 2)
    ends: Any = [[int(ramp[place][i : i + 2], 16) for i in (1, 3, 5)] for place in (lower, lower + 1)]
    return "#" + "".join(f"{round(a + (b - a) * (at - lower)):02x}" for a, b in zip(*ends, strict=True))
