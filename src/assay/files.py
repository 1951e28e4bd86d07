"""A file written whole or not at all, and never over what must not be lost."""

from __future__ import annotations

import os
import stat

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Written beside it first and then renamed, so that no half-written file is ever seen; a link stays a link."""
    target = os.path.realpath(path)
    check_writable(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as device:  # a device or pipe cannot be replaced, and must not be
                device.write(data)
            return
        _replace(target, data)
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None


def _replace(target: str, data: bytes) -> None:
    for beside in _names(target):
        try:
            file = open(beside, "xb")  # noqa: SIM115 - closed below; x, so that nobody else's file is written or removed
        except FileExistsError:
            continue
        try:
            with file:
                file.write(data)
            if os.path.exists(target):
                os.chmod(beside, os.stat(target).st_mode & 0o7777)
            os.replace(beside, target)
        except BaseException:
            os.remove(beside)
            raise
        return


def _names(target: str) -> Iterator[str]:
    number = os.getpid()
    while True:
        yield f"{target}.{number}.part"
        number += 1


def check_writable(path: str | os.PathLike[str]) -> None:
    """A file that was made read-only is kept, though its folder would let it be replaced, and though root may write it."""
    try:
        found = os.stat(path)
    except OSError:
        return  # nothing there; what else is wrong with the path is said when it is written
    if stat.S_ISREG(found.st_mode) and (not found.st_mode & 0o222 or not os.access(path, os.W_OK)):
        raise InputError(f"{os.fspath(path)}: cannot be written: it is read-only")


def identity(path: str | int) -> tuple[int, int] | None:
    """Which file a path or an open file's number stands for, by whatever name or link; None of what is no regular file.

    >>> identity(__file__) == identity(os.path.join(os.path.dirname(__file__), ".", os.path.basename(__file__)))
    True
    """
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
