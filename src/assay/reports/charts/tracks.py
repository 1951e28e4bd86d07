"""Charts of the tracks: a run beside the median run, by rank, topic, question or period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.figures.measure_names import in_words
from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json


def rank_histogram(
    id: str, run: str, rows: Sequence[tuple[str, int, int]], caption: str, alt: str, title: str
) -> Chart:
    """Draw the number of questions answered at each rank, by the run and the median run.

    `rows` are a label (`1` … `5`, `not found`), the run's count and the median run's count.
    """
    series = ["this run", "median run"]
    data: vega_lite.Rows = []
    for rank, ours, theirs in rows:
        pair = ((rank, series[0], run, ours), (rank, series[1], "median run", theirs))
        data += vega_lite.records(("rank", "series", "name", "count"), pair)
    encoding: Json = {
        "x": vega_lite.category("rank", "Rank of the first correct answer", labelAngle=0),
        "xOffset": {"field": "series", "sort": series},
        "y": vega_lite.quantity("count", "Questions", zero=True, tickMinStep=1),
        "color": vega_lite.colour("series", series, "against-median", legend={"orient": "top"}),
        "tooltip": vega_lite.tooltip(("name", "run"), ("rank", "rank"), ("count", "questions", "d")),
    }
    body = vega_lite.spec({"ranks": data}, [vega_lite.layer("ranks", "bar", encoding, cornerRadiusEnd=1)], height=260)
    drawing = vega_lite.bars(data, "rank", "series", "count", "questions by the rank of the first correct answer")
    return Chart(id, title, body, caption, alt, drawing)


def cumulative_found(
    id: str, run: str, ours: Sequence[tuple[int, float]], median: Sequence[tuple[int, float]], caption: str, alt: str
) -> Chart:
    """Draw the share of topics found by each rank, by the run and by the median run."""
    names = ("run", "rank", "found")
    mine = vega_lite.records(names, ((run, *point) for point in ours))
    theirs = vega_lite.records(names, (("median run", *point) for point in median))
    axes: Json = {
        "x": vega_lite.quantity("rank", "Rank", tickMinStep=1, grid=False),
        "y": vega_lite.quantity("found", "Topics found up to this rank, higher is better", (0, 1), format=".0%"),
    }
    axes["x"]["scale"] = {"zero": False, "nice": False}
    tooltip = vega_lite.tooltip(("run", "run"), ("rank", "rank", "d"), ("found", "found by then", ".1%"))
    data, layers = vega_lite.curve_pair(
        axes, tooltip, mine, theirs, points=False, falling=False, interpolate="step-after"
    )
    drawing = vega_lite.plot([*mine, *theirs], "run", axes)
    return Chart(id, "Topics found by rank", vega_lite.spec(data, layers, height=300), caption, alt, drawing)


def series_alive(id: str, run: str, curves: Mapping[str, Sequence[tuple[int, float]]], caption: str, alt: str) -> Chart:
    """Draw the share of series alive after each question, of one run and, in grey, the others."""
    names = ("run", "question", "alive")
    rows = {name: vega_lite.records(names, ((name, *point) for point in points)) for name, points in curves.items()}
    axes: Json = {
        "x": vega_lite.quantity("question", "After question", tickMinStep=1, format="d", grid=False),
        "y": vega_lite.quantity("alive", "Series alive, higher is better", (0, 1), format=".0%"),
    }
    axes["x"]["scale"] = {"zero": False, "nice": False}
    tooltip = vega_lite.tooltip(("run", "run"), ("question", "question", "d"), ("alive", "alive", ".1%"))
    ours = rows[run]
    # Other runs are anonymous, because teams receive this page.
    rest = (points for name, points in rows.items() if name != run)
    others = [{**row, "run": f"other run {number}"} for number, points in enumerate(rest, start=1) for row in points]
    layers = [
        vega_lite.layer("others", "line", {**axes, "detail": {"field": "run"}}, "others"),
        vega_lite.layer("run", "line", axes, "run"),
        vega_lite.layer("run", "point", {**axes, "tooltip": tooltip}, "run-point", size=46),
    ]
    body = vega_lite.spec({"run": ours, "others": others}, layers, height=240)
    return Chart(id, "Series still alive", body, caption, alt, vega_lite.plot(ours, "run", axes))


def period_graph(id: str, rows: Sequence[tuple[str, float | None]], measure: str, caption: str, alt: str) -> Chart:
    """Draw the mean utility in each period of the stream."""
    from assay.reports.terminal_charts import Intervals

    data = vega_lite.records(("period", "value"), (row for row in rows if row[1] is not None))
    encoding: Json = {
        "x": vega_lite.category("period", "Period (documents)", labelAngle=-20, labelLimit=130, grid=False),
        "y": vega_lite.quantity("value", f"Mean {in_words(measure)}", zero=True),
    }
    encoding["x"]["scale"] = {"type": "point", "padding": 0.4}
    tooltip = vega_lite.tooltip(("period", "period"), ("value", in_words(measure), ".3f"))
    layers = [
        vega_lite.layer("periods", "line", encoding, "run"),
        vega_lite.layer("periods", "point", {**encoding, "tooltip": tooltip}, "run-point", size=60),
        vega_lite.layer("periods", "text", {**encoding, "text": {"field": "value", "format": ".3f"}}, dy=-12),
    ]
    drawing = Intervals(tuple((row["period"], row["value"], None, None) for row in data), f"Mean {in_words(measure)}")
    return Chart(
        id,
        f"Mean {in_words(measure)} over time",
        vega_lite.spec({"periods": data}, layers, height=240),
        caption,
        alt,
        drawing,
    )


Differing = tuple[str, float | None, float | None, float | None]
"""Topic, value, median, difference."""


def difference_from_median(
    id: str,
    rows: Sequence[Differing],
    measure: str,
    caption: str,
    alt: str,
    title: str,
    unit: str = "topic",
    better: bool | None = None,
) -> Chart:
    """Draw a bar per topic, up where the run is better than the median of all runs.

    More than sixty topics are not named and are sorted by size.
    """
    from assay.reports.terminal_charts import Differences

    drawn = [(*row, "above" if row[3] > 0 else "below") for row in rows if row[3] is not None]
    many = len(drawn) > vega_lite.MAX_NAMED_TOPICS
    axis: Json = {
        "title": f"{unit.capitalize()}s, in order of difference" if many else unit.capitalize(),
        "sort": None,
        "axis": {"labels": False, "ticks": False} if many else vega_lite.NAMED_TOPICS,
        "scale": {"paddingInner": 0.1 if many else 0.28},
    }
    lines = (("value", in_words(measure), ".3f"), ("median", "median", ".3f"))
    axes_title = vega_lite.directed(f"{in_words(measure)} minus the median", better)
    end = vega_lite.round_end(row[3] for row in drawn if row[3] is not None)
    layers = vega_lite.difference_bars(unit, axes_title, lines, axis, end)
    data = vega_lite.records(("topic", "value", "median", "difference", "side"), drawn)
    data.sort(key=lambda row: -row["difference"] if many else 0)
    drawing = Differences(tuple((row["topic"], row["difference"]) for row in data), axes_title)
    return Chart(id, title, vega_lite.spec({"topics": data}, layers, height=280), caption, alt, drawing)
