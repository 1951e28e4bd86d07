"""assay reliability: can the evaluation be trusted, and how large a difference should be believed?"""

from __future__ import annotations

import assay
from assay.cli.options import (
    add_settings,
    add_sources,
    add_where,
    check_where,
    progress_bar,
    scores_of,
    tell,
    workers_of,
)
from assay.cli.output import add_output, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.cli.parser import Namespace, Parser

DESCRIPTION = "How stable each measure is on subsets of the topics, and how large a difference to believe."
EPILOG = """examples:
  assay reliability gold.jsonl runs/ -m c@1 -m accuracy -m UF --size 250 --trials 1000
  assay reliability qrels.txt runs/ -m AP -m P@10 -m RR --rule sakai
  assay reliability --scores ap.csv --scores p10.csv --size 10,15,20,25
  assay reliability qrels.txt runs/ -m AP --store scores/        scores are kept, and only new runs scored
  assay reliability qrels.txt runs/ --trials 1000000 --executor dask --scheduler tcp://host:8786

Stability: on random subsets of the topics, how often is a pair of runs the wrong way round (minority rate), and how
often is there no conclusion (ties)? Swap: how large must a difference be on one subset for another to agree 95 times
in 100?
"""


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """The options of `assay reliability`."""
    add_sources(parser, describes=False)
    group = parser.add_argument_group("how it is resampled")
    group.add_argument(
        "--size", action="append", type=_sizes, metavar="N[,N...]",
        help="topics in a subset, half of all by default; several sizes give the curve over sizes",
    )  # fmt: skip
    group.add_argument("--trials", type=int, default=1000, metavar="N", help="random subsets (default 1000)")
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
    add_where(parser)
    add_output(parser)
    add_settings(parser, words)


def _sizes(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected whole numbers separated by commas, found {text!r}") from None


def _crew(executor: Any) -> str:
    """How many work for a cluster; nothing of other executors."""
    count = getattr(executor, "workers", None)
    return "" if count is None else f", {count} worker{'' if count == 1 else 's'}"


def run(args: Namespace) -> int:
    """Study, and print."""
    check_where(args)
    with workers_of(args) as executor:
        scores = scores_of(args, executor=executor)
        study = assay.reliability(
            scores, [m.name for m in scores.measures] if args.measures else None,
            size=[size for sizes in args.size for size in sizes] if args.size else None, trials=args.trials,
            rule=args.rule, confidence=args.confidence, no_swap=args.no_swap,
            discrimination=("bootstrap", "tukey") if args.discrimination else (),
            executor="local" if executor is None else executor, processes=True, progress=progress_bar("trials", lambda: _crew(executor)),
        )  # fmt: skip
    for measure in study.measures.values():
        if measure.undefined:
            of = f"of {len(study.runs)} x {len(scores.topics)} cells {measure.undefined} are undefined"
            tell(f"{measure.name}: {of}; what they count is said by --undefined")
    show(args, study)
    return 0
