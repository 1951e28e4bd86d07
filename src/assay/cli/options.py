"""Options that several commands share, and what they stand for: sources, settings, measures.

What a task can be told follows from its settings; a command line gives the text, the settings check it.
"""

from __future__ import annotations

import sys

from assay import policies
from assay.errors import InputError, UsageError, for_command_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence
    from typing import Any

    from assay.settings import Option
    from assay.table import Scores

SIMPLE = ("--missing", "--undefined", "--seed", "--depth", "--level", "--judged-only")
"""The settings of ranked retrieval, which need no other task to be looked at."""


def add_sources(parser: ArgumentParser) -> None:
    """GOLD RUN…, or --scores FILE: whatever one command takes, every command takes."""
    parser.add_argument(
        "sources", metavar="GOLD RUN", nargs="*",
        help="the gold (qrels, right answers, a table that holds both), then run files, folders or globs; "
        ".gz .xz .zst .bz2 are read directly; - for standard input",
    )  # fmt: skip
    parser.add_argument("--judged", action="store_true", help="no GOLD: the runs carry outcomes, or a gold column")
    parser.add_argument(
        "--scores", action="append", default=[], metavar="FILE",
        help="scores instead of gold and runs: a topic x run matrix (CSV; NAME=FILE names it), assay's own JSON or Parquet; "
        "repeatable",
    )  # fmt: skip
    parser.add_argument("--task", help="what kind of evaluation this is; detected from the gold where left out")
    parser.add_argument(
        "--name-by",
        choices=("tag", "file"),
        default="tag",
        help="call a run by its tag (default) or by its file's name",
    )


def add_settings(parser: ArgumentParser, words: Sequence[str]) -> None:
    """-m, and every choice of every task that changes a number; `words` are those of the command line."""
    group = parser.add_argument_group("what is computed")
    group.add_argument(
        "-m", "--measure", dest="measures", action="append", metavar="MEASURE",
        help="a measure, as in AP, nDCG@10, P(rel=2)@5, ndcg_cut_10; repeatable (`assay measures` lists them)",
    )  # fmt: skip
    options = task_options(words)
    parser.set_defaults(task_options=options)
    for option in options.values():
        flag = "--" + option.name.replace("_", "-")
        if option.default is False:
            group.add_argument(flag, action="store_const", const=True, help=option.help)
        else:
            metavar = "{" + ",".join(option.kind.choices) + "}" if option.kind.choices else option.kind.metavar
            group.add_argument(flag, metavar=metavar, help=option.help)
    group.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE.py",
        help="a Python file that declares measures of its own",
    )


def task_options(words: Sequence[str]) -> dict[str, Option]:
    """The settings of all tasks by name; of ranked retrieval alone where the words on the command line name no other."""
    from assay.tasks import every, get

    named = [word.partition("=")[0] for word in words if word.startswith("-")]
    simple = not any(word in ("-h", "--help") or _unknown(word) for word in named)
    found: dict[str, Option] = {}
    for task in [get("ranked")] if simple else every():
        for name, option in task.settings.options().items():
            found[name] = _both(found[name], option) if name in found else option
    return found


def _unknown(word: str) -> bool:
    """Whether a word may be an option of some task: the commands' own cost nothing to try again."""
    return word.startswith("--") and word not in SIMPLE


def _both(one: Option, other: Option) -> Option:
    """A choice that several tasks have, each with its own values."""
    from assay.settings import Kind, Option

    choices = tuple(dict.fromkeys((*one.kind.choices, *other.kind.choices)))
    merged = Option(one.default, Kind(one.kind.check, one.kind.read, one.kind.metavar, choices), one.help)
    merged.name = one.name
    return merged


def tell(line: str) -> None:
    """Say something to the person, not to the pipe."""
    print(f"assay: {for_command_line(line)}", file=sys.stderr)


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


def settings_of(args: Namespace) -> dict[str, Any]:
    """The choices a command line makes, read from their text."""
    given: dict[str, Any] = {}
    for name, option in args.task_options.items():
        text = getattr(args, name, None)
        if text is not None:
            try:
                given[name] = option.kind.read(text) if isinstance(text, str) else text
            except ValueError as expected:
                raise UsageError(f"`{name}={text}`: expected {expected}") from None
    return given


def sources_of(args: Namespace) -> tuple[str | None, list[str] | None]:
    """The gold and the runs a command line names."""
    if not args.sources:
        raise UsageError("expected GOLD RUN..., or --scores FILE")
    if args.sources.count("-") > 1:
        raise UsageError("- stands for standard input and can be given once")
    gold, runs = (None, args.sources) if args.judged else (args.sources[0], args.sources[1:])
    return gold, runs or None


def scores_of(args: Namespace) -> Scores:
    """The score table a command line asks for: evaluated, or read from files of scores."""
    import assay

    load_plugins(args.plugin)
    given = settings_of(args)
    if args.scores:
        if args.sources:
            raise UsageError("give gold and runs, or --scores, not both")
        scores = assay.read_scores(args.scores, args.measures, **given)
    else:
        gold, runs = sources_of(args)
        scores = assay.evaluate(
            gold,
            runs,
            measure_names(args.measures),
            task=args.task,
            name_by=args.name_by,
            progress=progress_bar("runs"),
            **given,
        )
    for run in scores.runs:
        given = scores.run(run)
        if given.gone:
            counted = policies.remark(scores.settings, "missing")
            tell(f"{run}: {given.gone} of {len(scores.topics)} {scores.task.noun}s missing, {counted} (--missing)")
        for line in given.notes.warnings:
            tell(line)
    return scores


def measure_names(written: list[str] | None) -> list[str] | None:
    """The measures a command line names, trec_eval's `P.5,10` among them."""
    if not written or not any("." in name for name in written):
        return written
    from assay.cli.trec_eval_measures import MEASURES, expanded

    return [name for text in written for name in (expanded(text) if text.partition(".")[0] in MEASURES else [text])]


def progress_bar(what: str) -> Callable[[int, int], None]:
    """A line on the terminal that counts up; silent in a pipe and for work of one piece."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def show(done: int, total: int) -> None:
        if total > 1:
            filled = 30 * done // total
            end = "\r\033[K" if done == total else ""
            sys.stderr.write(f"\r{'━' * filled}{'·' * (30 - filled)} {done}/{total} {what}{end}")
            sys.stderr.flush()

    return show


def add_characteristics(parser: ArgumentParser) -> None:
    """--characteristics FILE.toml."""
    parser.add_argument(
        "--characteristics", metavar="FILE.toml", help="a table per run: organisation, type, resources used …"
    )


def described(scores: Scores, path: str | None) -> Scores:
    """The table with every run's characteristics; what is told are the runs the file describes and nobody gave."""
    if path is None:
        return scores
    from assay.formats.characteristics import read_characteristics
    from assay.formats.sources import source_of

    shared, runs = read_characteristics(source_of(path))
    for name in runs:
        if name not in scores.runs:
            tell(f"{path}: describes {name!r}, which is not among the runs")
    plain = [run for run in scores.runs if run not in runs]
    if runs and plain:
        tell(f"{path}: says nothing of {', '.join(plain[:3])}{' …' if len(plain) > 3 else ''}")
    return scores.described(lambda run: {**shared, **runs.get(run, {})})
