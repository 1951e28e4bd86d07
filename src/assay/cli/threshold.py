"""assay threshold: when should this system decline?"""

from __future__ import annotations

from assay.cli.options import add_settings, add_sources, load_plugins, settings_of, sources_of, tell
from assay.cli.output import add_output, format_of, render, to_json, write
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any


EPILOG = """examples:
  assay threshold gold.jsonl run.jsonl -m c@1
  assay threshold gold.jsonl run.jsonl -m CT@0.75 --folds 5 -f json
  assay threshold --judged graded.csv --run gpt-4o -m UF
"""
FORMATS = ("table", "json", "csv", "tsv")


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
    """The options of `assay threshold`."""
    from argparse import RawDescriptionHelpFormatter

    parser: ArgumentParser = subparsers.add_parser(
        "threshold",
        description="Find the confidence below which a system should decline to answer, by cross-validation, with the "
        "gain on held-out questions and its bootstrap interval. CSV and TSV hold the risk-coverage curve.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_sources(parser)
    add_settings(parser, words)
    group = parser.add_argument_group("the threshold")
    group.add_argument("--run", metavar="NAME", help="which run, where the files hold several")
    group.add_argument("--folds", type=int, default=10, metavar="N", help="folds of the cross-validation (default 10)")
    group.add_argument(
        "--resamples",
        "--trials",
        type=int,
        metavar="N",
        help="bootstrap resamples (default 2000; 200 for measures of a whole run)",
    )
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="X", help="of the gain's interval (default 0.95)"
    )
    add_output(parser, FORMATS)


def run(args: Namespace) -> int:
    """Choose, and print."""
    from assay import __version__
    from assay.stats.declining import threshold

    if getattr(args, "abstain_below", None) is not None:
        raise UsageError("--abstain-below belongs to `assay evaluate`")
    if args.task not in (None, "outcomes"):
        raise UsageError(f"--task {args.task}: only answers with a confidence can be declined")
    if len(args.measures or []) > 1:
        raise UsageError("a threshold is chosen for one measure; give -m once")
    load_plugins(args.plugin)
    format = format_of(args.format, args.output)
    gold, runs = sources_of(args)
    found = threshold(
        gold, runs, (args.measures or ["c@1"])[0], name=args.run, folds=args.folds, confidence=args.confidence,
        resamples=args.resamples, **settings_of(args),
    )  # fmt: skip
    for warning in found.warnings:
        tell(f"{found.run}: {warning}")
    if format == "json":
        write(to_json({"assay": __version__, **found.to_dict()}), args.output)
    elif format == "table":
        from assay.reports.results import text

        write(text(found), args.output)
    else:
        write(render(format, *found.rows()), args.output)
    return 0
