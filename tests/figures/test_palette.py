"""Colours have roles, which stay apart in light and dark, and for every kind of colour vision."""

from __future__ import annotations

from itertools import combinations
from math import dist

import numpy as np
import pytest

from assay.figures import palette

# Machado, Oliveira and Fernandes (2009), Table 1 for severity 1.0: linear RGB as seen without one kind of cone.
VISION = {
    "normal": np.eye(3),
    "protan": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deutan": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "tritan": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
MODES = pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
EVERY_VISION = pytest.mark.parametrize("vision", VISION)


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def seen(colour: str, vision: str) -> np.ndarray:
    return np.clip(VISION[vision] @ linear(colour), 0, 1)


def luminance(light: np.ndarray) -> float:
    return float(light @ (0.2126, 0.7152, 0.0722))


def contrast(first: str, second: str, vision: str = "normal") -> float:
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted(luminance(seen(colour, vision)) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ seen(colour, vision) / (0.95047, 1, 1.08883))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the usual example of just too little


@EVERY_VISION
@MODES
def test_right_and_wrong_differ_in_lightness(colours, vision):
    assert contrast(colours["right"], colours["wrong"], vision) >= 3


@MODES
def test_everything_drawn_is_visible_on_its_background(colours):
    for name in ("leader", "right", "partial", "below", "own", "wrong-edge", "declined", *palette.HUES):
        assert contrast(colours[name], colours["paper"]) >= 3, name
    for name in ("ink", "soft", "failed", "median"):
        for background in ("paper", "band", "top-band"):
            assert contrast(colours[name], colours[background]) >= 4.5, (name, background)


@EVERY_VISION
@MODES
def test_own_runs_and_series_differ_in_colour(colours, vision):
    assert dist(lab(colours["own"], vision), lab(colours["leader"], vision)) >= 50
    for first, second in combinations(palette.HUES, 2):
        assert dist(lab(colours[first], vision), lab(colours[second], vision)) >= 20, (first, second)


def test_every_role_is_in_both_palettes():
    assert palette.LIGHT.keys() == palette.DARK.keys()
    assert {*palette.ROLES.values(), *palette.EDGES.values()} <= palette.LIGHT.keys()
    assert {role for roles in palette.RANGES.values() for role in roles} <= palette.ROLES.keys()


def test_outcomes_are_known_without_their_colour():
    """Right is solid, wrong dotted, declined hatched."""
    assert palette.PATTERNS == {"wrong": "dots", "declined": "hatching"}


def test_the_page_reads_each_colour_as_a_variable():
    assert "--chart-leader: #0b5468;" in palette.css_colours(palette.LIGHT)
    assert "--chart-leader: #74cbdd;" in palette.css_colours(palette.DARK)
