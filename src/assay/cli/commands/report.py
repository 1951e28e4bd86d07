"""assay report: the pages of a campaign or of one participant."""

from __future__ import annotations

import gc

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import (
    add_execution,
    add_settings,
    add_sources,
    get_scores,
    get_settings,
    notify,
    open_workers,
    read_sources,
)
from assay.cli.output import write
from assay.cli.progress import progress_bar, stage
from assay.cli.report_options import add_pages, check_trials, make_report
from assay.errors import InputError, UsageError
from assay.io.atomic_files import is_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay import Scores
    from assay.cli.parser import Namespace, Parser
    from assay.table.results import Result


def add_options(parser: Parser) -> None:
    """Add the options of `assay report`."""
    add_sources(parser)
    group = parser.add_argument_group("report")
    group.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="FILE",
        help="FILE.html, FILE.pdf, FILE.txt, or FOLDER/ for a site (default: print text)",
    )
    group.add_argument("--run", dest="only", metavar="NAME", help="one participant's pages only")
    add_pages(group, trials=None)
    _add_results(group)
    averages = "averages to three digits only, so that the pages reveal no judgment"
    group.add_argument("--aggregate", action="store_true", help=averages)
    add_execution(parser, scores=False)
    add_settings(parser)


def _add_results(group: Any) -> None:
    """Add the options of sections with the results of other commands."""
    check_help = "add the findings of `assay check` in the submissions, with the same --topics and --docs"
    group.add_argument("--check", action="store_true", help=check_help)
    group.add_argument("--rules", type=input_file, metavar="FILE", help="the rules of --check (TOML)")
    judges = (
        "add the agreement of judges, and the ranking of the runs under each: a qrels file per judge, or a table, as for `assay agree`; "
        "repeatable"
    )
    group.add_argument("--judges", type=input_file, metavar="JUDGMENTS", action="append", help=judges)
    group.add_argument(
        "--at", metavar="GRADE", help="of --judges: count grades from this one on as relevant and others as not"
    )
    group.add_argument("--reference", metavar="NAME", help="of --judges: compare every other judge with this one")
    human_help = (
        "add scores corrected for a machine judge, by people's verdicts on some questions or qrels of some topics, as for "
        "`assay correct`"
    )
    group.add_argument("--human", type=input_file, metavar="FILE", help=human_help)
    plan_help = "add how many topics a difference of D takes, with the power curve, as for `assay plan`"
    group.add_argument("--plan", type=float, metavar="D", help=plan_help)


def run(args: Namespace) -> int:
    """Score the runs and write the report."""
    from assay.reports.results import form_of

    path: str | None = None if args.output == "-" else args.output
    if path is not None and not is_folder(path):
        form_of(path)
    check_trials(args.trials)
    with open_workers(args) as executor:
        scores = get_scores(args, keep=True)
        report = make_report(
            args, scores, run=args.only, aggregate=args.aggregate, also=_other_results(args, scores), executor=executor
        )
    warnings = report.warnings
    if path is None:
        for line in warnings:
            notify(line)
        import shutil

        write(report.to_text(max(60, min(shutil.get_terminal_size((100, 24)).columns, 132))), None)
        return 0
    if not is_folder(path) and form_of(path) == "pdf":
        from assay.reports.pdf import drawn_pages, typeset

        pages = drawn_pages(report.document, progress_bar("pages"))
        del scores, report
        gc.collect()  # before the typesetter allocates most: 375 MB instead of 415 MB for 129 runs
        stage("typesetting the pages")
        write(typeset(pages), path)
    else:
        report.save(path, progress_bar("pages"))
    for line in (*warnings, f"wrote {path}"):
        notify(line)
    return 0


