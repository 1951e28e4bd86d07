"""What `assay agree` and `assay correct` print: whether judges agree, and what people would say where a machine judged."""

from __future__ import annotations

from assay.analyses.brief_numbers import brief, interval, value_digits
from assay.analyses.comparison.sentences import interval_of
from assay.analyses.correction.correct import CorrectedPair, CorrectedRun, Correction
from assay.analyses.correction.finding import best_estimate
from assay.analyses.judges.agree import JudgeAgreement
from assay.reports import model
from assay.reports.model import Block, Cell, Section, Table, TableColumn, numbers
from assay.reports.pages import correction as correction_page
from assay.reports.pages import judge_agreement as agreement_page
from assay.reports.terminal_answer import answer

MAX_PAIRS = 10
"""So many differences of runs are listed; more come with -v."""


def agreement_sections(result: JudgeAgreement, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, the grades of two judges or the pairs of several, and with runs how their rankings differ."""
    first, *others = result.pairs
    if others:
        carrying: list[Block] = [agreement_page.pair_table(result)]
    elif first.shared and len(result.labels) <= agreement_page.MAX_GRADES:
        carrying = [agreement_page.confusion_table(result, first)]
    else:
        carrying = [agreement_page.coefficient_table(result)]
    carrying += [agreement_page.ranking_table(result)] if result.rankings is not None else []
    method = [f"{agreement_page.summary(result)}{agreement_page.how_resampled(result)}"]
    method += [f"{agreement_page.capitalised(note)}." for note in result.notes]
    pages = agreement_page.sections(result)
    return answer(result.finding, carrying, method, pages, "other coefficients, topics, disagreements", verbose)


def correction_sections(result: Correction, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, every run as the machine and as people see it, and the differences where they are few."""
    measure = result.runs[0].measure
    runs = [run for run in result.runs if run.measure == measure]
    pairs = [pair for pair in result.pairs if pair.measure == measure]
    carrying: list[Block] = [_runs(result, runs), *([_pairs(result, pairs)] if 0 < len(pairs) <= MAX_PAIRS else [])]
    by = "PPI++" if any(run.estimates["ppi"] for run in runs) else "people's labels alone"
    confidence = f"{result.settings['confidence']:.0%} intervals by {by}, not adjusted for the number of runs."
    questions = f"{correction_page.summary(result, runs)} " if len(runs) > 1 else ""
    method = [f"{questions}{confidence}", *(f"{note[:1].upper()}{note[1:]}." for note in result.notes)]
    more = "other estimates, all measures and differences, the machine's errors"
    return answer(result.finding, carrying, method, correction_page.sections(result), more, verbose)


def _digits(entries: list[CorrectedRun] | list[CorrectedPair]) -> int:
    """Return the decimals that the narrowest interval deserves, at most three."""
    known = [estimate for entry in entries if (estimate := best_estimate(entry.estimates)) is not None]
    return min(max((value_digits(estimate.low, estimate.high) for estimate in known), default=3), 3)


def _cells(entry: CorrectedRun | CorrectedPair, digits: int) -> list[Cell]:
    """Return what the machine says, and what people would, with its interval."""
    estimate = best_estimate(entry.estimates)
    machine = model.NOT_AVAILABLE if entry.machine is None else brief(entry.machine, digits)
    if estimate is None:
        return [model.text(machine), model.text(model.NOT_AVAILABLE), model.text("")]
    ends = interval(estimate.low, estimate.high, digits)
    return [model.text(machine), model.text(brief(estimate.value, digits)), model.text(ends)]


def _runs(result: Correction, runs: list[CorrectedRun]) -> Table:
    digits = _digits(runs)
    ordered = sorted(runs, key=correction_page.machine_place)
    ranks = result.ranks.get(runs[0].measure)
    ranked = {rank.run: interval_of(rank) for rank in ranks} if ranks is not None and len(ranks) > 2 else {}
    rows = tuple(
        (
            *([model.text(ranked.get(run.run, ""))] if ranked else []),
            model.text(run.run),
            *_cells(run, digits),
            model.count(run.labels),
        )
        for run in ordered
    )
    heads = numbers(f"{runs[0].measure}: machine", "people", f"{result.settings['confidence']:.0%} interval", "labels")
    first = [*(numbers("rank") if ranked else ()), TableColumn("run")]
    return Table("correct-runs-brief", "", (*first, *heads), rows)


def _pairs(result: Correction, pairs: list[CorrectedPair]) -> Table:
    digits = _digits(pairs)
    rows = tuple(
        (model.text(f"{pair.first} - {pair.second}"), *_cells(pair, digits), model.text(pair.verdict)) for pair in pairs
    )
    heads = numbers("machine", "people", f"{result.settings['confidence']:.0%} interval")
    columns = (TableColumn("difference"), *heads, TableColumn("the machine's order"))
    return Table("correct-pairs-brief", "", columns, rows)
