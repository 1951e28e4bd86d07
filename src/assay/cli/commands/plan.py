"""assay plan: how many topics are needed, and what can the present ones show? How many human labels beside a judge?"""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file
from assay.cli.options import add_settings, add_sources, get_scores, get_settings, notify, read_sources
from assay.cli.output import add_output, get_format, show
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.cli.parser import Namespace, Parser


STATED = ("sensitivity", "specificity", "rate", "correlation", "kappa", "variance", "variance_of_differences")
"""What a plan of labels may be told instead of a pilot."""
LABELS = ("width", "questions", "labels", "sensitivity", "specificity", "rate", "correlation", "kappa")
"""Options that go with --judge alone."""
POWER = 0.8
TOPICS = ("difference", "runs", "topics")
"""Options that do not go with it."""


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """Add the options of `assay plan`."""
    add_sources(parser, describes=False)
    group = parser.add_argument_group("topics")
    group.add_argument("--difference", type=float, metavar="D", help="the difference to be shown")
    group.add_argument("--confidence", type=float, default=0.95, metavar="P", help="1 - alpha (default 0.95)")
    group.add_argument("--power", type=float, default=POWER, metavar="P", help="chance to show it (default 0.8)")
    group.add_argument("--runs", type=int, metavar="M", help="runs to be compared by ANOVA")
    group.add_argument("--topics", type=int, metavar="N", help="what can this many topics show?")
    group.add_argument("--variance", type=float, metavar="V", help="of a run's scores over topics")
    of_two = "of two runs' differences (default: twice --variance)"
    group.add_argument("--variance-of-differences", type=float, metavar="V", help=of_two)
    best = "learn from the runs whose mean is at least the Q quantile of the means"
    group.add_argument("--drop-worst", type=float, default=0.0, metavar="Q", help=best)
    _add_labels(parser)
    add_output(parser)
    add_settings(parser, words)


def _add_labels(parser: Parser) -> None:
    group = parser.add_argument_group("labels beside a judge")
    pilot = (
        "plan human labels: a table (CSV, TSV, JSONL, Parquet) with judge and human, of several runs with id and run; after GOLD RUN, the "
        "judge's qrels, GOLD being topics judged by people; nothing where the agreement is stated"
    )
    group.add_argument("--judge", nargs="?", const="", type=input_file, metavar="FILE", help=pilot)
    group.add_argument("--width", type=float, metavar="W", help="of the wanted interval, from end to end")
    group.add_argument("--questions", type=int, metavar="N", help="how many questions, or topics, there are in all")
    group.add_argument("--labels", type=int, metavar="N", help="how wide is it with this many labels?")
    group.add_argument("--sensitivity", type=float, metavar="P", help="of what people call right, the judge's share")
    group.add_argument("--specificity", type=float, metavar="P", help="of what people call wrong, the judge's share")
    group.add_argument("--rate", type=float, metavar="P", help="the share that people call right")
    group.add_argument("--correlation", type=float, metavar="R", help="of judge and people (with --rate or a variance)")
    group.add_argument("--kappa", type=float, metavar="K", help="Cohen's, of judge and people (with --rate)")


def run(args: Namespace) -> int:
    """Plan, and print."""
    if args.judge is not None:
        return _labels(args)
    alone = next((name for name in LABELS if getattr(args, name) is not None), None)
    if alone is not None:
        raise UsageError(f"--{alone}: goes with --judge, which plans labels")
    if args.difference is None:
        raise UsageError("expected --difference D, the difference to be shown; or --judge, for labels beside a judge")
    scores = get_scores(args) if args.scores or args.sources else None
    if scores is None and args.measures:
        raise UsageError("-m chooses among scores; a plan from a stated variance has none")
    plan = assay.plan(
        scores, [m.name for m in scores.measures] if scores is not None and args.measures else None,
        difference=args.difference, confidence=args.confidence, power=args.power, runs=args.runs, topics=args.topics,
        variance=args.variance, variance_of_differences=args.variance_of_differences, drop_worst=args.drop_worst,
    )  # fmt: skip
    show(args, plan)
    return 0


def _labels(args: Namespace) -> int:
    """Plan the labels beside a judge, and print."""
    for name in TOPICS:
        if getattr(args, name) is not None:
            raise UsageError(f"--{name}: plans topics; --judge plans labels for an interval (--width, --questions)")
    if args.scores or args.drop_worst or args.power != POWER:
        raise UsageError("--scores, --drop-worst and --power plan topics; --judge learns from verdicts and labels")
    if args.width is None:
        raise UsageError("--judge: expected --width W, of the wanted interval from end to end")
    get_format(args)
    stated = {name: getattr(args, name) for name in STATED}
    settings = get_settings(args)
    of_runs: dict[str, Any] = {}
    if args.sources:
        gold, runs, _ = read_sources(args)
        if runs is None or not args.judge:
            raise UsageError("expected GOLD RUN... --judge QRELS: topics judged by people, runs, and the judge's qrels")
        of_runs = {"human": gold, "runs": runs, "measure": _measure(args.measures)}
    elif args.measures:
        raise UsageError("-m scores runs, and there are none: GOLD RUN... gives them")
    plan = assay.plan_labels(
        args.judge or None, width=args.width, questions=args.questions, labels=args.labels, confidence=args.confidence,
        **stated, **of_runs, **settings,
    )  # fmt: skip
    for line in plan.notes if get_format(args) != "table" else ():
        notify(line)  # a table has them in it
    show(args, plan)
    return 0


def _measure(measures: list[str] | None) -> str | None:
    if measures and len(measures) > 1:
        raise UsageError("-m: labels are planned by one measure")
    return measures[0] if measures else None


COMMAND = Command(
    name="plan",
    summary="how many topics are needed?",
    after="reliability",
    results=(
        "assay.analyses.planning.plan.Plan",
        "assay.analyses.planning.plan_labels.LabelPlan",
    ),
    description=(
        "Topics needed to show a difference, learnt from real scores or from a stated variance. With --judge, human labels needed beside a "
        "judge's verdicts for an interval of a wanted width, learnt from a pilot or from a stated agreement."
    ),
    examples="""examples:
  assay plan --scores ap.csv --difference 0.05 --confidence 0.95 --power 0.8
  assay plan --scores ap.csv --difference 0.05 --drop-worst 0.25
  assay plan qrels.txt runs/ -m AP -m nDCG@10 --difference 0.03
  assay plan --variance 0.04 --difference 0.05 --runs 10
  assay plan --variance 0.04 --difference 0.05 --topics 50       and what 50 topics can show

t-test    the paired t-test of two runs shows the difference with the stated power
anova     one-way ANOVA over all runs shows that the best and the worst differ, with the stated power
interval  the confidence interval of the difference of two runs is no wider than the difference

labels beside a judge:
  assay plan --judge pilot.csv --width 0.1             a table with judge and human, empty where nobody looked
  assay plan --judge pilot.csv --width 0.1 --questions 2000 --labels 300
  assay plan --judge --sensitivity 0.9 --specificity 0.8 --rate 0.6 --questions 2000 --width 0.05
  assay plan --judge --correlation 0.7 --variance-of-differences 0.06 --questions 500 --width 0.04
  assay plan qrels.txt runs/ --judge machine.qrels -m AP --width 0.1       topics judged wholly by people
""",
    add_options=add_options,
    run=run,
)
