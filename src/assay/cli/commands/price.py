"""assay price: which run leads at each cost of a wrong answer?"""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.options import add_answers, add_cluster, add_settings, notify, read_sources
from assay.cli.output import add_output, add_verbose, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay price`."""
    add_answers(parser)
    parser.add_argument("--task", choices=("outcomes",), help="read the files so (default: detected from the gold)")
    group = parser.add_argument_group("price")
    at = "a price at which to print every run's mean, 0 or more and below 1; repeatable (default 0, 0.5, 0.75, 0.9)"
    group.add_argument("--at", type=float, action="append", metavar="T", help=at)
    of = "of bands and of leads that are shown (default 0.95)"
    group.add_argument("--confidence", type=float, default=0.95, metavar="X", help=of)
    group.add_argument("--resamples", type=int, default=2000, metavar="N", help="of the questions (default 2000)")
    add_cluster(group, "questions")
    add_output(parser)
    add_verbose(parser, "the price curves, every run at some prices, and crossings")
    add_settings(parser, ("outcomes",), without=("measures", "abstain_below", "nil_confidence"))


def run(args: Namespace) -> int:
    """Compute the price curves and print the leaders."""
    gold, runs, settings = read_sources(args)
    choices = {"at": args.at} if args.at else {}
    pricing = assay.price(
        gold,
        runs,
        confidence=args.confidence,
        resamples=args.resamples,
        cluster=args.cluster,
        task=args.task,
        **choices,
        **settings,
    )
    for note in pricing.notes:
        notify(note)
    show(args, pricing)
    return 0


COMMAND = Command(
    name="price",
    summary="who leads, by the cost of a wrong answer",
    group="Compare",
    after="compare",
    results=("assay.analyses.abstention.price.Pricing",),
    description=(
        "Every run's mean if a right answer counts 1, a declined one 0 and a wrong one -t/(1-t), for every price t; the exact "
        "ranges of prices each leader has; and how certain they are, by resampling questions. At price t, answering breaks even "
        "if it is right with probability t. CSV and TSV have a row per run and price."
    ),
    examples="""examples:
  assay price gold.jsonl bold.jsonl shy.jsonl
  assay price logs/ --at 0 --at 0.9 -f json
  assay price --judged graded.csv --confidence 0.9

band    contains a run's whole curve with the given confidence
shown   prices at which a lead over every other run, and over declining everything, is significant for all pairs and prices at once
first   the share of resamples in which a run has the highest mean at a price
""",
    common=("--at", "--confidence"),
    add_options=add_options,
    run=run,
)
