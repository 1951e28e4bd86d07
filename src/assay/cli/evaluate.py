"""assay evaluate: score runs against gold."""

from __future__ import annotations

from assay.cli.intervals import add_intervals, intervals_of, into_json, with_columns
from assay.cli.options import add_settings, add_sources, evaluate_arguments, tell
from assay.cli.outcomes_options import add_outcomes, remarks
from assay.cli.output import add_output, format_of, frame_backend, parquet, render, to_json, write
from assay.cli.track_options import add_tracks, describe_runs, figure_data, figure_format
from assay.cli.track_tables import has_table, second_table
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from assay.measures.declare import Measure
    from assay.table import Scores, Value

EPILOG = """examples:
  assay evaluate qrels.txt bm25.run dense.run                 a table, the best of each column marked *
  assay evaluate qrels.txt runs/ -m AP -m nDCG@10 -q          per topic
  assay evaluate qrels.txt runs/*.xz -f json -o scores.json
  zcat big.run.gz | assay evaluate qrels.txt -
  assay evaluate gold.jsonl runs/*.jsonl --by type            answers with non-response, a table per question type
  assay evaluate --judged graded.csv --rankings               each measure's ranking of runs that carry outcomes
"""


def add_parser(subparsers: Any) -> None:
    """The options of `assay evaluate`."""
    from assay.cli.help import formatter

    parser = subparsers.add_parser(
        "evaluate",
        help="score runs against gold",
        description="Score runs against gold: a row per run, a column per measure.",
        epilog=EPILOG,
        formatter_class=formatter,
    )
    add_sources(parser)
    parser.add_argument("-q", "--per-topic", action="store_true", help="a row per run and topic")
    add_intervals(parser)
    add_settings(parser)
    add_outcomes(parser)
    add_tracks(parser)
    add_output(parser)


def run(args: Namespace) -> int:
    """Score, and print."""
    format = figure_format(args.format, args.output) if args.figures else format_of(args.format, args.output)
    backend = frame_backend() if format == "parquet" else ""
    grouped = args.by or args.rankings
    if grouped and (format == "parquet" or args.per_topic):
        other = "-f parquet holds the table of topics" if format == "parquet" else "-q asks for rows per topic"
        raise UsageError(f"--by and --rankings make tables of their own, and {other}: give one or the other")
    scores = evaluate_arguments(args)
    if args.characteristics:
        for line in describe_runs(scores, args.characteristics):
            tell(line)
    values = {run: {m.name: scores.value(run, m) for m in scores.measures} for run in scores.runs}
    _remarks(scores, values)
    intervals = intervals_of(scores) if args.intervals else {}
    if grouped:
        from assay.cli.outcomes_tables import write_tables

        write_tables(args, scores, format, into_json(intervals, _result(args, scores, values)))
    elif format == "json":
        write(to_json(into_json(intervals, _result(args, scores, values))), args.output)
    elif format == "parquet":
        write(parquet(scores.to_frame(backend)), args.output)
    else:
        header, rows = _per_topic(scores, values) if args.per_topic else _summary(scores, values)
        best = set[tuple[int, int]]() if args.per_topic else _best(scores.measures, rows, first_column=2)
        if intervals and not args.per_topic:
            header, rows, place = with_columns(intervals, header, rows, format)
            best = {(row, place[column]) for row, column in best}
        pieces = [render(format, header, rows, best)]
        if has_table(scores.task, args):
            pieces.append(render(format, *second_table(scores)))
        write("\n".join(pieces), args.output)
    return 0


def _summary(scores: Scores, values: dict[str, dict[str, Value]]) -> tuple[list[str], list[list[Any]]]:
    header = ["run", "topics", *(m.name for m in scores.measures)]
    rows = [[run, max(v.topics for v in row.values()), *(v.value for v in row.values())] for run, row in values.items()]
    return header, rows


