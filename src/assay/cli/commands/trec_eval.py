"""assay trec_eval: trec_eval's command line and output bytes.

`assay.measures.trec_eval_columns` maps its measures; docs/trec_eval.md lists the differences.
"""

from __future__ import annotations

import sys
from math import exp, log

from assay.cli.commands import Command
from assay.cli.options import notify
from assay.cli.output import write
from assay.cli.streams import say
from assay.errors import FormatError, InputError, UsageError, counted
from assay.io.escaping import data
from assay.io.sources import source_of
from assay.measures.trec_eval_columns import OutputColumn, columns, select_measures
from assay.table.missing_topics import GEOMETRIC_FLOOR
from assay.tasks.ranked_runs import rank_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    CoreColumns = Callable[[Sequence[tuple[str, int | None]]], list[Sequence[float | None]] | None]

USAGE = """usage: assay trec_eval [-h] [-q] [-m measure[.params]]... [-c] [-n] [-l NUM] [-J] [-M NUM] [-N NUM]
                       [-R FORMAT] [-T FORMAT] [-Z FILE] [-D NUM] [--compat 9] QRELS RUN

trec_eval 10.0's command line. RUN may be - for standard input, and compressed.

  -q  values for each topic too           -n  no summary
  -m  measure, with parameters after a dot: -m P.5,10 -m ndcg.1=3,2=9; repeatable. Sets of measures:
      official (the default), all_trec, set, prefs, all_prefs, qrels_jg
  -c  average over all topics of QRELS, those missing from RUN counting 0; without it they are left out
  -l  lowest grade that is relevant (1)   -J  drop unjudged documents first
  -M  documents per topic to look at      -N  documents in the collection (for utility)
  -R  format of QRELS: qrels, prefs, qrels_prefs, qrels_jg
  -T  format of RUN: trec_results         -Z  file of means and deviations: print z-scores
  -D  debug level; NUM.TOPIC evaluates that topic only          -o  accepted, means nothing
  -v  version                             -h  this help, and the documentation of the measures given by -m
  --compat 9   the numbers of trec_eval 9.0.8 (scores as float32, recall cutoffs by truncation, all_trec without rbp and unj)

example:
  assay trec_eval -q -c -M1000 -m all_trec qrels.txt bm25.run
"""

LONG = [
    "help", "version", "query_eval_wanted", "measure=", "complete_rel_info_wanted", "level_for_rel=", "nosummary",
    "Debug_level=", "Judged_docs_only", "Number_docs_in_coll=", "Max_retrieved_per_topic=", "Rel_info_format=",
    "Results_format=", "Output_old_results_format=", "Zscore=", "compat=",
]  # fmt: skip
SHORT = {
    "--help": "-h", "--version": "-v", "--query_eval_wanted": "-q", "--measure": "-m", "--complete_rel_info_wanted": "-c",
    "--level_for_rel": "-l", "--nosummary": "-n", "--Debug_level": "-D", "--Judged_docs_only": "-J",
    "--Number_docs_in_coll": "-N", "--Max_retrieved_per_topic": "-M", "--Rel_info_format": "-R", "--Results_format": "-T",
    "--Output_old_results_format": "-o", "--Zscore": "-Z", "--compat": "--compat",
}  # fmt: skip

FORMATS = {
    "qrels": ("ranked", "official"),
    "prefs": ("preferences", "prefs"),
    "qrels_prefs": ("preferences", "prefs"),
    "qrels_jg": ("judgment-groups", "qrels_jg"),
}
"""Values of -R: the task whose measures apply, and the default measures."""
MISSING_Z = -1000000.0
MAX_LONG = 2**63 - 1


class Options:
    """The flags of one call."""

    def __init__(self, arguments: Sequence[str]) -> None:
        from getopt import GetoptError, gnu_getopt

        try:
            pairs, self.files = gnu_getopt(list(arguments), "hvqm:cl:nD:JN:M:R:T:oZ:", LONG)
        except GetoptError as problem:
            raise UsageError(problem.msg) from None
        self.flags: set[str] = set()
        self.measures: list[str] = []
        values: dict[str, str] = {}
        for written, value in pairs:
            flag = SHORT.get(written, written)
            if flag == "-m":
                self.measures.append(value)
            elif value or flag in ("-l", "-M", "-N", "-R", "-T", "-Z", "-D", "--compat"):
                values[flag] = value
            else:
                self.flags.add(flag)
        self.level: int = _read_long(values.get("-l", "1"), "-l")
        self.depth: int | None = _read_long(values["-M"], "-M") if "-M" in values else None
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"-M {self.depth}: expected a whole number of at least 1")
        self.collection: int = _read_long(values.get("-N", "0"), "-N")
        self.relevance_format: str = values.get("-R", "qrels")
        self.zscores: str | None = values.get("-Z")
        self.only: str | None = values.get("-D", "").partition(".")[2] or None
        compat = values.get("--compat", "10")
        if compat not in ("9", "10"):
            raise UsageError(f"--compat {compat}: expected 9 or 10")
        self.compat: int = int(compat)
        if values.get("-T", "trec_results") != "trec_results":
            raise UsageError(f"-T {values['-T']}: expected trec_results")


