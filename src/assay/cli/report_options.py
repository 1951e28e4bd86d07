"""The options of pages that `assay report` and `assay view` share, and the report built from them."""

from __future__ import annotations

import os

import assay
from assay.cli.file_options import input_file
from assay.cli.options import named_measures
from assay.cli.progress import progress_bar, stage
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay import Report, Scores
    from assay.cli.parser import Namespace


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
    default = "1000, fewer of more than 400 runs" if trials is None else trials
    count = f"trials of the reliability pages (default {default}; 0 omits them)"
    group.add_argument("--trials", type=int, default=trials, metavar="N", help=count)


def check_trials(trials: int | None) -> None:
    """Refuse a negative --trials before anything is read."""
    if trials is not None and trials < 0:
        raise UsageError(f"`trials={trials}`: expected 1 or more, or 0 for no pages on reliability")


def make_report(args: Namespace, scores: Scores, **more: Any) -> Report:
    """Return the report of a table with the options of `add_pages`."""
    stage("computing the report")
    return assay.report(
        scores,
        measures=named_measures(args, scores),
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
        **more,
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
