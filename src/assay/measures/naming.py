"""A measure as people write it, `P(rel=2)@5`: the text and the value it stands for."""

from __future__ import annotations

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from assay.measures.declare import Declaration


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

    __slots__ = ("declaration", "name", "parameters")

    def __init__(self, declaration: Declaration, name: str, parameters: Mapping[str, Any]) -> None:
        self.declaration = declaration
        self.name = name
        self.parameters = dict(parameters)

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        if parameters and not arguments:
            return self._with(f"({','.join(f'{name}={_written(value)}' for name, value in parameters.items())})")
        return self.declaration.function(*arguments, **self.parameters, **parameters)

    def __matmul__(self, at: Any) -> Measure:
        return self._with(f"@{_written(at)}")

    def _with(self, more: str) -> Measure:
        written = parse(self.name + more, names_of(self.declaration))
        if written is None:
            raise UsageError(f"measure {self.name + more!r}: write its parameters in brackets, once, and then @")
        return written

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


def names_of(declaration: Declaration) -> dict[str, Declaration]:
    """Every name the measure may be written by."""
    return dict.fromkeys((declaration.name, *declaration.aliases), declaration)


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


def parse(text: str, names: Mapping[str, Declaration]) -> Measure | None:
    """The measure a text stands for among some names, None where none of them is meant; see `complete`.

    `P(rel=2)@5`, `P_5` where an alias is `P_{cut}`, and `c@1`, a name that only looks like a cutoff.
    """
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


def complete(measure: Measure) -> Measure:
    """The same measure, or an error naming the parameter that it cannot be computed without."""
    declaration = measure.declaration
    for name in declaration.required:
        if name not in measure.parameters:
            example = f"{declaration.name}@10" if name == declaration.at else f"{declaration.name}({name}=…)"
            raise UsageError(f"measure {measure.name!r}: {name} must be given, as in {example}")
    return measure


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
    return Measure(declaration, text, values)
