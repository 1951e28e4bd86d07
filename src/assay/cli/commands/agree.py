"""assay agree: do the judges agree, and does it matter?"""

from __future__ import annotations

import os

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import add_name_by, notify
from assay.cli.output import add_output, add_verbose, get_format, is_page, show
from assay.cli.progress import progress_bar
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay agree`."""
    judgments = (
        "qrels files, one per judge, named by the file or NAME=FILE; a table (CSV, TSV, JSONL, Parquet) with topic, document, "
        "judge and grade, or with a column per judge; a table of answers with id, judge and human; or one qrels file whose second "
        "field names the judge"
    )
    parser.add_argument("sources", type=input_file, metavar="JUDGMENTS", nargs="+", help=judgments)
    group = parser.add_argument_group("judgments")
    scale = "the valid grades: 0-3, or words from the lowest up, as no,partly,yes; others are refused"
    group.add_argument("--scale", metavar="SCALE", help=scale)
    group.add_argument("--at", metavar="GRADE", help="count grades from this one on as relevant and others as not")
    reference = "compare every other judge with this one (default: all pairs)"
    group.add_argument("--reference", metavar="NAME", help=reference)
    group.add_argument(
        "--pool",
        type=input_file,
        metavar="FILE",
        help="the documents to judge; judgments of others are refused",
    )
    second = "the second field of every qrels file names the judge (default: if there is one file)"
    group.add_argument("--second-field", action="store_true", default=None, help=second)
    group = parser.add_argument_group("runs")
    runs = "rank these under each judge; files, folders or globs; repeatable"
    group.add_argument("--runs", type=input_file, metavar="RUNS", action="append", help=runs)
    add_name_by(group, None)
    measure = "the measure that ranks them (default AP)"
    group.add_argument("-m", "--measure", metavar="MEASURE", help=measure)
    group = parser.add_argument_group("intervals")
    group.add_argument("--confidence", type=float, default=0.95, metavar="X", help="of intervals (default 0.95)")
    group.add_argument("--resamples", type=int, default=2000, metavar="N", help="of topics (default 2000; 0: none)")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="of everything random (default 0)")
    group = parser.add_argument_group("adjudication")
    decide = "write the disagreements to this CSV, to be filled in; read it if it exists"
    group.add_argument("--adjudicate", type=output_file, metavar="FILE", help=decide)
    final = "write the final judgments, and the origin of each to FILE.provenance.csv"
    group.add_argument("--qrels", type=output_file, metavar="FILE", help=final)
    add_output(parser)
    add_verbose(
        parser, "other coefficients, the topics and documents on which judges differ, and scores under each judge"
    )


def run(args: Namespace) -> int:
    """Compare the judges, print the result, and write or read the adjudication file."""
    get_format(args)
    page = is_page(args)
    if args.qrels and not args.adjudicate:
        raise UsageError("--qrels needs --adjudicate: it writes the judgments once every disagreement is decided")
    exists = args.adjudicate is not None and os.path.exists(args.adjudicate)
    if args.qrels and not exists:
        raise UsageError(
            f"--adjudicate {args.adjudicate}: does not exist yet. Fix: write it without --qrels, and fill it in"
        )
    if args.qrels and os.path.realpath(args.output or "") == os.path.realpath(f"{args.qrels}.provenance.csv"):
        raise UsageError(f"-o {args.output}: --qrels writes the same file. Fix: name another file")
    for path in (args.qrels, f"{args.qrels}.provenance.csv") if args.qrels else ():
        if os.path.lexists(path):
            raise InputError(
                f"{path}: exists already, and judgments are never overwritten. Fix: name another file, or remove it"
            )
    if args.sources.count("-") > 1:
        raise UsageError("standard input (-) can be given only once")
    agreement = assay.agree(
        args.sources, scale=args.scale, at=args.at, reference=args.reference, pool=args.pool, second_field=args.second_field,
        runs=args.runs, measure=args.measure, confidence=args.confidence, resamples=args.resamples, seed=args.seed,
        progress=progress_bar("steps"), **({} if args.name_by is None else {"name_by": args.name_by}),
    )  # fmt: skip
    for line in agreement.notes if get_format(args) != "table" else ():
        notify(line)  # a table contains them
    if args.adjudicate and not exists:
        agreement.write_adjudication(args.adjudicate)
        notify(
            f"wrote {args.adjudicate}: {len(agreement.disagreements)} {agreement.source.noun}s to decide; fill in the column decision"
        )
    elif args.adjudicate:
        settled = agreement.settle(args.adjudicate)
        counts = ", ".join(f"{count} {origin}" for origin, count in settled.counts().items())
        notify(f"{args.adjudicate}: every disagreement is decided; judgments: {counts}")
        if args.qrels:
            notify(f"wrote {args.qrels} and {settled.save(args.qrels)}")
    if page:
        agreement.save(args.output)
        notify(f"wrote {args.output}")
    else:
        show(args, agreement)
    return 0


COMMAND = Command(
    name="agree",
    summary="do the judges agree, and would the ranking change?",
    group="Trust",
    after="items",
    results=("assay.analyses.judges.agree.JudgeAgreement",),
    description=(
        "How far judges of the same documents agree, people or machines: raw agreement, Cohen's kappa, Fleiss' kappa, Gwet's AC1 and "
        "Krippendorff's alpha with intervals over topics, confused grades, and open disagreements. With --runs, how the "
        "runs rank under each judge, and which significant differences change their winner."
    ),
    examples="""examples:
  assay agree ann.qrels bob.qrels                          two judges, named by their files
  assay agree nist=qrels.txt umbrela=machine.qrels --at 2 --runs runs/ -m AP
  assay agree judgments.csv --reference human -o agree.html    a table with topic, document, judge, grade
  assay agree judge.csv                                    a machine's verdicts on answers and people's: id, judge, human
  assay agree ann.qrels bob.qrels --adjudicate open.csv    write the disagreements; once they are filled in, the same
      command with --qrels final.qrels writes the judgments and the origin of each
""",
    common=("--scale", "--at", "--reference", "--runs", "--adjudicate", "--qrels", "--confidence"),
    add_options=add_options,
    run=run,
)
