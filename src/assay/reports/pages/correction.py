"""Corrected for the judge: what `assay correct` prints, and a page of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from assay.analyses.correction.result import ESTIMATORS, CorrectedPair, CorrectedRun, CorrectedValue, Correction
from assay.reports import model
from assay.reports.charts.runs import leaderboard_intervals
from assay.reports.model import Cell, Chart, Note, Section, Table, TableColumn, counted, numbers

MOST_PAIRS = 40
"""Differences beyond which a report has only some."""
MOST_DRAWN = 12
"""Runs beyond which a chart of three estimates each is a wall."""


def sections(found: Correction) -> list[Section]:
    """By measure the runs, and below the differences; then what is assumed."""
    measures = list(dict.fromkeys(one.measure for one in found.runs))
    made: list[Section] = []
    for place, measure in enumerate(measures, 1):
        runs = [one for one in found.runs if one.measure == measure]
        pairs = [one for one in found.pairs if one.measure == measure]
        blocks: list[Note | Table | Chart] = [
            Note(summary(found, runs)),
            *_chart(found, place, runs),
            _runs(found, place, runs),
        ]
        if pairs:
            blocks += [Note(order(runs, pairs)), _pairs(found, place, pairs)]
        made.append(Section(f"correct-section-{place}", f"{measure}, corrected for the judge", tuple(blocks)))
    told = tuple(Note(f"{line[:1].upper()}{line[1:]}.") for line in found.notes)
    made.append(Section("correct-notes-section", "Before believing it", (*_agreement(list(found.runs)), *told)))
    return made


def report_section(found: Correction) -> Section:
    """All of it as one section of a report; of many runs the differences of neighbours alone."""
    shown, told = found, ()
    if len(found.pairs) > MOST_PAIRS:
        near = [
            {one.run, two.run}
            for measure in dict.fromkeys(one.measure for one in found.runs)
            for one, two in pairwise(sorted((o for o in found.runs if o.measure == measure), key=_place))
        ]
        shown = replace(found, pairs=tuple(one for one in found.pairs if {one.first, one.second} in near))
        told = (
            Note(
                f"Of {len(found.pairs)} differences those of runs next to each other by the machine; assay correct has all."
            ),
        )
    blocks = [*told, *(block for section in sections(shown) for block in section.blocks)]
    once = tuple(
        block for place, block in enumerate(blocks) if block not in blocks[:place]
    )  # measures share what was judged
    return Section("correct-section", "What would people say?", once)


def summary(found: Correction, runs: list[CorrectedRun]) -> str:
    """What the machine says, and what people would."""
    if len(runs) > 1:
        labelled = sorted({one.labels for one in runs})
        many = f"{labelled[0]}" if len(labelled) == 1 else f"{labelled[0]} to {labelled[-1]}"
        return f"A machine judged {len(runs)} runs on {runs[0].questions} {found.noun}s, and people {many} of them for each run."
    (one,) = runs
    told = one.estimates["ppi"] or one.estimates["human"]
    said = "n/a" if one.machine is None else f"{one.machine:.4f}"
    text = f"The machine gives {one.run} {one.measure} {said} on {counted(one.questions, found.noun)}"
    if told is None:
        return f"{text}; people's labels are too few to correct it."
    by = "PPI++" if one.estimates["ppi"] else "their labels alone"
    return f"{text}; people would give it {told.value:.4f} [{told.low:.4f}, {told.high:.4f}], by {by} and {one.labels} labels."


def order(runs: list[CorrectedRun], pairs: list[CorrectedPair]) -> str:
    """Whether the machine's order of the runs survives."""
    ranked = sorted(runs, key=_place)
    said = " > ".join(one.run for one in ranked) if len(ranked) <= 8 else f"{ranked[0].run} first of {len(ranked)} runs"
    counts = {verdict: sum(pair.verdict == verdict for pair in pairs) for verdict in ("holds", "open", "turns")}
    text = f"By the machine: {said}. Corrected, "
    if len(pairs) == 1:
        (pair,) = pairs
        ahead, behind = (pair.first, pair.second) if (pair.machine or 0) >= 0 else (pair.second, pair.first)
        return (
            text
            + {
                "holds": f"the order survives: {ahead} stays ahead of {behind}.",
                "open": f"it is open: people may put {ahead} or {behind} first.",
                "turns": f"the order does not survive: people put {behind} ahead of {ahead}.",
            }[pair.verdict]
        )
    survives = (
        "survives" if counts["holds"] == len(pairs) else "does not survive" if counts["turns"] else "survives in part"
    )
    return (
        f"{text}that order {survives}: of {len(pairs)} pairs of runs {counts['holds']} hold, {counts['open']} are open and "
        f"{counts['turns']} turn round."
    )


def _place(one: CorrectedRun) -> float:
    """The best first, and last what has no score."""
    return float("inf") if one.machine is None else -one.machine


