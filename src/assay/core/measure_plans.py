"""Plans of kernels that the core computes on a whole run, and the resulting columns."""

from __future__ import annotations

from array import array
from math import log2, nan

from assay.core import binding

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Iterable, Sequence
    from typing import Any

    Kernel = tuple[str, int | None]

MAX_RANK = 1 << 20
"""The last rank whose logarithm is kept; deeper rankings are measured in Python."""
WHOLE = 1 << 53
"""The highest cutoff, and no cutoff."""
_UNDEFINED = array("d", [nan])
_LOGARITHMS: dict[int, array[float]] = {}


class Numbers(array):  # type: ignore[type-arg] - always of doubles
    """An immutable column that is defined everywhere, of eight bytes a number instead of a tuple's 32.

    >>> Numbers([0.5, 1.0]) == (0.5, 1.0)
    True
    """

    __slots__ = ()

    def __new__(cls, cells: Iterable[float] | bytes) -> Numbers:
        return super().__new__(cls, "d", cells)  # pyright: ignore[reportReturnType] - of this class, as asked

    def __setitem__(self, place: Any, cell: Any) -> None:
        raise TypeError("a column is not changed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (array, tuple, list)) and [*self] == [*other]

    __hash__ = None  # pyright: ignore[reportAssignmentType] - as of an array


class KernelPlan:
    """Kernels with their cutoffs, or None, for rankings and judgments of up to `deepest` documents."""

    def __init__(self, kernels: Sequence[Kernel], deepest: int, level: int) -> None:
        numbers = array("q", [binding.KERNELS.index(name) for name, _ in kernels])
        cuts = array("q", [WHOLE if cut is None else cut for _, cut in kernels])
        logs = _logarithms(1 << deepest.bit_length())
        self._kept = numbers, cuts, logs  # the core's addresses point into them
        address = [kept.buffer_info()[0] for kept in self._kept]
        self.struct: ctypes.Structure = binding.Plan(*address, len(kernels), level, _UNDEFINED[0])


_LAST: dict[tuple[tuple[Kernel, ...], int, int], KernelPlan] = {}


def _plan(kernels: tuple[Kernel, ...], deepest: int, level: int) -> KernelPlan:
    """Return the plan, from the cache where it is the last one: all runs of a table have the same."""
    asked = kernels, deepest, level
    plan = _LAST.get(asked)
    if plan is None:
        _LAST.clear()
        plan = _LAST[asked] = KernelPlan(*asked)
    return plan


def _logarithms(count: int) -> array[float]:
    """Return log2(rank + 1) by the interpreter: another library may differ in the last bit."""
    if count not in _LOGARITHMS:
        _LOGARITHMS[count] = array("d", map(log2, range(1, count + 2)))
    return _LOGARITHMS[count]


def measured(ranked: Any, kernels: Sequence[Kernel], most: int, level: int) -> list[Sequence[float | None]] | None:
    """Return a column for each kernel, an array where it is defined everywhere; None where Python must measure.

    ranked   a run; one that the Python twin ranked has no kernels
    most     how many documents the judgments have for a topic at most
    level    lowest grade that is relevant
    """
    topics, deepest = len(ranked.num_ret), max(most, max(ranked.num_ret, default=0))
    if not hasattr(ranked, "measure") or not 0 < level < 1 << 62 or deepest > MAX_RANK:
        return None
    values = _ZERO * (topics * len(kernels))
    ranked.measure(_plan(tuple(kernels), deepest, level), values)
    return [_column(values[start : start + topics]) for start in range(0, len(values), topics)]


_ZERO = array("d", [0.0])


def _column(values: array[float]) -> Sequence[float | None]:
    # The bytes are looked through before the numbers are: most measures are defined everywhere.
    bytes_of_all = values.tobytes()
    if _UNDEFINED.tobytes() not in bytes_of_all:
        return Numbers(bytes_of_all)
    return tuple(None if value != value else value for value in values)
