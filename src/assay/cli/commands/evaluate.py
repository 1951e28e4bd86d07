"""assay evaluate: score runs against gold."""

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
    notify_grouped,
    open_workers,
)
from assay.cli.output import FORMATS, SEPARATORS, add_output, get_format, parquet, render, to_json, write
from assay.cli.progress import progress_bar
from assay.errors import UsageError, counted
from assay.reports import tables
from assay.reports.results import directions, leaderboard, stars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from assay import Scores
    from assay.analyses.suites.result import Suite
    from assay.cli.parser import Namespace, Parser
    from assay.table.results import Listing
    from assay.table.run_scores import Value

EVERY_EVAL_EVER = "every-eval-ever"
"""The format of records of Every Eval Ever."""
VALIDATION = "validation_F"
"""The measure that adds the table of validation."""


def add_options(parser: Parser) -> None:
    """Add the options of `assay evaluate`."""
    add_sources(parser)
    parser.add_argument("-q", "--per-topic", action="store_true", help="a row per run and topic")
    by = "a row per value of a field of the gold, such as type or language; repeatable, for combinations"
    parser.add_argument("--by", metavar="FIELD", action="append", default=[], help=by)
    groups = (
        "leaderboard and median within each value of a characteristic of runs, such as language (--characteristics)"
    )
    parser.add_argument("--group-by", metavar="FIELD", help=groups)
    micro = "for several tasks: also pool all questions, so that a large task weighs more"
    parser.add_argument("--micro", action="store_true", help=micro)
    parser.add_argument("--rankings", action="store_true", help="each measure's ranking of the runs, ties as 5..14")
    figures = "add the data behind the report's tables and charts to the JSON"
    parser.add_argument("--figures", action="store_true", help=figures)
    intervals = "add 95%% intervals (`assay compare` has those of differences)"
    parser.add_argument("--intervals", action="store_true", help=intervals)
    judged = "for each measure, the share of its documents that are judged, and the number that are not"
    parser.add_argument("--judged-info", action="store_true", help=judged)
    bounds = (
        "the lowest and highest value of each number: with the unjudged documents that the run retrieved as non-relevant, or of "
        "the highest grade"
    )
    parser.add_argument("--bounds", action="store_true", help=bounds)
    add_execution(parser)
    where = "write here instead of to standard output; every-eval-ever: a new folder, with a line for every answer too"
    add_output(parser, (*FORMATS, EVERY_EVAL_EVER), where=where)
    add_settings(parser)


def run(args: Namespace) -> int:
    """Score the runs and print the table."""
    format = _figure_format(args) if args.figures else get_format(args)
    _check(args, format)
    grouped = args.by or args.rankings
    keep = bool(
        format == EVERY_EVAL_EVER
        or grouped
        or args.figures
        or args.judged_info
        or args.bounds
        or VALIDATION in (args.measures or ())
    )
    with open_workers(args) as executor:
        scores = get_scores(args, keep, executor)
    if grouped and not args.measures:
        scores = assay.figures.with_measures_for(scores, "rankings" if args.rankings else "by")
    if args.judged_info:
        scores = assay.figures.with_judged(scores)
    for line in scores.undefined():
        notify(line)
    suites = _suites(args, scores, format)
    # The pooled numbers of a suite, and their intervals, are printed with --micro only.
    pooled = args.intervals and not args.by and (args.micro or not suites)
    intervals = {m.name: assay.run_intervals(scores, m) for m in scores.measures} if pooled else {}
    if format == "json":
        result = _result(args, scores, intervals, suites)
        write(_json_of_topics(scores, result) if args.per_topic else to_json(result), args.output)
    elif format == "parquet":
        write(parquet(scores), args.output)
    elif format == EVERY_EVAL_EVER:
        _write_records(args, scores, intervals)
    else:
        write("\n".join(_tables(args, scores, intervals, suites, format)), args.output)
    return 0


