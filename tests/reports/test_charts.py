"""Every chart compiles, and shows the numbers it was given: one table of charts walks all modules of `reports.charts`.

A new chart is a line of `ALL`, which every rule below then holds it to; so the modules have no test files of their own.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate
from xml.etree import ElementTree

import pytest

from assay.analyses.abstention.price import PricePoint
from assay.figures.answer_validation import CandidateDecisions, RocPoint
from assay.figures.outcomes import ConfidenceBin
from assay.figures.ranked import topic_points
from assay.reports import chart_theme
from assay.reports.charts import outcomes, ranked, reliability, tracks
from assay.reports.charts import runs as leaderboard
from assay.reports.charts.labels import place_names
from assay.reports.page_data import columns
from assay.reports.svg_charts.chart import Frame, page_chart
from assay.reports.svg_charts.chart import drawn as draw_on_paper
from assay.reports.svg_charts.scales import Linear

ELEVEN = [1 - level / 10 for level in range(11)]
DECIDED = [CandidateDecisions(run, run, 9, 9, 5, 4, 3, 3 / 4, 3 / 5, 2 / 3, 1 / 4, 0.4) for run in "xy"]
ROC = [RocPoint(0.9, 0.0, 0.5), RocPoint(0.1, 1.0, 1.0)]
ALL = {
    "overlay": ranked.recall_precision_overlay("a", {"x": ELEVEN, "y": ELEVEN}, ["x"], "c", "alt", median=ELEVEN),
    "run": ranked.run_recall_precision("a", "x", ELEVEN, ELEVEN, "c", "alt"),
    "topic": ranked.topic_recall_precision("a", "7", topic_points([1, 2, 4, 15], 4), "c", "alt"),
    "topic without relevant": ranked.topic_recall_precision("a", "7", topic_points([], 4), "c", "alt"),
    "subtopics": ranked.recall_overlay("a", {"x": [0.5, 1.0], "y": [0.0, 0.5]}, ["x"], "c", "alt", median=[0.25, 0.75]),
    "subtopics of a run": ranked.run_recall("a", "x", [0.5, 1.0], [0.25, None], "c", "alt"),
    "difference": tracks.difference_from_median(
        "a", [("1", 0.5, 0.25, 0.25), ("2", None, None, None)], "AP", "c", "alt", "t"
    ),
    "many differences": tracks.difference_from_median(
        "a", [(str(i), 0.5, 0.25, 0.25 - i / 100) for i in range(90)], "AP", "c", "alt", "t"
    ),
    "ranks": tracks.rank_histogram("a", "x", [("1", 5, 3), ("not found", 2, 4)], "c", "alt", "t"),
    "found": tracks.cumulative_found("a", "x", [(1, 0.5), (2, 0.75)], [(1, 0.25), (2, 0.5)], "c", "alt"),
    "alive": tracks.series_alive("a", "x", {"x": [(1, 1.0), (2, 0.5)], "y": [(1, 0.5)]}, "c", "alt"),
    "price": outcomes.price_curves(
        "a",
        {
            "x": [PricePoint(0.0, 0.5, (0.4, 0.6), 1.0), PricePoint(0.5, -0.25, (-0.5, 0.1), 0.0)],
            "y": [PricePoint(0.0, 0.25, None, 0.0)],
        },
        ["x"],
        ["x"],
        "c",
        "alt",
    ),
    "periods": tracks.period_graph("a", [("1-100", 3.5), ("101-200", None)], "T10U", "c", "alt"),
    "risk": outcomes.risk_coverage("a", {"x": [(0.5, 0.1), (1, 0.2)], "y": [(1, 0.3)]}, ["x"], "c", "alt"),
    "ROC": outcomes.roc("a", DECIDED, {"x": ROC, "y": ROC}, ["x"], "c", "alt"),
    "ROC of a run": outcomes.roc("a", DECIDED[:1], {"x": ROC}, [], "c", "alt"),
    "reliability": outcomes.reliability_diagram(
        "a", [ConfidenceBin(0, 0.5, 9, 0.2, 0.3, 0.25, (0.1, 0.6)), ConfidenceBin(0.5, 1, 0, None, None, 0)], "c", "alt"
    ),
    "own documents": leaderboard.own_documents("a", [("x", 0.5, 0.4), ("y", 0.25, 0.25)], "AP", "c", "alt"),
    "intervals": leaderboard.leaderboard_intervals(
        "a", [("x", 0.5, 0.4, 0.6, "A"), ("y", None, None, None, "B")], "AP", "c", "alt"
    ),
    "stability": reliability.stability_curves("a", {"AP": [(0.01, 0.02, 0.1), (0.02, 0.01, 0.2)]}, "c", "alt"),
    "swap": reliability.swap_curves("a", {"AP": [(0.0, 0.4, 9), (0.01, None, 0)]}, "c", "alt"),
    "significance": reliability.significance_curves("a", {"AP": [0.2, 0.01, 0.03]}, "c", "alt"),
    "agreement": leaderboard.agreement("a", ["AP", "RR"], {("AP", "RR"): 0.5, ("AP", "AP"): 1.0}, "c", "alt"),
    "outcomes": outcomes.outcome_bars("a", [("x", 5, 0, 3, 2, 0)], "c", "alt"),
    "all outcomes": outcomes.outcome_bars("a", [("x", 5, 1, 3, 2, 1), ("y", 5, 0, 3, 2, 0)], "c", "alt"),
    "failures": outcomes.outcome_bars("a", [("x", 5, 0, 3, 2, 1), ("y", 5, 0, 3, 2, 0)], "c", "alt"),
    "credit": outcomes.outcome_bars("a", [("x", 5, 1, 3, 2, 0)], "c", "alt"),
    "cost": leaderboard.score_and_cost(
        "a", [("x", 0.02, 0.5, 0.4, 0.6), ("y", 5, 0.4, None, None)], ["x"], "AP", "Cost", True, "c", "alt"
    ),
    "narrow cost": leaderboard.score_and_cost(
        "a",
        [(f"run{i}", 1 + i, i / 40, None, None) for i in range(40)],
        ["run0", "run39"],
        "AP",
        "Cost",
        False,
        "c",
        "alt",
    ),
    "sizes": reliability.size_curves("a", {"AP": [(10, 0.1), (20, 0.05)]}, "topic", "c", "alt"),
    "items": reliability.difficulty_discrimination(
        "a",
        [("q1", 1, 0.5, 0.4, reliability.KINDS[0]), ("q2 …", 12, 0.1, -0.6, reliability.KINDS[2])],
        "accuracy",
        True,
        "question",
        "c",
        "alt",
    ),
    "graded items": reliability.difficulty_discrimination(
        "a",
        [("301", 1, 0.25, 0.4, reliability.KINDS[0]), ("302", 3, 0.1, -0.1, reliability.KINDS[1])],
        "AP",
        False,
        "topic",
        "c",
        "alt",
    ),
    "two runs": leaderboard.topic_differences("a", "c", "alt", "topic"),
}


@pytest.mark.parametrize("name", ALL)
def test_every_layer_has_its_rows_so_that_what_a_reader_points_at_has_somewhere_to_stand(name):
    spec = ALL[name].spec
    assert {layer["data"]["name"] for layer in spec["layer"] if "data" in layer} <= set(spec["datasets"])


def drawn_lines(spec):
    """The points of every line in Vega's own scene of a plot of 100 by 100, as (x, y) in hundredths."""
    vl_convert = pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    found = []

    def walk(node):
        if isinstance(node, dict):
            if node.get("marktype") == "line":
                found.append([(round(item["x"]), round(100 - item["y"])) for item in node["items"]])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(vl_convert.vegalite_to_scenegraph({**spec, "height": 100, "width": 100}))
    return found


