"""assay plot: one chart as a file for a paper."""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import output_file
from assay.cli.options import add_settings, add_sources, get_scores, named_measures, notify, progress_bar
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay import Scores
    from assay.cli.parser import Namespace, Parser

OF_SCORES = ("leaderboard", "topics", "recall-precision", "reliability-diagram", "risk-coverage")
OF_COMPARISONS = ("ranks", "intervals")
OF_STUDIES = ("swap", "stability", "sizes", "significance")
OF_A_RUN = ("topics", "recall-precision", "reliability-diagram", "risk-coverage")
"""Kinds that show one run, or mark it."""
TRIALS = 1000
"""Default of --trials."""


def add_options(parser: Parser) -> None:
    """Add the options of `assay plot`."""
    kinds = (*OF_SCORES, *OF_COMPARISONS, *OF_STUDIES)
    parser.add_argument("kind", choices=kinds, metavar="KIND", help=", ".join(kinds))
    add_sources(parser, describes=False)
    group = parser.add_argument_group("picture")
    group.add_argument(
        "-o", "--output", type=output_file, metavar="FILE", required=True,
        help="FILE.svg, FILE.pdf (typeface embedded) or FILE.png (300 pixels to the inch)",
    )  # fmt: skip
    group.add_argument(
        "--width",
        default="160mm",
        metavar="LENGTH",
        help="84mm, 3.3in, 240pt or 600px (default 160mm); letters keep their size",
    )
    group.add_argument(
        "--height", type=float, metavar="N", help="height of the plot in pixels, of which 96 make an inch"
    )
    group.add_argument(
        "--run", dest="only", metavar="NAME", help=f"the run to show or to mark, of {', '.join(OF_A_RUN)}"
    )
    studies = parser.add_argument_group(f"resampling, of {', '.join(OF_STUDIES)}")
    studies.add_argument("--trials", type=int, metavar="N", help=f"random subsets of the topics (default {TRIALS})")
    studies.add_argument(
        "--size", type=int, action="append", metavar="N", help="topics in a subset; repeatable (default: half of all)"
    )
    add_settings(parser, without=("abstain_below",))


def run(args: Namespace) -> int:
    """Score the runs, draw the chart and write it."""
    from assay.reports.plots import check_ending, pixels

    check_ending(args.output)
    pixels(args.width)
    _check_options(args)
    scores = get_scores(args, keep=args.kind == "recall-precision")
    plot = _plotted(args, scores).plot(args.kind, **_options(args, scores))
    plot.save(args.output, args.width, args.height)
    notify(f"wrote {args.output}")
    return 0


def _check_options(args: Namespace) -> None:
    for name, value, kinds in (
        ("run", args.only, OF_A_RUN),
        ("trials", args.trials, OF_STUDIES),
        ("size", args.size, OF_STUDIES),
    ):
        if value is not None and args.kind not in kinds:
            raise UsageError(f"--{name} goes with {', '.join(kinds)}, not with {args.kind}")
    if args.height is not None and not 20 <= args.height <= 4000:
        raise UsageError(f"--height: expected 20 to 4000 pixels, found {args.height:g}")


def _plotted(args: Namespace, scores: Scores) -> Any:
    """Return the result that has the kind of plot."""
    measures = named_measures(args, scores)
    if args.kind in OF_SCORES:
        return scores
    if args.kind in OF_COMPARISONS:
        return assay.compare(scores, measures[0] if measures else scores.measures[0].name)
    return assay.reliability(
        scores, measures, trials=TRIALS if args.trials is None else args.trials, size=args.size,
        discrimination=("tukey",) if args.kind == "significance" else (), progress=progress_bar("trials"),
    )  # fmt: skip


def _options(args: Namespace, scores: Scores) -> dict[str, Any]:
    options = {"run": args.only} if args.kind in OF_A_RUN else {}
    if args.kind in ("leaderboard", "topics"):
        options["measure"] = scores.measures[0].name if args.measures else None
    return options


COMMAND = Command(
    name="plot",
    summary="one chart for a paper, as SVG, PDF or PNG",
    group="Score",
    after="report",
    description="Draw one chart of runs, their comparison, or the reliability of the evaluation.",
    examples=(
        "examples:\n"
        "  assay plot leaderboard qrels.txt runs/ -m AP -o leaderboard.pdf --width 84mm\n"
        "  assay plot ranks qrels.txt runs/ -m AP -o ranks.svg\n"
        "  assay plot swap qrels.txt runs/ -m AP --trials 500 -o swap.png\n"
    ),
    common=("-o", "--width", "--height", "--run", "--trials", "-m"),
    add_options=add_options,
    run=run,
)
