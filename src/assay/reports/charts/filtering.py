"""The chart of filtering: utility over the periods of the stream."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.charts.marks import Rows, category, layer, quantity, shown, spec
from assay.reports.model import Chart, Json


def period_graph(id: str, rows: Sequence[tuple[str, float | None]], measure: str, caption: str, alt: str) -> Chart:
    """Mean utility in each period of the stream."""
    data: Rows = [{"period": period, "value": value} for period, value in rows if value is not None]
    encoding: Json = {
        "x": category("period", "Period (documents)", labelAngle=-20, labelLimit=130, grid=False),
        "y": quantity("value", f"Mean {measure}", zero=True),
    }
    encoding["x"]["scale"] = {"type": "point", "padding": 0.4}
    tooltip = [shown("period", "period"), shown("value", measure, ".4f")]
    layers = [
        layer("periods", "line", encoding, "run"),
        layer("periods", "point", {**encoding, "tooltip": tooltip}, "run-point", size=60),
        layer("periods", "text", {**encoding, "text": {"field": "value", "format": ".3f"}}, dy=-12),
    ]
    return Chart(id, f"Mean {measure} over time", spec({"periods": data}, layers, height=240), caption, alt)
