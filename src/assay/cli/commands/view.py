"""assay view: the report's pages in a browser, each built when it is opened."""

from __future__ import annotations

from assay.cli.commands import Command
from assay.cli.options import add_settings, add_sources, announce, get_scores, notify
from assay.cli.report_options import add_pages, check_trials, make_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay view`."""
    add_sources(parser)
    group = parser.add_argument_group("pages")
    group.add_argument("--port", type=int, default=0, metavar="N", help="port to listen on (default: any free one)")
    add_pages(group, trials=0)
    add_settings(parser)


def run(args: Namespace) -> int:
    """Score the runs and serve the pages until interrupted."""
    from assay.io.loopback_server import check_port

    check_trials(args.trials)
    check_port(args.port)
    report = make_report(args, get_scores(args, keep=True))
    for line in report.warnings:
        notify(line)
    report.view(args.port, announce)
    return 0


COMMAND = Command(
    name="view",
    summary="the report's pages in a browser, down to every answer",
    group="Organise",
    after="pack",
    results=("assay.reports.report.Report",),
    description=(
        "Show the report in a browser, from a server on this machine: for campaigns too large for one file. Pages are built when they "
        "are opened, and texts are read from the runs and logs on demand. The server listens on the loopback interface only, writes "
        "nothing, and needs the link that it prints. Ctrl-C ends it."
    ),
    examples="""examples:
  assay view logs/                                           a folder of harness logs, down to every answer
  assay view gold.jsonl runs/ --port 8000                    a fixed port, for a tunnel
  assay view qrels.txt runs/ --topics topics.txt --docs docs.jsonl
""",
    common=("--port", "--title", "--topics", "--docs"),
    add_options=add_options,
    run=run,
)
