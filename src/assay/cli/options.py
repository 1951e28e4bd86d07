"""Options that several commands share: sources, settings, measures, execution.

The options of a task follow from its settings, which check the values.
"""

from __future__ import annotations

import assay
from assay.cli import progress
from assay.cli.file_options import input_file
from assay.cli.parser import asks_for_all
from assay.cli.progress import progress_bar
from assay.cli.streams import say, write_out
from assay.errors import InputError, UsageError, for_command_line, shorten_list
from assay.io.escaping import message
from assay.io.unpacking_limits import MAX_RATIO, MAX_UNPACKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager
    from typing import Any

    from assay.cli.parser import Namespace, Parser
    from assay.settings import Option
    from assay.table.scores import Scores
    from assay.tasks import Task


SETTINGS = "measures and settings"
"""Title of the options that every task has."""


def add_answers(parser: Parser) -> None:
    """Add GOLD RUN… of a command that reads the answers themselves, not their scores."""
    gold = (
        "the gold (qrels, right answers, a table that holds both), then run files, folders or globs; "
        ".gz .xz .zst .bz2 are read directly; - for standard input"
    )
    parser.add_argument("sources", type=input_file, metavar="GOLD RUN", nargs="*", help=gold)
    parser.add_argument("--judged", action="store_true", help="no GOLD: the runs carry outcomes, or a gold column")
    limit = f"{MAX_UNPACKED >> 30}G, and {MAX_RATIO} times its size"
    unpacked = f"the largest size of one unpacked file, as in 500M or 200G (default {limit})"
    parser.add_argument("--max-unpacked", metavar="SIZE", help=unpacked)
    absent = ("characteristics", "store", "workers", "against", "task", "scores", "plugin")
    parser.set_defaults(**dict.fromkeys(absent), lower_is_better=[], higher_is_better=[], name_by="tag")


def add_sources(parser: Parser, describes: bool = True) -> None:
    """Add GOLD RUN…, or --scores FILE.

    describes   whether the output has room for the characteristics of runs
    """
    add_answers(parser)
    scores = (
        "scores instead of gold and runs: a topic x run matrix (CSV; NAME=FILE names it), assay's JSON, CSV or Parquet, "
        "a folder of Parquet or a --store; repeatable"
    )
    parser.add_argument("--scores", action="append", default=[], type=input_file, metavar="FILE", help=scores)
    for better in ("lower", "higher"):
        direction = f"of --scores: {better} values of MEASURE are better, or of all measures; repeatable"
        parser.add_argument(
            f"--{better}-is-better", action="append", nargs="?", const="", default=[], metavar="MEASURE", help=direction
        )
    add_task(parser)
    add_name_by(parser)
    if describes:
        table = "a TOML table per run: organisation, type, resources …"
        parser.add_argument("--characteristics", type=input_file, metavar="FILE.toml", help=table)


def add_task(parser: Parser) -> None:
    """Add --task."""
    parser.add_argument("--task", help="the kind of evaluation (default: detected from the gold)")


def add_name_by(parser: Any, default: str | None = "tag") -> None:
    """Add --name-by."""
    name = "name runs by their tag (default) or by their file"
    parser.add_argument("--name-by", choices=("tag", "file"), default=default, help=name)


def add_cluster(group: Any, what: str) -> None:
    """Add --cluster, the field of `what` that belongs together: auto where it is left out, None for none."""
    cluster = f"resample {what} with the same value of this field together; none for single ones (default: `cluster` where the gold has it)"
    group.add_argument("--cluster", type=_field, default="auto", metavar="FIELD", help=cluster)


def _field(text: str) -> str | None:
    return None if text == "none" else text


def add_execution(parser: Parser, scores: bool = True) -> None:
    """Add --executor and --scheduler, and --store where a command only needs `scores`."""
    group = parser.add_argument_group("execution")
    if scores:
        store = "a folder that caches scores: only new files are scored, and an interrupted command resumes"
        group.add_argument("--store", metavar="DIR", help=store)
    where = "use processes of this machine, or a Dask cluster, whose workers open the files"
    group.add_argument("--executor", dest="workers", choices=("local", "dask"), help=where)
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of a running Dask cluster, as in tcp://host:8786"
    )


