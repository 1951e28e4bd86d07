"""A plan: how many topics a difference takes, and what the present ones can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.reports import model
from assay.reports.model import Column, Note, Section, Table

if TYPE_CHECKING:
    from assay.studies.planning import MeasurePlan

METHODS = ("t-test", "anova", "interval")


def section(plan: MeasurePlan, measure: str | None = None, noun: str = "topic") -> Section:
    """One measure's plan; without a measure, that of a stated variance."""
    smallest = plan.smallest
    columns = [Column("method"), Column(f"{noun}s needed", numeric=True)]
    columns += [Column(f"smallest with {plan.topics}", numeric=True)] if smallest else []
    rows = tuple(
        (model.text(method), model.count(plan.needed[method]), *([model.number(smallest[method])] if smallest else []))
        for method in METHODS
    )
    title = (
        f"{measure or 'stated variance'}: to show a difference of {plan.difference:g} at {100 * (1 - plan.alpha):g}% "
        f"confidence with power {plan.power:g}, {plan.runs} runs"
    )
    table = Table(f"plan-{measure or 'stated'}", "", tuple(columns), rows)
    notes = [
        f"Variance within a run {plan.variance:.5f} (anova), of the difference of two runs "
        f"{plan.variance_of_differences:.5f} (t-test, interval).",
        *_components(plan, noun),
        sentence(plan, measure, noun),
    ]
    return Section(f"plan-section-{measure or 'stated'}", title, (table, *(Note(said) for said in notes)))


def _components(plan: MeasurePlan, noun: str) -> list[str]:
    from assay.studies.planning import TARGETS

    found, topics = plan.components, plan.topics
    if found is None or topics is None or found.shares is None:
        return []
    shares = found.shares
    said = [
        f"Variance components from {found.runs} runs and {found.topics} {noun}s: runs {100 * shares['run']:.0f}%, "
        f"{noun}s {100 * shares['topic']:.0f}%, interaction {100 * shares['interaction']:.0f}%."
    ]
    relative, absolute = found.relative(topics), found.absolute(topics)
    if relative is not None and absolute is not None:
        text = (
            f"With {topics} {noun}s the generalizability is {relative:.3f} (order of the runs, Eρ²) and {absolute:.3f} "
            "(their values, Φ)"
        )
        if found.run > 0:
            prices = ", ".join(f"{target:g} takes {found.topics_for(target)}" for target in TARGETS)
            said.append(f"{text}; an Eρ² of {prices} {noun}s.")
        else:
            said.append(f"{text}; the runs do not differ beyond the noise, so no number of {noun}s would order them.")
    return said


def sentence(plan: MeasurePlan, measure: str | None, noun: str = "topic") -> str:
    """What a person takes home."""
    inside = f" in {measure}" if measure else ""
    text = (
        f"Two runs that truly differ by {plan.difference:g}{inside} take {plan.needed['t-test']} {noun}s to tell apart "
        "(t-test)"
    )
    if plan.smallest is not None:
        text += f"; {plan.topics} {noun}s can show a difference of {plan.smallest['t-test']:.3f}"
    return text + "."
