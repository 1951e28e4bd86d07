"""assay items: difficult, useless and suspicious questions."""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import output_file
from assay.cli.options import add_settings, add_sources, get_scores, notify
from assay.cli.output import add_output, add_verbose, get_format, render, show, write
from assay.cli.progress import progress_bar
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay items`."""
    add_sources(parser, describes=False)
    group = parser.add_argument_group("items")
    group.add_argument("--top", type=int, default=10, metavar="N", help="how many of each kind to print (default 10)")
    irt = "also fit an item response model: one slope for all questions, or one for each; fragile below 20 runs"
    group.add_argument("--irt", choices=("1pl", "2pl"), help=irt)
    at = "with --irt: the ability at which to give the information of questions (default 0, the mean run)"
    group.add_argument("--theta", type=float, metavar="X", help=at)
    keep = "choose N questions that suffice, with the error on held-out runs; auto: the fewest that keep the ranking"
    group.add_argument("--keep", type=_number, metavar="N|auto", help=keep)
    group.add_argument("--tau", type=float, metavar="X", help="Kendall's tau that --keep auto must reach (default 0.9)")
    group.add_argument(
        "--write", type=output_file, metavar="FILE", help="with --keep: the ids and weights of those questions, as TSV"
    )
    add_output(parser)
    add_verbose(parser, "the chart of all questions, the hardest ones, and those on which all runs agree")
    add_settings(parser, without=("abstain_below",))


def _number(text: str) -> int | str:
    if text == "auto":
        return text
    try:
        return int(text)
    except ValueError:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected a whole number or auto, found {text!r}") from None


def run(args: Namespace) -> int:
    """Analyse every question and print the result."""
    if len(args.measures or []) > 1:
        raise UsageError("items need one measure; give -m once")
    if args.write and args.keep is None:
        raise UsageError("--write needs --keep, whose questions it writes")
    if args.theta is not None and not args.irt:
        raise UsageError("--theta needs --irt: it is an ability of that model")
    if args.tau is not None and args.keep != "auto":
        raise UsageError("--tau needs --keep auto")
    get_format(args)
    scores = get_scores(args)
    options = {name: value for name in ("theta", "tau") if (value := getattr(args, name)) is not None}
    result = assay.items(
        scores, scores.measures[0].name if args.measures else None, irt=args.irt,
        keep=args.keep, top=args.top, progress=progress_bar("steps"), **options,
    )  # fmt: skip
    for line in result.warnings:
        notify(line)
    if args.write and result.kept is not None:
        rows = [[topic, weight] for topic, weight in result.kept.items.items()]
        write(render("tsv", [result.noun, "weight"], rows, raw=args.raw_csv), args.write)
    show(args, result)
    return 0


COMMAND = Command(
    name="items",
    summary="difficult, useless and suspicious questions",
    group="Trust",
    after="plan",
    results=("assay.analyses.items.Items",),
    description=(
        "How hard each question is, how well it separates the runs, which questions are useless because all runs agree, and which are "
        "suspicious: good runs do badly on them, beyond chance after a correction for many questions. Often their gold is wrong. "
        "An unanswered question counts as wrong; a failed one is excluded."
    ),
    examples="""examples:
  assay items gold.jsonl runs/                          difficult, useless and suspicious questions
  assay items gold.jsonl runs/ --top 30 -f csv -o items.csv     every question with its numbers
  assay items qrels.txt runs/ -m nDCG@10                topics of ranked runs, by a measure
  assay items --judged graded.csv --irt 2pl -f json     an item response model of right and wrong
  assay items gold.jsonl runs/ --keep 100 --write kept.tsv
""",
    common=("--top", "--keep", "--write"),
    add_options=add_options,
    run=run,
)
