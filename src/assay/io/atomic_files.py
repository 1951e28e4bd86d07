"""Write files and folders atomically: to a temporary name beside the target, then rename."""

from __future__ import annotations

import os
import stat

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

MAX_NAME = 80
"""Characters of a file name made from another name."""
DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
"""Names that Windows opens as devices, with any ending."""


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file atomically; a symbolic link stays a link."""
    target = os.path.realpath(path)
    check_writable(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as device:  # a device or pipe must not be replaced
                device.write(data)
            return
        _replace(target, data)
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None


def _replace(target: str, data: bytes) -> None:
    for beside in _names(target):
        try:
            file = open(beside, "xb")  # noqa: SIM115 - closed below; mode x never overwrites another file
        except FileExistsError:
            continue
        except MemoryError:  # the file may exist without its Python object
            if os.path.exists(beside):
                os.remove(beside)
            raise
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
    """Refuse a read-only file, although its folder would allow replacing it and root could write it."""
    try:
        status = os.stat(path)
    except OSError:
        return  # no such file, or an error that writing will report
    if stat.S_ISREG(status.st_mode) and (not status.st_mode & 0o222 or not os.access(path, os.W_OK)):
        raise InputError(f"{os.fspath(path)}: cannot be written: it is read-only")


def identity(path: str | int) -> tuple[int, int] | None:
    """Return device and inode of a path or descriptor, equal for all links; None for no regular file.

    >>> identity(__file__) == identity(os.path.join(os.path.dirname(__file__), ".", os.path.basename(__file__)))
    True
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def file_names(names: Collection[str]) -> list[str]:
    """Return a unique valid file name for each name: case ignored, and no Windows device.

    >>> file_names(["bm25", "BM25", "a/b c", "..", "con"])
    ['bm25', 'BM25-2', 'a_b_c', 'unnamed', '_con']
    """
    import re

    taken: set[str] = set()
    unique: list[str] = []
    for name in names:
        short = re.sub(r"[^\w.+-]+", "_", name, flags=re.ASCII).strip("._")[:MAX_NAME] or "unnamed"
        short = f"_{short}" if short.partition(".")[0].lower() in DEVICES else short
        file_name, number = short, 1
        while file_name.lower() in taken:
            number += 1
            file_name = f"{short}-{number}"
        taken.add(file_name.lower())
        unique.append(file_name)
    return unique


def is_folder(path: str) -> bool:
    """Return whether a path names a folder: it ends in a slash or exists as one.

    >>> is_folder("assessors/"), is_folder("pool.jsonl")
    (True, False)
    """
    return path.endswith(("/", os.sep)) or os.path.isdir(path)


def write_folder(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> None:
    """Write a folder with its files (content by path in it) atomically; refuse a folder that is not empty."""
    target = os.path.realpath(path)
    try:
        if os.path.lexists(target) and (not os.path.isdir(target) or os.listdir(target)):
            raise InputError(f"{os.fspath(path)}: exists already; expected a new or an empty folder")
        beside = next(name for name in _names(target) if not os.path.lexists(name))
        try:
            os.makedirs(beside)
            for name, data in files.items():
                os.makedirs(os.path.dirname(os.path.join(beside, name)), exist_ok=True)
                with open(os.path.join(beside, name), "wb") as file:
                    file.write(data)
            if os.path.isdir(target):
                os.rmdir(target)
            os.rename(beside, target)
        except BaseException:
            from shutil import rmtree

            rmtree(beside, ignore_errors=True)
            raise
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None
