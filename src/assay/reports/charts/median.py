"""A run topic by topic against the median of all runs: the bar chart of several tasks."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.charts.marks import MANY_TOPICS, NAMED_TOPICS, Rows, difference_bars, shown, spec
from assay.reports.model import Chart, Json


def difference_from_median(
    id: str,
    rows: Sequence[tuple[str, float | None, float | None, float | None]],
    measure: str,
    caption: str,
    alt: str,
    title: str,
    unit: str = "topic",
) -> Chart:
    """A bar per topic, up where the run is better than the median of all runs on it.

    `rows` are topic, value, median, difference. More than sixty topics cannot be named: bars stand in order of size.
    """
    data: Rows = [
        {
            "topic": topic,
            "value": value,
            "median": median,
            "difference": difference,
            "side": "above" if difference > 0 else "below",
        }
        for topic, value, median, difference in rows
        if difference is not None
    ]
    many = len(data) > MANY_TOPICS
    axis: Json = {
        "title": f"{unit.capitalize()}s, in order of difference" if many else unit.capitalize(),
        "sort": {"field": "difference", "order": "descending"} if many else None,
        "axis": {"labels": False, "ticks": False} if many else NAMED_TOPICS,
        "scale": {"paddingInner": 0.1 if many else 0.28},
    }
    tooltip = [shown("value", measure, ".4f"), shown("median", "median", ".4f")]
    layers = difference_bars(unit, f"Difference from the median, {measure}", tooltip, axis)
    return Chart(id, title, spec({"topics": data}, layers, height=280), caption, alt)
