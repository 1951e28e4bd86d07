"""How a measure is declared, written and found: everything a person wants to know about it stands beside its formula.

Three levels, and resampling follows from the level:

    @measure   a value per topic, averaged over topics            def average_precision(view): ...
    @sums      integers per topic that add up, and a formula      def c_at_1(n, correct, unanswered): return top, bottom
    @whole     needs every topic at once                          def cws(correct, confidence): ...

A function returns a number, or None where the measure is undefined. Its keyword arguments are the measure's parameters,
so `P(rel=2)@5` calls `precision(view, rel=2, cut=5)`. `find` is the measure of a name, `resolve` that of a name or value
within a task: `RR` means one thing in a ranking of documents and another in a list of answers.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

MODULES = {
    "ranked": ("ranked", "interpolated", "graded", "sets", "abstention"),
    "diversity": ("diversity",),
    "preferences": ("preferences",),
    "judgment-groups": ("preferences",),
    "sampled": ("sampled",),
    "outcomes": (
        "outcomes", "samples", "validation", "confidence", "selection", "calibration", "calibration_errors", "brier_parts",
        "declining", "per_question", "verification",
    ),
    "known-item": ("known_item",),
    "filtering": ("filtering",),
    "qa": ("qa",),
    "list": ("qa",),
    "context": ("qa",),
    "nuggets": ("nuggets",),
    "generation": ("generation", "citations"),
    "pairwise": ("pairwise",),
}  # fmt: skip
"""Which modules declare the measures of each task. They are imported when a task is first asked for."""

FURTHER = {
    "ranked": ("ntcir", "satisfaction", "cwl", "quantities", "compatibility", "first_ranks", "burges"),
    "context": ("sessions",),
}
"""Modules that are imported only when a name is not found in those: nobody waits for a measure that is not asked for."""

SHARED = {"diversity": ("ranked",)}
"""Tasks whose views are also those of others, and whose measures they have therefore: their own are asked first."""

TASKS = tuple(MODULES)
CONDENSABLE = "ranked"
"""The task whose measures can look at the condensed list, the ranking without documents that nobody judged."""
JUDGED_ONLY = "judged_only"
"""The parameter that says so, which every such measure has; a prime is short for it: `AP'`, `nDCG'@10`."""
PRIMES = ("'", "′")
TOPIC, SUMS, WHOLE = "topic", "sums", "whole"
_declared: dict[str, dict[str, Declaration]] = {}
"""By task and any of its names, every measure declared so far."""


class Declaration:
    """One measure as its author declares it, and the decorator that does so: `measure`, `sums` and `whole`."""

    __slots__ = (
        "aliases", "at", "average", "cite", "function", "high", "higher_is_better", "kernel",
        "level", "low", "name", "of", "of_samples", "ours", "parameters", "task", "together",
        "undefined",
    )  # fmt: skip

    def __init__(
        self, level: str, name: str, *, task: str = "ranked", aliases: Iterable[str] = (),
        parameters: Mapping[str, Callable[[str], Any]] | None = None, at: str = "cut", average: str = "mean",
        higher_is_better: bool | None = True, low: float | None = 0.0, high: float | None = 1.0,
        undefined: str = "never", cite: str, of: Iterable[str] = (), of_samples: bool = False, kernel: str = "",
        together: Callable[..., Callable[..., Mapping[str, float]]] | None = None,
    ) -> None:  # fmt: skip
        self.level = level
        self.name = name
        self.task = task
        self.aliases = tuple(aliases)
        self.parameters = parameters or {}
        self.at = at
        self.average = average
        self.higher_is_better = higher_is_better
        self.low = low
        self.high = high
        self.undefined = undefined
        self.cite = cite
        self.of = tuple(of)
        self.of_samples = of_samples
        self.together = together
        self.kernel = kernel

    def __call__(self, function: Function) -> Function:
        self.function: Callable[..., Any] = function
        self.ours = (function.__module__ or "").startswith("assay.")
        """Whether assay declares it: the tests hold such a measure to its declaration, and a user's own is checked."""
        names = _declared.setdefault(self.task, {})
        for name in (self.name, *self.aliases):
            known = names.get(name)
            if known is not None and known.function.__qualname__ != function.__qualname__:
                raise UsageError(f"measure name {name!r} is taken by {known.name} of the task {self.task!r}")
            names[name] = self
        return function

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
    of                 the ingredient columns it is made from, where it sees no view; `{of}` is the column a parameter names
    together           of a measure of a whole run that one calculation gives to all runs: from its columns but the last, which
                       is the run's name, to a function from the topics' weights to the values by name
    of_samples         whether it sees all samples of a question at once; a measure of one answer is averaged over them
    kernel             what the core calls it, where it computes the same to the last bit (native/kernels.c)
