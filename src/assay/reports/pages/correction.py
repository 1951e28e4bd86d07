"""The pages of `assay correct`, scores corrected for a machine's errors, and a section of a report."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from assay.analyses.comparison.sentences import interval_of
from assay.analyses.correction.correct import ESTIMATORS, CorrectedPair, CorrectedRun, CorrectedValue, Correction
from assay.analyses.correction.finding import of_measure
from assay.reports import model
from assay.reports.charts.runs import leaderboard_intervals
from assay.reports.model import Cell, Chart, Note, Section, Table, TableColumn, numbers
from assay.reports.pages.page_parts import as_note, interval_domain

MAX_LISTED_PAIRS = 40
"""With more differences, a report shows only those of neighbours."""
MAX_DRAWN_RUNS = 12
"""More runs are not drawn."""


def sections(result: Correction) -> list[Section]:
    """Return runs and differences by measure, then the assumptions."""
    measures = list(dict.fromkeys(estimated.measure for estimated in result.runs))
    sections: list[Section] = []
    for place, measure in enumerate(measures, 1):
        runs = [estimated for estimated in result.runs if estimated.measure == measure]
        pairs = [estimated for estimated in result.pairs if estimated.measure == measure]
        blocks: list[Note | Table | Chart] = [
            Note(of_measure(result, measure)),
            *([Note(summary(result, runs))] if len(runs) > 1 else []),
            *_chart(result, place, runs),
            _runs(result, place, runs),
        ]
        if pairs:
            blocks += [Note(machine_order(runs)), pair_table(result, place, pairs)]
        sections.append(Section(f"correct-section-{place}", f"{measure}, corrected for the judge", tuple(blocks)))
    notes = tuple(map(as_note, result.notes))
    sections.append(
        Section("correct-notes-section", "Assumptions and limits", (*_agreement(list(result.runs)), *notes))
    )
    return sections


def report_section(result: Correction) -> Section:
    """Return everything as one section of a report; with many runs, only the differences of neighbours."""
    shown, note = result, ()
    if len(result.pairs) > MAX_LISTED_PAIRS:
        near = [
            {first.run, second.run}
            for measure in dict.fromkeys(first.measure for first in result.runs)
            for first, second in pairwise(
                sorted((run for run in result.runs if run.measure == measure), key=machine_place)
            )
        ]
        shown = replace(result, pairs=tuple(pair for pair in result.pairs if {pair.first, pair.second} in near))
        note = (
            Note(
                f"Only differences of neighbours in the machine's ranking; `assay correct` lists all {len(result.pairs)}."
            ),
        )
    blocks = [*note, *(block for section in sections(shown) for block in section.blocks)]
    # Measures share the blocks on the judgments.
    unique = tuple(block for place, block in enumerate(blocks) if block not in blocks[:place])
    return Section("correct-section", "What would people say?", unique)


def summary(result: Correction, runs: list[CorrectedRun]) -> str:
    """Say how much the machine and people judged."""
    labelled = sorted({run.labels for run in runs})
    many = f"{labelled[0]}" if len(labelled) == 1 else f"{labelled[0]} to {labelled[-1]}"
    return f"A machine judged {len(runs)} runs on {runs[0].questions} {result.noun}s, and people {many} of them for each run."


def machine_order(runs: list[CorrectedRun]) -> str:
    """Return the order of the runs by the machine."""
    ranked = [run.run for run in sorted(runs, key=machine_place)]
    return f"By the machine: {' > '.join(ranked) if len(ranked) <= 8 else f'{ranked[0]} first of {len(ranked)} runs'}."


def machine_place(run: CorrectedRun) -> float:
    """Sort the best first, and runs without a score last."""
    return float("inf") if run.machine is None else -run.machine


def _cell(estimate: CorrectedValue | None, digits: int = 4) -> Cell:
    if estimate is None:
        return model.missing()
    return model.interval(estimate.value, estimate.low, estimate.high, digits)


def _estimators(result: Correction) -> list[str]:
    """Return the estimators with a value for any run."""
    return [name for name in ESTIMATORS if any(run.estimates[name] is not None for run in result.runs)]


def _titled(title: str, result: Correction, measure: str) -> str:
    """Add the measure to a title where there are several."""
    return title if all(run.measure == measure for run in result.runs) else f"{title}: {measure}"


def _columns(result: Correction, rows: list[dict[str, CorrectedValue | None]]) -> tuple[TableColumn, ...]:
    titles = [ESTIMATORS[name] for name in _estimators(result)]
    domain = interval_domain(_cell(estimate) for row in rows for estimate in row.values())
    return tuple(TableColumn(title[:1].upper() + title[1:], numeric=True, domain=domain) for title in titles)


def _runs(result: Correction, place: int, runs: list[CorrectedRun]) -> Table:
    estimators = _estimators(result)
    ranks = result.ranks.get(runs[0].measure)
    # Of two runs, the order of the pair says the same.
    ranked = {rank.run: model.text(interval_of(rank)) for rank in ranks} if ranks is not None and len(ranks) > 2 else {}
    rows = tuple(
        (
            model.text(run.run), *([ranked.get(run.run, model.missing())] if ranked else []), model.number(run.machine),
            *(_cell(run.estimates[name]) for name in estimators), model.count(run.labels), model.number(run.weight, 3),
        )
        for run in runs
    )  # fmt: skip
    columns = (
        TableColumn("Run"),
        *(numbers("Rank") if ranked else ()),
        *numbers("Machine"),
        *_columns(result, [run.estimates for run in runs]),
        *numbers("Labels", "λ"),
    )
    caption = (
        f"{result.settings['confidence']:.0%} intervals, not adjusted for the number of runs, for {result.noun}s of this kind. λ: the "
        "weight of the machine in PPI++, from 0 (labels alone) to 1."
    )
    if ranked:
        caption += " Rank: by people, from intervals of the differences that all hold at once (Bonferroni)."
    return Table(
        f"correct-runs-{place}",
        _titled("Machine and people", result, runs[0].measure),
        columns,
        rows,
        caption,
        sortable=True,
    )


def _agreement(runs: list[CorrectedRun]) -> list[Table]:
    """Compare the machine with people; none where verdicts are not right or wrong."""
    known = {run.run: run for run in runs if run.sensitivity is not None or run.specificity is not None}
    if not known:
        return []
    rows = tuple(
        (
            model.text(run.run), model.count(run.questions), model.count(run.labels), model.number(run.sensitivity, 3),
            model.number(run.specificity, 3), model.number(run.kappa, 3),
        )
        for run in known.values()
    )  # fmt: skip
    columns = (TableColumn("Run"), *numbers("Questions", "Labels", "Sensitivity", "Specificity", "Kappa"))
    caption = (
        "Sensitivity: the share of answers right by people that the machine calls right too. Specificity: the same for wrong ones. "
        "Kappa: Cohen's, of machine and people."
    )
    return [Table("correct-agreement", "The machine against people", columns, rows, caption)]


def pair_table(result: Correction, place: int, pairs: list[CorrectedPair]) -> Table:
    estimators = _estimators(result)
    rows = tuple(
        (
            model.text(pair.first), model.text(pair.second), model.number(pair.machine, 3),
            *(_cell(pair.estimates[name], 3) for name in estimators), model.number(pair.weight, 3), model.text(pair.verdict),
        )
        for pair in pairs
    )  # fmt: skip
    columns = (
        TableColumn("Run"), TableColumn("Minus"), *numbers("Machine"),
        *_columns(result, [pair.estimates for pair in pairs]), *numbers("λ"),
        TableColumn("Order"),
    )  # fmt: skip
    caption = (
        f"The first run minus the second on the same {result.noun}s, λ tuned for the difference. The machine's order holds where the "
        "PPI++ interval excludes 0 in its favour, turns where it excludes 0 against it, and is open otherwise. Pairs are not adjusted for "
        "their number."
    )
    return Table(f"correct-pairs-{place}", _titled("Differences", result, pairs[0].measure), columns, rows, caption)


def _chart(result: Correction, place: int, runs: list[CorrectedRun]) -> list[Chart]:
    """Draw every run's machine score and its estimates."""
    if len(runs) > MAX_DRAWN_RUNS:
        return []
    rows: list[tuple[str, float, float, float, str]] = []
    for run in runs:
        before = f"{run.run}: " if len(runs) > 1 else ""
        if run.machine is not None:
            rows.append((f"{before}machine", run.machine, run.machine, run.machine, "machine"))
        for name, title in ESTIMATORS.items():
            estimate = run.estimates[name]
            if estimate is not None:
                rows.append((f"{before}{title}", estimate.value, estimate.low, estimate.high, title))
    if not rows:
        return []
    measure, first, last = runs[0].measure, rows[0], rows[-1]
    alt = f"{len(rows)} values, from {first[0]} at {first[1]:.3f} to {last[0]} at {last[1]:.3f}."
    caption = (
        f"{measure} by the machine, and as people would judge it, estimated in up to three ways, with "
        f"{result.settings['confidence']:.0%} intervals."
    )
    return [leaderboard_intervals(f"correct-chart-{place}", rows, measure, caption, alt, "estimate")]
