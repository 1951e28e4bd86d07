"""assay report: the pages a participant receives, and the campaign's."""

from __future__ import annotations

import os
import shutil

from assay.cli.options import add_settings, add_sources, load_plugins, progress_bar, settings_for, tell
from assay.cli.outcomes_options import add_answers
from assay.cli.output import write
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from assay.measures.declare import Measure
    from assay.report.model import Report
    from assay.scores import Scores

EPILOG = """examples:
  assay report qrels.txt runs/ -o trec.html                 the whole campaign, one file to open in a browser
  assay report qrels.txt runs/ --run bm25 -o bm25.pdf       one participant's pages
  assay report qrels.txt bm25.run                           the classic text report on the terminal
"""
ENDINGS = {"html": "html", "htm": "html", "pdf": "pdf", "txt": "text", "text": "text"}


def add_parser(subparsers: Any) -> None:
    """The options of `assay report`."""
    from argparse import RawDescriptionHelpFormatter

    parser = subparsers.add_parser(
        "report",
        help="write the evaluation report as HTML, PDF or text",
        description="Write the evaluation report of a campaign, or of one run: HTML, PDF, or text on the terminal.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_sources(parser)
    group = parser.add_argument_group("the report")
    group.add_argument("-o", "--output", metavar="FILE", help="FILE.html, FILE.pdf or FILE.txt; else text is printed")
    group.add_argument("--run", dest="only", metavar="NAME", help="one participant's pages only")
    group.add_argument("--title", help="what to call the campaign")
    group.add_argument(
        "--characteristics", metavar="FILE.toml", help="a table per run: organisation, type, resources used …"
    )
    group.add_argument(
        "--trials",
        type=int,
        default=1000,
        metavar="N",
        help="trials of the reliability pages (default 1000; 0 omits them)",
    )
    add_settings(parser)
    add_answers(parser)


def run(args: Namespace) -> int:
    """Score, lay out, draw, write."""
    kind = kind_of(args.output)
    scores, measures = _scores(args)
    described = _characteristics(args.characteristics, scores) if args.characteristics else {}
    report = make(scores, measures, args, described)
    content = draw(report, kind)
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
        from assay.report.html import to_html

        return to_html(report)
    if kind == "pdf":
        from assay.report.pdf import to_pdf

        done = iter(range(1, len(report.pages) + 1))
        show = progress_bar(len(report.pages), "pages")
        return to_pdf(report, lambda _: show(next(done)))
    from assay.report.text import to_text

    return to_text(report, max(60, min(shutil.get_terminal_size((100, 24)).columns, 132)))


def make(scores: Scores, measures: list[Measure], args: Namespace, described: dict[str, dict[str, str]]) -> Report:
    """The model, with what statistics and reliability have to say where there is more than one run."""
    from assay.report.build import build, orders, statistics_of

    study = None
    if args.trials and len(scores.runs) > 1 and len(scores.topics) > 3 and args.only is None:
        from assay.reliability.study import reliability

        # Measures of a whole run are computed anew on every trial, too slow for a report nobody asked to wait for.
        names = [measure.name for measure in measures if orders(measure) and measure.level != "run"][:4]
        show = progress_bar(args.trials, "trials")
        study = reliability(
            scores, measures=names, trials=args.trials, progress=lambda done, total: show(args.trials * done // total)
        )
    return build(
        scores,
        measures,
        title=args.title,
        subtitle=os.path.basename(args.gold) if args.gold != "-" else "",
        only=args.only,
        characteristics=described,
        statistics=statistics_of(scores, measures),
        reliability=study,
    )


def _scores(args: Namespace) -> tuple[Scores, list[Measure]]:
    """The score table with everything the task's pages need, and the measures of its leaderboard."""
    from assay.formats.detect import detect_task
    from assay.formats.sources import expand, source_of
    from assay.report.build import in_order, needed
    from assay.scoring import chosen, evaluate_sources
    from assay.tasks import get

    load_plugins(args.plugin)
    gold = None if args.judged else source_of(args.gold)
    runs = expand([args.gold, *args.runs] if args.judged else args.runs)
    if [args.gold, *args.runs].count("-") > 1:
        raise UsageError("- stands for standard input and can be given once")
    task = get(args.task or ("outcomes" if gold is None else detect_task(gold)))
    needs, columns = needed(task.NAME)
    # Some tasks settle their own measures when they have seen the runs.
    settled = args.measures is None and hasattr(task, "default_measures")
    wanted = None if settled else chosen(args.measures, task)
    scores = evaluate_sources(
        task,
        gold,
        runs,
        None if wanted is None else chosen([*wanted, *needs], task),
        settings_for(task, args),
        name_by=args.name_by,
        also=columns,
        tell=tell,
        progress=progress_bar(len(runs), "runs"),
    )
    wanted = scores.measures if wanted is None else wanted
    return scores, wanted if args.measures else in_order(task.NAME, wanted)


def _characteristics(path: str, scores: Scores) -> dict[str, dict[str, str]]:
    """What a TOML file says of each run: a table per run name, its values as words."""
    import tomllib

    try:
        with open(path, "rb") as file:
            tables = tomllib.load(file)
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: not TOML: {problem}") from None
    described: dict[str, dict[str, str]] = {}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise InputError(
                f"{path}: expected a table for each run, as in [{scores.runs[0]}], found {name} = {table!r}"
            )
        if name not in scores.runs:
            tell(f"{path}: describes {name!r}, which is not among the runs")
        described[name] = {key: _words(value) for key, value in table.items()}
    return described


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_words(item) for item in value)
    return str(value)
