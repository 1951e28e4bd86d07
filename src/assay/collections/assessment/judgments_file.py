"""An append-only judgments file, synced to disk before a judgment is acknowledged.

    {"topic": "301", "document": "FBIS3-1", "grade": 2, "judge": "ann", "time": "2026-03-01T09:30:12+00:00"}
    {"topic": "301", "document": "FBIS3-1", "grade": null, "judge": "ann", "time": "…", "undo": true}

The last line of a document counts; a line with `undo` has the grade that counts again, or null. Only one process may write. A
last line that a killed process left incomplete was never acknowledged, and is removed.
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
from assay.io.escaping import in_json
from assay.io.heads import BOM, MAGIC

START = b'{"topic": '
"""The beginning of every line."""
LOCK_OFFSET = 1 << 62
"""The byte that is locked on Windows, which locks bytes and not files: far beyond the end of the file."""


class JudgmentsFile:
    """A judgments file opened by one writer.

    content    its bytes when it was opened
    repaired   a message if an unfinished last line was removed
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
                raise InputError(f"{path}: is not a regular file; judgments need one")
            self._lock()
            self.content: bytes = self._whole()
            self._size = len(self.content)
            _sync_folder(path)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, line: bytes) -> None:
        """Append a line and sync it to disk; on failure leave the file unchanged."""
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
        """Close the file and release its lock."""
        os.close(self._file)

    def _lock(self) -> None:
        try:
            if sys.platform == "win32":
                import msvcrt

                os.lseek(self._file, LOCK_OFFSET, os.SEEK_SET)
                msvcrt.locking(self._file, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            if problem.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
                return  # a file system without locks, as on some networks
            problem_text = (
                "is open in another assay judge. Fix: stop that one, or use a file for each person (`judge='bob'`)"
            )
            raise InputError(f"{self.path}: {problem_text}") from None

    def _whole(self) -> bytes:
        """Read the file, completing or removing an unfinished last line."""
        os.lseek(self._file, 0, os.SEEK_SET)
        with open(os.dup(self._file), "rb") as file:
            content = file.read()
        if content.startswith(tuple(MAGIC)):
            raise InputError(f"{self.path}: is compressed and cannot be appended to. Fix: decompress it")
        complete, last = split_last_line(content)
        if not last.removeprefix(BOM):
            return content
        line = content.count(b"\n") + 1
        if _is_whole(last):
            os.write(self._file, b"\n")
            _sync(self._file)
            return content + b"\n"
        if not _is_begun(last):  # a file that assay did not write must not be changed
            raise InputError(f"{self.path}:{line}: is not a line of assay judge. Fix: name its file, or a new one")
        os.ftruncate(self._file, len(complete))
        _sync(self._file)
        self.repaired: str = f"{self.path}:{line}: is incomplete because a process was killed, and is removed"
        return complete

    def _check_there(self) -> None:
        """Check that the path still names the opened file, and that no other process wrote to it."""
        try:
            named = os.stat(self.path)
        except OSError:
            named = None
        opened = os.fstat(self._file)
        if named is None or (named.st_dev, named.st_ino) != (opened.st_dev, opened.st_ino):
            raise InputError(
                f"{self.path}: was moved or replaced; nothing was saved. Fix: put it back, or restart assay judge"
            )
        if opened.st_size != self._size:
            raise InputError(
                f"{self.path}: was changed by another program; nothing was saved. Fix: restart assay judge"
            )


def split_last_line(content: bytes) -> tuple[bytes, bytes]:
    """Split into the complete lines and the rest.

    >>> split_last_line(b"one\\ntw"), split_last_line(b"one\\n")
    ((b'one\\n', b'tw'), (b'one\\n', b''))
    """
    end = content.rfind(b"\n") + 1
    return content[:end], content[end:]


def written(topic: str, document: str, grade: int | None, judge: str, time: str, undo: bool = False) -> bytes:
    """Return a line of the file."""
    record = {"topic": topic, "document": document, "grade": grade, "judge": judge, "time": time}
    text = json.dumps({**record, "undo": True} if undo else record, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # an id that is not UTF-8 is written as an escape
        text = json.dumps(json.loads(text))
    return in_json(text).encode() + b"\n"


def _is_whole(line: bytes) -> bool:
    """Return whether the last line lacks only its newline, as some editors leave it."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_begun(line: bytes) -> bool:
    """Return whether a line may be the start of a judgment, perhaps padded with zeros."""
    start = line.removeprefix(BOM).rstrip(b"\0")
    return start.startswith(START) or START.startswith(start)


def _sync(file: int) -> None:
    """Sync to the medium itself; on macOS fsync alone stops at the drive's cache."""
    os.fsync(file)
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)


def _sync_folder(path: str) -> None:
    """Sync the folder, so that a new file's entry survives a power failure."""
    with suppress(OSError):  # Windows opens no folders
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
