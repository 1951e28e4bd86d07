"""The class Measure: a declaration with its parameters, and how it is written: `P(rel=2)@5`, `P_5`, `AP'`."""

from __future__ import annotations

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from assay.measures.define import Declaration

CONDENSABLE = "ranked"
"""The task whose measures can use the condensed list, the ranking without unjudged documents."""
JUDGED_ONLY = "judged_only"
"""The parameter for it, which every such measure has; a prime is short for it: `AP'`, `nDCG'@10`."""
CALIBRATION_ERRORS = ("ECE", "ECEd")
PRIMES = ("'", "′")
SIMILARITIES = ("dot", "euclidean", "manhattan", "maxsim", "meanmaxsim")
"""What names of sentence-transformers begin with; declarations have the name of the cosine: `cosine_ndcg@10` is `dot_ndcg@10`."""


class Measure:
    """A declaration with its parameters; it prints as it was written.

    A call with parameters returns the measure with these; a call with a view (or sums, or columns) returns a number:

    >>> from assay.measures import P
    >>> P(rel=2)@5
    measure('P(rel=2)@5')
    >>> from assay.measures.views.ranked import RankedView
    >>> (P@5)(RankedView.of([1, 0, 1]))
    0.4
    """

    def __init__(self, declaration: Declaration, name: str, written: Mapping[str, str]) -> None:
        self.declaration = declaration
        self.name = name
        self.level: str = declaration.level
        self.average: str = declaration.average
        self.parameters: dict[str, Any] = {}
        self.condensed: bool = declaration.task == CONDENSABLE and _yes(written.get(JUDGED_ONLY, "false"), name)
        """Whether it ignores documents without a judgment: `AP'`, or `AP(judged_only=true)`."""
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
        self.of: tuple[str, ...] = tuple(
            column.format_map(declaration.defaults | self.parameters) if "{" in column else column
            for column in declaration.of
        )
        """The ingredient columns of a sums- or whole-level measure."""

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        if parameters and not arguments:
            return self._with(f"({','.join(f'{name}={_written(value)}' for name, value in parameters.items())})")
        return self.bound()(*arguments, **parameters)

    def __matmul__(self, at: Any) -> Measure:
        return self._with(f"@{_written(at)}")

    def _with(self, more: str) -> Measure:
        return _parsed(self.declaration, self.name + more)

    def bound(self) -> Callable[..., Any]:
        """Return the function with its parameters bound, for a scoring loop."""
        function = self.declaration.function
        from functools import partial

        filled = partial(function, **self.parameters) if self.parameters else function
        return partial(_of_condensed, filled) if self.condensed else filled

    @property
    def is_calibration_error(self) -> bool:
        """Whether it is a calibration error of answers, and not a column of numbers of that name."""
        return self.declaration.name in CALIBRATION_ERRORS and self.level == "whole"

    def of_counts(self, **counts: int) -> float | int | None:
        """Return the value for counts of questions (correct, incorrect, unanswered), or None where it is undefined.

        `assay.of_counts` computes several measures at once.

        >>> import assay
        >>> assay.measure("c@1").of_counts(correct=237, incorrect=156, unanswered=107)
        0.575436
        """
        from assay.measures.counts import of_counts

        return of_counts(self, **counts)[self.name]

    def kernel(self) -> tuple[str, int | None] | None:
        """Return its name in the C core with the cutoff, or the recall in thousandths; None where the core lacks it.

        >>> from assay.measures.registry import find
        >>> find("P@5").kernel(), find("AP").kernel(), find("AP(rel=2)").kernel(), find("AP'").kernel()
        (('P', 5), ('AP', None), None, None)
        >>> find("IPrec@0.1").kernel(), find("IPrec@0.0001").kernel()
        (('IPrec', 100), None)
        """
        name, chosen = self.declaration.kernel, self.parameters
        if not name or self.condensed:
            return None
        if chosen.keys() == {"recall"}:
            thousandths = round(1000 * chosen["recall"]) if 0 <= chosen["recall"] <= 1 else -1
            return (name, thousandths) if thousandths / 1000 == chosen["recall"] else None
        cut = chosen.get("cut")
        return (name, cut) if chosen.keys() <= {"cut"} and (cut or 0) <= 1 << 53 else None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as it is written, since parameters may be functions."""
        return _parsed, (self.declaration, self.name)

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


def _parsed(declaration: Declaration, text: str) -> Measure:
    measure = parse(text, dict.fromkeys((declaration.name, *declaration.aliases), declaration))
    if measure is None:
        raise UsageError(f"measure {text!r}: write its parameters in brackets, once, and then @")
    return measure


def _of_condensed(function: Callable[..., Any], view: Any, **parameters: Any) -> Any:
    return function(view.condensed(), **parameters)


def _yes(text: str, name: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise UsageError(f"measure {name!r}: {JUDGED_ONLY}={text}: expected true or false")
    return text.lower() == "true"


def _written(value: Any) -> str:
    """Return a parameter's value as text.

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
    """Parse a measure by some names; return None where none matches. Parameters may be missing.

    `P(rel=2)@5`, `P_5` where an alias is `P_{cut}`, `AP'` for the condensed list, and `c@1`, where `@1` is no cutoff.
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
        arguments = _arguments(inside, text, declaration) if inside.strip() else {}
        if at:
            if declaration.at in arguments:
                raise UsageError(f"measure {text!r}: {declaration.at} is given twice")
            arguments[declaration.at] = at
        if condensed:
            if JUDGED_ONLY in arguments:
                raise UsageError(f"measure {text!r}: the prime says {JUDGED_ONLY} already")
            arguments[JUDGED_ONLY] = "true"
        return Measure(declaration, text, arguments)
    similarity, _, measured = text.partition("_")
    spelled = f"cosine_{measured}" if similarity in SIMILARITIES else text
    for alias, declaration in names.items():
        prefix, brace, rest = alias.partition("{")
        parameter, _, suffix = rest.partition("}")
        inside = spelled[len(prefix) : len(spelled) - len(suffix)]
        if brace and inside and spelled.startswith(prefix) and spelled.endswith(suffix):
            return Measure(declaration, text, {parameter: inside})
    return None


def _arguments(inside: str, text: str, declaration: Declaration) -> dict[str, str]:
    """Split `rel=2,gains=1:1,2:2` at commas before a new name; values without a name fill the parameters in order.

    A value may be a measure with brackets, as in `ETU(INST(T=2,max_rel=3))`.
    """
    pieces: list[str] = []
    for piece in inside.split(","):
        within = bool(pieces) and pieces[-1].count("(") > pieces[-1].count(")")
        if within or (pieces and _named(pieces[-1]) and not _named(piece)):
            pieces[-1] += "," + piece
        else:
            pieces.append(piece)
    free = [name for name in declaration.parameters if name != declaration.at]
    arguments: dict[str, str] = {}
    for number, piece in enumerate(pieces):
        name, _, value = piece.partition("=")
        if not _named(piece):
            if number >= len(free):
                raise UsageError(f"measure {text!r}: {declaration.name} takes at most {len(free)} values in brackets")
            name, value = free[number], piece
        name = name.strip()
        if name in arguments:
            raise UsageError(f"measure {text!r}: {name} is given twice")
        arguments[name] = value.strip().strip("'\"")
    return arguments


def _named(piece: str) -> bool:
    """Return whether a value has its parameter's name, outside brackets."""
    return "=" in piece.partition("(")[0]
