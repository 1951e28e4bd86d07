"""Unpack compressed bytes in bounded pieces, up to the limits of `unpacking_limits.py`."""

from __future__ import annotations

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, BinaryIO

PACKED = 1 << 16
"""Compressed bytes read at a time."""
RESERVED = b"\x1f"
"""The largest fourth byte (flags) of gzip data: higher bits are reserved."""
ZSTD = 1 << 9
"""Compressed bytes given to zstd at a time. It returns all output at once, up to 32,768 times as much (128 KiB for 4 bytes)."""
XZ_MEMORY = 1 << 30
"""The largest xz dictionary in bytes; the file chooses it, `xz -9` 64 MiB."""


class _Decoder:
    """A decoder: `pieces` unpacks bytes, `eof` is the end of a stream, `unused` the bytes after it."""

    def __init__(self, decoder: Any) -> None:
        self._decoder = decoder

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused(self) -> bytes:
        return self._decoder.unused_data

    def pieces(self, data: bytes, size: int) -> Iterator[bytes]:
        raise NotImplementedError


class _Gzip(_Decoder):
    """gzip by zlib, or by isal in a third of the time; error messages are the same."""

    def __init__(self, codec: Any) -> None:
        super().__init__(codec.decompressobj(31))
        self._error: type[Exception] = codec.error
        self._header = b""

    def pieces(self, data: bytes, size: int) -> Iterator[bytes]:
        self._header += data[: 4 - len(self._header)]
        if self._header[3:] > RESERVED:  # isal accepts these
            raise ValueError("its header has unknown flags")
        while True:
            try:
                yield self._decoder.decompress(data, size)
            except self._error:
                raise ValueError("a code or a checksum in it is wrong") from None
            data = self._decoder.unconsumed_tail
            if self.eof or not data:  # the eight bytes of the trailer may follow the last output
                return


class _Standard(_Decoder):
    """xz and bz2, whose decoders have the same interface."""

    def pieces(self, data: bytes, size: int) -> Iterator[bytes]:
        while True:
            yield self._decoder.decompress(data, size)
            if self.eof or self._decoder.needs_input:
                return
            data = b""


class _Zstd(_Decoder):
    def __init__(self, decoder: Any) -> None:
        super().__init__(decoder)
        self._unused = b""

    @property
    def unused(self) -> bytes:
        return self._decoder.unused_data + self._unused

    def pieces(self, data: bytes, size: int) -> Iterator[bytes]:
        for at in range(0, len(data), ZSTD):
            content = self._decoder.decompress(data[at : at + ZSTD])
            for start in range(0, len(content), size):
                yield content[start : start + size]
            if self.eof:
                self._unused = data[at + ZSTD :]
                return


def _decoders(kind: str) -> tuple[Callable[[], Any], tuple[type[Exception], ...]]:
    """Return the constructor of a decoder, and the exceptions it raises."""
    problems: tuple[type[Exception], ...] = (EOFError, OSError, ValueError)
    if kind == "gzip":
        try:
            from isal import isal_zlib as codec
        except ImportError:
            import zlib as codec

        return lambda: _Gzip(codec), problems
    if kind == "xz":
        import lzma

        return lambda: _Standard(lzma.LZMADecompressor(memlimit=XZ_MEMORY)), (*problems, lzma.LZMAError)
    if kind == "bz2":
        import bz2

        return lambda: _Standard(bz2.BZ2Decompressor()), problems
    import zstandard

    return lambda: _Zstd(zstandard.ZstdDecompressor().decompressobj()), (*problems, zstandard.ZstdError)


def unpacked(kind: str, head: bytes, stream: BinaryIO, name: str, size: int) -> Iterator[bytes]:
    """Yield a compressed stream, of which `head` was read, in pieces of at most `size` bytes."""
    from assay.io.unpacking_limits import check

    fresh, problems = _decoders(kind)
    packed, total = len(head), 0
    step = min(size, PACKED)
    try:
        # A compressed file may be a concatenation of streams (cat a.gz b.gz).
        decoder = fresh()
        while head:
            for piece in decoder.pieces(head, size):
                total += len(piece)
                check(name, packed, total)
                if piece:
                    yield piece
            head = decoder.unused if decoder.eof else b""
            if not head:
                head = stream.read(step)
                packed += len(head)
            if decoder.eof:
                # Tapes and some tools pad compressed files with zeros.
                while head and not (head := head.lstrip(b"\0")):
                    head = stream.read(step)
                    packed += len(head)
                decoder = fresh() if head else decoder
        if not decoder.eof:
            raise EOFError
    except problems as problem:
        detail = "ends too early" if isinstance(problem, EOFError) else str(problem)
        raise InputError(f"{name}: the {kind} data is damaged: {detail}; compress the file again") from None