@pytest.mark.parametrize("name", ALL)
def test_each_chart_is_drawn(name):
    paper = draw_on_paper(ALL[name].spec, 300, chart_theme.paper_configuration())
    page = page_chart(ALL[name].spec, chart_theme.page_configuration(), "c").html
    for picture in (paper, f"<div>{page}</div>"):
        ElementTree.fromstring(picture)  # well-formed, or the page's script would refuse it
        assert not re.search(r"\bnan\b", picture)


@pytest.mark.parametrize("name", ALL)
def test_each_axis_of_numbers_has_three_to_five_ticks_at_most(name):
    frame = Frame(ALL[name].spec, 600, chart_theme.paper_configuration(), None)
    for channel, scale in (("x", frame.x), ("y", frame.y)):
        if isinstance(scale, Linear):
            assert len(frame._labels(channel, scale, 500)) <= 5


@pytest.mark.parametrize("name", ALL)
def test_each_chart_has_its_data_inline_and_fetches_nothing(name):
    written = json.dumps({key: value for key, value in ALL[name].spec.items() if key != "$schema"})
    assert '"url"' not in written
    assert "http" not in written
    assert set(ALL[name].spec["datasets"])


@pytest.mark.parametrize("name", ALL)
def test_no_chart_names_a_colour_of_its_own(name):
    """Colours belong to the theme, or dark pages would show light charts."""
    body = {key: value for key, value in ALL[name].spec.items() if key != "datasets"}
    assert "#" not in json.dumps(body)


