"""Many floats as text at once, each as Python's `repr` writes it."""

from __future__ import annotations

import ctypes
from array import array

from assay.native.library import LIBRARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WRITTEN = 24
"""Room for one of them and the end of its line, in bytes."""


def written(values: Sequence[float]) -> list[str]:
    """The shortest digits that stand for each number.

    >>> written([0.1, 1 / 3, 0.0, -2.5e-05])
    ['0.1', '0.3333333333333333', '0.0', '-2.5e-05']
    """
    if LIBRARY is None:
        return list(map(repr, values))
    given = values if isinstance(values, array) and values.typecode == "d" else array("d", values)
    room = ctypes.create_string_buffer(WRITTEN * len(values) + 1)
    size = LIBRARY.assay_write_doubles(given.buffer_info()[0], len(given), room)
    found = ctypes.string_at(room, size).decode("ascii").split("\n")
    found.pop()  # behind the last newline
    return [text or repr(value) for text, value in zip(found, values, strict=True)] if "" in found else found
