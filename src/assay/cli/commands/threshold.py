"""assay threshold: when should this system decline?"""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.options import add_answers, add_settings, notify, read_sources
from assay.cli.output import add_output, add_verbose, show
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay threshold`."""
    add_answers(parser)
    group = parser.add_argument_group("threshold")
    group.add_argument("--run", metavar="NAME", help="the run, if the files have several")
    risk = "guarantee that at most this share of the answers is wrong, instead of improving a measure"
    group.add_argument("--risk", type=float, metavar="X", help=risk)
    group.add_argument("--folds", type=int, default=10, metavar="N", help="folds of the cross-validation (default 10)")
    resamples = (
        "bootstrap resamples, each with a new choice (default 2000; 200 for measures of a whole run; fewer above "
        "1000 questions)"
    )
    group.add_argument("--resamples", "--trials", type=int, metavar="N", help=resamples)
    of = "of the gain's interval, or of the guarantee (default 0.95)"
    group.add_argument("--confidence", type=float, default=0.95, metavar="X", help=of)
    add_output(parser)
    add_verbose(parser, "the risk-coverage curve, or what a guarantee tests")
    add_settings(parser, ("outcomes",), without=("abstain_below",))


def run(args: Namespace) -> int:
    """Choose the threshold and print it."""
    if len(args.measures or []) > 1:
        raise UsageError("a threshold is chosen for one measure; give -m once")
    gold, runs, settings = read_sources(args)
    result = assay.threshold(
        gold, runs, (args.measures or ["c@1"])[0], name=args.run, folds=args.folds, confidence=args.confidence,
        resamples=args.resamples, risk=args.risk, **settings,
    )  # fmt: skip
    for warning in result.warnings:
        notify(f"{result.run}: {warning}")
    show(args, result)
    return 0


COMMAND = Command(
    name="threshold",
    summary="when should this system decline to answer?",
    group="Compare",
    after="price",
    results=(
        "assay.analyses.abstention.threshold.Threshold",
        "assay.analyses.abstention.threshold.Guarantee",
    ),
    description=(
        "Find the confidence below which a system should decline to answer, by cross-validation, with the gain on held-out "
        "questions. The interval is of the expected gain on new questions of a threshold chosen on a set of this size. CSV and "
        "TSV have the risk-coverage curve. With --risk, find the lowest confidence from which at most that share of the answers "
        "is wrong, guaranteed with probability --confidence by Learn then Test, if there is one. CSV and TSV then have the "
        "tested thresholds."
    ),
    examples="""examples:
  assay threshold gold.jsonl run.jsonl -m c@1
  assay threshold gold.jsonl run.jsonl -m CT@0.75 --folds 5 -f json
  assay threshold --judged graded.csv --run gpt-4o -m UF
  assay threshold --judged graded.csv --run gpt-4o --risk 0.05 --confidence 0.9
""",
    common=("--run", "--risk", "--confidence"),
    add_options=add_options,
    run=run,
)
