"""The chart of ranked answers: how many questions have their first right answer at each rank."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.charts.marks import Rows, bars, category, colour, layer, quantity, shown, spec
from assay.reports.model import Chart, Json


def rank_histogram(
    id: str, run: str, rows: Sequence[tuple[str, int, int]], caption: str, alt: str, title: str, unit: str = "question"
) -> Chart:
    """How many questions were answered at each rank, by the run and by the hypothetical median run.

    `rows` are a label (`1` … `5`, `not found`), the run's count and the median run's count.
    """
    data: Rows = [
        {"rank": label, "series": series, "name": name, "count": value}
        for label, ours, median in rows
        for series, name, value in (("this run", run, ours), ("median run", "median run", median))
    ]
    series = ["this run", "median run"]
    encoding: Json = {
        "x": category("rank", "Rank of the first correct answer", labelAngle=0),
        "xOffset": {"field": "series", "sort": series},
        "y": quantity("count", f"{unit.capitalize()}s", zero=True, tickMinStep=1),
        "color": colour("series", series, "against-median", legend={"orient": "top"}),
        "tooltip": [shown("name", "run"), shown("rank", "rank"), shown("count", f"{unit}s", "d")],
    }
    layers = [layer("ranks", "bar", encoding, cornerRadiusEnd=1)]
    drawing = bars(data, "rank", "series", "count", f"{unit}s by the rank of the first correct answer")
    return Chart(id, title, spec({"ranks": data}, layers, height=260), caption, alt, drawing)
