"""Charts of a team's package: its runs on each topic, beside the median and the best of all runs."""

from __future__ import annotations

from collections.abc import Sequence

from assay.figures.measure_names import in_words
from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json

TopicRow = tuple[str, float | None, float | None, Sequence[float | None]]
"""Topic, median, best, and the value of each of the team's runs."""
MEDIAN, BEST = "median of all runs", "from the median to the best run"


def team_topics(
    id: str, runs: Sequence[str], rows: Sequence[TopicRow], measure: str, caption: str, alt: str, unit: str
) -> Chart:
    """Draw the team's runs on each topic, at most eight, over the median and up to the best of all runs."""
    from assay.reports.terminal_charts import Intervals

    names = list(runs)[: vega_lite.MAX_COLOURED_SERIES]
    known = [row for row in rows if row[1] is not None and row[2] is not None]
    ranges = vega_lite.records(("topic", "median", "best"), (row[:3] for row in known))
    own = [
        {"topic": topic, "run": run, "value": value, "median": median, "best": best}
        for topic, median, best, values in known
        for run, value in zip(names, values, strict=False)
        if value is not None
    ]
    many = len(known) > vega_lite.MAX_NAMED_TOPICS
    title = f"{unit.capitalize()}s, the hardest first"
    plain: Json = {"labels": False, "ticks": False} if many else vega_lite.NAMED_TOPICS
    across: Json = {"field": "topic", "type": "nominal", "title": title, "sort": None, "axis": plain}
    across["scale"] = {"type": "point", "padding": 0.5}
    up = vega_lite.quantity("value", in_words(measure), zero=True)
    numbers = (("value", in_words(measure), ".3f"), ("median", "median", ".3f"), ("best", "best", ".3f"))
    tooltip = vega_lite.tooltip(("topic", unit), ("run", "run"), *numbers)
    hue = vega_lite.colour("run", names, "own-runs")
    layers = [
        vega_lite.layer(
            "ranges", "rule", {"x": across, "y": {**up, "field": "median"}, "y2": {"field": "best"}}, "range"
        ),
        vega_lite.layer("ranges", "line", {"x": across, "y": {**up, "field": "median"}}, "median"),
        vega_lite.layer(
            "own", "point", {"x": across, "y": up, "color": hue, "shape": hue, "tooltip": tooltip}, size=60, opacity=1
        ),
    ]
    keys = {"keys": [[MEDIAN, "median"], [BEST, "range"]]}
    body = vega_lite.spec({"ranges": ranges, "own": own}, layers, height=260, usermeta=keys)
    drawing = Intervals(
        tuple((topic, values[0], median, best) for topic, median, best, values in known if values[0] is not None),
        f"{in_words(measure)} of {names[0]}, from the median to the best run",
    )
    return Chart(id, f"{in_words(measure)} on each {unit}", body, caption, alt, drawing)
