"""assay overlap: how alike are runs' rankings?"""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file
from assay.cli.options import add_name_by, notify
from assay.cli.output import add_output, show
from assay.cli.progress import progress_bar
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay overlap`."""
    runs = "run files, folders or globs; .gz .xz .zst .bz2 are read directly; - for standard input"
    parser.add_argument("sources", type=input_file, metavar="RUN", nargs="+", help=runs)
    parser.add_argument(
        "-p", "--p", type=float, default=0.9, metavar="P", help="persistence of rank-biased overlap (default 0.9)"
    )
    parser.add_argument("--depth", type=int, metavar="N", help="look at the first N documents of each topic only")
    parser.add_argument("-q", "--per-topic", action="store_true", help="a row per pair and topic")
    changed = 'documents that an instruction makes non-relevant: {"q1": ["d7"]}, or lines of a query and a document'
    parser.add_argument("--changed", type=input_file, metavar="FILE", help=changed)
    add_name_by(parser)
    add_output(parser)


def run(args: Namespace) -> int:
    """Compare the rankings and print how alike they are."""
    if args.changed is not None:
        if args.per_topic or args.depth is not None:
            raise UsageError("--changed cannot be combined with -q or --depth")
        result = assay.p_mrr(args.sources, args.changed, name_by=args.name_by)
    else:
        choices = {"p": args.p, "depth": args.depth, "per_topic": args.per_topic, "name_by": args.name_by}
        result = assay.overlap(args.sources, **choices, progress=progress_bar("topics"))
    for line in result.remarks:
        notify(line)
    show(args, result)
    return 0


COMMAND = Command(
    name="overlap",
    summary="how alike do runs rank?",
    group="Organise",
    after="correct",
    description=(
        "How alike the rankings of every pair of runs are, topic by topic: rank-biased overlap with its bounds over all documents "
        "below the last rank, and Kendall's tau-b and tau-AP over the documents in both. No gold is needed. "
        "With --changed, how far each run follows an instruction instead (p-MRR)."
    ),
    examples="""examples:
  assay overlap bm25.run dense.run                        means over the topics both have
  assay overlap runs/ --depth 20 -p 0.95                  all pairs, the first 20 documents
  assay overlap bm25.run dense.run -q -f csv              a row per topic
  assay overlap followir.run --changed changed.json       p-MRR of topics such as q1-og and q1-changed
""",
    add_options=add_options,
    run=run,
)
