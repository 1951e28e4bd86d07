"""Paper has pixels; a page has percentages across and pixels down."""

from __future__ import annotations

from math import pi
from xml.etree import ElementTree

import pytest

from assay.reports.svg_charts.surfaces import Page, Paper, pattern, point, shortened, stretched


def test_what_a_page_stretches_is_together_and_what_it_does_not_stands_at_a_percentage():
    page = Page(200, 100)
    page.path("M0 0H200", ' stroke="grey"')
    page.path("M0 50H200", ' stroke="grey"')
    page.text(50, 20, "a quarter", 10, "black", dx=3)
    page.path("M0 100H200", ' stroke="grey"')
    first = stretched('<path d="M0 0H200" stroke="grey"/><path d="M0 50H200" stroke="grey"/>', 200, 100)
    words = '<text x="25%" y="20" dx="3" font-size="10" fill="black">a quarter</text>'
    assert page.svg() == first + words + stretched('<path d="M0 100H200" stroke="grey"/>', 200, 100)
    assert 'preserveAspectRatio="none"' in first
    assert 'width="100%" height="100"' in first


def test_a_label_left_of_the_plot_keeps_its_distance_in_pixels():
    page = Page(200, 100)
    page.text(0, 20, "0", 10, "black", "end", dx=-8)
    assert page.svg() == '<text x="-8" y="20" font-size="10" fill="black" text-anchor="end">0</text>'


def test_turned_labels_turn_around_their_own_place():
    paper, page = Paper(200, 100), Page(200, 100)
    for surface in (paper, page):
        surface.text(100, 80, "t1", 10, "black", "end", turn=-90)
    assert 'transform="rotate(-90 100 80)"' in paper.svg()
    assert '<svg class="turned" x="50%" y="80" overflow="visible">' in page.svg()
    assert 'transform="rotate(-90)"' in page.svg()


def test_a_dot_is_the_round_end_of_a_line_on_a_page_and_a_circle_on_paper():
    """A dot of 4π square pixels is four wide; its ring of one pixel lies half inside and half outside."""
    page, paper = Page(200, 100), Paper(200, 100)
    for surface in (page, paper):
        surface.symbols([(100, 50)], "circle", 4 * pi, "blue", "white", 1)
    ring, dot = ElementTree.fromstring(page.svg())
    assert (ring.get("d"), ring.get("stroke"), ring.get("stroke-width")) == ("M100 50h0", "white", "5")
    assert (dot.get("stroke"), dot.get("stroke-width"), dot.get("stroke-linecap")) == ("blue", "3", "round")
    assert paper.svg() == '<path d="M98 50a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z" fill="blue" stroke="white" stroke-width="1"/>'


def test_other_symbols_are_never_stretched():
    page = Page(200, 100)
    page.symbols([(50, 20)], "square", 16, "blue")
    assert page.svg() == '<svg x="25%" y="20" overflow="visible"><path d="M-2 -2L2 -2L2 2L-2 2Z" fill="blue"/></svg>'


def test_a_pattern_is_defined_once_for_each_picture():
    page = Page(200, 100, "white", "run-1-bars")
    page.boxes([(0, 10, 100, 30), (0, 40, 50, 60)], "sand", filling="dots", edge="brown")
    whole = ElementTree.fromstring(f"<svg>{page.svg()}</svg>")
    (defined,) = whole.iter("pattern")
    assert defined.get("id") == "run-1-bars-dots"
    boxes = whole.findall("rect")
    assert [(box.get("x"), box.get("width"), box.get("stroke")) for box in boxes] == [
        ("0", "50%", "brown"), ("0", "50%", None), ("0", "25%", "brown"), ("0", "25%", None),
    ]  # fmt: skip
    assert [box.get("fill") for box in boxes] == ["sand", "url(#run-1-bars-dots)"] * 2


def test_patterns_are_drawn_over_the_fill():
    for name, over in (("dots", "edge"), ("hatching", "ground")):
        (drawn,) = ElementTree.fromstring(pattern("id", name, "edge", "ground"))
        assert drawn.get("stroke") == over


def test_a_halo_is_the_colour_of_the_ground_behind_the_letters():
    paper = Paper(200, 100, "white")
    paper.text(10, 20, "x", 10, "black", halo=True)
    assert 'stroke="white" stroke-width="3" stroke-linejoin="round" paint-order="stroke"' in paper.svg()


@pytest.mark.parametrize("surface", [Paper(100, 50), Page(100, 50)])
def test_names_are_never_markup(surface):
    surface.text(10, 10, "<b>&", 10, "black")
    surface.text(10, 10, "<b>&", 10, "black", turn=-90)
    assert "<b>" not in surface.svg()
    assert surface.svg().count("&lt;b&gt;&amp;") == 2


@pytest.mark.parametrize(
    ("shape", "area", "path"),
    [
        ("circle", 4 * pi, "M8 20a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z"),
        ("square", 16, "M8 18L12 18L12 22L8 22Z"),
        ("diamond", 4, "M10 18.7L11.3 20L10 21.3L8.7 20Z"),
        ("up", 4, "M10 18.8L11.2 21L8.8 21Z"),
        ("down", 4, "M10 21.2L8.8 19L11.2 19Z"),
    ],
)
def test_a_symbol_has_its_area_around_its_place(shape, area, path):
    drawn = point(10, 20, shape, area)
    # The corners of the one that points down may be walked either way round.
    assert sorted(drawn[1:-1].split("L")) == sorted(path[1:-1].split("L"))


def test_a_text_is_clipped_with_an_ellipsis():
    """An "a" of ten pixels is taken for 5.6 wide, and so is the ellipsis."""
    assert (shortened("aaaa", 10, 22.5), shortened("aaaaa", 10, 22.5)) == ("aaaa", "aaa…")
