"""What `assay plan` prints: how many topics show a difference, by difference, or how many labels an interval takes."""

from __future__ import annotations

from assay.analyses.brief_numbers import as_written, brief
from assay.analyses.planning.finding import shown_with
from assay.analyses.planning.plan import STATED, MeasurePlan, Plan
from assay.analyses.planning.plan_labels import LabelPlan
from assay.reports import model
from assay.reports.model import Block, Section, Table, TableColumn, numbers
from assay.reports.pages.label_plans import sections as label_sections
from assay.reports.pages.plans import plan_sections, power_curve
from assay.reports.terminal_answer import answer

AROUND = (0.6, 0.8, 1.0, 1.4, 2.0)
"""The differences of the table, as times the one to show."""


def topic_sections(result: Plan, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, the topics needed by difference, and what the present ones can show."""
    pages = plan_sections(result)
    if not result.measures:
        [table] = (block for block in pages[0].blocks if isinstance(block, Table))
        return answer(result.finding, [table], [], pages, "every run in words", verbose)
    plans = result.measures
    carrying: list[Block] = [_by_difference(result)]
    carrying += [power_curve(plan, "" if name == STATED else name) for name, plan in plans.items() if plan.curve]
    shown = [shown_with(plan, "" if name == STATED else name) for name, plan in plans.items()]
    more = "ANOVA, intervals, variance components" + (", more samples" if result.sampling else "")
    return answer(result.finding, carrying, [*shown, _method(next(iter(plans.values())))], pages, more, verbose)


def _by_difference(result: Plan) -> Table:
    """List the topics that five differences need: a row per measure, and one of its ranges."""
    first = next(iter(result.measures.values()))
    differences = [float(f"{first.difference * times:.6g}") for times in AROUND]
    rows: list[model.TableRow] = []
    for name, plan in result.measures.items():
        needed = [plan.topics_to_show(difference) for difference in differences]
        title = f"{plan.noun}s needed{'' if name == STATED else f' ({name})'}"
        rows.append((model.text(title), *(model.text(f"{count:,}") for count, _ in needed)))
        if plan.ranges is not None:
            ends = [f"{ends[0]:,} to {ends[1]:,}" for _, ends in needed if ends is not None]
            rows.append((model.text("range"), *map(model.text, ends)))
    digits = max(len(as_written(difference).partition(".")[2]) for difference in differences)
    columns = (TableColumn("difference to show"), *numbers(*(brief(difference, digits) for difference in differences)))
    return Table("topics-by-difference", "", columns, tuple(rows))


def _method(plan: MeasurePlan) -> str:
    learnt = f"Stated variance of differences {as_written(plan.variance_of_differences)}."
    if plan.components is not None:
        runs, topics = plan.components.runs, plan.components.topics
        learnt = f"Variance from {runs} runs and {topics:,} {plan.noun}s"
        learnt += f"; range: at the ends of its {plan.confidence:.0%} interval." if plan.ranges is not None else "."
    return f"Paired t-test, {100 * plan.confidence:g}% confidence, power {100 * plan.power:g}%. {learnt}"


def label_plan_sections(result: LabelPlan, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, and the labels needed by method or by run."""
    pages = label_sections(result)
    table = next(block for block in pages[0].blocks if isinstance(block, Table))
    notes = [f"{note[:1].upper()}{note[1:]}." for note in result.notes]
    return answer(result.finding, [table], notes, pages, "what the range is from, other widths, differences", verbose)
