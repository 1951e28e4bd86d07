"""What `assay reliability` prints: which lead would hold on new topics, by measure, and how often smaller and larger leads would not."""

from __future__ import annotations

from dataclasses import replace

from assay.analyses.brief_numbers import brief
from assay.analyses.reliability.reliability import MeasureStudy, Reliability
from assay.analyses.reliability.sentences import finding, interval_ends, shown_gap
from assay.reports import model
from assay.reports.model import Block, Note, Section, Table, TableColumn, numbers
from assay.reports.pages.reliability import discrimination_sections, over_sizes, reliability_sections, swap_table
from assay.stats.extrapolation import INTERVAL_CONFIDENCE

AROUND = range(-2, 3)
"""The bins of leads whose rates are listed: so many hundredths from the one that would hold."""


def study_sections(study: Reliability, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, a row per measure, and rates of reversal; with `verbose` also the pages of the report.

    width   has no effect: nothing here is wide
    """
    blocks: list[Block] = [Note(finding(study)), _measures(study)]
    reversals = _reversals(study, next(iter(study.measures.values())))
    blocks += [reversals] if reversals is not None else []
    blocks += [Note(_method(study))]
    if not verbose:
        blocks += [Note("More: -v (stability, swap rates, fit), --confidence, --size")]
    return [Section("reliability", "", tuple(blocks)), *(reliability_sections(study) if verbose else _requested(study))]


def _requested(study: Reliability) -> list[Section]:
    """Return what options asked for: a row per size, and tests of all pairs."""
    sizes = over_sizes(study)
    rows = [Section("sizes-section", "", (replace(swap_table(study), caption=""), *sizes))] if sizes else []
    return [*rows, *discrimination_sections(study)]


def _measures(study: Reliability) -> Table:
    """List what would hold by measure: extrapolated to all topics, and as measured on the largest subsets."""
    measures = list(study.measures.values())
    size = study.sizes[-1]
    swapped = all(measure.at[-1].swap for measure in measures) and not study.too_few_pairs
    beyond = swapped and any(measure.extrapolation for measure in measures)
    columns = [TableColumn("measure")]
    rows: list[list[model.Cell]] = [[model.text(measure.name)] for measure in measures]
    if beyond:
        columns += numbers(f"on {study.topics} {study.noun}s holds from", f"{INTERVAL_CONFIDENCE:.0%} interval")
        for row, measure in zip(rows, measures, strict=True):
            far = measure.extrapolation
            row += [
                _lead(far.required_difference if far else None, far is not None),
                model.text(interval_ends(far) if far else ""),
            ]
    if swapped:
        columns += numbers(f"on {size} (measured)", "comparisons that reach it")
        for row, measure in zip(rows, measures, strict=True):
            row += _measured(measure)
    else:
        columns += numbers("wrong order", "ties")
        for row, measure in zip(rows, measures, strict=True):
            point = measure.at[-1].stability[4]
            row += [model.percent(point.minority_rate), model.percent(point.ties)]
    columns += numbers("best two differ by")
    for row, measure in zip(rows, measures, strict=True):
        row.append(model.text("" if measure.gap is None else shown_gap(measure.gap)))
    return Table("measures", "", tuple(columns), tuple(map(tuple, rows)))


def _lead(difference: float | None, known: bool = True) -> model.Cell:
    if not known:
        return model.text("")
    return model.text("none up to .20" if difference is None else brief(difference, 2))


def _measured(measure: MeasureStudy) -> list[model.Cell]:
    swap = measure.at[-1].swap
    assert swap is not None
    stays = swap.required_difference_stays
    if stays is None or not swap.comparisons:
        return [_lead(stays), model.text("")]
    reach = sum(bin.comparisons for bin in swap.bins if bin.start >= stays)
    return [_lead(stays), model.percent(reach / swap.comparisons, 0)]


def _reversals(study: Reliability, measure: MeasureStudy) -> Table | None:
    """List how often leads about the one that would hold are reversed on new topics, by the fitted curve."""
    far = measure.extrapolation
    if study.too_few_pairs or far is None or not far.required_difference:
        return None
    leads = [k for step in AROUND if (k := round(100 * far.required_difference) + step) > 0]
    cells = (model.text("is reversed on new ones"), *(model.percent(far.fitted(lead, far.size)) for lead in leads))
    title = f"a lead in {measure.name} on {far.size:,} {study.noun}s"
    columns = (
        TableColumn(title),
        *numbers(*(f"{brief(lead / 100, 2)}–{brief((lead + 1) / 100, 2)}" for lead in leads)),
    )
    return Table(f"reversals-{measure.name}", "", columns, (cells,))


def _method(study: Reliability) -> str:
    pairs = model.counted(study.pairs, "pair")
    if study.too_few_pairs or any(measure.at[-1].swap is None for measure in study.measures.values()):
        drawn = f"{study.trials:,} random subsets of {study.sizes[-1]} of {study.topics} {study.noun}s"
        return f"{len(study.runs)} runs, {pairs}, {drawn}, seed {study.seed}. Runs whose means differ by less than 5% are ties."
    drawn = f"{study.trials:,} pairs of random sets of {study.sizes[-1]} of the {study.topics:,} {study.noun}s"
    far = next((measure.extrapolation for measure in study.measures.values() if measure.extrapolation), None)
    if far is not None:
        sizes = sorted({size for points in far.points for size, _ in points})
        drawn += f", extrapolated from {sizes[0]} to {sizes[-1]} {study.noun}s"
    rule = f"A lead holds if it is reversed in at most {1 - study.confidence:.0%}."
    return f"{len(study.runs)} runs, {pairs}, {drawn}, seed {study.seed}. {rule}"
