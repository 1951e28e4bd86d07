"""assay plan: how many topics are needed, and what can the present ones show?"""

from __future__ import annotations

from assay.cli.options import add_settings, add_sources, scores_of
from assay.cli.output import add_output, format_of, render, to_json, write
from assay.cli.reliability import studied
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from assay.studies.design import Plan
    from assay.table import Scores

EPILOG = """examples:
  assay plan --scores ap.csv --difference 0.05 --confidence 0.95 --power 0.8
  assay plan --scores ap.csv --difference 0.05 --drop-worst 0.25
  assay plan qrels.txt runs/ -m AP -m nDCG@10 --difference 0.03
  assay plan --variance 0.04 --difference 0.05 --runs 10
  assay plan --variance 0.04 --difference 0.05 --topics 50       and what 50 topics can show

t-test    the paired t-test of two runs shows the difference with the stated power
anova     one-way ANOVA over all runs shows that the best and the worst differ, with the stated power
interval  the confidence interval of the difference of two runs is no wider than the difference
"""
FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex")
STATED = "stated variance"
METHODS = ("t-test", "anova", "interval")


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
    """The options of `assay plan`."""
    from argparse import RawDescriptionHelpFormatter

    parser = subparsers.add_parser(
        "plan",
        help="how many topics are needed?",
        description="Topics needed to show a difference, learnt from real scores or from a stated variance.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_sources(parser)
    group = parser.add_argument_group("what is wanted")
    group.add_argument("--difference", type=float, required=True, metavar="D", help="the difference to be shown")
    group.add_argument("--confidence", type=float, default=0.95, metavar="P", help="1 - alpha (default 0.95)")
    group.add_argument("--power", type=float, default=0.8, metavar="P", help="chance to show it (default 0.8)")
    group.add_argument("--runs", type=int, metavar="M", dest="many", help="runs to be compared by ANOVA")
    group.add_argument("--topics", type=int, metavar="N", help="what can this many topics show?")
    group.add_argument("--variance", type=float, metavar="V", help="of a run's scores over topics")
    group.add_argument(
        "--variance-of-differences",
        type=float,
        metavar="V",
        help="of two runs' differences (default: twice --variance)",
    )
    group.add_argument(
        "--drop-worst", type=float, default=0.0, metavar="Q",
        help="learn from the runs whose mean is at least the Q quantile of the means",
    )  # fmt: skip
    add_settings(parser, words)
    add_output(parser, FORMATS)


def run(args: Namespace) -> int:
    """Plan, and print."""
    format = format_of(args.format, args.output)
    scores = scores_of(args) if args.scores or args.sources else None
    plans = _plans(scores, args)
    if format == "json":
        write(to_json(as_json(plans, scores, args.drop_worst)), args.output)
    elif format == "table":
        from assay.reports.pages.planning import section
        from assay.reports.text import sections_text

        write(
            sections_text([section(one, None if name == STATED else name) for name, one in plans.items()]), args.output
        )
    else:
        header, rows = summary(plans)
        write(render(format, header, rows), args.output)
    return 0


def as_json(plans: dict[str, Plan], scores: Scores | None, drop_worst: float) -> dict[str, Any]:
    """Each measure's plan with the cells of its table that had no result or no value, and the settings."""
    result = {name: one.as_dict() for name, one in plans.items()}
    if scores is None:
        return {"measures": result, "settings": {}}
    from assay.stats.tables import gaps

    for name, one in result.items():
        lacking = [gaps(scores, run, scores.measure(name)) for run in scores.runs]
        one["missing"], one["undefined"] = (sum(counts) for counts in zip(*lacking, strict=True))
    return {"measures": result, "settings": {**scores.settings.as_dict(), "drop_worst": drop_worst}}


def _plans(scores: Scores | None, args: Namespace) -> dict[str, Plan]:
    from assay.studies.columns import problem_of, topic_values
    from assay.studies.design import keep_best, plan, variance_components

    choices: dict[str, Any] = {
        "difference": args.difference,
        "confidence": args.confidence,
        "power": args.power,
        "runs": args.many,
        "variance": args.variance,
        "variance_of_differences": args.variance_of_differences,
        "topics": args.topics,
    }
    if scores is None:
        if args.drop_worst:
            raise UsageError("--drop-worst chooses among runs; give score files or gold and runs")
        return {STATED: plan(**choices)}
    problem = problem_of(scores, studied(scores, args.measures))
    plans: dict[str, Plan] = {}
    for measure in problem.measures:
        matrix = topic_values(problem, measure)
        kept = matrix[:, keep_best(matrix, args.drop_worst)]
        plans[measure.name] = plan(**choices, components=variance_components(kept))
    return plans


def summary(plans: dict[str, Plan]) -> tuple[list[str], list[list[Any]]]:
    """A row per measure and method."""
    header = ["measure", "method", "topics needed", "smallest difference"]
    rows: list[list[Any]] = []
    for name, one in plans.items():
        for method in METHODS:
            rows.append([name, method, one.needed[method], one.smallest[method] if one.smallest else None])
    return header, rows
