"""The pages of `assay plan --judge`: how many human labels an interval needs beside a judge."""

from __future__ import annotations

from assay.analyses.brief_numbers import brief
from assay.analyses.planning.finding import hard, labels_needed
from assay.analyses.planning.plan_labels import METHODS, LabelPlan, LabelsNeeded
from assay.reports import model
from assay.reports.model import Block, Cell, Note, Section, Table, TableColumn, counted, numbers
from assay.reports.pages.page_parts import as_note

MAX_LISTED_PAIRS = 10
"""Differences of two runs that are listed; JSON and CSV have all."""


def sections(result: LabelPlan) -> list[Section]:
    """Return a sentence and a table; for several runs, a table of their means and one of the hardest differences."""
    plans = list(result.plans.values())
    means, pairs = ([plan for plan in plans if (plan.pair is None) == alone] for alone in (True, False))
    blocks: list[Block] = []
    if len(means) == 1:
        blocks += [Note(" ".join([result.finding, *details(means[0])])), _methods(means[0])]
    else:
        hardest = max(means, key=hard)
        blocks += [Note(" ".join([result.finding, *details(hardest)])), _table("labels-runs", "Each run", means)]
    if pairs:
        listed = sorted(pairs, key=hard, reverse=True)[:MAX_LISTED_PAIRS]
        left = len(pairs) - len(listed)
        if len(pairs) == 1:
            blocks.append(Note(" ".join([labels_needed(pairs[0]), *details(pairs[0])])))
        blocks.append(_table("labels-pairs", "The difference of two runs", listed, left))
    blocks += map(as_note, result.notes)
    return [Section("labels-section", "How many labels", tuple(blocks))]


def details(plan: LabelsNeeded) -> list[str]:
    """Say what the finding leaves out: where its range is from, why a judge saves nothing, and other widths."""
    sentences: list[str] = []
    if plan.range is not None:
        labels = counted(plan.labelled or 0, "label" if plan.noun == "question" else plan.noun)
        sentences.append(f"The range is estimated from the {labels} of the pilot.")
    if plan.saved == 0 and plan.correlation is None:
        sentences.append("The judge saves nothing, because it gives every answer the same score.")
    elif plan.saved == 0:
        why = "" if (plan.correlation or 0.0) > 0 else ", because it disagrees with people"
        sentences.append(f"The judge saves nothing{why}.")
    elif plan.saved:
        sentences.append(f"The judge saves {plan.saved:,}.")
    if plan.needed["PPI++"] is not None and plan.narrowest is not None:
        width = brief(plan.narrowest, 3)
        sentences.append(
            f"With all {plan.questions or 0:,} {plan.noun}s labelled the interval is {width} wide, and no judge makes it narrower."
        )
    if plan.widths is not None and plan.labels is not None:
        beside, alone = (brief(plan.widths[method] or 0.0, 3) for method in ("PPI++", "human-only"))
        sentences.append(f"With {counted(plan.labels, 'label')} it is {beside} wide, and {alone} without the judge.")
    return sentences


def _methods(plan: LabelsNeeded) -> Table:
    widths = plan.widths
    columns = [TableColumn("Method"), *numbers("Labels needed")]
    columns += numbers(f"Width with {plan.labels}") if widths is not None else ()
    rows = tuple(
        (
            *model.cells(method, plan.needed[method]),
            *([model.number(widths[method])] if widths is not None else ()),
        )
        for method in METHODS
    )
    return Table("labels-methods", "", tuple(columns), rows, f"{_agreement(plan)} {_method_notes(plan)}".strip())


def _method_notes(plan: LabelsNeeded) -> str:
    if plan.needed["Rogan-Gladen"] is not None:
        return ""
    if plan.needed["PPI++"] is None:
        return "n/a: not even with every question labelled."
    return "Rogan-Gladen needs verdicts that are right or wrong, and a judge that agrees with people."


def _agreement(plan: LabelsNeeded) -> str:
    """Say how far judge and people agree."""
    coefficients = [
        f"{name} {value:.3f}"
        for name, value in (
            ("correlation", plan.correlation), ("kappa", plan.kappa), ("sensitivity", plan.sensitivity), ("specificity", plan.specificity)
        )
        if value is not None
    ]  # fmt: skip
    pilot = "" if plan.labelled is None else f" over {counted(plan.labelled, plan.noun)}"
    return (
        f"Judge and people: {', '.join(coefficients)}{pilot}; variance of people's scores {plan.variance:.4f}."
        if coefficients
        else ""
    )


def _table(id: str, title: str, listed: list[LabelsNeeded], left: int = 0) -> Table:
    noun = listed[0].noun
    columns = (
        TableColumn("Run" if listed[0].pair is None else "Difference"),
        *numbers("Labelled", "Correlation", "With the judge", "Range", "People alone", "Saved", "Narrowest"),
    )
    rows = tuple(_row(plan) for plan in listed)
    more = f" Only those that take most; CSV has {left} more." if left else ""
    caption = (
        f"{noun.capitalize()}s that people must label for a {listed[0].confidence:.0%} interval {listed[0].width:g} wide, with the judge "
        f"(PPI++) and without it. Range: over other pilots of this size. Narrowest: the width with all {noun}s labelled. n/a: not even "
        "then."
        f"{more}"
    )
    return Table(id, title, columns, rows, caption, sortable=True)


def _row(plan: LabelsNeeded) -> tuple[Cell, ...]:
    ends = "" if plan.range is None else " to ".join("…" if end is None else str(end) for end in plan.range)
    return (
        model.text(plan.name), model.count(plan.labelled or 0), model.number(plan.correlation, 3),
        *model.cells(plan.needed["PPI++"], ends, plan.needed["human-only"], plan.saved),
        model.number(plan.narrowest, 3),
    )  # fmt: skip
