"""Read zip archives, also with zstd members, which `zipfile` does not support; unpacked sizes are limited.

A log has a member per sample, and most members are never read: the directory is parsed at once.
"""

from __future__ import annotations

import os
import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from assay.errors import FormatError, InputError
from assay.io.unpacking_limits import check

if TYPE_CHECKING:
    from assay.io.sources import Source

STORED, DEFLATE, ZSTD = 0, 8, 93
LOCAL = struct.Struct("<4s22xHH")
"""The header of a member: a signature, 22 bytes repeated in the directory, the lengths of name and extra fields."""
ENTRY = struct.Struct("<4s4xHH4xIIIHHH8xI")
"""A member in the directory: flags, method, checksum, packed and unpacked size, the lengths of name, extra fields and comment,
and where it begins."""
END = struct.Struct("<4s4xHHIIH")
"""The end of an archive: number of members, twice, size and offset of the directory, length of the comment."""
LOCATOR, LARGE_END = struct.Struct("<4s4xQ4x"), struct.Struct("<4s20xQQQQ")
"""The end of an archive beyond 4 GB (zip64), and its locator."""
LARGE, MANY = 0xFFFFFFFF, 0xFFFF
"""Placeholders of numbers too large for their field; zip64 has them elsewhere."""
ENCRYPTED, UTF8 = 1, 0x800
CUT = "is no whole zip archive ({}); was it cut off while it was copied or written?"


class Member(NamedTuple):
    """A member in the directory."""

    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    begin: int


def _directory(file: BinaryIO) -> dict[str, Member]:
    """Return the members by name, the last of each; raise ValueError without a directory."""
    total = file.seek(0, os.SEEK_END)
    tail_at = max(0, total - END.size - MANY)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or at + END.size > len(tail):
        raise ValueError("no directory at its end")
    _, _, count, size, begin, _ = END.unpack_from(tail, at)
    end = tail_at + at
    if at >= LOCATOR.size and tail[at - LOCATOR.size :].startswith(b"PK\6\7"):
        _, end = LOCATOR.unpack_from(tail, at - LOCATOR.size)
        file.seek(min(end, total))
        mark, _, count, size, begin = LARGE_END.unpack(file.read(LARGE_END.size))
        if mark != b"PK\6\6":
            raise ValueError("the end of its directory is not where it should be")
    # Offsets count from the start of the archive, which may follow other data.
    before = end - size - begin
    if before < 0 or end > total:
        raise ValueError("its directory is not where it should be")
    file.seek(before + begin)
    members = _members(file.read(size), size, before)
    if len(members) != count:
        raise ValueError(f"its directory has {len(members)} of {count} members")
    return dict(members)


def _members(listed: bytes, size: int, before: int) -> list[tuple[str, Member]]:
    members: list[tuple[str, Member]] = []
    at = 0
    while at < size:
        mark, flags, method, checksum, packed, full, named, more, comment, begin = ENTRY.unpack_from(listed, at)
        if mark != b"PK\1\2":
            raise ValueError("its directory is damaged")
        at += ENTRY.size + named
        name = listed[at - named : at].decode("utf-8" if flags & UTF8 else "cp437")
        if LARGE in (packed, full, begin):
            full, packed, begin = _large(listed[at : at + more], full, packed, begin)
        members.append((name, Member(flags, method, checksum, packed, full, before + begin)))
        at += more + comment
    return members


def _large(fields: bytes, *numbers: int) -> list[int]:
    """Return the numbers with placeholders replaced from the zip64 extra field."""
    at = 0
    while at < len(fields):
        kind, size = struct.unpack_from("<HH", fields, at)
        if kind == 1:
            large = iter(struct.unpack_from(f"<{size // 8}Q", fields, at + 4))
            return [next(large, number) if number == LARGE else number for number in numbers]
        at += 4 + size
    return list(numbers)


class Archive:
    """The members of a zip archive. The last of several with one name counts: zip archives are updated so."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        self._path = source.path if not source.is_stream and source.compression() is None else None
        self._content = None if self._path is not None else source.read()
        source.close()
        self._packed = self._unpacked = 0
        self._file = self._open()
        self._total = self._file.seek(0, os.SEEK_END)
        try:
            self._members = _directory(self._file)
        except (struct.error, ValueError, OverflowError, OSError) as problem:
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
        """Close the file; a later `read` opens it again and restarts the count of unpacked bytes."""
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

    def read(self, member: str) -> bytes:
        """Return the content of a member, unpacked and checked."""
        about = self._members[member]
        if about.flags & ENCRYPTED:
            raise self.error(member, "is encrypted; unpack it with its password and pack it again without one")
        packed = self._raw(member, about)
        self._packed += len(packed)
        self._unpacked += about.size
        check(f"{self.name}: member {member}", len(packed), about.size)
        check(self.name, self._packed, self._unpacked)
        content = self._inflated(member, about, packed)
        if len(content) != about.size:
            more = "more" if len(content) > about.size else "fewer"
            raise self.error(
                member, f"unpacks to {more} bytes than the {about.size:,} that the archive speaks of: it is damaged"
            )
        if zlib.crc32(content) != about.checksum:
            raise self.error(
                member, "is damaged: its checksum (CRC-32) is not the one in the archive; copy the file again"
            )
        return content

    def _raw(self, member: str, about: Member) -> bytes:
        if self._file.closed:
            self._file = self._open()
        try:
            self._file.seek(about.begin)
            mark, name, extra = LOCAL.unpack(self._file.read(LOCAL.size))
            self._file.seek(name + extra, os.SEEK_CUR)
            # `read` allocates first: never more than the file has.
            packed = self._file.read(min(about.packed, self._total))
        except (struct.error, ValueError, OverflowError, OSError):
            mark, packed = b"", b""
        if mark != b"PK\3\4":
            raise self.error(member, "does not begin where the archive says; it is damaged, copy the file again")
        if len(packed) != about.packed:
            raise self.error(member, "ends too early; was the archive cut off while it was copied or written?")
        return packed

    def _inflated(self, member: str, about: Member, packed: bytes) -> bytes:
        """Unpack a member, at most one byte beyond its size."""
        if about.method == STORED:
            return packed
        if about.method == DEFLATE:
            try:
                return zlib.decompressobj(-15).decompress(packed, about.size + 1)
            except zlib.error as problem:
                raise self.error(member, f"the deflate data is damaged: {problem}") from None
        if about.method != ZSTD:
            known = "stored (0), deflate (8) and zstd (93) are read; pack it again with one of them"
            raise self.error(member, f"is packed by method {about.method}; {known}")
        import zstandard

        try:
            # Inspect writes a member in several frames, one after the other.
            stream = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
            return stream.read(about.size + 1)
        except (zstandard.ZstdError, MemoryError) as problem:
            raise self.error(member, f"the zstd data is damaged: {problem}") from None
