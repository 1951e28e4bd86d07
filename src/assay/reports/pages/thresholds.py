"""Below which confidence a system should decline: for a measure, or for a risk that is promised."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from assay.analyses.abstention.cross_validated_threshold import Threshold
from assay.analyses.abstention.guarantee import Guarantee, TestedThreshold, percent
from assay.reports import model
from assay.reports.charts import outcomes as charts
from assay.reports.model import Block, Note, Section, Table, TableColumn, numbers
from assay.reports.pages.outcomes import risk_of

MOST_STEPS = 12
"""Thresholds that are shown of those tested."""


def threshold_sections(found: Threshold) -> list[Section]:
    """Below which confidence a system should decline, what that gains, and the curve behind it."""
    below = f"below a confidence of {found.threshold:g}" if found.threshold else "nothing"
    low, high = min(found.fold_thresholds), max(found.fold_thresholds)
    ends = found.interval or (None, None)
    rows = (
        (model.text("as it is"), model.number(found.as_is), model.percent(found.coverage_as_is)),
        (model.text("held out"), model.number(found.held_out), model.percent(found.coverage_held_out)),
        (model.text("gain, held out"), model.interval(found.gain, *ends, signed=True), model.text("")),
    )
    caption = (
        f"Chosen for {found.measure}; between {low:g} and {high:g} in {len(found.fold_thresholds)} folds. "
        f"{found.confidence:.0%} interval of {found.interval_of}, by {found.resamples:,} resamples that each choose "
        f"anew, seed {found.seed}."
    )
    blocks: list[Block] = [
        Table("threshold", "", (TableColumn(""), *numbers(found.measure, "answering")), rows, caption)
    ]
    if found.risk_coverage:
        points = {found.run: [(point.coverage, point.risk) for point in found.risk_coverage]}
        alt = f"Risk-coverage curve of {found.run}."
        blocks.append(charts.risk_coverage("threshold-risk", points, [], risk_of(found.run), alt))
    return [Section("threshold-section", f"{found.run}: decline {below}", tuple(blocks))]


def guarantee_sections(found: Guarantee) -> list[Section]:
    """From which confidence on a risk is kept, as a promise; the thresholds tested, and the curve behind them."""
    title = (
        "nothing can be promised" if found.threshold is None else f"answer from a confidence of {found.threshold:g} on"
    )
    if found.threshold == 0:
        title = "answer everything"
    columns = (*numbers("from a confidence of", "answers", "wrong", "risk here", "p", "level"), TableColumn("promised"))
    rows = tuple(
        (
            model.number(step.threshold),
            model.count(step.answers),
            model.count(step.wrong),
            model.percent(step.wrong / step.answers),
            model.number(step.p),
            model.number(step.level),
            model.text("yes" if step.promised else "no"),
        )
        for step in _telling(found.tested)
    )
    caption = (
        f"Thresholds as they were tested, from the surest down (Learn then Test): p is the chance of so few wrong answers if more "
        f"than {percent(found.risk)} were wrong in the long run, and a threshold is promised where it is at most the level. Of "
        f"those with the same answers one is shown. The promise is for {found.noun}s that are independent draws. As it is, "
        f"the system answers {found.coverage_as_is:.1%}, and {found.risk_as_is:.1%} of that is wrong."
    )
    blocks: list[Block] = [Note(found.promise)]
    if rows:
        blocks.append(Table("guarantee", "", columns, rows, caption))
    if found.risk_coverage:
        points = {found.run: [(point.coverage, point.risk) for point in found.risk_coverage]}
        alt = f"Risk-coverage curve of {found.run}."
        blocks.append(charts.risk_coverage("guarantee-risk", points, [], risk_of(found.run), alt))
    return [Section("guarantee-section", f"{found.run}: {title}", tuple(blocks))]


def _telling(tested: Sequence[TestedThreshold]) -> list[TestedThreshold]:
    """Of thresholds with the same answers the last that is promised, or the one tested at the highest level; and of many the
    nearest ones above and below where the promise ends."""
    same = [list(steps) for _, steps in groupby(tested, key=attrgetter("answers"))]
    distinct = [max(reversed(steps), key=attrgetter("promised", "level")) for steps in same]
    last = max((place for place, step in enumerate(distinct) if step.promised), default=0)
    first = max(0, min(last - MOST_STEPS // 2, len(distinct) - MOST_STEPS))
    return distinct[first : first + MOST_STEPS]
