"""Rows of a table as lines of text, each number as Python's `repr` writes it."""

from __future__ import annotations

import ctypes
from array import array

from assay.core.binding import LIBRARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WRITTEN = 24
"""Room for a number and what stands before it, in bytes."""
AS_IT_IS = "surrogatepass"


def lines(lead: Sequence[str], columns: Sequence[array[float]], separator: str) -> str:
    """A line for each text of `lead`, its number of each column behind it.

    >>> lines(["a", "b"], [array("d", [0.1, 0.0]), array("d", [1 / 3, -2.5e-05])], ",")
    'a,0.1,0.3333333333333333\\nb,0.0,-2.5e-05\\n'
    """
    before = "\0".join([*lead, ""]).encode("utf-8", AS_IT_IS)
    cells = len(lead) * len(columns)
    if LIBRARY is None or before.count(b"\0") != len(lead):
        numbers = map(separator.join, zip(*(map(repr, column) for column in columns), strict=True))
        return "".join(f"{text}{separator}{row}\n" for text, row in zip(lead, numbers, strict=True))
    room = ctypes.create_string_buffer(len(before) + WRITTEN * cells)
    left = array("q", bytes(8 * (1 + 2 * cells)))
    where = (ctypes.c_void_p * len(columns))(*(column.buffer_info()[0] for column in columns))
    at = left.buffer_info()[0]
    size = LIBRARY.assay_write_rows(before, len(lead), where, len(columns), ord(separator), room, at)
    text = ctypes.string_at(room, size)
    if left[0]:
        text = b"".join(_filled(text, left[1 : 1 + 2 * left[0]], columns))
    return text.decode("utf-8", AS_IT_IS)


def _filled(text: bytes, left: Sequence[int], columns: Sequence[array[float]]) -> Iterator[bytes]:
    """The text with the numbers that are left to Python, which are told by cell and place."""
    done = 0
    for cell, at in zip(left[::2], left[1::2], strict=True):
        row, column = divmod(cell, len(columns))
        yield text[done:at]
        yield repr(columns[column][row]).encode()
        done = at
    yield text[done:]
