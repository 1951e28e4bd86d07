"""Read zip archives, also with zstd members, which `zipfile` does not unpack before Python 3.14; unpacked sizes are limited."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from assay.errors import FormatError, InputError
from assay.io.unpacking_limits import check

if TYPE_CHECKING:
    from assay.io.sources import Source

STORED, DEFLATE, ZSTD = 0, 8, 93
LOCAL = struct.Struct("<4s22xHH")
"""The header of a member: a signature, 22 bytes repeated in the directory, the lengths of name and extra fields."""
END = struct.Struct("<4s4xHHIIH")
"""The end of an archive: number of members, twice, size and offset of the directory, length of the comment."""
LARGE = 0xFFFFFFFF
"""The value of a field whose number is in the zip64 record."""
ENCRYPTED = 1
DAMAGED = (zipfile.BadZipFile, struct.error, ValueError, OverflowError, NotImplementedError, OSError)
"""The errors of `zipfile` for a damaged directory."""


class Archive:
    """The members of a zip archive. The last of several with one name counts: zip archives are updated so."""

    def __init__(self, source: Source) -> None:
        self.name: str = source.name
        self._path = source.path if not source.is_stream and source.compression() is None else None
        self._content = None if self._path is not None else source.read()
        source.close()
        self._packed = self._unpacked = 0
        self._file = self._open()
        self._total = self._file.seek(0, os.SEEK_END)
        try:
            self._members = zipfile.ZipFile(self._file).NameToInfo
        except DAMAGED as problem:
            self._file.close()
            damage = f"is no whole zip archive ({problem}); was it cut off while it was copied or written?"
            raise InputError(f"{self.name}: {damage}") from None

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
        """Close the file; a later `read` opens it again and counts unpacked bytes from zero."""
        self._file.close()
        self._packed = self._unpacked = 0

    def __contains__(self, member: str) -> bool:
        return member in self._members

    def names(self, folder: str = "") -> list[str]:
        """Return the members whose names begin with `folder`, in the order of the directory."""
        return [name for name in self._members if name.startswith(folder)]

    def error(self, member: str, problem: str) -> FormatError:
        """Return an error about a member."""
        return FormatError(self.name, None, f"member {member}: {problem}")

    def size(self, member: str) -> int:
        """Return the unpacked size that the directory states for a member."""
        return self._members[member].file_size

    def read(self, member: str) -> bytes:
        """Return the content of a member, unpacked and checked."""
        info = self._members[member]
        if info.flag_bits & ENCRYPTED:
            raise self.error(member, "is encrypted; unpack it with its password and pack it again without one")
        packed = self._raw(info)
        self._packed += len(packed)
        self._unpacked += info.file_size
        check(f"{self.name}: member {member}", len(packed), info.file_size)
        check(self.name, self._packed, self._unpacked)
        content = self._unpack(info, packed)
        if len(content) != info.file_size:
            more = "more" if len(content) > info.file_size else "fewer"
            raise self.error(member, f"unpacks to {more} bytes than the {info.file_size:,} stated: it is damaged")
        if zlib.crc32(content) != info.CRC:
            raise self.error(member, "is damaged: its checksum (CRC-32) is wrong; copy the file again")
        return content

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        if self._file.closed:
            self._file = self._open()
        try:
            self._file.seek(info.header_offset)
            mark, name, extra = LOCAL.unpack(self._file.read(LOCAL.size))
            self._file.seek(name + extra, os.SEEK_CUR)
            # `read` allocates first: never more than the file has.
            packed = self._file.read(min(info.compress_size, self._total))
        except (struct.error, ValueError, OverflowError, OSError):
            mark, packed = b"", b""
        if mark != b"PK\3\4":
            raise self.error(info.filename, "does not begin where the archive says; it is damaged, copy the file again")
        if len(packed) != info.compress_size:
            raise self.error(info.filename, "ends too early; was the archive cut off while it was copied or written?")
        return packed

    def _unpack(self, info: zipfile.ZipInfo, packed: bytes) -> bytes:
        """Unpack a member, at most one byte beyond its stated size."""
        if info.compress_type == STORED:
            return packed
        if info.compress_type == DEFLATE:
            try:
                return zlib.decompressobj(-15).decompress(packed, info.file_size + 1)
            except zlib.error as problem:
                raise self.error(info.filename, f"the deflate data is damaged: {problem}") from None
        if info.compress_type != ZSTD:
            known = "stored (0), deflate (8) and zstd (93) are read; pack it again with one of them"
            raise self.error(info.filename, f"is packed by method {info.compress_type}; {known}")
        import zstandard

        try:
            # Inspect writes a member in several frames, one after the other.
            stream = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
            return stream.read(info.file_size + 1)
        except (zstandard.ZstdError, MemoryError) as problem:
            raise self.error(info.filename, f"the zstd data is damaged: {problem}") from None
