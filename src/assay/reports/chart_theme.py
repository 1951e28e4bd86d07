"""The Vega-Lite configuration of all charts, filled with a palette.

Specifications name roles (`style: median`, `range: outcomes`), never colours. On the page a role is a CSS variable, so that
dark, light and print need no redrawing; in the PDF it is the colour itself.
"""

from __future__ import annotations

from assay.figures.palette import EDGES, HUES, INK_ON_RAMP, LIGHT, RAMP, RANGES, ROLES
from assay.reports.model import Json

PAGE_FONT = '"IBM Plex Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif'
PAPER_FONT = '"IBM Plex Sans", "Libertinus Serif", sans-serif'

PAGE_STEP = 4
"""The margins of a page's chart are multiples of so many pixels."""


def page_configuration() -> Json:
    return configuration({name: f"var(--chart-{name})" for name in LIGHT}, PAGE_FONT, 12)


def page_css() -> str:
    """Return the classes of the margins left and right of a page's chart: a policy forbids styles in elements."""
    steps = range(1, 65)
    return "".join(
        f".l{step}{{padding-left:{PAGE_STEP * step}px}}.r{step}{{padding-right:{PAGE_STEP * step}px}}" for step in steps
    )


def paper_configuration() -> Json:
    return configuration(LIGHT, PAPER_FONT, 11)


def configuration(palette: dict[str, str], font: str, size: float) -> Json:
    colour = {**palette, **{role: palette[hue] for role, hue in ROLES.items()}}
    hues = [colour[hue] for hue in HUES]
    small, plain = size - 1, "normal"
    axis = {
        "domainColor": colour["faint"], "tickColor": colour["faint"], "gridColor": colour["grid"],
        "labelColor": colour["soft"], "titleColor": colour["ink"], "labelFontSize": small, "titleFontSize": size,
        "titleFontWeight": plain, "titlePadding": 8, "labelPadding": 4, "tickSize": 4, "labelFlush": False,
    }  # fmt: skip
    legend = {
        "labelColor": colour["ink"], "titleColor": colour["soft"], "labelFontSize": small, "titleFontSize": small,
        "titleFontWeight": plain, "labelLimit": 190, "symbolStrokeWidth": 2, "rowPadding": 3,
    }  # fmt: skip
    return {
        # What `svg_charts` draws and Vega-Lite cannot: patterns with edges, and halos in the colour of the background.
        "assay": {"edges": {name: palette[name] for name in EDGES.values()}, "ground": palette["paper"]},
        # Screen readers get the chart's alternative text and the table of its data, not its marks.
        "aria": False,
        "font": font,
        "padding": 4,
        "view": {"strokeOpacity": 0},
        "axis": axis,
        "legend": legend,
        "range": {
            "category": hues,
            "tiers": hues,
            **{name: [colour[role] for role in roles] for name, roles in RANGES.items()},
            "heatmap": list(RAMP),
            "ramp": list(RAMP),
        },
        "line": {"strokeWidth": 2},
        "point": {"size": 34},
        "rule": {"color": colour["ink"]},
        "text": {"color": colour["ink"], "fontSize": small},
        "bar": {"color": colour["run"]},
        # Vega-Lite reads `color` from a style, for a line's stroke and an area's fill alike; `stroke` rings points.
        "style": {
            "run": {"color": colour["run"], "strokeWidth": 2.25},
            "run-point": {"color": colour["run"], "stroke": colour["paper"], "strokeWidth": 0.75},
            "run-label": {"color": colour["run"], "fontWeight": 600},
            "median": {"color": colour["median"], "strokeWidth": 1.5, "strokeDash": [5, 3]},
            "median-point": {"color": colour["paper"], "stroke": colour["median"], "strokeWidth": 1.25},
            "median-label": {"color": colour["median"]},
            "marked": {"color": colour["ink"]},
            "others": {"color": colour["others"], "strokeWidth": 0.8, "strokeOpacity": 0.45},
            "interpolated": {"color": colour["interpolated"], "strokeWidth": 1.75, "strokeDash": [5, 3]},
            **{name: {"color": ink} for name, ink in INK_ON_RAMP.items()},
            "band": {"color": colour["faint"], "fillOpacity": 0.09},
            "uncertain": {"fillOpacity": 0.14},
            "band-edge": {"color": colour["faint"], "strokeWidth": 1, "strokeDash": [2, 3]},
            "band-label": {"color": colour["soft"], "fontSize": size - 2},
            "leader-point": {"color": colour["leader"], "stroke": colour["leader"], "strokeWidth": 1.75},
            "below-point": {"color": colour["paper"], "stroke": colour["below"], "strokeWidth": 1.75},
            "interval": {"color": colour["below"], "strokeWidth": 1.75},
            "value-label": {"color": colour["ink"], "fontWeight": 600, "fontSize": small},
            "dot-label": {"color": colour["soft"], "fontSize": size - 1},
            "failed-label": {"color": colour["failed"], "fontSize": size - 1},
            "reference": {"color": colour["soft"], "strokeWidth": 1, "strokeDash": [2, 3]},
            "reference-label": {"color": colour["soft"], "fontSize": size - 2},
            "consistency": {"color": colour["faint"], "strokeWidth": 9, "strokeOpacity": 0.5},
            "range": {"color": colour["faint"], "strokeWidth": 3, "strokeOpacity": 0.55},
            "zero": {"color": colour["faint"], "strokeWidth": 1},
            "quiet-bar": {"color": colour["faint"], "fillOpacity": 0.35},
            "hit": {"color": colour["ink"], "fillOpacity": 0, "strokeOpacity": 0},
        },
    }
