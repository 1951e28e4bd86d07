"""assay agree: do the judges agree, and does it matter?"""

from __future__ import annotations

import os

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import add_name_by, notify, progress_bar
from assay.cli.output import add_output, get_format, show
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """Add the options of `assay agree`."""
    judgments = (
        "qrels files, one a judge, called by the file's name or NAME=FILE; a table (CSV, TSV, JSONL, Parquet) with topic, document, "
        "judge and grade, or with a column a judge; or one qrels file whose second field names the judge"
    )
    parser.add_argument("sources", type=input_file, metavar="JUDGMENTS", nargs="+", help=judgments)
    group = parser.add_argument_group("the judgments")
    scale = "the grades there are: 0-3, or words from the lowest on, as no,partly,yes; others are then refused"
    group.add_argument("--scale", metavar="SCALE", help=scale)
    group.add_argument("--at", metavar="GRADE", help="count grades from this one on as relevant and others as not")
    reference = "hold every other judge against this one (default: each two)"
    group.add_argument("--reference", metavar="NAME", help=reference)
    group.add_argument(
        "--pool",
        type=input_file,
        metavar="FILE",
        help="what was to be judged; judgments of other documents are refused",
    )
    second = "the second field of every qrels file names the judge (default: of one file given alone)"
    group.add_argument("--second-field", action="store_true", default=None, help=second)
    group = parser.add_argument_group("the runs")
    runs = "rank these under each judge; files, folders or globs; repeatable"
    group.add_argument("--runs", type=input_file, metavar="RUNS", action="append", help=runs)
    add_name_by(group, None)
    measure = "what ranks them (default AP)"
    group.add_argument("-m", "--measure", metavar="MEASURE", help=measure)
    group = parser.add_argument_group("the intervals")
    group.add_argument("--confidence", type=float, default=0.95, metavar="X", help="of intervals (default 0.95)")
    group.add_argument("--resamples", type=int, default=2000, metavar="N", help="of topics (default 2000; 0: none)")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="of everything random (default 0)")
    group = parser.add_argument_group("adjudication")
    decide = "write the disagreements here as CSV, to be filled in; where the file is there already, it is read"
    group.add_argument("--adjudicate", type=output_file, metavar="FILE", help=decide)
    final = "write the final judgments here, and where each comes from into FILE.provenance.csv"
    group.add_argument("--qrels", type=output_file, metavar="FILE", help=final)
    add_output(parser)


def run(args: Namespace) -> int:
    """Compare, print, and write or read what is to be decided."""
    get_format(args)
    if _is_page(args.output) and args.format:
        raise UsageError(f"-f {args.format}: {args.output} is a page; leave -f out, or give another name")
    if args.qrels and not args.adjudicate:
        raise UsageError("--qrels goes with --adjudicate: it writes the judgments once every disagreement is decided")
    exists = args.adjudicate is not None and os.path.exists(args.adjudicate)
    if args.qrels and not exists:
        raise UsageError(f"--adjudicate {args.adjudicate}: is not there yet; write it without --qrels, and fill it in")
    if args.qrels and os.path.realpath(args.output or "") == os.path.realpath(f"{args.qrels}.provenance.csv"):
        raise UsageError(f"-o {args.output}: is what --qrels writes too; give each a file of its own")
    for path in (args.qrels, f"{args.qrels}.provenance.csv") if args.qrels else ():
        if os.path.lexists(path):
            raise InputError(
                f"{path}: is there already, and judgments are never written over; give another name, or remove it"
            )
    if args.sources.count("-") > 1:
        raise UsageError("standard input (-) can be given only once")
    agreement = assay.agree(
        args.sources, scale=args.scale, at=args.at, reference=args.reference, pool=args.pool, second_field=args.second_field,
        runs=args.runs, measure=args.measure, confidence=args.confidence, resamples=args.resamples, seed=args.seed,
        progress=progress_bar("steps"), **({} if args.name_by is None else {"name_by": args.name_by}),
    )  # fmt: skip
    for line in agreement.notes if get_format(args) != "table" else ():
        notify(line)  # a table has them in it
    if args.adjudicate and not exists:
        agreement.write_adjudication(args.adjudicate)
        notify(
            f"wrote {args.adjudicate}: {len(agreement.disagreements)} documents to decide; fill in the column decision"
        )
    elif args.adjudicate:
        settled = agreement.settle(args.adjudicate)
        counts = ", ".join(f"{count} {origin}" for origin, count in settled.counts().items())
        notify(f"{args.adjudicate}: every disagreement is decided; judgments: {counts}")
        if args.qrels:
            notify(f"wrote {args.qrels} and {settled.save(args.qrels)}")
    if _is_page(args.output):
        agreement.save(args.output)
        notify(f"wrote {args.output}")
    else:
        show(args, agreement)
    return 0


def _is_page(output: str | None) -> bool:
    """Whether a file's name asks for the page itself."""
    return (output or "").rpartition(".")[2].lower() in ("html", "htm", "pdf")


COMMAND = Command(
    name="agree",
    summary="do the judges agree, and would the runs rank the same under each?",
    after="overlap",
    results=("assay.analyses.judges.result.JudgeAgreement",),
    description=(
        "How far judges of the same documents agree, people or machines: raw agreement, Cohen's kappa, Fleiss' kappa, Gwet's AC1 and "
        "Krippendorff's alpha with intervals over topics, who confuses which grades, and what is to be decided. With --runs, how the "
        "runs rank under each judge, and which significant differences change their winner."
    ),
    examples="""examples:
  assay agree ann.qrels bob.qrels                          two judges, called by their files
  assay agree nist=qrels.txt umbrela=machine.qrels --at 2 --runs runs/ -m AP
  assay agree judgments.csv --reference human -o agree.html    a table with topic, document, judge, grade
  assay agree ann.qrels bob.qrels --adjudicate open.csv    writes what is to be decided; filled in, the same
      command with --qrels final.qrels writes the judgments, and beside them where each comes from
""",
    add_options=add_options,
    run=run,
)
