"""The registry of measures: which modules declare those of each task, and lookup by name.

`find` looks up a name, `resolve` a name or value within a task: `RR` of a ranking of documents and `RR` of a list of answers
are two measures.
"""

from __future__ import annotations

import sys
from importlib import import_module

from assay.errors import UsageError
from assay.measures.define import declared
from assay.measures.measure import Measure, parse
from assay.parameters import public

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from assay.measures.define import Declaration

MODULES = {
    "ranked": (
        ("ranked", "ndcg"),
        ("graded",),
        ("interpolated", "sets"),
        ("ranked_abstention",),
        ("ntcir", "cwl", "understandability"),
    ),
    "diversity": (("diversity",),),
    "preferences": (("preferences",),),
    "judgment-groups": (("preferences",),),
    "sampled": (("sampled_judgments",),),
    "outcomes": (
        ("accuracy_and_c_at_1",),
        ("samples", "answer_validation"),
        ("confidence", "selective_prediction", "calibration"),
        ("declining", "nil_answers", "clef_pilot", "squad", "verification"),
    ),
    "known-item": (("known_item",),),
    "filtering": (("filtering",),),
    "qa": (("qa", "nil_answers"),),
    "list": (("qa", "nil_answers"),),
    "context": (("qa", "nil_answers"), ("sessions",)),
    "nuggets": (("nuggets",),),
    "generation": (("generation",),),
    "pairwise": (("pairwise",),),
}  # fmt: skip
"""The modules that declare the measures of each task, in steps. A step is imported only where a name is not in those before,
which keeps start-up short."""

SHARED = {"diversity": ("ranked",)}
"""Tasks that also have the measures of other tasks; their own come first."""

TASKS = tuple(MODULES)

GROUPS = {
    "estimators": (
        "outcomes",
        "The five estimates of a score with non-response that Peñas and Rodrigo (2011, section 3) reject, and c@1.",
        (
            "accuracy", "all_unanswered_right", "half_unanswered_right", "unanswered_as_precision", "unanswered_as_error",
            "c@1",
        ),
    )
}  # fmt: skip
"""Groups of measures under one name: the task, a description, and their names."""


def load(task: str | None = None) -> None:
    """Import the modules that declare a task's measures (all of them without a task)."""
    for name in TASKS if task is None else (task,):
        for step in MODULES.get(name, ()):
            _names(name, step)


def _names(task: str, step: Iterable[str]) -> Mapping[str, Declaration]:
    """Import the modules of a step and return the task's declarations by name."""
    for module in step:
        # In a training loop the import system would take longer than the measures.
        if f"assay.measures.{module}" not in sys.modules:
            import_module(f"assay.measures.{module}")
    return declared().get(task, {})


def declarations(task: str | None = None) -> list[Declaration]:
    """Return all declarations, or those of one task, without duplicates, in the order of tasks and declaration."""
    load(task)
    tasks = dict.fromkeys((*TASKS, *declared()) if task is None else (task,))
    return list({id(d): d for t in tasks for d in declared().get(t, {}).values()}.values())


@public
def find(text: str, task: str | None = None) -> Measure:
    """Return the measure of a name.

    text   as in AP, nDCG@10, P(rel=2)@5, ndcg_cut_10
    task   the task whose measures are searched; default all tasks

    Returns a measure: a value that prints as it was written, and computes when it is called with a view, sums or columns. Raises
    UsageError where the name is unknown, or a parameter is missing or malformed.

    >>> find("P(rel=2)@5")
    measure('P(rel=2)@5')
    >>> find("ndcg_cut_10") == find("nDCG@10")
    True
    """
    problem: UsageError | None = None
    for candidate in (task, *SHARED.get(task, ())) if task is not None else TASKS:
        for step in MODULES.get(candidate, ((),)):
            try:
                measure = parse(text.strip(), _names(candidate, step))
            except UsageError as wrong:  # P_IA@5 is a measure, not P at "IA@5"
                problem = problem or wrong
                continue
            if measure is not None:
                return _complete(measure)
    elsewhere = _tasks_with(text, task) if task is not None else []
    raise UsageError(_unknown(text, task, elsewhere)) if elsewhere or problem is None else problem