def add_settings(parser: Parser, tasks: Sequence[str] = (), without: Sequence[str] = ()) -> None:
    """Add -m and the settings of tasks as options; call it last.

    Other tasks than `ranked` are imported only for help, or where the command line has an option that is unknown so far.

    tasks     the only tasks that the command has; all where left out
    without   settings not to add; "measures" stands for -m and --plugin
    """
    group = parser.add_argument_group(SETTINGS)
    measure = "a measure, as in AP, nDCG@10, P(rel=2)@5, ndcg_cut_10, or a group of them; repeatable (`assay measures` lists them)"
    plugin = "a Python file that defines more measures"
    if "measures" not in without:
        group.add_argument("-m", "--measure", dest="measures", action="append", metavar="MEASURE", help=measure)
        group.add_argument("--plugin", action="append", default=[], type=input_file, metavar="FILE.py", help=plugin)
    from assay.tasks import every, get

    options: dict[str, Option] = {}
    parser.set_defaults(task_options=options)
    if tasks:
        _add(parser, options, list(map(get, tasks)), without)
        return
    is_help = not {"-h", "--help"}.isdisjoint(parser.words)
    wants_all = asks_for_all(parser.words)
    _add(parser, options, every() if wants_all else [get("ranked")], without)
    if not is_help and "--" in " ".join(parser.unknown()):
        _add(parser, options, every(), without)


def _add(parser: Parser, options: dict[str, Option], tasks: Sequence[Task], without: Sequence[str]) -> None:
    """Add the settings of some tasks as options, where they are not options already; name the tasks where not all have one."""
    known = set(options)
    tasks_of: dict[str, list[str]] = {}
    for task in tasks:
        for name, option in task.settings.options().items():
            if name in without:
                continue
            options[name] = _merge(options[name], option) if name in options else option
            tasks_of.setdefault(name, []).append(task.name)
    for name, option in options.items():
        if name in known:
            continue
        group, help = parser.add_argument_group(SETTINGS), option.help
        first, *others = tasks_of[name]
        if len(tasks_of[name]) < len(tasks):
            group = parser.add_argument_group(f"only with --task {first}")
            help = f"{option.help} (also {', '.join(others)})" if others else option.help
        flag, choices = "--" + name.replace("_", "-"), option.kind.choices
        if option.default is False:
            group.add_argument(flag, action="store_const", const=True, help=help)
        else:
            metavar = "{" + ",".join(choices) + "}" if choices else option.kind.metavar
            path = input_file if metavar and "FILE" in metavar else None
            group.add_argument(flag, type=path, metavar=metavar, help=help)


def _merge(first: Option, second: Option) -> Option:
    """Return one option for a setting of several tasks, with the values of all."""
    from assay.settings import Kind, Option

    choices = tuple(dict.fromkeys((*first.kind.choices, *second.kind.choices)))
    return Option(first.default, Kind(first.kind.type, "", first.kind.metavar, choices=choices), first.help)


def notify(line: str) -> None:
    """Print a line to standard error, with options spelled as on the command line."""
    say(f"assay: {message(for_command_line(line))}")


def notify_grouped(notes: Iterable[tuple[str, str]], noun: str) -> None:
    """Print notes on measures, tasks …, each as (name, note): the same note of several once, with their names."""
    from assay.table.remarks import as_remark, join_remarks

    for line in join_remarks((as_remark(f"{name}: {note}", name) for name, note in notes), noun=noun):
        notify(line)


def announce(link: str) -> None:
    """Print the link of a server on this machine to standard output."""
    progress.stop()
    notify("serving on this machine only; open the link below in a browser, Ctrl-C ends it")
    write_out(f"{link}\n")


def load_plugins(paths: list[str]) -> None:
    """Run Python files that declare measures."""
    from runpy import run_path

    for path in paths:
        try:
            run_path(path)
        except OSError as problem:
            raise InputError(f"{path}: cannot be read: {problem.strerror}") from None
        except (UsageError, InputError, MemoryError):
            raise
        except Exception as problem:  # noqa: BLE001 - a plugin may fail in any way, and its author must see where
            import traceback

            syntax = problem.lineno if isinstance(problem, SyntaxError) else None
            line = syntax or traceback.extract_tb(problem.__traceback__)[-1].lineno
            raise InputError(f"{path}:{line}: {type(problem).__name__}: {problem}") from None


def read_sources(args: Namespace) -> tuple[str | None, list[str] | None, dict[str, Any]]:
    """Return the gold, the runs and the settings of a command line, after loading its plugins."""
    if args.plugin:
        load_plugins(args.plugin)
    from assay.io.unpacking_limits import allow

    allow(args.max_unpacked)
    if args.scores:
        if args.sources or args.judged or args.task or args.name_by != "tag" or args.store:
            raise UsageError(
                "--scores replaces gold and runs and cannot be combined with GOLD RUN, --judged, --task, --name-by or --store"
            )
    elif (args.lower_is_better or args.higher_is_better) and not args.against:
        raise UsageError(
            "--lower-is-better and --higher-is-better need --scores: measures of runs have a direction already"
        )
    elif not args.sources:
        raise UsageError("expected GOLD RUN..." + (", or --scores FILE" if args.scores is not None else ""))
    if args.sources.count("-") > 1:
        raise UsageError("standard input (-) can be given only once")
    gold, runs = (None, args.sources) if args.judged or args.scores else (args.sources[0], args.sources[1:])
    return gold, runs or None, get_settings(args)


