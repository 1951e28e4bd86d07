"""Options of pages, shared by `assay report` and `assay view`, and the report they ask for."""

from __future__ import annotations

import os

import assay
from assay.cli.file_options import input_file
from assay.cli.options import get_settings, progress_bar, read_sources
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay import Report, Scores
    from assay.cli.parser import Namespace
    from assay.table.results import Result


def add_pages(group: Any, trials: int | None) -> None:
    """Add the options that a report and a server of its pages share; `trials` is the default of --trials."""
    group.add_argument("--title", help="title of the campaign (default: the folder of the gold)")
    from assay.stats import multiple_comparisons

    group.add_argument(
        "--correct", choices=(*multiple_comparisons.declared(), "none"),
        help="correction of tiers and pairs for many comparisons (default maxt)",
    )  # fmt: skip
    group.add_argument(
        "--intervals",
        action="store_true",
        help="an interval for every measure of the leaderboard, not only the first",
    )
    texts = "the texts of topics or questions: TREC topics, JSONL {id, text}, or id<TAB>text"
    group.add_argument("--topics", type=input_file, metavar="FILE", help=texts)
    documents = "the texts of documents, shown shortened: JSONL {id, text}, or id<TAB>text"
    group.add_argument("--docs", type=input_file, metavar="FILE", help=documents)
    apart = "list baselines among the other runs (default), or after them without a rank"
    group.add_argument("--baselines", choices=("ranked", "apart"), default="ranked", help=apart)
    groups = "a leaderboard, tiers and the median within each value of a characteristic of runs, such as language"
    group.add_argument("--group-by", metavar="FIELD", help=groups)
    pool = "the depth of the pool: add a section on the pool without each team (assay pool --judged)"
    group.add_argument("--pool-depth", type=int, metavar="N", help=pool)
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
    default = "1000, fewer of more than 400 runs" if trials is None else trials
    count = f"trials of the reliability pages (default {default}; 0 omits them)"
    group.add_argument("--trials", type=int, default=trials, metavar="N", help=count)


def check_trials(trials: int | None) -> None:
    """Refuse a negative --trials before anything is read."""
    if trials is not None and trials < 0:
        raise UsageError(f"`trials={trials}`: expected 1 or more, or 0 for no pages on reliability")


def make_report(args: Namespace, scores: Scores, **more: Any) -> Report:
    """Return the report of a table with the options of `add_pages`."""
    return assay.report(
        scores,
        measures=[m.name for m in scores.measures] if args.measures else None,
        title=args.title or name_campaign(args.sources or args.scores),
        subtitle=scores.task.title,
        trials=args.trials,
        correct=args.correct,
        intervals=args.intervals,
        progress=progress_bar("trials"),
        topics=args.topics,
        docs=args.docs,
        baselines=args.baselines,
        group_by=args.group_by,
        pool_depth=args.pool_depth,
        also=extra_results(args, scores),
        **more,
    )


def extra_results(args: Namespace, scores: Scores) -> list[Result]:
    """Return the results of --check, --judges and --human, each for a section."""
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
    return results + ([correct_scores(args, scores)] if args.human is not None else [])


def correct_scores(args: Namespace, scores: Scores) -> Result:
    """Correct the scores for the judge with the verdicts of --human."""
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
    return assay.correct(
        gold, runs, args.human, measures or None, task=args.task, progress=progress_bar("runs"), **settings
    )


def name_campaign(sources: Sequence[str]) -> str | None:
    """Return the default title of a campaign: the folder of its data.

    >>> name_campaign(["trec8/qrels.txt", "trec8/runs/"]), name_campaign(["logs/"]), name_campaign(["-"])
    ('trec8', 'logs', None)
    >>> name_campaign(["https://me:word@host/trec8/qrels.txt?signature=abc"])
    'trec8'
    """
    first = next((source for source in sources if source != "-"), None)
    if first is None:
        return None
    if "://" in first:
        from assay.io.url_redaction import bare

        first = bare(first)
    path = first.partition("=")[2] or first if not os.path.exists(first) else first
    full = os.path.abspath(path)
    folder = full if os.path.isdir(full) or path.endswith(os.sep) else os.path.dirname(full)
    return os.path.basename(folder.rstrip(os.sep)) or None
