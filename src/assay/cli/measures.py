"""assay measures: list them, or explain one from its declaration."""

from __future__ import annotations

from assay.cli.options import load_plugins
from assay.cli.output import to_json, write
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.cli.parser import Namespace, Parser
    from assay.measures.declare import Declaration

DESCRIPTION = "List the measures, or explain one: formula, parameters, citation, worked example."
EPILOG = """examples:
  assay measures                    all of them, a line each
  assay measures nDCG               formula, parameters, citation, worked example
  assay measures --task ranked
"""

AVERAGE = {"mean": "the mean over topics", "sum": "the sum over topics", "geometric": "the geometric mean over topics"}


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """The options of `assay measures`."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a measure, as in nDCG, ndcg_cut_10, P@5")
    parser.add_argument("--task", help="only the measures of this task")
    parser.add_argument(
        "--plugin", action="append", default=[], metavar="FILE.py", help="a file that declares measures"
    )
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text")


def run(args: Namespace) -> int:
    """List or explain."""
    from assay.measures.registry import declarations

    load_plugins(args.plugin)
    tasks = {d.task for d in declarations()}
    if args.task and args.task not in tasks:
        raise UsageError(f"unknown task {args.task!r}; expected one of {', '.join(sorted(tasks))}")
    if args.name:
        found = [_named(args.name, args.task)]
    else:
        found = declarations(args.task)
    if args.format == "json":
        write(to_json([as_dict(d) for d in found]), None)
    elif args.name:
        write(explained(found[0]), None)
    else:
        write(listed(found), None)
    return 0


def _named(name: str, task: str | None) -> Declaration:
    """A declaration by any of its names, with or without parameters."""
    from assay.measures.registry import declarations, find

    for declaration in declarations(task):
        if name in (declaration.name, *(alias.partition("_{")[0] for alias in declaration.aliases)):
            return declaration
    return find(name, task).declaration


def signature(declaration: Declaration) -> str:
    """How the measure is written with everything it needs.

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
    """The first sentence of the measure's documentation."""
    return (declaration.function.__doc__ or "").strip().split("\n")[0]


def listed(found: list[Declaration]) -> str:
    """A line per measure, grouped by task."""
    lines: list[str] = []
    for task in dict.fromkeys(d.task for d in found):
        lines.append(f"{task}:")
        for d in found:
            if d.task == task:
                also = f"  [{', '.join(d.aliases)}]" if d.aliases else ""
                lines.append(f"  {signature(d):<14} {summary(d)}{also}")
    return "\n".join(lines) + "\n"


def as_dict(declaration: Declaration) -> dict[str, Any]:
    """A declaration as plain data."""
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
        "documentation": _dedent(declaration.function.__doc__ or ""),
    }


def explained(declaration: Declaration) -> str:
    """Everything a person wants to know about a measure."""
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


def _dedent(text: str) -> str:
    from inspect import cleandoc

    return cleandoc(text)
