"""assay plan: how many topics a comparison needs, or how many human labels beside a judge."""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file
from assay.cli.options import add_settings, add_sources, get_scores, get_settings, named_measures, notify, read_sources
from assay.cli.output import add_output, add_verbose, get_format, show
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay.cli.parser import Namespace, Parser


STATED = ("sensitivity", "specificity", "rate", "correlation", "kappa", "variance", "variance_of_differences")
"""Options that replace the pilot of a plan of labels."""
LABELS = ("width", "questions", "labels", "sensitivity", "specificity", "rate", "correlation", "kappa")
"""Options that need --judge."""
POWER = 0.8
"""Default of --power."""
TOPICS = ("difference", "runs", "topics")
"""Options that cannot be combined with --judge."""


def add_options(parser: Parser) -> None:
    """Add the options of `assay plan`."""
    add_sources(parser, describes=False)
    group = parser.add_argument_group("topics")
    group.add_argument("--difference", type=float, metavar="D", help="the difference to detect")
    group.add_argument("--confidence", type=float, default=0.95, metavar="P", help="1 - alpha (default 0.95)")
    group.add_argument("--power", type=float, default=POWER, metavar="P", help="probability to detect it (default 0.8)")
    group.add_argument("--runs", type=int, metavar="M", help="number of runs to compare by ANOVA")
    group.add_argument("--topics", type=int, metavar="N", help="also: what can this many topics show?")
    group.add_argument("--variance", type=float, metavar="V", help="of a run's scores over topics")
    of_two = "of two runs' differences (default: twice --variance)"
    group.add_argument("--variance-of-differences", type=float, metavar="V", help=of_two)
    best = "learn from the runs whose mean is at least the Q quantile of the means"
    group.add_argument("--drop-worst", type=float, default=0.0, metavar="Q", help=best)
    group.add_argument(
        "--curve", action="store_true", help="also the power to detect the difference, by number of topics"
    )
    _add_labels(parser)
    add_output(parser)
    add_verbose(parser, "other methods, variance components, and what more samples would do")
    add_settings(parser, without=("abstain_below",))


def _add_labels(parser: Parser) -> None:
    group = parser.add_argument_group("human labels")
    pilot = (
        "plan human labels from a pilot: a table (CSV, TSV, JSONL, Parquet) with judge and human, and with id and run for several "
        "runs; after GOLD RUN, the judge's qrels, GOLD being people's; without FILE, from a stated agreement"
    )
    group.add_argument("--judge", nargs="?", const="", type=input_file, metavar="FILE", help=pilot)
    group.add_argument("--width", type=float, metavar="W", help="full width of the target interval")
    group.add_argument("--questions", type=int, metavar="N", help="number of all questions or topics")
    group.add_argument("--labels", type=int, metavar="N", help="also: how wide is the interval with this many labels?")
    group.add_argument(
        "--sensitivity",
        type=float,
        metavar="P",
        help="share of the right answers, by people, that the judge calls right",
    )
    group.add_argument(
        "--specificity",
        type=float,
        metavar="P",
        help="share of the wrong answers, by people, that the judge calls wrong",
    )
    group.add_argument("--rate", type=float, metavar="P", help="share of all answers that people call right")
    group.add_argument("--correlation", type=float, metavar="R", help="of judge and people (with --rate or a variance)")
    group.add_argument("--kappa", type=float, metavar="K", help="Cohen's, of judge and people (with --rate)")


def run(args: Namespace) -> int:
    """Plan topics or labels and print the result."""
    if args.judge is not None:
        return _labels(args)
    unused = next((name for name in LABELS if getattr(args, name) is not None), None)
    if unused is not None:
        raise UsageError(f"--{unused} needs --judge, which plans labels")
    if args.difference is None:
        raise UsageError("expected --difference D, the difference to detect, or --judge, to plan labels")
    scores = get_scores(args) if args.scores or args.sources else None
    if scores is None and args.measures:
        raise UsageError("-m needs GOLD RUN... or --scores; a stated variance has no measures")
    plan = assay.plan(
        scores, named_measures(args, scores) if scores is not None else None,
        difference=args.difference, confidence=args.confidence, power=args.power, runs=args.runs, topics=args.topics,
        variance=args.variance, variance_of_differences=args.variance_of_differences, drop_worst=args.drop_worst, curve=args.curve,
    )  # fmt: skip
    show(args, plan)
    return 0


def _labels(args: Namespace) -> int:
    """Plan labels and print the result."""
    for name in TOPICS:
        if getattr(args, name) is not None:
            raise UsageError(
                f"--{name} cannot be combined with --judge, which plans labels for an interval (--width, --questions)"
            )
    if args.scores or args.drop_worst or args.curve or args.power != POWER:
        raise UsageError("--scores, --drop-worst, --curve and --power cannot be combined with --judge")
    if args.width is None:
        raise UsageError("--judge needs --width W, the full width of the target interval")
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
        raise UsageError("-m needs GOLD RUN...")
    plan = assay.plan_labels(
        args.judge or None, width=args.width, questions=args.questions, labels=args.labels, confidence=args.confidence,
        **stated, **of_runs, **settings,
    )  # fmt: skip
    for line in plan.notes if get_format(args) != "table" else ():
        notify(line)  # a table contains them
    show(args, plan)
    return 0


def _measure(measures: list[str] | None) -> str | None:
    if measures and len(measures) > 1:
        raise UsageError("-m: labels are planned by one measure; give -m once")
    return measures[0] if measures else None


COMMAND = Command(
    name="plan",
    summary="how many topics are needed?",
    group="Trust",
    after="reliability",
    results=(
        "assay.analyses.planning.plan.Plan",
        "assay.analyses.planning.plan_labels.LabelPlan",
    ),
    description=(
        "How many topics a difference needs, from real scores or from a stated variance. With --judge, how many human labels an interval "
        "of a given width needs beside a judge's verdicts, from a pilot or from a stated agreement."
    ),
    examples="""examples:
  assay plan qrels.txt runs/ -m AP -m nDCG@10 --difference 0.03
  assay plan --scores ap.csv --difference 0.05 --confidence 0.95 --power 0.8
  assay plan --scores ap.csv --difference 0.05 --drop-worst 0.25
  assay plan --variance 0.04 --difference 0.05 --runs 10
  assay plan --variance 0.04 --difference 0.05 --topics 50       and what 50 topics can show
  assay plan --scores ap.csv --difference 0.05 --curve           how the power grows with the number of topics

t-test    the paired t-test of two runs detects the difference with the given power
anova     one-way ANOVA over all runs detects that the best and the worst differ, with the given power
interval  the confidence interval of the difference of two runs is no wider than the difference

human labels:
  assay plan --judge pilot.csv --width 0.1             a table with judge and human, empty where not labelled
  assay plan --judge pilot.csv --width 0.1 --questions 2000 --labels 300
  assay plan --judge --sensitivity 0.9 --specificity 0.8 --rate 0.6 --questions 2000 --width 0.05
  assay plan --judge --correlation 0.7 --variance-of-differences 0.06 --questions 500 --width 0.04
  assay plan qrels.txt runs/ --judge machine.qrels -m AP --width 0.1       topics judged wholly by people
""",
    common=("--difference", "--confidence", "--power", "--topics", "--variance", "--curve", "--judge", "--width"),
    add_options=add_options,
    run=run,
)
