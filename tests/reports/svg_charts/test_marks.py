"""Marks as SVG, on a plot of 100 by 50 whose places can be worked out by hand."""

from __future__ import annotations

import pytest

from assay.reports.svg_charts.marks import POINT, Marks, roles_of
from assay.reports.svg_charts.scales import Bands, Linear
from assay.reports.svg_charts.surfaces import Paper
from assay.reports.svg_charts.vega_spec import Layer

ACROSS, UP = Linear(0, 10, 0, 100), Linear(0, 1, 50, 0)
X, Y = {"field": "x"}, {"field": "y"}
ROWS = [{"x": 10, "y": 1.0}, {"x": 0, "y": 0.0}, {"x": 7, "y": None}, {"x": 5, "y": 0.5}]


def svg(mark, encoding, rows, x=ACROSS, y=UP, **look):
    paper = Paper(100, 50)
    marks = Marks(x, y, paper, look.get("styles", {}), look.get("colours", {}), look.get("roles"))
    marks.layer(0, Layer(mark, encoding, rows), 10, "ink")
    return paper.svg()


@pytest.mark.parametrize(
    ("interpolate", "path"),
    [
        ("linear", "M0 50L50 25L100 0"),
        ("step-after", "M0 50H50V25H100V0"),
        ("step-before", "M0 50V25H50V0H100"),
    ],
)
def test_a_line_goes_from_left_to_right_over_the_values_there_are(interpolate, path):
    drawn = svg({"type": "line", "interpolate": interpolate}, {"x": X, "y": Y}, ROWS)
    assert drawn == f'<path d="{path}" fill="none" stroke="ink" stroke-width="2"/>'


def test_points_take_shape_and_colour_of_their_row():
    rows = [{"x": 5, "y": 0.5, "k": "b", "hue": "red"}, {"x": 5, "y": None, "k": "b", "hue": "blue"}]
    encoding = {"x": X, "y": Y, "shape": {"field": "k", "scale": {"domain": ["a", "b"]}}}
    drawn = svg({"type": "point", "size": 16 / POINT}, encoding, rows, colours={0: lambda row, _: row["hue"]})
    assert drawn == '<path d="M48 23L52 23L52 27L48 27Z" fill="red"/>'


def test_bars_are_stacked_in_their_order_on_their_band():
    rows = [
        {"n": "a", "v": 2, "o": 2},
        {"n": "a", "v": 3, "o": 1},
        {"n": "b", "v": 1, "o": 1},
        {"n": "a", "v": 1, "o": 3},
    ]
    encoding = {"x": {"field": "v"}, "y": {"field": "n"}, "order": {"field": "o"}}
    drawn = svg({"type": "bar"}, encoding, rows, y=Bands(("a", "b"), 0, 50))
    # The 3 comes first, from 0 to 30; the 2 reaches from there to 50, the 1 to 60; the other name starts again.
    assert drawn == '<path d="M0 0H30V25H0ZM0 25H10V50H0ZM30 0H50V25H30ZM50 0H60V25H50Z" fill="ink"/>'


def test_a_rule_crosses_the_plot_or_reaches_to_its_second_end():
    assert 'd="M50 0L50 50"' in svg({"type": "rule"}, {"x": {"datum": 5}}, [{}])
    both = {"x": {"field": "low"}, "x2": {"field": "high"}, "y": {"value": {"expr": "height - 4"}}}
    rows = [{"low": 2, "high": 8}, {"low": None, "high": None}]
    drawn = svg({"type": "rule", "style": "s"}, both, rows, styles={"s": {"color": "grey", "strokeDash": [3, 1]}})
    assert drawn == '<path d="M20 46L80 46" stroke="grey" stroke-width="1" stroke-dasharray="3 1"/>'


def test_text_is_escaped_shortened_and_broken_into_lines():
    rows = [{"said": "<b>|&"}]
    mark = {"type": "text", "lineBreak": "|", "align": "right", "dx": -10}
    first, second = svg(mark, {"x": {"value": {"expr": "width"}}, "text": {"field": "said"}}, rows).split("</text>")[:2]
    # Half of the height and a third of the ten pixels of a letter; the next line is twelve below.
    assert first == '<text x="90" y="28.3" font-size="10" fill="ink" text-anchor="end">&lt;b&gt;'
    assert second == '<text x="90" y="40.3" font-size="10" fill="ink" text-anchor="end">&amp;'


def test_a_fixed_place_is_in_pixels():
    """20 of 100 from the left; halfway up 50."""
    encoding = {"x": {"value": 20}, "y": Y, "shape": {"field": "k", "scale": {"domain": ["a", "b"]}}}
    drawn = svg({"type": "point", "size": 16 / POINT}, encoding, [{"y": 0.5, "k": "b"}])
    assert drawn.startswith('<path d="M18 23L22 23L22 27L18 27Z"')


def test_what_is_wrong_has_dots_and_an_edge_and_what_was_declined_is_hatched():
    roles = roles_of(("right", "wrong", "declined"), ("teal", "sand", "grey"), {"wrong-edge": "brown"})
    assert roles == {"sand": ("dots", "brown"), "grey": ("hatching", "")}
    rows = [{"v": 4, "hue": "teal"}, {"v": 4, "hue": "sand"}]
    drawn = svg({"type": "bar"}, {"x": {"field": "v"}}, rows, colours={0: lambda row, _: row["hue"]}, roles=roles)
    assert '<pattern id="chart-dots"' in drawn
    assert 'fill="teal"/>' in drawn
    assert 'fill="sand" stroke="brown"' in drawn
    assert 'fill="url(#chart-dots)"/>' in drawn
