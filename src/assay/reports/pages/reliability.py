"""Pages about the evaluation itself: the curves of 002 Figure 2 and 003 Figures 4-13 with their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.reports import model
from assay.reports.charts import campaign as curves
from assay.reports.model import Block, Cell, Column, Section, Table

if TYPE_CHECKING:
    from assay.studies.study import AtSize, Reliability


METHODS = {"tukey": "randomised Tukey HSD", "bootstrap": "paired bootstrap"}


def sections(study: Reliability, unit: str = "topic") -> list[Section]:
    """Stability, swaps and, where it was computed, discriminative power: a section each size."""
    return [section for size in study.sizes for section in _at(study, size, unit)] + _discrimination(study, unit)


def required_difference(study: Reliability, measure: str, unit: str = "topic") -> str:
    """One sentence for the leaderboard."""
    found = [at for at in study.measures[measure].at if at.swap is not None]
    if not found or found[-1].swap is None:
        return ""
    at, swap = found[-1], found[-1].swap
    level = f"{study.confidence:.0%}"
    if swap.required_difference is None:
        return (
            f"No difference in {measure} seen here is large enough for {level} confidence with {at.size} {unit}s "
            f"(swap method, {study.trials} trials)."
        )
    return (
        f"To be believed at {level} confidence, two runs compared on {at.size} {unit}s must differ by at least "
        f"{swap.required_difference:.2f} in {measure}; {swap.sensitivity or 0:.0%} of the comparisons do (swap method, "
        f"{study.trials} trials, seed {study.seed})."
    )


def _at(study: Reliability, size: int, unit: str) -> list[Section]:
    found = {name: next(at for at in one.at if at.size == size) for name, one in study.measures.items()}
    how = (
        f"{len(study.runs)} runs, {model.counted(study.pairs, 'pair')}, subsets of {size} of {study.topics} {unit}s, "
        f"{study.trials} trials, seed {study.seed}."
    )
    stability: list[Block] = [
        curves.stability_curves(
            f"stability-{size}",
            {name: [(p.fuzziness, p.minority_rate, p.ties) for p in at.stability] for name, at in found.items()},
            f"How often a subset of the {unit}s ranks two runs against the majority of subsets, and how often it "
            f"cannot tell them apart, for fuzziness 0.01 to 0.10. Low and left is better; the line marks 1%. {how}",
            f"Curves of minority rate against proportion of ties for {', '.join(found)}.",
        ),
        _stability_table(size, found, how),
    ]
    made = [Section(f"stability-section-{size}", f"Stability with {size} {unit}s", tuple(stability))]
    swapped = {name: at for name, at in found.items() if at.swap is not None}
    if swapped:
        swaps: list[Block] = [
            curves.swap_curves(
                f"swap-{size}",
                {
                    name: [(b.start, b.rate, b.comparisons) for b in at.swap.bins] if at.swap else []
                    for name, at in swapped.items()
                },
                f"How often a second set of {unit}s contradicts the first, by the difference seen on the first. "
                f"The line marks 5%. {how}",
                f"Curves of swap rate against difference for {', '.join(swapped)}.",
            ),
            _swap_table(size, swapped, how, study),
        ]
        made.append(Section(f"swap-section-{size}", f"Swaps with {size} {unit}s", tuple(swaps)))
    return made


def _stability_table(size: int, found: dict[str, AtSize], how: str) -> Table:
    names = list(found)
    first = found[names[0]].stability
    rows = [
        (
            model.number(point.fuzziness, 2),
            *(
                cell
                for name in names
                for cell in (
                    model.percent(found[name].stability[place].minority_rate, 2),
                    model.percent(found[name].stability[place].ties, 2),
                )
            ),
        )
        for place, point in enumerate(first)
    ]
    columns = [Column("Fuzziness", numeric=True)]
    for name in names:
        columns += [Column(f"{name} minority", numeric=True), Column(f"{name} ties", numeric=True)]
    return Table(
        f"stability-table-{size}",
        "Minority rate and ties by fuzziness",
        tuple(columns),
        tuple(rows),
        f"Minority rate and proportion of ties of each measure. {how}",
    )


def _swap_table(size: int, found: dict[str, AtSize], how: str, study: Reliability) -> Table:
    """Table 1 of 003: what a difference must be, and how many comparisons reach it."""
    rows: list[tuple[Cell, ...]] = []
    for name, at in found.items():
        swap = at.swap
        if swap is None:
            continue
        rows.append(
            (
                model.text(name),
                model.number(swap.required_difference, 2),
                model.number(swap.required_difference_stays, 2),
                model.number(swap.highest),
                model.percent(swap.relative, 0),
                model.percent(swap.sensitivity, 1),
            )
        )
    columns = (
        Column("Measure"),
        Column("Absolute difference", "lower edge of the first bin within the error allowed", numeric=True),
        Column("… and stays", "lower edge of the first bin from which every bin is within it", numeric=True),
        Column("Highest value", "over both subsets and all runs", numeric=True),
        Column("Relative difference", "absolute difference over highest value", numeric=True),
        Column("Sensitivity", "share of comparisons that reach the difference", numeric=True),
    )
    caption = f"The difference needed for {study.confidence:.0%} confidence, and how many comparisons reach it. {how}"
    return Table(f"swap-table-{size}", "Differences that can be believed", columns, tuple(rows), caption)


def _discrimination(study: Reliability, unit: str) -> list[Section]:
    methods = dict.fromkeys(found.method for one in study.measures.values() for found in one.discrimination)
    made: list[Section] = []
    for method in methods:
        found = {
            name: next(d for d in one.discrimination if d.method == method)
            for name, one in study.measures.items()
            if any(d.method == method for d in one.discrimination)
        }
        trials = next(iter(found.values())).trials
        named = METHODS.get(method, method)
        how = (
            f"{model.counted(study.pairs, 'pair')} of {len(study.runs)} runs, {study.topics} {unit}s, {trials} trials, "
            f"seed {study.seed}."
        )
        chart = curves.significance_curves(
            f"significance-{method}",
            {name: d.levels for name, d in found.items()},
            f"Achieved significance levels of all run pairs ({named}), smallest first. {how}",
            f"Curves of achieved significance level for {', '.join(found)}.",
        )
        table = Table(
            f"significance-table-{method}",
            "Pairs told apart",
            (
                Column("Measure"),
                Column("At .05", "share of pairs significant at .05", numeric=True),
                Column("At .01", "share of pairs significant at .01", numeric=True),
                Column("Difference", "from which half of the pairs are told apart at .05", numeric=True),
            ),
            tuple(
                (
                    model.text(name),
                    model.percent(d.separated(0.05), 1),
                    model.percent(d.separated(0.01), 1),
                    model.number(d.half_difference(0.05)),
                )
                for name, d in found.items()
            ),
            f"Discriminative power ({named}). {how}",
        )
        made.append(Section(f"significance-section-{method}", f"Discriminative power, {named}", (chart, table)))
    return made
