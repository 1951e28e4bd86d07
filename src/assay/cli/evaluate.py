"""assay evaluate: score runs against gold."""

from __future__ import annotations

from assay import policies
from assay.cli.describing import add_characteristics, described
from assay.cli.intervals import add_intervals, intervals_of, into_json
from assay.cli.options import add_settings, add_sources, scores_of, tell
from assay.cli.output import add_output, format_of, frame_backend, parquet, render, to_json, write
from assay.errors import UsageError
from assay.reports import beside
from assay.reports.results import leaderboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence
    from typing import Any

    from assay.notes import Notes
    from assay.table import Scores, Value

EPILOG = """examples:
  assay evaluate qrels.txt bm25.run dense.run                 a table, the best of each column marked *
  assay evaluate qrels.txt runs/ -m AP -m nDCG@10 -q          per topic
  assay evaluate qrels.txt runs/*.xz -f json -o scores.json
  zcat big.run.gz | assay evaluate qrels.txt -
  assay evaluate gold.jsonl runs/*.jsonl --by type            answers with non-response, a table per question type
  assay evaluate --judged graded.csv --rankings               each measure's ranking of runs that carry outcomes
"""


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
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
    parser.add_argument(
        "--by", metavar="FIELD", help="a row per value of a field of the gold, such as type or language"
    )
    parser.add_argument("--rankings", action="store_true", help="each measure's ranking of the runs, ties as 5..14")
    parser.add_argument(
        "--figures", action="store_true", help="the data behind the report's tables and graphs, under a key of the JSON"
    )
    add_characteristics(parser)
    add_intervals(parser)
    add_settings(parser, words)
    add_output(parser)


def run(args: Namespace) -> int:
    """Score, and print."""
    format = _figure_format(args) if args.figures else format_of(args.format, args.output)
    backend = frame_backend() if format == "parquet" else ""
    grouped = args.by or args.rankings
    if grouped and (format == "parquet" or args.per_topic):
        other = "-f parquet holds the table of topics" if format == "parquet" else "-q asks for rows per topic"
        raise UsageError(f"--by and --rankings make tables of their own, and {other}: give one or the other")
    scores = described(_grouped(scores_of(args), args), args.characteristics)
    values = scores.summary()
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
        if args.per_topic:
            header, rows, best = *_per_topic(scores, values), set[tuple[int, int]]()
        else:
            together = format in ("table", "markdown", "latex")
            header, rows, best = leaderboard(scores, values, intervals, together=together)
        pieces = [render(format, header, rows, best)]
        if _has_table(scores.task.name, args):
            pieces.append(render(format, *beside.of_task(scores)))
        write("\n".join(pieces), args.output)
    return 0


def _figure_format(args: Namespace) -> str:
    """Figures are JSON; any other format asked for is a mistake."""
    chosen = format_of(args.format, args.output)
    if args.format not in (None, "json") or (args.output is not None and chosen not in ("table", "json")):
        raise UsageError(f"--figures is data for programs and comes as JSON, not as {chosen}: -f json")
    return "json"


def _grouped(scores: Scores, args: Namespace) -> Scores:
    """The table with the measures that --by and --rankings are for, where no others are asked for."""
    if args.measures or not (args.by or args.rankings):
        return scores
    from assay.figures.outcomes import RANKING_MEASURES, by_measures
    from assay.scoring import chosen, extended

    names = RANKING_MEASURES if args.rankings else by_measures(scores)
    table = extended(scores, names)
    return table.with_runs((table.run(run) for run in table.runs), chosen(names, scores.task))


def _has_table(task: str, args: Namespace) -> bool:
    """Whether there is a second table: of series unless other measures are asked for, of periods if given."""
    if task == "context":
        return not args.measures and not args.per_topic
    return task == "filtering" and getattr(args, "periods", None) is not None


def _per_topic(scores: Scores, values: dict[str, dict[str, Value]]) -> tuple[list[str], list[list[Any]]]:
    """A row per topic, and one called `all` with the run's average, as trec_eval -q has it."""
    names = scores.per_topic
    header = ["run", "topic", *names]
    rows: list[list[Any]] = []
    for run in scores.runs:
        columns = [scores.column(run, name) for name in names]
        rows += [[run, topic, *cells] for topic, *cells in zip(scores.topics, *columns, strict=True)]
        rows.append([run, "all", *(values[run][name].value if name in values[run] else "" for name in names)])
    return header, rows


def _result(args: Namespace, scores: Scores, values: dict[str, dict[str, Value]]) -> dict[str, Any]:
    result = scores.to_dict(per_topic=args.per_topic)
    if args.figures:
        from dataclasses import asdict

        from assay.figures import figures_of

        result["figures"] = asdict(figures_of(scores))
    return result


def _remarks(scores: Scores, values: dict[str, dict[str, Value]]) -> None:
    """What a careful reader would want to know about the topics behind the numbers, on standard error."""
    noun, settings = scores.task.noun, scores.settings
    for run in scores.runs:
        given = scores.run(run)
        for line in _changed(run, given.notes):
            tell(line)
        if given.notes.ignored_topics:
            tell(f"{run}: {given.notes.ignored_topics} {noun}s without judgments ignored")
    for rule in dict.fromkeys(scores.run(run).notes.judging for run in scores.runs):
        if rule:
            tell(f"judged by: {rule}")
    for measure in scores.measures:
        most = max(values[run][measure.name].undefined for run in scores.runs)
        if most and measure.level == "topic":
            how = policies.remark(settings, "undefined")
            if policies.leaves_out_undefined(settings, measure):
                over = sorted({values[run][measure.name].topics for run in scores.runs})
                how += (
                    f", so that its average is over {' to '.join(map(str, (over[0], over[-1])[: len(over)]))} {noun}s"
                )
            tell(
                f"{measure.name} is undefined on {most} {noun}s ({measure.declaration.undefined}), {how} (--undefined)"
            )


def _changed(run: str, notes: Notes) -> Iterator[str]:
    """What was changed in a run before it was scored."""
    for count, text in (
        (notes.refusals, "answers match a refusal pattern and count as unanswered (--refusal)"),
        (notes.nil_answers, "questions have a NIL answer whose confidence was set (--nil-confidence)"),
        (notes.declined, "answers are withheld for their confidence (--abstain-below)"),
    ):
        if count is not None:
            yield f"{run}: {count} {text}"
