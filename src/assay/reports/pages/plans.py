"""A plan: the topics that a difference needs, what the present ones can show, and whether more topics or samples help more."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from assay.analyses.planning.finding import of_samples, of_topics, shown_with
from assay.analyses.planning.more_samples import Sampling, Split
from assay.analyses.planning.plan import METHODS, STATED, TARGETS, MeasurePlan, Plan
from assay.reports import model
from assay.reports.charts import reliability as charts
from assay.reports.model import Block, Chart, Note, Section, Table, TableColumn, numbers


def plan_sections(result: Plan) -> list[Section]:
    """Return a section per measure: the topics that a difference needs, and what the present ones can show."""
    plans = [_plan(plan, None if name == STATED else name) for name, plan in result.measures.items()]
    return [*plans, *_splits(result.sampling)]


def report_section(result: Plan) -> Section:
    """Return the plans of all measures as one section of a report."""
    blocks = tuple(block for section in plan_sections(result) for block in section.blocks)
    return Section("plan-section", f"How many {result.noun}s are needed?", blocks)


def sampling_sections(result: Sampling) -> list[Section]:
    """Return the section on more questions or more samples of each."""
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
        model.cells(
            split.run, split.measure, split.between, split.within, split.error(), split.error(questions=2),
            split.error(samples=2), split.error(samples=inf),
        )
        for split in splits
    )  # fmt: skip
    columns = (TableColumn("run"), TableColumn("measure"), *numbers(*heads))
    units = " Clusters vary as one." if any(split.cluster for split in splits) else ""
    caption = (
        f"The variance of a {noun}'s value, between {noun}s and over the samples of one, and the standard error it makes."
        + units
    )
    table = Table("sampling", "", columns, rows, caption)
    first, *others = (Note(of_samples(split)) for split in splits)
    blocks = (first, table, *others)
    return [Section("sampling-section", f"More {noun}s, or more samples of each?", blocks)]


def _plan(plan: MeasurePlan, measure: str | None) -> Section:
    """Return a measure's plan; without a measure, that of a stated variance."""
    smallest = plan.smallest
    columns = [TableColumn("method"), *numbers(f"{plan.noun}s needed")]
    if plan.ranges is not None:
        columns.append(
            TableColumn("range", f"at the ends of the {plan.confidence:.0%} interval of the variance", numeric=True)
        )
    columns += numbers(f"smallest with {plan.topics}") if smallest else ()
    rows = tuple(
        (
            model.text(method), model.count(plan.needed[method]),
            *([] if plan.ranges is None else [model.text("{} to {}".format(*plan.ranges[method]))]),
            *([model.number(smallest[method])] if smallest else []),
        )
        for method in METHODS
    )  # fmt: skip
    title = (
        f"{measure or 'stated variance'}: to detect a difference of {plan.difference:g} at {100 * (1 - plan.alpha):g}% "
        f"confidence with power {plan.power:g}, {plan.runs} runs"
    )
    table = Table(f"plan-{measure or 'stated'}", "", tuple(columns), rows)
    name = measure or ""
    first = Note(" ".join(filter(None, (of_topics(plan, name), shown_with(plan, name)))))
    notes = [
        f"Variance within a run {plan.variance:.5f} (anova), of the difference of two runs "
        f"{plan.variance_of_differences:.5f} (t-test, interval).",
        *_components(plan),
    ]
    blocks: list[Block] = [
        first,
        table,
        *([power_curve(plan, name)] if plan.curve else []),
        *(Note(note) for note in notes),
    ]
    return Section(f"plan-section-{measure or 'stated'}", title, tuple(blocks))


def power_curve(plan: MeasurePlan, measure: str) -> Chart:
    """Draw the power by number of topics, and at both ends of the variance's interval."""
    points = plan.curve or []
    curves: dict[str, Sequence[tuple[float | None, ...]]] = {
        "estimate": [(point.topics, point.power) for point in points]
    }
    of_ends = ""
    if points and points[0].low is not None:
        curves["smallest variance"] = [(point.topics, point.high) for point in points]
        curves["largest variance"] = [(point.topics, point.low) for point in points]
        of_ends = f" The outer curves are those at the ends of the variance's {plan.confidence:.0%} interval."
    needed = f"{plan.needed['t-test']} {plan.noun}s"
    caption = (
        f"The chance that the paired t-test detects a true difference of {plan.difference:g}"
        f"{f' in {measure}' if measure else ''}, by number of {plan.noun}s: {plan.power:.0%} with {needed}.{of_ends}"
    )
    alt = f"A curve of power that rises with the number of {plan.noun}s and reaches {plan.power:.0%} at {needed}."
    return charts.power_curves(f"plan-curve-{measure or 'stated'}", curves, plan.noun, plan.power, caption, alt)


def _components(plan: MeasurePlan) -> list[str]:
    components, topics = plan.components, plan.topics
    if components is None or topics is None or components.shares is None:
        return []
    shares = components.shares
    sentences = [
        f"Variance components from {components.runs} runs and {components.topics} {plan.noun}s: runs {100 * shares['run']:.0f}%, "
        f"{plan.noun}s {100 * shares['topic']:.0f}%, interaction {100 * shares['interaction']:.0f}%."
    ]
    relative, absolute = components.relative(topics), components.absolute(topics)
    if relative is None or absolute is None:
        return sentences
    level = plan.confidence
    of_order, of_values = (components.interval(topics, level, absolute=which) for which in (False, True))
    text = (
        f"With {topics} {plan.noun}s the generalizability is {relative:.3f}{_between(of_order)} (order of the runs, Eρ²) and "
        f"{absolute:.3f}{_between(of_values)} (their values, Φ)"
    )
    if components.run > 0:
        prices = ", ".join(
            f"{target:g} takes {components.topics_for(target)}{_count_between(components.topics_interval(target, level))}"
            for target in TARGETS
        )
        sentences.append(f"{text}; an Eρ² of {prices} {plan.noun}s.")
    else:
        sentences.append(f"{text}; the runs do not differ beyond noise, so no number of {plan.noun}s would order them.")
    if components.ratios is not None:
        sentences.append(f"Brackets: {level:.0%} intervals, over other {plan.noun}s and other runs of the same kind.")
    return sentences


def _between(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" [{ends[0]:.3f}, {ends[1]:.3f}]"


def _count_between(ends: tuple[int | None, int | None] | None) -> str:
    if ends is None:
        return ""
    low, high = ("no number" if end is None else str(end) for end in ends)
    return f" [{low}, {high}]"
