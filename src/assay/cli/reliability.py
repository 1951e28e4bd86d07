"""assay reliability: can the evaluation be trusted, and how large a difference should be believed?"""

from __future__ import annotations

from assay.cli.options import add_settings, add_sources, progress_bar, scores_of, tell
from assay.cli.output import add_output, format_of, render, to_json, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

EPILOG = """examples:
  assay reliability gold.jsonl runs/ -m c@1 -m accuracy -m UF --size 250 --trials 1000
  assay reliability qrels.txt runs/ -m AP -m P@10 -m RR --rule sakai
  assay reliability --scores ap.csv --scores p10.csv --size 10,15,20,25
  assay reliability qrels.txt runs/ --trials 1000000 --executor dask --scheduler tcp://host:8786

Stability: on random subsets of the topics, how often is a pair of runs the wrong way round (minority rate), and how
often is there no conclusion (ties)? Swap: how large must a difference be on one subset for another to agree 95 times
in 100?
"""
FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex")


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
    """The options of `assay reliability`."""
    from argparse import RawDescriptionHelpFormatter

    parser = subparsers.add_parser(
        "reliability",
        help="can the evaluation be trusted?",
        description="How stable each measure is on subsets of the topics, and how large a difference to believe.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_sources(parser)
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
    group.add_argument("--executor", choices=("local", "dask"), default="local", help="where the work runs")
    group.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster, as in tcp://host:8786")
    add_settings(parser, words)
    add_output(parser, FORMATS)


def _sizes(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected whole numbers separated by commas, found {text!r}") from None


def run(args: Namespace) -> int:
    """Study, and print."""
    from assay.studies.study import reliability

    format = format_of(args.format, args.output)
    scores = scores_of(args)
    study = reliability(
        scores,
        [m.name for m in scores.measures] if args.measures else None,
        size=[size for sizes in args.size for size in sizes] if args.size else None,
        trials=args.trials,
        seed=scores.settings.seed,
        rule=args.rule,
        confidence=args.confidence,
        no_swap=args.no_swap,
        discrimination=("bootstrap", "tukey") if args.discrimination else (),
        executor=args.executor,
        scheduler=args.scheduler,
        processes=True,
        progress=progress_bar("trials"),
    )
    for measure in study.measures.values():
        if measure.missing or measure.undefined:
            tell(
                f"{measure.name}: of {len(study.runs)} x {len(scores.topics)} cells {measure.missing} are missing and "
                f"{measure.undefined} undefined; what they count is said by --missing and --undefined"
            )
    if format == "json":
        write(to_json(study.to_dict()), args.output)
    elif format == "table":
        from assay.reports.results import text

        write(text(study), args.output)
    else:
        write(render(format, *study.rows()), args.output)
    return 0
