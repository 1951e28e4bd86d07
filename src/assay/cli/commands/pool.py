"""assay pool: choose documents to judge, or leave each team out of a judged pool."""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file
from assay.cli.options import add_name_by, notify
from assay.cli.output import ENDINGS, FORMATS, add_output, add_verbose, format_result, get_format, show, write
from assay.cli.progress import progress_bar
from assay.errors import UsageError
from assay.io.atomic_files import is_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser

POOL_FORMATS = ("jsonl", *FORMATS, "prels", "strata")
OF_A_POOL = ("strategy", "budget", "p", "strata", "exclude", "grades", "seed")
"""Options that choose documents and cannot be combined with --judged."""


def add_options(parser: Parser) -> None:
    """Add the options of `assay pool`."""
    from assay.collections.pools.pool_depth import DEFAULT_POOL_DEPTH, SHARE, WHOLE_DEPTH

    runs = "run files, folders or globs; .gz .xz .zst .bz2 are read directly; - for standard input"
    parser.add_argument("runs", type=input_file, metavar="RUN", nargs="+", help=runs)
    group = parser.add_argument_group("documents")
    strategies = (
        "depth: the first --depth of every run (default); rbp: the highest sums of (1-p)p^(rank-1) over the runs; "
        "mtf: move-to-front, which stays with a run while its documents are relevant in --exclude or --grades "
        "(without judgments, every run in turn); sample: a stratified sample, for statAP and xinfAP"
    )
    group.add_argument("--strategy", choices=("depth", "rbp", "mtf", "sample"), help=strategies)
    group.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help=f"the first N documents of each run and topic (default {DEFAULT_POOL_DEPTH})",
    )
    group.add_argument("--budget", type=int, metavar="N", help="judge at most N documents of each topic")
    group.add_argument("-p", type=float, metavar="P", help="persistence of rbp (default 0.8)")
    default = f"{WHOLE_DEPTH}:1,{DEFAULT_POOL_DEPTH}:{SHARE}"
    strata = (
        f"strata of a sample by a document's best rank: DEPTH:SHARE,… (default {default}, the last as deep as --depth)"
    )
    group.add_argument("--strata", metavar="D:S,…", help=strata)
    known = "qrels whose documents are judged already and excluded; repeatable"
    group.add_argument("--exclude", action="append", type=input_file, metavar="FILE", help=known)
    grades = "qrels that steer mtf, or the grades of a judged sample (-o FILE.prels, FILE.strata)"
    group.add_argument("--grades", type=input_file, metavar="FILE", help=grades)
    group.add_argument("--seed", type=int, metavar="N", help="seed of everything random (default 0)")
    whose = parser.add_argument_group("runs and teams")
    table = "a TOML table per run, [NAME]: its organisation, and its priority within its team"
    whose.add_argument("--characteristics", type=input_file, metavar="FILE.toml", help=table)
    add_name_by(whose)
    pattern = "a regular expression that matches the team at the start of a run's name (default: a run is its own team)"
    whose.add_argument("--team-from", metavar="REGEX", help=pattern)
    few = "how many runs of a team contribute: those of the lowest priority, else the first"
    whose.add_argument("--runs-per-team", type=int, metavar="N", help=few)
    carry = parser.add_argument_group("leave one team out")
    carry.add_argument(
        "--judged", type=input_file, metavar="QRELS", help="leave every team out of the judged pool in turn"
    )
    carry.add_argument("-m", "--measure", metavar="MEASURE", help="the measure that ranks the runs (default AP)")
    carry.add_argument("--level", type=int, default=1, metavar="N", help="lowest grade that is relevant (default 1)")
    where = "write here instead of to standard output; FOLDER/ gets a file of ids per topic"
    add_output(parser, POOL_FORMATS, "jsonl, and table with --judged", where)
    add_verbose(parser, "with --judged: every run without its own team, and the chart of it")