def _read_long(text: str, flag: str) -> int:
    """Read the value of a flag as C reads a long, clipped to its range."""
    import re

    if not re.fullmatch("[+-]?[0-9]+", text):
        raise UsageError(f"{flag} {text}: expected a whole number")
    if len(text) > 20:
        return -MAX_LONG - 1 if text.startswith("-") else MAX_LONG
    return max(-MAX_LONG - 1, min(int(text), MAX_LONG))


def run(arguments: Sequence[str]) -> int:
    """Parse the arguments as trec_eval does, evaluate and print."""
    options = Options(arguments)
    task, default = FORMATS.get(options.relevance_format, ("", "official"))
    chosen = select_measures(options.measures or [default], options.compat)
    if "-h" in options.flags:
        _print_help(chosen if options.measures else [])
        return 0
    if "-v" in options.flags:
        from assay import __version__

        say(f"assay {__version__}, compatible with trec_eval {'9.0.8' if options.compat == 9 else '10.0'}")
        return 0
    if len(options.files) != 2:
        raise UsageError(f"expected QRELS and RUN, found {counted(len(options.files), 'file')}")
    if not task:
        raise UsageError(f"-R {options.relevance_format}: expected one of {', '.join(FORMATS)}")
    output_columns = columns(chosen, options.compat, options.collection)
    for column in output_columns:
        if column.task not in (None, task):
            raise UsageError(
                f"{column.name} cannot be calculated from judgments in the format {options.relevance_format}; "
                f"`-m {default}` can"
            )
    if "-n" in options.flags and "-q" not in options.flags:
        notify("-n without -q leaves nothing to print; add -q for the topics")
    runid, topics, by_core = _open_topics(options, output_columns)
    zscores = _read_zscores(options.zscores) if options.zscores else None
    lines: list[str] = []
    sums = [0.0] * len(output_columns)
    entered = 0
    for place, topic, missing, view in topics:
        values = [
            _compute_cell(column, view, missing) if cells is None else cells[place] or 0.0
            for column, cells in zip(output_columns, by_core, strict=True)
        ]
        if zscores is not None:
            values = [
                value if isinstance(value, str) else _z_score(value, zscores.get((topic, column.name)))
                for column, value in zip(output_columns, values, strict=True)
            ]
        entered += 1
        for i, value in enumerate(values):
            if not isinstance(value, str):
                sums[i] += value
        # trec_eval 9 counts topics that -c adds, but prints no rows for them.
        if "-q" in options.flags and not (missing and options.compat == 9):
            lines += [
                _format_line(c, topic, v, zscores is not None)
                for c, v in zip(output_columns, values, strict=True)
                if c.per_topic
            ]
    if not entered:
        raise InputError("trec_eval: no topics with both results and judgments")
    if "-n" not in options.flags:
        for column, value in zip(output_columns, sums, strict=True):
            final = _average(column, value, entered, runid)
            if final is not None:
                lines.append(_format_line(column, "all", final, zscores is not None))
    # A terminal would obey control characters of ids and tags; elsewhere the bytes are trec_eval's.
    write("".join(map(data, lines) if sys.stdout.isatty() else lines), None)
    return 0


def _open_topics(
    options: Options, output_columns: Sequence[OutputColumn]
) -> tuple[str, Iterable[tuple[int, str, bool, Any]], list[Sequence[float | None] | None]]:
    """Return the tag, (place, topic, missing, view) of each topic, and the columns of the core, None for others."""
    run = open_views(options)
    keep_missing = "-c" in options.flags
    if run.missing_count and options.only is None:
        counted = ", counted as 0 (-c)" if keep_missing else " and left out; -c counts them as 0"
        notify(f"{run.missing_count} topics missing from {options.files[1]}{counted}")
    entering = (
        (place, topic, missing, view)
        for place, (topic, missing, view) in enumerate(run.views)
        if (keep_missing or not missing) and options.only in (None, topic)
    )
    core_columns = iter(run.measured([column.kernel for column in output_columns if column.kernel is not None]) or ())
    return run.tag, entering, [None if column.kernel is None else next(core_columns, None) for column in output_columns]


class Run:
    """A run as trec_eval sees it: (topic, missing, view) for every judged topic, in byte order."""

    def __init__(
        self, tag: str, views: Iterable[tuple[str, bool, Any]], missing_count: int, measured: CoreColumns = lambda kernels: None
    ) -> None:  # fmt: skip
        self.tag = tag
        self.views = views
        self.missing_count = missing_count
        self.measured = measured
        """Return the columns of kernels of the core; None if the views must be measured."""


