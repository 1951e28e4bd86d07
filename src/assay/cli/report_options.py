"""What `assay report` and `assay view` share: the options of pages, and the report that they ask for."""

from __future__ import annotations

import os

import assay
from assay.cli.file_options import input_file
from assay.cli.options import asked, progress_bar, settings_of
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay import Report, Scores
    from assay.cli.parser import Namespace
    from assay.table.results import Result


def add_pages(group: Any, trials: int | None) -> None:
    """What a report and a server of its pages have in common; `trials` is how many are made where nobody says, None the report's
    own choice."""
    group.add_argument("--title", help="what to call the campaign; the folder of the gold where left out")
    from assay.stats import multiple_comparisons

    group.add_argument(
        "--correct", choices=(*multiple_comparisons.declared(), "none"),
        help="how tiers and pairs allow for many comparisons (default maxt)",
    )  # fmt: skip
    group.add_argument(
        "--intervals",
        action="store_true",
        help="an interval beside every measure of the leaderboard, not the first alone",
    )
    texts = "the texts of topics or questions: TREC topics, JSONL {id, text}, or id<TAB>text"
    group.add_argument("--topics", type=input_file, metavar="FILE", help=texts)
    documents = "the texts of documents, of which beginnings are shown: JSONL {id, text}, or id<TAB>text"
    group.add_argument("--docs", type=input_file, metavar="FILE", help=documents)
    apart = "among the other runs (default), or after them and without a place"
    group.add_argument("--baselines", choices=("ranked", "apart"), default="ranked", help=apart)
    groups = "a leaderboard, tiers and the median within each value of a characteristic of runs, such as language"
    group.add_argument("--group-by", metavar="FIELD", help=groups)
    pool = "how deep the runs were pooled: adds what the pool can carry without any one team (assay pool --judged)"
    group.add_argument("--pool-depth", type=int, metavar="N", help=pool)
    checked = "adds what `assay check` finds in the submissions, with --topics and --docs as they are given"
    group.add_argument("--check", action="store_true", help=checked)
    group.add_argument("--rules", type=input_file, metavar="FILE", help="what --check asks of every submission (TOML)")
    judges = (
        "adds how far judges agree, and how the runs rank under each: qrels, a file a judge, or a table, as `assay agree` takes them; "
        "repeatable"
    )
    group.add_argument("--judges", type=input_file, metavar="JUDGMENTS", action="append", help=judges)
    group.add_argument(
        "--at", metavar="GRADE", help="of --judges: count grades from this one on as relevant and others as not"
    )
    group.add_argument("--reference", metavar="NAME", help="of --judges: hold every other judge against this one")
    human = (
        "adds what people would say of what a machine judged, from their verdicts on some questions or qrels of some topics, as "
        "`assay correct` takes them"
    )
    group.add_argument("--human", type=input_file, metavar="FILE", help=human)
    usual = "1000, fewer of more than 400 runs" if trials is None else trials
    made = f"trials of the reliability pages (default {usual}; 0 omits them)"
    group.add_argument("--trials", type=int, default=trials, metavar="N", help=made)


def check_trials(trials: int | None) -> None:
    """Refuse a number that makes no sense before anything is read."""
    if trials is not None and trials < 0:
        raise UsageError(f"`trials={trials}`: expected 1 or more, or 0 for no pages on reliability")


def laid_out(args: Namespace, scores: Scores, **more: Any) -> Report:
    """The report of a table as the options of `add_pages` want it."""
    return assay.report(
        scores,
        measures=[m.name for m in scores.measures] if args.measures else None,
        title=args.title or named_after(args.sources or args.scores),
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
        also=further(args, scores),
        **more,
    )


def further(args: Namespace, scores: Scores) -> list[Result]:
    """What other verbs find, for sections of their own."""
    found: list[Result] = []
    runs = args.sources if args.judged else args.sources[1:]
    if args.rules is not None and not args.check:
        raise UsageError(f"--rules {args.rules}: is what --check asks of submissions; expected --check with it")
    if args.check:
        if not runs or "-" in runs:
            raise UsageError("--check: reads the files of the runs; expected them by name")
        found.append(
            assay.check(runs, rules=args.rules, topics=args.topics, docs=args.docs, progress=progress_bar("MB"))
        )
    for flag, value in (("--at", args.at), ("--reference", args.reference)):
        if value is not None and not args.judges:
            raise UsageError(f"{flag} {value}: is about judges; expected --judges with it")
    if args.judges:
        if scores.task.name != "ranked":
            raise UsageError(
                f"--judges: are of documents, and this is {scores.task.title.lower()}; expected ranked retrieval"
            )
        if "-" in runs:
            raise UsageError("--judges: ranks the runs under each judge; expected them by name")
        ranked = runs if len(scores.runs) > 1 and runs else None
        measure = scores.measures[0].name if args.measures and ranked else None
        settings = settings_of(args) if ranked else {}
        found.append(
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
    return found + ([corrected(args, scores)] if args.human is not None else [])


def corrected(args: Namespace, scores: Scores) -> Result:
    """The scores as people would have them, by the first measure that can be told, or of answers by accuracy and c@1."""
    if args.scores:
        raise UsageError(
            "--human: verdicts are corrected question by question; give the gold or the logs, and the runs"
        )
    if "-" in args.sources:
        raise UsageError("--human: reads gold and runs once more; expected them by name")
    gold, runs, settings = asked(args)
    measures = None
    if scores.task.name == "ranked":
        measures = [one.name for one in scores.measures if one.level == "topic" and one.average == "mean"][:1]
    elif args.measures:
        from assay.analyses.correction.verdicts import OUTCOME_MEASURES

        measures = [one.name for one in scores.measures if one.name in OUTCOME_MEASURES]
    return assay.correct(
        gold, runs, args.human, measures or None, task=args.task, progress=progress_bar("runs"), **settings
    )


def named_after(sources: Sequence[str]) -> str | None:
    """What a campaign is called when nobody says: the folder its data are in, or its only file; never `qrels.txt`.

    >>> named_after(["trec8/qrels.txt", "trec8/runs/"]), named_after(["logs/"]), named_after(["-"])
    ('trec8', 'logs', None)
    >>> named_after(["https://me:word@host/trec8/qrels.txt?signature=abc"])
    'trec8'
    """
    first = next((source for source in sources if source != "-"), None)
    if first is None:
        return None
    if "://" in first:
        from assay.io.url_redaction import bare

        first = bare(first)
    named = first.partition("=")[2] or first if not os.path.exists(first) else first
    path = os.path.abspath(named)
    folder = path if os.path.isdir(path) or named.endswith(os.sep) else os.path.dirname(path)
    return os.path.basename(folder.rstrip(os.sep)) or None
