"""assay reliability: how stable the evaluation is, and how large a difference to believe."""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.options import (
    add_execution,
    add_settings,
    add_sources,
    get_scores,
    named_measures,
    notify,
    open_workers,
)
from assay.cli.output import add_output, add_verbose, show
from assay.cli.progress import progress_bar, stage
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay reliability`."""
    add_sources(parser, describes=False)
    group = parser.add_argument_group("resampling")
    group.add_argument(
        "--size", action="append", type=_list_of(int, "whole numbers separated by commas"), metavar="N[,N...]",
        help="topics in a subset (default half of all); several sizes give a curve",
    )  # fmt: skip
    group.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help="random subsets (default 1000), or draws of --newly-judged (default 200)",
    )
    group.add_argument(
        "--rule", choices=("original", "sakai"), default="original",
        help="sakai counts exactly one difference of zero as a swap too",
    )  # fmt: skip
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="default 0.95: a swap rate of at most 5%%"
    )
    group.add_argument("--no-swap", action="store_true", help="stability only; subsets may then exceed half the topics")
    group.add_argument(
        "--discrimination", action="store_true", help="also test every pair: paired bootstrap and randomised Tukey HSD"
    )
    newly = (
        "instead: turn a random share of the distinct wrong answers right, and show how scores and ranks of the runs move "
        "(qa, list, context)"
    )
    shares = _list_of(float, "shares such as 0.05, separated by commas")
    group.add_argument("--newly-judged", action="append", type=shares, metavar="SHARE[,SHARE...]", help=newly)
    add_execution(parser)
    add_output(parser)
    add_verbose(parser, "stability, swap rates by difference, and the fitted curve")
    add_settings(parser, without=("abstain_below",))


def _list_of(kind: type[Any], expected: str) -> Callable[[str], list[Any]]:
    """Return a parser of numbers between commas."""

    def parse(text: str) -> list[Any]:
        try:
            return [kind(part) for part in text.split(",")]
        except ValueError:
            from argparse import ArgumentTypeError

            raise ArgumentTypeError(f"expected {expected}, found {text!r}") from None

    return parse


def _newly_judged(args: Namespace) -> int:
    """Simulate wrong answers that turn right, and print the effect."""
    for name, unused in (("size", args.size), ("no-swap", args.no_swap), ("discrimination", args.discrimination)):
        if unused:
            raise UsageError(f"--{name} cannot be combined with --newly-judged")
    if args.scores or args.store or args.workers:
        raise UsageError("--newly-judged cannot be combined with --scores, --store or --executor: it needs the answers")
    scores = get_scores(args, keep=True)
    trials = {} if args.trials is None else {"trials": args.trials}
    shares = [share for shares in args.newly_judged for share in shares]
    show(
        args,
        assay.newly_judged(
            scores, None, named_measures(args, scores), shares=shares, progress=progress_bar("trials"), **trials
        ),
    )
    return 0


def _count_workers(executor: Any) -> str:
    """Return the number of workers of a cluster as text, or nothing."""
    count = getattr(executor, "workers", None)
    return "" if count is None else f", {count} worker{'' if count == 1 else 's'}"


def run(args: Namespace) -> int:
    """Resample the topics and print the result."""
    if args.newly_judged:
        return _newly_judged(args)
    with open_workers(args) as executor:
        scores = get_scores(args, executor=executor)
        stage("resampling the topics")
        study = assay.reliability(
            scores, named_measures(args, scores),
            size=[size for sizes in args.size for size in sizes] if args.size else None,
            trials=1000 if args.trials is None else args.trials,
            rule=args.rule, confidence=args.confidence, no_swap=args.no_swap,
            discrimination=("bootstrap", "tukey") if args.discrimination else (),
            executor="local" if executor is None else executor, processes=True,
            progress=progress_bar("trials", lambda: _count_workers(executor)),
        )  # fmt: skip
    for measure in study.measures.values():
        if measure.undefined:
            cells = f"{len(study.runs)} x {len(scores.topics)} cells"
            notify(f"{measure.name}: {measure.undefined} of {cells} are undefined; --undefined sets what they count")
    show(args, study)
    return 0


COMMAND = Command(
    name="reliability",
    summary="would the result hold on other topics?",
    group="Trust",
    results=(
        "assay.analyses.reliability.reliability.Reliability",
        "assay.analyses.reliability.newly_correct_answers.NewlyJudged",
    ),
    description="How stable each measure is on subsets of the topics, and how large a difference to believe.",
    examples="""examples:
  assay reliability qrels.txt runs/ -m AP -m P@10
  assay reliability gold.jsonl runs/ -m c@1 -m accuracy -m UF --size 250 --trials 1000
  assay reliability qrels.txt runs/ -m AP --rule sakai
  assay reliability --scores ap.csv --scores p10.csv --size 10,15,20,25
  assay reliability qrels.txt runs/ -m AP --store scores/        cache scores, and score new runs only
  assay reliability qrels.txt runs/ --trials 1000000 --executor dask --scheduler tcp://host:8786
  assay reliability gold.jsonl runs/ --task qa --newly-judged 0.01,0.05,0.1

Stability: on random subsets of the topics, how often do two runs swap their order (minority rate), and how
often is there no conclusion (ties)? Swap: how large must a difference be on one subset for another to agree 95 times
in 100? Newly judged: how do scores and ranks of question answering change when wrong answers become right?
""",
    common=("--size", "--trials", "--confidence", "--no-swap", "--seed"),
    add_options=add_options,
    run=run,
)