def _check(args: Namespace, format: str) -> None:
    """Refuse options that would be ignored."""
    grouped = args.by or args.rankings
    if format == EVERY_EVAL_EVER:
        for flag, value in (
            ("--by", args.by), ("--rankings", args.rankings), ("--group-by", args.group_by), ("--bounds", args.bounds),
            ("-q", args.per_topic), ("--micro", args.micro), ("--judged-info", args.judged_info), ("--store", args.store),
            ("--executor", args.workers),
        ):  # fmt: skip
            if value:
                raise UsageError(f"{flag} cannot be combined with -f {EVERY_EVAL_EVER}")
        if (args.output or "").endswith((".json", ".jsonl")):
            raise UsageError(
                f"-o {args.output}: -f {EVERY_EVAL_EVER} writes a folder, a file per run and one of its answers. Fix: name a folder"
            )
    if args.intervals and (args.rankings or args.per_topic or format == "parquet"):
        raise UsageError("--intervals cannot be combined with -q, --rankings or -f parquet")
    if grouped and (format == "parquet" or args.per_topic):
        raise UsageError("--by and --rankings cannot be combined with -q or -f parquet")
    if args.bounds and (grouped or args.per_topic or args.intervals or args.judged_info or format == "parquet"):
        raise UsageError(
            "--bounds cannot be combined with -q, --by, --rankings, --intervals, --judged-info or -f parquet"
        )
    if args.group_by and (
        grouped or args.per_topic or args.intervals or args.bounds or args.micro or format == "parquet"
    ):
        raise UsageError(
            "--group-by cannot be combined with -q, --by, --rankings, --intervals, --bounds, --micro or -f parquet"
        )
    if (args.store or args.workers) and (args.figures or args.judged_info or args.bounds):
        raise UsageError(
            "--store and --executor cannot be combined with --figures, --judged-info or --bounds, which read the runs themselves"
        )
    if args.workers and args.scores:
        raise UsageError("--executor cannot be combined with --scores, which are scored already")
    if args.micro and (grouped or args.per_topic or format == "parquet"):
        raise UsageError("--micro cannot be combined with -q, --by, --rankings or -f parquet")


def _write_records(args: Namespace, scores: Scores, intervals: Mapping[str, Any]) -> None:
    """Print the record of every run, or write a folder with those of the answers too."""
    from assay.io.sources import source_of
    from assay.reports import every_eval_ever

    dataset = source_of(args.sources[0]).stem if args.sources and args.sources[0] != "-" else "unknown"
    if args.output in (None, "-"):
        write(every_eval_ever.to_lines(scores, dataset, intervals), None)
        return
    count, answers = every_eval_ever.save(args.output, scores, dataset, intervals)
    notify(f"wrote {args.output}: {counted(count, 'record')}, {counted(answers, 'answer')}")


def _suites(args: Namespace, scores: Scores, format: str) -> list[Suite]:
    """Return the leaderboard of each measure of -m, or of the headline measure; none if the table is no suite."""
    if args.by or args.rankings or args.group_by or args.per_topic or format in ("parquet", EVERY_EVAL_EVER):
        return []
    if not scores.is_suite:
        if args.micro:
            raise UsageError("--micro needs several tasks: the gold has no field `task` with several values")
        return []
    names = named_measures(args, scores) or [None]
    suites = [assay.suite(scores, name, micro=args.micro, intervals=args.intervals) for name in names]
    if format != "table":
        notify_grouped(((suite.measure, note) for suite in suites for note in suite.notes), "measure")
    return suites


def _figure_format(args: Namespace) -> str:
    """Return json, the format of --figures; refuse another."""
    chosen = get_format(args)
    if args.format not in (None, "json") or (args.output is not None and chosen not in ("table", "json")):
        raise UsageError(f"--figures needs -f json, not {chosen}")
    return "json"


