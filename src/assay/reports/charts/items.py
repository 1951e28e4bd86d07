"""The chart of a test's items: difficulty against discrimination."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json

SIZES = {"one": (1, 26), "some": (2, 64), "many": (10, 150)}
"""By dataset: minimum number of items at one point, and size of the dot."""
KINDS = ("separates runs", "negative, may be chance", "suspicious")


Dot = tuple[str, int, float, float, str]
"""Names of the items, their number, mean, discrimination and kind."""


def difficulty_discrimination(
    id: str, dots: Sequence[Dot], measure: str, share: bool, unit: str, caption: str, alt: str
) -> Chart:
    """Draw a dot per difficulty and discrimination; items of the last kind are drawn on top.

    share   whether the mean is a share of right answers
    """
    names = ("items", "many", "mean", "discrimination", "kind")
    rows = vega_lite.records(names, sorted(dots, key=lambda dot: (KINDS.index(dot[4]), -dot[1])))
    data: dict[str, vega_lite.Rows] = {name: [] for name in reversed(SIZES)}
    for row in rows:
        data[max((least, name) for name, (least, _) in SIZES.items() if row["many"] >= least)[1]].append(row)
    right = vega_lite.quantity("mean", "Share of runs that are right", (0, 1), format=".0%", tickCount=5)
    axes: Json = {
        "x": right if share else vega_lite.quantity("mean", f"Mean {measure} of the runs", tickCount=6),
        "y": vega_lite.quantity("discrimination", "Discrimination", (-1, 1), format="+.1f", tickCount=5),
    }
    tooltip = vega_lite.tooltip(
        ("items", unit),
        ("many", f"{unit}s here", "d"),
        ("mean", "right" if share else f"mean {measure}", ".1%" if share else ".4f"),
        ("discrimination", "discrimination", "+.3f"),
        ("kind", "which"),
    )
    zero: Json = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0, "type": "quantitative"}}}
    hue = vega_lite.colour("kind", KINDS, "items", legend={"orient": "top"})
    layers = [
        vega_lite.layer(name, "point", {**axes, "color": hue, "tooltip": tooltip}, size=SIZES[name][1], opacity=0.75)
        for name in data
    ]
    return Chart(id, "Difficulty and discrimination", vega_lite.spec(data, [*layers, zero]), caption, alt)