def run(args: Namespace) -> int:
    """Build the pool, or leave teams out of a judged one, and print."""
    team_options = {
        "characteristics": args.characteristics,
        "team_from": args.team_from,
        "runs_per_team": args.runs_per_team,
    }
    team_options |= {"name_by": args.name_by, "level": args.level, "progress": progress_bar("runs")}
    if args.judged is not None:
        from assay.collections.pools.pool_depth import DEFAULT_POOL_DEPTH

        _refuse(args)
        measure = args.measure or "AP"
        depth = DEFAULT_POOL_DEPTH if args.depth is None else args.depth
        get_format(args)
        left_out = assay.left_out(args.judged, args.runs, measure, depth=depth, **team_options)
        for line in left_out.remarks:
            notify(line)
        show(args, left_out)
        return 0
    if args.measure is not None:
        raise UsageError("-m needs --judged QRELS, which ranks the runs")
    folder: str | None = args.output if args.output is not None and is_folder(args.output) else None
    form = _form(args, folder is not None)
    chosen = {name: getattr(args, name) for name in OF_A_POOL if getattr(args, name) is not None}
    pool = assay.pool(args.runs, depth=args.depth, **chosen, **team_options)
    if folder is not None:
        pool.save(folder)
    elif form in FORMATS:
        write(format_result(pool, form, raw=args.raw_csv), args.output)
    else:
        write(pool.in_form(form), args.output)
    for line in pool.remarks:
        notify(line)
    if form != "table":  # a table begins with it
        notify(pool.finding)
    return 0


def _form(args: Namespace, folder: bool) -> str:
    """Return the format of the pool; refuse one that cannot be written before any work."""
    if folder:
        if args.format is not None:
            raise UsageError(
                f"-f {args.format}: {args.output} is a folder, which gets a file per topic. Fix: leave -f out, or name a file"
            )
        return ""
    ending = (args.output or "").rpartition(".")[2].lower()
    form = args.format or ENDINGS.get(ending) or (ending if ending in POOL_FORMATS else "jsonl")
    if form in ("prels", "strata") and (args.strategy != "sample" or args.grades is None):
        raise UsageError(f"the format {form} needs --strategy sample and --grades QRELS: it holds a judged sample")
    if form == "parquet":
        get_format(args)
    return form


def _refuse(args: Namespace) -> None:
    for name in OF_A_POOL:
        if getattr(args, name) is not None:
            flag = "-p" if name == "p" else f"--{name}"
            raise UsageError(f"{flag} cannot be combined with --judged: it chooses documents to judge")
    if args.format in ("jsonl", "prels", "strata"):
        raise UsageError(f"-f {args.format} cannot be combined with --judged; expected one of {', '.join(FORMATS)}")


COMMAND = Command(
    name="pool",
    summary="choose the documents to judge, or leave each team out of a judged pool",
    group="Organise",
    after="check",
    results=(
        "assay.collections.pools.pool.Pool",
        "assay.collections.pools.leave_one_out.LeftOut",
    ),
    description=(
        "Choose the documents of runs to judge: merged, each once, in random order, without the runs that returned them. "
        "With --judged, leave each team out of the pool: the documents it alone contributed, and every run's score and rank without it."
    ),
    examples="""examples:
  assay pool runs/ --depth 100 -o pool.jsonl                          the first 100 of every run
  assay pool runs/ --strategy rbp --budget 50 -o assessors/           50 per topic, a file per topic
  assay pool runs/ --strategy mtf --budget 20 --exclude qrels.txt     the next 20 per topic, from the judgments so far
  assay pool runs/ --strategy sample --strata 10:1,100:0.1            all of the first 10, a tenth of the others
  assay pool runs/ --judged qrels.txt --team-from '[a-z]+'            leave every team out in turn

To score with a judged sample, draw it again from the same runs, strata and seed with its grades:
--strategy sample --strata 10:1,100:0.1 --grades qrels.txt -o judged.prels (or .strata), which
assay evaluate reads.
""",
    common=("--strategy", "--depth", "--budget", "--exclude", "--seed", "--judged", "--characteristics"),
    add_options=add_options,
    run=run,
)
