"""The file that keeps an assessor's judgments: a line each, only ever added to, on the disk before anybody is told "saved".

    {"topic": "301", "document": "FBIS3-1", "grade": 2, "judge": "ann", "time": "2026-03-01T09:30:12+00:00"}
    {"topic": "301", "document": "FBIS3-1", "grade": null, "judge": "ann", "time": "…", "undo": true}

The last line of a document counts; one that takes a judgment back says which grade stands again, or null. One process at a time
writes; a last line that a killed process left unfinished was never acknowledged, and is cut off.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from contextlib import suppress

from assay.errors import InputError
from assay.io.atomic_files import check_writable
from assay.io.decompression import MAGIC
from assay.io.escaping import in_json
from assay.io.heads import BOM

START = b'{"topic": '
"""How every line begins."""
FAR = 1 << 62
"""Where Windows, which locks bytes and not files, is asked to lock one: nobody reads there."""


class JudgmentsFile:
    """A file of lines, opened for one writer; `content` is what it holds, `repaired` what was done to its end.

    path   made where it is not there
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.repaired = ""
        check_writable(path)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            self._file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
        except OSError as problem:
            raise InputError(f"{path}: cannot be opened: {problem.strerror or problem}") from None
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise InputError(f"{path}: is no file; judgments are kept in one")
            self._lock()
            self.content = self._whole()
            self._size = len(self.content)
            _sync_folder(path)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, line: bytes) -> None:
        """Add a line. When this returns it is on the disk; when it cannot be, nothing of it stays."""
        self._check_there()
        try:
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            _sync(self._file)
        except OSError as problem:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise InputError(
                f"{self.path}: cannot be written: {problem.strerror or problem}; nothing was saved"
            ) from None
        self._size += len(line)

    def close(self) -> None:
        """Let the next one write."""
        os.close(self._file)

    def _lock(self) -> None:
        try:
            if sys.platform == "win32":
                import msvcrt

                os.lseek(self._file, FAR, os.SEEK_SET)
                msvcrt.locking(self._file, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            if problem.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
                return  # a disk that knows no locks, as some networks' do: one assessor is then trusted to be one
            told = (
                "is being judged into by another assay judge; end that one, or give each person a file (`judge='bob'`)"
            )
            raise InputError(f"{self.path}: {told}") from None

    def _whole(self) -> bytes:
        """What the file holds, its end mended."""
        os.lseek(self._file, 0, os.SEEK_SET)
        with open(os.dup(self._file), "rb") as file:
            content = file.read()
        if content.startswith(tuple(MAGIC)):
            raise InputError(f"{self.path}: is compressed, and cannot be added to; unpack it")
        kept, last = parted(content)
        if not last.removeprefix(BOM):
            return content
        line = content.count(b"\n") + 1
        if _is_whole(last):
            os.write(self._file, b"\n")
            _sync(self._file)
            return content + b"\n"
        if not _is_begun(last):  # somebody else's file, which is not ours to cut
            raise InputError(
                f"{self.path}:{line}: is no line of assay judge; expected its file, or a name for a new one"
            )
        os.ftruncate(self._file, len(kept))
        _sync(self._file)
        self.repaired = f"{self.path}:{line}: was cut off in the middle, by a process that was ended, and is left out"
        return kept

    def _check_there(self) -> None:
        """What is written into a file that somebody moved or wrote to would be lost, or out of order."""
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        own = os.fstat(self._file)
        if found is None or (found.st_dev, found.st_ino) != (own.st_dev, own.st_ino):
            raise InputError(f"{self.path}: is gone, or another file; nothing was saved. Put it back, or start again")
        if own.st_size != self._size:
            raise InputError(
                f"{self.path}: was changed by another program; nothing was saved. End assay judge, and start again"
            )


def parted(content: bytes) -> tuple[bytes, bytes]:
    """The whole lines, and what stands behind the last of them.

    >>> parted(b"one\\ntw"), parted(b"one\\n")
    ((b'one\\n', b'tw'), (b'one\\n', b''))
    """
    end = content.rfind(b"\n") + 1
    return content[:end], content[end:]


def written(topic: str, document: str, grade: int | None, judge: str, time: str, undo: bool = False) -> bytes:
    """A line of the file."""
    told = {"topic": topic, "document": document, "grade": grade, "judge": judge, "time": time}
    text = json.dumps({**told, "undo": True} if undo else told, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # an id that is no UTF-8 is kept as an escape
        text = json.dumps(json.loads(text))
    return in_json(text).encode() + b"\n"


def _is_whole(line: bytes) -> bool:
    """Whether a last line lacks but its end, as some editors leave it."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_begun(line: bytes) -> bool:
    """Whether something is the beginning of a line as `written` makes it; the zeros that a power cut leaves are none the less."""
    found = line.removeprefix(BOM).rstrip(b"\0")
    return found.startswith(START) or START.startswith(found)


def _sync(file: int) -> None:
    """Onto the disk itself: macOS leaves it in the disk's memory unless asked twice."""
    os.fsync(file)
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)


def _sync_folder(path: str) -> None:
    """A file that is new must be in its folder, too, after the power is gone."""
    with suppress(OSError):  # Windows opens no folders
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
