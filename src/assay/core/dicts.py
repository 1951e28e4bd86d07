"""Dicts walked by the core: it asks the interpreter through addresses of its own functions, and still needs no Python.h.

Where the core is not, or the interpreter is not laid out as CPython is, `CAN_WALK` is False, and `ranked_dicts.py` does the
same work in Python.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections import defaultdict
from functools import lru_cache, partial
from math import log2

from assay.core.binding import KERNELS, LIBRARY, Plan, Python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    Topic = tuple[int, list[float], tuple[list[int], list[int], list[int]], Callable[[], list[tuple[int, int]]]]

UNJUDGED, UNKNOWN = -1, -2
"""Instead of how many documents were retrieved: the topic has no judgments; the interpreter must look at it."""
UNSEEN: Topic = UNKNOWN, [], ([], [], []), list
"""What is known of a topic that the core did not look at."""
WORDS = 1 << 14
"""How much is told in one go: topics enough that a call costs nothing, and few enough that others get their turn."""
DEEPEST = 1 << 14
"""The last rank whose logarithm is kept; deeper rankings are measured in Python."""
WHOLE = 1 << 53
"""The highest cutoff, and no cutoff."""

_FUNCTIONS = {
    "next": "PyDict_Next",
    "find": "PyDict_GetItemWithError",
    "size": "PyDict_Size",
    "compare": "PyUnicode_Compare",
    "whole": "PyLong_AsLongLongAndOverflow",
    "utf8": "PyUnicode_AsUTF8AndSize",
    "clear": "PyErr_Clear",
}
_TYPES = {"dict_type": dict, "defaultdict_type": defaultdict, "str_type": str, "int_type": int, "float_type": float}


TYPE_AT = ctypes.sizeof(ctypes.c_ssize_t)
"""Where an object holds its type: behind the count of its references."""
REAL_AT = float.__basicsize__ - ctypes.sizeof(ctypes.c_double)
"""Where a float holds its value: behind all else."""


def interpreter() -> Any:
    """What the core may ask of this interpreter; None where it does not say, or is not laid out as CPython is."""
    # Without a global lock an object is larger.
    if LIBRARY is None or sys.implementation.name != "cpython" or object.__basicsize__ != 2 * TYPE_AT:
        return None
    objects = ({}, defaultdict(), "", 1, 0.5)
    if any(ctypes.c_void_p.from_address(id(one) + TYPE_AT).value != id(type(one)) for one in objects):
        return None
    reals = (0.1, -2.5, 1e300, float("inf"))
    if any(ctypes.c_double.from_address(id(real) + REAL_AT).value != real for real in reals):
        return None
    # An interpreter within another program may keep its functions to itself.
    if not all(hasattr(ctypes.pythonapi, name) for name in _FUNCTIONS.values()):
        return None
    addresses = {
        field: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for field, name in _FUNCTIONS.items()
    }
    return Python(**addresses, **{field: id(kind) for field, kind in _TYPES.items()}, type_at=TYPE_AT, real_at=REAL_AT)


_python = interpreter()
CAN_WALK = _python is not None
PYTHON_AT: int = ctypes.addressof(_python) if CAN_WALK else 0
"""Where the core finds what it may ask."""
if CAN_WALK and LIBRARY is not None:
    # By a prototype that keeps the interpreter's lock: nothing may change what the core has in hand.
    _walk: Any = ctypes.PYFUNCTYPE(
        ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.py_object, ctypes.py_object, ctypes.c_void_p,
        ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p,
    )(("assay_walk", LIBRARY))  # fmt: skip


class Wanted:
    """What is wanted of every topic of a run.

    kernels       names of `KERNELS` and the rank each is cut off at, or None
    ranks         whether ranks and grades are wanted too
    level         lowest grade that is relevant, at least 1
    judged_only   drop documents without a judgment first
    float32       compare scores as trec_eval 9 did
    undefined     a kernel's value where it has none
    """

    def __init__(
        self, kernels: Sequence[tuple[str, int | None]] = (), *, ranks: bool = True, level: int = 1,
        judged_only: bool = False, float32: bool = False, undefined: float = 0.0,
    ) -> None:  # fmt: skip
        self.kernels, self.ranks = len(kernels), ranks
        self.level, self.judged_only, self.float32 = level, judged_only, float32
        if not CAN_WALK:
            return
        numbers = array("q", [KERNELS.index(name) for name, _ in kernels])
        cuts = array("q", [WHOLE if cut is None else cut for _, cut in kernels])
        logs = logarithms()
        self._kept = numbers, cuts, logs  # the core's addresses point into them
        address = [kept.buffer_info()[0] for kept in self._kept]
        self.plan = Plan(*address, len(kernels), DEEPEST, level, undefined, float32, judged_only, ranks)
        self.address = ctypes.addressof(self.plan)


@lru_cache(maxsize=1)
def logarithms() -> array[float]:
    """log2(rank + 1), by the interpreter: another library's might differ in the last bit."""
    return array("d", map(log2, range(1, DEEPEST + 2)))


