"""assay pack: a zip of pages and scores for each team of a campaign."""

from __future__ import annotations

import os

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import add_settings, add_sources, get_scores, named_measures, notify
from assay.cli.progress import progress_bar, stage
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay pack`."""
    add_sources(parser)
    group = parser.add_argument_group("packages")
    group.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="FOLDER",
        required=True,
        help="where to write; created if missing",
    )
    group.add_argument("--title", help="title of the report")
    group.add_argument(
        "--topics",
        type=input_file,
        metavar="FILE",
        help="the texts of topics or questions, as for `assay report`",
    )
    group.add_argument("--docs", type=input_file, metavar="FILE", help="the texts of documents, as for `assay report`")
    averages = "averages to three digits only, so that the packages reveal no judgment"
    group.add_argument("--aggregate", action="store_true", help=averages)
    public = "name the runs of other teams; by default each is 'another team', with its place and its mean"
    group.add_argument("--public", action="store_true", help=public)
    group.add_argument("--no-pdf", action="store_true", help="write HTML only, which is much faster")
    add_settings(parser, without=("abstain_below",))


def run(args: Namespace) -> int:
    """Score the runs and write the packages, each whole or not at all."""
    from assay.io.atomic_files import write_whole
    from assay.reports.packages import packages, teams

    if args.output == "-":
        raise UsageError("-o -: packages are files; expected a folder")
    scores = get_scores(args, keep=True)
    stage("computing the report")
    report = assay.report(
        scores,
        measures=named_measures(args, scores),
        title=args.title,
        trials=0,
        topics=args.topics,
        docs=args.docs,
        aggregate=args.aggregate,
    )
    for line in report.warnings:
        notify(line)
    try:
        os.makedirs(args.output, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{args.output}: cannot be created: {problem.strerror or problem}") from None
    show, many = progress_bar("packages"), len(teams(scores))
    show(0, many)
    forms = ("html",) if args.no_pdf else ("html", "pdf")
    for number, (name, data) in enumerate(packages(report, args.aggregate, forms, named=args.public), 1):
        write_whole(os.path.join(args.output, name), data)
        show(number, many)
    notify(f"wrote {many} {'package' if many == 1 else 'packages'} to {args.output}")
    return 0


COMMAND = Command(
    name="pack",
    summary="a zip of pages and scores for each team",
    group="Organise",
    after="overlap",
    results=("assay.reports.report.Report",),
    description=(
        "Write a zip for each team of a campaign: an index page, the pages of its runs, one PDF, their scores as CSV and JSON, "
        "and a README. A team is an organisation of --characteristics, or else a run."
    ),
    examples="""examples:
  assay pack qrels.txt runs/ -o packages --characteristics runs.toml     a zip per organisation
  assay pack qrels.txt runs/ -o packages --aggregate                     without what reveals a judgment
""",
    common=("--characteristics", "--title", "--topics", "--docs", "--aggregate", "--no-pdf"),
    add_options=add_options,
    run=run,
)