def get_settings(args: Namespace) -> dict[str, Any]:
    """Return the settings of tasks that a command line names."""
    settings: dict[str, Any] = {}
    for name, option in args.task_options.items():
        value = getattr(args, name)
        if value is not None:
            settings[name] = option.kind.read(value) if isinstance(value, str) else value
    return settings


def get_scores(args: Namespace, keep: bool = False, executor: Executor | None = None) -> Scores:
    """Evaluate the runs of a command line, or read its --scores; `keep` and `executor` as in `assay.evaluate`."""
    gold, runs, settings = read_sources(args)
    if args.scores:
        tables = [(args.scores, args.measures), *([(args.against,)] if args.against else [])]
        direction = get_directions(args, *tables)[0]
        scores = assay.read_scores(args.scores, args.measures, higher_is_better=direction, **settings)
    else:
        measures = args.measures
        if measures and any("." in name for name in measures):
            from assay.measures.trec_eval_columns import translate

            measures = [name for written in measures for name in translate(written)]
        scores = _evaluate(args, gold, runs, measures, executor, {"keep": keep, **settings})
    progress.stage("analysing the scores")
    for line in scores.remarks():
        notify(line)
    return _add_characteristics(scores, args.characteristics) if args.characteristics else scores


def named_measures(args: Namespace, scores: Scores) -> list[str] | None:
    """Return the names of the measures of -m; None where it is not given."""
    return [measure.name for measure in scores.measures] if args.measures else None


def get_directions(args: Namespace, *tables: Any) -> list[bool | dict[str, bool] | None]:
    """Return `higher_is_better=` for each file of scores; refuse a measure that no file has."""
    lower, higher = args.lower_is_better, args.higher_is_better
    if lower and higher and "" in (*lower, *higher):
        raise UsageError(
            "--lower-is-better and --higher-is-better: cannot both apply to all measures. Fix: name the measure after each"
        )
    if "" in (*lower, *higher):
        return [not lower for _ in tables]
    if not lower and not higher:
        return [None for _ in tables]
    for name in set(lower) & set(higher):
        raise UsageError(f"{name}: both --lower-is-better and --higher-is-better are given")
    named = {**dict.fromkeys(lower, False), **dict.fromkeys(higher, True)}
    # Which table has a measure is known once it is read; the direction, which reading needs, is then any.
    names = [[m.name for m in assay.read_scores(*table, higher_is_better=True).measures] for table in tables]
    known = [name for listed in names for name in listed]
    for name in named.keys() - set(known):
        raise UsageError(
            f"--{'higher' if named[name] else 'lower'}-is-better: no measure {name!r}; measures are {', '.join(known)}"
        )
    return [{name: named[name] for name in listed if name in named} for listed in names]


def _evaluate(
    args: Namespace,
    gold: Any,
    runs: Any,
    measures: list[str] | None,
    executor: Executor | None,
    settings: dict[str, Any],
) -> Scores:
    """Evaluate the runs; with a store, report how many files it had."""
    choices: dict[str, Any] = {"task": args.task, "name_by": args.name_by, "progress": progress_bar("runs"), **settings}
    progress.stage("reading and scoring the runs")
    store = None if args.store is None else assay.Store(args.store)
    scores = assay.evaluate(gold, runs, measures, store=store, executor=executor, **choices)
    if store is not None:
        notify(
            f"{args.store}: {store.read} of {store.read + store.scored} files were scored before, {store.scored} now"
        )
    return scores


def open_workers(args: Namespace) -> AbstractContextManager[Executor | None]:
    """Open the executor of a command line with `add_execution`; None for this process alone."""
    if args.scheduler is not None and args.workers != "dask":
        raise UsageError("--scheduler needs --executor dask")
    if args.workers is None:
        from contextlib import nullcontext

        return nullcontext()
    from assay.parallel.executors import workers

    return workers(args.workers, scheduler=args.scheduler, processes=True)


def _add_characteristics(scores: Scores, path: str) -> Scores:
    """Add the characteristics of runs to a table; warn of sections without a run and runs without a section."""
    from assay.formats.auxiliary.characteristics import characteristics_of

    described = characteristics_of(path)
    for line in described.unmatched(scores.runs):
        notify(line)
    plain = [run for run in scores.runs if run not in described.runs]
    if described.runs and plain:
        notify(f"{path}: has no section for {shorten_list(plain)}")
    return scores.described(described.of)
