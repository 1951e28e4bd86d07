"""How a measure is declared: everything a person wants to know about it stands beside its formula.

Three levels, and resampling follows from the level:

    @measure   a value per topic, averaged over topics            def average_precision(view): ...
    @sums      integers per topic that add up, and a formula      def c_at_1(n, correct, unanswered): return top, bottom
    @whole     needs every topic at once                          def cws(correct, confidence): ...

A function returns a number, or None where the measure is undefined. Its keyword arguments are the measure's parameters,
so `P(rel=2)@5` calls `precision(view, rel=2, cut=5)`. `find` is the measure of a name, `resolve` that of a name or value
within a task: `RR` means one thing in a ranking of documents and another in a list of answers.
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.measures.naming import Measure, complete, names_of, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Parser = Callable[[str], Any]

TOPIC, SUMS, WHOLE = "topic", "sums", "whole"


class Declaration:
    """One measure as its author declared it."""

    __slots__ = (
        "aliases", "at", "average", "cite", "function", "high", "higher_is_better",
        "level", "low", "name", "of", "parameters", "task", "undefined",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        *,
        level: str,
        task: str,
        aliases: tuple[str, ...],
        parameters: Mapping[str, Parser],
        at: str,
        average: str,
        higher_is_better: bool | None,
        low: float | None,
        high: float | None,
        undefined: str,
        cite: str,
        of: tuple[str, ...],
    ) -> None:
        self.name = name
        self.function = function
        self.level = level
        self.task = task
        self.aliases = aliases
        self.parameters = parameters
        self.at = at
        self.average = average
        self.higher_is_better = higher_is_better
        self.low = low
        self.high = high
        self.undefined = undefined
        self.cite = cite
        self.of = of

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters' defaults, read off the function itself."""
        code = self.function.__code__
        values = self.function.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount]
        positional = zip(names[len(names) - len(values) :], values, strict=True)
        return {**dict(positional), **(self.function.__kwdefaults__ or {})}

    @property
    def required(self) -> list[str]:
        """Parameters that must be given, such as the cutoff of P@k."""
        return [name for name in self.parameters if name not in self.defaults]


_declared: dict[str, dict[str, Declaration]] = {}


def _register(declaration: Declaration) -> None:
    names = _declared.setdefault(declaration.task, {})
    for name in names_of(declaration):
        known = names.get(name)
        if known is not None and known.function.__qualname__ != declaration.function.__qualname__:
            raise UsageError(f"measure name {name!r} is taken by {known.name} of the task {declaration.task!r}")
        names[name] = declaration


def _decorator(level: str, summary: str) -> Callable[..., Any]:
    def declare(
        name: str,
        *,
        task: str = "ranked",
        aliases: Iterable[str] = (),
        parameters: Mapping[str, Parser] | None = None,
        at: str = "cut",
        average: str = "mean",
        higher_is_better: bool | None = True,
        low: float | None = 0.0,
        high: float | None = 1.0,
        undefined: str = "never",
        cite: str,
        of: Iterable[str] = (),
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            _register(
                Declaration(
                    name,
                    function,
                    level=level,
                    task=task,
                    aliases=tuple(aliases),
                    parameters=parameters or {},
                    at=at,
                    average=average,
                    higher_is_better=higher_is_better,
                    low=low,
                    high=high,
                    undefined=undefined,
                    cite=cite,
                    of=tuple(of),
                )
            )
            return function

        return register

    declare.__doc__ = summary + KEYWORDS
    return declare


KEYWORDS = """

    name               what people write, as in `P@5`
    task               the task whose views, sums or columns the function sees
    aliases            other names; `P_{cut}` takes what follows the underscore as the parameter cut
    parameters         by name of the function's argument, the parser of what is written for it
    at                 the parameter that `@` stands for
    average            how topics become one number: mean, sum or geometric
    higher_is_better   None where neither is
    low, high          the range; None where it has no end
    undefined          when the function returns None (or a denominator of 0), in words
    cite               where the measure is defined
    of                 the ingredient columns it is made from, where it sees no view
"""

measure = _decorator(TOPIC, "Declare a measure with a value per topic: `function(view)` returns a number or None.")
sums = _decorator(SUMS, "Declare a measure of sums: `function(n, *sums of the columns in of)` returns top and bottom.")
whole = _decorator(WHOLE, "Declare a measure of a whole run: `function(*columns in of)` returns a number or None.")


def declarations(task: str | None = None) -> list[Declaration]:
    """All declarations, or those of one task, each once: task by task, in the order they were declared."""
    from assay.measures import TASKS, load

    load(task)
    tasks = dict.fromkeys((*TASKS, *_declared) if task is None else (task,))
    return list({id(d): d for t in tasks for d in _declared.get(t, {}).values()}.values())


def find(text: str, task: str | None = None) -> Measure:
    """The measure a person wrote, looked up in one task or, without one, in all.

    >>> find("P(rel=2)@5")
    measure('P(rel=2)@5')
    >>> find("ndcg_cut_10") == find("nDCG@10")
    True
    """
    from assay.measures import TASKS, load

    for candidate in [task] if task is not None else TASKS:
        load(candidate)
        found = parse(text.strip(), _declared.get(candidate, {}))
        if found is not None:
            return complete(found)
    raise UsageError(_unknown(text, task))


def resolve(wanted: str | Measure, task: str) -> Measure:
    """The measure that a name or a value means within a task.

    A value of another task is looked up again by its name, so that one `RR` serves every task that has one.

    >>> from assay.measures import RR
    >>> resolve(RR, "ranked") == RR, resolve(RR, "qa") == find("RR", "qa")
    (True, True)
    """
    if isinstance(wanted, Measure) and wanted.declaration.task == task:
        return complete(wanted)
    return find(str(wanted), task)


def python_name(declaration: Declaration) -> str:
    """What the measure is called in Python: its name or, where that cannot be written there, its function's name.

    >>> python_name(find("nDCG").declaration), python_name(find("c@1").declaration)
    ('nDCG', 'c_at_1')
    """
    return declaration.name if declaration.name.isidentifier() else declaration.function.__name__


def value(name: str) -> Measure | None:
    """The measure called `name` in Python, of the first task that has one; its parameters may still be missing."""
    from assay.measures import TASKS

    for task in TASKS:
        for declaration in declarations(task):
            if python_name(declaration) == name:
                return Measure(declaration, declaration.name, {})
    return None


def _unknown(text: str, task: str | None) -> str:
    from difflib import get_close_matches

    if text.partition(".")[0] in ("relstring", "runid"):
        return f"{text} is a text, not a number: `assay trec_eval -m {text}` prints it"
    known = sorted({name for d in declarations(task) for name in (d.name, *d.aliases)})
    near = get_close_matches(text, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    where = f" for the task {task!r}" if task else ""
    return f"unknown measure {text!r}{where}{hint} (`assay measures` lists them)"
