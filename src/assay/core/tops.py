"""The documents of a run that may be among the first of their topics, found by the compiled core; Python settles which are."""

from __future__ import annotations

import ctypes
from array import array
from bisect import bisect_right
from itertools import chain

from assay.core import binding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Found = tuple[bytes, list[tuple[float, bytes]]]
    """A topic, and some of its documents behind their scores."""

ROOM = 1 << 12
"""Documents of one call, at most."""


def first_documents(chunks: Iterable[bytes], depth: int) -> Iterator[Found] | None:
    """Documents that may be among the first `depth` of their topics, those of one topic that stand together at a time; None without
    the core. A line that is none of a run, or has a score that only Python could read, is a `ValueError`.

    >>> run = b"q1 Q0 a 1 3 t\\nq1 Q0 b 2 2 t\\nq2 Q0 a 1 1 t"
    >>> list(first_documents([run], 1) or [(b"q1", [(3.0, b"a")]), (b"q2", [(1.0, b"a")])])
    [(b'q1', [(3.0, b'a')]), (b'q2', [(1.0, b'a')])]
    """
    return None if binding.LIBRARY is None else _documents(binding.LIBRARY, chunks, depth)


def _documents(core: Any, chunks: Iterable[bytes], depth: int) -> Iterator[Found]:
    # Each chunk begins afresh: at worst some documents more are looked at.
    best, places, scores = array("d", [0.0]) * depth, array("q", [0]) * (4 * ROOM), array("d", [0.0]) * ROOM
    addresses, count = [one.buffer_info()[0] for one in (best, places, scores)], ctypes.c_int64()
    rest = b""
    for chunk in chain(filter(None, chunks), [b""]):
        data, last = rest + chunk, not chunk
        while data:
            used = core.assay_tops(data, len(data), last, depth, *addresses, ROOM, ctypes.byref(count))
            if used < 0:
                raise ValueError("a line that is none of a run")
            topics, ends, first, after = (places[part : 4 * count.value : 4] for part in range(4))
            at = 0
            while at < count.value:
                # The documents of a topic name the same place as the topic's own, and places rise.
                stop = bisect_right(topics, topics[at], at)
                told = zip(scores[at:stop], first[at:stop], after[at:stop], strict=True)
                yield data[topics[at] : ends[at]], [(score, data[start:end]) for score, start, end in told]
                at = stop
            data = data[used:]
            if count.value < ROOM:
                break
        rest = data
