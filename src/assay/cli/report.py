"""assay report: the pages a participant receives, and the campaign's."""

from __future__ import annotations

import os
import shutil

from assay.cli.describing import add_characteristics, described
from assay.cli.help import formatter
from assay.cli.options import add_settings, add_sources, progress_bar, scores_of, tell
from assay.cli.output import write
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from assay.reports.model import Report
    from assay.table import Scores

EPILOG = """examples:
  assay report qrels.txt runs/ -o trec.html                 the whole campaign, one file to open in a browser
  assay report qrels.txt runs/ --run bm25 -o bm25.pdf       one participant's pages
  assay report qrels.txt bm25.run                           the classic text report on the terminal
"""
ENDINGS = {"html": "html", "htm": "html", "pdf": "pdf", "txt": "text", "text": "text"}


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
    """The options of `assay report`."""
    parser = subparsers.add_parser(
        "report",
        help="write the evaluation report as HTML, PDF or text",
        description="Write the evaluation report of a campaign, or of one run: HTML, PDF, or text on the terminal.",
        epilog=EPILOG,
        formatter_class=formatter,
    )
    add_sources(parser)
    group = parser.add_argument_group("the report")
    group.add_argument("-o", "--output", metavar="FILE", help="FILE.html, FILE.pdf or FILE.txt; else text is printed")
    group.add_argument("--run", dest="only", metavar="NAME", help="one participant's pages only")
    group.add_argument("--title", help="what to call the campaign")
    group.add_argument(
        "--trials",
        type=int,
        default=1000,
        metavar="N",
        help="trials of the reliability pages (default 1000; 0 omits them)",
    )
    add_characteristics(parser)
    add_settings(parser, words)


def run(args: Namespace) -> int:
    """Score, lay out, draw, write."""
    kind = kind_of(args.output)
    if args.trials < 0:
        raise UsageError(f"--trials {args.trials}: expected 1 or more, or 0 for no pages on reliability")
    scores = described(scores_of(args), args.characteristics)
    content = draw(make(scores, args), kind)
    write(content, args.output)
    if args.output:
        tell(f"wrote {args.output}")
    return 0


def kind_of(output: str | None) -> str:
    """html, pdf or text, by the file's ending; text where nothing is written."""
    if output is None or output == "-":
        return "text"
    ending = output.rpartition(".")[2].lower()
    if ending not in ENDINGS:
        raise UsageError(f"{output}: expected a name that ends in .html, .pdf or .txt")
    return ENDINGS[ending]


def draw(report: Report, kind: str) -> str | bytes:
    """The report in one of its forms."""
    if kind == "html":
        from assay.reports.html import to_html

        return to_html(report)
    if kind == "pdf":
        from assay.reports.pdf import to_pdf

        done = iter(range(1, len(report.pages) + 1))
        show = progress_bar("pages")
        return to_pdf(report, lambda _: show(next(done), len(report.pages)))
    from assay.reports.text import to_text

    return to_text(report, max(60, min(shutil.get_terminal_size((100, 24)).columns, 132)))


def make(scores: Scores, args: Namespace) -> Report:
    """The model, with what statistics and reliability have to say of the runs."""
    from assay.reports.build import report_of

    return report_of(
        scores,
        chosen_measures=bool(args.measures),
        title=args.title,
        subtitle=os.path.basename(args.sources[0])
        if args.sources and args.sources[0] != "-" and not args.judged
        else "",
        only=args.only,
        trials=args.trials,
        tell=tell,
        progress=lambda done: progress_bar("trials")(done, args.trials),
    )
