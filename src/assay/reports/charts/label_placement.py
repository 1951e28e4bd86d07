"""Place the names of dots so that they hide neither each other nor a dot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

CORNERS = {
    "above-right": ("left", 6, -10), "below-right": ("left", 6, 11), "above-left": ("right", -6, -10),
    "below-left": ("right", -6, 11),
}  # fmt: skip
"""By where a name stands from its dot, the first that is free: how it is aligned, and how far it is moved."""
LETTER, TALL, DOT = 6.8, 11.0, 4.0
"""What a letter takes across, a line of them and half a dot, in pixels."""

Box = tuple[float, float, float, float]


def placed(
    dots: Sequence[tuple[float, float]], names: Iterable[str], width: float, max_letters: int = 24
) -> list[str | None]:
    """Return, for each of the first dots, the corner where its name fits, or None.

    dots          across and down in pixels, those whose names matter most first
    names         of the first dots; further dots have none but still block names
    width         of the plot, which names do not leave
    max_letters   letters of a name that are shown

    >>> placed([(50, 50), (55, 50), (300, 50)], ["one", "two", "three"], 320)
    ['above-right', 'below-right', 'above-left']
    """
    occupied: list[Box] = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in dots]
    corners: list[str | None] = []
    for (x, y), name in zip(dots, names, strict=False):
        free = (
            (corner, box)
            for corner in CORNERS
            if (box := _box(x, y, min(len(name), max_letters), corner))[0] >= 0 and box[2] <= width
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
