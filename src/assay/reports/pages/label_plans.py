"""How many human labels an interval takes beside a judge: what `assay plan --judge` prints."""

from __future__ import annotations

from assay.analyses.planning.label_pilots import MEAN
from assay.analyses.planning.plan_labels import DIFFERENCE, METHODS, LabelPlan, LabelsNeeded
from assay.reports import model
from assay.reports.model import Block, Cell, Note, Section, Table, TableColumn, counted, numbers

MOST_PAIRS = 10
"""Differences of two runs that are listed; the others are in JSON and CSV."""


def sections(found: LabelPlan) -> list[Section]:
    """One sentence and a table; of several runs, a table of their means and one of the differences that take most labels."""
    plans = list(found.plans.values())
    means, pairs = ([one for one in plans if (one.pair is None) == alone] for alone in (True, False))
    blocks: list[Block] = []
    if len(means) == 1:
        blocks += [Note(sentence(means[0])), _methods(means[0])]
    else:
        hardest = max(means, key=_hard)
        blocks += [Note(sentence(hardest)), _table("labels-runs", "Each run", means)]
    if pairs:
        listed = sorted(pairs, key=_hard, reverse=True)[:MOST_PAIRS]
        left = len(pairs) - len(listed)
        if len(pairs) == 1:
            blocks.append(Note(sentence(pairs[0])))
        blocks.append(_table("labels-pairs", "The difference of two runs", listed, left))
    blocks += [Note(line[:1].upper() + line[1:] + ".") for line in found.notes]
    return [Section("labels-section", "How many labels", tuple(blocks))]


def _hard(one: LabelsNeeded) -> tuple[bool, float]:
    """What takes most labels last; what cannot be reached after that."""
    needed = one.needed["PPI++"]
    return needed is None, one.questions_needed if needed is None else needed


def sentence(one: LabelsNeeded) -> str:
    """What it takes, and what the judge is worth."""
    what = f"the {one.name}" if one.name in (MEAN, DIFFERENCE) else one.name
    wanted = f"{one.confidence:.0%} confidence in an interval of {what} that is {one.width:g} wide"
    beside, alone = one.needed["PPI++"], one.needed["human-only"]
    if beside is None:
        text = (
            f"{one.questions:,} {one.noun}s are too few for {wanted}: with every one labelled by people it is {one.narrowest:.3f} "
            f"wide. It takes {one.questions_needed:,} {one.noun}s."
        )
        return text + _asked(one)
    unit = "label" if one.noun == "question" else f"{one.noun} judged wholly by people"
    units = "labels" if one.noun == "question" else f"{one.noun}s judged wholly by people"
    text = f"For {wanted}, {beside:,} {unit if beside == 1 else units} are needed beside the judge{_range(one)}, {_alone(one, alone)}"
    if one.narrowest is not None:
        text += f" With all {one.questions:,} {one.noun}s labelled it would be {one.narrowest:.3f} wide, and no judge makes it narrower."
    return text + _asked(one)


def _alone(one: LabelsNeeded, alone: int | None) -> str:
    saved = one.saved
    if alone is None or saved is None:
        return f"and more than the {one.questions:,} there are without it."
    if not saved:
        return f"and as many without it: this judge is worth nothing{_against(one)}."
    return f"and {alone:,} without it: the judge is worth {saved:,}."


def _against(one: LabelsNeeded) -> str:
    if one.correlation is None:
        return ", for it says the same of everything"
    return "" if one.correlation > 0 else ", for it goes against people"


def _range(one: LabelsNeeded) -> str:
    if one.range is None:
        return ""
    low, high = one.range
    ends = [
        f"{low:,}" if low is not None else "more than there are",
        f"{high:,}" if high is not None else "more than there are",
    ]
    return f" ({' to '.join(ends)}, as far as {counted(one.labelled or 0, 'label' if one.noun == 'question' else one.noun)} can tell)"


def _asked(one: LabelsNeeded) -> str:
    if one.widths is None or one.labels is None:
        return ""
    beside, alone = one.widths["PPI++"], one.widths["human-only"]
    return f" With {counted(one.labels, 'label')} it is {beside:.3f} wide, and {alone:.3f} without the judge."


def _methods(one: LabelsNeeded) -> Table:
    asked = one.widths
    columns = [TableColumn("Method"), *numbers("Labels needed")]
    columns += numbers(f"Width with {one.labels}") if asked is not None else ()
    rows = tuple(
        (
            model.text(method),
            _count(one.needed[method]),
            *([model.number(asked[method], 4)] if asked is not None else ()),
        )
        for method in METHODS
    )
    return Table("labels-methods", "", tuple(columns), rows, f"{_agreement(one)} {_method_notes(one)}".strip())


def _method_notes(one: LabelsNeeded) -> str:
    if one.needed["Rogan-Gladen"] is not None:
        return ""
    if one.needed["PPI++"] is None:
        return "n/a: not with every question labelled."
    return "Rogan-Gladen is of verdicts that are right or wrong, and of a judge that goes with people."


def _agreement(one: LabelsNeeded) -> str:
    """How far judge and people agree."""
    said = [
        f"{name} {value:.3f}"
        for name, value in (
            ("correlation", one.correlation), ("kappa", one.kappa), ("sensitivity", one.sensitivity), ("specificity", one.specificity)
        )
        if value is not None
    ]  # fmt: skip
    learnt = "" if one.labelled is None else f" over {counted(one.labelled, one.noun)}"
    return (
        f"Judge and people: {', '.join(said)}{learnt}; variance of people's scores {one.variance:.4f}." if said else ""
    )


def _table(id: str, title: str, listed: list[LabelsNeeded], left: int = 0) -> Table:
    noun = listed[0].noun
    columns = (
        TableColumn("Run" if listed[0].pair is None else "Difference"),
        *numbers("Labelled", "Correlation", "With the judge", "Range", "People alone", "Worth", "Narrowest"),
    )
    rows = tuple(_row(one) for one in listed)
    more = f" Those that take most; CSV has {left} more." if left else ""
    caption = (
        f"{noun.capitalize()}s to be labelled by people for a {listed[0].confidence:.0%} interval {listed[0].width:g} wide, with PPI++ "
        f"beside the judge and without it. Range: over other pilots of this size. Narrowest: the width with all {noun}s labelled; "
        "n/a: not even then."
        f"{more}"
    )
    return Table(id, title, columns, rows, caption, sortable=True)


def _row(one: LabelsNeeded) -> tuple[Cell, ...]:
    ends = "" if one.range is None else " to ".join("…" if end is None else str(end) for end in one.range)
    return (
        model.text(one.name), model.count(one.labelled or 0), model.number(one.correlation, 3),
        _count(one.needed["PPI++"]), model.text(ends), _count(one.needed["human-only"]), _count(one.saved), model.number(one.narrowest, 3),
    )  # fmt: skip


def _count(value: int | None) -> Cell:
    return model.number(None) if value is None else model.count(value)
