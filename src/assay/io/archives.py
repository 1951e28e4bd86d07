"""Zip archives with members that Python's own reader does not know (zstd), unpacked as far as is plausible and no further.

A log has a member for every sample, and all that is wanted of most of them is that they are there: the directory at the end
is read in one go.
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
"""What a member begins with: a mark, 22 bytes that the directory says better, the lengths of its name and of what follows it."""
ENTRY = struct.Struct("<4s4xHH4xIIIHHH8xI")
"""A member in the directory: flags, method, checksum, packed and unpacked size, the lengths of name, extra fields and comment,
and where it begins."""
END = struct.Struct("<4s4xHHIIH")
"""What an archive ends with: how many members, twice, size and beginning of the directory, and a comment."""
LOCATOR, LARGE_END = struct.Struct("<4s4xQ4x"), struct.Struct("<4s20xQQQQ")
"""The same for archives beyond 4 GB, with a line before it that says where."""
LARGE, MANY = 0xFFFFFFFF, 0xFFFF
"""What stands where a number has no room; it is told elsewhere."""
ENCRYPTED, UTF8 = 1, 0x800
CUT = "is no whole zip archive ({}); was it cut off while it was copied or written?"


class Member(NamedTuple):
    """What the directory says of a member."""

    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    begin: int


def _directory(file: BinaryIO) -> dict[str, Member]:
    """Every member by its name, the last of each; a ValueError where there is no directory."""
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
    # Offsets count from where the archive begins, which may stand behind something else.
    before = end - size - begin
    if before < 0 or end > total:
        raise ValueError("its directory is not where it should be")
    file.seek(before + begin)
    members = _members(file.read(size), size, before)
    if len(members) != count:
        raise ValueError(f"its directory has {len(members)} of {count} members")
    return dict(members)


def _members(listed: bytes, size: int, before: int) -> list[tuple[str, Member]]:
    found: list[tuple[str, Member]] = []
    at = 0
    while at < size:
        mark, flags, method, checksum, packed, full, named, more, comment, begin = ENTRY.unpack_from(listed, at)
        if mark != b"PK\1\2":
            raise ValueError("its directory is damaged")
        at += ENTRY.size + named
        name = listed[at - named : at].decode("utf-8" if flags & UTF8 else "cp437")
        if LARGE in (packed, full, begin):
            full, packed, begin = _large(listed[at : at + more], full, packed, begin)
        found.append((name, Member(flags, method, checksum, packed, full, before + begin)))
        at += more + comment
    return found


def _large(fields: bytes, *numbers: int) -> list[int]:
    """The numbers that had no room, from the extra field that has them."""
    at = 0
    while at < len(fields):
        kind, size = struct.unpack_from("<HH", fields, at)
        if kind == 1:
            told = iter(struct.unpack_from(f"<{size // 8}Q", fields, at + 4))
            return [next(told, number) if number == LARGE else number for number in numbers]
        at += 4 + size
    return list(numbers)


class Archive:
    """The members of a zip archive. Of several with one name the last counts: so an archive is amended."""

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
        """Let go of the file; a later `read` takes it up again, and counts anew what it unpacks."""
        self._file.close()
        self._packed = self._unpacked = 0

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
        if about.flags & ENCRYPTED:
            raise self.error(member, "is encrypted; unpack it with its password and pack it again without one")
        packed = self._raw(member, about)
        self._packed += len(packed)
        self._unpacked += about.size
        check(f"{self.name}: member {member}", len(packed), about.size)
        check(self.name, self._packed, self._unpacked)
        found = self._inflated(member, about, packed)
        if len(found) != about.size:
            more = "more" if len(found) > about.size else "fewer"
            raise self.error(
                member, f"unpacks to {more} bytes than the {about.size:,} that the archive speaks of: it is damaged"
            )
        if zlib.crc32(found) != about.checksum:
            raise self.error(
                member, "is damaged: its checksum (CRC-32) is not the one in the archive; copy the file again"
            )
        return found

    def _raw(self, member: str, about: Member) -> bytes:
        if self._file.closed:
            self._file = self._open()
        try:
            self._file.seek(about.begin)
            mark, name, extra = LOCAL.unpack(self._file.read(LOCAL.size))
            self._file.seek(name + extra, os.SEEK_CUR)
            # Memory is asked for before anything is read: never more than there can be.
            packed = self._file.read(min(about.packed, self._total))
        except (struct.error, ValueError, OverflowError, OSError):
            mark, packed = b"", b""
        if mark != b"PK\3\4":
            raise self.error(member, "does not begin where the archive says; it is damaged, copy the file again")
        if len(packed) != about.packed:
            raise self.error(member, "ends too early; was the archive cut off while it was copied or written?")
        return packed

    def _inflated(self, member: str, about: Member, packed: bytes) -> bytes:
        """At most one byte more than a member should have."""
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
