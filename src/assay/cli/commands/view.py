"""assay view: the report's pages in a browser, each built when it is opened."""

from __future__ import annotations

from assay.cli.commands import Command
from assay.cli.options import add_settings, add_sources, get_scores, notify
from assay.cli.report_options import add_pages, check_trials, make_report
from assay.cli.streams import write_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """Add the options of `assay view`."""
    add_sources(parser)
    group = parser.add_argument_group("the pages")
    group.add_argument("--port", type=int, default=0, metavar="N", help="where to listen (default: any free port)")
    add_pages(group, trials=0)
    add_settings(parser, words)


def run(args: Namespace) -> int:
    """Score, lay out, serve until interrupted."""
    from assay.io.loopback_server import check_port

    check_trials(args.trials)
    check_port(args.port)
    from assay.reports.vega_bundle import start_bundling

    start_bundling()
    report = make_report(args, get_scores(args, keep=True))
    for line in report.warnings:
        notify(line)
    report.view(args.port, _shown)
    return 0


def _shown(link: str) -> None:
    notify("serving on this machine alone; open the link below in a browser, Ctrl-C ends it")
    write_out(f"{link}\n")


COMMAND = Command(
    name="view",
    summary="the report's pages in a browser, down to every answer, whatever their size",
    after="report",
    results=("assay.reports.report.Report",),
    description=(
        "Show the report in a browser, from a server on this machine: for what is too large for one file. Pages are built when they are "
        "opened, and texts are read from the runs and logs when they are looked at. It listens on the loopback alone, writes nothing, "
        "and answers only to who has the link that it prints. Ctrl-C ends it."
    ),
    examples="""examples:
  assay view logs/                                           a folder of harness logs, down to every answer
  assay view gold.jsonl runs/ --port 8000                    where a tunnel expects it
  assay view qrels.txt runs/ --topics topics.txt --docs docs.jsonl
""",
    add_options=add_options,
    run=run,
)