def _per_topic(scores: Scores, values: dict[str, dict[str, Value]]) -> tuple[list[str], list[list[Any]]]:
    """A row per topic, and one called `all` with the run's average, as trec_eval -q has it."""
    names = scores.per_topic
    header = ["run", "topic", *names]
    rows: list[list[Any]] = []
    for run in scores.runs:
        columns = [scores.shown(run, name) for name in names]
        rows += [[run, topic, *cells] for topic, *cells in zip(scores.topics, *columns, strict=True)]
        rows.append([run, "all", *(values[run][name].value if name in values[run] else "" for name in names)])
    return header, rows


def _best(measures: list[Measure], rows: list[list[Any]], first_column: int) -> set[tuple[int, int]]:
    """The best cell of each column, ties included; none where a measure has no better or worse, or for one run."""
    best: set[tuple[int, int]] = set()
    for column, measure in enumerate(measures, first_column):
        present = [row[column] for row in rows if row[column] is not None]
        direction = measure.declaration.higher_is_better
        if direction is None or len(rows) < 2 or not present:
            continue
        top = max(present) if direction else min(present)
        best |= {(r, column) for r, row in enumerate(rows) if row[column] == top}
    return best


def _result(args: Namespace, scores: Scores, values: dict[str, dict[str, Value]]) -> dict[str, Any]:
    result = as_json(scores, values, args.per_topic)
    if args.figures:
        result["figures"] = figure_data(scores)
    return result


def as_json(scores: Scores, values: dict[str, dict[str, Value]], per_topic: bool) -> dict[str, Any]:
    """The documented shape: task, settings, and per run its scores, denominators and counts of missing and undefined."""
    from assay import __version__

    runs: list[dict[str, Any]] = []
    for run, row in values.items():
        columns = scores.run(run)
        entry: dict[str, Any] = {
            "run": run,
            "file": columns.file,
            "scores": {name: v.value for name, v in row.items()},
            "denominators": {name: v.topics for name, v in row.items()},
            "missing": sum(columns.missing),
            "undefined": {name: v.undefined for name, v in row.items()},
            **columns.notes,
        }
        if per_topic:
            names = scores.per_topic
            entry["topics"] = {
                topic: dict(zip(names, cells, strict=True))
                for topic, *cells in zip(scores.topics, *(scores.shown(run, name) for name in names), strict=True)
            }
        runs.append(entry)
    return {"assay": __version__, "task": scores.task, "settings": scores.settings.as_dict(), "runs": runs}


def _remarks(scores: Scores, values: dict[str, dict[str, Value]]) -> None:
    """What a careful reader would want to know about the topics behind the numbers, on standard error."""
    counted = {"zero": "counted as 0", "skip": "left out", "common": "left out for all runs"}
    for run in scores.runs:
        columns = scores.run(run)
        gone = sum(columns.missing)
        if gone:
            how = counted.get(scores.settings.missing, f"counted as {scores.settings.missing}")
            tell(f"{run}: {gone} of {len(scores.topics)} topics missing, {how} (--missing)")
        for line in (*columns.notes.get("warnings", ()), *remarks(run, columns.notes)):
            tell(line)
        ignored = columns.notes.get("ignored_topics")
        if ignored:
            tell(f"{run}: {ignored} topics without judgments ignored")
    for rule in dict.fromkeys(scores.run(run).notes.get("judging") for run in scores.runs):
        if rule:
            tell(f"judged by: {rule}")
    for measure in scores.measures:
        most = max(values[run][measure.name].undefined for run in scores.runs)
        if most and measure.level == "topic":
            how = counted[scores.settings.undefined]
            if scores.settings.undefined == "skip":
                over = sorted({values[run][measure.name].topics for run in scores.runs})
                how += f", so that its average is over {' to '.join(map(str, (over[0], over[-1])[: len(over)]))} topics"
            tell(f"{measure.name} is undefined on {most} topics ({measure.declaration.undefined}), {how} (--undefined)")
