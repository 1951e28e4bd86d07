"""The lines of a run that may be among the first of their topics, found by the compiled core; Python settles which are."""

from __future__ import annotations

import ctypes
from array import array
from itertools import chain

from assay.native import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

ROOM = 1 << 14
"""Lines of one call, at most."""


def first_lines(chunks: Iterable[bytes], depth: int) -> Iterator[bytes] | None:
    """Lines that may be among the first `depth` of their topics; None without the core. A line that is none of a run, or has a
    score that only Python could read, is a `ValueError`.

    >>> run = b"q1 Q0 a 1 3 t\\nq1 Q0 b 2 2 t\\nq2 Q0 a 1 1 t"
    >>> list(first_lines([run], 1) or [run[:13], run[-13:]])
    [b'q1 Q0 a 1 3 t', b'q2 Q0 a 1 1 t']
    """
    return None if library.LIBRARY is None else _lines(library.LIBRARY, chunks, depth)


def _lines(core: Any, chunks: Iterable[bytes], depth: int) -> Iterator[bytes]:
    # Each chunk begins afresh: at worst some lines more are looked at.
    best, places, count = array("d", [0.0]) * depth, array("q", [0]) * (2 * ROOM), ctypes.c_int64()
    addresses = best.buffer_info()[0], places.buffer_info()[0]
    rest = b""
    for chunk in chain(filter(None, chunks), [b""]):
        data, last = rest + chunk, not chunk
        while data:
            used = core.assay_tops(data, len(data), last, depth, *addresses, ROOM, ctypes.byref(count))
            if used < 0:
                raise ValueError("a line that is none of a run")
            for at in range(0, 2 * count.value, 2):
                yield data[places[at] : places[at + 1]]
            data = data[used:]
            if count.value < ROOM:
                break
        rest = data
