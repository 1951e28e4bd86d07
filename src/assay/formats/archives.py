"""Zip archives with members that Python's own reader does not know (zstd), unpacked as far as is plausible and no further.

`zipfile` reads the directory at the end; the members are taken from where it says they begin.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

from assay.errors import FormatError, InputError
from assay.formats.unpacking import check

if TYPE_CHECKING:
    from assay.formats.sources import Source

STORED, DEFLATE, ZSTD = 0, 8, 93
LOCAL = struct.Struct("<4s22xHH")
"""What a member begins with: a mark, 22 bytes that the directory says better, the lengths of its name and of what follows it."""
ENCRYPTED = 1
CUT = "is no whole zip archive ({}); was it cut off while it was copied or written?"
BROKEN = (zipfile.BadZipFile, struct.error, ValueError, NotImplementedError, OverflowError, EOFError, IndexError)
"""What zipfile raises on bytes that are no archive."""


class Archive:
    """The members of a zip archive. Of several with one name the last counts: so an archive is amended."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        self._path = source.path if not source.is_stream and source.compression() is None else None
        self._content = None if self._path is not None else source.read()
        source.close()
        self._packed = self._unpacked = 0
        self._file = self._open()
        try:
            with zipfile.ZipFile(self._file) as directory:
                self._members = {member.filename: member for member in directory.infolist()}
        except BROKEN as problem:
            self._file.close()
            raise InputError(f"{self.name}: {CUT.format(problem)}") from None

    def _open(self) -> BinaryIO:
        if self._path is None:
            return BytesIO(self._content or b"")
        try:
            return open(self._path, "rb")
        except OSError as problem:
            raise InputError(f"{self.name}: cannot be read: {problem.strerror or problem}") from None

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; a later `read` takes it up again."""
        self._file.close()

    def __contains__(self, member: str) -> bool:
        return member in self._members

    def names(self, folder: str = "") -> list[str]:
        """The members whose names begin so, each once, in the order of the directory."""
        return [name for name in self._members if name.startswith(folder)]

    def error(self, member: str, problem: str) -> FormatError:
        """What is wrong with a member."""
        return FormatError(self.name, None, f"member {member}: {problem}")

    def read(self, member: str) -> bytes:
        """What a member holds, unpacked and checked."""
        about = self._members[member]
        if about.flag_bits & ENCRYPTED:
            raise self.error(member, "is encrypted; unpack it with its password and pack it again without one")
        packed = self._raw(about)
        size = about.file_size
        self._packed += len(packed)
        self._unpacked += size
        check(f"{self.name}: member {member}", len(packed), size)
        check(self.name, self._packed, self._unpacked)
        found = self._inflated(about, packed, size)
        if len(found) != size:
            more = "more" if len(found) > size else "fewer"
            raise self.error(
                member, f"unpacks to {more} bytes than the {size:,} that the archive speaks of: it is damaged"
            )
        if zlib.crc32(found) != about.CRC:
            raise self.error(
                member, "is damaged: its checksum (CRC-32) is not the one in the archive; copy the file again"
            )
        return found

    def _raw(self, about: zipfile.ZipInfo) -> bytes:
        if self._file.closed:
            self._file = self._open()
        try:
            self._file.seek(about.header_offset)
            begin = self._file.read(LOCAL.size)
            mark, name, extra = LOCAL.unpack(begin)
            self._file.seek(name + extra, 1)
            packed = self._file.read(about.compress_size)
        except (struct.error, ValueError, OverflowError, OSError):
            mark, packed = b"", b""
        if mark != b"PK\x03\x04":
            raise self.error(
                about.filename, "does not begin where the archive says; it is damaged, copy the file again"
            )
        if len(packed) != about.compress_size:
            raise self.error(about.filename, "ends too early; was the archive cut off while it was copied or written?")
        return packed

    def _inflated(self, about: zipfile.ZipInfo, packed: bytes, size: int) -> bytes:
        """At most one byte more than a member should have."""
        method: Any = about.compress_type
        if method == STORED:
            return packed
        if method == DEFLATE:
            try:
                return zlib.decompressobj(-15).decompress(packed, size + 1)
            except zlib.error as problem:
                raise self.error(about.filename, f"the deflate data is damaged: {problem}") from None
        if method != ZSTD:
            named = zipfile.compressor_names.get(method, "an unknown one")  # type: ignore[attr-defined]
            known = "stored (0), deflate (8) and zstd (93) are read; pack it again with one of them"
            raise self.error(about.filename, f"is packed by method {method} ({named}); {known}")
        import zstandard

        try:
            # Inspect writes a member in several frames, one after the other.
            stream = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
            return stream.read(size + 1)
        except (zstandard.ZstdError, MemoryError) as problem:
            raise self.error(about.filename, f"the zstd data is damaged: {problem}") from None
