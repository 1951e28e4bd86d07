"""How a measure is declared: everything a person wants to know about it stands beside its formula.

Three levels, and resampling follows from the level:

    @measure   a value per topic, averaged over topics            def average_precision(view): ...
    @sums      integers per topic that add up, and a formula      def c_at_1(n, correct, unanswered): return top, bottom
    @whole     needs every topic at once                          def cws(correct, confidence): ...

A function returns a number, or None where the measure is undefined. Its keyword arguments are the measure's parameters,
so `P(rel=2)@5` calls `precision(view, rel=2, cut=5)`.
"""

from __future__ import annotations

from assay.errors import UsageError

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
        return dict(zip(names[len(names) - len(values) :], values, strict=True))

    @property
    def required(self) -> list[str]:
        """Parameters that must be given, such as the cutoff of P@k."""
        return [name for name in self.parameters if name not in self.defaults]


class Measure:
    """A declaration with its parameters chosen; prints as it was written."""

    __slots__ = ("declaration", "name", "parameters")

    def __init__(self, declaration: Declaration, name: str, parameters: Mapping[str, Any]) -> None:
        self.declaration = declaration
        self.name = name
        self.parameters = dict(parameters)

    def __call__(self, *arguments: Any) -> Any:
        return self.declaration.function(*arguments, **self.parameters)

    def bound(self) -> Callable[..., Any]:
        """The bare function with its parameters filled in: what a scoring loop calls."""
        if not self.parameters:
            return self.declaration.function
        from functools import partial

        return partial(self.declaration.function, **self.parameters)

    @property
    def level(self) -> str:
        return self.declaration.level

    @property
    def average(self) -> str:
        return self.declaration.average

    @property
    def of(self) -> tuple[str, ...]:
        """The ingredient columns a sums- or whole-level measure is made from."""
        return self.declaration.of

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"measure({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Measure) and self.declaration is other.declaration and self.parameters == other.parameters
        )

    def __hash__(self) -> int:
        return hash(self.declaration.name)


_declared: dict[str, dict[str, Declaration]] = {}


def _register(declaration: Declaration) -> None:
    names = _declared.setdefault(declaration.task, {})
    for name in (declaration.name, *declaration.aliases):
        known = names.get(name)
        if known is not None and known.function.__qualname__ != declaration.function.__qualname__:
            raise UsageError(f"measure name {name!r} is taken by {known.name} of the task {declaration.task!r}")
        names[name] = declaration


def _decorator(level: str) -> Callable[..., Any]:
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

    return declare


measure = _decorator(TOPIC)
"""Declare a measure with a value per topic. `average` says how topics become one number: mean, sum or geometric."""
sums = _decorator(SUMS)
"""Declare a measure of sums: `function(n, *sums of the columns named in of)` returns numerator and denominator."""
whole = _decorator(WHOLE)
"""Declare a measure of a whole run: `function(*columns named in of)` returns a number or None."""


def declarations(task: str | None = None) -> list[Declaration]:
    """All declarations, or those of one task, each once, in the order they were declared."""
    from assay.measures import load

    load(task)
    tasks = [task] if task is not None else list(_declared)
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
        found = _parse(text.strip(), _declared.get(candidate, {}))
        if found is not None:
            return found
    raise UsageError(_unknown(text, task))


def _parse(text: str, names: Mapping[str, Declaration]) -> Measure | None:
    if text in names:
        return _bind(names[text], text, {})
    base, separator, at = text.rpartition("@")
    if not separator or ")" in at:
        base, at = text, ""
    inside = ""
    if base.endswith(")") and "(" in base:
        base, _, inside = base[:-1].partition("(")
    if base in names:
        declaration = names[base]
        given = _arguments(inside, text, declaration)
        if at:
            if declaration.at in given:
                raise UsageError(f"measure {text!r}: {declaration.at} is given twice")
            given[declaration.at] = at
        return _bind(declaration, text, given)
    for alias, declaration in names.items():
        if "{" in alias:
            prefix, _, rest = alias.partition("{")
            if text.startswith(prefix) and len(text) > len(prefix):
                return _bind(declaration, text, {rest.rstrip("}"): text[len(prefix) :]})
    return None


