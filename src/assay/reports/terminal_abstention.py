"""What `assay threshold` and `assay price` print: when to decline, and who leads by the cost of a wrong answer."""

from __future__ import annotations

from assay.analyses.abstention.price import AT, Pricing
from assay.analyses.abstention.threshold import Guarantee, Threshold
from assay.analyses.brief_numbers import apart, as_written, brief, interval, value_digits
from assay.reports import model
from assay.reports.model import Block, Section, Table, TableColumn, numbers
from assay.reports.pages.price import how_resampled, leads_table, pricing_sections, runs_table
from assay.reports.pages.thresholds import guarantee_sections, threshold_sections
from assay.reports.terminal_answer import answer


def threshold_answer(result: Threshold, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, and the measure and the share answered with and without the threshold."""
    digits = 3 if result.interval is None else value_digits(*result.interval)
    before, after = _pair(result.as_is, result.held_out, digits)
    gain = model.NOT_AVAILABLE if result.gain is None else brief(result.gain, digits)
    if result.interval is not None:
        gain += f" ({interval(*result.interval, digits)})"
    rows = (
        (model.text("as it is"), model.text(before), model.percent(result.coverage_as_is)),
        (model.text("declining, held out"), model.text(after), model.percent(result.coverage_held_out)),
        (model.text("gain"), model.text(gain), model.text("")),
    )
    table = Table("threshold-brief", "", (TableColumn(result.run), *numbers(result.measure, "answers")), rows)
    folds = dict.fromkeys(as_written(end) for end in (min(result.fold_thresholds), max(result.fold_thresholds)))
    chosen = (
        f"{result.questions:,} {result.noun}s, thresholds {' to '.join(folds)} in {len(result.fold_thresholds)} folds"
    )
    method = f"{chosen}. {result.confidence:.0%} interval of {result.interval_of}: {result.resamples:,} resamples, seed {result.seed}."
    return answer(result.finding, [table], [method], threshold_sections(result), "risk-coverage curve", verbose)


def _pair(before: float | None, after: float | None, digits: int) -> tuple[str, str]:
    if before is None or after is None:
        shown = [model.NOT_AVAILABLE if value is None else brief(value, digits) for value in (before, after)]
        return shown[0], shown[1]
    return apart(before, after, digits)


def guarantee_answer(result: Guarantee, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, and the thresholds tested."""
    pages = guarantee_sections(result)
    tables = [block for block in pages[0].blocks if isinstance(block, Table)]
    method = (
        f"Learn then Test, thresholds from the highest down. As it is, {result.coverage_as_is:.1%} of {result.questions:,} "
        f"{result.noun}s are answered, {result.risk_as_is:.1%} of that wrong."
    )
    return answer(result.finding, tables, [method], pages, "what the columns mean, risk-coverage curve", verbose)


def price_answer(result: Pricing, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, and who leads at which price; every run at the prices that were asked for."""
    how = f"{result.questions} {result.noun}s."
    carrying: list[Block] = [leads_table(result, how)]
    carrying += [runs_table(result)] if result.prices != AT else []
    method = (
        f"Right 1, declined 0, wrong -t/(1-t); mean over {result.questions:,} {result.noun}s. Significant for all pairs and prices at once "
        f"({result.confidence:.0%}); {how_resampled(result)}."
    )
    return answer(result.finding, carrying, [method], pricing_sections(result), "curves, every run, crossings", verbose)
