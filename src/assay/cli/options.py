"""Options that several commands share, and what they stand for: sources, settings, measures.

What a task can be told follows from its settings; a command line gives the text, the settings check it.
"""

from __future__ import annotations

import sys

import assay
from assay.cli.file_options import input_file
from assay.cli.streams import say
from assay.errors import InputError, UsageError, for_command_line, shorten_list
from assay.io.decompression import MAX_RATIO, MAX_UNPACKED
from assay.io.escaping import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager
    from typing import Any

    from assay.cli.parser import Namespace, Parser
    from assay.settings import Option
    from assay.table.scores import Scores
    from assay.tasks import Task


def add_answers(parser: Parser) -> None:
    """Add GOLD RUN… of a command that reads the answers themselves, not their scores."""
    gold = (
        "the gold (qrels, right answers, a table that holds both), then run files, folders or globs; "
        ".gz .xz .zst .bz2 are read directly; - for standard input"
    )
    parser.add_argument("sources", type=input_file, metavar="GOLD RUN", nargs="*", help=gold)
    parser.add_argument("--judged", action="store_true", help="no GOLD: the runs carry outcomes, or a gold column")
    limit = f"{MAX_UNPACKED >> 30}G, and {MAX_RATIO} times its size"
    unpacked = f"how much one compressed file may hold, as in 500M or 200G (default {limit})"
    parser.add_argument("--max-unpacked", metavar="SIZE", help=unpacked)
    absent = ("characteristics", "store", "workers", "against", "task", "scores")
    parser.set_defaults(**dict.fromkeys(absent), lower_is_better=[], higher_is_better=[], name_by="tag")


