"""The list of public names, docs/public_names.txt: what docs/stability.md promises to keep, a line for each name.

`make docs` adds new names. It refuses to run where a listed name is missing from the code: a name goes only as docs/stability.md
says, and then whoever removes it deletes its line.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import assay
from assay import parameters
from assay.cli import commands
from assay.formats.recognition import Reader
from assay.measures.registry import declarations
from assay.tasks import every as tasks

LIST = Path(__file__).resolve().parent / "public_names.txt"
MODULES = {
    "assay.define": "assay.measures.define",
    "assay.figures": "assay.figures",
    "assay.integrations.pyterrier": "assay.integrations.pyterrier",
    "assay.pytrec_eval": "assay.pytrec_eval",
}
"""Public modules whose functions and classes are called; the measures of `assay.measures` are listed as measures."""
VALUES = (
    "assay.measures.measure.Measure",
    "assay.reports.plots.Plot",
    "assay.stats.bootstrap_intervals.Interval",
    "assay.stats.calibration.Calibration",
    "assay.table.run_scores.Value",
)
"""Classes that functions return beside results."""
CONSTRUCTED = ("assay.Store", "assay.define.topic", "assay.define.sums", "assay.define.whole")
"""Classes that users call."""


def page(results: Iterable[type], readers: Iterable[Reader]) -> str:
    """Return the list with the names that are new; refuse to lose one.

    results   the classes of results
    readers   the declared readers of formats
    """
    listed = LIST.read_text("utf-8").splitlines() if LIST.exists() else []
    names = list(public_names(results, readers))
    gone = sorted({*listed} - {*names})
    if gone:
        raise SystemExit(refusal(gone))
    return "".join(f"{name}\n" for name in sorted({*names}))


def refusal(gone: list[str]) -> str:
    """Return the message for names that the list has and the code lacks."""
    first = ", ".join(gone[:5]) + (f" and {len(gone) - 5} more" if len(gone) > 5 else "")
    return (
        f"docs/public_names.txt: {first}: no longer in the code. Fix: keep the old name with a warning (docs/stability.md); "
        "if its time is over, delete its line"
    )


def public_names(results: Iterable[type], readers: Iterable[Reader]) -> Iterator[str]:
    """Yield every public name: of Python, of the command line, of measures, tasks, settings and formats."""
    for name in assay.__all__:
        yield f"python assay.{name}"
        yield from _members(f"assay.{name}", getattr(assay, name))
    for name, module in MODULES.items():
        for function, member in vars(import_module(module)).items():
            here = inspect.isroutine(member) or inspect.isclass(member)
            if here and not function.startswith("_") and (member.__module__ == module or function in _exported(module)):
                yield f"python {name}.{function}"
                yield from _members(f"{name}.{function}", member)
    for kind in {*results, *_beside(results), *map(_at, VALUES)} - {getattr(assay, name) for name in assay.__all__}:
        yield f"python {kind.__module__}.{kind.__name__}"
        yield from _members(f"{kind.__module__}.{kind.__name__}", kind)
    for name, example in _examples().items():
        yield from (f"python {name}.{attribute}" for attribute in vars(example) if not attribute.startswith("_"))
    for command in commands.every():
        yield f"command {command.name}"
        for option in command.parser(["--help", "all"]).options():
            yield from (f"option {command.name} {word}" for word in option.option_strings)
    for task in tasks():
        yield f"task {task.name}"
        yield from (f"setting {task.name} {name}" for name in task.settings.options())
    for declaration in declarations():
        if declaration.ours:
            for name in (declaration.name, *declaration.aliases):
                yield f"measure {declaration.task} {name}"
            yield from (f"measure {declaration.task} {declaration.name}({name})" for name in declaration.parameters)
    yield from (f"format {reader.role} {reader.name}" for reader in readers)


def _exported(module: str) -> list[str]:
    return getattr(import_module(module), "__all__", [])


def _at(name: str) -> type:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def _beside(results: Iterable[type]) -> Iterator[type]:
    """Yield the data classes in the modules of results, of which results are made: the runs and pairs of a comparison."""
    for module in {kind.__module__ for kind in results}:
        for name, kind in vars(import_module(module)).items():
            if dataclasses.is_dataclass(kind) and kind.__module__ == module and not name.startswith("_"):
                yield cast(type, kind)


def _members(name: str, member: Any) -> Iterator[str]:
    """Yield the parameters of a function; the attributes and methods of a class."""
    if inspect.isfunction(member):
        yield from _parameters(name, member)
    elif inspect.isclass(member):
        if name in CONSTRUCTED:
            yield from _parameters(name, member)
        for base in member.__mro__:
            if base.__module__.startswith("assay."):
                for attribute, value in {**vars(base).get("__annotations__", {}), **vars(base)}.items():
                    if not attribute.startswith("_"):
                        yield f"python {name}.{attribute}"
                        if inspect.isfunction(value):
                            yield from _parameters(f"{name}.{attribute}", value)


def _parameters(name: str, function: Callable[..., Any]) -> Iterator[str]:
    """Yield the parameters; those that may be given by position with their position."""
    given = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    for place, parameter in enumerate(given, 1):
        if parameter.kind is parameter.VAR_KEYWORD:
            declared = str(parameter.annotation).removeprefix("Unpack[").removesuffix("]")
            if hasattr(parameters, declared):
                yield f"python {name}(**{declared})"
                keywords = parameters.names_of(getattr(parameters, declared))
                yield from (f"keyword {declared} {keyword}" for keyword in keywords)
        else:
            by_name = parameter.kind is parameter.KEYWORD_ONLY
            yield f"python {name}({parameter.name})" + ("" if by_name else f" at {place}")


def _examples() -> dict[str, Any]:
    """An object of each class whose attributes are set when it is made."""
    gold, runs = {"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}
    scores = assay.evaluate(gold, runs, ["AP"])
    overlap: Any = assay.overlap(runs)
    return {
        "assay.Gold": assay.read_gold(gold),
        "assay.Report": assay.report(scores, trials=0),
        "assay.Scores": scores,
        "assay.Settings": scores.settings,
        "assay.FormatError": assay.FormatError("bm25.run", 1, "is empty"),
        f"{type(overlap).__module__}.Listing": overlap,
    }