"""

measure, sums, whole = partial(Declaration, TOPIC), partial(Declaration, SUMS), partial(Declaration, WHOLE)
measure.__doc__ = f"Declare a measure with a value per topic: `function(view)` returns a number or None.{KEYWORDS}"
sums.__doc__ = f"Declare a measure of sums: `function(n, *sums of the columns in of)` returns top and bottom.{KEYWORDS}"
whole.__doc__ = f"Declare a measure of a whole run: `function(*columns in of)` returns a number or None.{KEYWORDS}"


class Measure:
    """A declaration with its parameters chosen; prints as it was written.

    Called with parameters it is the same measure with these, called with a view (or sums, or columns) it is a number:

    >>> from assay.measures import P
    >>> P(rel=2)@5
    measure('P(rel=2)@5')
    >>> from assay.measures.view import RankedView
    >>> (P@5)(RankedView.of([1, 0, 1]))
    0.4
    """

    __slots__ = ("average", "condensed", "declaration", "level", "name", "of", "parameters")

    def __init__(self, declaration: Declaration, name: str, written: Mapping[str, str]) -> None:
        self.declaration = declaration
        self.name = name
        self.level = declaration.level
        self.average = declaration.average
        self.parameters: dict[str, Any] = {}
        self.condensed = declaration.task == CONDENSABLE and _yes(written.get(JUDGED_ONLY, "false"), name)
        """Whether it looks at the documents with a judgment alone: `AP'`, or `AP(judged_only=true)`."""
        for parameter, text in written.items():
            if parameter == JUDGED_ONLY and declaration.task == CONDENSABLE:
                continue
            if parameter not in declaration.parameters:
                known = ", ".join(declaration.parameters) or "none"
                raise UsageError(f"measure {name!r}: {declaration.name} has no parameter {parameter!r}; it has {known}")
            try:
                self.parameters[parameter] = declaration.parameters[parameter](text)
            except ValueError as problem:
                raise UsageError(f"measure {name!r}: {parameter}={text}: {problem}") from None
        self.of = tuple(
            column.format_map(declaration.defaults | self.parameters) if "{" in column else column
            for column in declaration.of
        )
        """The ingredient columns a sums- or whole-level measure is made from."""

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        if parameters and not arguments:
            return self._with(f"({','.join(f'{name}={_written(value)}' for name, value in parameters.items())})")
        return self.bound()(*arguments, **parameters)

    def __matmul__(self, at: Any) -> Measure:
        return self._with(f"@{_written(at)}")

    def _with(self, more: str) -> Measure:
        declaration = self.declaration
        written = _parse(self.name + more, dict.fromkeys((declaration.name, *declaration.aliases), declaration))
        if written is None:
            raise UsageError(f"measure {self.name + more!r}: write its parameters in brackets, once, and then @")
        return written

    def bound(self) -> Callable[..., Any]:
        """The bare function with its parameters filled in: what a scoring loop calls."""
        function = self.declaration.function
        filled = partial(function, **self.parameters) if self.parameters else function
        return partial(_of_condensed, filled) if self.condensed else filled

    def kernel(self) -> tuple[str, int | None] | None:
        """What the core calls it and the rank it is cut off at; None where the core does not have it.

        >>> find("P@5").kernel(), find("AP").kernel(), find("AP(rel=2)").kernel(), find("AP'").kernel()
        (('P', 5), ('AP', None), None, None)
        """
        cut = self.parameters.get("cut")
        plain = self.parameters.keys() <= {"cut"} and not self.condensed
        if not self.declaration.kernel or not plain or (cut or 0) > 1 << 53:
            return None
        return self.declaration.kernel, cut

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"measure({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Measure)
            and self.declaration is other.declaration
            and self.parameters == other.parameters
            and self.condensed == other.condensed
        )

    def __hash__(self) -> int:
        return hash(self.declaration.name)


def _of_condensed(function: Callable[..., Any], view: Any, **parameters: Any) -> Any:
    return function(view.condensed(), **parameters)


def _yes(text: str, name: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise UsageError(f"measure {name!r}: {JUDGED_ONLY}={text}: expected true or false")
    return text.lower() == "true"


def _written(value: Any) -> str:
    """A parameter's value as it is written in a name.

    >>> _written({1: 1, 2: 3.5}), _written((0.25, 0.5)), _written("lenient"), _written(5)
    ('1:1,2:3.5', '0.25/0.5', 'lenient', '5')
    """
    if isinstance(value, dict):
        table: dict[Any, Any] = value
        return ",".join(f"{key}:{gain}" for key, gain in table.items())
    if isinstance(value, (tuple, list)):
        items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        return "/".join(map(str, items))
    return str(value)


def _parse(text: str, names: Mapping[str, Declaration]) -> Measure | None:
    """The measure a text stands for among some names, None where none of them is meant; parameters may be missing.

    `P(rel=2)@5`, `P_5` where an alias is `P_{cut}`, `AP'` of the condensed list, and `c@1`, a name that only looks like a cutoff.
    """
    if text in names:
        return Measure(names[text], text, {})
    base, separator, at = text.rpartition("@")
    if not separator or ")" in at:
        base, at = text, ""
    inside = ""
    if base.endswith(")") and "(" in base:
        base, _, inside = base[:-1].partition("(")
    condensed = base[-1:] in PRIMES and base[:-1] in names and names[base[:-1]].task == CONDENSABLE
    if base in names or condensed:
        declaration = names[base[:-1] if condensed else base]
        given = _arguments(inside, text, declaration) if inside.strip() else {}
        if at:
            if declaration.at in given:
                raise UsageError(f"measure {text!r}: {declaration.at} is given twice")
            given[declaration.at] = at
        if condensed:
            if JUDGED_ONLY in given:
                raise UsageError(f"measure {text!r}: the prime says {JUDGED_ONLY} already")
            given[JUDGED_ONLY] = "true"
        return Measure(declaration, text, given)
    for alias, declaration in names.items():
        prefix, brace, rest = alias.partition("{")
        parameter, _, suffix = rest.partition("}")
        inside = text[len(prefix) : len(text) - len(suffix)]
        if brace and inside and text.startswith(prefix) and text.endswith(suffix):
            return Measure(declaration, text, {parameter: inside})
    return None


def _arguments(inside: str, text: str, declaration: Declaration) -> dict[str, str]:
    """`rel=2,gains=1:1,2:2` split at commas that start a new name; values without a name fill the parameters in order.

    A value may be a measure with brackets of its own, as in `ETU(INST(T=2,max_rel=3))`.
    """
    pieces: list[str] = []
    for piece in inside.split(","):
        within = bool(pieces) and pieces[-1].count("(") > pieces[-1].count(")")
        if within or (pieces and _named(pieces[-1]) and not _named(piece)):
            pieces[-1] += "," + piece
        else:
            pieces.append(piece)
    free = [name for name in declaration.parameters if name != declaration.at]
    given: dict[str, str] = {}
    for number, piece in enumerate(pieces):
        name, _, value = piece.partition("=")
        if not _named(piece):
            if number >= len(free):
                raise UsageError(f"measure {text!r}: {declaration.name} takes at most {len(free)} values in brackets")
            name, value = free[number], piece
        name = name.strip()
        if name in given:
            raise UsageError(f"measure {text!r}: {name} is given twice")
        given[name] = value.strip().strip("'\"")
    return given


def _named(piece: str) -> bool:
    """Whether a value is written with its parameter's name, and not only one in brackets of its own."""
    return "=" in piece.partition("(")[0]


