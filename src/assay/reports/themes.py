"""The look of a chart, kept apart from what it shows: one Vega-Lite configuration, filled with a palette.

Specifications name roles (`style: median`, `range: outcomes`), never colours. On the page a role becomes a CSS variable, so
that dark, light and print follow the reader without drawing anything again; on paper it becomes the colour itself.
"""

from __future__ import annotations

from assay.reports.model import Json

# Eight hues that stay apart for colour-blind readers, each at 3:1 or more against its background.
PALETTE = {
    "ink": ("#1d2430", "#e8ebf0"),
    "soft": ("#5b6472", "#aab3c0"),
    "faint": ("#8b93a0", "#7f8998"),
    "grid": ("#e6e9ee", "#2b323d"),
    "band": ("#f3f5f8", "#1d232c"),
    "paper": ("#ffffff", "#14181f"),
    "c1": ("#1466a8", "#62b3f0"),
    "c2": ("#c4510c", "#f29a63"),
    "c3": ("#0d7d62", "#4cc9a4"),
    "c4": ("#a92c82", "#e68bca"),
    "c5": ("#6f56c9", "#b3a0ff"),
    "c6": ("#846800", "#d9bb4c"),
    "c7": ("#b92b37", "#ff8890"),
    "c8": ("#367588", "#82c3d6"),
}
"""Each colour on paper and on light pages, and on dark ones."""
LIGHT = {name: light for name, (light, _) in PALETTE.items()}
DARK = {name: dark for name, (_, dark) in PALETTE.items()}
HUES = tuple(name for name in PALETTE if name.startswith("c"))
ROLES = {
    "run": "c1", "median": "ink", "others": "faint", "interpolated": "c2", "above": "c1", "below": "c2", "right": "c3",
    "partial": "c6", "wrong": "c7", "declined": "faint", "failed": "c5",
}  # fmt: skip
"""What a colour means → its name in the palettes."""
RANGES = {
    "sides": ("above", "below"), "against-median": ("run", "median"), "outcomes": ("right", "wrong", "declined"),
    "outcomes-failed": ("right", "wrong", "declined", "failed"), "items": ("run", "others", "wrong"),
    "outcomes-partial": ("right", "partial", "wrong", "declined"), "all-outcomes": ("right", "partial", "wrong", "declined", "failed"),
}  # fmt: skip
"""Scales of a few roles, by the name a specification calls them; runs, measures and tiers take the hues in turn."""
# Agreement runs from none to perfect; one ramp that reads on either background, so the inks on it do too.
RAMP = ("#f2f0e8", "#c5dcd3", "#7fb7b5", "#3b83a0", "#17507d")
INK_ON_RAMP = {"ink-on-pale": "#1d2430", "ink-on-dark": "#ffffff"}

PAGE_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif'
PAPER_FONT = "Libertinus Serif"


def css_colours(palette: dict[str, str]) -> str:
    """The palette as custom properties: `--c1: #1466a8; …`."""
    return " ".join(f"--chart-{name}: {colour};" for name, colour in palette.items())


def page_configuration() -> Json:
    return configuration({name: f"var(--chart-{name})" for name in LIGHT}, PAGE_FONT, 12)


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
        # A chart is one picture with one text and, on the page, a table of its data: its marks are not read out.
        "aria": False,
        "font": font,
        "background": None,
        "padding": 4,
        "view": {"stroke": None},
        "axis": axis,
        "legend": legend,
        "header": {"labelColor": colour["ink"], "labelFontSize": small, "title": None},
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
            "reference": {"color": colour["soft"], "strokeWidth": 1, "strokeDash": [2, 3]},
            "reference-label": {"color": colour["soft"], "fontSize": size - 2},
            "consistency": {"color": colour["faint"], "strokeWidth": 9, "strokeOpacity": 0.5},
            "zero": {"color": colour["faint"], "strokeWidth": 1},
            "quiet-bar": {"color": colour["faint"], "fillOpacity": 0.35},
            "hit": {"color": colour["ink"], "fillOpacity": 0, "strokeOpacity": 0},
        },
    }
