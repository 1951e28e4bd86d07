"""Judgments and runs in dicts and data frames, read by the core without copying them into text first.

Every function returns None without the core, and where a value is not plain text or a plain number: then the Python path reads the
data, and reports what is wrong (`tasks/ranked_runs.py`, `tasks/ranked_dicts.py`).
"""

from __future__ import annotations

import ctypes
from collections import defaultdict

from assay.core import Gold, Ranker
from assay.core.binding import FOREIGN, LIBRARY, Error, GoldPointer, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from assay.core import Ranked

DOCUMENTS_PER_CALL = 1 << 18
"""About how many documents are ranked before other threads get the interpreter's lock."""
CAPSULE = b"arrow_array_stream"
"""The name of a capsule of the Arrow C stream interface."""

_library: Any = LIBRARY
_gold: Any = Gold
_module: Any = None
if LIBRARY is not None:
    # Built without Python.h the core is no module, and a free-threaded Python loads no module of the stable ABI.
    try:  # noqa: SIM105 - contextlib is not imported yet
        from assay.core import _core as _module  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    except ImportError:
        pass
READS_DICTS = _module is not None


def gold_of_dicts(judged: Any) -> Gold | None:
    """Return the judgments of {topic: {document: grade}}.

    >>> gold = gold_of_dicts({"q1": {"d1": 1, "d2": 0}})
    >>> gold is None or gold.documents(0)
    [('d1', 1), ('d2', 0)]
    """
    if not _is_plain(judged):
        return None
    error = Error()
    address = _module.gold_of_dicts(judged, ctypes.addressof(error))
    return _none_if_foreign(lambda: _gold(ctypes.cast(address, GoldPointer), error))


def run_of_dicts(run: Any, gold: Gold, options: dict[str, Any]) -> Ranked | None:
    """Join a run of {topic: {document: score}} with the judgments; `options` are those of a `Ranker`."""
    if not _is_plain(run):
        return None
    run = dict(run)  # another thread may change the run between two calls
    ranker: Any = Ranker(gold, **options)
    address, position = ctypes.cast(ranker.pointer, ctypes.c_void_p).value, 0
    while position >= 0:
        code, position = _module.rank_dicts(address, run, position, DOCUMENTS_PER_CALL)
        if code:
            return _none_if_foreign(ranker.failed)
    return ranker.finish()


def gold_of_stream(capsule: Any) -> Gold | None:
    """Return the judgments of an Arrow stream of topic, document, grade."""
    if LIBRARY is None:
        return None
    error, stream = Error(), _address(capsule)
    return _none_if_foreign(lambda: _gold(_library.assay_gold_stream(stream, error), error))


def run_of_stream(capsule: Any, gold: Gold, options: dict[str, Any]) -> Ranked | None:
    """Join a run of an Arrow stream of topic, document, score with the judgments."""
    if LIBRARY is None:
        return None
    ranker: Any = Ranker(gold, **options)
    if _library.assay_ranker_stream(ranker.pointer, _address(capsule)):
        return _none_if_foreign(ranker.failed)
    return ranker.finish()


def _is_plain(topics: Any) -> bool:
    return READS_DICTS and type(topics) in (dict, defaultdict)


def _address(capsule: Any) -> int:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, CAPSULE)


def _none_if_foreign(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except Problem as problem:
        if problem.code == FOREIGN:
            return None
        raise
