"""assay compare: which run is really better, with intervals, tests, corrections and tiers."""

from __future__ import annotations

import assay
from assay.cli import gate
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import (
    add_cluster,
    add_execution,
    add_settings,
    add_sources,
    get_directions,
    get_scores,
    get_settings,
    notify_grouped,
    open_workers,
    read_sources,
)
from assay.cli.output import (
    add_output,
    add_verbose,
    as_text,
    format_result,
    get_format,
    parquet,
    render,
    to_json,
    versions,
    write,
)
from assay.cli.progress import stage
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay import Scores
    from assay.analyses.comparison.by_group import Comparisons
    from assay.analyses.comparison.result import Comparison
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay compare`."""
    from assay.analyses.comparison import paired_tests
    from assay.stats import multiple_comparisons

    add_sources(parser)
    parser.add_argument(
        "--against",
        type=input_file,
        metavar="FILE",
        help="another score table: say how alike the two rank the runs they share",
    )
    group = parser.add_argument_group("comparisons")
    group.add_argument("--baseline", metavar="RUN", help="compare every run with this one only, without tiers")
    group.add_argument(
        "--human", type=input_file, metavar="LABELS",
        help="a machine judged: compare as people would, by labels of a part",
    )  # fmt: skip
    group.add_argument(
        "--pairs", action="append", default=[], metavar="A:B[,C:D...]", help="compare these pairs only; repeatable"
    )
    group.add_argument(
        "--reweight", metavar="FIELD",
        help="with --human: weigh labels like all questions by the values of this field, such as type, or by score, the machine's",
    )  # fmt: skip
    group.add_argument(
        "--by", metavar="FIELD", action="append", default=[],
        help="compare within each value of a field of the gold",
    )  # fmt: skip
    group.add_argument(
        "--group-by", metavar="FIELD",
        help="compare runs within each value of a characteristic of runs, such as language; tiers and correction are each group's own",
    )  # fmt: skip
    group.add_argument(
        "--fail-if-worse", nargs="?", type=_margin, const=0.0, metavar="MARGIN",
        help="exit 1 when a run is inferior to its baseline: its gain is surely below -MARGIN (default 0)",
    )  # fmt: skip
    group.add_argument(
        "--undecided", choices=("pass", "fail"), default="pass",
        help="what --fail-if-worse makes of bounds on both sides of -MARGIN (default pass, with a line that says so)",
    )  # fmt: skip
    group.add_argument(
        "--max-failed", type=float, default=0.05, metavar="SHARE",
        help="--fail-if-worse is undecided, with exit code 1, where a run's share of failed and missing questions exceeds its "
        "baseline's by more (default 0.05)",
    )  # fmt: skip
    group.add_argument(
        "--old", type=input_file, metavar="PATH", help="the run in use, for --fail-if-worse, in place of an argument"
    )
    group.add_argument("--new", type=input_file, metavar="PATH", help="the run proposed to replace it")
    group.add_argument(
        "--comment", type=output_file, metavar="FILE.md",
        help="also write what --fail-if-worse found as Markdown, with the questions that flipped: a comment for a pull request",
    )  # fmt: skip
    group.add_argument("--link", metavar="URL", help="where the report will be, for that comment")
    group.add_argument(
        "--same-within",
        type=_margin,
        metavar="D",
        help="also test whether runs differ by less than D (two one-sided tests)",
    )
    group.add_argument(
        "--top", type=int, metavar="N", help="name the runs that are surely, and possibly, among the first N"
    )
    group.add_argument(
        "--rank-of", action="append", metavar="RUN",
        help="also the interval of this run's rank by its pairs alone, which is narrower; for a run chosen beforehand; repeatable",
    )  # fmt: skip
    group.add_argument(
        "--incomplete", choices=("drop", "pairs"), default="drop",
        help="topics that some run lacks are left out for all (default), or each pair is compared on those that both have",
    )  # fmt: skip
    group.add_argument(
        "--cost", nargs="?", const=True, default=False, metavar="KIND",
        help="also which runs no other beats for less, and what a cheaper run gives up; KIND is cost, tokens, latency or a characteristic "
        "(default: the one that most runs have)",
    )  # fmt: skip
    how = parser.add_argument_group("statistics")
    how.add_argument(
        "--test",
        choices=tuple(paired_tests.declared()),
        help="the test that decides; all that apply are computed (default randomisation)",
    )
    how.add_argument(
        "--correct", choices=(*multiple_comparisons.declared(), "none"),
        help="for many comparisons: default maxt, or holm for a --test that is no randomisation",
    )  # fmt: skip
    how.add_argument(
        "--interval", choices=("auto", "shift", "studentised", "percentile"), default="auto",
        help="a bootstrap interval, and its p, instead of the interval of the test that decides",
    )  # fmt: skip
    how.add_argument("--confidence", type=float, default=0.95, metavar="P", help="of the intervals (default 0.95)")
    how.add_argument(
        "--family", choices=("pairs", "measures"), default="pairs",
        help="adjust for all pairs of each measure (default), or of all measures given with -m at once",
    )  # fmt: skip
    how.add_argument("--resamples", type=int, metavar="N", help="of sign flips, bootstrap and shuffles (default 10000)")
    how.add_argument(
        "--tie", type=float, default=0.0, metavar="D", help="differences smaller than D are ties of the sign test"
    )
    how.add_argument(
        "--over", choices=("questions", "tasks"), default="questions",
        help="what is a sample: the questions within fixed tasks (default), or the tasks, each of which is one observation",
    )  # fmt: skip
    add_cluster(how, "topics")
    how.add_argument(
        "--growing", action="store_true",
        help="also intervals that may be looked at after every topic of a growing log, in the order of the file",
    )  # fmt: skip
    how.add_argument("--growing-order", metavar="FIELD", help="the same, in the order of this field, such as a date")
    how.add_argument("--threads", type=int, metavar="N", help="all cores by default; the numbers do not depend on it")
    add_execution(parser)
    add_output(parser)
    parser.add_argument(
        "--show-pairs", choices=("leader", "all", "none"), default="leader",
        help="the pairs in the table: with the leader or baseline (default), all, none",
    )  # fmt: skip
    add_verbose(parser, "a sentence for each pair, all p-values, and how intervals were made")
    parser.add_argument(
        "--save-scores", type=output_file, metavar="FILE", help="also write the score table: .csv, .json or .parquet"
    )
    add_settings(parser)


def run(args: Namespace) -> int:
    """Compare, print, and fail the gate if there is one."""
    if args.against and get_format(args) not in ("table", "json"):
        raise UsageError(
            "--against adds how alike two tables rank the runs, which only the table and -f json have room for"
        )
    if args.characteristics and not args.save_scores and not args.group_by and not args.cost:
        raise UsageError(
            "--characteristics needs --group-by, --cost or --save-scores: a comparison of all runs does not use it"
        )
    if args.by and args.group_by:
        raise UsageError("--by groups topics and --group-by groups runs: give one of them")
    if (args.by or args.group_by) and args.against:
        raise UsageError(
            "--against compares two whole tables; it cannot be combined with --by or --group-by: give one of them"
        )
    if args.human is not None:
        return _compare_under_judge(args)
    if args.reweight is not None:
        raise UsageError(f"--reweight {args.reweight} needs --human")
    with open_workers(args) as executor:
        return _compare(args, executor)


NOT_WITH_HUMAN = (
    "scores", "against", "by", "group_by", "fail_if_worse", "old", "new", "comment", "same_within", "rank_of", "cost", "test", "correct",
    "tie", "growing", "growing_order", "save_scores", "characteristics", "store", "workers", "scheduler",
)  # fmt: skip
"""Options that a comparison corrected by people's labels has not."""


def _compare_under_judge(args: Namespace) -> int:
    """Compare runs that a machine judged as people would judge them, and print."""
    given = [
        f"--{name.replace('_', '-')}" for name in NOT_WITH_HUMAN if getattr(args, name) not in (None, False, [], 0.0)
    ]
    usual = {"family": "pairs", "interval": "auto", "over": "questions", "incomplete": "drop", "name_by": "tag"}
    given += [f"--{name.replace('_', '-')}" for name, value in usual.items() if getattr(args, name) != value]
    if given:
        raise UsageError(f"--human cannot be combined with {', '.join(given)}")
    if "-" in args.sources and len(args.measures or ()) > 1:
        raise UsageError("--human with several measures needs gold and runs as files, not as standard input")
    gold, runs, settings = read_sources(args) if args.sources else (None, None, get_settings(args))
    choices = {
        name: getattr(args, name)
        for name in ("baseline", "reweight", "confidence", "resamples", "top", "cluster", "threads", "task")
    }
    results: list[Comparison] = []
    for name in args.measures or [None]:
        stage(f"comparing runs by {name or 'the headline measure'} as people would judge")
        results.append(
            assay.compare(gold, name, runs=runs, human=args.human, pairs=_pairs(args.pairs), **choices, **settings)
        )
    notify_grouped(((result.measure, note) for result in results for note in result.notes), "measure")
    write(_format_comparisons(args, results, []), args.output)
    return 0


def _compare(args: Namespace, executor: Any) -> int:
    pairs = _pairs(args.pairs)
    if args.old or args.new:
        scores, pair = gate.get_old_and_new(args, executor)
    else:
        # The costs of questions are read from the runs, which are otherwise let go.
        scores, pair = get_scores(args, keep=bool(args.cost), executor=executor), None
    pairs = pairs if pair is None else [pair]
    gate.check(args, scores)
    names = (
        "baseline", "test", "correct", "interval", "confidence", "resamples", "tie", "threads", "top", "rank_of", "over", "incomplete",
        "cost",
    )  # fmt: skip
    choices: dict[str, Any] = {name: getattr(args, name) for name in names}
    choices["growing"] = args.growing_order or args.growing
    every = [m.name for m in scores.measures]
    names = every if args.measures or args.scores else [None]
    family = every if args.family == "measures" else None
    margins = {"margin": args.fail_if_worse, "max_failed": args.max_failed, "equivalence": args.same_within}
    if args.fail_if_worse is not None:
        from assay.analyses.comparison.by_group import count_pairs

        margins["verdicts"] = len(names) * count_pairs(
            scores, args.by or None, group_by=args.group_by, baseline=args.baseline, pairs=pairs
        )
    choices |= {"pairs": pairs, "cluster": args.cluster, "family": family, "executor": executor, **margins}
    choices |= {"group_by": args.group_by} if args.group_by else {}
    groups = args.by or args.group_by
    grouped: list[Comparisons] = []
    results: list[Comparison] = []
    for name in names:
        stage(f"comparing {len(scores.runs)} runs by {name or scores.measures[0].name}")
        if groups:
            grouped.append(assay.compare_by(scores, args.by or None, name, **choices))
        else:
            results.append(assay.compare(scores, name, **choices))
    # Groups of runs print their family, the first note, above their tables.
    printed = 1 if args.group_by and get_format(args) == "table" else 0
    notify_grouped(((r.measure, note) for r in [*grouped, *results] for note in r.notes[printed:]), "measure")
    alike = _agreement(results, _other(args) if args.against else None, args.against)
    code = 0 if args.fail_if_worse is None else gate.decide(results, grouped, args)
    # All are made before any is written: what cannot be made leaves no file behind.
    measures = [result.measure for result in [*grouped, *results]]
    saved = _format_scores(scores, measures, args.save_scores) if args.save_scores else None
    output = _format_comparisons(args, grouped or results, alike)
    comment = gate.comment(scores, grouped or results, args) if args.comment else None
    if saved is not None:
        write(saved, args.save_scores)
    if comment is not None:
        write(comment, args.comment)
    write(output, args.output)
    return code


def _pairs(texts: list[str]) -> list[tuple[str, str]] | None:
    pairs: list[tuple[str, str]] = []
    for text in (piece for word in texts for piece in word.split(",")):
        a, colon, b = text.partition(":")
        if not colon or not a or not b or ":" in b:
            raise UsageError(f"--pairs {text}: expected two runs as in A:B")
        pairs.append((a, b))
    return pairs or None


def _margin(text: str) -> float:
    from argparse import ArgumentTypeError

    try:
        margin = float(text)
    except ValueError:
        margin = -1.0
    if not 0 <= margin < float("inf"):
        raise ArgumentTypeError(
            f"expected a margin of 0 or more, found {text!r}; without a margin put the option last, or write --fail-if-worse=0"
        )
    return margin


def _other(args: Namespace) -> Scores:
    """Read the table of --against."""
    tables = [*([(args.scores, args.measures)] if args.scores else []), (args.against,)]
    return assay.read_scores(args.against, higher_is_better=get_directions(args, *tables)[-1])


def _agreement(results: list[Comparison], other: Scores | None, against: str | None) -> list[dict[str, Any]]:
    """Return how alike the measures, or this table and another, rank the runs."""
    upwards = {result.measure: result.upwards for result in results}
    names = list(upwards)
    pairs = [(x, y, upwards[y]) for i, x in enumerate(names) for y in names[i + 1 :]]
    rankings = [{"x": x, "y": y, **both} for x, y, values in pairs if (both := assay.agreement(upwards[x], values))]
    for measure in other.measures if other else ():
        values = other.upwards(measure) if other else {}
        y = f"{against}:{measure.name}" if measure.name in names else measure.name
        for x in names:
            both = assay.agreement(upwards[x], values)
            if both is None:
                raise InputError(f"{x} and {y} rank fewer than 2 runs in common, so there is no agreement to measure")
            rankings.append({"x": x, "y": y, **both})
    return rankings


def _format_scores(scores: Scores, names: list[str], path: str) -> str | bytes:
    """Return the score table behind the comparison, in the format of the file's ending."""
    ending = path.rpartition(".")[2].lower()
    if ending == "csv":
        if len(names) > 1:
            raise UsageError(
                f"--save-scores {path}: a CSV matrix holds one measure, not {len(names)}; use .json or .parquet"
            )
        return scores.to_csv(names[0])
    if ending in ("json", "parquet"):
        return to_json(scores.to_dict()) if ending == "json" else parquet(scores)
    raise UsageError(f"--save-scores {path}: expected a name that ends in .csv, .json or .parquet")


def _format_comparisons(
    args: Namespace, results: Sequence[Comparison | Comparisons], alike: list[dict[str, Any]]
) -> str | bytes:
    """Return one comparison as any result; several measures one after the other, or as a list."""
    format = get_format(args)
    if format == "json":
        dicts = [result.to_dict() for result in results]
        more = {"agreement": alike} if alike else {}
        body = dicts[0] if len(dicts) == 1 else {"comparisons": dicts}
        return to_json({**versions(), **body, **more}, sum(len(getattr(result, "pairs", ())) for result in results))
    if format == "table":
        from assay.reports.pages.comparison import agreement_section
        from assay.reports.text import sections_text

        parts = [as_text(args, result, pairs=args.show_pairs) for result in results]
        return "\n".join([*parts, sections_text([agreement_section(alike)])] if alike else parts)
    if len(results) == 1:
        return format_result(results[0], format, raw=args.raw_csv)
    if format == "parquet":
        raise UsageError("-f parquet holds one measure; give -m once")
    return render(format, *results[0].rows_of(results), raw=args.raw_csv)  # type: ignore[arg-type] - all of one kind


COMMAND = Command(
    name="compare",
    summary="which run is better, and which cannot be told apart",
    group="Compare",
    results=(
        "assay.analyses.comparison.result.Comparison",
        "assay.analyses.comparison.by_group.Comparisons",
    ),
    description="Which runs differ: intervals, tests corrected for many runs, and tiers.",
    examples="""examples:
  assay compare qrels.txt bm25.run dense.run -m nDCG@10         is dense better than bm25?
  assay compare gold.jsonl old.jsonl new.jsonl -m c@1 --fail-if-worse 0.01     a gate for CI: exit 1 if new is worse
  assay compare qrels.txt runs/ -m AP --baseline bm25 --correct holm
  assay compare qrels.txt runs/ -m AP -f csv -o pairs.csv       every pair, for a spreadsheet
  assay compare --scores adhoc8_ap.csv --pairs run125:run126 --tie 0.01
  assay compare logs/ -m c@1 --by task                          within each task of a suite, instead of macro means over tasks
  assay compare gold.jsonl runs/ --characteristics runs.toml --group-by language     tiers among the runs of each language
  assay compare --scores scores/ -m AP --executor dask --scheduler tcp://host:8786
  assay compare --scores ap.csv --against ndcg.csv              do the two tables rank the runs alike?
  assay compare graded.csv --human labels.csv -m c@1            a machine judged: which run would people call better?
  assay compare machine.qrels runs/ --human bob.qrels -m AP     the same of ranked runs; people judged some topics wholly

A difference is a - b: the second of two runs minus the first, a run minus the baseline, the better minus the worse.
""",
    common=(
        "--baseline",
        "--pairs",
        "--human",
        "--by",
        "--fail-if-worse",
        "--test",
        "--correct",
        "--confidence",
        "--show-pairs",
    ),
    exit_codes={1: "a run is worse (--fail-if-worse)"},
    add_options=add_options,
    run=run,
)