def load(task: str | None = None) -> None:
    """Import the modules that declare a task's measures (all of them without a task)."""
    for name in TASKS if task is None else (task,):
        _import(MODULES, name)
        _import(FURTHER, name)


def _import(modules: Mapping[str, Iterable[str]], task: str) -> None:
    for module in modules.get(task, ()):
        import_module(f"assay.measures.{module}")


def declarations(task: str | None = None) -> list[Declaration]:
    """All declarations, or those of one task, each once: task by task, in the order they were declared."""
    load(task)
    tasks = dict.fromkeys((*TASKS, *_declared) if task is None else (task,))
    return list({id(d): d for t in tasks for d in _declared.get(t, {}).values()}.values())


def find(text: str, task: str | None = None) -> Measure:
    """The measure a person wrote.

    text   as in AP, nDCG@10, P(rel=2)@5, ndcg_cut_10
    task   whose measures to look among; all of them where left out

    >>> find("P(rel=2)@5")
    measure('P(rel=2)@5')
    >>> find("ndcg_cut_10") == find("nDCG@10")
    True
    """
    problem: UsageError | None = None
    for candidate in (task, *SHARED.get(task, ())) if task is not None else TASKS:
        for modules in (MODULES, FURTHER):
            _import(modules, candidate)
            try:
                found = _parse(text.strip(), _declared.get(candidate, {}))
            except UsageError as wrong:  # P_IA@5 is a measure of its own, and no precision at "IA@5"
                problem = problem or wrong
                continue
            if found is not None:
                return _complete(found)
    elsewhere = _tasks_with(text, task) if task is not None else []
    raise UsageError(_unknown(text, task, elsewhere)) if elsewhere or problem is None else problem