@pytest.mark.parametrize("name", ALL)
def test_no_chart_computes(name):
    """What is drawn stands in the data: a specification neither transforms nor calculates, but places things on the page."""
    written = json.dumps(ALL[name].spec)
    for word in ("transform", "calculate", "window", "aggregate", "filter", "datum."):
        assert f'"{word}' not in written, word
        assert f" {word}" not in written, word
    expressions = re.findall(r'"expr": "([^"]*)"', written)
    assert all(re.fullmatch(r"(width|height) - \d+", expression) for expression in expressions)


def test_a_kind_of_chart_is_one_specification_whatever_it_shows():
    def bare(chart):
        return {key: value for key, value in chart.spec.items() if key != "datasets"}

    other = ranked.topic_recall_precision("b", "8", topic_points([3], 9), "c", "alt")
    assert bare(ALL["topic"]) == bare(other)
    assert bare(ALL["run"]) == bare(ranked.run_recall_precision("b", "z", ELEVEN, None, "c", "alt"))


def test_the_topic_plot_draws_the_example_of_the_source():
    """Relevant at ranks 1, 2, 4, 15 of 4: points 1, 1, .75, .27; interpolated 1 to .5, .75 to .75, .27 to 1."""
    lines = drawn_lines(ALL["topic"].spec)
    assert [(25, 100), (50, 100), (75, 75), (100, 27)] in lines


def test_interpolation_lifts_a_point_to_the_highest_that_follows():
    """Relevant at ranks 2, 3 and 4: precision rises from 1/2 by 2/3 to 3/4, so the dashed line is 3/4 throughout."""
    lines = drawn_lines(ranked.topic_recall_precision("a", "7", topic_points([2, 3, 4], 4), "c", "alt").spec)
    assert [(25, 50), (50, 67), (75, 75)] in lines
    assert [(25, 75), (50, 75), (75, 75)] in lines


def test_bands_are_where_the_source_puts_them():
    bands = ALL["overlay"].spec["datasets"]["bands"]
    assert [(band["from"], band["to"]) for band in bands] == [(0.0, 0.2), (0.2, 0.8), (0.8, 1.0)]


def test_the_curve_of_a_run_is_as_tall_in_each_track():
    heights = {name: ALL[name].spec["height"] for name in ("run", "subtopics of a run", "found", "significance")}
    assert set(heights.values()) == {300}


def test_undefined_values_are_left_out_and_never_drawn_as_zero():
    assert [row["topic"] for row in ALL["difference"].spec["datasets"]["topics"]] == ["1"]
    assert [row["from"] for row in ALL["swap"].spec["datasets"]["curves"]] == [0.0]
    assert [row["run"] for row in ALL["intervals"].spec["datasets"]["runs"]] == ["x"]


@pytest.mark.parametrize("name", ALL)
def test_every_role_a_chart_names_is_one_of_the_theme(name):
    written = json.dumps(ALL[name].spec)
    theme = chart_theme.paper_configuration()
    assert set(re.findall(r'"style": "([^"]+)"', written)) <= set(theme["style"])
    assert set(re.findall(r'"range": "([^"]+)"', written)) <= set(theme["range"])


def test_outcomes_that_nobody_has_are_left_out():
    def named(name):
        return list(dict.fromkeys(row["outcome"] for row in ALL[name].spec["datasets"]["outcomes"]))

    assert named("outcomes") == named("failures") == ["correct", "unanswered", "incorrect"]
    assert named("credit") == named("all outcomes") == ["correct", "partly correct", "unanswered", "incorrect"]


def test_what_failed_is_a_cross_outside_the_bar():
    """x has 5 right, 3 wrong and 2 declined, so its bar ends at 10; nothing of y failed."""
    (failed,) = ALL["failures"].spec["datasets"]["failed"]
    assert (failed["run"], failed["end"], failed["label"]) == ("x", 10, "× 1 failed")
    assert "failed" not in ALL["credit"].spec["datasets"]
    assert "x failed 1" in " ".join(" ".join(ALL["failures"].drawing.lines()).split())