def open_views(options: Options) -> Run:
    """Read the judgments and the run."""
    return _open_ranked(options) if options.relevance_format == "qrels" else _open_preferences(options)


def _open_ranked(options: Options) -> Run:
    from assay.formats.ranked.trec import read_qrels
    from assay.tasks.ranked import RankedGold, RankedViews

    source = source_of(options.files[0])
    gold = RankedGold(read_qrels(source), source.name)
    run = source_of(options.files[1])
    ranked = rank_run(run, gold.core, judged_only="-J" in options.flags, **_reading_options(options))
    views = RankedViews(gold, ranked, run, options.level)
    topics = zip(gold.topics, views.missing, views, strict=True)
    return Run(ranked.tag, topics, sum(views.missing), views.measured)


def _open_preferences(options: Options) -> Run:
    from assay.formats.ranked.preferences import preference_rows, qrels_preference_rows
    from assay.tasks import preferences

    source = source_of(options.files[0])
    if options.relevance_format == "qrels_jg":
        gold = preferences.JudgmentGroupGold(source, options.level, "-J" in options.flags)
    else:
        rows = preference_rows if options.relevance_format == "prefs" else qrels_preference_rows
        gold = preferences.PreferenceGold(rows(source), source.name)
    views = preferences.views(gold, source_of(options.files[1]), **_reading_options(options))
    return Run(views.tag, zip(gold.topics, views.missing, views, strict=True), sum(views.missing))


def _reading_options(options: Options) -> dict[str, Any]:
    return {"depth": options.depth, "float32": options.compat == 9, "any_fields": True}


def _compute_cell(column: OutputColumn, view: Any, missing: bool) -> float | str:
    """Compute a cell: 0 if undefined, and 0 for a topic that -c adds, as in trec_eval's help."""
    if missing and column.zero_when_missing:
        return 0.0
    value = column.function(view)
    if isinstance(value, str):
        return value
    if column.kind == "geometric":
        return log(max(value or 0.0, GEOMETRIC_FLOOR))
    return value or 0.0


def _average(column: OutputColumn, total: float, entered: int, runid: str) -> float | str | None:
    if column.kind == "text":
        return runid if column.name == "runid" else None
    if column.name == "num_q":
        return entered
    if column.kind == "sum":
        return total
    return exp(total / entered) if column.kind == "geometric" else total / entered


def _format_line(column: OutputColumn, topic: str, value: float | str, zscore: bool) -> str:
    if isinstance(value, str):
        text = value if column.name == "runid" else f"'{value}'"
        return f"{column.name:<22}\t{topic}\t{text}\n"
    if column.kind == "sum" and not zscore:
        return f"{column.name:<22}\t{topic}\t{int(value)}\n"
    return f"{'Z' if zscore else ''}{column.name:<22}\t{topic}\t{value:6.4f}\n"


def _z_score(value: float, reference: tuple[float, float] | None) -> float:
    """Return the z-score of a value; trec_eval's -1000000 if it has none."""
    if reference is None:
        return MISSING_Z
    mean, deviation = reference
    if deviation:
        return (value - mean) / deviation
    return 0.0 if value == mean else MISSING_Z


def _read_zscores(path: str) -> dict[tuple[str, str], tuple[float, float]]:
    table: dict[tuple[str, str], tuple[float, float]] = {}
    source = source_of(path)
    for number, line in enumerate(source.read().decode("utf-8", "surrogateescape").split("\n"), 1):
        words = line.split()
        if not words:
            continue
        if len(words) != 4:
            raise FormatError(
                source.name, number, f"expected 4 fields (topic, measure, mean, deviation), found {len(words)}"
            )
        try:
            mean, deviation = float(words[2]), float(words[3])
        except ValueError:
            raise FormatError(
                source.name, number, f"expected two numbers, found {words[2]!r} and {words[3]!r}"
            ) from None
        if mean != mean or deviation != deviation:
            raise FormatError(source.name, number, "expected two numbers, found NaN")
        table[words[0], words[1]] = mean, deviation
    return table


def _print_help(chosen: Sequence[tuple[str, str | None]]) -> None:
    from inspect import cleandoc

    from assay.measures.trec_eval_columns import documented_functions

    paragraphs = [USAGE]
    functions: dict[str, Callable[..., Any]] = documented_functions(chosen)
    for name, function in functions.items():
        text = cleandoc(function.__doc__ or "")
        paragraphs.append(f"{name}\n    " + text.replace("\n", "\n    ") + "\n")
    write("\n".join(paragraphs) + "\n", None)


COMMAND = Command(
    name="trec_eval",
    summary="trec_eval's own command line and output",
    group="Other",
    after="measures",
    run=run,
)