def _cell(told: CorrectedValue | None, digits: int = 4) -> Cell:
    return model.interval(*((None, None, None) if told is None else (told.value, told.low, told.high)), digits)


def _given(found: Correction) -> list[str]:
    """The estimators that say something of some run: Rogan-Gladen has nothing to say of topics."""
    return [name for name in ESTIMATORS if any(one.estimates[name] is not None for one in found.runs)]


def _titled(title: str, found: Correction, measure: str) -> str:
    """The measure's name with it, where there are several."""
    return title if all(one.measure == measure for one in found.runs) else f"{title}: {measure}"


def _columns(found: Correction, rows: list[dict[str, CorrectedValue | None]]) -> tuple[TableColumn, ...]:
    titles = [ESTIMATORS[name] for name in _given(found)]
    ends = [end for row in rows for told in row.values() if told is not None for end in (told.low, told.high)]
    domain = (min(ends), max(ends)) if len(set(ends)) > 1 else None
    return tuple(TableColumn(title[:1].upper() + title[1:], numeric=True, domain=domain) for title in titles)


def _runs(found: Correction, place: int, runs: list[CorrectedRun]) -> Table:
    given = _given(found)
    rows = tuple(
        (
            model.text(one.run), model.number(one.machine), *(_cell(one.estimates[name]) for name in given), model.count(one.labels),
            model.number(one.weight, 3),
        )
        for one in runs
    )  # fmt: skip
    columns = (
        TableColumn("Run"),
        *numbers("Machine"),
        *_columns(found, [one.estimates for one in runs]),
        *numbers("Labels", "λ"),
    )
    caption = (
        f"{found.settings['confidence']:.0%} intervals, of each run by itself, about {found.noun}s of this kind. λ from 0 (labels alone) "
        "to 1 says how far PPI++ listens to the machine."
    )
    return Table(
        f"correct-runs-{place}",
        _titled("Machine and people", found, runs[0].measure),
        columns,
        rows,
        caption,
        sortable=True,
    )


def _agreement(runs: list[CorrectedRun]) -> list[Table]:
    """How the machine judges what people did; nothing of verdicts that are no right and wrong."""
    known = {one.run: one for one in runs if one.sensitivity is not None or one.specificity is not None}
    if not known:
        return []
    rows = tuple(
        (
            model.text(one.run), model.count(one.questions), model.count(one.labels), model.number(one.sensitivity, 3),
            model.number(one.specificity, 3), model.number(one.kappa, 3),
        )
        for one in known.values()
    )  # fmt: skip
    columns = (TableColumn("Run"), *numbers("Questions", "Labels", "Sensitivity", "Specificity", "Kappa"))
    caption = "Of what people call right, and of what they call wrong, the share that the machine calls so too; Cohen's kappa of the two."
    return [Table("correct-agreement", "The machine against people", columns, rows, caption)]


def _pairs(found: Correction, place: int, pairs: list[CorrectedPair]) -> Table:
    given = _given(found)
    rows = tuple(
        (
            model.text(one.first), model.text(one.second), model.number(one.machine, 3),
            *(_cell(one.estimates[name], 3) for name in given), model.number(one.weight, 3), model.text(one.verdict),
        )
        for one in pairs
    )  # fmt: skip
    columns = (
        TableColumn("Run"), TableColumn("Less"), *numbers("Machine"), *_columns(found, [one.estimates for one in pairs]), *numbers("λ"),
        TableColumn("Order"),
    )  # fmt: skip
    caption = (
        f"The first less the second on the same {found.noun}s, λ tuned for the difference. The machine's order holds where the interval of "
        "PPI++ leaves out 0 on its side, turns where it does on the other, and else is open; each pair by itself."
    )
    return Table(f"correct-pairs-{place}", _titled("Differences", found, pairs[0].measure), columns, rows, caption)


def _chart(found: Correction, place: int, runs: list[CorrectedRun]) -> list[Chart]:
    """Every run as the machine has it, and its estimates below."""
    if len(runs) > MOST_DRAWN:
        return []
    rows: list[tuple[str, float, float, float, str]] = []
    for one in runs:
        before = f"{one.run}: " if len(runs) > 1 else ""
        if one.machine is not None:
            rows.append((f"{before}machine", one.machine, one.machine, one.machine, "machine"))
        for name, title in ESTIMATORS.items():
            told = one.estimates[name]
            if told is not None:
                rows.append((f"{before}{title}", told.value, told.low, told.high, title))
    if not rows:
        return []
    measure, first, last = runs[0].measure, rows[0], rows[-1]
    alt = f"{len(rows)} values, from {first[0]} at {first[1]:.3f} to {last[0]} at {last[1]:.3f}."
    caption = (
        f"{measure} as the machine gives it, and as people would, estimated in up to three ways, with "
        f"{found.settings['confidence']:.0%} intervals."
    )
    return [leaderboard_intervals(f"correct-chart-{place}", rows, measure, caption, alt, "estimate")]
