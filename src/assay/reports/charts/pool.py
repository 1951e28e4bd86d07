"""The chart of a pool: each run's score if its team had not contributed."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json
from assay.reports.terminal_charts import Intervals

WITH, WITHOUT = "all judgments", "without its own team"
TITLE = "Had its team taken no part"


def own_documents(id: str, rows: Sequence[tuple[str, float, float]], measure: str, caption: str, alt: str) -> Chart:
    """Draw each run's value with all judgments and without its own team's unique documents.

    `rows` are a run, and the two values.
    """
    pairs = vega_lite.records(("run", "with", "without"), rows)
    dots = [
        {"run": run, "which": which, "value": value}
        for run, *two in rows
        for which, value in zip((WITH, WITHOUT), two, strict=True)
    ]
    place = vega_lite.category("run", None, labelLimit=170, domain=False, ticks=False, grid=len(rows) <= 60)
    across = vega_lite.quantity("value", measure)
    ends: Json = {"y": place, "x": {**across, "field": "with"}, "x2": {"field": "without"}}
    points: Json = {
        "y": place, "x": across, "color": vega_lite.colour("which", (WITH, WITHOUT), "against-median", legend={"orient": "top"}),
        "tooltip": vega_lite.tooltip(("run", "run"), ("which", "judged by"), ("value", measure, ".4f")),
    }  # fmt: skip
    layers = [
        vega_lite.layer("pairs", "rule", ends, "zero"),
        vega_lite.layer("dots", "point", points, size=44, opacity=1),
    ]
    body = vega_lite.spec({"pairs": pairs, "dots": dots}, layers, height=max(90, 16 * len(rows)))
    drawing = Intervals(
        tuple((run, before, min(before, after), max(before, after)) for run, before, after in rows),
        f"{measure}, and how far it moves without what the run's own team alone brought",
    )
    return Chart(id, TITLE, body, caption, alt, drawing)
