"""assay measures: list them, or explain one from its declaration."""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file
from assay.cli.options import load_plugins
from assay.cli.output import render, to_json, versions, write
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.cli.parser import Namespace, Parser
    from assay.measures.define import Declaration


MAX_DIGITS = 18
"""The most digits of a count: Python refuses to read numbers of thousands."""
AVERAGE = {"mean": "the mean over topics", "sum": "the sum over topics", "geometric": "the geometric mean over topics"}


def add_options(parser: Parser) -> None:
    """Add the options of `assay measures`."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="a measure, as in nDCG, ndcg_cut_10, P@5, or a group")
    parser.add_argument("--task", help="only the measures of this task")
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        type=input_file,
        metavar="FILE.py",
        help="a file that declares measures",
    )
    counts = (
        "compute the measures from counts of questions: correct, incorrect and unanswered, or n in place of one of them, "
        "as in correct=237,incorrect=156,unanswered=107"
    )
    parser.add_argument("--counts", metavar="NAME=NUMBER,...", help=counts)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help="text (default) or json")


def run(args: Namespace) -> int:
    """List measures, explain some, or compute them from counts."""
    from assay.measures.registry import GROUPS, declarations

    load_plugins(args.plugin)
    tasks = {d.task for d in declarations()}
    if args.task and args.task not in tasks:
        raise UsageError(f"unknown task {args.task!r}; expected one of {', '.join(sorted(tasks))}")
    if args.counts is not None:
        if args.task not in (None, "outcomes"):
            raise UsageError(f"--counts needs the task outcomes, not --task {args.task}")
        write(compute_from_counts(args.names, read_counts(args.counts), args.format), None)
        return 0
    groups = [name for name, (task, _, _) in GROUPS.items() if args.task in (None, task)]
    if args.format == "json":
        names = [name for written in args.names for name in (GROUPS[written][2] if written in groups else (written,))]
        chosen = [_find(name, args.task) for name in names] if names else declarations(args.task)
        write(to_json([as_dict(d) for d in chosen]), None)
    elif args.names:
        texts = [explain_group(n) if n in groups else explain(_find(n, args.task)) for n in args.names]
        write("\n".join(texts), None)
    else:
        write(list_measures(declarations(args.task)), None)
    return 0


def read_counts(text: str) -> dict[str, int]:
    """Read `correct=237,incorrect=156`.

    >>> read_counts("correct=237, incorrect=156")
    {'correct': 237, 'incorrect': 156}
    """
    counts: dict[str, int] = {}
    for piece in text.split(","):
        name, separator, number = map(str.strip, piece.partition("="))
        if not (name and separator):
            raise UsageError(f"--counts: expected NAME=NUMBER, as in correct=237, found {piece.strip()!r}")
        if name in counts:
            raise UsageError(f"--counts: {name} is given twice")
        if not (number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS):
            raise UsageError(f"--counts: {name}: expected a whole number of at least 0, found {number!r}")
        counts[name] = int(number)
    return counts


def compute_from_counts(names: Sequence[str], counts: dict[str, int], format: str) -> str:
    """Compute measures from counts, and return a table or JSON."""
    values = assay.of_counts(names or None, **counts)
    if format == "json":
        return to_json({**versions(), "counts": counts, "scores": values})
    return render("table", ["measure", "value"], list(values.items()))


def _find(name: str, task: str | None) -> Declaration:
    """Find a declaration by any of its names, with or without parameters."""
    from assay.measures.registry import declarations, find

    for declaration in declarations(task):
        if name in (declaration.name, *(alias.partition("_{")[0] for alias in declaration.aliases)):
            return declaration
    return find(name, task).declaration


def signature(declaration: Declaration) -> str:
    """Return the name of a measure with its required parameters.

    >>> from assay.measures.registry import find
    >>> signature(find("P@5").declaration), signature(find("AP").declaration)
    ('P@cut', 'AP')
    """
    needs = declaration.required
    text = declaration.name
    inside = [f"{name}=…" for name in needs if name != declaration.at]
    if inside:
        text += f"({','.join(inside)})"
    return text + (f"@{declaration.at}" if declaration.at in needs else "")


def summary(declaration: Declaration) -> str:
    """Return the first line of a measure's documentation."""
    return (declaration.function.__doc__ or "").strip().split("\n")[0]


