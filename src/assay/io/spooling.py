"""What a pipe has brought so far, should somebody need it a second time: a little in memory, the rest in a nameless file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

IN_MEMORY = 16 << 20
"""How much is held in memory, in bytes."""
CHUNK = 1 << 20


class Passed:
    """Pieces in the order they came. Where no file can be made, or there is no room for one, memory holds them all.

    >>> passed = Passed(in_memory=4)
    >>> for piece in (b"abc", b"def", b"g"):
    ...     passed.add(piece)
    >>> b"".join(passed)
    b'abcdefg'
    """

    def __init__(self, in_memory: int | None = None) -> None:
        self._most = IN_MEMORY if in_memory is None else in_memory
        self._held: list[bytes] = []
        self._size = 0
        self._file: IO[bytes] | None = None
        self._files = True

    def add(self, piece: bytes) -> None:
        """The next piece."""
        self._held.append(piece)
        self._size += len(piece)
        if self._files and (self._file is not None or self._size > self._most):
            self._put_down()

    def _put_down(self) -> None:
        from tempfile import TemporaryFile

        written = 0
        try:
            if self._file is None:
                self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - closed by `close`
            written = self._file.tell()
            for piece in self._held:
                view = memoryview(piece)
                while view:
                    view = view[self._file.write(view) :]
            self._held.clear()
        except OSError:
            self._files = False
            if self._file is not None:
                self._file.truncate(written)

    def __iter__(self) -> Iterator[bytes]:
        if self._file is not None:
            self._file.seek(0)
            while piece := self._file.read(CHUNK):
                yield piece
        yield from self._held

    def close(self) -> None:
        """Forget them."""
        self._held.clear()
        if self._file is not None:
            self._file.close()
