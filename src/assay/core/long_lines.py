"""Lines that never end, noticed while they pass: whoever reads lines holds one of them, so one of them must be bounded."""

from __future__ import annotations


class LineLimit:
    """How long the line is that the bytes so far have not ended.

    >>> limit = LineLimit(4)
    >>> limit.exceeded(b"ab\\nabc"), limit.exceeded(b"d\\nabcd"), limit.exceeded(b"e")
    (None, None, 0)
    """

    __slots__ = ("_length", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._length = 0

    def exceeded(self, chunk: bytes) -> int | None:
        """Return the offset in the next bytes at which a line becomes too long; None where none does."""
        # A line within a slice of that size cannot be too long, only one that goes on behind its end.
        for at in range(0, len(chunk), self._most):
            piece = chunk[at : at + self._most]
            end = piece.find(b"\n")
            if self._length + (len(piece) if end < 0 else end) > self._most:
                return at
            self._length = self._length + len(piece) if end < 0 else len(piece) - piece.rfind(b"\n") - 1
        return None
