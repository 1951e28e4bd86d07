"""Charts drawn here stand where Vega draws them: the same specification, both ways."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from assay.figures import palette
from assay.reports import chart_theme
from assay.reports.charts import outcomes, ranked, tracks
from assay.reports.charts import runs as leaderboard
from assay.reports.svg_charts.chart import drawn, layered, page_chart
from assay.reports.svg_charts.vega_spec import UnsupportedSpec

CONFIG = chart_theme.paper_configuration()
LINEAR = [1 - level / 10 for level in range(11)]
MINUS = "\N{MINUS SIGN}"


def picture(chart, width=400.0):
    return ElementTree.fromstring(drawn(chart.spec, width, CONFIG))


def paths(chart, **look):
    """The paths with these attributes, each as its list of numbers."""
    return [
        [float(n) for n in re.findall(r"-?[\d.]+", one.get("d", ""))]
        for one in picture(chart).iter()
        if one.tag.endswith("path") and all(one.get(name.replace("_", "-")) == value for name, value in look.items())
    ]


def words(chart):
    return [one.text for one in picture(chart).iter() if one.tag.endswith("text")]


def test_a_curve_runs_from_corner_to_corner():
    chart = ranked.run_recall_precision("a", "x", LINEAR, None, "c", "alt")
    (line,) = paths(chart, stroke=CONFIG["style"]["run"]["color"], fill="none")
    x, y = line[::2], line[1::2]
    assert (x[0], y[0], y[-1]) == (0, 0, 300)
    assert all(b == pytest.approx(a / x[-1] * 300, abs=0.02) for a, b in zip(x, y, strict=True))


def test_bars_reach_from_zero_to_their_difference():
    rows = [("1", 0.5, 0.25, 0.5), ("2", 0.25, 0.5, -0.5)]
    chart = tracks.difference_from_median("a", rows, "AP", "c", "alt", "t")
    up, down = (paths(chart, fill=CONFIG["range"]["sides"][side])[0] for side in (0, 1))
    # Over -0.5 to 0.5 zero is in the middle of 280 pixels: M x top H right V bottom H x.
    assert sorted({up[1], up[3]}) == [0, 140]
    assert sorted({down[1], down[3]}) == [140, 280]
    assert up[2] < down[0]


def test_outcomes_are_stacked_in_their_order():
    chart = outcomes.outcome_bars("a", [("x", 5, 0, 3, 2, 0)], "c", "alt")
    fills = (CONFIG["range"]["outcomes"][0], "url(#chart-hatching)", "url(#chart-dots)")
    right, declined, wrong = (paths(chart, fill=fill)[-1] for fill in fills)
    # Right begins at the left edge and wrong ends at the right one, half a pixel within it for its outline.
    width = wrong[2] + 0.5
    assert [right[0], right[2], declined[2], wrong[2]] == pytest.approx(
        [0, width / 2, width * 0.7, width - 0.5], abs=0.02
    )


def test_the_numbers_on_an_axis_are_round_and_signed_as_asked():
    chart = tracks.difference_from_median("a", [("1", 1, 0, 0.4), ("2", 0, 1, -0.4)], "AP", "c", "alt", "t")
    assert {f"{MINUS}.4", "0", "+.4"} <= set(words(chart))


def test_a_legend_names_what_has_a_colour():
    curves = {f"run{i}": LINEAR for i in range(5)}
    said = words(ranked.recall_precision_overlay("a", curves, ["run1", "run3"], "c", "alt"))
    assert "run1" in said
    assert "run3" in said
    assert "run0" not in said


def test_agreement_is_shaded_by_its_value():
    chart = leaderboard.agreement(
        "a", ["AP", "RR"], {("AP", "RR"): 0.0, ("AP", "AP"): 1.0, ("RR", "RR"): 1.0}, "c", "alt"
    )
    assert len(paths(chart, fill=palette.RAMP[0])) == 1
    assert len(paths(chart, fill=palette.RAMP[-1])) == 1
    assert words(chart).count("1.00") == 2


def test_names_are_never_markup():
    chart = ranked.run_recall_precision("a", '<script>&"', LINEAR, LINEAR, "c", "alt")
    assert '<script>&"' in words(chart)


def test_what_layers_say_to_the_mouse_is_left_out():
    chart = outcomes.risk_coverage("a", {"x": [(0.5, 0.1), (1.0, 0.2)]}, [], "c", "alt")
    assert any(layer["mark"].get("style") == "hit" for layer in chart.spec["layer"])
    assert len(paths(chart, fill="none", stroke=CONFIG["style"]["run"]["color"])) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"transform": [{"filter": "true"}]},
        {"layer": [{"mark": {"type": "arc"}, "encoding": {}}]},
        {"layer": [{"mark": {"type": "line"}, "encoding": {"x": {"field": "a", "scale": {"type": "sqrt"}}}}]},
        {"layer": [{"mark": {"type": "line"}, "encoding": {"facet": {"field": "a"}}}]},
        {"layer": [{"mark": {"type": "line"}, "encoding": {"x": {"field": "a", "axis": {"labelExpr": "1"}}}}]},
    ],
)
def test_what_is_not_drawn_here_is_refused(change):
    spec = {**ranked.run_recall_precision("a", "x", LINEAR, None, "c", "alt").spec, **change}
    with pytest.raises(UnsupportedSpec):
        drawn(spec, 400, CONFIG)


def test_layers_are_the_chart_and_runs_share_the_axes():
    def curve(name, values):
        return ranked.run_recall_precision("a", name, values, None, "c", "alt").spec

    def inside(picture):
        return [ElementTree.tostring(one) for one in ElementTree.fromstring(picture)[0]]

    axes, marks = layered(curve("x", LINEAR), 400, CONFIG)
    assert inside(axes) + inside(marks) == inside(drawn(curve("x", LINEAR), 400, CONFIG))
    other, curved = layered(curve("another", [value / 2 for value in LINEAR]), 400, CONFIG)
    assert other == axes
    assert curved != marks
    assert "Recall" in axes
    assert ">x<" in marks


def test_the_title_of_the_vertical_axis_is_read_without_turning_one_s_head():
    rows = [("1", 0.5, 0.25, 0.5), ("2", 0.25, 0.5, -0.5)]
    chart = tracks.difference_from_median("a", rows, "average precision", "c", "alt", "t", better=True)
    low = ElementTree.fromstring(drawn(chart.spec, 300, CONFIG, 120))
    (title,) = (one for one in low.iter() if one.text == "average precision minus the median, higher is better")
    assert title.get("transform") is None
    assert float(title.get("y")) < 0


def test_a_page_has_the_same_chart_in_parts():
    chart = outcomes.outcome_bars("a", [("x", 5, 0, 3, 2, 1)], "c", "alt")
    page = page_chart(chart.spec, chart_theme.page_configuration(), "run-1-bars")
    whole = ElementTree.fromstring(f"<div>{page.html}</div>")
    assert [item.text or item[-1].tail for item in whole.iter("li")] == [" correct", " unanswered", " incorrect"]
    assert "{marks}" in page.frame
    assert "var(--chart-right)" in page.marks
    assert "× 1 failed" in page.marks
    # The plot is 640 units wide less its margins, which are classes of the style sheet.
    left, right = (4 * int(side[1:]) for side in re.search(r'class="fluid (l\d+) (r\d+)"', page.frame).groups())
    assert page.scales["width"] == 640 - left - right
    assert page.scales["x"] == [0, 10]
    assert page.scales["y"] == [[], 0.1, 0.05, [("outcomes", "run"), ("failed", "run")]]


def test_charts_of_one_kind_share_their_frame():
    def frame(name, values):
        spec = ranked.run_recall_precision("a", name, values, None, "c", "alt").spec
        return page_chart(spec, chart_theme.page_configuration(), name)

    one, other = frame("x", LINEAR), frame("another", [value / 2 for value in LINEAR])
    assert (one.frame, one.legend, one.scales) == (other.frame, other.legend, other.scales)
    assert one.marks != other.marks


def test_the_scale_of_a_legend_is_that_of_the_data():
    """Of a correlation of -.55 the ramp begins at the next fifth below."""
    chart = leaderboard.agreement("a", ["AP", "RR"], {("AP", "RR"): -0.55, ("AP", "AP"): 1.0}, "c", "alt")
    assert words(chart)[:2] == [f"{MINUS}.6", "1   Kendall's tau-b"]
    assert chart.spec["layer"][0]["encoding"]["color"]["scale"]["domain"] == [-0.6, 1]


def test_leaning_labels_begin_below_their_ticks():
    chart = tracks.period_graph("a", [("up to N00400", 0.5), ("after N00400", 0.7)], "T10U", "c", "alt")
    tall = chart.spec["height"]
    (first, *_) = (one for one in picture(chart).iter() if one.text == "up to N00400")
    # Leaning by 20 degrees, the top of a letter of 10 pixels is still below the tick, which is 4 long.
    assert first.get("transform") == f"rotate(-20 {first.get('x')} {first.get('y')})"
    assert float(first.get("y")) - 0.66 * CONFIG["axis"]["labelFontSize"] > tall + 4