def _arguments(inside: str, text: str, declaration: Declaration) -> dict[str, str]:
    """`rel=2,gains=1:1,2:2` split at commas that start a new name; values without a name fill the parameters in order."""
    pieces: list[str] = []
    for piece in inside.split(",") if inside.strip() else []:
        if pieces and "=" in pieces[-1] and "=" not in piece:
            pieces[-1] += "," + piece
        else:
            pieces.append(piece)
    free = [name for name in declaration.parameters if name != declaration.at]
    given: dict[str, str] = {}
    for number, piece in enumerate(pieces):
        name, equals, value = piece.partition("=")
        if not equals:
            if number >= len(free):
                raise UsageError(f"measure {text!r}: {declaration.name} takes at most {len(free)} values in brackets")
            name, value = free[number], piece
        name = name.strip()
        if name in given:
            raise UsageError(f"measure {text!r}: {name} is given twice")
        given[name] = value.strip().strip("'\"")
    return given


def _bind(declaration: Declaration, text: str, given: Mapping[str, str]) -> Measure:
    values: dict[str, Any] = {}
    for name, written in given.items():
        if name not in declaration.parameters:
            known = ", ".join(declaration.parameters) or "none"
            raise UsageError(f"measure {text!r}: {declaration.name} has no parameter {name!r}; it has {known}")
        try:
            values[name] = declaration.parameters[name](written)
        except ValueError as problem:
            raise UsageError(f"measure {text!r}: {name}={written}: {problem}") from None
    for name in declaration.required:
        if name not in values:
            example = f"{declaration.name}@10" if name == declaration.at else f"{declaration.name}({name}=…)"
            raise UsageError(f"measure {text!r}: {name} must be given, as in {example}")
    return Measure(declaration, text, values)


def _unknown(text: str, task: str | None) -> str:
    from difflib import get_close_matches

    if text.partition(".")[0] in ("relstring", "runid"):
        return f"{text} is a text, not a number: `assay trec_eval -m {text}` prints it"
    known = sorted({name for d in declarations(task) for name in (d.name, *d.aliases)})
    near = get_close_matches(text, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    where = f" for the task {task!r}" if task else ""
    return f"unknown measure {text!r}{where}{hint} (`assay measures` lists them)"


# Parsers of parameter values. Their docstrings are the parameters' documentation.


def positive(text: str) -> int:
    """a whole number of at least 1"""
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise ValueError("expected a whole number of at least 1")
    return value


def integer(text: str) -> int:
    """a whole number"""
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("expected a whole number")
    return int(text)


def number(text: str) -> float:
    """a number"""
    try:
        value = float(text)
    except ValueError:
        raise ValueError("expected a number") from None
    if not -1e9 <= value <= 1e9:  # beyond, formulas overflow; NaN fails the comparison too
        raise ValueError("expected a number between -1e9 and 1e9")
    return value


def share(text: str) -> float:
    """a number from 0 to 1"""
    value = number(text)
    if not 0.0 <= value <= 1.0:
        raise ValueError("expected a number from 0 to 1")
    return value


def beta(text: str) -> float:
    """the weight of recall against precision, from 0 to 1000"""
    value = number(text)
    if not 0.0 <= value <= 1000.0:
        raise ValueError("expected a number from 0 to 1000")
    return value


def gains(text: str) -> dict[int, float]:
    """gain per grade, as in 1:1,2:3; or gains from the highest grade down, as in 3:2:1; or flat, 1 for grades 1 to 9

    >>> gains("1:1,2:3.5"), gains("2:1.5:1"), gains("flat")[3]
    ({1: 1.0, 2: 3.5}, {3: 2.0, 2: 1.5, 1: 1.0}, 1.0)
    """
    if text == "flat":
        return dict.fromkeys(range(1, 10), 1.0)
    if text.count(":") > 1 and "," not in text:
        downwards = text.split(":")
        return {len(downwards) - i: number(gain.strip()) for i, gain in enumerate(downwards)}
    table: dict[int, float] = {}
    for pair in text.strip("{}").split(","):
        grade, colon, gain = pair.partition(":")
        if not colon:
            raise ValueError("expected grade:gain pairs, as in 1:1,2:3")
        if integer(grade.strip()) in table:
            raise ValueError(f"grade {grade.strip()} is given twice")
        table[integer(grade.strip())] = number(gain.strip())
    return table


def one_of(*choices: str) -> Parser:
    """A parser for a parameter with a few named values."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return text

    parse.__doc__ = " or ".join(choices)
    return parse
