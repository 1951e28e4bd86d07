"""A threshold: below which confidence a system should decline, what that gains, and the curve behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.reports import model
from assay.reports.charts.outcomes import risk_coverage
from assay.reports.model import Block, Column, Section, Table

if TYPE_CHECKING:
    from assay.figures.outcomes import RiskPoint
    from assay.stats.declining import Threshold


def section(found: Threshold, run: str, curve: Sequence[RiskPoint]) -> Section:
    """The decision as the title, the values as a table, the risk-coverage curve."""
    below = f"below a confidence of {found.threshold:g}" if found.threshold else "nothing"
    low, high = min(found.fold_thresholds), max(found.fold_thresholds)
    ends = found.interval or (None, None)
    rows = (
        (model.text("as it is"), model.number(found.as_is), model.percent(found.coverage_as_is)),
        (model.text("held out"), model.number(found.held_out), model.percent(found.coverage_held_out)),
        (model.text("gain, held out"), model.interval(found.gain, *ends, signed=True), model.text("")),
    )
    columns = (Column(""), Column(found.measure, numeric=True), Column("answering", numeric=True))
    caption = (
        f"Chosen for {found.measure}; between {low:g} and {high:g} in {len(found.fold_thresholds)} folds. "
        f"{found.confidence:.0%} interval of the gain by {found.resamples:,} resamples, seed {found.seed}."
    )
    blocks: list[Block] = [Table("threshold", "", columns, rows, caption)]
    if curve:
        blocks.append(
            risk_coverage(
                "threshold-risk",
                {run: [(point.coverage, point.risk) for point in curve]},
                [],
                f"Share of wrong answers among the most confident ones of {run}, as the share of questions answered grows.",
                f"Risk-coverage curve of {run}.",
            )
        )
    return Section("threshold-section", f"{run}: decline {below}", tuple(blocks))