def _tables(
    args: Namespace, scores: Scores, intervals: dict[str, Any], suites: list[Suite], format: str
) -> Iterator[str]:
    """Yield the printed tables one by one."""
    if args.by or args.rankings or args.bounds or args.group_by:
        for listing in _listings(args, scores, matrix=format not in ("csv", "tsv")).values():
            cells = listing.rows() if format in ("csv", "tsv") else (listing.titles, listing.shown)
            yield render(format, *cells, raw=args.raw_csv)
        return
    yield from _leaderboards(suites, format, args.raw_csv)
    # A CSV file holds one table, and its column has the pooled numbers.
    if suites and (not args.micro or format in ("csv", "tsv")):
        return
    values = scores.summary()
    if args.per_topic:
        names = scores.per_topic
        header = ["run", "topic" if format in SEPARATORS else scores.task.noun, *names]
        if format in SEPARATORS:
            yield tables.separated_columns(
                header, _columns_by_run(scores, names, values), SEPARATORS[format], raw=args.raw_csv
            )
        else:
            yield render(format, header, _per_topic(scores, names, values))
        return
    together = format in ("table", "markdown", "latex")
    header, rows, best = leaderboard(scores, values, intervals, together=together)
    below = stars(scores, header, best) + directions(scores) if format == "table" else ""
    yield render(format, header, rows, best, raw=args.raw_csv) + below
    if together and intervals and _states_calibration(scores):
        yield render(format, *_calibration(scores))
    if together and (decisions := _validation(scores)) is not None:
        yield render(format, *decisions.rows())
    if scores.task.second_table:
        second = assay.figures.second_table(scores, bool(args.measures))
        if second is not None:
            yield render(format, *second, raw=args.raw_csv)


def _leaderboards(suites: list[Suite], format: str, raw: bool) -> Iterator[str]:
    """Yield the leaderboards of suites; as CSV or TSV, one table of all measures."""
    if format == "table":
        from assay.reports.results import text

        yield from map(text, suites)
    elif format in ("csv", "tsv"):
        boards = [suite.board(together=False) for suite in suites]
        if boards:
            yield render(format, boards[0][0], [row for _, rows, _ in boards for row in rows], raw=raw)
    else:
        for suite in suites:
            yield render(format, *suite.board())


def _states_calibration(scores: Scores) -> bool:
    """Return whether a calibration error, which says little without its test, is among the measures."""
    return any(m.is_calibration_error for m in scores.measures)


def _validation(scores: Scores) -> Listing | None:
    """Return the acceptance of candidates, with baselines, if validation_F is among the measures."""
    is_asked_for = any(measure.declaration.name == VALIDATION for measure in scores.measures)
    return assay.figures.validation(scores) if is_asked_for else None


def _calibration(scores: Scores) -> tuple[list[str], list[list[Any]]]:
    """Return a table of tests whether each run is calibrated."""
    header = ["run", "answers", "ECE", "without chance", "95% interval", "p", "calibrated?"]
    rows: list[list[Any]] = []
    for run, calibration in assay.calibrations(scores).items():
        if calibration is None:
            rows.append([run, 0, None, None, "n/a", None, "no confidences"])
            continue
        verdict = "consistent with it" if calibration.calibrated else "no"
        ends = f"[{calibration.interval[0]:.4f}, {calibration.interval[1]:.4f}]"
        rows.append([run, calibration.n, calibration.ece, calibration.debiased, ends, calibration.p, verdict])
    return header, rows


def _per_topic(scores: Scores, names: Sequence[str], values: Mapping[str, Mapping[str, Value]]) -> list[list[Any]]:
    """Return a row per topic, and one called `all` with the run's average, as trec_eval -q."""
    return [list(row) for columns in _columns_by_run(scores, names, values) for row in zip(*columns, strict=True)]


def _columns_by_run(
    scores: Scores, names: Sequence[str], values: Mapping[str, Mapping[str, Value]]
) -> Iterator[list[Sequence[Any]]]:
    """Yield the same rows as the columns of each run."""
    topics = [*scores.topics, "all"]
    for run, row in values.items():
        columns = ([*scores.cells(run, name), row[name].value if name in row else ""] for name in names)
        yield [[run] * len(topics), topics, *columns]


