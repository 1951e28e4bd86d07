"""assay plan: how many topics are needed, and what can the present ones show?"""

from __future__ import annotations

import assay
from assay.cli.options import add_settings, add_sources, scores_of
from assay.cli.output import add_output, show
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

DESCRIPTION = "Topics needed to show a difference, learnt from real scores or from a stated variance."
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


def add_options(parser: ArgumentParser, words: Sequence[str]) -> None:
    """The options of `assay plan`."""
    add_sources(parser, describes=False)
    group = parser.add_argument_group("what is wanted")
    group.add_argument("--difference", type=float, required=True, metavar="D", help="the difference to be shown")
    group.add_argument("--confidence", type=float, default=0.95, metavar="P", help="1 - alpha (default 0.95)")
    group.add_argument("--power", type=float, default=0.8, metavar="P", help="chance to show it (default 0.8)")
    group.add_argument("--runs", type=int, metavar="M", help="runs to be compared by ANOVA")
    group.add_argument("--topics", type=int, metavar="N", help="what can this many topics show?")
    group.add_argument("--variance", type=float, metavar="V", help="of a run's scores over topics")
    of_two = "of two runs' differences (default: twice --variance)"
    group.add_argument("--variance-of-differences", type=float, metavar="V", help=of_two)
    best = "learn from the runs whose mean is at least the Q quantile of the means"
    group.add_argument("--drop-worst", type=float, default=0.0, metavar="Q", help=best)
    add_output(parser)
    add_settings(parser, words)


def run(args: Namespace) -> int:
    """Plan, and print."""
    scores = scores_of(args) if args.scores or args.sources else None
    if scores is None and args.measures:
        raise UsageError("-m chooses among scores; a plan from a stated variance has none")
    found = assay.plan(
        scores, [m.name for m in scores.measures] if scores is not None and args.measures else None,
        difference=args.difference, confidence=args.confidence, power=args.power, runs=args.runs, topics=args.topics,
        variance=args.variance, variance_of_differences=args.variance_of_differences, drop_worst=args.drop_worst,
    )  # fmt: skip
    show(args, found)
    return 0
