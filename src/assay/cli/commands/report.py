"""assay report: the pages of a campaign or of one participant."""

from __future__ import annotations

import gc

from assay.cli.commands import Command
from assay.cli.file_options import output_file
from assay.cli.options import (
    add_execution,
    add_settings,
    add_sources,
    check_execution,
    get_scores,
    notify,
    open_workers,
    progress_bar,
)
from assay.cli.output import write
from assay.cli.report_options import add_pages, check_trials, make_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """Add the options of `assay report`."""
    add_sources(parser)
    group = parser.add_argument_group("report")
    group.add_argument(
        "-o", "--output", type=output_file, metavar="FILE", help="FILE.html, FILE.pdf or FILE.txt (default: print text)"
    )
    group.add_argument("--run", dest="only", metavar="NAME", help="one participant's pages only")
    add_pages(group, trials=None)
    averages = "averages to three digits only, so that the pages reveal no judgment"
    group.add_argument("--aggregate", action="store_true", help=averages)
    add_execution(parser, scores=False)
    add_settings(parser, words)


def run(args: Namespace) -> int:
    """Score the runs and write the report."""
    from assay.reports.results import form_of
    from assay.reports.vega_bundle import start_bundling

    path: str | None = None if args.output == "-" else args.output
    if path is not None:
        form_of(path)
    check_trials(args.trials)
    check_execution(args)
    if path is not None and form_of(path) == "html":
        start_bundling()
    scores = get_scores(args, keep=True)
    with open_workers(args) as executor:
        report = make_report(args, scores, run=args.only, aggregate=args.aggregate, executor=executor)
    warnings = report.warnings
    if path is None:
        for line in warnings:
            notify(line)
        import shutil

        write(report.to_text(max(60, min(shutil.get_terminal_size((100, 24)).columns, 132))), None)
        return 0
    if form_of(path) == "pdf":
        from assay.reports.pdf import drawn_pages, typeset

        pages = drawn_pages(report.document, progress_bar("pages"))
        del scores, report
        gc.collect()  # before the typesetter allocates most: 375 MB instead of 415 MB for 129 runs
        write(typeset(pages), path)
    else:
        report.save(path, progress_bar("pages"))
    for line in (*warnings, f"wrote {path}"):
        notify(line)
    return 0


COMMAND = Command(
    name="report",
    summary="write the evaluation report as HTML, PDF or text",
    after="price",
    results=("assay.reports.report.Report",),
    description="Write the evaluation report of a campaign, or of one run: HTML, PDF, or text on the terminal.",
    examples="""examples:
  assay report qrels.txt runs/ -o trec.html                 the whole campaign, one file to open in a browser
  assay report qrels.txt runs/ --run bm25 -o bm25.pdf       one participant's pages
  assay report qrels.txt runs/ --topics topics.txt --docs docs.jsonl -o trec.html    with the texts of both
  assay report qrels.txt runs/ --check --judges ann.qrels --judges bob.qrels -o trec.html    add findings and the agreement of judges
  assay report machine.qrels runs/ --human bob.qrels -o trec.html    correct for a machine judge
  assay report qrels.txt bm25.run                           the classic text report on the terminal
""",
    add_options=add_options,
    run=run,
)