def test_items_stand_where_their_numbers_are_and_many_at_one_place_are_one_larger_dot():
    data = ALL["items"].spec["datasets"]
    assert [(row["mean"], row["discrimination"], row["many"]) for row in data["one"]] == [(0.5, 0.4, 1)]
    assert [(row["mean"], row["discrimination"], row["many"]) for row in data["many"]] == [(0.1, -0.6, 12)]
    assert [row["items"] for row in ALL["graded items"].spec["datasets"]["some"]] == ["302"]
    sizes = {one["data"]["name"]: one["mark"]["size"] for one in ALL["items"].spec["layer"] if "size" in one["mark"]}
    assert sizes["one"] < sizes["some"] < sizes["many"]


def test_runs_that_nobody_beats_for_less_are_joined_and_the_others_are_not():
    data = ALL["cost"].spec["datasets"]
    assert [row["run"] for row in data["front"]] == ["x"]
    assert [row["run"] for row in data["back"]] == ["y"]
    assert [row["run"] for row in data["ends-key"]] == ["x"]
    (across,) = {json.dumps(one["encoding"]["x"]["scale"]) for one in ALL["cost"].spec["layer"]}
    assert '"type": "log"' in across
    assert ALL["cost"].drawing.curves == {"x": [(0.02, 0.5)], "y": [(5, 0.4)]}
    assert ALL["cost"].drawing.log_x


def test_of_many_runs_those_that_nobody_beats_are_named():
    data = ALL["narrow cost"].spec["datasets"]
    named = {row["run"] for name, rows in data.items() if name.startswith(("front-", "back-")) for row in rows}
    assert named == {"run0", "run39"}
    assert '"log"' not in json.dumps(ALL["narrow cost"].spec["layer"])


def test_a_curve_is_named_beside_itself_where_there_is_room():
    """Two straight falling lines, 0.3 apart: the upper is named above itself, the lower below, each at a point of its own."""
    upper = [0.9 - level / 20 for level in range(11)]
    lower = [value - 0.3 for value in upper]
    data = ranked.run_recall_precision("a", "mine", upper, lower, "c", "alt").spec["datasets"]
    (mine,), (median,) = data["run-above"], data["median-below"]
    assert data["run-below"] == data["median-above"] == []
    assert (mine["label"], median["label"]) == ("mine", "median of all runs")
    assert mine["precision"] == upper[round(10 * mine["recall"])]
    assert median["precision"] == lower[round(10 * median["recall"])]


def test_bands_are_named_where_no_curve_runs():
    high = ranked.run_recall_precision("a", "x", [0.9] * 3 + [0.1] * 8, None, "c", "alt").spec["datasets"]["bands"]
    low = ranked.run_recall_precision("a", "x", [0.1] * 11, None, "c", "alt").spec["datasets"]["bands"]
    assert [band["named"] < 0.5 for band in high] == [True, False, False]
    assert [band["named"] for band in low] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("ranks", [[], [1], [7], [1, 2, 3], [2, 3, 4, 16], [5, 6, 7, 8, 900]])
def test_the_data_of_a_topic_by_column_are_those_of_its_chart(ranks):
    rows = {
        name: columns(rows)
        for name, rows in ranked.topic_recall_precision("a", "7", topic_points(ranks, 9), "", "")
        .spec["datasets"]
        .items()
    }
    told = ranked.topic_columns(ranks, 9)
    assert {name: unpacked(one) for name, one in told.items()} == {name: unpacked(one) for name, one in rows.items()}


def unpacked(packed):
    """Rows again, by the rules of `packing.columns` as the page's script reads them."""
    count, found = packed
    read = {}
    for name, column in found.items():
        if column == "count":
            read[name] = [*range(1, count + 1)]
        elif isinstance(column, list):
            read[name] = column
        elif "all" in column:
            read[name] = [column["all"]] * count
        elif "rises" in column:
            read[name] = [*accumulate(column["rises"])]
        elif "highest" in column:
            read[name] = [*accumulate(reversed(read[column["highest"]]), max)][::-1]
        else:
            of = read.get(column["over"], [column["over"]] * count)
            read[name] = [place / n for place, n in enumerate(of, 1)]
    return [dict(zip(read, row, strict=True)) for row in zip(*read.values(), strict=True)]


def test_a_name_avoids_the_left_half_of_a_dot() -> None:
    """Above its dot a letter would reach from 56 to 62.8, and the other dot from 62 to 70."""
    assert place_names([(50, 50), (66, 40)], ["a"], 320) == ["below-right"]
