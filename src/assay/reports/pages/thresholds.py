"""The pages of `assay threshold`: the confidence below which a system should decline, for a measure or a guaranteed risk."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from assay.analyses.abstention.threshold import Guarantee, Threshold, percent
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts import outcomes as charts
from assay.reports.model import Block, Note, Section, Table, TableColumn, numbers
from assay.reports.pages.outcomes import risk_of
from assay.stats.risk_control import TestedThreshold

MAX_LISTED_THRESHOLDS = 12
"""Tested thresholds that are listed."""


def threshold_sections(result: Threshold) -> list[Section]:
    """Return the threshold, its gain, and the risk-coverage curve."""
    low, high = min(result.fold_thresholds), max(result.fold_thresholds)
    ends = result.interval or (None, None)
    rows = (
        (model.text("as it is"), model.number(result.as_is), model.percent(result.coverage_as_is)),
        (model.text("held out"), model.number(result.held_out), model.percent(result.coverage_held_out)),
        (model.text("gain, held out"), model.interval(result.gain, *ends, signed=True), model.text("")),
    )
    caption = (
        f"Chosen for {in_words(result.measure)}; between {low:g} and {high:g} in {len(result.fold_thresholds)} folds. "
        f"{result.confidence:.0%} interval of {result.interval_of}, by {result.resamples:,} resamples that each choose "
        f"anew, seed {result.seed}."
    )
    blocks: list[Block] = [
        Note(result.finding),
        Table("threshold", "", (TableColumn(""), *numbers(result.measure, "answering")), rows, caption),
    ]
    blocks += _risk_coverage("threshold-risk", result)
    return [Section("threshold-section", f"When should {result.run} decline?", tuple(blocks))]


def _risk_coverage(id: str, result: Threshold | Guarantee) -> list[Block]:
    if not result.risk_coverage:
        return []
    points = {result.run: [(point.coverage, point.risk) for point in result.risk_coverage]}
    return [charts.risk_coverage(id, points, [], risk_of(result.run), f"Risk-coverage curve of {result.run}.")]


def guarantee_sections(result: Guarantee) -> list[Section]:
    """Return the threshold that guarantees a risk, the thresholds tested, and the risk-coverage curve."""
    columns = (*numbers("from a confidence of", "answers", "wrong", "risk here", "p", "level"), TableColumn("promised"))
    rows = tuple(
        (
            *model.cells(float(step.threshold), step.answers, step.wrong),
            model.percent(step.wrong / step.answers),
            *model.cells(float(step.p), float(step.level), "yes" if step.promised else "no"),
        )
        for step in _most_informative(result.tested)
    )
    caption = (
        f"Thresholds in the order tested, highest first (Learn then Test). p: the probability of so few wrong answers if more than "
        f"{percent(result.risk)} were wrong in the long run; a threshold is promised where p is at most its level. Thresholds with the "
        f"same answers are shown once. The promise assumes independent {result.noun}s. As it is, the system answers "
        f"{result.coverage_as_is:.1%}, and {result.risk_as_is:.1%} of that is wrong."
    )
    blocks: list[Block] = [Note(result.finding)]
    if result.promise != result.finding:
        blocks.append(Note(result.promise))
    if rows:
        blocks.append(Table("guarantee", "", columns, rows, caption))
    blocks += _risk_coverage("guarantee-risk", result)
    return [Section("guarantee-section", f"How much may {result.run} answer?", tuple(blocks))]


def _most_informative(tested: Sequence[TestedThreshold]) -> list[TestedThreshold]:
    """Return one threshold for each set of answers (the last promised one, or that tested at the highest level), and of many
    those nearest to the end of the promise."""
    same = [list(steps) for _, steps in groupby(tested, key=attrgetter("answers"))]
    distinct = [max(reversed(steps), key=attrgetter("promised", "level")) for steps in same]
    last = max((place for place, step in enumerate(distinct) if step.promised), default=0)
    first = max(0, min(last - MAX_LISTED_THRESHOLDS // 2, len(distinct) - MAX_LISTED_THRESHOLDS))
    return distinct[first : first + MAX_LISTED_THRESHOLDS]
