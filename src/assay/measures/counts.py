"""Measures from counts alone: c@1 and its relatives for 237 correct, 156 incorrect and 107 unanswered questions.

A measure of sums needs only its sums and n, the number of questions. n is the sum of the three states, or is given in place of
one of them.
"""

from __future__ import annotations

from operator import index

from assay.errors import InputError, UsageError
from assay.measures.define import SUMS, WHOLE
from assay.measures.measure import Measure
from assay.measures.registry import declarations, expand_groups, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

TASK = "outcomes"
STATES = ("correct", "incorrect", "unanswered")
N = "n"


def of_counts(
    measures: str | Measure | Iterable[str | Measure] | None = None, /, **counts: int
) -> dict[str, float | int | None]:
    """Return the values of measures for counts of questions, without gold or runs.

    measures   one or several, as in "c@1" or ["c@1", "CT@0.75"]; by default every measure that these counts suffice for
    counts     correct, incorrect and unanswered, or n, the number of questions, in place of one of them; some measures need
               other counts, which the error names

    Returns {measure: value}, None where the measure is undefined. Raises UsageError where a count is missing, unknown, negative or
    not a whole number, or where a measure needs more than counts.

    >>> values = of_counts(["c@1", "accuracy"], correct=237, incorrect=156, unanswered=107)
    >>> {name: round(value, 2) for name, value in values.items()}
    {'c@1': 0.58, 'accuracy': 0.47}
    """
    chosen = None if measures is None else [_find(measure) for measure in expand_groups(measures, TASK)]
    complete = completed(counts, declared_columns() if chosen is None else {c for m in chosen for c in m.of})
    if chosen is None:
        chosen = [Measure(d, d.name, {}) for d in _declared() if not d.required and complete.keys() >= {*d.of, N}]
    return {measure.name: value(measure, complete) for measure in chosen}


def completed(counts: Mapping[str, Any], columns: Iterable[str] = ()) -> dict[str, int]:
    """Check counts and add n and the state that n implies; `columns` are names allowed beside the states.

    >>> completed({"correct": 6, "unanswered": 3, "n": 10})
    {'correct': 6, 'incorrect': 1, 'unanswered': 3, 'n': 10}
    """
    known = dict.fromkeys((*STATES, N, *sorted(columns)))
    for name in counts:
        if name == "failed":
            raise UsageError(
                "failed questions are in no denominator. Fix: omit them, or add them to incorrect or unanswered."
            )
        if name not in known:
            raise UsageError(f"unknown count {name!r}; expected {_list(known, 'or')}")
    whole = {name: _whole(name, counts[name]) for name in known if name in counts}
    counted, missing = [s for s in STATES if s in whole], [s for s in STATES if s not in whole]
    total = sum(whole[state] for state in counted)
    if N not in whole:
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            raise UsageError(
                f"{_list(missing)} {verb} missing; give n, the number of questions, or every state, 0 included"
            )
        whole[N] = total
    if total > whole[N] or (not missing and total != whole[N]):
        raise UsageError(f"{_list(counted)} add up to {total}, and n is {whole[N]}")
    if len(missing) == 1:
        whole[missing[0]] = whole[N] - total
    return {name: whole[name] for name in known if name in whole}


def value(measure: Measure, counts: Mapping[str, int]) -> float | int | None:
    """Return the value of a measure for complete counts, or None where it is undefined."""
    if measure.level == WHOLE:
        raise UsageError(f"{measure} needs {_list(measure.of)} of every topic or question; counts are not enough")
    if measure.level != SUMS:
        raise UsageError(f"{measure} is averaged over topics and needs the results of each; counts are not enough")
    missing = [column for column in measure.of if column not in counts]
    if missing:
        needs = _list([*measure.of, N])
        raise UsageError(f"{measure} needs {needs}; {_list(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    try:
        numerator, denominator = measure(counts[N], *(counts[column] for column in measure.of))
        counted = measure.average == "sum"
        result = numerator if counted else numerator / denominator if denominator else None
    except Exception as problem:
        raise InputError(f"measure {measure} failed: {type(problem).__name__}: {problem}") from problem
    low, high = measure.declaration.low, measure.declaration.high
    if result is not None and ((low is not None and result < low) or (high is not None and result > high)):
        raise UsageError(f"the counts contradict each other: {measure} would be {result:.4g}")
    return result


def declared_columns() -> set[str]:
    """Return the names of all counts that measures of outcomes use."""
    return {column for declaration in _declared() for column in declaration.of}


def _declared() -> list[Any]:
    return [declaration for declaration in declarations(TASK) if declaration.level == SUMS]


def _find(measure: str | Measure) -> Measure:
    """Return the measure of outcomes of that name, or one of another task for the error message."""
    if isinstance(measure, Measure):
        return measure
    try:
        return find(measure, TASK)
    except UsageError as unknown:
        try:
            return find(measure)
        except UsageError:
            raise unknown from None


def _whole(name: str, count: Any) -> int:
    try:
        number = index(count)
    except TypeError:
        number = -1
    if number < 0:
        raise UsageError(f"{name}: expected a whole number of at least 0, found {count!r}")
    return number


def _list(names: Iterable[str], conjunction: str = "and") -> str:
    """
    >>> _list(["a", "b", "c"]), _list(["a"])
    ('a, b and c', 'a')
    """
    *first, last = names
    return f"{', '.join(first)} {conjunction} {last}" if first else last