def _result(args: Namespace, scores: Scores, intervals: dict[str, Any], suites: list[Suite]) -> dict[str, Any]:
    """Return the JSON of the table without its topics, with the results of other options."""
    result: dict[str, Any] = scores.to_dict(per_topic=False)
    if suites:
        result["suite"] = suites[0].to_dict()
    if len(suites) > 1:
        result["suites"] = [suite.to_dict() for suite in suites]
    if intervals and _states_calibration(scores):
        calibrated = assay.calibrations(scores).items()
        result["calibration"] = {
            run: suite and {**vars(suite), "sentence": suite.sentence} for run, suite in calibrated
        }
    if (decisions := _validation(scores)) is not None:
        result["validation"] = decisions.to_dict()
    for entry in result["runs"] if intervals else ():
        ends = {name: by_run.get(entry["run"]) for name, by_run in intervals.items()}
        entry["intervals"] = {
            name: end
            and {"interval": [end.low, end.high], **{n: v for n, v in vars(end).items() if n not in ("low", "high")}}
            for name, end in ends.items()
        }
    if args.figures:
        from dataclasses import asdict

        figures = assay.figures.figures_of(scores)
        if figures is None:
            raise UsageError(f"--figures: the task {scores.task.name!r} has no figures")
        result["figures"] = asdict(figures)
    return {**result, **{name: listing.to_dict() for name, listing in _listings(args, scores).items()}}


def _json_of_topics(scores: Scores, result: Mapping[str, Any]) -> str | bytes:
    """Return the JSON with each run's topics."""
    from assay.cli.large_json import quick_topics

    quick = quick_topics(scores, result)
    if quick is not None:
        return quick
    runs = [
        {**entry, "topics": full["topics"]}
        for entry, full in zip(result["runs"], scores.to_dict()["runs"], strict=True)
    ]
    return to_json({**result, "runs": runs}, rows=len(scores.runs) * len(scores.topics))


def _listings(args: Namespace, scores: Scores, matrix: bool = False) -> dict[str, Listing]:
    """Return the tables that replace the leaderboard; one with many values as a `matrix`."""
    listings: dict[str, Listing] = {}
    if args.by and matrix and not args.intervals and assay.figures.many_values(scores, args.by):
        listings["by"] = assay.figures.matrices(scores, args.by, named_measures(args, scores))
    elif args.by:
        ends = {m.name: assay.intervals_by(scores, args.by, m) for m in scores.measures} if args.intervals else None
        listings["by"] = assay.figures.by_field(scores, args.by, ends)
    if args.rankings:
        listings["rankings"] = assay.figures.rankings(scores)
    if args.group_by:
        listings["groups"] = assay.figures.by_group(scores, args.group_by)
        lacking = next(
            (entry["group"] for entry in listings["groups"].to_dict()["groups"] if entry["group"]["value"] is None),
            None,
        )
        if lacking is not None:
            notify(f"runs in the group '{lacking['label']}': {', '.join(lacking['runs'])}")
    if args.bounds:
        listings["bounds"] = assay.figures.bounds(scores, progress_bar("runs"))
    return listings


COMMAND = Command(
    name="evaluate",
    summary="score runs against judgments or right answers",
    group="Score",
    results=("assay.table.scores.Scores",),
    description="Score runs against gold: a row per run, a column per measure.",
    examples="""examples:
  assay evaluate qrels.txt bm25.run dense.run                 a table, the best of each column marked *
  assay evaluate qrels.txt runs/ -m AP -m nDCG@10 -q          per topic
  assay evaluate qrels.txt runs/*.xz -f json -o scores.json
  zcat big.run.gz | assay evaluate qrels.txt -
  assay evaluate gold.jsonl runs/*.jsonl --by type            question answering, a table per question type
  assay evaluate gold.jsonl runs/ --characteristics runs.toml --group-by language     a leaderboard per language
  assay evaluate --judged graded.csv --by subject --by lang --intervals     crossed, with intervals
  assay evaluate gold.jsonl runs/ -m estimators               c@1 beside five other estimates (docs/estimators.md)
  assay evaluate logs/ -m c@1 --intervals                     a suite: a column per task, the macro mean over tasks
  assay evaluate logs/ --micro                                also all questions pooled, and every measure over them
  assay evaluate qrels.txt runs/ -m AP -m "AP'" --bounds       what unjudged documents could change
  assay evaluate qrels.txt runs/ --store scores/ -f csv       thousands of runs: score only new ones the next time
  assay evaluate logs/ -f every-eval-ever -o records/         records of Every Eval Ever, also of every answer
  assay evaluate --judged graded.csv --rankings               each measure's ranking of runs that carry outcomes
""",
    common=("-q", "--by", "--intervals", "--level", "--store"),
    add_options=add_options,
    run=run,
)
