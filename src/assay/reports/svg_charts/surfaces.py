"""What marks are drawn on: paper of a fixed size, or a page whose width the reader's window decides.

On a page x is relative and y is in pixels, so that one picture serves every width without script: paths lie in a nested
picture that is stretched across, and what must not be stretched (texts, symbols, patterns) is placed at a percentage.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import pi, sqrt

from assay.io.escaping import in_html as escape
from assay.reports.svg_charts.scales import text_width

SHAPES = ("circle", "square", "cross", "diamond", "up", "down", "right", "left")
Box = tuple[float, float, float, float]
"""Left, top, right and bottom of a bar."""


def n(value: float) -> str:
    """Format a coordinate to a hundredth of a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def shortened(label: str, size: float, limit: float) -> str:
    """Clip a text to a width, ending in an ellipsis."""
    if text_width(label, size) <= limit:
        return label
    while label and text_width(label + "…", size) > limit:
        label = label[:-1]
    return label + "…"


def point(x: float, y: float, shape: str, area: float) -> str:
    """Return the path of a symbol of this area."""
    if shape == "circle":
        r = sqrt(area / pi)
        return f"M{n(x - r)} {n(y)}a{n(r)} {n(r)} 0 1 0 {n(2 * r)} 0a{n(r)} {n(r)} 0 1 0 {n(-2 * r)} 0Z"
    s = sqrt(area) / 2
    corners = {
        "square": ((-s, -s), (s, -s), (s, s), (-s, s)),
        "diamond": ((0, -1.3 * s), (1.3 * s, 0), (0, 1.3 * s), (-1.3 * s, 0)),
        "up": ((0, -1.2 * s), (1.2 * s, s), (-1.2 * s, s)),
        "down": ((0, 1.2 * s), (1.2 * s, -s), (-1.2 * s, -s)),
        "right": ((1.2 * s, 0), (-s, 1.2 * s), (-s, -1.2 * s)),
        "left": ((-1.2 * s, 0), (s, 1.2 * s), (s, -1.2 * s)),
        "cross": tuple(
            (a * s * 1.2, b * s * 1.2)
            for a, b in (
                (-0.35, -1), (0.35, -1), (0.35, -0.35), (1, -0.35), (1, 0.35), (0.35, 0.35),
                (0.35, 1), (-0.35, 1), (-0.35, 0.35), (-1, 0.35), (-1, -0.35), (-0.35, -0.35),
            )
        ),
    }[shape]  # fmt: skip
    return "M" + "L".join(f"{n(x + a)} {n(y + b)}" for a, b in corners) + "Z"


def pattern(id: str, name: str, edge: str, ground: str) -> str:
    """Return the definition of a pattern to draw over a fill: `dots` in the colour of the edge, or `hatching` in that of the ground.

    With the fill inside, printers and PDF viewers would show the seams between the tiles.
    """
    if name == "dots":
        look = f'stroke="{edge}" stroke-width="1.4" stroke-linecap="round"'
        body = f'<path d="M1.5 1.5h0M4.5 4.5h0" {look}/>'
    else:
        body = f'<path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" stroke="{ground}" stroke-width="1.4"/>'
    return f'<pattern id="{id}" width="6" height="6" patternUnits="userSpaceOnUse">{body}</pattern>'


class Paper:
    """A picture of a fixed size, in pixels; parts are drawn in the order in which they are added."""

    fluid = False

    def __init__(self, width: float, height: float, ground: str = "#ffffff", id: str = "chart") -> None:
        self.width: float = width
        self.height: float = height
        self.ground: str = ground
        self.id: str = id
        self.parts: list[tuple[str, str]] = []
        self.used: dict[str, str] = {}
        """The definitions of the patterns that bars have."""

    def svg(self) -> str:
        """Return everything drawn."""
        return self._defined() + "".join(part for _, part in self.parts)

    def _defined(self) -> str:
        return f"<defs>{''.join(self.used.values())}</defs>" if self.used else ""

    def path(self, d: str, look: str) -> None:
        self.parts.append(("path", f'<path d="{d}"{look}/>'))

    def text(
        self, x: float, y: float, label: str, size: float, colour: str, anchor: str = "start",
        *, dx: float = 0.0, turn: float = 0.0, bold: bool = False, halo: bool = False,
    ) -> None:  # fmt: skip
        """Draw a label at `x`, moved by `dx` pixels, and turned around its place."""
        at = f'x="{n(x + dx)}" y="{n(y)}"'
        turned = f' transform="rotate({n(turn)} {n(x + dx)} {n(y)})"' if turn else ""
        self.parts.append(
            ("text", f"<text {at}{self._look(size, colour, anchor, bold, halo)}{turned}>{escape(label)}</text>")
        )

    def _look(self, size: float, colour: str, anchor: str, bold: bool, halo: bool) -> str:
        around = f' text-anchor="{anchor}"' if anchor != "start" else ""
        weight = ' font-weight="600"' if bold else ""
        # A halo keeps a label legible where a line passes behind it.
        ring = f' stroke="{self.ground}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"' if halo else ""
        return f' font-size="{n(size)}" fill="{colour}"{around}{weight}{ring}'

    def symbols(
        self,
        places: Sequence[tuple[float, float]],
        shape: str,
        area: float,
        fill: str,
        ring: str = "",
        width: float = 1,
    ) -> None:
        """Draw symbols of one look; `ring` is the colour of their outline."""
        edge = f' stroke="{ring}" stroke-width="{n(width)}"' if ring else ""
        self.path("".join(point(x, y, shape, area) for x, y in places), f' fill="{fill}"{edge}')

    def boxes(self, places: Sequence[Box], fill: str, look: str = "", filling: str = "", edge: str = "") -> None:
        """Draw bars, with a pattern (`dots`, `hatching`) and an outline."""
        outline = f' stroke="{edge}" stroke-width="1"' if edge else ""
        inset = 0.5 if edge else 0.0
        d = "".join(
            f"M{n(x + inset)} {n(y + inset)}H{n(x2 - inset)}V{n(y2 - inset)}H{n(x + inset)}Z" for x, y, x2, y2 in places
        )
        self.path(d, f' fill="{fill}"{look}{outline}')
        if filling:
            self.path(d, f' fill="{self._filling(filling, edge)}"')

    def _filling(self, filling: str, edge: str) -> str:
        id = f"{self.id}-{filling}"
        self.used[filling] = pattern(id, filling, edge, self.ground)
        return f"url(#{id})"


