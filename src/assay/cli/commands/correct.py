"""assay correct: scores corrected for a machine judge by some human labels."""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file
from assay.cli.options import add_answers, add_cluster, add_settings, add_task, notify, read_sources
from assay.cli.output import add_output, add_verbose, get_format, is_page, show
from assay.cli.progress import progress_bar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay correct`."""
    add_answers(parser)
    add_task(parser)
    group = parser.add_argument_group("correction")
    human = (
        "people's verdicts: a table with id and human, and with run if there are several; for ranked runs, qrels of some topics, "
        "or a sample of pairs (prels, strata)"
    )
    group.add_argument("--human", type=input_file, metavar="FILE", help=human)
    group.add_argument("--baseline", metavar="RUN", help="compare every other run with this one (default: all pairs)")
    group.add_argument("--confidence", type=float, default=0.95, metavar="X", help="of intervals (default 0.95)")
    add_cluster(group, "questions")
    add_output(parser)
    add_verbose(parser, "the other estimates, every measure and difference, and how often the machine is wrong")
    add_settings(parser, ("ranked", "outcomes"), without=("abstain_below", "nil_confidence"))


def run(args: Namespace) -> int:
    """Correct the scores and print or save the result."""
    get_format(args)
    page = is_page(args)
    gold, runs, settings = read_sources(args)
    correction = assay.correct(
        gold, runs, args.human, args.measures, task=args.task, baseline=args.baseline, confidence=args.confidence,
        cluster=args.cluster, progress=progress_bar("runs"), **settings,
    )  # fmt: skip
    for line in correction.notes if get_format(args) != "table" else ():
        notify(line)  # a table contains them
    if page:
        correction.save(args.output)
        notify(f"wrote {args.output}")
    else:
        show(args, correction)
    return 0


COMMAND = Command(
    name="correct",
    summary="correct the scores of a machine judge by human labels",
    group="Organise",
    after="judge",
    results=("assay.analyses.correction.correct.Correction",),
    description=(
        "Scores corrected for the judge: a machine judged everything, people a random part of it. The score under people's judgments is "
        "estimated from their labels alone, by PPI++ and by the Rogan-Gladen correction, with intervals, for every run and every pair."
    ),
    examples="""examples:
  assay correct judge.csv                           one table: id, judge, human (empty where not labelled)
  assay correct graded.csv --human labels.csv       outcomes or logs, and labels: run, id, human
  assay correct graded.csv --human labels.csv -m c@1 --baseline gpt-4o -f json
  assay correct machine.qrels runs/ --human bob.qrels -m AP -m nDCG@10    people judged some topics wholly
  assay correct machine.qrels runs/ --human sample.strata -m AP           people judged a sample of pairs
""",
    common=("--human", "--baseline", "--confidence"),
    add_options=add_options,
    run=run,
)
