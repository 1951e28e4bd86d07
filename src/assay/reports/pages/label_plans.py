"""The pages of `assay plan --judge`: how many human labels an interval needs beside a judge."""

from __future__ import annotations

from assay.analyses.planning.label_pilots import MEAN
from assay.analyses.planning.plan_labels import DIFFERENCE, METHODS, LabelPlan, LabelsNeeded
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
        blocks += [Note(sentence(means[0])), _methods(means[0])]
    else:
        hardest = max(means, key=_hard)
        blocks += [Note(sentence(hardest)), _table("labels-runs", "Each run", means)]
    if pairs:
        listed = sorted(pairs, key=_hard, reverse=True)[:MAX_LISTED_PAIRS]
        left = len(pairs) - len(listed)
        if len(pairs) == 1:
            blocks.append(Note(sentence(pairs[0])))
        blocks.append(_table("labels-pairs", "The difference of two runs", listed, left))
    blocks += map(as_note, result.notes)
    return [Section("labels-section", "How many labels", tuple(blocks))]


def _hard(plan: LabelsNeeded) -> tuple[bool, float]:
    """Sort by labels needed; unreachable widths last."""
    needed = plan.needed["PPI++"]
    return needed is None, plan.questions_needed if needed is None else needed


def sentence(plan: LabelsNeeded) -> str:
    """Say how many labels are needed, and what the judge saves."""
    what = f"the {plan.name}" if plan.name in (MEAN, DIFFERENCE) else plan.name
    goal = f"a {plan.confidence:.0%} interval of {what} that is {plan.width:g} wide"
    beside, alone = plan.needed["PPI++"], plan.needed["human-only"]
    if beside is None:
        text = (
            f"{plan.questions:,} {plan.noun}s are too few for {goal}: with all of them labelled by people it is {plan.narrowest:.3f} "
            f"wide. It takes {plan.questions_needed:,} {plan.noun}s."
        )
        return text + _with_labels(plan)
    unit = "label" if plan.noun == "question" else f"{plan.noun} judged wholly by people"
    units = "labels" if plan.noun == "question" else f"{plan.noun}s judged wholly by people"
    text = f"For {goal}, {beside:,} {unit if beside == 1 else units} are needed beside the judge{_range(plan)}, {_alone(plan, alone)}"
    if plan.narrowest is not None:
        text += f" With all {plan.questions:,} {plan.noun}s labelled it would be {plan.narrowest:.3f} wide, and no judge makes it narrower."
    return text + _with_labels(plan)


def _alone(plan: LabelsNeeded, alone: int | None) -> str:
    saved = plan.saved
    if alone is None or saved is None:
        return f"and more than the {plan.questions:,} there are without it."
    if not saved:
        return f"and as many without it: this judge saves nothing{_against(plan)}."
    return f"and {alone:,} without it: the judge saves {saved:,}."


def _against(plan: LabelsNeeded) -> str:
    if plan.correlation is None:
        return ", because it gives every answer the same score"
    return "" if plan.correlation > 0 else ", because it disagrees with people"


def _range(plan: LabelsNeeded) -> str:
    if plan.range is None:
        return ""
    ends = ["more than there are" if end is None else f"{end:,}" for end in plan.range]
    return f" ({' to '.join(ends)}, estimated from {counted(plan.labelled or 0, 'label' if plan.noun == 'question' else plan.noun)})"


def _with_labels(plan: LabelsNeeded) -> str:
    if plan.widths is None or plan.labels is None:
        return ""
    beside, alone = plan.widths["PPI++"], plan.widths["human-only"]
    return f" With {counted(plan.labels, 'label')} it is {beside:.3f} wide, and {alone:.3f} without the judge."


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
