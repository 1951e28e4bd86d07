"""What is read of a specification: all that is known, nothing that is not."""

from __future__ import annotations

import pytest

from assay.reports.svg_charts.vega_spec import (
    Layer,
    UnsupportedSpec,
    band_scale,
    layers_of,
    linear_scale,
    names_of,
    stacked_ends,
)


def spec(one=None, mark=None, encoding=None, **more):
    """A specification of one layer, with something more in one place."""
    layer = {"mark": {"type": "point", **(mark or {})}, "encoding": encoding or {}, **(one or {})}
    return {"layer": [layer], "datasets": {}, **more}


def layer(values, kind="point", scale=None, **more):
    rows = [{"v": value} for value in values]
    return Layer({"type": kind}, {"x": {"field": "v", **({"scale": scale} if scale else {})}, **more}, rows)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (spec(transform=[]), "specification: transform"),
        (spec(one={"transform": []}), "layer: transform"),
        (spec(mark={"type": "arc"}), "mark arc"),
        (spec(mark={"tension": 1, "angle": 45}), "mark: angle, tension"),
        (spec(encoding={"theta": {"field": "v"}}), "encoding: theta"),
        (spec(encoding={"x": {"field": "v", "axis": {"offset": 3}}}), "axis: offset"),
        (spec(encoding={"y": {"field": "v", "scale": {"reverse": True}}}), "scale: reverse"),
        (spec(encoding={"y": {"field": "v", "scale": {"type": "sqrt"}}}), "scale sqrt"),
    ],
)
def test_what_is_not_drawn_here_is_refused_by_name(asked, said):
    with pytest.raises(UnsupportedSpec) as refused:
        layers_of(asked)
    assert str(refused.value) == said


def test_a_dataset_nobody_filled_is_empty_and_a_layer_without_one_has_one_row():
    rows = [{"v": 1}]
    asked = {
        "datasets": {"points": rows},
        "layer": [{"data": {"name": name}, "mark": {"type": "point"}} for name in ("points", "marked")]
        + [{"mark": {"type": "rule"}, "encoding": {"x": {"datum": 0, "axis": None}}}],
    }
    assert [one.rows for one in layers_of(asked)] == [rows, [], [{}]]


def test_what_only_answers_the_mouse_is_left_to_the_page():
    asked = spec(one={"params": [{"name": "hover"}]}, mark={"style": "hit", "tension": 1})
    assert layers_of(asked) == []


def test_names_stand_as_they_are_sorted_or_as_they_come():
    def named(sort):
        rows = [{"run": "b", "ap": 0.2}, {"run": "a", "ap": 0.1}, {"run": "c", "ap": 0.3}, {"run": "b", "ap": 0.2}]
        return names_of([Layer({"type": "bar"}, {"y": {"field": "run", **sort}}, rows)], "y")

    assert named({}) == ("b", "a", "c")
    assert named({"sort": ["c", "b", "a"]}) == ("c", "b", "a")
    assert named({"sort": {"field": "ap", "order": "ascending"}}) == ("a", "b", "c")
    assert named({"sort": {"field": "ap", "order": "descending"}}) == ("c", "b", "a")


@pytest.mark.parametrize(
    ("values", "scale", "ends"),
    [
        ([0.013, None, 0.387], None, (0.0, 0.4)),
        ([0.013, 0.387], {"nice": False}, (0.013, 0.387)),
        ([5, 8], {"zero": True}, (0.0, 8.0)),
        ([0.2, 0.3], {"domain": [-1, 1]}, (-1, 1)),
        ([3], None, (2.5, 3.5)),
        ([0.0], None, (0.0, 1.0)),
        ([], None, (0.0, 1.0)),
    ],
)
def test_numbers_go_over_the_domain_given_or_over_what_there_is(values, scale, ends):
    made = linear_scale([layer(values, scale=scale)], "x", 0, 100)
    assert (made.low, made.high) == ends


def test_bars_fill_their_bands_and_stacks_reach_as_far_as_their_sum():
    bars, points, squares = (band_scale([layer("ab", kind)], "x", 0, 100) for kind in ("bar", "point", "rect"))
    # Two steps of 50, a tenth of each left free, half of that before the first.
    assert (bars.left("a"), bars.width) == pytest.approx((2.5, 45))
    assert (points.middle("a"), points.middle("b")) == pytest.approx((25, 75))
    assert (squares.left("b"), squares.width) == (50, 50)
    rows = [{"n": "a", "v": 3}, {"n": "b", "v": 4}, {"n": "a", "v": 2}]
    stacked = Layer({"type": "bar"}, {"x": {"field": "v"}, "y": {"field": "n"}, "order": {"field": "v"}}, rows)
    assert stacked_ends(stacked, "x") == [0.0, 5, 4]
    assert linear_scale([stacked], "x", 0, 100).high == 5