def walk(
    run: Mapping[str, Any], judged: Mapping[str, Mapping[str, int]], largest: int, wanted: Wanted
) -> Iterator[Topic]:
    """For every topic of a run, in its order: how many documents were retrieved, or UNJUDGED, or UNKNOWN; its kernels; ranks
    and grades of the documents of a grade above 0, and how many of grade 0 stand above each; and a function for ranks and
    grades of all that the judgments name.

    run, judged   dicts, the topics of the judgments all of type str
    largest       how many documents the judgments name for a topic at most

    >>> judged, run = {"q": {"a": 1, "c": 0}}, {"q": {"a": 1.0, "b": 2.0, "c": 3.0}}
    >>> [(count, values, found, pooled)] = walk(run, judged, 2, Wanted([("P", 5)])) if CAN_WALK else ...
    >>> count, values, found, pooled()
    (3, [0.2], ([3], [1], [1]), [(1, 0), (3, 1)])
    """
    notice_numpy()
    kernels = wanted.kernels
    most = 3 + 5 * largest if wanted.ranks else 3
    topics = max(min(WORDS // (most + kernels), len(run)), 1)
    position, out, values = array("q", [0]), _zero * (most * topics), _nought * (kernels * topics)
    (at, _), (into, room), (values_at, _) = position.buffer_info(), out.buffer_info(), values.buffer_info()
    left = len(run)
    while left > 0:
        used = _walk(PYTHON_AT, wanted.address, run, judged, at, topics, into, room, values_at)
        if used <= 0:
            raise MemoryError if used else RuntimeError("the run changed while it was evaluated")
        told, measured = out[:used].tolist(), values.tolist()
        start = first = 0
        while start < used:
            retrieved, relevant, pooled = told[start : start + 3]
            row = measured[first : first + kernels] if retrieved >= 0 else []
            start += 3
            first += kernels
            left -= 1
            if not pooled:
                yield retrieved, row, ([], [], []), list
                continue
            a = start + relevant
            b = a + relevant
            c = b + relevant
            d = c + pooled
            columns, pairs = (told[start:a], told[a:b], told[b:c]), partial(_pairs, told[c:d], told[d : d + pooled])
            start = d + pooled
            yield retrieved, row, columns, pairs


_zero, _nought = array("q", [0]), array("d", [0.0])


def notice_numpy() -> None:
    """Numpy's double is a float, and so plain. Numpy is not imported for it: who has none has none of its numbers."""
    if "numpy" in sys.modules and not _python.float64_type:
        _python.float64_type = id(getattr(sys.modules["numpy"], "float64", float))


def _pairs(ranks: list[int], grades: list[int]) -> list[tuple[int, int]]:
    return list(zip(ranks, grades, strict=True))
