"""Spool a stream that can be read only once: the first bytes in memory, the rest in an unnamed temporary file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

IN_MEMORY = 16 << 20
"""Bytes to keep in memory."""
CHUNK = 1 << 20


class Spool:
    """Chunks in the order in which they were added. Without room for a file, all stay in memory.

    >>> spool = Spool(in_memory=4)
    >>> for chunk in (b"abc", b"def", b"g"):
    ...     spool.add(chunk)
    >>> b"".join(spool)
    b'abcdefg'
    """

    def __init__(self, in_memory: int | None = None) -> None:
        self._limit = IN_MEMORY if in_memory is None else in_memory
        self._chunks: list[bytes] = []
        self._size = 0
        self._file: IO[bytes] | None = None
        self._can_write = True

    def add(self, chunk: bytes) -> None:
        """Append a chunk."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._can_write and (self._file is not None or self._size > self._limit):
            self._write()

    def _write(self) -> None:
        from tempfile import TemporaryFile

        written = 0
        try:
            if self._file is None:
                self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - closed by `close`
            written = self._file.tell()
            for chunk in self._chunks:
                view = memoryview(chunk)
                while view:
                    view = view[self._file.write(view) :]
            self._chunks.clear()
        except OSError:
            self._can_write = False
            if self._file is not None:
                self._file.truncate(written)

    def __iter__(self) -> Iterator[bytes]:
        if self._file is not None:
            self._file.seek(0)
            while chunk := self._file.read(CHUNK):
                yield chunk
        yield from self._chunks

    def close(self) -> None:
        """Delete the file and the chunks."""
        self._chunks.clear()
        if self._file is not None:
            self._file.close()
