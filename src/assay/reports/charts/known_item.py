"""The chart of known-item search: topics found by rank, cumulative."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.charts.marks import curve_pair, plot, quantity, shown, spec
from assay.reports.model import Chart, Json


def cumulative_found(
    id: str,
    run: str,
    ours: Sequence[tuple[int, float]],
    median: Sequence[tuple[int, float]],
    caption: str,
    alt: str,
    title: str = "Topics found by rank",
) -> Chart:
    """The share of topics whose item was found at or before each rank, by the run and by the median run."""
    mine, theirs = (
        [{"run": label, "rank": rank, "found": found} for rank, found in points]
        for label, points in ((run, ours), ("median run", median))
    )
    axes: Json = {
        "x": quantity("rank", "Rank", tickMinStep=1, grid=False),
        "y": quantity("found", "Topics found, cumulative", (0, 1), format=".0%", tickCount=5),
    }
    axes["x"]["scale"] = {"zero": False, "nice": False}
    tooltip = [shown("run", "run"), shown("rank", "rank", "d"), shown("found", "found by then", ".1%")]
    data, layers = curve_pair(axes, tooltip, mine, theirs, points=False, top=None, interpolate="step-after")
    return Chart(id, title, spec(data, layers, height=300), caption, alt, plot([*mine, *theirs], "run", axes))
