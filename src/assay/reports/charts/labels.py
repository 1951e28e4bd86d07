"""Names beside dots, where they hide neither a dot nor another name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.reports.charts import vega_lite
from assay.reports.model import Json

MIN_PLOT_WIDTH = 340
"""Labels must fit a plot this wide: on a phone."""
CORNERS = {
    "above-right": ("left", 6, -10), "below-right": ("left", 6, 11), "above-left": ("right", -6, -10),
    "below-left": ("right", -6, 11),
}  # fmt: skip
"""By position of a label relative to its dot, in order of preference: alignment, and offset."""
MAX_LABEL_LETTERS = 24
LETTER, TALL, DOT = 6.8, 11.0, 4.0
"""Width of a letter, height of a line, and radius of a dot, in pixels."""
Box = tuple[float, float, float, float]


def name_layers(
    name: str, rows: vega_lite.Rows, by: str, corners: Mapping[str, str | None], axes: Json, style: str
) -> tuple[dict[str, vega_lite.Rows], list[Json]]:
    """Return datasets and layers of the names of dots, by the corner of the dot where each is written.

    corners   of each name; a dot without one is not named
    """
    data: dict[str, vega_lite.Rows] = {}
    layers: list[Json] = []
    for corner, (align, right, down) in CORNERS.items():
        data[f"{name}-{corner}-key"] = [row for row in rows if corners.get(row[by]) == corner]
        text: Json = {**axes, "text": {"field": by}}
        layers.append(
            vega_lite.layer(f"{name}-{corner}-key", "text", text, style, align=align, dx=right, dy=down, limit=150)
        )
    return data, layers


def place_names(dots: Sequence[tuple[float, float]], names: Iterable[str], width: float) -> list[str | None]:
    """Return, for each labelled dot, the corner where its label hides no dot and no other label, or None.

    dots    across and down in pixels, the most important first
    names   of the first dots; further dots have none but still block names
    width   of the plot, which names do not leave

    >>> place_names([(50, 50), (55, 50), (300, 50)], ["one", "two", "three"], 320)
    ['above-right', 'below-right', 'above-left']
    """
    occupied: list[Box] = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in dots]
    corners: list[str | None] = []
    for (x, y), name in zip(dots, names, strict=False):
        free = (
            (corner, box)
            for corner in CORNERS
            if (box := _box(x, y, min(len(name), MAX_LABEL_LETTERS), corner))[0] >= 0 and box[2] <= width
            if not any(_meet(box, other) for other in occupied)
        )
        corner, box = next(free, (None, None))
        occupied += [box] if box else []
        corners.append(corner)
    return corners


def _box(x: float, y: float, letters: int, corner: str) -> Box:
    align, right, down = CORNERS[corner]
    left = x + right if align == "left" else x + right - LETTER * letters
    return left, y + down - TALL / 2, left + LETTER * letters, y + down + TALL / 2


def _meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