class Page(Paper):
    """A picture as wide as its place in a page."""

    fluid = True

    def svg(self) -> str:
        """Return everything drawn: neighbouring paths together in a stretched picture."""
        done: list[str] = []
        for kind, parts in groupby(self.parts, key=lambda part: part[0]):
            body = "".join(part for _, part in parts)
            done.append(stretched(body, self.width, self.height) if kind == "path" else body)
        return self._defined() + "".join(done)

    def _across(self, x: float) -> str:
        return f"{n(100 * x / self.width)}%" if x else "0"

    def text(
        self, x: float, y: float, label: str, size: float, colour: str, anchor: str = "start",
        *, dx: float = 0.0, turn: float = 0.0, bold: bool = False, halo: bool = False,
    ) -> None:  # fmt: skip
        look, words = self._look(size, colour, anchor, bold, halo), escape(label)
        if turn:
            # A rotation has its centre in pixels.
            turned = f'<text x="{n(dx)}" transform="rotate({n(turn)})"{look}>{words}</text>'
            whole = f'<svg class="turned" x="{self._across(x)}" y="{n(y)}" overflow="visible">{turned}</svg>'
        elif not x:
            whole = f'<text x="{n(dx)}" y="{n(y)}"{look}>{words}</text>'
        else:
            moved = f' dx="{n(dx)}"' if dx else ""
            whole = f'<text x="{self._across(x)}" y="{n(y)}"{moved}{look}>{words}</text>'
        self.parts.append(("text", whole))

    def symbols(
        self,
        places: Sequence[tuple[float, float]],
        shape: str,
        area: float,
        fill: str,
        ring: str = "",
        width: float = 1,
    ) -> None:
        if shape == "circle":
            # The round end of a line of no length: stretching does not change it.
            d, wide = "".join(f"M{n(x)} {n(y)}h0" for x, y in places), 2 * sqrt(area / pi)
            if ring:
                self.path(d, f' stroke="{ring}" stroke-width="{n(wide + width)}" stroke-linecap="round"')
            self.path(d, f' stroke="{fill}" stroke-width="{n(wide - width if ring else wide)}" stroke-linecap="round"')
            return
        edge = f' stroke="{ring}" stroke-width="{n(width)}"' if ring else ""
        d = point(0, 0, shape, area)
        self.parts += [
            (
                "symbol",
                f'<svg x="{self._across(x)}" y="{n(y)}" overflow="visible"><path d="{d}" fill="{fill}"{edge}/></svg>',
            )
            for x, y in places
        ]

    def boxes(self, places: Sequence[Box], fill: str, look: str = "", filling: str = "", edge: str = "") -> None:
        if not filling:
            super().boxes(places, fill, look, edge=edge)
            return
        outline = f' stroke="{edge}"' if edge else ""
        over = self._filling(filling, edge)
        for x, y, x2, y2 in places:
            place = f'x="{self._across(x)}" y="{n(y + 0.5)}" width="{self._across(x2 - x)}" height="{n(y2 - y - 1)}"'
            self.parts.append(("box", f'<rect {place} fill="{fill}"{outline}/><rect {place} fill="{over}"/>'))


def stretched(body: str, width: float, height: float) -> str:
    """Return paths as a picture that is stretched across its place; the page keeps the width of their strokes."""
    size = f'viewBox="0 0 {n(width)} {n(height)}" width="100%" height="{n(height)}" preserveAspectRatio="none"'
    return f'<svg class="stretched" {size} overflow="visible">{body}</svg>'
