"""assay price: who leads, by what a wrong answer costs?"""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.options import add_answers, add_settings, notify, read_sources
from assay.cli.output import add_output, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """Add the options of `assay price`."""
    add_answers(parser)
    parser.add_argument(
        "--task", choices=("outcomes",), help="read the files so; detected from the gold where left out"
    )
    group = parser.add_argument_group("the price")
    at = "a price to tell every run's mean at, from 0 up to but not 1; repeatable (default 0, 0.5, 0.75, 0.9)"
    group.add_argument("--at", type=float, action="append", metavar="T", help=at)
    of = "of bands, and of what is shown (default 0.95)"
    group.add_argument("--confidence", type=float, default=0.95, metavar="X", help=of)
    group.add_argument("--resamples", type=int, default=2000, metavar="N", help="of the questions (default 2000)")
    cluster = (
        "resample questions together by this field; none for single questions (default: `cluster`, where there is one)"
    )
    group.add_argument("--cluster", default="auto", metavar="FIELD", help=cluster)
    add_output(parser)
    add_settings(parser, words, ("outcomes",), without=("measures",))


def run(args: Namespace) -> int:
    """Find who leads where, and print."""
    gold, runs, settings = read_sources(args)
    choices = {"at": args.at} if args.at else {}
    cluster = None if args.cluster == "none" else args.cluster
    pricing = assay.price(
        gold,
        runs,
        confidence=args.confidence,
        resamples=args.resamples,
        cluster=cluster,
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
    summary="who leads, by the cost of a wrong answer?",
    after="threshold",
    results=("assay.analyses.abstention.price.Pricing",),
    description=(
        "Every run's mean where a right answer counts 1, a declined one 0 and a wrong one -t/(1-t), for every price t; who leads "
        "from which price to which, exactly; and by resampling questions how sure that is. Right at t: a system that answers "
        "where it is right with a probability of t breaks even. CSV and TSV hold a row per run and price."
    ),
    examples="""examples:
  assay price gold.jsonl bold.jsonl shy.jsonl
  assay price logs/ --at 0 --at 0.9 -f json
  assay price --judged graded.csv --confidence 0.9

band    what every price of a run lies in at once, with the stated confidence
shown   the prices at which a lead holds against every other run, and declining everything, for all pairs and prices at once
first   the share of resamples in which a run has the highest mean at a price
""",
    add_options=add_options,
    run=run,
)
