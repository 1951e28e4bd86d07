"""What a plan found, in one sentence: the topics to judge, the labels to collect, or more questions against more samples."""

from __future__ import annotations

from math import inf

from assay.analyses.brief_numbers import as_written, brief, two_digits
from assay.figures.measure_names import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.planning.more_samples import Split
    from assay.analyses.planning.plan import MeasurePlan
    from assay.analyses.planning.plan_labels import LabelPlan, LabelsNeeded

DECIDING = "t-test"
"""The method of the finding: two runs on the same topics."""


def of_topics(plan: MeasurePlan, measure: str = "") -> str:
    """Say how many topics show the difference, and whether the topics there are suffice.

    measure   nothing for a stated variance
    """
    difference = (
        f"a difference of {as_written(plan.difference)}{f' {in_words(measure)}' if measure else ''} between two runs"
    )
    needed, ends = plan.needed[DECIDING], (plan.ranges or {}).get(DECIDING)
    verb = {"topic": "judge", "question": "ask"}.get(plan.noun, "use")
    many = f"{needed:,}"
    if ends is not None and ends[0] < ends[1]:
        many = f"{ends[0]:,} to {ends[1]:,} {plan.noun}s (about {needed:,})"
        return f"To show {difference}, {verb} {many}{_present(plan, ends)}."
    return f"To show {difference}, {verb} {many} {plan.noun}s{_present(plan, (needed, needed))}."


def _present(plan: MeasurePlan, ends: tuple[int, int]) -> str:
    """Say whether the topics there are, or those that were asked about, suffice."""
    if plan.topics is None:
        return ""
    enough, perhaps = plan.topics >= ends[1], plan.topics >= ends[0]
    if plan.components is None or plan.components.topics != plan.topics:
        return f"; {plan.topics:,} {'are enough' if enough else 'may be enough' if perhaps else 'are too few'}"
    which = ", which is enough" if enough else ", which may be enough" if perhaps else ""
    return f"; you have {plan.topics:,}{which}"


def shown_with(plan: MeasurePlan, measure: str = "") -> str:
    """Say which difference the topics there are can show; nothing where no number of topics is known."""
    if plan.topics is None or plan.smallest is None:
        return ""
    unit = f" {in_words(measure)}" if measure else ""
    least = plan.smallest[DECIDING]
    if least == inf:
        return f"{plan.topics:,} {plan.noun}s can show no difference."
    return (
        f"With {plan.topics:,} {plan.noun}s, a difference of {two_digits(least, up=True)}{unit} or more can be shown."
    )


def of_samples(split: Split) -> str:
    """Say whether more questions or more samples of each bring one run's standard error down."""
    if split.share is None:
        return (
            f"{split.run}: {in_words(split.measure)} does not vary, neither between {split.noun}s nor between samples."
        )
    now, asked, drawn = (
        two_digits(error) for error in (split.error(), split.error(questions=2), split.error(samples=2))
    )
    advice = f"Ask more {split.noun}s"
    if not split.between:
        advice = f"More samples of each {split.noun} do as much as more {split.noun}s"
    elif split.more_samples_nearly_do:
        advice = f"More samples of each {split.noun} do nearly as much as more {split.noun}s"
    return (
        f"{advice}: twice the {split.noun}s bring the standard error of {split.run} ({in_words(split.measure)}) "
        f"from {now} to {asked}, twice the samples to {drawn}."
    )


def of_labels(result: LabelPlan) -> str:
    """Say how many labels the mean takes that takes most, or else the difference."""
    plans = [plan for plan in result.plans.values() if plan.pair is None] or list(result.plans.values())
    hardest = max(plans, key=hard)
    return labels_needed(hardest, several=len(plans) > 1)


def hard(plan: LabelsNeeded) -> tuple[bool, float]:
    """Sort by labels needed; unreachable widths last."""
    needed = plan.needed["PPI++"]
    return needed is None, plan.questions_needed if needed is None else needed


def labels_needed(plan: LabelsNeeded, several: bool = False) -> str:
    """Say how many labels are needed beside the judge, and how many without it.

    several   whether the plan is the one of several that needs most
    """
    # A plan of topics does without the readers of pilots.
    from assay.analyses.planning.label_pilots import MEAN

    noun, beside, alone = plan.noun, plan.needed["PPI++"], plan.needed["human-only"]
    of = "" if plan.name == MEAN else f" of {'the ' if plan.name == 'difference' else ''}{plan.name}"
    goal = f"a {plan.confidence:.0%} interval{of} {as_written(plan.width)} wide"
    most = ", the run that needs most" if several and plan.pair is None else ""
    if beside is None:
        assert plan.narrowest is not None
        width = brief(plan.narrowest, 3)
        return (
            f"{plan.questions or 0:,} {noun}s are too few for {goal}{most}: with all of them labelled it is {width} wide, and "
            f"{plan.questions_needed:,} are needed."
        )
    label = f"{beside:,} {'label' if beside == 1 else 'labels'}"
    if noun != "question":
        label = f"{beside:,} {noun if beside == 1 else f'{noun}s'}"
    task = f"For {goal}{most}, people must {'give' if noun == 'question' else 'judge'} {label} beside the judge"
    if plan.range is not None and plan.range[0] != plan.range[1]:
        low, high = ("more than there are" if end is None else f"{end:,}" for end in plan.range)
        task += f" ({low} to {high})"
    if alone is None:
        return f"{task}; without it {plan.questions or 0:,} are too few."
    if alone <= beside:
        return f"{task}, and as many without it."
    return f"{task}, and {alone:,} without it."