def list_measures(declared: list[Declaration]) -> str:
    """Return a line per measure, by task, then a line per group of measures."""
    from assay.measures.registry import GROUPS

    lines: list[str] = []
    for task in dict.fromkeys(d.task for d in declared):
        lines.append(f"{task}:")
        for d in declared:
            if d.task == task:
                also = f"  [{', '.join(d.aliases)}]" if d.aliases else ""
                lines.append(f"  {signature(d):<14} {summary(d)}{also}")
        for name, (home, meaning, members) in GROUPS.items():
            if home == task:
                lines.append(f"  {name:<14} A group. {meaning}  [{', '.join(members)}]")
    return "\n".join(lines) + "\n"


def as_dict(declaration: Declaration) -> dict[str, Any]:
    """Return a declaration as plain data."""
    from inspect import cleandoc

    return {
        "name": declaration.name,
        "written": signature(declaration),
        "aliases": list(declaration.aliases),
        "task": declaration.task,
        "level": declaration.level,
        "average": declaration.average if declaration.level == "topic" else None,
        "range": [declaration.low, declaration.high],
        "higher_is_better": declaration.higher_is_better,
        "undefined": declaration.undefined,
        "parameters": {name: (parse.__doc__ or "").split("\n")[0] for name, parse in declaration.parameters.items()},
        "cite": declaration.cite,
        "documentation": cleandoc(declaration.function.__doc__ or ""),
    }


def explain(declaration: Declaration) -> str:
    """Return the whole explanation of a measure."""
    d = as_dict(declaration)
    direction = {True: "higher is better", False: "lower is better", None: "no better or worse"}
    low, high = ("-∞" if d["range"][0] is None else d["range"][0]), ("∞" if d["range"][1] is None else d["range"][1])
    lines = [f"{d['written']}   ({d['task']})", "", d["documentation"], ""]
    if d["aliases"]:
        lines.append(f"also written   {', '.join(d['aliases'])}")
    for name, meaning in d["parameters"].items():
        default = declaration.defaults.get(name, "must be given")
        shown = "not set" if default is None else default
        lines.append(f"parameter      {name}: {meaning} ({shown})")
    lines.append(f"range          {low} to {high}, {direction[d['higher_is_better']]}")
    if d["average"]:
        lines.append(f"over topics    {AVERAGE[d['average']]}")
    lines += [f"undefined      {d['undefined']}", f"citation       {d['cite']}"]
    return "\n".join(lines) + "\n"


def explain_group(name: str) -> str:
    """Return the explanation of a group: a sentence, and a line per measure."""
    from assay.measures.registry import GROUPS

    task, meaning, members = GROUPS[name]
    width = max(map(len, members))
    lines = [f"  {member:<{width}}  {summary(_find(member, task))}" for member in members]
    return "\n".join([f"{name}   ({task})", "", f"A group of measures. {meaning}", "", *lines, ""])


COMMAND = Command(
    name="measures",
    summary="list the measures, or explain one",
    group="Other",
    description=(
        "List the measures, or explain some: formula, parameters, citation, worked example. "
        "With --counts, compute them from counts alone."
    ),
    examples="""examples:
  assay measures                    all of them, a line each
  assay measures nDCG               formula, parameters, citation, worked example
  assay measures estimators         what the group has: the measures that -m estimators prints side by side
  assay measures --task ranked
  assay measures c@1 accuracy --counts correct=237,incorrect=156,unanswered=107
                                    their values for these counts; without a name, every measure that needs no more
""",
    add_options=add_options,
    run=run,
)