def expand_groups(names: Iterable[str | Measure] | str | Measure, task: str) -> list[str | Measure]:
    """Return the measures named, one or several, with groups replaced by their measures.

    >>> expand_groups(["UF", "estimators"], "outcomes")[:3]
    ['UF', 'accuracy', 'all_unanswered_right']
    """
    listed: Any = [names] if isinstance(names, str) or not hasattr(names, "__iter__") else names
    expanded: list[str | Measure] = []
    for name in listed:
        group = GROUPS.get(name.strip()) if isinstance(name, str) else None
        expanded += group[2] if group is not None and group[0] == task else (name,)
    return expanded


def resolve(measure: str | Measure, task: str) -> Measure:
    """Return the measure that a name or a value means within a task.

    A value of another task is looked up by its name, so that one `RR` serves all tasks with an RR.

    >>> from assay.measures import RR
    >>> resolve(RR, "ranked") == RR, resolve(RR, "qa") == find("RR", "qa")
    (True, True)
    """
    if isinstance(measure, Measure) and measure.declaration.task == task:
        return _complete(measure)
    return find(str(measure), task)


def _complete(measure: Measure) -> Measure:
    """Return the measure; raise UsageError where a required parameter is missing."""
    declaration, defaults = measure.declaration, measure.declaration.defaults
    for name in declaration.parameters:
        if name not in measure.parameters and name not in defaults:
            value = _example(declaration.parameters[name])
            example = f"{declaration.name}@{value}" if name == declaration.at else f"{declaration.name}({name}={value})"
            raise UsageError(f"measure {measure.name!r}: {name} must be given, as in {example}")
    return measure


def _example(parser: Callable[[str], Any]) -> str:
    """Return an example of a parameter's value."""
    for text in ("10", "0.5"):
        try:
            parser(text)
        except ValueError:
            continue
        return text
    return "…"


def python_name(declaration: Declaration) -> str:
    """Return the measure's name in Python: its own, or its function's where that is no identifier.

    >>> python_name(find("nDCG").declaration), python_name(find("c@1").declaration)
    ('nDCG', 'c_at_1')
    """
    return declaration.name if declaration.name.isidentifier() else declaration.function.__name__


def value(name: str) -> Measure | None:
    """Return the measure with this name in Python, of the first task that has one; parameters may be missing."""
    for task in TASKS:
        for step in MODULES[task]:
            for declaration in _names(task, step).values():
                if python_name(declaration) == name:
                    return Measure(declaration, declaration.name, {})
    return None


def _tasks_with(text: str, task: str) -> list[str]:
    """Return other tasks with a measure of that name; empty where this task has one."""
    name = text.strip().partition("@")[0].partition("(")[0]
    searched = (task, *SHARED.get(task, ()))
    tasks = [
        t for t in dict.fromkeys((*searched, *TASKS)) if any(name in (d.name, *d.aliases) for d in declarations(t))
    ]
    return [] if tasks and tasks[0] in searched else tasks


def _unknown(text: str, task: str | None, elsewhere: list[str]) -> str:
    from difflib import get_close_matches

    if text.strip() in GROUPS:
        group, _, members = GROUPS[text.strip()]
        hint = "; name one of them" if task in (None, group) else ""
        return f"{text!r} is a group of measures of the task {group!r}: {', '.join(members)}{hint}"
    if text.partition(".")[0] in ("relstring", "runid"):
        return f"{text} is a text, not a number. Fix: use `assay trec_eval -m {text}`."
    known = sorted(
        {name for t in (task, *SHARED.get(task or "", ())) for d in declarations(t) for name in (d.name, *d.aliases)}
    )
    near = get_close_matches(text, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    if elsewhere:
        hint = f"; it is a measure of the task {' and '.join(map(repr, elsewhere))} (`task={elsewhere[0]!r}`)"
    where = f" for the task {task!r}" if task else ""
    return f"unknown measure {text!r}{where}{hint} (`assay measures` lists them)"
