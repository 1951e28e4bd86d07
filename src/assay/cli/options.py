"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import sys

from assay.errors import InputError, UsageError
from assay.settings import MISSING, UNDEFINED, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from assay.table import Scores


def add_sources(parser: ArgumentParser) -> None:
    """GOLD RUN..."""
    parser.add_argument("gold", metavar="GOLD", help="the gold: qrels, or the right answers; - for standard input")
    parser.add_argument(
        "runs",
        metavar="RUN",
        nargs="*",
        help="run files, folders or globs; .gz .xz .zst .bz2 are read directly; - for standard input",
    )
    parser.add_argument("--task", help="what kind of evaluation this is; detected from the gold where left out")
    parser.add_argument(
        "--name-by",
        choices=("tag", "file"),
        default="tag",
        help="call a run by its tag (default) or by its file's name",
    )


def add_settings(parser: ArgumentParser) -> None:
    """Every option that changes a number."""
    group = parser.add_argument_group("what is computed")
    group.add_argument(
        "-m", "--measure", dest="measures", action="append", metavar="MEASURE",
        help="a measure, as in AP, nDCG@10, P(rel=2)@5, ndcg_cut_10; repeatable (`assay measures` lists them)",
    )  # fmt: skip
    group.add_argument(
        "--missing", choices=MISSING, help="what a topic counts that a run leaves out; zero for ranked retrieval"
    )
    group.add_argument("--undefined", choices=UNDEFINED, help="what a topic counts where a measure has no value")
    group.add_argument("--depth", type=int, metavar="N", help="look at the first N documents of each topic only")
    group.add_argument("--level", type=int, default=1, metavar="N", help="lowest grade that is relevant (default 1)")
    group.add_argument("--judged-only", action="store_true", help="drop documents without a judgment first")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="seed of everything random (default 0)")
    group.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE.py",
        help="a Python file that declares measures of its own",
    )


def tell(line: str) -> None:
    """Say something to the person, not to the pipe."""
    print(f"assay: {line}", file=sys.stderr)


def load_plugins(paths: list[str]) -> None:
    """Run the files that declare a user's own measures."""
    if not paths:
        return
    from runpy import run_path

    for path in paths:
        try:
            run_path(path)
        except OSError as problem:
            raise InputError(f"{path}: cannot be read: {problem.strerror}") from None
        except (UsageError, InputError):
            raise
        except Exception as problem:  # noqa: BLE001 - a plugin may fail in any way, and its author must see where
            import traceback

            syntax = problem.lineno if isinstance(problem, SyntaxError) else None
            line = syntax or traceback.extract_tb(problem.__traceback__)[-1].lineno
            raise InputError(f"{path}:{line}: {type(problem).__name__}: {problem}") from None


def settings_for(task: ModuleType, args: Namespace) -> Settings:
    """The choices a command line makes, over the task's own defaults."""
    choices = dict(task.DEFAULTS)
    for name in ("missing", "undefined", "depth"):
        if getattr(args, name) is not None:
            choices[name] = getattr(args, name)
    return Settings(
        **choices, **own_options(task, args), level=args.level, judged_only=args.judged_only, seed=args.seed
    )


def own_options(task: ModuleType, args: Namespace) -> dict[str, Any]:
    """The options only this task knows; one that belongs to another task is an error."""
    from assay.cli.outcomes_options import OPTIONS
    from assay.cli.track_options import OPTIONS as TRACK_OPTIONS

    names = (*OPTIONS, *TRACK_OPTIONS)
    given = {name: value for name in names if (value := getattr(args, name, None)) is not None and value is not False}
    known = getattr(task, "OPTIONS", ())
    for name in given:
        if name not in known:
            raise UsageError(f"--{name.replace('_', '-')} is not an option of the task {task.NAME!r}")
    return given


def evaluate_arguments(args: Namespace) -> Scores:
    """The score table a command line asks for."""
    from assay.cli.track_options import figure_needs, wants_figures
    from assay.formats.readers import task_of
    from assay.formats.sources import expand, source_of
    from assay.scoring import chosen, evaluate_sources
    from assay.tasks import get

    load_plugins(args.plugin)
    judged = getattr(args, "judged", False)
    gold = None if judged else source_of(args.gold)
    runs = expand([args.gold, *args.runs] if judged else args.runs)
    if [args.gold, *args.runs].count("-") > 1:
        raise UsageError("- stands for standard input and can be given once")
    task = get(args.task or ("outcomes" if gold is None else task_of(gold)))
    beside, also = figure_needs(task) if wants_figures(args, task) else ((), ())
    return evaluate_sources(
        task,
        gold,
        runs,
        chosen(measure_names(args.measures, task), task) if args.measures else None,
        settings_for(task, args),
        name_by=args.name_by,
        beside=beside,
        also=also,
        tell=tell,
        progress=progress_bar(len(runs), "runs"),
    )


def measure_names(written: list[str], task: ModuleType) -> list[str]:
    """The measures a command line names, trec_eval's `P.5,10` among them."""
    if task.NAME != "ranked" or not any("." in name for name in written):
        return written
    from assay.cli.trec_eval_measures import expanded

    return [name for text in written for name in expanded(text)]


def progress_bar(total: int, what: str) -> Callable[[int], None]:
    """A line on the terminal that counts up; silent in a pipe and for work of one piece."""
    if total < 2 or not sys.stderr.isatty():
        return lambda done: None

    def show(done: int) -> None:
        filled = 30 * done // total
        end = "\r\033[K" if done == total else ""
        sys.stderr.write(f"\r{'━' * filled}{'·' * (30 - filled)} {done}/{total} {what}{end}")
        sys.stderr.flush()

    return show