def add_sources(parser: Parser, describes: bool = True) -> None:
    """Add GOLD RUN…, or --scores FILE.

    describes   whether the output has room for the characteristics of runs
    """
    add_answers(parser)
    scores = (
        "scores instead of gold and runs: a topic x run matrix (CSV; NAME=FILE names it), assay's own JSON, CSV or Parquet, "
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
        table = "a table per run: organisation, type, resources used …"
        parser.add_argument("--characteristics", type=input_file, metavar="FILE.toml", help=table)


def add_task(parser: Parser) -> None:
    """Add --task."""
    parser.add_argument("--task", help="what kind of evaluation this is; detected from the gold where left out")


def add_name_by(parser: Any, default: str | None = "tag") -> None:
    """Add --name-by."""
    name = "call a run by its tag (default) or by its file's name"
    parser.add_argument("--name-by", choices=("tag", "file"), default=default, help=name)


def add_where(parser: Parser, scores: bool = True) -> None:
    """Who does the work, and, where a command `scores` runs and needs no more of them, what keeps it."""
    group = parser.add_argument_group("execution")
    if scores:
        store = "a folder that remembers scores: only files it has not seen are scored, and interrupted work goes on"
        group.add_argument("--store", metavar="DIR", help=store)
    where = "in processes of this machine, or on a Dask cluster, whose workers open the files themselves"
    group.add_argument("--executor", dest="workers", choices=("local", "dask"), help=where)
    group.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster, as in tcp://host:8786")


def add_settings(parser: Parser, words: Sequence[str], task: str | None = None, without: Sequence[str] = ()) -> None:
    """Add -m, and every choice of every task that changes a number; the last to be added to a parser.

    The other tasks are looked at only where `words`, the command line, have an option that nobody knows so far. A command
    of one `task` has the choices of that task; those in `without`, and "measures", are not added.
    """
    group = parser.add_argument_group("measures and settings")
    measure = "a measure, as in AP, nDCG@10, P(rel=2)@5, ndcg_cut_10, or a group of them; repeatable (`assay measures` lists them)"
    if "measures" not in without:
        group.add_argument("-m", "--measure", dest="measures", action="append", metavar="MEASURE", help=measure)
    plugin = "a Python file that declares measures of its own"
    group.add_argument("--plugin", action="append", default=[], type=input_file, metavar="FILE.py", help=plugin)
    from assay.tasks import every, get

    options: dict[str, Option] = {}
    parser.set_defaults(task_options=options)
    if task is not None:
        _add(group, options, [get(task)], without)
        return
    helped = not {"-h", "--help"}.isdisjoint(words)
    _add(group, options, every() if helped else [get("ranked")])
    if not helped and "--" in " ".join(parser.unknown(words)):
        _add(group, options, every())


def _add(group: Any, options: dict[str, Option], tasks: Sequence[Task], without: Sequence[str] = ()) -> None:
    """The settings of some tasks as options of the command line, beside those that are there."""
    there = set(options)
    for task in tasks:
        for name, option in task.settings.options().items():
            if name in without:
                continue
            options[name] = _both(options[name], option) if name in options else option
    for name, option in options.items():
        if name in there:
            continue
        flag, choices = "--" + name.replace("_", "-"), option.kind.choices
        if option.default is False:
            group.add_argument(flag, action="store_const", const=True, help=option.help)
        else:
            metavar = "{" + ",".join(choices) + "}" if choices else option.kind.metavar
            path = input_file if metavar and "FILE" in metavar else None
            group.add_argument(flag, type=path, metavar=metavar, help=option.help)


def _both(one: Option, other: Option) -> Option:
    """A choice that several tasks have, each with its own values."""
    from assay.settings import Kind, Option

    choices = tuple(dict.fromkeys((*one.kind.choices, *other.kind.choices)))
    return Option(one.default, Kind(one.kind.type, "", one.kind.metavar, choices=choices), one.help)


def tell(line: str) -> None:
    """Say something to the person, not to the pipe."""
    say(f"assay: {message(for_command_line(line))}")


def load_plugins(paths: list[str]) -> None:
    """Run the files that declare a user's own measures."""
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


def asked(args: Namespace) -> tuple[str | None, list[str] | None, dict[str, Any]]:
    """The gold, the runs and the settings a command line names; plugins have been loaded."""
    if args.plugin:
        load_plugins(args.plugin)
    from assay.io.decompression import allow

    allow(args.max_unpacked)
    if args.scores:
        if args.sources or args.judged or args.task or args.name_by != "tag" or args.store:
            raise UsageError(
                "--scores stands for gold and runs: it goes with neither them nor --judged, --task, --name-by, --store"
            )
    elif (args.lower_is_better or args.higher_is_better) and not args.against:
        raise UsageError("--lower-is-better and --higher-is-better need --scores: a measure of runs has its direction")
    elif not args.sources:
        raise UsageError("expected GOLD RUN..." + (", or --scores FILE" if args.scores is not None else ""))
    if args.sources.count("-") > 1:
        raise UsageError("- stands for standard input and can be given once")
    gold, runs = (None, args.sources) if args.judged or args.scores else (args.sources[0], args.sources[1:])
    return gold, runs or None, settings_of(args)


def settings_of(args: Namespace) -> dict[str, Any]:
    """The settings of tasks that a command line names."""
    settings: dict[str, Any] = {}
    for name, option in args.task_options.items():
        value = getattr(args, name)
        if value is not None:
            settings[name] = option.kind.read(value) if isinstance(value, str) else value
    return settings


def scores_of(args: Namespace, keep: bool = False, executor: Executor | None = None) -> Scores:
    """The score table a command line asks for: evaluated, or read from files of scores; `keep` and `executor` as in
    `assay.evaluate`."""
    gold, runs, settings = asked(args)
    if args.scores:
        tables = [(args.scores, args.measures), *([(args.against,)] if args.against else [])]
        direction = direction_of(args, *tables)[0]
        scores = assay.read_scores(args.scores, args.measures, higher_is_better=direction, **settings)
    else:
        measures = args.measures
        if measures and any("." in name for name in measures):
            from assay.measures.trec_eval_columns import translate

            measures = [name for written in measures for name in translate(written)]
        scores = _evaluated(args, gold, runs, measures, executor, {"keep": keep, **settings})
    for line in scores.remarks():
        tell(line)
    return _described(scores, args.characteristics) if args.characteristics else scores


def direction_of(args: Namespace, *tables: Any) -> list[bool | dict[str, bool] | None]:
    """Return what `higher_is_better=` is for each of some files of scores; a measure that none of them has is refused."""
    lower, higher = args.lower_is_better, args.higher_is_better
    if lower and higher and "" in (*lower, *higher):
        raise UsageError(
            "--lower-is-better and --higher-is-better: both are given; name the measure after each of them"
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


def _evaluated(
    args: Namespace,
    gold: Any,
    runs: Any,
    measures: list[str] | None,
    executor: Executor | None,
    settings: dict[str, Any],
) -> Scores:
    """The runs scored; a store says what it spared."""
    progress = progress_bar("runs") if sys.stderr.isatty() else None
    choices: dict[str, Any] = {"task": args.task, "name_by": args.name_by, "progress": progress, **settings}
    store = None if args.store is None else assay.Store(args.store)
    scores = assay.evaluate(gold, runs, measures, store=store, executor=executor, **choices)
    if store is not None:
        tell(f"{args.store}: {store.read} of {store.read + store.scored} files were scored before, {store.scored} now")
    return scores


def check_where(args: Namespace) -> None:
    """Refuse a scheduler that would not be asked."""
    if args.scheduler is not None and args.workers != "dask":
        raise UsageError("--scheduler goes with --executor dask")


def workers_of(args: Namespace) -> AbstractContextManager[Executor | None]:
    """Who does the work that a command line with `add_where` asks for; nobody but this process where it says nothing."""
    if args.workers is None:
        from contextlib import nullcontext

        return nullcontext()
    from assay.parallel.executors import workers

    return workers(args.workers, scheduler=args.scheduler, processes=True)


def _described(scores: Scores, path: str) -> Scores:
    """Return the table with every run's characteristics; warn of sections without a run, and of runs without a section."""
    from assay.formats.auxiliary.characteristics import characteristics_of

    described = characteristics_of(path)
    for line in described.unmatched(scores.runs):
        tell(line)
    plain = [run for run in scores.runs if run not in described.runs]
    if described.runs and plain:
        tell(f"{path}: says nothing of {shorten_list(plain)}")
    return scores.described(described.of)


def progress_bar(what: str, beside: Callable[[], str] = str) -> Callable[[int, int], None]:
    """A line on the terminal that counts up; silent in a pipe and for work of one piece. `beside` says what else to tell."""

    def show(done: int, total: int) -> None:
        if total > 1 and sys.stderr.isatty():
            filled = 30 * done // total
            end = "\r\033[K" if done == total else "\033[K"
            sys.stderr.write(f"\r{'━' * filled}{'·' * (30 - filled)} {done}/{total} {what}{beside()}{end}")
            sys.stderr.flush()

    return show