def _other_results(args: Namespace, scores: Scores) -> list[Result]:
    """Return the results of --check, --judges, --human and --plan, each for a section."""
    results: list[Result] = []
    runs = args.sources if args.judged else args.sources[1:]
    if args.rules is not None and not args.check:
        raise UsageError(f"--rules {args.rules} needs --check")
    if args.check:
        if not runs or "-" in runs:
            raise UsageError("--check needs the runs as files, not as standard input")
        results.append(
            assay.check(runs, rules=args.rules, topics=args.topics, docs=args.docs, progress=progress_bar("MB"))
        )
    for flag, value in (("--at", args.at), ("--reference", args.reference)):
        if value is not None and not args.judges:
            raise UsageError(f"{flag} {value} needs --judges")
    if args.judges:
        if scores.task.name != "ranked":
            raise UsageError(f"--judges needs ranked retrieval; this is {scores.task.title.lower()}")
        if "-" in runs:
            raise UsageError("--judges needs the runs as files, not as standard input")
        ranked = runs if len(scores.runs) > 1 and runs else None
        measure = scores.measures[0].name if args.measures and ranked else None
        settings = get_settings(args) if ranked else {}
        results.append(
            assay.agree(
                args.judges,
                at=args.at,
                reference=args.reference,
                runs=ranked,
                measure=measure,
                progress=progress_bar("steps"),
                **settings,
            )
        )
    if args.plan is not None:
        results.append(assay.plan(scores, scores.measures[0].name, difference=args.plan, curve=True))
    return results + (_correct_scores(args, scores) if args.human is not None else [])


def _correct_scores(args: Namespace, scores: Scores) -> list[Result]:
    """Correct the scores for the judge with the verdicts of --human, and compare the runs as people would judge them."""
    if args.scores:
        raise UsageError("--human cannot be combined with --scores, which have no verdicts on questions")
    if "-" in args.sources:
        raise UsageError("--human needs gold and runs as files, not as standard input")
    gold, runs, settings = read_sources(args)
    measures = None
    if scores.task.name == "ranked":
        measures = [
            measure.name for measure in scores.measures if measure.level == "topic" and measure.average == "mean"
        ][:1]
    elif args.measures:
        from assay.analyses.correction.verdicts import OUTCOME_MEASURES

        measures = [measure.name for measure in scores.measures if measure.name in OUTCOME_MEASURES]
    correction = assay.correct(
        gold, runs, args.human, measures or None, task=args.task, progress=progress_bar("runs"), **settings
    )
    by = correction.runs[0].measure
    if len(scores.runs) < 2:
        return [correction]
    try:
        return [correction, assay.compare(gold, by, runs=runs, human=args.human, task=args.task, **settings)]
    except (InputError, UsageError) as problem:
        notify(f"the runs are not compared as people would judge them: {problem}")
    return [correction]


COMMAND = Command(
    name="report",
    summary="write the report: HTML, PDF or text",
    group="Score",
    after="evaluate",
    results=("assay.reports.report.Report",),
    description="Write the evaluation report of a campaign, or of one run: HTML, PDF, or text on the terminal.",
    examples="""examples:
  assay report qrels.txt runs/ -o trec.html                 the whole campaign, one file to open in a browser
  assay report qrels.txt runs/ --run bm25 -o bm25.pdf       one participant's pages
  assay report qrels.txt runs/ --topics topics.txt --docs docs.jsonl -o trec.html    with the texts of both
  assay report qrels.txt runs/ --check --judges ann.qrels --judges bob.qrels -o trec.html    add findings and the agreement of judges
  assay report machine.qrels runs/ --human bob.qrels -o trec.html    correct for a machine judge
  assay report qrels.txt runs/ --plan 0.05 -o trec.html     how many topics a difference of .05 takes
  assay report qrels.txt runs/ -o site/                     a folder for any static host
  assay report qrels.txt bm25.run                           the classic text report on the terminal
""",
    common=("--run", "--title", "--topics", "--docs", "--trials", "--check", "--aggregate"),
    add_options=add_options,
    run=run,
)
