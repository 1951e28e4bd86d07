"""A plan: how many topics a difference takes, what the present ones can show, how well they order the runs, and whether more
of them would help more than more samples of each."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from assay.analyses.planning.more_samples import Sampling, Split
from assay.analyses.planning.plan import METHODS, STATED, TARGETS, MeasurePlan, Plan
from assay.reports import model
from assay.reports.model import Note, Section, Table, TableColumn, numbers


def plan_sections(result: Plan) -> list[Section]:
    """How many topics a difference takes, and what the present ones can show: a section per measure."""
    plans = [_plan(plan, None if name == STATED else name) for name, plan in result.measures.items()]
    return [*plans, *_splits(result.sampling)]


def sampling_sections(result: Sampling) -> list[Section]:
    """More questions, or more samples of each?"""
    return _splits(result.splits)


def _splits(splits: Sequence[Split]) -> list[Section]:
    if not splits:
        return []
    noun = splits[0].noun
    heads = (
        f"between {noun}s",
        "within",
        "standard error",
        f"twice the {noun}s",
        "twice the samples",
        "endless samples",
    )
    rows = tuple(
        (
            model.text(one.run),
            model.text(one.measure),
            *(
                model.number(number)
                for number in (
                    one.between, one.within, one.error(), one.error(questions=2), one.error(samples=2), one.error(samples=inf)
                )
            ),
        )
        for one in splits
    )  # fmt: skip
    columns = (TableColumn("run"), TableColumn("measure"), *numbers(*heads))
    units = " Clusters vary as one." if any(one.cluster for one in splits) else ""
    caption = (
        f"The variance of a {noun}'s value, between {noun}s and over the samples of one, and the standard error it makes."
        + units
    )
    table = Table("sampling", "", columns, rows, caption)
    notes = [Note(one.sentence) for one in splits]
    return [Section("sampling-section", f"More {noun}s, or more samples of each?", (table, *notes))]


def _plan(plan: MeasurePlan, measure: str | None) -> Section:
    """One measure's plan; without a measure, that of a stated variance."""
    smallest = plan.smallest
    columns = [TableColumn("method"), *numbers(f"{plan.noun}s needed")]
    columns += numbers(f"smallest with {plan.topics}") if smallest else ()
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
        *_components(plan),
        _shown(plan, measure),
    ]
    return Section(f"plan-section-{measure or 'stated'}", title, (table, *(Note(said) for said in notes)))


def _components(plan: MeasurePlan) -> list[str]:
    found, topics = plan.components, plan.topics
    if found is None or topics is None or found.shares is None:
        return []
    shares = found.shares
    said = [
        f"Variance components from {found.runs} runs and {found.topics} {plan.noun}s: runs {100 * shares['run']:.0f}%, "
        f"{plan.noun}s {100 * shares['topic']:.0f}%, interaction {100 * shares['interaction']:.0f}%."
    ]
    relative, absolute = found.relative(topics), found.absolute(topics)
    if relative is None or absolute is None:
        return said
    level = plan.confidence
    of_order, of_values = (found.interval(topics, level, absolute=which) for which in (False, True))
    text = (
        f"With {topics} {plan.noun}s the generalizability is {relative:.3f}{_between(of_order)} (order of the runs, Eρ²) and "
        f"{absolute:.3f}{_between(of_values)} (their values, Φ)"
    )
    if found.run > 0:
        prices = ", ".join(
            f"{target:g} takes {found.topics_for(target)}{_count_between(found.topics_interval(target, level))}"
            for target in TARGETS
        )
        said.append(f"{text}; an Eρ² of {prices} {plan.noun}s.")
    else:
        said.append(f"{text}; the runs do not differ beyond the noise, so no number of {plan.noun}s would order them.")
    if found.ratios is not None:
        said.append(f"In brackets {level:.0%} intervals, over other {plan.noun}s and other runs of the same kind.")
    return said


def _between(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" [{ends[0]:.3f}, {ends[1]:.3f}]"


def _count_between(ends: tuple[int | None, int | None] | None) -> str:
    if ends is None:
        return ""
    low, high = ("no number" if end is None else str(end) for end in ends)
    return f" [{low}, {high}]"


def _shown(plan: MeasurePlan, measure: str | None) -> str:
    """What a person takes home."""
    inside = f" in {measure}" if measure else ""
    text = (
        f"Two runs that truly differ by {plan.difference:g}{inside} take {plan.needed['t-test']} {plan.noun}s to tell "
        "apart (t-test)"
    )
    if plan.smallest is not None:
        text += f"; {plan.topics} {plan.noun}s can show a difference of {plan.smallest['t-test']:.3f}"
    return text + "."
