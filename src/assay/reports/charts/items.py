"""The chart of a test's items: how hard each is, and how well it tells runs apart."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.charts import marks
from assay.reports.model import Chart, Json

KINDS = ("tells runs apart", "negative, may be chance", "suspicious")


def difficulty_discrimination(
    id: str, rows: Sequence[tuple[str, float, float, str]], measure: str, share: bool, unit: str, caption: str, alt: str
) -> Chart:
    """A dot an item: name, mean, discrimination and one of the kinds; those of the last kind over all others.

    share   whether the mean is a share of right answers
    """
    data = marks.records(("item", "mean", "discrimination", "kind"), sorted(rows, key=lambda row: KINDS.index(row[3])))
    across = marks.quantity("mean", "Share of runs that are right", (0, 1), format=".0%")
    axes: Json = {
        "x": across if share else marks.quantity("mean", f"Mean {measure} of the runs"),
        "y": marks.quantity("discrimination", "Discrimination", (-1, 1), format="+.1f"),
    }
    told = [
        marks.shown("item", unit),
        marks.shown("mean", "right" if share else f"mean {measure}", ".1%" if share else ".4f"),
        marks.shown("discrimination", "discrimination", "+.3f"),
        marks.shown("kind", "which"),
    ]
    zero: Json = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0, "type": "quantitative"}}}
    hue = marks.colour("kind", KINDS, "items", legend={"orient": "top"})
    dots = marks.layer("items", "point", {**axes, "color": hue, "tooltip": told}, size=26, opacity=0.75)
    return Chart(id, "Difficulty and discrimination", marks.spec({"items": data}, [zero, dots]), caption, alt)
