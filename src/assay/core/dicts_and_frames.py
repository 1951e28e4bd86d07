"""Judgments and runs that a program holds in memory, read by the core where they lie: dicts and the columns of data frames.

Every function gives None where there is no core, or where it met anything but plain text and numbers. Then whoever called looks
itself, and says what is wrong, if anything is: `formats/ranked/trec.py` does all of this in Python too.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import defaultdict

from assay.core import Gold, Ranker, interpreter
from assay.core.binding import FOREIGN, LIBRARY, Error, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay.core import Ranked

TURN = 1 << 18
"""About how many documents are walked before other threads get their turn."""
STREAM = b"arrow_array_stream"
"""What a capsule of the Arrow C stream interface is called."""

_library: Any = LIBRARY
_gold: Any = Gold
if interpreter.CAN_WALK:
    # By prototypes that keep the interpreter's lock: nothing may change what the core has in hand.
    _gold_walk: Any = ctypes.PYFUNCTYPE(
        _library.assay_gold_walk.restype, ctypes.c_void_p, ctypes.py_object, ctypes.POINTER(Error)
    )(("assay_gold_walk", _library))
    _ranker_walk: Any = ctypes.PYFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p, ctypes.c_int64
    )(("assay_ranker_walk", _library))


def gold_of_dicts(judged: Any) -> Gold | None:
    """Judgments of {topic: {document: grade}}.

    >>> gold = gold_of_dicts({"q1": {"d1": 1, "d2": 0}})
    >>> gold is None or gold.documents(0)
    [('d1', 1), ('d2', 0)]
    """
    if not _is_plain(judged):
        return None
    error = Error()
    return _unless_foreign(lambda: _gold(_gold_walk(interpreter.PYTHON_AT, judged, error), error))


def run_of_dicts(run: Any, gold: Gold, options: dict[str, Any]) -> Ranked | None:
    """A run of {topic: {document: score}} joined with the judgments; `options` are those of a `Ranker`."""
    if not _is_plain(run):
        return None
    run = dict(run)  # so that no topic is passed by, whoever changes the run between two turns
    ranker: Any = Ranker(gold, **options)
    position = array("q", [0])
    at = position.buffer_info()[0]
    while position[0] >= 0:
        code = _ranker_walk(ranker.pointer, interpreter.PYTHON_AT, run, at, TURN)
        if code:
            return _unless_foreign(ranker.failed)
    return ranker.finish()


def gold_of_stream(capsule: Any) -> Gold | None:
    """Judgments of an Arrow stream of topic, document, grade."""
    if LIBRARY is None:
        return None
    error, stream = Error(), _address(capsule)
    return _unless_foreign(lambda: _gold(_library.assay_gold_stream(stream, error), error))


def run_of_stream(capsule: Any, gold: Gold, options: dict[str, Any]) -> Ranked | None:
    """A run of an Arrow stream of topic, document, score, joined with the judgments."""
    if LIBRARY is None:
        return None
    ranker: Any = Ranker(gold, **options)
    if _library.assay_ranker_stream(ranker.pointer, _address(capsule)):
        return _unless_foreign(ranker.failed)
    return ranker.finish()


def _is_plain(held: Any) -> bool:
    if not interpreter.CAN_WALK or type(held) not in (dict, defaultdict):
        return False
    interpreter.notice_numpy()
    return True


def _address(capsule: Any) -> int:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, STREAM)


def _unless_foreign(read: Any) -> Any:
    try:
        return read()
    except Problem as problem:
        if problem.code == FOREIGN:
            return None
        raise
