"""What the page's script is told: where rows with tooltips are, and the marks that it draws."""

from __future__ import annotations

from assay.reports import chart_theme
from assay.reports.charts import ranked, tracks
from assay.reports.svg_charts.page_marks import draws_of, tips_of

CONFIG = chart_theme.page_configuration()


def test_layers_without_a_tooltip_say_nothing():
    spec = tracks.difference_from_median("a", [("1", 0.5, 0.25, 0.25)], "AP", "c", "alt", "t").spec
    (bars,) = tips_of(spec)
    assert (bars["data"], bars["mark"], bars["x"], bars["y"]) == ("topics", "bar", "topic", "difference")
    assert bars["lines"][-1] == ["difference", "difference", "+.3f"]


def test_bars_beside_each_other_say_which_of_them():
    (bars,) = tips_of(tracks.rank_histogram("a", "x", [("1", 5, 3)], "c", "alt", "t").spec)
    assert bars["offset"] == ["series", ["this run", "median run"]]


def test_a_topic_s_plot_is_drawn_by_the_script_with_the_looks_of_the_theme():
    draws = draws_of(ranked.topic_recall_precision("a", "7", [], "c", "alt").spec, CONFIG)
    assert [(draw["mark"], draw["data"]) for draw in draws] == [
        ("rule", "start"),
        ("line", "points"),
        ("line", "points"),
        ("point", "points"),
    ]
    interpolated, curve = draws[1], draws[2]
    assert (interpolated["y"], interpolated["step"], interpolated["dash"]) == ("interpolated", "step-before", "5 3")
    assert (curve["y"], curve["colour"], curve["dash"]) == ("precision", "var(--chart-leader)", "")
    assert draws[3]["ring"] == "var(--chart-paper)"