def resolve(wanted: str | Measure, task: str) -> Measure:
    """The measure that a name or a value means within a task.

    A value of another task is looked up again by its name, so that one `RR` serves every task that has one.

    >>> from assay.measures import RR
    >>> resolve(RR, "ranked") == RR, resolve(RR, "qa") == find("RR", "qa")
    (True, True)
    """
    if isinstance(wanted, Measure) and wanted.declaration.task == task:
        return _complete(wanted)
    return find(str(wanted), task)


def _complete(measure: Measure) -> Measure:
    """The same measure, or an error naming the parameter that it cannot be computed without."""
    declaration, defaults = measure.declaration, measure.declaration.defaults
    for name in declaration.parameters:
        if name not in measure.parameters and name not in defaults:
            value = _example(declaration.parameters[name])
            example = f"{declaration.name}@{value}" if name == declaration.at else f"{declaration.name}({name}={value})"
            raise UsageError(f"measure {measure.name!r}: {name} must be given, as in {example}")
    return measure


def _example(parser: Callable[[str], Any]) -> str:
    """A value that may be written for a parameter."""
    for text in ("10", "0.5"):
        try:
            parser(text)
        except ValueError:
            continue
        return text
    return "…"


def python_name(declaration: Declaration) -> str:
    """What the measure is called in Python: its name or, where that cannot be written there, its function's name.

    >>> python_name(find("nDCG").declaration), python_name(find("c@1").declaration)
    ('nDCG', 'c_at_1')
    """
    return declaration.name if declaration.name.isidentifier() else declaration.function.__name__


def value(name: str) -> Measure | None:
    """The measure called `name` in Python, of the first task that has one; its parameters may still be missing."""
    for task in TASKS:
        for modules in (MODULES, FURTHER):
            _import(modules, task)
            for declaration in _declared.get(task, {}).values():
                if python_name(declaration) == name:
                    return Measure(declaration, declaration.name, {})
    return None


def _tasks_with(text: str, task: str) -> list[str]:
    """Other tasks that have a measure of that name; none where this one has."""
    name = text.strip().partition("@")[0].partition("(")[0]
    own = (task, *SHARED.get(task, ()))
    found = [t for t in dict.fromkeys((*own, *TASKS)) if any(name in (d.name, *d.aliases) for d in declarations(t))]
    return [] if found and found[0] in own else found


def _unknown(text: str, task: str | None, elsewhere: list[str]) -> str:
    from difflib import get_close_matches

    if text.partition(".")[0] in ("relstring", "runid"):
        return f"{text} is a text, not a number: `assay trec_eval -m {text}` prints it"
    known = sorted(
        {name for t in (task, *SHARED.get(task or "", ())) for d in declarations(t) for name in (d.name, *d.aliases)}
    )
    near = get_close_matches(text, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    if elsewhere:
        hint = f"; it is one of the task {' and '.join(map(repr, elsewhere))} (`task={elsewhere[0]!r}`)"
    where = f" for the task {task!r}" if task else ""
    return f"unknown measure {text!r}{where}{hint} (`assay measures` lists them)"
